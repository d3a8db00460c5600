"""`kebab sessions`: conversations that were kept."""

from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from kebab_cli.command import command, new_group
from kebab_cli.invocation import Invocation
from kebab_cli.output import warn

if TYPE_CHECKING:
    from kebab_core.api import Session, Turn

NOTHING_FOUND = 1
_RATINGS: dict[str, int | None] = {"up": 1, "down": -1, "none": None}

app = new_group("Conversations that were kept.")

SessionId = Annotated[str, typer.Argument(metavar="ID", help="As `kebab sessions list` shows it.")]
Limit = Annotated[
    int, typer.Option("--limit", "-n", metavar="N", min=1, help="How many at the most.")
]
AsLines = Annotated[bool, typer.Option("--json", help="One session.v1 a line, without turns.")]
AsOne = Annotated[bool, typer.Option("--json", help="Print its session.v1, without turns.")]


@command(app, "list")
def list_sessions(
    use: Invocation,
    limit: Limit = 50,
    one_offs: Annotated[
        bool, typer.Option("--one-offs", help="Single questions of `kebab ask` too.")
    ] = False,
    json: AsLines = False,
) -> int:
    """List sessions, the last used first."""
    found = use.knowledge_base.sessions.list(limit, one_offs=one_offs)
    nothing = "No session yet. The chat makes them, and `kebab ask --continue`."
    _print(use, found, nothing, json=json)
    return 0


@command(app, "search")
def search_sessions(
    use: Invocation,
    words: Annotated[
        list[str], typer.Argument(metavar="WORDS", help="All of them must occur, case ignored.")
    ],
    limit: Limit = 50,
    json: AsLines = False,
) -> int:
    """Find sessions by their titles and all that was said in them.

    Exits 1 when there is none.
    """
    text = " ".join(words)
    found = use.knowledge_base.sessions.search(text, limit)
    _print(use, found, f"No session holds all of: {text}", json=json)
    return 0 if found else NOTHING_FOUND


@command(app, "show")
def show_session(
    use: Invocation,
    session_id: SessionId,
    json: Annotated[bool, typer.Option("--json", help="Print one session.v1.")] = False,
) -> int:
    """Show a session: its questions, answers and sources."""
    use.output.machine = json
    session = use.knowledge_base.sessions.get(session_id)
    if json:
        use.output.result(session.to_line())
    else:
        from kebab_cli.session_text import print_session

        print_session(use.output, session)
    return 0


@command(app, "export")
def export_session(
    use: Invocation,
    session_id: SessionId,
    kind: Annotated[
        Literal["markdown", "json"],
        typer.Option("--format", "-f", metavar="markdown|json", help="Text, or a session.v1."),
    ] = "markdown",
    turn: Annotated[
        int | None, typer.Option("--turn", metavar="N", min=0, help="Only this turn; 0 is first.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write this file, not stdout."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> int:
    """Write a session down, with its sources as they were when they were cited.

    A source that has changed since, or is no longer in the corpus, is marked.
    """
    from kebab_cli.files import write_file
    from kebab_core import api

    session = use.knowledge_base.sessions.get(session_id)
    if turn is not None:
        session = session.model_copy(update={"turns": [_turn(session, turn)]})
    try:
        session = use.knowledge_base.with_changes(session)
    except api.KebabError as failure:
        # What was said is worth keeping, whatever has become of the corpus.
        use.output.note(warn("kebab: "), f"Sources weren't compared: {failure.message}")
    if kind == "json":
        text = session.to_line() + "\n"
    elif turn is None:
        text = api.session_as_markdown(session)
    else:
        text = "\n".join(
            api.exchange_as_markdown(api.exchange_of(one)) for one in session.turns or ()
        )
    if output is None:
        use.output.stdout.write(text if kind == "json" else api.for_display(text))
    else:
        write_file(output.expanduser(), text, replace=force)
        use.output.note(f"Wrote {output}.")
    return 0


@command(app, "rename")
def rename_session(
    use: Invocation,
    session_id: SessionId,
    title: Annotated[list[str], typer.Argument(metavar="TITLE", help="Its new name.")],
    json: AsOne = False,
) -> int:
    """Give a session another name."""
    use.output.machine = json
    sessions = use.knowledge_base.sessions
    sessions.rename(session_id, " ".join(title))
    _changed(use, session_id, f"Session {session_id} is called", json=json)
    return 0


@command(app, "rate")
def rate_turn(
    use: Invocation,
    session_id: SessionId,
    turn: Annotated[
        str,
        typer.Argument(metavar="TURN", help="Its number, as `sessions show` has it; or `last`."),
    ],
    rating: Annotated[
        Literal["up", "down", "none"],
        typer.Argument(metavar="up|down|none", help="Good, bad, or no mark any more."),
    ],
    json: AsOne = False,
) -> int:
    """Mark an answer as good or bad; the mark is kept with it."""
    use.output.machine = json
    sessions = use.knowledge_base.sessions
    index = _turn(sessions.get(session_id), turn).turn_index
    sessions.rate(session_id, index, _RATINGS[rating])
    words = {"up": "is marked as good", "down": "is marked as bad", "none": "has no mark"}
    _changed(use, session_id, f"Turn {index} {words[rating]} in", json=json)
    return 0


@command(app, "delete")
def delete_session(
    use: Invocation,
    session_ids: Annotated[
        list[str], typer.Argument(metavar="ID", help="As `kebab sessions list` shows them.")
    ],
    json: Annotated[bool, typer.Option("--json", help="Print the deleted ids.")] = False,
) -> int:
    """Delete sessions with all that was said in them."""
    output = use.output
    output.machine = json
    sessions = use.knowledge_base.sessions
    for session_id in session_ids:
        # All or none: a mistyped id deletes nothing.
        sessions.get(session_id)
    for session_id in dict.fromkeys(session_ids):
        sessions.delete(session_id)
        if not json:
            output.note(f"Deleted session {session_id}.")
    if json:
        output.result(json_text.dumps({"deleted": session_ids}))
    return 0


def _print(use: Invocation, found: list[Session], nothing: str, *, json: bool) -> None:
    use.output.machine = json
    if json:
        for session in found:
            use.output.result(session.to_line())
    elif found:
        from kebab_cli.session_text import print_sessions

        print_sessions(use.output, found)
    else:
        use.output.note(nothing)


def _changed(use: Invocation, session_id: str, said: str, *, json: bool) -> None:
    session = use.knowledge_base.sessions.get(session_id).model_copy(update={"turns": None})
    if json:
        use.output.result(session.to_line())
    else:
        use.output.note(f"{said} “{session.title}”.")


def _turn(session: Session, wanted: int | str) -> Turn:
    """The turn of that index, or the last. Raises NotFound."""
    from kebab_core import api

    turns = session.turns or []
    if wanted == "last" and turns:
        return turns[-1]
    for turn in turns:
        if str(turn.turn_index) == str(wanted):
            return turn
    there = f"it has {turns[0].turn_index} to {turns[-1].turn_index}" if turns else "it has none"
    raise api.NotFound(
        f"There is no turn {wanted} in session {session.session_id}: {there}.",
        f"See them with `kebab sessions show {session.session_id}`.",
    )
