"""Which end fits which question. Leans on the model and the documents behind the service."""

from __future__ import annotations

from typing import Any

from conformance.report import Report
from conformance.topics.events import whole
from conformance.world import Caller, Event, World, terminal

TITLE = "Behaviour"


def run(world: World, report: Report) -> None:
    if not world.behaviour:
        for claim in (
            "answer with provenance",
            "abstention with terms",
            "a follow-up is understood",
            "refusals: access, guard, rate_limit",
            "path.speed",
        ):
            report.skip(claim, "needs --behaviour")
        return
    _answer(world, report)
    _abstention(world, report)
    _follow_up(world, report)
    _refusals(world, report)
    _research(world, report)


def _asked(
    world: World, report: Report, name: str, who: str = "alice", **body: Any
) -> tuple[list[Event], dict[str, Any]] | None:
    question = getattr(world.questions, name)
    if question is None:
        report.skip(f"--{name.replace('_', '-')}", "no such question was given")
        return None
    caller = Caller(world, who)
    events = caller.events(caller.ask(question, **body))
    whole(report, name, question, events)
    return events, terminal(events)


def _answer(world: World, report: Report) -> None:
    if (found := _asked(world, report, "known")) is None:
        return
    _, end = found
    if not report.check("known: an answer", end.get("type") == "answer", end):
        return
    report.check("known: it has text", bool(end["text"].strip()))
    report.check("known: it has provenance", bool(end["provenance"]), end["provenance"])
    report.check("known: it has sources", bool(end["sources"]), end["sources"])
    local = [one for one in end["sources"] if one["kind"] == "local"]
    refs = all(one["ref"].startswith("kebab://") and "#" in one["ref"] for one in local)
    links = all((one["permalink"] or "").startswith("/docs/") for one in local)
    report.check("known: sources have their refs and permalinks", refs and links, local)
    speed = end["path"]["speed"]
    report.check("known: the first search was enough: fast", speed == "fast", end["path"])


def _abstention(world: World, report: Report) -> None:
    if (found := _asked(world, report, "unknown")) is None:
        return
    _, end = found
    if report.check("unknown: an abstention", end.get("type") == "abstention", end):
        report.check("unknown: it names terms", bool(end["searched_terms"]), end)
        question = world.questions.unknown or ""
        said = end["text"] + " ".join(end["searched_terms"])
        report.check("unknown: it doesn't repeat the question", question not in said)


def _follow_up(world: World, report: Report) -> None:
    known, follow_up = world.questions.known, world.questions.follow_up
    if known is None or follow_up is None:
        report.skip("a follow-up is understood", "needs --known and --follow-up")
        return
    alice = Caller(world)
    conversation = alice.open()
    first = terminal(alice.events(alice.ask(known, conversation)))
    second = terminal(alice.events(alice.ask(follow_up, conversation)))
    is_answer = second.get("type") == "answer"
    report.check("a follow-up is answered from the turn before", is_answer, second)
    if is_answer:
        documents = {one["permalink"] for one in first["sources"]}
        same = documents & {one["permalink"] for one in second["sources"]}
        report.check("a follow-up is answered from the same document", bool(same), second)


def _refusals(world: World, report: Report) -> None:
    for name, what in (("blocked", "guard"), ("limited", "rate_limit")):
        web = True if name == "blocked" else None
        if (found := _asked(world, report, name, web=web)) is not None:
            end = found[1]
            fits = (end.get("type"), end.get("what")) == ("refusal", what)
            report.check(f"{name}: refusal{{{what}}}", fits, end)
    if "carol" not in world.tokens:
        report.skip("refusal{access}", "needs --carol, who may read nothing")
        return
    question = world.questions.known or world.questions.any
    carol = Caller(world, "carol")
    events = carol.events(carol.ask(question))
    whole(report, "no access", question, events)
    end = terminal(events)
    fits = (end.get("type"), end.get("what")) == ("refusal", "access")
    report.check("nothing to read: refusal{access}", fits, end)
    report.check("nothing to read: no step", not any(one.event == "step" for one in events))
    found_too = carol.http.post("/v1/search", json={"query": question}).json()["hits"]
    report.check("nothing to read: no hit", found_too == [], found_too)
    starters = carol.http.get("/api/ask/starters").json()["starters"]
    report.check("nothing to read: no starter", starters == [], starters)


def _research(world: World, report: Report) -> None:
    if (found := _asked(world, report, "busy")) is None:
        return
    events, end = found
    report.check("busy: an answer", end.get("type") == "answer", end)
    if end.get("type") == "answer":
        report.check("busy: tools ran: full", end["path"]["speed"] == "full", end["path"])
    report.check("busy: several hops", events[-1].data["hops"] > 1, events[-1].data)
