"""Threads that hold nobody up."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from kebab_core.ask.workers import AbandonableExecutor, WorkerPool


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
