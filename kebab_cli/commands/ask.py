"""`kebab ask`: one question, answered from the documents, as text, JSON or a stream of events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import typer

from kebab_cli import filters as narrow
from kebab_cli.command import command, new_app
from kebab_cli.invocation import Invocation
from kebab_cli.question import question_text

NEW_SESSION = "new"
_EXCLUDE_EACH_OTHER = (
    ("--stream", "--no-stream"),
    ("--session", "--continue"),
    ("--web", "--single"),
    ("--web", "--chance"),
    ("--remote", "--session"),
    ("--remote", "--continue"),
    ("--remote", "--pin"),
    ("--remote", "--leave-out"),
)

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
    web: Annotated[
        bool, typer.Option("--web", help="Let the model search the web too, and read pages.")
    ] = False,
    no_web: Annotated[
        bool, typer.Option("--no-web", help="Never the web, whatever else says so.")
    ] = False,
    chance: Annotated[
        bool,
        typer.Option("--chance", help="Answer from general knowledge if need be, marked as such."),
    ] = False,
    followups: Annotated[
        bool | None,
        typer.Option("--followups/--no-followups", help="Propose what to ask next."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", metavar="PROVIDER:MODEL", help="Who answers, this once."),
    ] = None,
    remote: Annotated[
        str | None,
        typer.Option(
            "--remote",
            metavar="URL",
            help="Ask the `kebab serve` there; its token is read from KEBAB_TOKEN.",
        ),
    ] = None,
    timeout: Annotated[
        float | None, typer.Option("--timeout", metavar="SECONDS", help="Stop after so long.")
    ] = None,
    pin: Annotated[
        list[str] | None,
        typer.Option(
            "--pin",
            metavar="CHUNK",
            help="Give the model this passage: a chunk_id of `kebab search --json`.",
        ),
    ] = None,
    leave_out: Annotated[
        list[str] | None,
        typer.Option("--leave-out", metavar="CHUNK", help="Don't give the model this passage."),
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
    since: narrow.Since = None,
    until: narrow.Until = None,
) -> int:
    """Answer a question from your documents, with the lines each claim rests on.

    Exits 1 when the documents don't hold the answer.
    """
    from kebab_cli.asking import Look, ask_and_show
    from kebab_cli.not_found import ask_on
    from kebab_cli.reading import can_ask
    from kebab_core import api

    output = use.output
    output.machine = json or stream
    web = web and not no_web
    _refuse_contradictions(
        {
            "--stream": stream,
            "--no-stream": no_stream,
            "--session": session is not None,
            "--continue": go_on,
            "--web": web,
            "--single": single,
            "--chance": chance,
            "--remote": remote is not None,
            "--pin": bool(pin),
            "--leave-out": bool(leave_out),
        }
    )
    if timeout is not None and not timeout > 0:
        raise api.InvalidInput(
            f"--timeout {timeout:g} is no time at all.", "Give seconds, such as `--timeout 30`."
        )
    if output.machine:
        output.keep_stderr_clean()
    text = question_text(question)
    if remote is not None:
        from kebab_cli.remote import ask_remote

        elsewhere = api.AskOptions(
            k=k,
            mode="single" if single else None,
            search_mode=mode,
            filters=narrow.filters(source, path, doc, media, lang, tag, since, until),
            web=False if no_web else True if web else None,
            chance=chance,
            followups=followups,
            model=model,
            timeout_s=timeout,
        )
        live = output.stdout.is_terminal and not no_stream
        look = Look(
            "events" if stream else "json" if json else "live" if live else "whole",
            all_events=events == "all",
            context=show_context,
            explain=explain,
        )
        return ask_remote(use, remote, text, elsewhere, look).code
    base = use.knowledge_base
    if model is not None or web:
        # A name that can't be, or a model that can't do it, is said before anything is searched.
        choice = base.model_choice("ask", model)
        if web and choice.provider == "quote":
            raise api.ModelRequired(
                "The web is searched by a chat model: `quote` reads your documents alone.",
                "Name one, such as `--model ollama:qwen3`, or ask without `--web`.",
            )
    last = base.sessions.last() if go_on else None
    options = api.AskOptions(
        k=k,
        mode="single" if single else None,
        search_mode=mode,
        filters=narrow.filters(source, path, doc, media, lang, tag, since, until),
        session_id=last if session in (None, NEW_SESSION) else session,
        new_session=session == NEW_SESSION or (go_on and last is None),
        save=not no_save,
        web=False if no_web else True if web else None,
        chance=chance,
        followups=followups,
        model=model,
        timeout_s=timeout,
        pinned=tuple(pin or ()),
        excluded=tuple(leave_out or ()),
    )
    live = output.stdout.is_terminal and not no_stream and base.configuration.settings.ask.stream
    look = Look(
        "events" if stream else "json" if json else "live" if live else "whole",
        all_events=events == "all",
        context=show_context,
        explain=explain,
        menu=not (output.machine or output.quiet or no_stream) and can_ask(output),
    )
    ended = ask_and_show(use, text, options, look)
    if look.menu and ended.answer is not None and ended.answer.not_found:
        return ask_on(use, text, options, look, ended.answer)
    return ended.code


def _refuse_contradictions(given: Mapping[str, bool]) -> None:
    for one, other in _EXCLUDE_EACH_OTHER:
        if given[one] and given[other]:
            raise typer.BadParameter(f"{one} and {other} exclude each other.")
