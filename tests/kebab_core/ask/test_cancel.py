"""Stopping a run: from outside, by its reader leaving, by its time running out."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kebab_core.ask.events import Final, RetrievalDone, StreamEvent, Token
from kebab_core.ask.run import MAX_EVENTS, MAX_RUNS, AskRun
from kebab_core.errors import TimedOut
from kebab_core.sessions import MemorySessions
from kebab_core.testing.model import Hang, Pause, Say, ScriptedModel
from kebab_core.types import AskOptions
from kebab_core.wire.session import Turn
from tests.support.asking import Corpus, configured, deps

REPO = Path(__file__).resolve().parents[3]
QUESTION = "How long is parental leave?"


def soon(fact: Callable[[], bool], seconds: float = 5.0) -> bool:
    deadline = time.monotonic() + seconds
    while not fact():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def only_turn(sessions: MemorySessions) -> Turn:
    [session] = sessions.list(one_offs=True)
    [turn] = sessions.get(session.session_id).turns or []
    return turn


def test_cancelled_while_the_model_is_silent(tmp_path: Path) -> None:
    sessions = MemorySessions()
    with ScriptedModel([[Say("It is [1]"), Hang()]]) as model:
        run = AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model), sessions=sessions))
        events = iter(run)
        assert isinstance(next(events), RetrievalDone)
        seen = ""
        while seen != "It is [1]":
            event = next(events)
            assert isinstance(event, Token)
            seen += event.delta
        begun = time.monotonic()
        run.cancel("stopped by the person")
        assert next(events, None) is None
        answer = run.result(2)
        assert time.monotonic() - begun < 2
        assert model.wait_hangup(2)
        assert model.hangups[0].at - begun < 2
    assert run.cancelled == "stopped by the person"
    assert run.partial is answer
    assert answer.answer == "It is [1]"
    assert (answer.finish_reason, answer.refusal_reason) == ("cancelled", "llm_stream_aborted")
    assert (answer.grounded, answer.grounding) == (False, "none")
    turn = only_turn(sessions)
    assert turn.state == "cancelled"
    assert turn.answer is not None
    assert turn.answer.to_line() == answer.to_line()
    assert len(turn.evidence) == 3


def test_cancelled_while_a_reader_waits_in_another_thread(tmp_path: Path) -> None:
    with ScriptedModel([[Hang()]]) as model:
        run = AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model)))
        seen: list[object] = []
        has_read = threading.Event()

        def follow() -> None:
            for event in run:
                seen.append(event)
                has_read.set()

        reader = threading.Thread(target=follow)
        reader.start()
        assert model.wait_requests()
        # What nobody has read when a run is cancelled is never read.
        assert has_read.wait(10)
        run.cancel()
        reader.join(2)
        assert not reader.is_alive()
        assert [type(event) for event in seen] == [RetrievalDone]
        assert run.result(2).answer == ""


def test_cancelled_while_the_search_is_stuck(tmp_path: Path) -> None:
    stuck, free = threading.Event(), threading.Event()

    def block() -> None:
        stuck.set()
        free.wait(30)

    sessions = MemorySessions()
    run = AskRun(QUESTION, AskOptions(), deps(configured(tmp_path), Corpus(before=block), sessions))
    assert stuck.wait(5)
    begun = time.monotonic()
    run.cancel()
    assert list(run) == []
    answer = run.result(2)
    assert time.monotonic() - begun < 2
    free.set()
    assert answer.answer == ""
    assert answer.retrieval.chunks_returned == 0
    assert only_turn(sessions).state == "cancelled"


def test_cancelled_while_the_model_is_being_made(tmp_path: Path) -> None:
    free = threading.Event()

    def slow(role: str, override: str | None) -> object:
        free.wait(30)
        raise AssertionError("nobody waits for it any more")

    needs = deps(configured(tmp_path), model=slow)
    run = AskRun(QUESTION, AskOptions(), needs)
    assert isinstance(run.next_event(5), RetrievalDone)
    run.cancel()
    assert run.result(2).refusal_reason == "llm_stream_aborted"
    free.set()


def test_cancelling_again_changes_nothing(tmp_path: Path) -> None:
    with ScriptedModel([[Hang()]]) as model:
        run = AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model)))
        assert model.wait_requests()
        threads = [threading.Thread(target=run.cancel, args=(f"{i}",)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        first = run.cancelled
        answer = run.result(2)
        run.cancel("later")
        run.close()
        assert run.cancelled == first
        assert run.result(0) is answer


def test_cancelled_after_the_end_it_is_whole(tmp_path: Path) -> None:
    sessions = MemorySessions()
    run = AskRun(QUESTION, AskOptions(), deps(configured(tmp_path), sessions=sessions))
    answer = run.result(5)
    run.cancel()
    assert list(run) == []
    assert run.cancelled is None
    assert run.result(0) is answer
    assert answer.grounded
    assert only_turn(sessions).state == "answered"


def test_leaving_the_block_cancels(tmp_path: Path) -> None:
    with ScriptedModel([[Say("It is"), Hang()]]) as model:
        with AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model))) as run:
            for event in run:
                if isinstance(event, Token):
                    break
        assert model.wait_hangup(2)
        assert run.result(2).finish_reason == "cancelled"


def test_a_forgotten_run_is_cancelled(tmp_path: Path) -> None:
    with ScriptedModel([[Say("It is"), Hang()]]) as model:
        run = AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model)))
        assert model.wait_requests()
        del run
        gc.collect()
        assert model.wait_hangup(2)


def test_a_slow_reader_makes_the_model_wait(tmp_path: Path) -> None:
    words = [f"word{n} " for n in range(4 * MAX_EVENTS)]
    with ScriptedModel([[Say(words)]]) as model:
        run = AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model)))
        queue = run._events
        assert soon(lambda: len(queue._events) == MAX_EVENTS)
        time.sleep(0.05)
        assert len(queue._events) == MAX_EVENTS
        events = list(run)
        assert len(events) == len(words) + 2
        assert "".join(e.delta for e in events if isinstance(e, Token)) == "".join(words).strip()


def test_a_reader_that_leaves_unblocks_a_full_queue(tmp_path: Path) -> None:
    with ScriptedModel([[Say([f"word{n} " for n in range(4 * MAX_EVENTS)]), Hang()]]) as model:
        run = AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model)))
        assert soon(lambda: len(run._events._events) == MAX_EVENTS)
        run.close()
        answer = run.result(2)
        assert model.wait_hangup(2)
    assert answer.answer.startswith("word0 word1")
    assert answer.finish_reason == "cancelled"


def test_the_result_needs_no_reader(tmp_path: Path) -> None:
    words = [f"word{n} " for n in range(3 * MAX_EVENTS)]
    with ScriptedModel([[Say(words)]]) as model:
        run = AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model)))
        answer = run.result(10)
        events = list(run)
    assert answer.answer == "".join(words).strip()
    assert len(events) == len(words) + 2
    assert isinstance(events[-1], Final)


def test_waiting_for_the_result_can_run_out(tmp_path: Path) -> None:
    with ScriptedModel([[Pause(0.3), Say("26 weeks [1].")]]) as model:
        run = AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model)))
        with pytest.raises(TimedOut, match="isn't over"):
            run.result(0.01)
        assert run.result(5).answer == "26 weeks [1]."


def test_waiting_for_an_event_can_run_out(tmp_path: Path) -> None:
    with ScriptedModel([[Pause(0.5), Say("26 weeks [1].")]]) as model:
        run = AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model)))
        assert isinstance(run.next_event(5), RetrievalDone)
        assert run.next_event(0.01) is None
        assert not run.ended
        assert [type(event) for event in run] == [Token, Final]
        assert run.next_event() is None
        assert run.ended


@pytest.mark.parametrize("limit", ["timeout", "answer_s"])
def test_time_runs_out(tmp_path: Path, limit: str) -> None:
    sessions = MemorySessions()
    with ScriptedModel([[Say("It is [1]"), Hang()]]) as model:
        settings = {"ask.answer_s": 0.5} if limit == "answer_s" else {}
        run = AskRun(
            QUESTION,
            AskOptions(timeout_s=0.7 if limit == "timeout" else None),
            deps(configured(tmp_path, model, settings), sessions=sessions),
        )
        events: list[StreamEvent] = []
        with pytest.raises(TimedOut) as failed:
            events.extend(run)
        assert model.wait_hangup(2)
    assert failed.value.hint
    assert run.cancelled is None
    assert run.partial is not None
    assert run.partial.answer == "It is [1]"
    assert run.partial.refusal_reason == "llm_stream_aborted"
    turn = only_turn(sessions)
    assert turn.state == "cancelled"
    assert turn.answer is not None
    assert turn.answer.answer == "It is [1]"
    assert turn.error is not None
    assert turn.error.code == "timeout"
    with pytest.raises(TimedOut):
        run.result(0)


def test_sixteen_run_and_the_rest_waits_in_line(tmp_path: Path) -> None:
    with ScriptedModel([[Hang()]], repeat=True) as model:
        needs = deps(configured(tmp_path, model))
        runs = [AskRun(QUESTION, AskOptions(), needs) for _ in range(MAX_RUNS)]
        assert model.wait_requests(MAX_RUNS, 20)
        waiting, last = (AskRun(QUESTION, AskOptions(), needs) for _ in range(2))
        assert waiting.next_event(0.2) is None
        last.cancel()
        assert last.result(1).refusal_reason == "llm_stream_aborted"
        runs[0].cancel()
        assert isinstance(waiting.next_event(5), RetrievalDone)
        for run in (*runs, waiting):
            run.cancel()
        for run in (*runs, waiting):
            assert run.result(5).finish_reason == "cancelled"


STUCK = """
import sys, threading, time
from pathlib import Path
from kebab_core.ask.run import AskRun
from kebab_core.sessions import SqliteSessions
from kebab_core.types import AskOptions
from tests.support.asking import Corpus, configured, deps
folder = Path(sys.argv[1])
stuck = threading.Event()
def block():
    stuck.set()
    time.sleep(60)
needs = deps(configured(folder), Corpus(before=block), SqliteSessions(folder / "s.sqlite3"))
run = AskRun("How long?", AskOptions(), needs)
assert stuck.wait(10)
print("leaving", time.time(), flush=True)
"""


def test_a_stuck_search_does_not_hold_up_the_end_of_the_process(tmp_path: Path) -> None:
    from kebab_core.sessions import SqliteSessions

    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(STUCK), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=30,
        cwd=REPO,
        env={**os.environ, "PYTHONPATH": str(REPO)},
        check=True,
    )
    ended = time.time()
    word, left = done.stdout.split()
    assert word == "leaving"
    assert ended - float(left) < 3
    assert done.stderr == ""
    sessions = SqliteSessions(tmp_path / "s.sqlite3")
    [session] = sessions.list(one_offs=True)
    [turn] = sessions.get(session.session_id).turns or []
    assert turn.state == "cancelled"
