"""Another's ticket is none."""

from __future__ import annotations

from conformance.report import Report
from conformance.world import Caller, World

TITLE = "Another caller"


def run(world: World, report: Report) -> None:
    alice, bob = Caller(world), Caller(world, "bob")
    question = world.questions.slow or world.questions.known or world.questions.any
    conversation = alice.open()
    ticket = alice.ask(question, conversation)
    for name in ("", "/events", "/stream"):
        # A service that lets another in would stream for as long as the ask runs.
        with bob.http.stream("GET", f"/v1/asks/{ticket}{name}") as reply:
            status = reply.status_code
        report.check(f"GET /v1/asks/…{name}: 404", status == 404, status)
    status = bob.cancel(ticket).status_code
    report.check("cancel: 404", status == 404, status)
    status = bob.try_ask(conversation, question).status_code
    report.check("asking in the conversation: 404", status == 404, status)
    unknown = bob.http.get("/v1/asks/no-such-ticket")
    same = unknown.json() == bob.http.get(f"/v1/asks/{ticket}").json()
    report.check("the same words as for a ticket that never was", same)
    if world.questions.slow is not None:
        state = alice.state(ticket)["status"]
        report.check("it runs on", state == "running", state)
    alice.cancel(ticket)
    alice.events(ticket)
