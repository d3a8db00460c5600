"""The `Toolbox` of a run: reads calls, keeps the limits, remembers what was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from kebab_core.ask.passages import Passages
from kebab_core.ask.toolbox.arguments import BadArgumentsError, parse
from kebab_core.ask.toolbox.corpus import CorpusTools
from kebab_core.ask.toolbox.giving import Giving, named
from kebab_core.ask.toolbox.limits import MAX_STEPS, Limits
from kebab_core.ask.toolbox.stored import Corpus
from kebab_core.ask.toolbox.tool import RefusedError, Tool
from kebab_core.ask.toolbox.web import WebTools
from kebab_core.ask.tools import Situation, ToolResult
from kebab_core.errors import KebabError, PermissionDenied
from kebab_core.llm.base import ToolCall, ToolSpec
from kebab_core.llm.tokens import estimate_messages
from kebab_core.settings.model import Settings
from kebab_core.text.clean import for_display
from kebab_core.types import AskOptions, Hit, ToolName

OVER = "Research time is over: answer now."
NO_STEPS = f"No more than {MAX_STEPS} tool calls are made for one question: answer now."
_LONGEST_SHOWN = 200


class Box:
    """The corpus tools, and those of the web where it is on."""

    def __init__(
        self,
        question: str,
        options: AskOptions,
        settings: Settings,
        corpus: Corpus,
        situation: Situation,
    ) -> None:
        self._limits = limits = Limits(settings.ask.research_s, situation.room)
        giving = Giving(limits, situation.shown)
        tools = CorpusTools(corpus, options, situation, limits, giving).tools()
        if settings.web.default if options.web is None else options.web:
            tools += WebTools(question, settings.web, limits, giving).tools()
        self._tools = {tool.name: tool for tool in tools}
        # What describes the tools takes its place in the context too.
        limits.reserve(estimate_messages((), self.specs))
        self._query = situation.query
        self._may_go_on = options.may_go_on
        self._done: dict[tuple[str, ...], tuple[Hit, ...]] = {}

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in self._tools.values())

    def describe(self, call: ToolCall) -> tuple[ToolName, str]:
        tool = self._tools.get(call.name)
        shown = call.arguments
        if tool is not None:
            try:
                shown = ", ".join(_read(tool, call).values())
            except BadArgumentsError:
                shown = call.arguments
        else:
            shown = f"{call.name} {call.arguments}"
        shown = " ".join(for_display(shown).split())
        if len(shown) > _LONGEST_SHOWN:
            shown = f"{shown[: _LONGEST_SHOWN - 1]}…"
        return tool.kind if tool is not None else "corpus", shown

    async def use(self, call: ToolCall, passages: Passages) -> ToolResult:
        """See `Toolbox.use`."""
        if self._may_go_on is not None and not self._may_go_on():
            raise PermissionDenied("The asker's permission ran out while the answer was made.")
        if not self._done:
            # The run's own first search counts as one that was made.
            self._done[_key("search_corpus", {"query": self._query})] = passages.hits
        if not self._limits.take_step():
            return ToolResult(NO_STEPS, error=NO_STEPS, ends_research=True)
        result = await self._step(call, passages)
        if self._limits.has_steps or result.ends_research:
            return result
        return replace(result, text=f"{result.text}\n\n{NO_STEPS}", ends_research=True)

    async def _step(self, call: ToolCall, passages: Passages) -> ToolResult:
        seconds = self._limits.seconds_left()
        if not seconds:
            return ToolResult(OVER, error=OVER, ends_research=True)
        tool = self._tools.get(call.name)
        if tool is None:
            return _failed(f"There is no tool {call.name!r}. There are: {', '.join(self._tools)}.")
        try:
            arguments = _read(tool, call)
        except BadArgumentsError as bad:
            return _failed(str(bad))
        key = _key(tool.name, arguments)
        if (before := self._done.get(key)) is not None:
            numbers = named(hit.n for hit in before)
            brought = f"It brought {numbers}." if numbers else "Its result stands above."
            return ToolResult(f"You did that already. {brought} Try something else.", before)
        try:
            async with asyncio.timeout(seconds) as limit:
                result = await tool.use(arguments, passages)
        except RefusedError as refused:
            return _failed(str(refused))
        except KebabError as failure:
            return _failed(failure.message)
        except Exception as bug:  # noqa: BLE001 - a tool that fails must not end the run
            if limit.expired():
                return ToolResult(OVER, error=OVER, ends_research=True)
            # Its text is left out: it may hold a passage or a key.
            return _failed(f"{tool.name} failed ({type(bug).__name__}).")
        self._done[key] = result.hits
        return result


def _read(tool: Tool, call: ToolCall) -> dict[str, str]:
    return parse(call.arguments, tuple(tool.required), tuple(tool.optional))


def _key(name: str, arguments: Mapping[str, str]) -> tuple[str, ...]:
    """What makes two calls the same. An address or a path is one to the letter."""
    values = [
        " ".join(value.split()).casefold() if argument == "query" else f"{argument}={value}"
        for argument, value in sorted(arguments.items())
    ]
    return name, *values


def _failed(why: str) -> ToolResult:
    return ToolResult(why, error=why)
