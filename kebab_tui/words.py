"""Numbers, times and foreign text as short words. Pure functions."""

from __future__ import annotations

import re
from datetime import datetime

from rich.cells import cell_len, set_cell_size

from kebab_core.api import for_display

_SPACES = re.compile(r"[\s\u2028\u2029]+")


def one_line(text: str) -> str:
    """Foreign `text` made safe, on one line."""
    return _SPACES.sub(" ", for_display(text)).strip()


def clip(text: str, cells: int) -> str:
    """`text` in at most `cells` columns, cut at a word where one is near, with an ellipsis."""
    if cell_len(text) <= cells:
        return text
    if cells <= 1:
        return "…"[:cells]
    head = set_cell_size(text, cells - 1).rstrip()
    space = head.rfind(" ")
    if space > len(head) - 12 and space > 0:
        head = head[:space].rstrip()
    return f"{head}…"


def clip_left(text: str, cells: int) -> str:
    """The end of `text` in at most `cells` columns: of a path the file's name matters most."""
    if cell_len(text) <= cells:
        return text
    tail = text
    while tail and cell_len(tail) > cells - 1:
        tail = tail[1:]
    slash = tail.find("/")
    if 0 <= slash < len(tail) // 2:
        tail = tail[slash:]
    return f"…{tail}"[: max(cells, 0)]


def count(number: int, one: str, many: str | None = None) -> str:
    """`3 passages`, `1 passage`, `9,318 passages`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def seconds(value: float) -> str:
    """`0.2 s`, `14 s`, `3 min 5 s`."""
    if value < 10:
        return f"{max(value, 0):.1f} s"
    if value < 60:
        return f"{value:.0f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def ago(moment: datetime, now: datetime) -> str:
    """`now`, `10 min ago`, `2 h ago`, `3 days ago`, then the date."""
    passed = (now - moment).total_seconds()
    if passed < 60:
        return "just now"
    if passed < 3600:
        return f"{passed // 60:.0f} min ago"
    if passed < 24 * 3600:
        return f"{passed // 3600:.0f} h ago"
    days = (now.date() - moment.astimezone(now.tzinfo).date()).days
    if days < 30:
        return f"{count(max(days, 1), 'day')} ago"
    return date(moment, now)


def date(moment: datetime, now: datetime) -> str:
    """`3 Nov`, with the year when it isn't this one."""
    local = moment.astimezone(now.tzinfo)
    day = f"{local.day} {local:%b}"
    return day if local.year == now.year else f"{day} {local.year}"


def day_of(moment: datetime, now: datetime) -> str:
    """The heading a session stands under: `Today`, `Yesterday`, `This week`, `Earlier`."""
    days = (now.date() - moment.astimezone(now.tzinfo).date()).days
    if days <= 0:
        return "Today"
    if days == 1:
        return "Yesterday"
    return "This week" if days < 7 else "Earlier"


def time_in_day(moment: datetime, now: datetime) -> str:
    """When, as it is read under its day's heading: `10 min ago`, `17:40`, `12 Nov`."""
    day = day_of(moment, now)
    if day == "Today":
        return ago(moment, now)
    local = moment.astimezone(now.tzinfo)
    if day == "Yesterday":
        return f"{local:%H:%M}"
    return f"{local:%A}" if day == "This week" else date(moment, now)
