"""`kebab sessions`: conversations that were kept."""

from __future__ import annotations

import json as json_text
from typing import TYPE_CHECKING, Annotated

import typer

from kebab_cli.command import command, new_group
from kebab_cli.invocation import Invocation
from kebab_cli.output import Output, bad, dim, mark, strong
from kebab_cli.passages import one_line

if TYPE_CHECKING:
    from kebab_core.api import Session, Turn

app = new_group("Conversations that were kept.")

SessionId = Annotated[str, typer.Argument(metavar="ID", help="As `kebab sessions list` shows it.")]


@command(app, "list")
def list_sessions(
    use: Invocation,
    limit: Annotated[
        int, typer.Option("--limit", "-n", metavar="N", min=1, help="How many at the most.")
    ] = 50,
    one_offs: Annotated[
        bool, typer.Option("--one-offs", help="Single questions of `kebab ask` too.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="One session.v1 a line, without turns.")
    ] = False,
) -> int:
    """List sessions, the last used first."""
    from kebab_cli.table import moment, print_table

    output = use.output
    output.machine = json
    found = use.knowledge_base.sessions.list(limit, one_offs=one_offs)
    if json:
        for session in found:
            output.result(session.to_line())
        return 0
    if not found:
        output.note("No session yet. The chat makes them, and `kebab ask --continue`.")
        return 0
    rows = [
        (item.session_id, moment(item.updated_at), item.turn_count, item.origin, item.title)
        for item in found
    ]
    print_table(output, ("id", "last used", "turns", "from", "title"), rows)
    return 0


@command(app, "show")
def show_session(
    use: Invocation,
    session_id: SessionId,
    json: Annotated[bool, typer.Option("--json", help="Print one session.v1.")] = False,
) -> int:
    """Show a session: its questions, answers and sources."""
    output = use.output
    output.machine = json
    session = use.knowledge_base.sessions.get(session_id)
    if json:
        output.result(session.to_line())
    else:
        _print_session(output, session)
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
    for session_id in session_ids:
        sessions.delete(session_id)
        if not json:
            output.note(f"Deleted session {session_id}.")
    if json:
        output.result(json_text.dumps({"deleted": session_ids}))
    return 0


def _print_session(output: Output, session: Session) -> None:
    from kebab_cli.table import moment

    output.line(strong(one_line(session.title)))
    output.line(dim(f"{session.session_id} · {moment(session.created_at)} · {session.origin}"))
    for turn in session.turns or ():
        output.line()
        _print_turn(output, turn)


def _print_turn(output: Output, turn: Turn) -> None:
    output.line(strong("> "), turn.question)
    if turn.answer is not None:
        output.line(turn.answer.answer)
        for source in turn.answer.sources:
            output.line(f"[{source.n}] ", mark(one_line(source.source)))
    if turn.error is not None:
        output.line(bad(f"{turn.error.code}: "), turn.error.message)
    if turn.state not in ("answered", "abstained"):
        output.line(dim(f"({turn.state})"))
