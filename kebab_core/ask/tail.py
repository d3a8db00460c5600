"""What a model says of its own answer: what it rests on, what to ask next, what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kebab_core.ask.json_in_prose import questions

KEYS = ("cited", "followups", "gap")
MAX_FOLLOWUPS = 3
MAX_TITLE = 120
_NO_GAP = {"", "none", "null", "false", "n/a"}


@dataclass(frozen=True, slots=True)
class Tail:
    """`cited` None: it named none. `gap_reason` None: nothing is missing."""

    cited: tuple[int, ...] | None = None
    followups: tuple[str, ...] = ()
    gap_reason: str | None = None
    gap_title: str | None = None

    @classmethod
    def of(cls, value: Mapping[str, object]) -> Tail:
        """Read as leniently as models write it; what makes no sense is left out."""
        cited = value.get("cited")
        reason, title = _gap(value.get("gap"))
        return cls(
            cited=_numbers(cited) if isinstance(cited, list) else None,
            # One more, since the question itself may be among them.
            followups=questions(value.get("followups"), MAX_FOLLOWUPS + 1),
            gap_reason=reason,
            gap_title=title,
        )


def _numbers(cited: list[object]) -> tuple[int, ...]:
    """Also of models that write `"[2]"` for 2."""
    found = (str(n).strip(" []") for n in cited if isinstance(n, (int, str)))
    return tuple(int(n) for n in found if n.isascii() and n.isdigit() and len(n) < 5)


def _gap(gap: object) -> tuple[str | None, str | None]:
    """Reason and title; a reason that isn't known is the common one."""
    said = (gap.get("reason"), gap.get("suggested_title")) if isinstance(gap, dict) else (None, gap)
    reason, title = (_meant(part) for part in said)
    if reason is None and title is None:
        return None, None
    return ("search-limited", None) if reason == "search-limited" else ("not-covered", title)


def _meant(part: object) -> str | None:
    shown = " ".join(part.split()) if isinstance(part, str) else ""
    return None if shown.casefold() in _NO_GAP else shown[:MAX_TITLE]
