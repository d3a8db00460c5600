from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from rich.cells import cell_len

from kebab_tui import words

NOW = datetime(2026, 3, 2, 12, 40, tzinfo=timezone(timedelta(hours=1)))


@pytest.mark.parametrize(
    ("text", "cells", "shown"),
    [
        ("leave", 5, "leave"),
        ("parental leave policy", 12, "parental…"),
        ("a_very_long_name_without_spaces", 10, "a_very_lo…"),
        ("육아 휴직 규정", 8, "육아…"),
        ("anything", 1, "…"),
        ("anything", 0, ""),
    ],
)
def test_clip_keeps_to_its_columns(text: str, cells: int, shown: str) -> None:
    assert words.clip(text, cells) == shown
    assert cell_len(words.clip(text, cells)) <= max(cells, 0)


@pytest.mark.parametrize(
    ("path", "cells", "shown"),
    [
        ("hr/leave.md", 20, "hr/leave.md"),
        ("handbook/people/hr/leave-policy.md", 20, "…/hr/leave-policy.md"),
        ("a-name-that-is-far-too-long.md", 12, "…too-long.md"),
        ("見本/休暇.md", 8, "…休暇.md"),
    ],
)
def test_of_a_path_the_end_is_kept(path: str, cells: int, shown: str) -> None:
    assert words.clip_left(path, cells) == shown
    assert cell_len(words.clip_left(path, cells)) <= cells


def test_one_line_shows_controls_and_joins_lines() -> None:
    assert words.one_line("a\x1b[31m\n\tb\u2028c ") == "a␛[31m b c"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.24, "0.2 s"), (-1, "0.0 s"), (14.4, "14 s"), (185, "3 min 5 s"), (120, "2 min")],
)
def test_seconds(value: float, shown: str) -> None:
    assert words.seconds(value) == shown


@pytest.mark.parametrize(
    ("passed", "shown"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(seconds=-20), "just now"),
        (timedelta(minutes=10), "10 min ago"),
        (timedelta(hours=2, minutes=59), "2 h ago"),
        (timedelta(days=3), "3 days ago"),
        (timedelta(days=40), "21 Jan"),
        (timedelta(days=400), "26 Jan 2025"),
    ],
)
def test_ago(passed: timedelta, shown: str) -> None:
    assert words.ago((NOW - passed).astimezone(UTC), NOW) == shown


@pytest.mark.parametrize(
    ("moment", "day", "when"),
    [
        (datetime(2026, 3, 1, 23, 30, tzinfo=UTC), "Today", "12 h ago"),  # 00:30 here
        (datetime(2026, 3, 1, 22, 30, tzinfo=UTC), "Yesterday", "23:30"),
        (datetime(2026, 2, 26, 9, 0, tzinfo=UTC), "This week", "Thursday"),
        (datetime(2026, 2, 1, 9, 0, tzinfo=UTC), "Earlier", "1 Feb"),
    ],
)
def test_days_are_those_of_the_persons_own_zone(moment: datetime, day: str, when: str) -> None:
    assert words.day_of(moment, NOW) == day
    assert words.time_in_day(moment, NOW) == when


def test_count() -> None:
    assert [words.count(n, "passage") for n in (0, 1, 9318)] == [
        "0 passages",
        "1 passage",
        "9,318 passages",
    ]
    assert words.count(2, "search", "searches") == "2 searches"
