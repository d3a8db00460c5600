"""Sessions and turns as Markdown, their sources as they were when they were cited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kebab_core.text.clean import for_display
from kebab_core.wire.answer import Answer
from kebab_core.wire.search_hit import SearchHit
from kebab_core.wire.session import Session, Since, Turn

_SINCE: dict[Since | None, str] = {
    "changed": " — **changed since**",
    "gone": " — **no longer in the corpus**",
}


@dataclass(frozen=True, slots=True)
class Exchange:
    """A turn as it is written down. `failed` says why there is no answer; `cited` are the
    passages that the text rests on, each with what became of its source."""

    question: str
    text: str = ""
    caveats: Sequence[str] = ()
    failed: str | None = None
    stopped: bool = False
    cited: Sequence[tuple[SearchHit, Since | None]] = ()


def session_as_markdown(session: Session) -> str:
    """A whole session. Marks at its sources are those of its evidence (`since`)."""
    title = _flat(session.title) or "Untitled"
    turns = [exchange_as_markdown(exchange_of(turn)) for turn in session.turns or []]
    return "\n".join([f"# {title}\n", *turns])


def exchange_of(turn: Turn) -> Exchange:
    """A stored turn. A source is named by its number in the run."""
    answer = turn.answer
    cited = _cited(answer) if answer is not None else set()
    return Exchange(
        turn.question,
        answer.answer if answer is not None else "",
        answer.caveats if answer is not None else (),
        failed=turn.error.message if turn.state == "failed" and turn.error is not None else None,
        stopped=turn.state in ("cancelled", "running"),
        cited=[
            (one.hit.model_copy(update={"n": one.n}), one.since)
            for one in turn.evidence
            if one.n in cited
        ],
    )


def _cited(answer: Answer) -> set[int]:
    """Numbers of the passages it rests on, marked in the prose or not."""
    marked = {int(one.marker.strip("[]")) for one in answer.citations if one.marker is not None}
    return marked | {source.n for source in answer.sources}


def exchange_as_markdown(exchange: Exchange) -> str:
    """The question as a heading, what limits the answer, the answer, the cited passages."""
    return "\n\n".join(_parts(exchange)) + "\n"


def _parts(exchange: Exchange) -> Iterator[str]:
    yield f"## {_flat(exchange.question)}"
    if exchange.failed is not None:
        yield f"*Failed: {_flat(exchange.failed)}*"
    elif exchange.text:
        for caveat in exchange.caveats:
            yield f"*Note: {_flat(caveat)}*"
        yield for_display(exchange.text).strip()
    if exchange.stopped:
        yield "*Stopped here.*"
    yield from (_source(hit, since) for hit, since in exchange.cited)


def _source(hit: SearchHit, since: Since | None) -> str:
    quoted = "\n".join(f"> {line}" for line in hit.snippet_full_text.strip().split("\n"))
    return f"[{hit.n}] {for_display(_place(hit))}{_SINCE.get(since, '')}\n\n{quoted}"


def _place(hit: SearchHit) -> str:
    """`path#L12-L34` as people write the path; a page of the web by its address."""
    cited = hit.citation
    _, mark, fragment = cited.uri.partition("#")
    return cited.uri if hit.kind == "web" else f"{cited.path}{mark}{fragment}"


def _flat(text: str) -> str:
    return " ".join(for_display(text).split())
