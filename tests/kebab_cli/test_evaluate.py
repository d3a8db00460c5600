"""`kebab eval` and `kebab why` through the real program."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.program import Kebab
from tests.support.schemas import valid

NOTICE = "How long is the notice period?"
SET = (
    {"question": NOTICE, "expected": ["leave.md#L5"]},
    {"question": "What colour is the moon's dog?", "answerable": False},
)


def written(folder: Path) -> Path:
    file = folder / "golden.jsonl"
    file.write_text("\n".join(map(json.dumps, SET)), encoding="utf-8")
    return file


def test_a_set_is_run_kept_and_compared(asking: Kebab) -> None:
    written(asking.folder)
    done = asking("eval", "run", "golden.jsonl", "--model", "quote", "--json", "-o", "a.json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    report = valid("eval_report", done.stdout)
    assert report["sets"][0]["measures"]["hit@1"] == 1.0
    assert report["sets"][0]["measures"]["abstention_recall"] == 1.0
    worse = json.loads((asking.folder / "a.json").read_text())
    worse["sets"][0]["measures"]["hit@1"] = 0.5
    (asking.folder / "b.json").write_text(json.dumps(worse))
    same = asking("eval", "compare", "a.json", "a.json", "--tolerance", "0")
    assert same.returncode == 0, same.stderr
    lost = asking("eval", "compare", "a.json", "b.json", "--tolerance", "0.1")
    assert lost.returncode == 1
    assert "worse: golden hit@1 -0.500" in lost.stderr
    assert asking("eval", "compare", "a.json", "golden.jsonl").returncode == 2


def test_text_for_people(asking: Kebab) -> None:
    written(asking.folder)
    done = asking("eval", "run", "golden.jsonl", "--no-answers")
    assert "ndcg@10\t1.000" in done.stdout
    assert "search_p50" in done.stdout


def test_a_past_turn_is_added(asking: Kebab) -> None:
    asked = asking("ask", "--session", "new", "--json", NOTICE)
    session = json.loads(asked.stdout)["conversation_id"]
    assert asking("eval", "add", session, "0").returncode == 0
    line = json.loads((asking.folder / "golden.jsonl").read_text())
    assert line["question"] == NOTICE
    assert line["expected"][0].startswith("leave.md#L")
    again = asking("eval", "add", session, "0")
    assert "already" in again.stderr
    assert asking("eval", "run", "golden.jsonl").returncode == 0


def test_why(asking: Kebab) -> None:
    done = asking("why", "leave.md", NOTICE, "--json")
    assert done.returncode == 0, done.stderr
    report = valid("why_report", done.stdout)
    assert all(step["ok"] for step in report["steps"])
    missing = asking("why", "nowhere.md", NOTICE)
    assert missing.returncode == 1
    assert "falls out at 'indexed'" in missing.stdout
