"""The service on loopback, with its identity provider: real sockets, real tokens."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
import uvicorn

from conformance.issuer import AUDIENCE as AUDIENCE
from conformance.issuer import ISSUER as ISSUER
from conformance.issuer import Issuer as Issuer
from kebab_core.api import Configuration
from kebab_core.store.sources import StoredSource
from kebab_core.testing import ScriptedModel
from kebab_server.app import build
from kebab_server.clock import Clock
from kebab_server.http.patience import ImpatientH11
from kebab_server.identity.jwt_tokens import JWTTokens
from kebab_server.identity.local_token import LocalToken
from kebab_server.identity.principal import Identity
from kebab_server.service import Service
from kebab_server.serving import Server, address_of, listen
from tests.support.asking import configured
from tests.support.corpus import filled, stored
from tests.support.site import Site, page

LOCAL = "local-token-for-tests-0123456789abcdef"
LEAVE = [
    "Parental leave is 26 weeks at full pay, in up to three blocks.",
    "Give notice eight weeks ahead, in writing, to your manager.",
]
BACKUP = ["The backup runs every night at two.", "Restores are tested each quarter."]
PAYROLL = ["Payroll zanzibar bonus is 900 crowns for directors.", "Zanzibar is paid in May."]
QUESTION = "How many weeks of parental leave are there?"
UNKNOWN = "Which dragon guards the treasure chamber?"
SECRET = "How many crowns is the zanzibar bonus?"
READERS: dict[str, tuple[str, ...]] = {"notes": ("*",), "payroll": ("alice", "finance")}


def make_corpus(directory: Path, readers: Mapping[str, tuple[str, ...]] = READERS) -> None:
    """Two sources, found by words alone, with the readers of each."""
    store = filled(
        directory,
        [
            stored("leave.md", LEAVE, title="Leave", author="Ada", status="verified"),
            stored("backup.md", BACKUP, title="Backups"),
            stored("bonus.md", PAYROLL, source_id="payroll", title="Zanzibar bonus"),
        ],
    )
    for source_id, names in readers.items():
        store.set_source(StoredSource(source_id, f"/nowhere/{source_id}", "settings", names))


class Served:
    """The service, from `with` on, in a thread of its own.

    `overrides` are settings; `model` answers, or `quote` where there is none. With an `issuer`
    callers are its subjects, else whoever holds `LOCAL`.
    """

    def __init__(
        self,
        directory: Path,
        model: ScriptedModel | None = None,
        *,
        issuer: Issuer | None = None,
        overrides: Mapping[str, Any] | None = None,
        clock: Clock | None = None,
        keep_alive_s: float = 15.0,
        allowed_hosts: Sequence[str] = (),
        headers_timeout_s: float | None = None,
        corpus: bool = True,
        readers: Mapping[str, tuple[str, ...]] = READERS,
    ) -> None:
        if corpus:
            make_corpus(directory, readers)
        self.issuer = issuer
        self._site = Site({"/jwks": page(issuer.jwks())}) if issuer else None
        settings: dict[str, Any] = {"ask.score_gate": 0.0, **(overrides or {})}
        if self._site is not None:
            settings |= {
                "serve.jwt.jwks_url": f"{self._site.base}/jwks",
                "serve.jwt.issuer": ISSUER,
                "serve.jwt.audience": AUDIENCE,
            }
        self.configuration: Configuration = configured(directory, model, settings)
        self.clock = clock or Clock()
        self._keep_alive_s = keep_alive_s
        self._allowed_hosts = allowed_hosts
        self._protocol: type[ImpatientH11] = ImpatientH11
        if headers_timeout_s is not None:
            limit = {"headers_timeout_s": headers_timeout_s}
            self._protocol = type("Quick", (ImpatientH11,), limit)
        self.service: Service
        self.base: str

    def __enter__(self) -> Self:
        if self._site is not None:
            self._site.__enter__()
        identity: Identity = LocalToken(LOCAL)
        if self.issuer is not None:
            identity = JWTTokens(self.configuration.settings, self.clock)
        self.service = Service.open(
            self.configuration, identity, self.clock, keep_alive_s=self._keep_alive_s
        )
        listening = listen("127.0.0.1", 0)
        self.base = address_of(listening)
        started = threading.Event()
        config = uvicorn.Config(
            build(self.service, self._allowed_hosts),
            http=self._protocol,
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=10,
        )
        self._server = Server(config, self.service, started.set)
        self._thread = threading.Thread(target=self._server.run, args=([listening],), daemon=True)
        self._thread.start()
        if not started.wait(20):
            raise RuntimeError("the service didn't start")
        return self

    def stop(self) -> None:
        """As a signal does."""
        self._server.should_exit = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        self._thread.join(30)
        if self._site is not None:
            self._site.__exit__(None, None, None)
        if self._thread.is_alive():
            raise RuntimeError("the service didn't stop")

    # --- its clients ---------------------------------------------------------------------

    def client(self, who: str | None = None, **claims: Any) -> httpx.Client:
        """A client that asks as `who`; without an issuer as the owner."""
        token = LOCAL if self.issuer is None else self.issuer.token(who or "alice", **claims)
        return self.bare({"Authorization": f"Bearer {token}"})

    def bare(self, headers: Mapping[str, str] | None = None) -> httpx.Client:
        return httpx.Client(base_url=self.base, headers=headers, timeout=30, trust_env=False)


def until(holds: Callable[[], bool], within_s: float = 20.0) -> bool:
    """Whether it holds within that time, looked at again and again."""
    deadline = time.monotonic() + within_s
    pause = threading.Event()
    while not holds():
        if time.monotonic() > deadline:
            return False
        pause.wait(0.01)
    return True


def open_conversation(client: httpx.Client) -> str:
    reply = client.post("/v1/conversations")
    assert reply.status_code == 201, reply.text
    found: str = reply.json()["conversation_id"]
    return found


def ask(
    client: httpx.Client, question: str = QUESTION, conversation: str | None = None, **body: Any
) -> str:
    """The ticket."""
    conversation = conversation or open_conversation(client)
    reply = client.post(
        f"/v1/conversations/{conversation}/asks", json={"question": question, **body}
    )
    assert reply.status_code == 202, reply.text
    ticket: str = reply.json()["ticket"]
    return ticket


@dataclass(frozen=True)
class Received:
    id: int
    event: str
    data: dict[str, Any]


def parse(text: str) -> list[Received]:
    """The events in the text of a stream; comments and `retry` are left out."""
    found = []
    for block in text.split("\n\n"):
        lines = [line.partition(": ") for line in block.split("\n")]
        fields = {name: value for name, _, value in lines if name}
        if "data" in fields:
            data = json.loads(fields["data"])
            found.append(Received(int(fields["id"]), fields["event"], data))
    return found


def read_events(
    client: httpx.Client, ticket: str, after: int | None = None, kind: str = "events"
) -> list[Received]:
    """All events of a ticket until its stream closes."""
    headers = {} if after is None else {"Last-Event-ID": str(after)}
    reply = client.get(f"/v1/asks/{ticket}/{kind}", headers=headers)
    assert reply.status_code == 200, reply.text
    assert reply.headers["content-type"].startswith("text/event-stream")
    return parse(reply.text)
