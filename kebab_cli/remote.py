"""`kebab ask --remote`: the same shows, fed by another kebab over HTTP."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import typer

from kebab_cli import show
from kebab_cli.answer_text import Wants
from kebab_cli.asking import Look
from kebab_cli.follow import ABSTAINED, ANSWERED, Ended
from kebab_cli.invocation import Invocation
from kebab_cli.output import Output, PipeClosed, WriteFailed
from kebab_core import api

if TYPE_CHECKING:
    from kebab_core.api import Answer, RemoteEvent, RemoteRun

_WAIT_S = 1.5
LOCAL_ONLY = (
    ("k", "-k"),
    ("mode", "--single"),
    ("search_mode", "--mode"),
    ("followups", "--followups"),
)
"""What only the kebab that has the documents can be told, and isn't over HTTP."""


def ask_remote(
    use: Invocation, url: str, question: str, options: api.AskOptions, look: Look
) -> Ended:
    """Ask there, show here. Raises what `follow` raises."""
    _refuse_local(options)
    address = api.remote_address(url, os.environ)
    wanted = api.RemoteOptions(options.model, options.web, options.chance, options.timeout_s)
    shown = _show(use.output, question, look)
    return _follow(api.RemoteRun(address, question, wanted), use, shown)


def _refuse_local(options: api.AskOptions) -> None:
    usual = api.AskOptions()
    for name, flag in LOCAL_ONLY:
        if getattr(options, name) != getattr(usual, name):
            raise typer.BadParameter(f"{flag} and --remote exclude each other.")
    if options.filters != usual.filters:
        raise typer.BadParameter("Filters and --remote exclude each other.")


def _follow(run: RemoteRun, use: Invocation, shown: _RemoteShow) -> Ended:
    """As `follow` does for a run of this process."""
    output = use.output
    unread = output.stdout.closed or output.stderr.closed
    final: Answer | None = None
    with run:
        try:
            with use.watch.guard(run.cancel, closed=unread):
                shown.way.start()
                for event in run:
                    shown.event(event)
                    if event.kind == "final":
                        final = event.answer
                if final is not None:
                    shown.way.final(final)
        except (PipeClosed, WriteFailed):
            run.cancel()
            run.settle(_WAIT_S)
            raise
        except api.TimedOut:
            if run.partial is not None:
                shown.way.partial(run.partial)
            raise
        if final is None:
            partial = run.settle(_WAIT_S)
            if use.watch.cause == "closed":
                raise PipeClosed
            if partial is not None:
                shown.way.partial(partial)
            return Ended(use.watch.exit_code or ABSTAINED)
    return Ended(ABSTAINED if final.not_found else ANSWERED, final)


class _RemoteShow:
    """Tells a show what came over the wire."""

    def __init__(self, way: show.Show) -> None:
        self.way = way

    def event(self, event: RemoteEvent) -> None:
        return


class _Lines(_RemoteShow):
    """Each line as the other kebab wrote it."""

    def __init__(self, output: Output, question: str, *, all_events: bool) -> None:
        super().__init__(show.EventLines(output, question, all_events=all_events))
        self._output = output
        self._all_events = all_events

    def event(self, event: RemoteEvent) -> None:
        if event.schema_version == "answer_event.v1" or self._all_events:
            self._output.event(event.to_line())


class _Text(_RemoteShow):
    """Prose, and what is below it."""

    def __init__(self, text: _Whole | _Live) -> None:
        super().__init__(text)
        self._text = text

    def event(self, event: RemoteEvent) -> None:
        text = self._text
        match event.kind:
            case "retrieval_done":
                text.event(api.RetrievalDone(()))
                text.keep(event.hits)
            case "token":
                text.event(api.Token(event.delta, event.turn_index))
            case "started":
                text.event(api.ToolStarted(event.call_id, event.source, event.query))
            case "finished":
                text.keep(event.hits or [])
                text.event(api.ToolFinished(event.call_id, event.source, event.query))


class _Whole(show.WholeText):
    def keep(self, hits: list[api.SearchHit]) -> None:
        self._hits += hits


class _Live(show.LiveText):
    def keep(self, hits: list[api.SearchHit]) -> None:
        self._hits += hits
        count = len(hits)
        self._output.fleeting(f"⋯ reading {count} passage{'' if count == 1 else 's'}")


def _show(output: Output, question: str, look: Look) -> _RemoteShow:
    if look.how == "events":
        return _Lines(output, question, all_events=look.all_events)
    if look.how == "json":
        return _RemoteShow(show.OneJson(output))
    width = output.width if output.stdout.is_terminal else None
    wants = Wants(context=look.context, explain=look.explain, menu=False, width=width)
    if look.how == "whole":
        return _Text(_Whole(output, question, wants))
    return _Text(_Live(output, question, wants, model_note=lambda: None))
