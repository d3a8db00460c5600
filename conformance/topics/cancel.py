"""Cancelling, whenever."""

from __future__ import annotations

from conformance.report import Report
from conformance.topics.events import whole
from conformance.world import Caller, Event, World, terminal

TITLE = "Cancel"


def run(world: World, report: Report) -> None:
    alice = Caller(world)
    ticket = alice.ask()
    events = alice.events(ticket)
    statuses = [alice.cancel(ticket).status_code for _ in range(2)]
    report.check("after the end: 202, twice", statuses == [202, 202], statuses)
    report.check("after the end it changes nothing", alice.events(ticket) == events)
    slow = world.questions.slow
    if slow is None:
        report.skip("while it runs, and before its stream is read", "needs --slow")
        return
    ticket = alice.ask(slow)
    seen = ""
    status = None
    with alice.following(ticket) as pieces:
        for piece in pieces:
            seen += piece
            if status is None and "event: step" in seen:
                status = alice.cancel(ticket).status_code
                at = alice.state(ticket)
    report.check("while it runs: 202", status == 202, status)
    report.check("the run is over by then", at["status"] == "finished", at["status"])
    events = alice.events(ticket)
    _ended(report, "while it runs", slow, events)
    again = alice.cancel(ticket).status_code
    report.check("a second time: 202", again == 202, again)
    report.check("a second time changes nothing", alice.events(ticket) == events)
    ticket = alice.ask(slow)
    alice.cancel(ticket)
    _ended(report, "before its stream is read", slow, alice.events(ticket))


def _ended(report: Report, name: str, question: str, events: list[Event]) -> None:
    end = terminal(events)
    is_cancelled = (end.get("type"), end.get("kind")) == ("error", "cancelled")
    report.check(f"cancelled {name}: error{{cancelled}}", is_cancelled, end)
    whole(report, f"cancelled {name}", question, events)
