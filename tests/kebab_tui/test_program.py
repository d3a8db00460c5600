"""From settings to a running program and back, without a terminal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import kebab_tui
from kebab_core.api import ConfigInvalid, NotFound, load_configuration
from kebab_tui.program import build


def test_a_session_there_isnt_is_told_before_the_screen_is_taken(tmp_path: Path) -> None:
    configuration = load_configuration(data_dir=tmp_path / "data", cwd=tmp_path)
    with pytest.raises(NotFound):
        kebab_tui.run(configuration, session_id="nope")


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        ({"tui.theme": "kebab-drak"}, "'kebab-dark'"),
        ({"tui.keys": {"chat.sesions": "f4"}}, "'chat.sessions'"),
    ],
)
def test_settings_of_the_chat_that_cant_be_right(
    tmp_path: Path, overrides: dict[str, object], said: str
) -> None:
    configuration = load_configuration(
        data_dir=tmp_path / "data", cwd=tmp_path, overrides=overrides
    )
    with pytest.raises(ConfigInvalid) as refused:
        build(configuration)
    assert said in (refused.value.hint or "")


def test_the_settings_reach_the_screen(tmp_path: Path) -> None:
    overrides = {"tui.theme": "kebab-light", "tui.reduced_motion": True, "web.default": True}
    app = build(load_configuration(data_dir=tmp_path / "d", cwd=tmp_path, overrides=overrides))
    assert app.theme == "kebab-light"
    assert app.look.still
    assert app.chat.web


def test_the_chat_is_imported_without_store_models_or_network() -> None:
    """What stands before the first frame."""
    program = (
        "import sys, kebab_tui.program\n"
        "heavy = {'lancedb', 'pyarrow', 'onnxruntime', 'onnx', 'numpy', 'torch', 'httpx',"
        " 'tokenizers', 'sqlite3', 'kebab_core.ask.run', 'kebab_core.wire.answer'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
