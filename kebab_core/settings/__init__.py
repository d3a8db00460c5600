"""Settings: the model of `kebab.toml`, where values come from, and whom to trust."""
