"""A turn that a person judged, made a golden question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kebab_core.errors import InvalidInput, IOFailed, NotFound
from kebab_core.evaluation.golden import Golden, read, to_line
from kebab_core.evaluation.place import Place, parse
from kebab_core.wire.citation import Citation
from kebab_core.wire.session import Session, Turn

_HINT = "Say what is right: `--expect PATH#L1-L9`, or `--not-answerable`."


def golden_of(
    session: Session, turn_index: int, expect: Sequence[str] = (), *, answerable: bool = True
) -> Golden:
    """The question of that turn, with what was cited as what is right.

    A thumb down, or an answer without citations, needs `expect` or `answerable` false. Raises
    NotFound for a turn that isn't there, and InvalidInput where what is right isn't known.
    """
    turns = session.turns or []
    turn = next((one for one in turns if one.turn_index == turn_index), None)
    if turn is None:
        raise NotFound(
            f"Session {session.session_id} has no turn {turn_index}; it has {len(turns)}.",
            f"See them with `kebab sessions show {session.session_id}`.",
        )
    history = tuple(one.question for one in turns if one.turn_index < turn_index)
    if not answerable:
        return Golden(turn.question, answerable=False, history=history)
    if expect:
        return Golden(turn.question, tuple(map(parse, expect)), history=history)
    return _confirmed(turn, history)


def _confirmed(turn: Turn, history: tuple[str, ...]) -> Golden:
    answer = turn.answer
    if turn.rating == -1 or answer is None or turn.state not in ("answered", "abstained"):
        raise InvalidInput("Nothing says what the right answer rests on.", _HINT)
    if answer.not_found:
        if turn.rating != 1:
            raise InvalidInput(
                "That turn found nothing, and no thumb says that this was right.", _HINT
            )
        return Golden(turn.question, answerable=False, history=history)
    places = dict.fromkeys(_place(one.citation) for one in answer.citations)
    if not places:
        raise InvalidInput("That answer cites nothing.", _HINT)
    return Golden(turn.question, tuple(places), reference=answer.answer, history=history)


def _place(citation: Citation) -> Place:
    if citation.kind == "page":
        return Place(citation.path, page=citation.page)
    start, end = citation.start or citation.line_start, citation.end or citation.line_end
    return Place(citation.path, start, end)


def append(path: Path, golden: Golden) -> bool:
    """Write it at the end of a set of JSON lines; False if that question is there already."""
    if path.suffix.lower() in {".yaml", ".yml"}:
        raise InvalidInput(
            f"{path} is YAML, which is written by hand.", "Name a file that ends in .jsonl."
        )
    if path.exists():
        known = {(one.question, one.history) for one in read(path)} if path.stat().st_size else ()
        if (golden.question, golden.history) in known:
            return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_bytes() if path.exists() else b""
        with path.open("ab") as out:
            if before and not before.endswith(b"\n"):
                out.write(b"\n")
            out.write(to_line(golden).encode() + b"\n")
    except OSError as failure:
        raise IOFailed(f"{path} can't be written: {failure}.") from failure
    return True
