"""Tells a run's events in the words of the ticket's contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kebab_core import api
from kebab_server.contract.events import Phase
from kebab_server.contract.words import repeats
from kebab_server.tickets import withholding
from kebab_server.tickets.naming import heading

BRANCH = "main"
BLOCKED = "Blocked:"
"""How the core's guard begins what it says of a call that it refused."""
_TOOLS = {
    "corpus": ("corpus__search", "query"),
    "open": ("corpus__open", "document"),
    "list": ("corpus__list", "folder"),
    "web": ("web__search", "query"),
    "fetch": ("web__fetch", "url"),
}
_PHASES: dict[str, Phase] = {"open": "querying", "fetch": "querying"}

Tell = Callable[[str, Mapping[str, Any]], None]
Line = Callable[[str, str], None]


class Narrator:
    """Called from the one thread that follows the run.

    `tell` gets an event's type and fields, `line` the lines of `/stream` with their event's name.
    `whole` says that the caller may read the whole corpus.
    """

    def __init__(self, question: str, *, whole: bool, tell: Tell, line: Line) -> None:
        self.hits: dict[int, api.Hit] = {}
        self.tool_calls = 0
        self.blocked: list[str] = []
        self._question = question
        self._whole = whole
        self._tell = tell
        self._line = line
        self._writes = False

    def begin(self) -> None:
        branch = {"branch_id": BRANCH, "state": "opened", "role": "supervisor", "source": None}
        self._tell("branch", branch)
        self._milestone("grounding", None)

    def retrieved(self, event: api.RetrievalDone, *, ms: int, args: Mapping[str, Any]) -> None:
        """The first retrieval is over: a step whose arguments never hold the query."""
        self._keep(event.hits)
        self._step("corpus__search", args, ms, is_error=False)
        if event.hits:
            first = event.hits[0]
            self._milestone("discovering", heading(first) or api.for_display(first.title))
        line = api.answer_event(event, query=self._question)
        self._answer_line(line)

    def event(self, event: api.StreamEvent) -> None:
        match event:
            case api.ToolStarted():
                self._milestone(_PHASES.get(event.tool, "discovering"), None)
                self._search_line(api.search_event(event))
            case api.ToolFinished():
                self._finished(event)
            case api.Token():
                if not self._writes:
                    self._writes = True
                    self._milestone("reconciling", None)
                self._answer_line(api.answer_event(event))
            case api.Final():
                self._answer_line(api.answer_event(event))

    def _finished(self, event: api.ToolFinished) -> None:
        self._keep(event.hits)
        self.tool_calls += 1
        tool, argument = _TOOLS[event.tool]
        shown = None if repeats(event.query, self._question) else event.query
        if event.error is not None and event.error.startswith(BLOCKED):
            self.blocked.append(tool if shown is None else f"{tool} {shown}")
        self._step(tool, {argument: shown}, event.ms, is_error=event.error is not None)
        self._search_line(api.search_event(event))

    def _keep(self, hits: tuple[api.Hit, ...]) -> None:
        self.hits |= {hit.n: hit for hit in hits if hit.n is not None}

    def _step(self, tool: str, args: Mapping[str, Any], ms: int, *, is_error: bool) -> None:
        fields = {"tool": tool, "args": dict(args), "ms": ms, "is_error": is_error}
        self._tell("step", {"branch_id": BRANCH, **fields})

    def _milestone(self, phase: Phase, subject: str | None) -> None:
        if subject is not None and repeats(subject, self._question):
            subject = None
        fields = {"branch_id": BRANCH, "phase": phase, "subject": subject, "source": None}
        self._tell("milestone", fields)

    def _answer_line(self, event: api.AnswerEvent) -> None:
        shown = event if self._whole else withholding.answer_event(event)
        self._line("answer_event", shown.root.to_line())

    def _search_line(self, event: api.SearchEvent) -> None:
        shown = event if self._whole else withholding.search_event(event)
        self._line("search_event", shown.to_line())
