"""What time and quantity do: expiry, silence, overflow."""

from __future__ import annotations

import time

from conformance.report import Report
from conformance.world import Caller, World

TITLE = "Lifetimes"


def run(world: World, report: Report) -> None:
    _expiry(world, report)
    _keep_alive(world, report)
    _overflow(world, report)


def _expiry(world: World, report: Report) -> None:
    if world.ttl_s is None:
        report.skip("an expired ticket: 410", "needs --ttl")
        return
    alice = Caller(world)
    conversation = alice.open()
    ticket = alice.ask(conversation=conversation)
    events = alice.events(ticket)
    report.check("kept before its time is over", alice.events(ticket) == events)
    time.sleep(world.ttl_s * 1.3 + 0.5)
    for name in ("", "/events", "/stream"):
        status = alice.http.get(f"/v1/asks/{ticket}{name}").status_code
        report.check(f"expired: GET /v1/asks/…{name}: 410", status == 410, status)
    status = alice.cancel(ticket).status_code
    report.check("expired: cancel: 410", status == 410, status)
    status = Caller(world, "bob").http.get(f"/v1/asks/{ticket}").status_code
    report.check("expired: another still gets 404", status == 404, status)
    status = alice.try_ask(conversation, "What?").status_code
    report.check("expired: its conversation is gone: 404", status == 404, status)


def _keep_alive(world: World, report: Report) -> None:
    slow = world.questions.slow
    if slow is None or world.keep_alive_s is None:
        report.skip("comments while quiet", "needs --slow and --keep-alive")
        return
    alice = Caller(world)
    ticket = alice.ask(slow)
    begun = time.monotonic()
    comments = 0
    with alice.following(ticket) as pieces:
        for piece in pieces:
            comments += sum(line.startswith(":") for line in piece.split("\n"))
            quiet = time.monotonic() - begun
            if comments >= 2 and quiet > world.silence_s:
                break
            if quiet > world.silence_s + 6 * world.keep_alive_s + 20:
                break
    alice.cancel(ticket)
    is_open = comments >= 2 and time.monotonic() - begun > world.silence_s
    report.check("comments keep a quiet line open", is_open, comments)
    ended = alice.events(ticket)[-1].event
    report.check("a reader who leaves costs nothing: it ends properly", ended == "done", ended)


def _overflow(world: World, report: Report) -> None:
    if world.max_events is None or world.questions.busy is None:
        report.skip("overflow drops steps only", "needs --max-events and --busy")
        return
    alice = Caller(world)
    ticket = alice.ask(world.questions.busy)
    seen = alice.events(ticket)
    kept = alice.events(ticket)
    lost = {one.id: one.event for one in seen} | dict.fromkeys(range(1, kept[-1].id + 1), "step")
    lost = {number: kind for number, kind in lost.items() if number not in {k.id for k in kept}}
    report.check("overflow: something was dropped", bool(lost))
    report.check("overflow: nothing but steps", set(lost.values()) <= {"step"}, lost)
    told, steps = kept[-1].data["steps"], sum(one.event == "step" for one in kept)
    report.check("overflow: done counts dropped steps too", told == steps + len(lost), told)
    counts = [sum(one.event == kind for one in kept) for kind in ("accepted", "branch", "done")]
    report.check("overflow: the rest is whole", counts == [1, 2, 1], counts)
