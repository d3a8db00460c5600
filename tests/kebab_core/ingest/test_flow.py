from __future__ import annotations

import threading

import pytest

from kebab_core.ingest.flow import Flow, Shut


def test_items_come_in_order_and_end() -> None:
    flow: Flow[int] = Flow(10)
    for i in range(3):
        flow.put(i)
    flow.end()
    assert [flow.get() for _ in range(3)] == [0, 1, 2]
    with pytest.raises(Shut):
        flow.get()


def test_putting_waits_for_room_and_one_heavy_item_passes() -> None:
    flow: Flow[str] = Flow(10)
    flow.put("heavy", 50)
    done = threading.Event()

    def put() -> None:
        flow.put("second", 5)
        done.set()

    thread = threading.Thread(target=put)
    thread.start()
    assert not done.wait(0.05)
    assert flow.get() == "heavy"
    assert done.wait(5)
    thread.join()
    assert flow.get() == "second"


def test_shutting_wakes_both_sides() -> None:
    full: Flow[int] = Flow(1)
    full.put(1)
    empty: Flow[int] = Flow(1)
    woken: list[str] = []

    def wait(name: str, waiting: object) -> None:
        try:
            full.put(2) if name == "put" else empty.get()
        except Shut:
            woken.append(name)

    threads = [threading.Thread(target=wait, args=(name, None)) for name in ("put", "get")]
    for thread in threads:
        thread.start()
    full.shut()
    empty.shut()
    for thread in threads:
        thread.join(5)
    assert sorted(woken) == ["get", "put"]
