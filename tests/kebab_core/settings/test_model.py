"""The model of the file."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from kebab_core.settings.model import Settings


@pytest.mark.parametrize(
    "table",
    [
        {"ask": {"unknown": 1}},
        {"unknown": {}},
        {"sources": [{"id": "a", "path": "x", "unknown": 1}]},
        {"sources": [{"id": "a"}]},
        {"sources": [{"id": "a", "path": ""}]},
        {"sources": [{"id": "a", "path": "x\0y"}]},
        {"sources": [{"id": "../a", "path": "x"}]},
        {"sources": [{"id": "a", "path": "x"}, {"id": "a", "path": "y"}]},
        {"providers": {"openai": {"api_key_env": "sk-proj-pasted"}}},
        {"providers": {"openai": {"base_url": "localhost:8000"}}},
        {"providers": {"openai": {"base_url": "http://a\\b"}}},
        {"providers": {"workers-ai": {"account": "a/../b"}}},
        {"ask": {"answer_s": float("inf")}},
        {"ask": {"answer_s": 1e9}},
        {"sessions": {"keep_days": 10**9}},
        {"ingest": {"workers": 100_000}},
    ],
)
def test_refused(table: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Settings.model_validate(table, strict=True)


def test_each_role_has_its_own_limits() -> None:
    models = Settings().models
    limits = {
        role: (row.max_tokens, row.temperature)
        for role, row in vars(models).items()
        if not role.startswith("_")
    }
    assert limits == {
        "ask": (4000, 0.2),
        "followups": (2000, 0.4),
        "starters": (2000, 0.4),
        "chance": (1024, 0.2),
    }


def test_a_model_name_changes_nothing_else_in_its_row() -> None:
    row = Settings.model_validate({"models": {"starters": {"model": "ollama:a:b"}}}).models.starters
    assert (row.model, row.max_tokens, row.temperature) == ("ollama:a:b", 2000, 0.4)


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError):
        Settings().ask.k = 3  # type: ignore[misc]
