"""Many callers for minutes, and many readers who wait: `make test-long`.

`KEBAB_LOAD_S` shortens the load, which takes five minutes.
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psutil
import pytest

from conformance.issuer import AUDIENCE, ISSUER, Issuer, Published
from kebab_core.testing.model import Hang, Received, Say, ScriptedModel, Step
from tests.kebab_cli.test_serve import Process, serving
from tests.support.program import Kebab
from tests.support.service import QUESTION, make_corpus, parse

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]
SECONDS = float(os.environ.get("KEBAB_LOAD_S", "300"))
PRINCIPALS, CONVERSATIONS = 20, 10
READERS = 2_000
SLOW = "How long does the parental leave take?"
TTL_S = 30
SETTLED_S = 10
TERMINAL = {"answer", "abstention", "refusal", "error"}


def script(request: Received) -> list[Step]:
    if SLOW in request.text:
        return [Say("It "), Hang()]
    return [Say.words("Parental leave lasts 26 weeks at full pay [1].")]


@pytest.fixture
def issuer() -> Issuer:
    return Issuer()


@pytest.fixture
def process(tmp_path: Path, own_home: Path, issuer: Issuer) -> Iterator[Process]:
    make_corpus(tmp_path / "data", {"notes": ("*",), "payroll": ()})
    with ScriptedModel(script) as model, Published(issuer) as keys:
        kebab = Kebab(
            tmp_path,
            {
                "KEBAB_DATA_DIR": str(tmp_path / "data"),
                "KEBAB_ASK__SCORE_GATE": "0.0",
                "KEBAB_SERVE__TTL_S": str(TTL_S),
                "KEBAB_SERVE__JWT__JWKS_URL": keys.url,
                "KEBAB_SERVE__JWT__ISSUER": ISSUER,
                "KEBAB_SERVE__JWT__AUDIENCE": AUDIENCE,
                **model.environment,
            },
        )
        with serving(kebab, "--quiet") as running:
            yield running


@dataclass
class Tally:
    asks: int = 0
    created_s: list[tuple[float, float]] = field(default_factory=list)
    """When since the start a ticket was asked for, and how long it took."""
    refused: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    running: Counter[str] = field(default_factory=Counter)
    most: int = 0


async def converse(client: httpx.AsyncClient, who: str, until: float, tally: Tally) -> None:
    """One ask after the other in one conversation."""
    conversation: str | None = None
    while time.monotonic() < until:
        if conversation is None:
            opened = await client.post("/v1/conversations")
            if opened.status_code != 201:
                tally.refused[opened.status_code] += 1
                await asyncio.sleep(float(opened.headers.get("retry-after", "1")))
                continue
            conversation = opened.json()["conversation_id"]
        begun = time.monotonic()
        path = f"/v1/conversations/{conversation}/asks"
        made = await client.post(path, json={"question": QUESTION})
        at = begun - (until - SECONDS)
        tally.created_s.append((at, time.monotonic() - begun))
        if made.status_code != 202:
            tally.refused[made.status_code] += 1
            if made.status_code == 404:
                conversation = None
            await asyncio.sleep(float(made.headers.get("retry-after", "1")))
            continue
        tally.running[who] += 1
        tally.most = max(tally.most, tally.running[who])
        ticket = made.json()["ticket"]
        check(await follow(client, ticket, tally), tally)
        tally.running[who] -= 1
        tally.asks += 1


async def follow(client: httpx.AsyncClient, ticket: str, tally: Tally) -> list[Any]:
    """All events; one in ten readers leaves in the middle and comes back."""
    path = f"/v1/asks/{ticket}/events"
    if random.random() < 0.1:
        seen = ""
        async with client.stream("GET", path) as reply:
            async for piece in reply.aiter_text():
                seen += piece
                if "event: step" in seen:
                    break
        first = parse(seen[: seen.rfind("\n\n") + 2])
        after = first[-1].id if first else 0
    else:
        first, after = [], 0
    for _ in range(5):
        reply = await client.get(path, headers={"Last-Event-ID": str(after)})
        if reply.status_code == 200:
            return [*first, *parse(reply.text)]
        tally.refused[reply.status_code] += 1
        await asyncio.sleep(float(reply.headers.get("retry-after", "1")))
    return first


def check(events: list[Any], tally: Tally) -> None:
    ids = [one.id for one in events]
    kinds = [one.event for one in events]
    if ids != list(range(1, len(ids) + 1)):
        tally.wrong.append(f"ids {ids}")
    elif kinds[0] != "accepted" or kinds[-1] != "done":
        tally.wrong.append(f"kinds {kinds}")
    elif [kind for kind in kinds if kind in TERMINAL] != ["answer"]:
        tally.wrong.append(f"ends {kinds}")


async def load(base: str, issuer: Issuer, memory: list[int], pid: int) -> Tally:
    tally = Tally()
    until = time.monotonic() + SECONDS
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    clients = [
        httpx.AsyncClient(
            base_url=base,
            headers={"Authorization": f"Bearer {issuer.token(f'caller-{n}')}"},
            timeout=120,
            limits=limits,
            trust_env=False,
        )
        for n in range(PRINCIPALS)
    ]

    async def watch() -> None:
        while time.monotonic() < until:
            memory.append(psutil.Process(pid).memory_info().rss)
            await asyncio.sleep(1)

    talks = [
        converse(client, f"caller-{n}", until, tally)
        for n, client in enumerate(clients)
        for _ in range(CONVERSATIONS)
    ]
    await asyncio.gather(watch(), *talks)
    for client in clients:
        await client.aclose()
    return tally


def test_twenty_callers_with_ten_conversations_each(
    process: Process, issuer: Issuer, record_property: Any
) -> None:
    memory: list[int] = []
    tally = asyncio.run(load(process.base, issuer, memory, process.process.pid))
    assert tally.wrong == []
    assert tally.asks >= PRINCIPALS * CONVERSATIONS
    # Past the slots there would be 429: ten conversations fill them, no more.
    assert tally.most <= CONVERSATIONS
    assert set(tally.refused) <= {429}
    # By a third of the time, tickets expire as fast as they come.
    tenth = max(1, len(memory) // 10)
    early = statistics.median(memory[3 * tenth : 4 * tenth])
    late = statistics.median(memory[-tenth:])
    # All begin at the same moment, on cold connections: that is told apart.
    begin = sorted(took for at, took in tally.created_s if at <= SETTLED_S)
    times = sorted(took for at, took in tally.created_s if at > SETTLED_S)
    figures = {
        "seconds": SECONDS,
        "asks": tally.asks,
        "asks/s": round(tally.asks / SECONDS, 1),
        "create p50 ms": round(times[len(times) // 2] * 1000),
        "create p99 ms": round(times[len(times) * 99 // 100] * 1000),
        "at the start p99 ms": round(begin[len(begin) * 99 // 100] * 1000),
        "refused": dict(tally.refused),
        "early MB": round(early / 1e6),
        "late MB": round(late / 1e6),
    }
    record_property("figures", figures)
    print(figures)
    assert late < early * 1.25


@dataclass(frozen=True)
class Waiting:
    """A caller whose ask is silent, and its ticket."""

    headers: dict[str, str]
    ticket: str


async def idle_readers(base: str, callers: list[Waiting], end: Any) -> Counter[str]:
    """Readers on raw sockets: what each has read by the end of its stream."""
    where = urlsplit(base)
    told: Counter[str] = Counter()
    quiet = asyncio.Event()

    async def read(caller: Waiting) -> None:
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        writer.write(
            f"GET /v1/asks/{caller.ticket}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Authorization: {caller.headers['Authorization']}\r\n"
            "Connection: close\r\n\r\n".encode()
        )
        text = b""
        waited = False
        try:
            while piece := await reader.read(65_536):
                text += piece
                if not waited and b": keep-alive" in text:
                    waited = True
                    told["waited"] += 1
                    if told["waited"] == READERS:
                        quiet.set()
        finally:
            writer.close()
        told[f"done {text.count(b'event: done')}"] += 1

    readers = [asyncio.create_task(read(callers[n % len(callers)])) for n in range(READERS)]
    await asyncio.wait_for(quiet.wait(), 240)
    await asyncio.to_thread(end)
    await asyncio.gather(*readers)
    return told


def test_two_thousand_idle_readers(process: Process, issuer: Issuer) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = READERS + 500
    if hard != resource.RLIM_INFINITY and hard < wanted:
        pytest.skip(f"only {hard} files may be open")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    server = psutil.Process(process.process.pid)
    figures: dict[str, int] = {"readers": READERS}
    with httpx.Client(base_url=process.base, timeout=120, trust_env=False) as client:
        callers = []
        for n in range(PRINCIPALS):
            headers = {"Authorization": f"Bearer {issuer.token(f'caller-{n}')}"}
            opened = client.post("/v1/conversations", headers=headers).json()
            path = f"/v1/conversations/{opened['conversation_id']}/asks"
            made = client.post(path, json={"question": SLOW}, headers=headers)
            callers.append(Waiting(headers, made.json()["ticket"]))
        before = server.memory_info().rss

        def end() -> None:
            figures["KB each"] = round((server.memory_info().rss - before) / READERS / 1e3)
            begun = time.monotonic()
            assert client.get("/health").status_code == 200
            figures["health ms"] = round((time.monotonic() - begun) * 1000)
            for caller in callers:
                path = f"/v1/asks/{caller.ticket}/cancel"
                assert client.post(path, headers=caller.headers).status_code == 202

        told = asyncio.run(idle_readers(process.base, callers, end))
    print(figures)
    assert told == {"waited": READERS, "done 1": READERS}
