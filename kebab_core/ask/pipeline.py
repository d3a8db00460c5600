"""One question from search to Answer, inside the run's own event loop."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from kebab_core.ask import gate
from kebab_core.ask.abstain import Reason
from kebab_core.ask.assemble import Assembly
from kebab_core.ask.connecting import Connecting
from kebab_core.ask.conversation import Conversation
from kebab_core.ask.deps import AskDeps
from kebab_core.ask.event_queue import EventQueue
from kebab_core.ask.events import RetrievalDone, Token
from kebab_core.ask.history import messages as history_messages
from kebab_core.ask.loop import Loop, Turn
from kebab_core.ask.passages import Passages
from kebab_core.ask.prompts.messages import ungrounded, with_tools
from kebab_core.ask.record import Record
from kebab_core.ask.retrieving import retrieve
from kebab_core.ask.second_call import next_questions
from kebab_core.ask.stream.prose import ProseStream
from kebab_core.ask.tail import Tail
from kebab_core.ask.tools import Situation, Toolbox
from kebab_core.ask.window import DEFAULT_WINDOW, Fitted, fit, kept_for_output
from kebab_core.errors import KebabError, ModelRequired, NotIndexed, TimedOut
from kebab_core.llm.base import ChatModel, ChatRequest
from kebab_core.llm.tokens import estimate_messages
from kebab_core.settings.model import ModelSection
from kebab_core.types import AskOptions, Hit, ModelCall
from kebab_core.wire.answer import Answer, ModelRef

# Passages wait so long for a model that is being made or warmed, to know what fits into it.
_MODEL_GRACE_S = 0.2


class Pipeline:
    """`run` it once. `partial` can be asked for whenever it has ended otherwise."""

    def __init__(
        self, run_id: str, question: str, options: AskOptions, deps: AskDeps, events: EventQueue
    ) -> None:
        self._question = question
        self._options = options
        self._deps = deps
        self._events = events
        self._settings = deps.configuration.settings
        self._role = "chance" if options.chance else "ask"
        self._passages = Passages()
        self._said: list[str] = []
        self._prose: ProseStream | None = None
        self._record = Record(
            trace_id=run_id,
            model=self._presumed_model(),
            mode=options.search_mode or self._settings.search.mode,
            k=options.k or self._settings.ask.k,
            role=self._role,
        )
        self._complete: Turn | None = None
        self._assembly = Assembly(question, options, self._record, self._passages)
        self.conversation = Conversation(question, options, deps)

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The passages given so far, by number."""
        return self._passages.hits

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """The model calls that are over."""
        return tuple(self._record.calls)

    @property
    def has_prose(self) -> bool:
        return bool(self._said)

    def partial(self, *, failed: bool) -> Answer:
        """What a reader can have read by now, as an answer that was broken off."""
        said = "".join(self._said)
        markers = self._prose.markers if self._prose is not None else []
        shown = [marker for marker in markers if marker.offset < len(said)]
        return self._assembly.partial(said, shown, failed=failed)

    async def run(self) -> Answer:
        """Raises KebabError; CancelledError when it is cancelled."""
        role, override = self._role, self._options.model
        connecting = Connecting(lambda: self._deps.model(role, override))
        try:
            self.conversation.begin()
            self._assembly.session_id = self.conversation.session_id
            self._assembly.turn_index = self.conversation.turn_index
            if self.conversation.caveat is not None:
                self._record.caution(self.conversation.caveat)
            if self._options.chance:
                return await self._answer_ungrounded(connecting)
            return await self._answer_grounded(connecting)
        finally:
            await connecting.close()

    # --- the model -----------------------------------------------------------------------

    def _presumed_model(self) -> ModelRef:
        """What the settings name, for an answer that needs no model at all."""
        models = self._settings.models
        row = models.chance if self._options.chance else models.ask
        wanted = self._options.model or row.model or models.ask.model or "quote"
        provider, _, name = wanted.partition(":")
        return ModelRef(id=name or provider, provider=provider)

    async def _connected(self, connecting: Connecting) -> ChatModel:
        model = await connecting.model()
        self._note(model)
        return model

    def _note(self, model: ChatModel) -> None:
        self._record.model = ModelRef(id=model.id or model.provider, provider=model.provider)

    # --- from the documents --------------------------------------------------------------

    async def _answer_grounded(self, connecting: Connecting) -> Answer:
        query = self.conversation.search_query()
        found = await retrieve(query, self._options, self._deps, self._record)
        await self._give(found, connecting)
        await self._refuse_empty_corpus()
        judged = gate.judge(self.hits, self._record.bar)
        self._record.top = judged.top
        weak = judged.is_weak and not self._options.pinned
        mode = self._options.mode or self._settings.ask.mode
        may_research = self._deps.toolbox is not None and mode != "single"
        if not self._passages:
            # Other words find nothing either within filters that match nothing; the web may.
            may_research = may_research and self._web_is_on
        if weak and not may_research:
            return self._assembly.abstained(self._gates_reason, await self._documents())
        model = await self._connected(connecting)
        may_research = may_research and model.provider != "quote" and model.can_call_tools
        self._tell_of_unsearched_web(model)
        if weak and not may_research:
            return self._assembly.abstained(self._gates_reason, await self._documents())
        if not may_research:
            turn = await self._write_at_once(model, query)
        else:
            turn = await self._research(model, query, weak=weak, at_once=mode == "agentic")
            self._tell_of_unsearched_web(model)
        if turn.tools_rejected or turn.prose.abstained:
            reason = self._reason(turn, weak=weak)
            return self._assembly.abstained(reason, await self._documents())
        self._complete = turn
        return self._answered(turn, turn.prose.tail or await self._second_call(model))

    def _answered(self, turn: Turn, tail: Tail | None) -> Answer:
        said = "".join(self._said)
        return self._assembly.answered(said, turn.prose.markers, tail, was_cut=turn.was_cut)

    # --- what to ask next ----------------------------------------------------------------

    @property
    def whole(self) -> Answer | None:
        """The answer, once nothing but what to ask next can be missing from it."""
        return None if self._complete is None else self._answered(self._complete, None)

    @property
    def _wants_followups(self) -> bool:
        wanted = self._options.followups
        return self._settings.ask.followups if wanted is None else wanted

    async def _second_call(self, model: ChatModel) -> Tail | None:
        """What the model judges and proposes, if it is wanted; a failure costs only that."""
        if not self._wants_followups:
            return None
        return await next_questions(
            model,
            self._deps,
            self._question,
            "".join(self._said),
            self.hits,
            count=self._record.count_call,
        )

    # --- the ledger ----------------------------------------------------------------------

    def book(self) -> str | None:
        """Write the run's model calls into the ledger, kept questions or not.

        Returns the caveat if that failed. `quote` is no model: it has no rows.
        """
        calls = [call for call in self._record.calls if call.provider != "quote"]
        try:
            if calls:
                self._deps.sessions().record_spend(calls)
        except KebabError as failure:
            caveat = f"What this took can't be recorded: {failure.message}"
            self._record.caution(caveat)
            return caveat
        return None

    async def _give(self, found: list[Hit], connecting: Connecting) -> None:
        """Number the passages that fit, and tell the reader."""
        model = await connecting.within(_MODEL_GRACE_S) if found else None
        if model is not None:
            self._note(model)
        fitted = self._fit(tuple(found), self._window(model))
        await self._events.put(RetrievalDone(self._passages.add(fitted.hits)))

    def _window(self, model: ChatModel | None) -> int | None:
        if model is not None and model.provider == "quote":
            return None
        told = model.context_tokens if model is not None else None
        return self._settings.ask.context_tokens or told or DEFAULT_WINDOW

    def _fit(self, hits: tuple[Hit, ...], window: int | None) -> Fitted:
        fitted = fit(
            self._question,
            hits,
            self.conversation.earlier,
            window=window,
            max_tokens=self._settings.models.ask.max_tokens,
            limited=self._record.limited,
            with_tail=self._wants_followups,
        )
        if fitted.left_out:
            self._record.caution(
                f"{fitted.left_out} of {len(hits)} passages found were left out: they don't fit "
                f"into the model's context of {window} tokens."
            )
        return fitted

    async def _refuse_empty_corpus(self) -> None:
        if self._passages or self._deps.counts is None:
            return
        _, chunks = await asyncio.to_thread(self._deps.counts)
        if not chunks:
            raise NotIndexed(
                "The corpus is empty: there is nothing to search yet.",
                "Add your documents with `kebab ingest PATH`.",
            )

    async def _documents(self) -> int | None:
        """How many documents were searched, where the asker may know."""
        if self._deps.counts is None or self._options.scope.readers is not None:
            return None
        documents, _ = await asyncio.to_thread(self._deps.counts)
        return documents

    async def _write_at_once(self, model: ChatModel, query: str) -> Turn:
        """The answer from the passages there are."""
        fitted = self._fit(self.hits, self._window(model))
        request = self._request(fitted, self._settings.models.ask, query)
        return await self._timed(self._loop(model), request, None, 1)

    async def _research(self, model: ChatModel, query: str, *, weak: bool, at_once: bool) -> Turn:
        """The answer of a model that may use tools. A strong first pack is answered straight
        away; only if the model finds nothing in it all the same are the tools offered."""
        if not weak and not at_once:
            self._record.research = "skipped"
            turn = await self._write_at_once(model, query)
            if not turn.prose.abstained:
                return turn
        window = self._window(model)
        fitted = self._fit(self.hits, window)
        row = self._settings.models.ask
        request = self._request(fitted, row, query)
        request = replace(request, messages=with_tools(request.messages))
        room = None
        if window is not None:
            output = min(request.max_tokens, kept_for_output(window, row.max_tokens))
            request = replace(request, max_tokens=output)
            room = window - output - estimate_messages(request.messages)
        if self._deps.toolbox is None:
            raise ValueError("a run without a toolbox can't research")
        shown = frozenset(hit.n for hit in fitted.hits if hit.n is not None)
        situation = Situation(query, self._record.mode, self._record.k, shown, room)
        toolbox = self._deps.toolbox(situation)
        rounds = self._settings.ask.max_rounds
        return await self._timed(self._loop(model), request, toolbox, rounds, must_research=weak)

    def _reason(self, turn: Turn, *, weak: bool) -> Reason:
        """Whose judgement an abstention is: the gate's if nothing ever came above the bar."""
        judged = gate.judge(self.hits, self._record.bar)
        self._record.top = judged.top
        from_web = any(hit.kind == "web" for hit in self.hits)
        is_gates = weak and judged.is_weak and not from_web
        return self._gates_reason if turn.tools_rejected or is_gates else "llm_self_judge"

    @property
    def _gates_reason(self) -> Reason:
        return "score_gate" if self._passages else "no_chunks"

    def _tell_of_unsearched_web(self, model: ChatModel) -> None:
        """Also after a turn in which a server turned out to reject tools."""
        if self._web_is_on and (model.provider == "quote" or not model.can_call_tools):
            name = self._record.model.id
            self._record.caution(f"The web was not searched: {name} can't use tools.")

    @property
    def _web_is_on(self) -> bool:
        wanted = self._options.web
        return self._settings.web.default if wanted is None else wanted

    def _request(self, fitted: Fitted, row: ModelSection, query: str) -> ChatRequest:
        return ChatRequest(
            messages=fitted.messages,
            max_tokens=fitted.max_tokens,
            temperature=row.temperature,
            thinking=row.thinking,
            question=query,
            passages=fitted.hits,
        )

    # --- from general knowledge ----------------------------------------------------------

    async def _answer_ungrounded(self, connecting: Connecting) -> Answer:
        model = await self._connected(connecting)
        if model.provider == "quote":
            raise ModelRequired(
                "General knowledge needs a chat model: `quote` only repeats what the documents "
                "say.",
                "Name one, such as `--model ollama:qwen3`, or ask without `--chance`.",
            )
        await self._events.put(RetrievalDone(()))
        row = self._settings.models.chance
        request = ChatRequest(
            messages=ungrounded(self._question, history_messages(self.conversation.earlier)),
            max_tokens=row.max_tokens,
            temperature=row.temperature,
            thinking=row.thinking,
            question=self._question,
        )
        turn = await self._timed(self._loop(model, may_abstain=False), request, None, 1)
        return self._assembly.ungrounded("".join(self._said), was_cut=turn.was_cut)

    # --- saying it -----------------------------------------------------------------------

    def _loop(self, model: ChatModel, *, may_abstain: bool = True) -> Loop:
        return Loop(
            model,
            self._passages,
            self._record,
            emit=self._events.put,
            say=self._say,
            on_turn=self._follow,
            may_abstain=may_abstain,
        )

    def _follow(self, prose: ProseStream) -> None:
        self._prose = prose

    async def _timed(
        self,
        loop: Loop,
        request: ChatRequest,
        toolbox: Toolbox | None,
        rounds: int,
        *,
        must_research: bool = False,
    ) -> Turn:
        seconds = self._settings.ask.answer_s
        try:
            async with asyncio.timeout(seconds) as limit:
                return await loop.answer(request, toolbox, rounds, must_research=must_research)
        except TimeoutError as late:
            if not limit.expired():
                raise
            raise TimedOut(
                f"The answer was not finished within {seconds:g} s.",
                "Give it more time with [ask] answer_s, or take a faster model with `--model`.",
            ) from late

    async def _say(self, delta: str) -> None:
        await self._events.put(Token(delta, self.conversation.turn_index))
        self._said.append(delta)
        if self._record.first_token_ms is None:
            self._record.first_token_ms = self._record.elapsed_ms()
