"""The `kebab` command: one file a command, everything through `kebab_core.api`."""
