"""What a run needs, made of passages and a scripted model: no store, no embedder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kebab_core import llm
from kebab_core.ask.run import AskDeps
from kebab_core.llm import roles
from kebab_core.llm.base import ChatModel
from kebab_core.sessions import MemorySessions, SessionStore
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.load import load
from kebab_core.testing import ScriptedModel
from kebab_core.text.identity import chunk_id, doc_id
from kebab_core.types import Chunk, Hit, SearchOptions, SearchResult

WHEN = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)


def hit(
    text: str,
    *,
    path: str = "hr/leave.md",
    title: str = "Leave",
    headings: tuple[str, ...] = ("Leave", "Notice"),
    line: int = 12,
    rank: int = 1,
    relevance: float | None = 0.8,
    **fields: Any,
) -> Hit:
    """A passage as a search gives it."""
    document = doc_id("notes", path)
    chunk = Chunk(
        chunk_id=chunk_id(document, text, 0),
        doc_id=document,
        source_id="notes",
        doc_path=path,
        ordinal=0,
        text=text,
        start=0,
        end=len(text),
        line_start=line,
        line_end=line + text.count("\n"),
        media="markdown",
        heading_path=headings,
        lang="en",
    )
    return Hit(
        chunk=chunk,
        rank=rank,
        score=1 / (60 + rank),
        score_kind="rrf",
        title=title,
        indexed_at=WHEN,
        stale=False,
        chunker_version="test",
        index_version=1,
        relevance=relevance,
        **fields,
    )


LEAVE = (
    hit("Parental leave is 26 weeks at full pay. Notice is eight weeks, in writing.", rank=1),
    hit("Annual leave is 30 days. Unused days lapse in March.", line=30, rank=2, relevance=0.6),
    hit(
        "Contractors have no paid leave.",
        path="hr/contractors.md",
        title="Contractors",
        headings=("Contractors",),
        rank=3,
        relevance=0.4,
    ),
)


@dataclass
class Corpus:
    """Finds the same passages whatever is asked, and remembers what was."""

    hits: Sequence[Hit] = LEAVE
    limited: bool = False
    warnings: tuple[str, ...] = ()
    before: Callable[[], None] = lambda: None
    queries: list[str] = field(default_factory=list)
    options: list[SearchOptions] = field(default_factory=list)

    def search(self, query: str, options: SearchOptions) -> SearchResult:
        self.queries.append(query)
        self.options.append(options)
        self.before()
        return SearchResult(
            hits=tuple(self.hits[: options.k]),
            mode=options.mode,
            limited=self.limited,
            warnings=self.warnings,
        )

    def counts(self) -> tuple[int, int]:
        return len({one.chunk.doc_id for one in self.hits}), len(self.hits)


def configured(
    directory: Path,
    model: ScriptedModel | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Configuration:
    """Settings of a person who uses `model`; without one, `quote` answers."""
    settings: dict[str, Any] = {"models.ask.model": "quote", "ask.score_gate": 0.3}
    if model is not None:
        settings["models.ask.model"] = f"openai-compatible:{model.model}"
        settings["providers.openai-compatible.base_url"] = model.base_url
    return load(
        data_dir=directory, cwd=directory, env={}, overrides=settings | dict(overrides or {})
    )


def connect(configuration: Configuration) -> Callable[[str, str | None], ChatModel]:
    def make(role: str, override: str | None) -> ChatModel:
        choice = roles.choose(configuration, role, override)
        return llm.create(choice, configuration, role=role)

    return make


def deps(
    configuration: Configuration,
    corpus: Corpus | None = None,
    sessions: SessionStore | None = None,
    **fields: Any,
) -> AskDeps:
    corpus = corpus or Corpus()
    store = sessions if sessions is not None else MemorySessions()
    return replace(
        AskDeps(
            configuration=configuration,
            search=corpus.search,
            sessions=lambda: store,
            model=connect(configuration),
            counts=corpus.counts,
        ),
        **fields,
    )
