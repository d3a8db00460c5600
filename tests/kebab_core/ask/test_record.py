"""What a run has cost."""

from __future__ import annotations

from datetime import UTC, datetime

from kebab_core.ask.record import Record
from kebab_core.types import ModelCall
from kebab_core.wire.answer import ModelRef

WHEN = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)


def test_costs_add_up_and_an_unknown_one_stays_unknown() -> None:
    def record() -> Record:
        return Record("t", ModelRef(id="m", provider="p"), "hybrid", 8)

    none = record()
    assert (none.usage().usd, none.usage().usd_source) == (None, "none")
    known = record()
    known.count_call(ModelCall(WHEN, "ask", "p", "m", 1, 10, 2, 0.5, "reported"))
    assert (known.usage().usd, known.usage().usd_source) == (0.5, "reported")
    known.count_call(ModelCall(WHEN, "ask", "p", "m", 1, 1, 1, 0.25, "table"))
    usage = known.usage()
    assert (usage.usd, usage.usd_source) == (0.75, "table")
    assert (usage.prompt_tokens, usage.completion_tokens) == (11, 3)
    known.count_call(ModelCall(WHEN, "ask", "p", "m", 1))
    assert (known.usage().usd, known.usage().usd_source) == (None, "none")
    known.count_call(ModelCall(WHEN, "ask", "p", "m", 1, usd=0.1, usd_source="reported"))
    assert (known.usage().usd, known.usage().usd_source) == (None, "none")
