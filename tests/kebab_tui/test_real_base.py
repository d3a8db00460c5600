"""The chat over the real core: LanceDB, SQLite, and `quote` or a scripted model server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kebab_core.api import Configuration, KnowledgeBase, load_configuration
from kebab_tui.app import KebabApp
from kebab_tui.clock import SystemClock
from kebab_tui.preview import Preview
from kebab_tui.program import build
from kebab_tui.source_item import SourceItem
from kebab_tui.turn import Phase
from tests.kebab_tui.look import drawn, status
from tests.kebab_tui.stage import HANDBOOK, PARENTAL, WORDS, ask, opened, store_documents, until


@pytest.fixture
def configured(tmp_path: Path) -> Callable[..., Configuration]:
    """Settings of a workspace whose documents are the handbook's text files."""
    documents = tmp_path / "docs"
    for path, text in HANDBOOK.items():
        if not path.endswith(".pdf"):
            file = documents / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")

    def load(**overrides: Any) -> Configuration:
        return load_configuration(
            data_dir=tmp_path / "data",
            cwd=tmp_path,
            overrides={
                "models.ask.model": "quote",
                "search.mode": "lexical",
                "tui.reduced_motion": True,
                **overrides,
            },
        )

    with KnowledgeBase.open(load()) as base:
        store_documents(base, documents)
    return load


async def test_an_answer_of_quotes_opens_the_lines_it_cites(
    configured: Callable[..., Configuration],
) -> None:
    app = build(configured())
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.chat.report and app.chat.choice, within=30)
        assert "4 docs" in drawn(app)
        assert "quote" in drawn(app)
        await ask(pilot, WORDS, wait=False)
        await until(pilot, lambda: app.chat.conversation.last, within=10)
        await until(pilot, lambda: app.chat.conversation.running is None, within=30)
        turn = app.chat.conversation.turns[0]
        assert turn.phase is Phase.ANSWERED, drawn(app)
        assert turn.answer is not None
        assert turn.text == turn.answer.answer
        assert "twenty-six weeks" in turn.text
        assert turn.cited
        assert len(app.chat.pane.query(SourceItem)) == len(turn.hits) > 0
        app.chat.transcript.focus()
        await pilot.press(str(min(turn.cited)))
        await until(pilot, lambda: isinstance(app.screen, Preview) and app.screen.passage)
        preview = app.screen
        assert isinstance(preview, Preview)
        passage = preview.passage
        assert passage is not None
        hit = preview.hit
        text = HANDBOOK[hit.doc_path].split("\n")
        marked = text[passage.marked_from - 1 : passage.marked_to]
        assert (passage.marked_from, passage.marked_to) == (hit.citation.start, hit.citation.end)
        assert hit.snippet_full_text.strip().split("\n")[0] in "\n".join(marked)
        await pilot.press("escape")
        # A follow-up that leans on the question before stays in the session.
        await ask(pilot, "And how much notice do they give?", wait=False)
        await until(pilot, lambda: len(app.chat.conversation.turns) == 2)
        await until(pilot, lambda: app.chat.conversation.running is None, within=30)
    app.settle()
    again = build(configured(), continue_last=True)
    async with again.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: len(again.chat.conversation.turns) == 2, within=30)
        await until(pilot, lambda: "twenty-six weeks" in drawn(again))
    again.settle()


async def test_a_question_the_documents_cant_answer(
    configured: Callable[..., Configuration],
) -> None:
    app = build(configured())
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.chat.report, within=30)
        await ask(pilot, "What is the boiling point of tungsten?", wait=False)
        await until(pilot, lambda: app.chat.conversation.last, within=10)
        await until(pilot, lambda: app.chat.conversation.running is None, within=30)
        assert "Not in your documents" in drawn(app)
        assert "○ Not found" in status(app)
    app.settle()


async def test_a_model_server_that_isnt_there(configured: Callable[..., Configuration]) -> None:
    app = build(
        configured(
            **{
                "models.ask.model": "openai-compatible:gone",
                "providers.openai-compatible.base_url": "http://127.0.0.1:9/v1",
            }
        )
    )
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.chat.report, within=30)
        await ask(pilot, WORDS, wait=False)
        await until(pilot, lambda: app.chat.conversation.last, within=10)
        await until(pilot, lambda: app.chat.conversation.running is None, within=30)
        assert "model_unreachable" in drawn(app)
        assert app.chat.prompt.text == WORDS
        await pilot.press("ctrl+o")
        await until(pilot, lambda: len(app.chat.conversation.turns) == 2)
        await until(pilot, lambda: app.chat.conversation.running is None, within=30)
        assert app.chat.conversation.turns[1].phase is Phase.ANSWERED
    app.settle()


async def test_without_a_corpus_the_block_says_how_to_begin(tmp_path: Path) -> None:
    configuration = load_configuration(
        data_dir=tmp_path / "none", cwd=tmp_path, overrides={"models.ask.model": "quote"}
    )
    app = KebabApp(
        lambda: KnowledgeBase.open(configuration), clock=SystemClock(), reduced_motion=True
    )
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        assert "No documents yet" in drawn(app)
        await ask(pilot, PARENTAL)
        assert "not_indexed" in drawn(app)
        assert "Add a source" in drawn(app)
    app.settle()
