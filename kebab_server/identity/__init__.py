"""Who asks: bearers of an identity provider, or the one token of this machine."""
