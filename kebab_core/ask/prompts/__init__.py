"""What the model is told. Any change of a text is a new version: answers are kept with it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal

PROMPT_VERSION = "ask.2"


@cache
def text(name: Literal["answer", "chance", "followups", "starters", "tail", "tools"]) -> str:
    """The system prompt of that name."""
    return files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()
