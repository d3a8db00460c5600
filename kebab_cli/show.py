"""The ways an ask is shown: as events, as one JSON object, as live prose, as text at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from kebab_cli.activity import activity
from kebab_cli.answer_text import Wants, caveat_lines, lines_below, prose_lines
from kebab_cli.flow import Flow
from kebab_cli.output import Output, dim
from kebab_core import api

if TYPE_CHECKING:
    from kebab_core.api import Answer, SearchHit, StreamEvent


class Show(Protocol):
    """One ask on its way to a reader. Methods raise PipeClosed or WriteFailed."""

    def start(self) -> None: ...

    def event(self, event: StreamEvent) -> None: ...

    def final(self, answer: Answer) -> None: ...

    def partial(self, answer: Answer) -> None:
        """The run was stopped; `answer` is as far as it came."""


class OneJson:
    """`--json`: one `answer.v1` on stdout, nothing else."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def start(self) -> None:
        return

    def event(self, event: StreamEvent) -> None:
        return

    def final(self, answer: Answer) -> None:
        self._output.result(answer.to_line())

    partial = final


class EventLines(OneJson):
    """`--stream`: each event a line on stderr as it happens, then the answer on stdout."""

    def __init__(self, output: Output, question: str, *, all_events: bool) -> None:
        super().__init__(output)
        self._question = question
        self._all_events = all_events

    def event(self, event: StreamEvent) -> None:
        if isinstance(event, api.ToolStarted | api.ToolFinished):
            if self._all_events:
                self._output.event(api.search_event(event).to_line())
            return
        line = api.answer_event(event, query=self._question)
        self._output.event(line.root.to_line())


class WholeText:
    """Text for a pipe, or with `--no-stream`: everything at once, when it is there."""

    def __init__(self, output: Output, question: str, wants: Wants) -> None:
        self._output = output
        self._question = question
        self._wants = wants
        self._hits: list[SearchHit] = []

    def start(self) -> None:
        return

    def event(self, event: StreamEvent) -> None:
        if isinstance(event, api.RetrievalDone):
            self._hits += [api.search_hit(hit, self._question) for hit in event.hits]
        elif isinstance(event, api.ToolFinished):
            self._hits += [api.search_hit(hit, event.query) for hit in event.hits]

    def final(self, answer: Answer) -> None:
        self._above(answer.caveats)
        for line in prose_lines(answer, self._wants.width):
            self._output.line(line)
        self._below(answer)

    def partial(self, answer: Answer) -> None:
        if answer.answer:
            self.final(answer)
            self._output.line(dim("(stopped: this is as far as it came)"))

    def _above(self, caveats: Sequence[str]) -> None:
        for line in caveat_lines(caveats, self._wants.width):
            self._output.line(*line)

    def _below(self, answer: Answer) -> None:
        for line in lines_below(answer, self._hits, self._wants):
            self._output.line(*line)


class LiveText(WholeText):
    """Prose on a terminal as it arrives; what happens meanwhile is noted on stderr.

    `model_note` says which model answers, or None where that goes without saying. `caveat` is
    one that holds whatever comes: it stands above the prose.
    """

    def __init__(
        self,
        output: Output,
        question: str,
        wants: Wants,
        *,
        model_note: Callable[[], str | None],
        caveat: str | None = None,
    ) -> None:
        super().__init__(output, question, wants)
        self._model_note = model_note
        self._caveat = caveat
        self._flow = Flow(output.width) if output.rewrites else None
        self._prose = False

    def start(self) -> None:
        self._output.fleeting("⋯ searching your documents" if not self._caveat else "⋯ asking")

    def event(self, event: StreamEvent) -> None:
        super().event(event)
        if isinstance(event, api.RetrievalDone):
            if note := self._model_note():
                self._output.note(dim(note))
            if self._caveat:
                self._output.fleeting("⋯ waiting for the model")
            else:
                self._output.fleeting(f"⋯ reading {_count(len(event.hits), 'passage')}")
        elif isinstance(event, api.ToolStarted):
            self._output.note(dim(activity(event, self._output.width)))
        elif isinstance(event, api.ToolFinished):
            self._output.fleeting("⋯ waiting for the model")
        elif isinstance(event, api.Token):
            if not self._prose and self._caveat:
                self._above([self._caveat])
            self._prose = True
            shown = api.for_display(event.delta)
            self._output.prose(shown if self._flow is None else self._flow.feed(shown), safe=True)

    def final(self, answer: Answer) -> None:
        if not self._prose:
            super().final(answer)
            return
        # The prose stands already: what changes how it reads comes right after it.
        self._output.end_line()
        self._above([caveat for caveat in answer.caveats if caveat != self._caveat])
        self._below(answer)

    def partial(self, answer: Answer) -> None:
        self._output.note(dim("Stopped."))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
