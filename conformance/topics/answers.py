"""`/api/ask`, its starters, `/v1/search`."""

from __future__ import annotations

from conformance.report import Report
from conformance.schema import wrong_by
from conformance.world import Caller, World

TITLE = "Answers and searches"


def run(world: World, report: Report) -> None:
    alice = Caller(world)
    question = world.questions.known or world.questions.any
    reply = alice.http.post(
        "/api/ask", json={"question": question}, headers={"Accept": "text/event-stream"}
    )
    report.check("/api/ask: 200", reply.status_code == 200, reply.status_code)
    lines = reply.text.split("\n")
    names = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
    report.check("/api/ask: sources first, once", names[:1] == ["sources"] and
                 names.count("sources") == 1, names[:3])  # fmt: skip
    middle = set(names[1:-1]) <= {"delta"}
    report.check("/api/ask: then deltas, then one done", middle and names[-1] == "done", names[-3:])
    whole = alice.http.post("/api/ask", json={"question": question})
    wrong = wrong_by("PageAnswer", whole.json())
    report.check("/api/ask as JSON is described", wrong is None, wrong)
    long = alice.http.post("/api/ask", json={"question": "x" * 2001}).status_code
    report.check("/api/ask: a question past 2,000 characters: 422", long == 422, long)
    starters = alice.http.get("/api/ask/starters")
    wrong = wrong_by("StarterList", starters.json())
    report.check("starters are described", wrong is None, wrong)
    found = alice.http.post("/v1/search", json={"query": question})
    wrong = wrong_by("SearchResponse", found.json())
    report.check("/v1/search is described", wrong is None, wrong)
    other = alice.http.post(
        "/v1/conversations", json={}, headers={"Origin": "https://evil.example"}
    )
    report.check("a page of another origin: 403", other.status_code == 403, other.status_code)
