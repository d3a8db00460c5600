"""`python -m kebab_core.settings` writes docs/settings.md; with `--schema`, the file's schema."""

from __future__ import annotations

import json
import sys

from kebab_core.settings.file_schema import file_schema
from kebab_core.settings.reference import settings_markdown


def main() -> None:
    wants_schema = "--schema" in sys.argv[1:]
    text = json.dumps(file_schema(), indent=2) + "\n" if wants_schema else settings_markdown()
    sys.stdout.buffer.write(text.encode())


if __name__ == "__main__":
    main()
