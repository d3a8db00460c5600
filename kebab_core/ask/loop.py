"""Turns of the model: research with tools as long as it may, then the prose."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from kebab_core.ask.deltas import deltas_of
from kebab_core.ask.events import StreamEvent, ToolFinished, ToolStarted
from kebab_core.ask.metering import Meter
from kebab_core.ask.passages import Passages
from kebab_core.ask.record import Record
from kebab_core.ask.stream.prose import ProseStream
from kebab_core.ask.tools import Toolbox
from kebab_core.errors import ModelEmpty, ModelInterrupted
from kebab_core.llm.base import (
    ChatModel,
    ChatRequest,
    Finish,
    Message,
    TextDelta,
    ToolCall,
)

ELLIPSIS = "…"

Emit = Callable[[StreamEvent], Awaitable[None]]
Say = Callable[[str], Awaitable[None]]


@dataclass(slots=True)
class Turn:
    """One answer of the model: prose, or calls of tools, or both."""

    prose: ProseStream
    calls: list[ToolCall] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    was_cut: bool = False
    tools_rejected: bool = False


class Loop:
    """Asks the model until it has answered, at most `max_rounds` times.

    The last turn offers no tools, so it must answer. A turn that offers tools shows nothing until
    it ends: what a model writes before a call is no answer.
    """

    def __init__(
        self,
        model: ChatModel,
        passages: Passages,
        record: Record,
        *,
        emit: Emit,
        say: Say,
        on_turn: Callable[[ProseStream], None],
        may_abstain: bool = True,
    ) -> None:
        """`say` gets the answer's prose, `on_turn` the stream that each turn is read through."""
        self._model = model
        self._passages = passages
        self._record = record
        self._emit = emit
        self._say = say
        self._on_turn = on_turn
        self._may_abstain = may_abstain
        self._research_is_over = False

    async def answer(
        self,
        request: ChatRequest,
        toolbox: Toolbox | None = None,
        max_rounds: int = 1,
        *,
        must_research: bool = False,
    ) -> Turn:
        """The turn whose prose is the answer. Raises the model's errors, and ModelEmpty.

        With `must_research`, the prose of a model whose server turns out to reject tools is not
        said: the turn is `tools_rejected`.
        """
        for rounds_left in range(max_rounds - 1, -1, -1):
            offered = toolbox if rounds_left and not self._research_is_over else None
            turn = await self._turn(request, offered)
            if offered is None or not turn.calls:
                rejected = offered is not None and not self._model.can_call_tools
                if must_research and rejected and self._record.research != "ran":
                    turn.tools_rejected = True
                    return turn
                await self._end(turn)
                return turn
            request = await self._research(request, turn, offered)
        raise ValueError(f"max_rounds must be 1 at least, not {max_rounds}")

    async def _turn(self, request: ChatRequest, offered: Toolbox | None) -> Turn:
        request = replace(request, tools=offered.specs if offered else ())
        turn = Turn(ProseStream(self._passages.numbers, may_abstain=self._may_abstain))
        self._on_turn(turn.prose)
        finish: Finish | None = None
        meter = Meter(self._record.role, self._model)
        try:
            async with deltas_of(self._model, request) as deltas:
                async for delta in deltas:
                    match delta:
                        case TextDelta(text):
                            await self._pass_on(turn, turn.prose.feed(text), offered)
                        case ToolCall():
                            turn.calls.append(delta)
                        case Finish():
                            finish = delta
        finally:
            # A call that was cancelled or broke off is one whose cost nobody reported.
            self._record.count_call(meter.read(None if finish is None else finish.usage))
        if finish is None:
            raise ModelInterrupted(
                f"{self._name} stopped in the middle of its answer.", "Ask again."
            )
        await self._pass_on(turn, turn.prose.end(), offered)
        turn.was_cut = finish.reason == "length" and not turn.prose.has_tail
        return turn

    async def _pass_on(self, turn: Turn, text: str, offered: Toolbox | None) -> None:
        if not text:
            return
        if offered is None:
            await self._say(text)
        else:
            turn.held.append(text)

    async def _end(self, turn: Turn) -> None:
        for text in turn.held:
            await self._say(text)
        if turn.prose.abstained:
            return
        if not turn.prose.text:
            cut = " before its output limit was used up" if turn.was_cut else ""
            raise ModelEmpty(
                f"{self._name} wrote nothing{cut}.",
                "Ask again, raise [models.ask] max_tokens, or take another model with `--model`.",
            )
        if turn.was_cut:
            await self._say(ELLIPSIS)

    async def _research(self, request: ChatRequest, turn: Turn, toolbox: Toolbox) -> ChatRequest:
        """Do what the model asked for, in order, and put the results under its words."""
        self._record.research = "ran"
        messages: list[Message] = [
            *request.messages,
            Message("assistant", turn.prose.text, tool_calls=tuple(turn.calls)),
        ]
        for call in turn.calls:
            tool, query = toolbox.describe(call)
            await self._emit(ToolStarted(call.id, tool, query))
            begun = time.monotonic()
            result = await toolbox.use(call, self._passages)
            ms = round((time.monotonic() - begun) * 1000)
            await self._emit(ToolFinished(call.id, tool, query, result.hits, ms, result.error))
            messages.append(Message("tool", result.text, tool_call_id=call.id))
            self._record.searches += result.searches
            self._record.limited = self._record.limited or result.limited
            self._research_is_over = self._research_is_over or result.ends_research
        return replace(request, messages=tuple(messages), passages=self._passages.hits)

    @property
    def _name(self) -> str:
        provider, model = self._model.provider, self._model.id
        return provider if model in ("", provider) else f"{provider}:{model}"
