"""What `@` names, how it is completed, and what the question becomes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kebab_core.api import Filters, KnowledgeBase, load_configuration
from kebab_core.testing import ScriptedBase
from kebab_core.wire.documents import DocSummary
from kebab_tui.scope import Catalog, Scope, open_token
from tests.kebab_tui.look import drawn, said
from tests.kebab_tui.stage import (
    HANDBOOK,
    PARENTAL,
    PARTNER,
    ask,
    chat,
    configuration,
    handbook,
    opened,
    store_documents,
    until,
)

STRANGE = "회의록/a [draft]* 1.md"


def documents(*, source: str = "notes") -> list[DocSummary]:
    base = ScriptedBase(configuration(), {**HANDBOOK, STRANGE: "# x\n"})
    found = [one.model_copy(update={"source_id": source}) for one in base.documents()]
    found[0] = found[0].model_copy(update={"tags": ["leave", "인사"]})
    return found


CATALOG = Catalog(documents())


@pytest.mark.parametrize(
    ("typed", "question", "names"),
    [
        ("How long?", "How long?", ()),
        ("@hr/ How long?", "How long?", ("hr/",)),
        ("@hr How long?", "How long?", ("hr/",)),
        ("How long? @HR/FAQ.md", "How long?", ("hr/faq.md",)),
        ("@hr/ @#leave How long?", "How long?", ("hr/", "#leave")),
        ("@#인사 얼마나?", "얼마나?", ("#인사",)),
        ("What does @hr/faq.md say?", "What does hr/faq.md say?", ("hr/faq.md",)),
        ("What is in @hr/?", "What is in?", ("hr/",)),
        (f'@"{STRANGE}" What is it?', "What is it?", (STRANGE,)),
        ("Write to people@example.com or @someone", "Write to people@example.com or @someone", ()),
    ],
)
def test_a_scope_is_taken_out_of_the_question(
    typed: str, question: str, names: tuple[str, ...]
) -> None:
    found = CATALOG.read(typed)
    assert (found.question, found.scope.names, found.unknown) == (question, names, ())


@pytest.mark.parametrize("typed", ["@hr/nothing.md Why?", "@#leaf Why?", '@"no such" Why?'])
def test_what_looks_like_a_name_and_is_none_is_told(typed: str) -> None:
    assert CATALOG.read(typed).unknown


def test_places_tags_and_sources_become_filters() -> None:
    several = Catalog([*documents(), *documents(source="work")])
    scope = several.read("@work: @hr/ @minutes/2025-03.md @#leave Why?").scope
    assert scope.filters() == Filters(
        source_ids=("work",), path_globs=("/hr/", "/minutes/2025-03.md"), tags=("leave",)
    )
    assert "notes:" not in CATALOG.complete("notes", 9)


def test_completion_names_the_nearest_first() -> None:
    assert CATALOG.complete("", 2) == ["handbook/", "hr/"]
    assert CATALOG.complete("faq", 3) == ["hr/faq.md"]
    assert CATALOG.complete("le", 9)[:2] == ["#leave", "hr/leave-policy.md"]
    assert CATALOG.complete("nowhere", 9) == []


@pytest.mark.parametrize(
    ("before", "typed"),
    [("@", ""), ("Why @hr/f", "hr/f"), ('In @"a b', '"a b'), ("a@b", None), ("@hr/ ", None)],
)
def test_only_an_at_sign_that_begins_a_word_is_completed(before: str, typed: str | None) -> None:
    assert open_token(before) == typed


async def test_a_name_is_completed_and_the_question_confined_to_it() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await until(pilot, lambda: app.chat.catalog)
        await pilot.press(*"@h")
        await until(pilot, lambda: app.chat.completion.is_open)
        await pilot.press("down", "tab")
        assert app.chat.prompt.text == "@hr/"
        await until(pilot, lambda: "hr/leave-policy.md" in drawn(app))
        await pilot.press(*"fa", "enter")
        assert app.chat.prompt.text == "@hr/faq.md "
        assert base.runs == []
        await pilot.press("space")
        app.chat.prompt.insert(PARENTAL)
        assert not app.chat.completion.is_open
        await pilot.press("enter")
        await until(pilot, lambda: "grounded" in drawn(app))
        assert base.runs[0].question == PARENTAL
        assert base.runs[0].options.filters == Filters(path_globs=("/hr/faq.md",))
        assert "in hr/faq.md" in drawn(app)
        # Asked again, and in the history, it is still confined.
        await pilot.press("ctrl+r")
        await until(pilot, lambda: len(base.runs) == 2)
        assert base.runs[1].options.filters == base.runs[0].options.filters
        await pilot.press("up")
        assert app.chat.prompt.text == f"@hr/faq.md {PARENTAL}"
    app.settle()


async def test_escape_closes_the_names_and_enter_sends_a_whole_one() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await until(pilot, lambda: app.chat.catalog)
        await pilot.press("@")
        await until(pilot, lambda: app.chat.completion.is_open)
        await pilot.press("escape")
        assert not app.chat.completion.is_open
        app.chat.prompt.fill(f"{PARENTAL} @hr/")
        await until(pilot, lambda: app.chat.completion.is_open)
        await pilot.press("enter")
        await until(pilot, lambda: base.runs)
        assert base.runs[0].options.filters.path_globs == ("/hr/",)
    app.settle()


async def test_an_unknown_name_is_told_and_the_question_stays() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await until(pilot, lambda: app.chat.catalog)
        for typed, word in [("@hr/none.md Why?", "no @hr/none.md"), ("@hr/", "Add a question")]:
            app.chat.prompt.fill(typed)
            await pilot.pause()
            await pilot.press("enter")
            await until(pilot, lambda: word in said(app))  # noqa: B023
            assert app.chat.prompt.text == typed
        assert base.runs == []
    app.settle()


async def test_an_earlier_question_is_edited_and_sent_anew() -> None:
    base = handbook()
    base.reply("Can I split it with my aunt?", base.replies[PARTNER])
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, f"{PARTNER} @hr/")
        await ask(pilot, PARENTAL)
        app.chat.transcript.focus()
        await pilot.press("alt+up", "alt+up", "e")
        assert app.chat.prompt.text == f"@hr/ {PARTNER}"
        assert app.focused is app.chat.prompt
        await pilot.press(*["backspace"] * len("partner?"), *"aunt?", "enter")
        await until(pilot, lambda: len(base.runs) == 3)
        assert base.runs[2].question == "Can I split it with my aunt?"
        assert base.runs[2].options.filters.path_globs == ("/hr/",)
        assert len(app.chat.conversation.turns) == 3
    app.settle()


def test_the_store_takes_the_filters_to_the_letter(tmp_path: Path) -> None:
    """A folder, a document and a name full of wildcards, over real LanceDB."""
    names = {STRANGE: "tungsten boils", "회의록/a d* 1.md": "tungsten melts", "b/c.md": "tungsten"}
    for name, text in names.items():
        file = tmp_path / "docs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# T\n\n{text}\n", encoding="utf-8")
    settings = load_configuration(
        data_dir=tmp_path / "data", cwd=tmp_path, overrides={"search.mode": "lexical"}
    )
    with KnowledgeBase.open(settings) as base:
        store_documents(base, tmp_path / "docs")
        options = base.search_options()
        for scope, found in [
            (Scope((STRANGE,)), {STRANGE}),
            (Scope(("회의록/",)), {STRANGE, "회의록/a d* 1.md"}),
            (Scope(("b/c.md",)), {"b/c.md"}),
        ]:
            hits = base.search("tungsten", replace(options, filters=scope.filters())).hits
            assert {hit.doc_path for hit in hits} == found
