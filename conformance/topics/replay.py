"""Replays are the same, from everywhere, for everyone who may."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from conformance.report import Report
from conformance.world import Caller, Event, World

TITLE = "Replay"


def run(world: World, report: Report) -> None:
    alice = Caller(world)
    ticket = alice.ask()
    whole = alice.events(ticket)
    wrong = [n for n in range(len(whole) + 1) if alice.events(ticket, n) != whole[n:]]
    report.check("from every possible Last-Event-ID, after the end", not wrong, wrong)
    beyond = alice.events(ticket, len(whole) + 50)
    report.check("past the end: nothing, and it closes", beyond == [], beyond)
    with ThreadPoolExecutor(4) as pool:
        found: list[list[Event]] = list(pool.map(lambda _: alice.events(ticket), range(4)))
    report.check("four at once get the same", found == [whole] * 4)
    reply = alice.http.get(f"/v1/asks/{ticket}/events", headers={"Last-Event-ID": "x"})
    report.check("a Last-Event-ID that is none: 422", reply.status_code == 422, reply.status_code)
    kind = alice.http.get(f"/v1/asks/{ticket}/events").headers.get("content-type", "")
    report.check("it is an event stream", kind.startswith("text/event-stream"), kind)
    _while_it_runs(world, alice, report)


def _while_it_runs(world: World, alice: Caller, report: Report) -> None:
    if world.questions.slow is None:
        report.skip("two readers at once while it runs", "needs --slow")
        return
    ticket = alice.ask(world.questions.slow)
    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(alice.events, ticket) for _ in range(2)]
        with alice.following(ticket) as pieces:
            seen = ""
            for piece in pieces:
                seen += piece
                if "event: milestone" in seen:
                    break
        alice.cancel(ticket)
        found = [reader.result() for reader in readers]
    report.check("two readers at once while it runs get the same", found[0] == found[1])
    later = alice.events(ticket)
    report.check("so does one who comes later", later == found[0])
