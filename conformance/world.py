"""The service as its two callers see it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

TERMINAL = ("answer", "abstention", "refusal", "error")


@dataclass(frozen=True)
class Event:
    id: int
    event: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Questions:
    """None: what leans on such a question is skipped."""

    any: str = "What do the documents say about the first thing they name?"
    known: str | None = None
    unknown: str | None = None
    follow_up: str | None = None
    slow: str | None = None
    busy: str | None = None
    blocked: str | None = None
    limited: str | None = None


@dataclass
class World:
    base: str
    tokens: Mapping[str, str]
    questions: Questions
    behaviour: bool = False
    ttl_s: float | None = None
    keep_alive_s: float | None = None
    silence_s: float = 0.0
    max_events: int | None = None
    signing_key: str | None = None
    patience_s: float = 120.0
    clients: dict[str, httpx.Client] = field(default_factory=dict)

    def client(self, who: str) -> httpx.Client:
        if who not in self.clients:
            self.clients[who] = self.with_bearer(self.tokens[who])
        return self.clients[who]

    def with_bearer(self, token: str | None) -> httpx.Client:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return httpx.Client(
            base_url=self.base, headers=headers, timeout=self.patience_s, trust_env=False
        )

    def close(self) -> None:
        for client in self.clients.values():
            client.close()


class Caller:
    """One of the two, with the calls that all topics make."""

    def __init__(self, world: World, who: str = "alice") -> None:
        self.http = world.client(who)
        self._usual = world.questions.known or world.questions.any

    def open(self) -> str:
        reply = self.http.post("/v1/conversations", json={})
        reply.raise_for_status()
        return str(reply.json()["conversation_id"])

    def try_ask(self, conversation: str, question: str, **body: Any) -> httpx.Response:
        path = f"/v1/conversations/{conversation}/asks"
        return self.http.post(path, json={"question": question, **body})

    def ask(self, question: str | None = None, conversation: str | None = None, **body: Any) -> str:
        """The ticket."""
        conversation = conversation or self.open()
        reply = self.try_ask(conversation, question or self._usual, **body)
        reply.raise_for_status()
        return str(reply.json()["ticket"])

    def events(self, ticket: str, after: int | None = None, kind: str = "events") -> list[Event]:
        """All until the stream closes."""
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        reply = self.http.get(f"/v1/asks/{ticket}/{kind}", headers=headers)
        reply.raise_for_status()
        return parse(reply.text)

    @contextmanager
    def following(self, ticket: str) -> Iterator[Iterator[str]]:
        """The text of the events as it arrives."""
        with self.http.stream("GET", f"/v1/asks/{ticket}/events") as reply:
            reply.raise_for_status()
            yield reply.iter_text()

    def cancel(self, ticket: str) -> httpx.Response:
        return self.http.post(f"/v1/asks/{ticket}/cancel")

    def state(self, ticket: str) -> dict[str, Any]:
        found: dict[str, Any] = self.http.get(f"/v1/asks/{ticket}").json()
        return found


def parse(text: str) -> list[Event]:
    """The events in a stream's text; comments are left out."""
    found = []
    for block in text.replace("\r\n", "\n").split("\n\n"):
        fields: dict[str, str] = {}
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            if name:
                fields[name] = value.removeprefix(" ")
        if "data" in fields:
            number, name = int(fields.get("id", "0")), fields.get("event", "message")
            found.append(Event(number, name, json.loads(fields["data"])))
    return found


def terminal(events: list[Event]) -> dict[str, Any]:
    """The one terminal event; empty if there is none."""
    return next((one.data for one in events if one.event in TERMINAL), {})
