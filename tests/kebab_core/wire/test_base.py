"""What every wire line keeps to."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

from kebab_core.errors import ModelNotFound
from kebab_core.wire.answer_event import SearchEvent, TokenEvent
from kebab_core.wire.error import Error

NOW = datetime(2026, 5, 1, 12, 30, tzinfo=UTC)


def test_a_line_is_one_line_whatever_the_text_holds() -> None:
    delta = "a\nb\u2028c\r\x1b[31m"
    line = TokenEvent(ts=NOW, delta=delta, turn_index=0).to_line()
    assert "\n" not in line
    assert "\r" not in line
    assert "\x1b" not in line
    assert json.loads(line)["delta"] == delta


def test_times_carry_an_offset() -> None:
    local = NOW.astimezone(timezone(timedelta(hours=9)))
    assert json.loads(TokenEvent(ts=local, delta="", turn_index=None).to_line())["ts"] == (
        "2026-05-01T12:30:00.000Z"
    )


def test_optional_fields_are_absent_and_nullable_ones_null() -> None:
    started = SearchEvent(ts=NOW, kind="started", call_id="c1", source="web", query="q")
    assert set(json.loads(started.to_line())) == {
        "schema_version",
        "ts",
        "kind",
        "call_id",
        "source",
        "query",
    }
    assert json.loads(TokenEvent(ts=NOW, delta="", turn_index=None).to_line())["turn_index"] is None


def test_an_error_keeps_its_code_and_hint() -> None:
    wire = Error.of(
        ModelNotFound("No model qwen3.", "ollama pull qwen3", details={"model": "qwen3"})
    )
    assert json.loads(wire.to_line()) == {
        "schema_version": "error.v1",
        "code": "model_not_found",
        "message": "No model qwen3.",
        "hint": "ollama pull qwen3",
        "details": {"model": "qwen3"},
    }
