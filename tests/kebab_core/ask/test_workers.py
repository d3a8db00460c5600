"""Threads that hold nobody up."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from kebab_core.ask.event_queue import EventQueue
from kebab_core.ask.events import Token
from kebab_core.ask.gate import Gate, judge
from kebab_core.ask.record import Record
from kebab_core.ask.workers import AbandonableExecutor, WorkerPool
from kebab_core.types import Usage
from kebab_core.wire.answer import ModelRef
from tests.support.asking import LEAVE, hit


def test_no_more_threads_than_allowed_and_none_for_nothing() -> None:
    pool = WorkerPool(3, "test")
    gate, running, most = threading.Semaphore(0), [], []
    lock = threading.Lock()

    def job() -> None:
        with lock:
            running.append(threading.current_thread().name)
            most.append(len(running))
        gate.acquire()
        with lock:
            running.pop()

    for _ in range(8):
        pool.submit(job)
    for _ in range(8):
        gate.release()
    deadline = time.monotonic() + 5
    while len(most) < 8 or running:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    assert max(most) <= 3
    names = {thread.name for thread in threading.enumerate()}
    assert {"test-1", "test-2", "test-3"} <= names
    assert "test-4" not in names


def test_an_idle_thread_is_used_again() -> None:
    pool = WorkerPool(4, "again")
    for _ in range(5):
        done = threading.Event()
        pool.submit(done.set)
        assert done.wait(5)
        time.sleep(0.02)
    assert sum(thread.name.startswith("again-") for thread in threading.enumerate()) == 1


def test_a_stuck_call_is_left_behind() -> None:
    free = threading.Event()

    async def main() -> str:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(AbandonableExecutor())
        assert await asyncio.to_thread(lambda: 41 + 1) == 42
        with pytest.raises(ZeroDivisionError):
            await asyncio.to_thread(lambda: 1 / 0)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await asyncio.to_thread(free.wait, 30)
        return "left"

    begun = time.monotonic()
    assert asyncio.run(main()) == "left"
    assert time.monotonic() - begun < 5
    free.set()
    time.sleep(0.05)


def test_a_full_queue_makes_its_producer_wait() -> None:
    queue = EventQueue(2)

    async def produce() -> None:
        for n in range(5):
            await queue.put(Token(str(n), None))
        queue.end()

    thread = threading.Thread(target=lambda: asyncio.run(produce()))
    thread.start()
    time.sleep(0.05)
    assert len(queue._events) == 2
    read = []
    while (event := queue.get(5)) is not None:
        read.append(event)
    thread.join(5)
    assert [event.delta for event in read if isinstance(event, Token)] == list("01234")
    assert queue.is_over


def test_closing_frees_the_producer_and_drops_what_is_left() -> None:
    queue = EventQueue(1)
    passed = threading.Event()

    async def produce() -> None:
        for n in range(5):
            await queue.put(Token(str(n), None))
        passed.set()

    thread = threading.Thread(target=lambda: asyncio.run(produce()))
    thread.start()
    time.sleep(0.05)
    assert not passed.is_set()
    queue.close()
    assert passed.wait(5)
    thread.join(5)
    assert queue.get() is None


def test_waiting_for_an_event_has_an_end() -> None:
    queue = EventQueue(1)
    assert queue.get(0.01) is None
    assert not queue.is_over


def test_the_gate() -> None:
    assert judge(LEAVE, 0.5) == Gate(0.5, 0.8)
    assert not judge(LEAVE, 0.8).is_weak
    assert judge(LEAVE, 0.81).is_weak
    assert judge([hit("x", relevance=None)], 0.0).is_weak
    assert judge([], 0.0).is_weak


def test_costs_add_up_and_an_unknown_one_stays_unknown() -> None:
    def record() -> Record:
        return Record("t", ModelRef(id="m", provider="p"), "hybrid", 8)

    none = record()
    assert (none.usage().usd, none.usage().usd_source) == (None, "none")
    known = record()
    known.count_call(Usage(10, 2), 0.5, "reported")
    assert (known.usage().usd, known.usage().usd_source) == (0.5, "reported")
    known.count_call(Usage(1, 1), 0.25, "table")
    usage = known.usage()
    assert (usage.usd, usage.usd_source) == (0.75, "table")
    assert (usage.prompt_tokens, usage.completion_tokens) == (11, 3)
    known.count_call(None, None, "none")
    assert (known.usage().usd, known.usage().usd_source) == (None, "none")
    known.count_call(Usage(), 0.1, "reported")
    assert (known.usage().usd, known.usage().usd_source) == (None, "none")
