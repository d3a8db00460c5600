"""The whole pipeline over a real store: search, gate, model, citations, history."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kebab_core.ask.deps import AskDeps
from kebab_core.ask.events import RetrievalDone
from kebab_core.ask.run import AskRun
from kebab_core.errors import ModelRefused
from kebab_core.retrieve import search
from kebab_core.sessions import SqliteSessions
from kebab_core.settings.load import load
from kebab_core.testing.model import Say, ScriptedModel
from kebab_core.types import AskOptions, Filters
from kebab_core.wire.convert import citation
from tests.support.asking import configured, connect
from tests.support.corpus import EMBEDDER, filled, stored

REPO = Path(__file__).resolve().parents[3]
QUESTION = "How many weeks of parental leave are there?"
LEAVE = [
    "Parental leave is 26 weeks at full pay, in up to three blocks.",
    "Give notice eight weeks ahead, in writing, to your manager.",
]
BACKUP = ["The backup runs every night at two.", "Restores are tested each quarter."]


@pytest.fixture
def needs(tmp_path: Path) -> AskDeps:
    store = filled(
        tmp_path / "corpus",
        [stored("leave.md", LEAVE, EMBEDDER), stored("backup.md", BACKUP, EMBEDDER)],
        EMBEDDER,
    )
    configuration = configured(tmp_path, None, {"ask.score_gate": "calibrated"})
    sessions = SqliteSessions(tmp_path / "sessions.sqlite3")
    return AskDeps(
        configuration=configuration,
        search=lambda query, options: search(
            store, EMBEDDER, query, options, stale_after_days=10_000
        ),
        sessions=lambda: sessions,
        model=connect(configuration),
        counts=store.counts,
    )


def test_an_answer_from_the_store(needs: AskDeps) -> None:
    run = AskRun(QUESTION, AskOptions(), needs)
    events = list(run)
    answer = run.result(10)
    assert isinstance(events[0], RetrievalDone)
    assert answer.grounding == "cited"
    assert "26 weeks" in answer.answer
    places = [citation(one) for one in events[0].hits]
    assert answer.citations[0].citation in places
    assert answer.citations[0].citation.path == "leave.md"
    assert answer.citations[0].quote == LEAVE[0]


def test_a_question_the_store_cannot_answer(needs: AskDeps) -> None:
    answer = AskRun("Which dragon guards the treasure?", AskOptions(), needs).result(10)
    assert answer.not_found
    assert answer.refusal_reason in ("score_gate", "no_chunks")
    assert not answer.grounded


def test_filters_that_leave_nothing(needs: AskDeps) -> None:
    options = AskOptions(filters=Filters(doc_ids=("none",)))
    answer = AskRun(QUESTION, options, needs).result(10)
    assert answer.refusal_reason == "no_chunks"


def test_many_at_the_same_time_share_one_history(needs: AskDeps) -> None:
    session_id = needs.sessions().create("chat")
    options = AskOptions(session_id=session_id)
    runs = [AskRun(QUESTION, options, needs) for _ in range(30)]
    answers = [run.result(30) for run in runs]
    assert all(answer.grounded for answer in answers)
    assert sorted(answer.turn_index or 0 for answer in answers) == list(range(30))
    assert sum(thread.name.startswith("kebab-ask") for thread in threading.enumerate()) <= 16


def test_asking_loads_no_store_and_no_client() -> None:
    code = "import sys, kebab_core.ask.run; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=REPO
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert not loaded & {"lancedb", "pyarrow", "numpy", "httpx", "onnxruntime", "sqlite3"}


def test_no_key_in_what_is_kept(needs: AskDeps, tmp_path: Path) -> None:
    key = "sk-planted-0123456789"
    with ScriptedModel([[Say("x")]], key="another", repeat=True) as model:
        configuration = load(
            data_dir=tmp_path,
            cwd=tmp_path,
            env={"ASK_API_KEY": key},
            overrides={
                "models.ask.model": f"openai-compatible:{model.model}",
                "providers.openai-compatible.base_url": model.base_url,
            },
        )
        planted = pytest.MonkeyPatch()
        planted.setenv("ASK_API_KEY", key)
        try:
            run = AskRun(
                QUESTION,
                AskOptions(),
                AskDeps(configuration, needs.search, needs.sessions, connect(configuration)),
            )
            with pytest.raises(ModelRefused) as failed:
                run.result(10)
        finally:
            planted.undo()
        assert ("POST", "/v1/chat/completions") in model.visits
    assert key not in f"{failed.value.message}{failed.value.hint}{failed.value.details}"
    needs.sessions().close()
    for file in tmp_path.glob("sessions.sqlite3*"):
        assert key.encode() not in file.read_bytes()
