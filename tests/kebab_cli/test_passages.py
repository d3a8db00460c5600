"""Where a passage stands, as a person reads it, in the terminal and in the chat."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kebab_cli.passages import place
from kebab_core.paths import Workspace
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.model import Settings
from kebab_core.settings.state import UserState
from kebab_core.testing import ScriptedBase
from kebab_core.wire.convert import search_hit
from kebab_tui.citations import label
from kebab_tui.source_item import place as place_in_chat


@pytest.mark.parametrize(
    ("where", "address", "words", "named"),
    [
        ({"slide": 3}, "a.md#slide=3", "slide 3", "a.md slide 3"),
        ({"sheet": "Q1", "cell": "A2:F9"}, "a.md#Q1!A2:F9", "Q1 A2:F9", "a.md"),
        ({"sheet": "Q1"}, "a.md#Q1", "Q1", "a.md"),
        ({"cell": "3-5"}, "a.md#cell=3-5", "cell 3-5", "a.md"),
        ({"page": 4}, "a.md#page=4", "p. 4", "a.md p. 4"),
        ({}, "a.md#L1-L1", "lines 1–1", "a.md"),
    ],
)
def test_each_place_is_named_as_its_format_does(
    where: dict[str, Any], address: str, words: str, named: str, tmp_path: Path
) -> None:
    configuration = Configuration(Settings(), Workspace("test", tmp_path), UserState.open())
    hit = ScriptedBase(configuration, {"a.md": "words\n"}).hit("a.md", 1)
    found = search_hit(replace(hit, chunk=replace(hit.chunk, **where)))
    assert place(found) == address
    assert place_in_chat(found) == words
    assert label(found) == named
