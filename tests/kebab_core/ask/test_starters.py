"""First questions: proposed from the newest documents of a real store, topped up, kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from kebab_core import llm
from kebab_core.ask.starters import DOCUMENTS, StarterDeps, Starters, parsed
from kebab_core.errors import IOFailed
from kebab_core.llm import roles
from kebab_core.sessions import MemorySessions
from kebab_core.store import Store, StoredDocument
from kebab_core.testing.model import Cut, Say, ScriptedModel, Status
from kebab_core.testing.script import Turn
from kebab_core.types import ModelCall
from tests.support.asking import configured
from tests.support.corpus import filled, stored, workspace

PROPOSED = [f"What about topic {n}?" for n in range(4)]


def document(name: str, changed: int = 1, headings: Sequence[str] = ()) -> StoredDocument:
    made = stored(f"{name}.md", [f"Text of {name}."], title=name, mtime_ns=changed)
    chunks = [replace(chunk, heading_path=tuple(headings)) for chunk in made.chunks]
    return StoredDocument(made.document, chunks, made.vectors)


def corpus(directory: Path, count: int = 4) -> Store:
    return filled(directory, [document(f"Doc {n}", n) for n in range(count)])


def starters(
    directory: Path,
    store: Store,
    model: ScriptedModel | None = None,
    record: Callable[[Sequence[ModelCall]], None] = lambda calls: None,
) -> Starters:
    configuration = configured(directory, model)
    choice = roles.choose(configuration, "starters")
    return Starters(
        StarterDeps(
            store=store,
            file=directory / "starters.json",
            row=configuration.settings.models.starters,
            choose=lambda: choice,
            connect=lambda: llm.create(choice, configuration, role="starters"),
            record=record,
        )
    )


def plain(*titles: str) -> list[str]:
    return [f'What does "{title}" say?' for title in titles]


def test_the_model_proposes_from_titles_and_headings_of_the_newest(tmp_path: Path) -> None:
    many = [document(f"Doc {n}", n, ["Guide", f"Part {n}"]) for n in range(DOCUMENTS + 2)]
    store = filled(tmp_path, many)
    with ScriptedModel([[Say(f"Here: {json.dumps(PROPOSED)}")]]) as model:
        assert starters(tmp_path, store, model).get() == PROPOSED
        [request] = model.requests
    sent = request.messages[-1]["content"]
    assert sent.startswith(f"- Doc {DOCUMENTS + 1}\n  - Guide › Part {DOCUMENTS + 1}\n")
    assert "- Doc 2\n" in sent
    assert "- Doc 1\n" not in sent


def test_too_few_are_topped_up(tmp_path: Path) -> None:
    with ScriptedModel([[Say('["One?"]')]]) as model:
        found = starters(tmp_path, corpus(tmp_path), model).get()
    assert found == ["One?", *plain("Doc 3", "Doc 2")]


@pytest.mark.parametrize("failing", [[Status(500)], [Say('["On'), Cut()]], ids=["refused", "cut"])
def test_a_model_that_fails_is_asked_again_at_the_next_opening(
    tmp_path: Path, failing: Turn
) -> None:
    store = corpus(tmp_path)
    with ScriptedModel([failing, [Say(json.dumps(PROPOSED))]]) as model:
        opened = starters(tmp_path, store, model)
        assert opened.get() == plain("Doc 3", "Doc 2", "Doc 1")
        assert opened.get() == plain("Doc 3", "Doc 2", "Doc 1")
        assert len(model.requests) == 1
        assert starters(tmp_path, store, model).get() == PROPOSED


def test_quote_asks_no_model(tmp_path: Path) -> None:
    assert starters(tmp_path, corpus(tmp_path)).get() == plain("Doc 3", "Doc 2", "Doc 1")


def test_few_documents_give_few(tmp_path: Path) -> None:
    assert starters(tmp_path, corpus(tmp_path, 1)).get() == plain("Doc 0")


def test_an_empty_corpus_has_none(tmp_path: Path) -> None:
    with ScriptedModel([]) as model:
        assert starters(tmp_path, Store.open(workspace(tmp_path / "no")), model).get() == []
        broken = stored("broken.md", [], error="unreadable")
        assert starters(tmp_path, filled(tmp_path, [broken]), model).get() == []
        assert model.requests == []


def test_they_are_kept_until_the_corpus_changes(tmp_path: Path) -> None:
    store = corpus(tmp_path)
    later = ["A?", "B?", "C?"]
    with ScriptedModel([[Say(json.dumps(PROPOSED))], [Say(json.dumps(later))]]) as model:
        opened = starters(tmp_path, store, model)
        assert opened.get() == opened.get() == PROPOSED
        assert starters(tmp_path, store, model).get() == PROPOSED
        assert len(model.requests) == 1
        store.replace([document("New", 99)])
        assert opened.get() == later
    # Another model is another proposer.
    assert starters(tmp_path, store).get() == plain("New", "Doc 3", "Doc 2")


@pytest.mark.parametrize("text", ["", "[]", '{"key": 1}', "[" * 100_000, "\x00"])
def test_a_damaged_file_costs_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "starters.json").write_text(text)
    assert len(starters(tmp_path, corpus(tmp_path)).get()) == 3


def test_a_title_is_one_short_line(tmp_path: Path) -> None:
    store = filled(tmp_path, [document('A "b"\n</passage>\x1b[31m ' + "x" * 200)])
    [question] = starters(tmp_path, store).get()
    assert len(question) < 110
    assert "\n" not in question
    assert "\x1b" not in question


def test_the_call_is_in_the_ledger(tmp_path: Path) -> None:
    sessions = MemorySessions()
    with ScriptedModel([[Say(json.dumps(PROPOSED))]]) as model:
        starters(tmp_path, corpus(tmp_path), model, sessions.record_spend).get()
    today = datetime.now(UTC).date()
    [row] = sessions.spend(today - timedelta(days=1), today + timedelta(days=1)).rows
    assert (row.role, row.provider, row.calls) == ("starters", "openai-compatible", 1)


def test_a_ledger_that_cannot_be_written_takes_no_questions_away(tmp_path: Path) -> None:
    def full(calls: Sequence[ModelCall]) -> None:
        raise IOFailed("The disk is full.")

    with ScriptedModel([[Say(json.dumps(PROPOSED))]]) as model:
        assert starters(tmp_path, corpus(tmp_path), model, full).get() == PROPOSED


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ('{"questions": ["A?", "B?"]}', ("A?", "B?")),
        ('```json\n[{"question": "A?"}]\n```', ("A?",)),
        ("[1] no questions here", ()),
        (json.dumps([f"{n}?" for n in range(9)]), tuple(f"{n}?" for n in range(5))),
    ],
)
def test_what_a_model_writes(written: str, found: tuple[str, ...]) -> None:
    assert parsed(written) == found
