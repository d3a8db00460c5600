"""`kebab spend`, and follow-ups, through the real program."""

from __future__ import annotations

import json

import pytest

from kebab_core.testing import ScriptedModel
from kebab_core.testing.model import Say
from tests.support.program import Kebab
from tests.support.schemas import valid

NOTICE = "How long is the notice period?"
SAID = "The notice period is four weeks [1]."


def test_calls_are_summed_saved_or_not(asking: Kebab) -> None:
    with ScriptedModel([[Say(SAID)], [Say(SAID)]]) as model:
        assert asking("ask", NOTICE, env=model.environment).returncode == 0
        assert asking("ask", "--no-save", NOTICE, env=model.environment).returncode == 0
    done = asking("spend", "--json")
    assert done.returncode == 0, done.stderr
    report = valid("spend_report", done.stdout)
    [row] = report["rows"]
    assert (row["role"], row["calls"], row["usd"]) == ("ask", 2, None)
    assert report["total_usd"] is None
    shown = asking("spend")
    assert shown.stdout.split("\t")[1:4] == ["ask", f"openai-compatible:{model.model}", "2"]
    assert "unknown" in shown.stdout
    assert "2 calls have no known price" in shown.stderr


def test_nothing_spent(kebab: Kebab) -> None:
    shown = kebab("spend", "--from", "2026-01-01", "--to", "2026-01-31")
    assert (shown.returncode, shown.stdout) == (0, "")
    assert "No model was called from 2026-01-01 to 2026-01-31." in shown.stderr
    report = json.loads(kebab("spend", "--json", "--to", "0001-01-01").stdout)
    assert (report["from"], report["rows"], report["total_usd"]) == ("0001-01-01", [], 0.0)


@pytest.mark.parametrize(
    "days", [("--from", "2026-02-01", "--to", "2026-01-01"), ("--from", "yesterday")]
)
def test_days_that_cannot_be(kebab: Kebab, days: tuple[str, ...]) -> None:
    done = kebab("spend", *days)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
