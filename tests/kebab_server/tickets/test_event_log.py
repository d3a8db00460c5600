"""What a log keeps, and how its readers are woken."""

from __future__ import annotations

import asyncio

import pytest

from kebab_server.tickets.event_log import EventLog


def filled(size: int | None, droppable: str) -> EventLog:
    """A letter an event; those in `droppable` may go."""
    log = EventLog(size)
    for letter in "abcdefgh":
        log.append(letter, letter.encode(), droppable=letter in droppable)
    return log


def names(log: EventLog, after: int = 0) -> str:
    return "".join(frame.event for frame in log.after(after))


def test_overflow_drops_the_oldest_that_may_go() -> None:
    log = filled(5, "bcg")
    assert names(log) == "adefh"
    assert [frame.id for frame in log.after(0)] == [1, 4, 5, 6, 8]


def test_what_may_not_go_stays_past_the_size() -> None:
    assert names(filled(3, "")) == "abcdefgh"


@pytest.mark.parametrize("after", range(10))
def test_a_closed_log_replays_the_same(after: int) -> None:
    log = filled(6, "bc")
    before = log.after(after)
    log.close()
    log.close()
    assert [(f.id, f.event, f.data) for f in log.after(after)] == [
        (f.id, f.event, f.data) for f in before
    ]
    with pytest.raises(ValueError, match="closed"):
        log.append("i", b"i")


async def test_every_reader_is_woken_by_an_event_and_by_the_end() -> None:
    log = EventLog()
    readers = [asyncio.create_task(log.wait(0, 30)) for _ in range(50)]
    await asyncio.sleep(0)
    log.append("a", b"a")
    assert await asyncio.gather(*readers) == [True] * 50
    last = asyncio.create_task(log.wait(1, 30))
    await asyncio.sleep(0)
    log.close()
    assert await last


async def test_quiet_is_told() -> None:
    log = EventLog()
    assert not await log.wait(0, 0.01)
    log.append("a", b"a")
    assert await log.wait(0, 0.01)
