from __future__ import annotations

import pytest

from kebab_tui.pace import FRAME_S, Pace


class Times:
    wall = 0.0
    work = 0.0

    def draw(self, pace: Pace, cost: float) -> None:
        pace.begin()
        self.wall += cost
        self.work += cost
        pace.end()


@pytest.fixture
def times() -> Times:
    return Times()


@pytest.fixture
def pace(times: Times) -> Pace:
    return Pace(lambda: times.wall, lambda: times.work)


def test_the_first_is_drawn_at_once(pace: Pace) -> None:
    assert pace.wait() == 0


def test_cheap_frames_come_thirty_times_a_second(pace: Pace, times: Times) -> None:
    times.draw(pace, 0.002)
    assert pace.wait() == pytest.approx(FRAME_S - 0.002)
    times.wall += 1
    assert pace.wait() == 0


def test_dear_frames_leave_three_quarters_of_the_time_to_the_keys(pace: Pace, times: Times) -> None:
    for _ in range(20):
        times.draw(pace, 0.06)
        times.wall += pace.wait()
    started = times.wall
    worked = times.work
    for _ in range(10):
        times.draw(pace, 0.06)
        times.wall += pace.wait()
    assert (times.work - worked) / (times.wall - started) == pytest.approx(1 / 4, rel=0.05)


def test_one_slow_frame_is_soon_forgotten(pace: Pace, times: Times) -> None:
    times.draw(pace, 0.5)
    times.wall += 1
    times.draw(pace, 0.005)
    assert pace.wait() <= FRAME_S


def test_layouts_for_other_reasons_count_for_nothing(pace: Pace, times: Times) -> None:
    times.draw(pace, 0.005)
    times.work += 9
    pace.end()
    assert pace.wait() <= FRAME_S
