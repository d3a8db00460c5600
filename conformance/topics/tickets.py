"""A ticket, and what gets none."""

from __future__ import annotations

from conformance.report import Report
from conformance.schema import wrong_by
from conformance.world import Caller, World

TITLE = "Tickets"


def run(world: World, report: Report) -> None:
    alice = Caller(world)
    opened = alice.http.post("/v1/conversations", json={})
    report.check("a conversation: 201", opened.status_code == 201, opened.status_code)
    wrong = wrong_by("ConversationMade", opened.json())
    report.check("it is described", wrong is None, wrong)
    conversation = opened.json()["conversation_id"]
    usual = world.questions.known or world.questions.any
    made = alice.try_ask(conversation, usual)
    report.check("an ask: 202", made.status_code == 202, made.status_code)
    wrong = wrong_by("TicketMade", made.json())
    report.check("its ticket is described", wrong is None, wrong)
    report.check("it comes before anything runs: seq 0", made.json()["seq"] == 0, made.json())
    alice.events(made.json()["ticket"])
    second = alice.try_ask(conversation, usual).json()
    turns = (made.json()["turn"], second["turn"])
    report.check("turns count up", turns[1] == turns[0] + 1, turns)
    alice.events(second["ticket"])
    _bodies(alice, report, conversation)
    _busy(world, alice, report)


def _bodies(alice: Caller, report: Report, conversation: str) -> None:
    path = f"/v1/conversations/{conversation}/asks"
    bodies: dict[str, bytes] = {
        "no body": b"",
        "a body that isn't JSON": b"question=what",
        "a body that is a list": b"[]",
        "no question": b"{}",
        "an empty question": b'{"question": ""}',
        "a blank question": b'{"question": " \\n "}',
        "a question that is a number": b'{"question": 1}',
        "an unknown field": b'{"question": "What?", "colour": "red"}',
        "a question past 8,000 characters": b'{"question": "' + b"x" * 8001 + b'"}',
    }
    for name, body in bodies.items():
        reply = alice.http.post(path, content=body, headers={"Content-Type": "application/json"})
        report.check(f"{name}: 422", reply.status_code == 422, reply.status_code)
        wrong = wrong_by("Error", reply.json())
        report.check(f"{name}: an error.v1", wrong is None, wrong)
    nothing = alice.try_ask("no-such-conversation", "What?")
    report.check("an unknown conversation: 404", nothing.status_code == 404, nothing.status_code)


def _busy(world: World, alice: Caller, report: Report) -> None:
    if world.questions.slow is None:
        report.skip("409 while an ask runs in the conversation", "needs --slow")
        return
    conversation = alice.open()
    ticket = alice.ask(world.questions.slow, conversation)
    status = alice.try_ask(conversation, world.questions.slow).status_code
    report.check("409 while an ask runs in the conversation", status == 409, status)
    elsewhere = alice.ask(world.questions.known or world.questions.any)
    ended = alice.events(elsewhere)[-1].event
    report.check("another conversation goes on meanwhile", ended == "done", ended)
    alice.cancel(ticket)
    again = alice.try_ask(conversation, world.questions.known or world.questions.any)
    report.check("a cancelled ask leaves it free", again.status_code == 202, again.status_code)
    alice.events(again.json()["ticket"])
