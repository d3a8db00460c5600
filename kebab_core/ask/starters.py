"""First questions for an empty chat, from what the newest documents are called."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kebab_core.ask.connecting import close
from kebab_core.ask.json_in_prose import questions, values
from kebab_core.ask.kept_starters import read, write
from kebab_core.ask.prompts import text
from kebab_core.ask.prompts.messages import one_line
from kebab_core.ask.short_call import short_call
from kebab_core.ask.workers import AbandonableExecutor
from kebab_core.errors import KebabError
from kebab_core.llm.base import ChatModel, Message
from kebab_core.settings.model import ModelSection
from kebab_core.store import Store
from kebab_core.types import Document, ModelCall, ModelChoice, heading_label

ROLE = "starters"
LEAST, MOST = 3, 5
DOCUMENTS = 12
"""How many documents, the last changed ones, are proposed from."""
HEADINGS = 8
"""Of each of them."""
PATIENCE_S = 20.0
_TITLE = 80


@dataclass(frozen=True, slots=True)
class StarterDeps:
    """`choose` says which model proposes, `connect` makes it, `record` writes the ledger.

    Only documents of these `sources` are proposed from, None: of all. Without a `file` they are
    kept in memory alone.
    """

    store: Store
    file: Path | None
    row: ModelSection
    choose: Callable[[], ModelChoice]
    connect: Callable[[], ChatModel]
    record: Callable[[Sequence[ModelCall]], None]
    sources: tuple[str, ...] | None = None


class Starters:
    """Made once for a state of the corpus and a model, then kept in memory and in a file.

    What had to do without its model is kept in memory alone: the next opening tries again.
    """

    def __init__(self, deps: StarterDeps) -> None:
        self._deps = deps
        self._lock = threading.Lock()
        self._known: tuple[str, list[str]] | None = None

    def get(self) -> list[str]:
        """Three to five questions; fewer from fewer than three documents, none from none.

        May call a model and take seconds; never from a thread that runs an event loop.
        """
        with self._lock:
            store = self._deps.store
            meta = store.meta if store.exists() else None
            if meta is None:
                return []
            choice = self._deps.choose()
            key = f"{meta.created_at.isoformat()} {store.revision} {choice.ref}"
            if self._known is None or self._known[0] != key:
                self._known = key, self._kept_or_made(key, choice)
            return list(self._known[1])

    def _kept_or_made(self, key: str, choice: ModelChoice) -> list[str]:
        file = self._deps.file
        kept = None if file is None else read(file, key)
        if kept is not None:
            return kept
        newest = self._newest()
        if not newest:
            return []
        proposed: Sequence[str] = ()
        if choice.provider != "quote":
            try:
                proposed = self._proposed(newest)
            except KebabError:
                return topped_up((), newest)
        made = topped_up(proposed, newest)
        if file is not None:
            write(file, key, made)
        return made

    def _newest(self) -> list[Document]:
        sources = self._deps.sources
        if sources is not None and not sources:
            return []
        every = self._deps.store.documents(source_ids=sources or ())
        found = [one for one in every if one.chunk_count]
        found.sort(key=lambda one: (-one.mtime_ns, one.source_id, one.doc_path))
        return found[:DOCUMENTS]

    def _proposed(self, newest: Sequence[Document]) -> tuple[str, ...]:
        prompt = self._messages(newest)
        with asyncio.Runner() as runner:
            runner.get_loop().set_default_executor(AbandonableExecutor())
            return parsed(runner.run(self._ask(prompt)))

    def _messages(self, newest: Sequence[Document]) -> tuple[Message, ...]:
        lines = []
        for document in newest:
            lines.append(f"- {one_line(document.title)[:_TITLE]}")
            chunks = self._deps.store.chunks_of(document.doc_id)
            paths = dict.fromkeys(heading_label(chunk.heading_path) for chunk in chunks)
            shown = [one_line(path)[:_TITLE] for path in paths if path][:HEADINGS]
            lines.extend(f"  - {path}" for path in shown)
        return Message("system", text("starters")), Message("user", "\n".join(lines))

    async def _ask(self, prompt: tuple[Message, ...]) -> str:
        model = await asyncio.to_thread(self._deps.connect)
        try:
            return await short_call(
                model, ROLE, self._deps.row, prompt, within_s=PATIENCE_S, count=self._count
            )
        finally:
            await close(model)

    def _count(self, call: ModelCall) -> None:
        try:
            self._deps.record([call])
        except KebabError:
            # A list of questions has no place for a caveat, and the next ask says the same.
            return


def parsed(written: str) -> tuple[str, ...]:
    """The questions of the first list in it, also one inside an object."""
    for value in values(written):
        lists = value.values() if isinstance(value, dict) else [value]
        for one in lists:
            if found := questions(one, MOST):
                return found
    return ()


def topped_up(proposed: Sequence[str], newest: Sequence[Document]) -> list[str]:
    """`proposed`, and where they are too few, plain questions about the newest documents."""
    found = {question.casefold(): question for question in proposed[:MOST]}
    for document in newest:
        if len(found) >= LEAST:
            break
        question = f'What does "{one_line(document.title)[:_TITLE].strip()}" say?'
        found.setdefault(question.casefold(), question)
    return list(found.values())
