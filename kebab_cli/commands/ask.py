"""`kebab ask`: one question, answered from the documents, as text, JSON or a stream of events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from kebab_cli import filters as narrow
from kebab_cli.command import command, new_app
from kebab_cli.invocation import Invocation
from kebab_cli.question import question_text

if TYPE_CHECKING:
    from kebab_cli.show import Show
    from kebab_core.api import AskOptions

NEW_SESSION = "new"

app = new_app()


@command(app)
def ask(
    use: Invocation,
    question: Annotated[
        list[str], typer.Argument(metavar="QUESTION", help="The question; `-` reads stdin.")
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one answer.v1.")] = False,
    stream: Annotated[
        bool,
        typer.Option("--stream", help="Events on stderr as they happen, answer.v1 on stdout."),
    ] = False,
    no_stream: Annotated[
        bool, typer.Option("--no-stream", help="Print the answer when it is whole.")
    ] = False,
    events: Annotated[
        Literal["answer", "all"],
        typer.Option(
            "--events",
            metavar="answer|all",
            help="With --stream: `all` has search_event.v1 lines too.",
        ),
    ] = "answer",
    session: Annotated[
        str | None,
        typer.Option("--session", metavar="ID", help="Go on in this session; `new` starts one."),
    ] = None,
    go_on: Annotated[
        bool, typer.Option("--continue", "-c", help="Go on in your last session.")
    ] = False,
    k: Annotated[
        int | None, typer.Option("-k", "--k", metavar="N", min=1, max=50, help="How many passages.")
    ] = None,
    mode: narrow.Mode = None,
    single: Annotated[
        bool, typer.Option("--single", help="One search, one answer: no searching further.")
    ] = False,
    chance: Annotated[
        bool,
        typer.Option("--chance", help="Answer from general knowledge if need be, marked as such."),
    ] = False,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", metavar="PROVIDER:MODEL", help="Who answers, this once."),
    ] = None,
    timeout: Annotated[
        float | None, typer.Option("--timeout", metavar="SECONDS", help="Stop after so long.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show how passages were found.")
    ] = False,
    show_context: Annotated[
        bool, typer.Option("--show-context", help="Show every passage, cited or not.")
    ] = False,
    no_save: Annotated[
        bool, typer.Option("--no-save", help="Keep neither question nor answer.")
    ] = False,
    source: narrow.Sources = None,
    path: narrow.Paths = None,
    doc: narrow.Docs = None,
    media: narrow.Media = None,
    lang: narrow.Langs = None,
    tag: narrow.Tags = None,
) -> int:
    """Answer a question from your documents, with the lines each claim rests on.

    Exits 1 when the documents don't hold the answer.
    """
    from kebab_cli.follow import follow
    from kebab_core import api

    output = use.output
    output.machine = json or stream
    if stream and no_stream:
        raise typer.BadParameter("--stream and --no-stream exclude each other.")
    if session is not None and go_on:
        raise typer.BadParameter("--session and --continue exclude each other.")
    if timeout is not None and not timeout > 0:
        raise api.InvalidInput(
            f"--timeout {timeout:g} is no time at all.", "Give seconds, such as `--timeout 30`."
        )
    if output.machine:
        output.keep_stderr_clean()
    text = question_text(question)
    if model is not None:
        # A name that can't be is said before anything is searched.
        use.knowledge_base.model_choice("ask", model)
    last = use.knowledge_base.sessions.last() if go_on else None
    options = api.AskOptions(
        k=k,
        mode="single" if single else None,
        search_mode=mode,
        filters=narrow.filters(source, path, doc, media, lang, tag),
        session_id=last if session in (None, NEW_SESSION) else session,
        new_session=session == NEW_SESSION or (go_on and last is None),
        save=not no_save,
        chance=chance,
        model=model,
        timeout_s=timeout,
    )
    live = output.stdout.is_terminal and not no_stream and not chance
    show = _show(
        use,
        text,
        options,
        how="events" if stream else "json" if json else "live" if live else "whole",
        all_events=events == "all",
        context=show_context,
        explain=explain,
    )
    return follow(use.knowledge_base.ask(text, options), use, show)


def _show(
    use: Invocation,
    question: str,
    options: AskOptions,
    *,
    how: Literal["events", "json", "live", "whole"],
    all_events: bool,
    context: bool,
    explain: bool,
) -> Show:
    from kebab_cli import show
    from kebab_cli.answer_text import Wants

    output = use.output
    if how == "events":
        return show.EventLines(output, question, all_events=all_events)
    if how == "json":
        return show.OneJson(output)
    wants = Wants(context=context, explain=explain, width=output.width)
    base = use.knowledge_base
    if how == "live" and base.configuration.settings.ask.stream:
        return show.LiveText(
            output,
            question,
            wants,
            model_note=lambda: base.model_choice("ask", options.model).note,
        )
    return show.WholeText(output, question, wants)
