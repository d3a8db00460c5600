"""Pure functions over text: what is shown, indexed and quoted. No I/O, no models."""
