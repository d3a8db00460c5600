"""Asking: from a question sent to its answer drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual.timer import Timer

from kebab_tui.asking import Asking
from kebab_tui.choices import Choices
from kebab_tui.desk import Desk
from kebab_tui.messages import (
    Failed,
    Finished,
    Retrieved,
    RunStarted,
    StepFinished,
    StepStarted,
    Stopped,
    Wrote,
)
from kebab_tui.prompt import Prompt
from kebab_tui.prose import Prose
from kebab_tui.scope import EVERYTHING
from kebab_tui.turn import Request, TurnRecord

if TYPE_CHECKING:
    from kebab_core.api import Error

_TICK_S = 0.1


class RunHandlers(Desk):
    """At most one run goes on; further questions wait for it."""

    _draw_timer: Timer | None = None
    _ticker: Timer | None = None

    # --- sending -------------------------------------------------------------------------

    async def on_prompt_sent(self, event: Prompt.Sent) -> None:
        found = self.scoped(event.text)
        if found is None:
            self.prompt.fill(event.text)
            return
        await self.send(Request(found.question, web=self.web, scope=found.scope))

    async def on_choices_chosen(self, event: Choices.Chosen) -> None:
        self.prompt.focus()
        last = self.conversation.last
        scope = last.request.scope if last is not None else EVERYTHING
        await self.send(Request(event.question, web=self.web, scope=scope))

    async def send(self, request: Request) -> None:
        """Ask, or let the question wait until the one that runs has ended."""
        self.prompt.asked.append(request.typed)
        turn = self.conversation.add(request)
        await self.transcript.offer([])
        await self.transcript.add(turn)
        self.advance()

    def advance(self) -> None:
        """Start the next question, if nothing runs and there is one."""
        if self.base is not None and self.is_model_known:
            turn = self.conversation.next(self.now())
            if turn is not None:
                self._start(turn)
        self.sync()

    def _start(self, turn: TurnRecord) -> None:
        if self.base is None:
            return
        prose = self.prose[turn] = Prose()
        self.stopping = False
        session_id = self.conversation.session_id
        asking = Asking(self.base, turn, prose, session_id, self.look.clock, self.post, self.model)
        self.work("ask", asking)
        if self._ticker is None:
            self._ticker = self.set_interval(_TICK_S, self.tick)
        self.redraw(turn)

    def tick(self) -> None:
        """Clocks and spinners of the turn that runs."""
        turn = self.conversation.running
        if turn is None:
            if self._ticker is not None:
                self._ticker.stop()
                self._ticker = None
            return
        if self.pace.idle < _TICK_S:
            return  # Prose is being drawn, and the clocks with it.
        block = self.transcript.block(turn)
        if block is not None and not turn.folded:
            block.tick()
        self.sync_status()

    # --- while it runs -------------------------------------------------------------------

    def on_run_started(self, event: RunStarted) -> None:
        if event.turn is not self.conversation.running:
            # The person has gone on to another session meanwhile.
            event.run.cancel()
            return
        self.run = event.run
        self.conversation.session_id = event.session_id
        if self.stopping:
            event.run.cancel()

    async def on_retrieved(self, event: Retrieved) -> None:
        if not self._is_here(event.turn):
            return
        event.turn.retrieved(event.hits, event.at)
        await self.show_sources(event.turn)
        self.redraw(event.turn)

    def on_step_started(self, event: StepStarted) -> None:
        if self._is_here(event.turn):
            event.turn.tool_started(event.event, event.at)
            self.redraw(event.turn)

    async def on_step_finished(self, event: StepFinished) -> None:
        if self._is_here(event.turn):
            event.turn.tool_finished(event.event, event.hits, event.at)
            await self.show_sources(event.turn)
            self.redraw(event.turn)

    def on_wrote(self, event: Wrote) -> None:
        """Draw at most thirty times a second, however fast the model is."""
        if self._draw_timer is not None:
            return
        turn = event.turn
        wait = max(0.001, self.pace.wait())
        self._draw_timer = self.set_timer(wait, lambda: self._draw_later(turn))

    async def _draw_later(self, turn: TurnRecord) -> None:
        self._draw_timer = None
        await self._draw(turn)

    async def _draw(self, turn: TurnRecord, *, last: bool = False) -> None:
        prose = self.prose.get(turn)
        if prose is None:
            return
        text, pieces = prose.take(last=last)
        self.pace.begin()
        if not text or not self._is_here(turn):
            return
        was_empty = not turn.text
        fresh = turn.wrote(text, pieces)
        block = self.transcript.block(turn)
        if block is not None:
            await block.write(text)
            if was_empty or fresh:
                block.sync()
        if fresh:
            self.light_sources(turn)
        self.sync_status()

    # --- its ends ------------------------------------------------------------------------

    async def on_finished(self, event: Finished) -> None:
        await self._draw(event.turn, last=True)
        event.turn.finished(event.answer, event.at)
        await self._ended(event.turn)

    async def on_stopped(self, event: Stopped) -> None:
        await self._draw(event.turn, last=True)
        event.turn.stopped(event.partial, event.at)
        await self._ended(event.turn)

    async def on_failed(self, event: Failed) -> None:
        await self._draw(event.turn, last=True)
        event.turn.failed(event.error, event.at)
        here = self._is_here(event.turn)
        await self._ended(event.turn)
        if here and not self.prompt.text and not self.conversation.waiting:
            self.prompt.fill(event.turn.request.typed)

    async def _ended(self, turn: TurnRecord) -> None:
        self.prose.pop(turn, None)
        if turn is self.conversation.running:
            self.run = None
            self.stopping = False
        self.conversation.end(turn)
        if not self._is_here(turn):
            return
        block = self.transcript.block(turn)
        if block is not None:
            await block.seal()
            self.transcript.sync_block(block)
            followups = turn.answer.followups if turn.answer is not None else []
            if followups and turn is self.conversation.turns[-1]:
                await self.transcript.offer(followups[:4])
        await self.show_sources(turn)
        self.advance()

    def _is_here(self, turn: TurnRecord) -> bool:
        return any(one is turn for one in self.conversation.turns)

    # --- keys ----------------------------------------------------------------------------

    def stop(self) -> bool:
        """Stop the answer that is being written; False if there is none."""
        if self.conversation.running is None:
            return False
        self.stopping = True
        if self.run is not None:
            self.run.cancel()
        return True

    async def action_again(self) -> None:
        turn = self.transcript.selected or self.conversation.last
        if turn is not None:
            await self._ask_anew(turn.again)

    def action_edit_question(self) -> None:
        """An earlier question comes back into the prompt, to be sent as a new one."""
        turn = self.transcript.selected or self.conversation.last
        if turn is not None:
            self.prompt.fill(turn.request.typed)
            self.prompt.focus()

    async def action_quotes(self) -> None:
        await self._ask_otherwise(model="quote", chance=False)

    async def action_general(self) -> None:
        await self._ask_otherwise(chance=True, model=None)

    async def action_web(self) -> None:
        last = self.conversation.last
        if last is not None and last.lacks_something and not last.request.web:
            await self._ask_anew(replace(last.request, web=True))
            return
        self.toggle_web()

    async def _ask_otherwise(self, *, model: str | None, chance: bool) -> None:
        """The question in the prompt, or else the last one, answered in another way."""
        last = self.conversation.last
        typed = self.prompt.text.strip()
        if not typed and last is None:
            self.say("Type a question first.")
            return
        base = last.again if last is not None else Request(typed)
        if typed and (last is None or typed != last.request.typed):
            found = self.scoped(typed)
            if found is None:
                return
            self.prompt.fill("")
            base = Request(found.question, web=self.web, scope=found.scope)
        await self._ask_anew(replace(base, model=model, chance=chance))

    async def _ask_anew(self, request: Request) -> None:
        if self.prompt.text.strip() == request.typed:
            self.prompt.fill("")
        await self.send(request)

    async def on_prompt_take_back(self) -> None:
        """Up in an empty prompt: the waiting question comes back, else the history is walked."""
        turn = self.conversation.take_back()
        if turn is None:
            self.prompt.recall(-1)
            return
        await self.transcript.remove_turn(turn)
        self.prompt.fill(turn.request.typed)
        self.sync()

    @property
    def last_error(self) -> Error | None:
        for turn in reversed(self.conversation.turns):
            if turn.error is not None:
                return turn.error
        return None
