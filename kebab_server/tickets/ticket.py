"""One ask as its client holds it: two logs that can be replayed, and how it ended."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from kebab_core import api
from kebab_server.clock import Clock
from kebab_server.contract.events import CONTRACT_VERSION
from kebab_server.tickets.event_log import EventLog
from kebab_server.tickets.narrator import BRANCH
from kebab_server.tickets.verdict import Verdict


class Ticket:
    """Belongs to one event loop. Once it is over, whatever a late run still tells is ignored."""

    def __init__(
        self,
        owner: str,
        conversation_id: str,
        turn: int,
        *,
        clock: Clock,
        max_events: int,
        model: str,
        effort: str | None,
    ) -> None:
        self.id = secrets.token_urlsafe(18)
        self.owner = owner
        self.conversation_id = conversation_id
        self.turn = turn
        self.events = EventLog(max_events)
        self.stream = EventLog()
        self.steps = 0
        self.model = model
        self.terminal: dict[str, Any] | None = None
        self.done: dict[str, Any] | None = None
        self.ended_at: float | None = None
        self._effort = effort
        self._clock = clock
        self._begun = clock.elapsed()
        self._branch_is_open = False

    @property
    def is_over(self) -> bool:
        return self.done is not None

    def accept(self, question: str) -> None:
        """The first event, before anything runs."""
        fields = {"question": question, "turn": self.turn, "contract_version": CONTRACT_VERSION}
        self.tell("accepted", fields)

    def tell(self, kind: str, fields: Mapping[str, Any]) -> None:
        """Add an event that isn't the end."""
        if self.is_over:
            return
        if kind == "branch":
            self._branch_is_open = fields["state"] == "opened"
        self.steps += kind == "step"
        self._append(kind, fields)

    def line(self, event: str, text: str) -> None:
        """Add a line to the stream."""
        if not self.is_over:
            self.stream.append(event, text.encode())

    def end(
        self,
        verdict: Verdict,
        calls: Sequence[api.ModelCall] = (),
        failure: api.KebabError | None = None,
    ) -> bool:
        """One terminal event, then `done`. False if it was over already.

        Of a failed run the stream ends in the `error.v1`, as `kebab ask --stream` does.
        """
        if self.is_over:
            return False
        if self._branch_is_open:
            fields = {"state": "closed", "role": "supervisor", "source": None}
            self.tell("branch", {"branch_id": BRANCH, **fields})
        self.terminal = self._append(verdict.type, verdict.fields)
        done = {
            "outcome": verdict.type,
            "hops": max(1, len(calls)),
            "steps": self.steps,
            "tokens_in": sum(call.prompt_tokens for call in calls),
            "tokens_out": sum(call.completion_tokens for call in calls),
            "cache_read_tokens": 0,
            "cache_write_tokens": 0,
            "ms": max(0, round((self._clock.elapsed() - self._begun) * 1000)),
            "model": self.model,
            "effort": self._effort,
        }
        if failure is not None:
            self.stream.append("error", api.Error.of(failure).to_line().encode())
        self.stream.append("done", _line(done))
        self.done = self._append("done", done)
        self.ended_at = self._clock.elapsed()
        self.events.close()
        self.stream.close()
        return True

    def _append(self, kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        event = {
            "seq": self.events.last_id + 1,
            "ticket": self.id,
            "conversation_id": self.conversation_id,
            "ts": self._clock.stamp(),
            "type": kind,
            **fields,
        }
        self.events.append(kind, _line(event), droppable=kind == "step")
        return event


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
