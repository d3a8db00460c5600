"""`kebab ask --stream` and `--json` in the good cases: the contract that agents rely on."""

from __future__ import annotations

import json
from typing import Any

from kebab_core.testing import ScriptedModel
from kebab_core.testing.script import Pause, Say
from tests.support.program import Kebab
from tests.support.schemas import valid

NOTICE = "How long is the notice period?"
SAID = ["The notice period ", "is four weeks", " [1]", "."]
UNKNOWN = "Which telescope photographed the rings of Saturn first?"


def read_stream(stderr: str, stdout: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Validated events and answer, and all that must hold between them."""
    events = [valid("answer_event", line) for line in stderr.splitlines()]
    [line] = stdout.splitlines()
    answer = valid("answer", line)
    kinds = [event["kind"] for event in events]
    assert kinds == ["retrieval_done", *["token"] * (len(kinds) - 2), "final"]
    assert events[-1]["answer"] == answer
    places = [hit["citation"] for hit in events[0]["hits"]]
    assert all(cited["citation"] in places for cited in answer["citations"])
    if not answer.get("not_found"):
        said = "".join(event["delta"] for event in events if event["kind"] == "token")
        assert said == answer["answer"]
    return events, answer


def test_events_in_order_and_the_answer_last(asking: Kebab) -> None:
    with ScriptedModel([[Say(SAID)]]) as model:
        done = asking("ask", "--stream", NOTICE, env=model.environment)
    assert done.returncode == 0, done.stderr
    events, answer = read_stream(done.stderr, done.stdout)
    assert answer["grounding"] == "cited"
    assert answer["citations"][0]["citation"]["path"] == "leave.md"
    assert [hit["n"] for hit in events[0]["hits"]] == list(range(1, len(events[0]["hits"]) + 1))


def test_the_built_in_answerer_streams_too(asking: Kebab) -> None:
    done = asking("ask", "--stream", "--model", "quote", NOTICE)
    assert done.returncode == 0, done.stderr
    events, answer = read_stream(done.stderr, done.stdout)
    assert "four weeks" in answer["answer"]
    assert answer["model"]["provider"] == "quote"
    assert len(events) >= 3


def test_each_event_is_flushed_when_it_happens(asking: Kebab) -> None:
    with ScriptedModel([[Say("Four "), Pause(30), Say("weeks.")]]) as model:
        asking.variables.update(model.environment)
        with asking.start("ask", "--stream", NOTICE) as process:
            assert process.stderr is not None
            kinds = [json.loads(process.stderr.readline())["kind"] for _ in range(2)]
            assert process.poll() is None
            process.terminate()
    assert kinds == ["retrieval_done", "token"]


def test_json_is_one_object_and_nothing_else(asking: Kebab) -> None:
    with ScriptedModel([[Say(SAID)]]) as model:
        done = asking("ask", "--json", NOTICE, env=model.environment)
    assert (done.returncode, done.stderr) == (0, "")
    [line] = done.stdout.splitlines()
    assert valid("answer", line)["answer"] == "".join(SAID)


def test_what_the_documents_do_not_hold(asking: Kebab) -> None:
    done = asking("ask", "--stream", "--model", "quote", UNKNOWN)
    assert done.returncode == 1, done.stderr
    events, answer = read_stream(done.stderr, done.stdout)
    assert [event["kind"] for event in events] == ["retrieval_done", "final"]
    assert (answer["grounded"], answer["not_found"]) == (False, True)
    assert answer["refusal_reason"]
    assert answer["suggestions"]


def test_filters_that_match_nothing_abstain(asking: Kebab) -> None:
    done = asking("ask", "--json", "--model", "quote", "--path", "nowhere/*", NOTICE)
    assert done.returncode == 1
    assert valid("answer", done.stdout)["refusal_reason"] == "no_chunks"


def test_a_question_can_come_by_stdin(asking: Kebab) -> None:
    done = asking("ask", "--json", "--model", "quote", "-", stdin=NOTICE + "\n")
    assert done.returncode == 0
    assert "four weeks" in valid("answer", done.stdout)["answer"]


def test_sessions_go_on(asking: Kebab) -> None:
    first = valid(
        "answer", asking("ask", "--json", "--model", "quote", "--session", "new", NOTICE).stdout
    )
    name = first["conversation_id"]
    second = asking("ask", "--json", "--model", "quote", "--session", name, "How many days?")
    third = asking("ask", "--json", "--model", "quote", "--continue", "Who gets them?")
    assert valid("answer", second.stdout)["turn_index"] == 1
    assert valid("answer", third.stdout)["conversation_id"] == name
    shown = valid("session", asking("sessions", "show", name, "--json").stdout)
    assert [turn["turn_index"] for turn in shown["turns"]] == [0, 1, 2]


def test_nothing_is_kept_with_no_save(asking: Kebab) -> None:
    assert asking("ask", "--json", "--model", "quote", "--no-save", NOTICE).returncode == 0
    assert asking("sessions", "list", "--json", "--one-offs").stdout == ""


def test_a_model_by_flag_is_asked(asking: Kebab) -> None:
    with ScriptedModel([[Say(SAID)]]) as model:
        environment = {
            name: value
            for name, value in model.environment.items()
            if not name.startswith("KEBAB_MODEL")
        }
        done = asking("ask", "--json", "--model", "openai-compatible:tiny", NOTICE, env=environment)
    assert done.returncode == 0, done.stderr
    assert model.requests[0].body["model"] == "tiny"


def test_two_processes_in_one_session_at_the_same_time(asking: Kebab) -> None:
    first = json.loads(asking("ask", "--session", "new", "--json", NOTICE).stdout)
    name = first["conversation_id"]
    with ScriptedModel(lambda _: [Say("The notice period is four weeks [1].")]) as model:
        asking.variables.update(model.environment)
        pair = [asking.start("ask", "--json", "--session", name, NOTICE) for _ in range(2)]
        ended = [(process.communicate(timeout=60)[0], process.returncode) for process in pair]
    assert [code for _, code in ended] == [0, 0]
    assert sorted(json.loads(answer)["turn_index"] for answer, _ in ended) == [1, 2]
    kept = json.loads(asking("sessions", "show", name, "--json").stdout)
    assert [turn["turn_index"] for turn in kept["turns"]] == [0, 1, 2]
    assert {turn["state"] for turn in kept["turns"]} == {"answered"}
    assert all(turn["evidence"] for turn in kept["turns"])
