"""Another kebab, asked over HTTP: `kebab ask --remote`."""
