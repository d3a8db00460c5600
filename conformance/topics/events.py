"""The order and the content of a run's events, whatever it ends with."""

from __future__ import annotations

from conformance.report import Report
from conformance.schema import wrong_by, wrong_by_wire
from conformance.world import TERMINAL, Caller, Event, World

TITLE = "Events"


def run(world: World, report: Report) -> None:
    alice = Caller(world)
    asked = world.questions
    for name in ("any", "known", "unknown"):
        question = getattr(asked, name)
        if question is None:
            report.skip(f"a whole run ({name})", f"needs --{name}")
            continue
        ticket = alice.ask(question)
        events = alice.events(ticket)
        whole(report, name, question, events)
        _state(alice, report, name, ticket, events)
        _stream(alice, report, name, ticket)


def whole(report: Report, name: str, question: str, events: list[Event]) -> None:
    """What holds for every run from which nothing was dropped."""
    kinds = [one.event for one in events]
    ids = [one.id for one in events]
    report.check(f"{name}: seq from 1 without gaps", ids == list(range(1, len(ids) + 1)), ids)
    same = all(one.data["seq"] == one.id and one.data["type"] == one.event for one in events)
    report.check(f"{name}: seq is the SSE id, type the SSE event", same)
    wrong = next((w for w in (wrong_by("TicketEvent", e.data) for e in events) if w), None)
    report.check(f"{name}: every event is described", wrong is None, wrong)
    first = kinds.count("accepted") == 1 and kinds[0] == "accepted"
    report.check(f"{name}: accepted once, first", first, kinds)
    asked = events[0].data.get("question") == question
    report.check(f"{name}: accepted carries the question", asked)
    version = events[0].data.get("contract_version")
    report.check(f"{name}: contract version 1", version == "1", version)
    elsewhere = [one.event for one in events[1:] if question in str(one.data)]
    report.check(f"{name}: the question is in no other event", not elsewhere, elsewhere)
    _branch(report, name, events)
    ends = [kind for kind in kinds if kind in TERMINAL]
    report.check(f"{name}: one terminal event", len(ends) == 1, kinds)
    last = kinds[-2:] == [*ends, "done"] and kinds.count("done") == 1
    report.check(f"{name}: then done, last, once", last, kinds)
    done = events[-1].data
    report.check(f"{name}: done names the outcome", [done["outcome"]] == ends, done["outcome"])
    steps = kinds.count("step")
    report.check(f"{name}: done counts the steps", done["steps"] == steps, (done["steps"], steps))
    report.check(f"{name}: at least one hop", done["hops"] >= 1, done["hops"])


def _branch(report: Report, name: str, events: list[Event]) -> None:
    branches = [one for one in events if one.event == "branch"]
    steps = [one.id for one in events if one.event in ("step", "milestone")]
    if not branches and not steps and events[-1].data["outcome"] in ("refusal", "error"):
        report.check(f"{name}: nothing ran, so no branch", True)
        return
    states = [one.data["state"] for one in branches]
    report.check(f"{name}: one branch, opened and closed", states == ["opened", "closed"], states)
    if len(branches) == 2:
        around = all(branches[0].id < step < branches[1].id for step in steps)
        report.check(f"{name}: it stands around all steps", around)


def _state(alice: Caller, report: Report, name: str, ticket: str, events: list[Event]) -> None:
    state = alice.state(ticket)
    wrong = wrong_by("TicketState", state)
    report.check(f"{name}: its state is described", wrong is None, wrong)
    report.check(f"{name}: finished", state["status"] == "finished", state["status"])
    told = (state["seq"], state["terminal"], state["done"])
    same = told == (events[-1].id, events[-2].data, events[-1].data)
    report.check(f"{name}: its state tells the same end", same)


def _stream(alice: Caller, report: Report, name: str, ticket: str) -> None:
    lines = alice.events(ticket, kind="stream")
    ids = [one.id for one in lines]
    report.check(f"{name}: /stream ids from 1", ids == list(range(1, len(ids) + 1)), ids)
    report.check(f"{name}: /stream ends in done", lines[-1].event == "done", lines[-1].event)
    known = ("answer_event", "search_event", "error")
    wrong = next(
        (
            why or one.event
            for one in lines[:-1]
            if (why := wrong_by_wire(one.event, one.data) if one.event in known else "?")
        ),
        None,
    )
    report.check(f"{name}: each line of /stream is of its wire schema", wrong is None, wrong)
    said = "".join(one.data["delta"] for one in lines if one.data.get("kind") == "token")
    final = [one.data["answer"] for one in lines if one.data.get("kind") == "final"]
    if final and not final[0].get("not_found"):
        report.check(f"{name}: the tokens joined are the answer", said == final[0]["answer"])
    half = len(lines) // 2
    replayed = alice.events(ticket, half, kind="stream") == lines[half:]
    report.check(f"{name}: /stream resumes where it was left", replayed)
