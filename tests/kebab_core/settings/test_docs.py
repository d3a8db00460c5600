"""The generated pages say what the model says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kebab_core.settings import catalogue
from kebab_core.settings.file_schema import file_schema
from kebab_core.settings.model import SourceSection
from kebab_core.settings.reference import settings_markdown

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGE = DOCS / "settings.md"
SCHEMA = DOCS / "settings.schema.json"


def test_settings_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == settings_markdown(), (
        "docs/settings.md is behind: python -m kebab_core.settings > docs/settings.md"
    )


def test_file_schema_is_up_to_date() -> None:
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == file_schema(), (
        "docs/settings.schema.json is behind: "
        "python -m kebab_core.settings --schema > docs/settings.schema.json"
    )


def test_every_key_and_variable_is_on_the_page() -> None:
    page = settings_markdown()
    for key in catalogue.known_keys().values():
        if key.name != "sources":
            section = page.partition(f"### `[{key.section}]`")[2].partition("\n### ")[0]
            assert f"\n| `{key.short_name}` | " in section, key.name
    for field in SourceSection.model_fields:
        assert f"\n| `{field}` | " in page.partition("### `[[sources]]`")[2]
    for variable in (*catalogue.SHORT_VARIABLES, catalogue.DATA_DIR_VARIABLE):
        assert f"`{variable}`" in page


@pytest.mark.parametrize(("flag", "file"), [([], PAGE), (["--schema"], SCHEMA)])
def test_the_command_that_writes_them(flag: list[str], file: Path) -> None:
    command = [sys.executable, "-m", "kebab_core.settings", *flag]
    made = subprocess.run(command, capture_output=True, check=True, timeout=60)
    assert made.stdout == file.read_bytes()
    assert made.stderr == b""


def test_loading_settings_reads_no_source_and_no_heavy_library() -> None:
    script = (
        "import sys\nfrom kebab_core.settings.load import load\nload(env={})\n"
        "heavy = {'lancedb', 'pyarrow', 'numpy', 'onnx', 'onnxruntime', 'tokenizers', 'textual', "
        "'torch', 'httpx', 'pydantic_settings', 'filelock'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
        "from kebab_core.settings import catalogue\n"
        "print(catalogue._docstrings.cache_info().misses)\n"
    )
    made = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True, timeout=60
    )
    assert made.stdout.split() == ["[]", "0"]
