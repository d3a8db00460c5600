"""`python -m kebab_cli`."""

from kebab_cli.main import main

main()
