"""The session of one run: its turn is taken at the start and kept at the end.

A history that can't be written costs a caveat, never the answer.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from kebab_core.ask import history
from kebab_core.ask.deps import AskDeps
from kebab_core.errors import KebabError, NotFound
from kebab_core.sessions.protocol import BegunTurn, SessionStore
from kebab_core.types import AskOptions, HistoryTurn, Hit, TurnState
from kebab_core.wire.answer import Answer
from kebab_core.wire.error import Error


class Conversation:
    """`earlier` are the turns that the model may see; `caveat` says why nothing is kept."""

    def __init__(self, question: str, options: AskOptions, deps: AskDeps) -> None:
        self.earlier: list[HistoryTurn] = []
        self.caveat: str | None = None
        self._question = question
        self._options = options
        self._deps = deps
        self._begun: BegunTurn | None = None
        self._created: str | None = None

    @property
    def turn_index(self) -> int | None:
        """None while nothing is kept."""
        return None if self._begun is None else self._begun.turn_index

    @property
    def session_id(self) -> str | None:
        """The session that can be gone on with; None for a one-off."""
        return self._options.session_id or self._created

    def search_query(self) -> str:
        """The question, with what was searched for before where it leans on that.

        Earlier queries are made again from the questions, so that a chain of leaning ones keeps
        its subject.
        """
        from kebab_core.retrieve.follow_up import search_query

        query: str | None = None
        for turn in self.earlier:
            query = search_query(turn.question, query)
        return search_query(self._question, query)

    def begin(self) -> None:
        """Take the turn and read the earlier ones. Raises NotFound for an unknown session."""
        if self._options.save:
            self._take_turn()
        if self._options.session_id is not None:
            self._read_history(self._options.session_id)

    def _take_turn(self) -> None:
        try:
            store = self._deps.sessions()
            session_id, created = self._options.session_id, None
            if session_id is None and self._makes_session():
                session_id = created = store.create(self._options.origin)
            self._begun = store.begin_turn(session_id, self._question, self._options.origin)
            self._created = created
        except NotFound:
            raise
        except KebabError as failure:
            self._caution(failure)

    def _makes_session(self) -> bool:
        return self._options.new_session or self._options.origin == "chat"

    def _read_history(self, session_id: str) -> None:
        before = sys.maxsize if self._begun is None else self._begun.turn_index
        try:
            turns = self._deps.sessions().history(session_id, before)
        except NotFound:
            raise
        except KebabError as failure:
            self._caution(failure)
        else:
            self.earlier = history.visible(turns)

    def finish(
        self,
        state: TurnState,
        answer: Answer | None,
        failure: KebabError | None,
        hits: Sequence[Hit],
    ) -> None:
        """Keep how the turn ended. Where that fails, `caveat` says so."""
        if self._begun is None:
            return
        try:
            store = self._deps.sessions()
            store.finish_turn(
                self._begun,
                state=state,
                answer=answer,
                error=None if failure is None else Error.of(failure),
                hits=hits,
            )
            store.purge_one_offs(self._deps.configuration.settings.sessions.keep_days)
        except KebabError as unkept:
            self._caution(unkept)

    def discard(self) -> None:
        """Forget the turn, and the session if it was made for it."""
        if self._begun is None:
            return
        try:
            store: SessionStore = self._deps.sessions()
            store.discard_turn(self._begun)
            if self._created is not None:
                store.delete(self._created)
        except KebabError as failure:
            self._caution(failure)

    def _caution(self, failure: KebabError) -> None:
        self.caveat = f"History can't be written: {failure.message}"
