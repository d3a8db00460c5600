"""Between a run and its reader."""

from __future__ import annotations

import asyncio
import threading
import time

from kebab_core.ask.event_queue import EventQueue
from kebab_core.ask.events import Token


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
