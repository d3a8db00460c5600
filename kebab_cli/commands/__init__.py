"""One module a command. Each has an `app`; its heavy imports stand inside functions."""
