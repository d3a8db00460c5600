"""The short call after an answer without a tail: what it rests on, what to ask next, the gap."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from kebab_core.ask.json_in_prose import questions, values
from kebab_core.ask.prompts import text
from kebab_core.ask.prompts.messages import passage
from kebab_core.ask.short_call import short_call
from kebab_core.ask.stream.tail import Tail
from kebab_core.ask.window import DEFAULT_WINDOW, kept_for_output
from kebab_core.llm.base import ChatModel, Message
from kebab_core.llm.tokens import estimate, estimate_messages
from kebab_core.settings.model import ModelSection
from kebab_core.types import Hit, ModelCall

ROLE = "followups"
MAX_FOLLOWUPS = 3
MAX_TITLE = 120
PATIENCE_S = 30.0
"""The prose is read by now, but the answer isn't over before this is."""

_FENCE = re.compile(r"<(?=\s*/?\s*answer)", re.IGNORECASE)
_KEYS = {"cited", "followups", "gap"}
_NO_GAP = {"", "none", "null", "false", "n/a"}


async def judge(
    model: ChatModel,
    row: ModelSection,
    question: str,
    prose: str,
    hits: Sequence[Hit],
    *,
    limited: bool,
    window: int | None = None,
    count: Callable[[ModelCall], None],
) -> Tail | None:
    """What the model says of the answer `prose`; None if it said nothing that can be read.

    `limited` (a search channel did not run) decides the reason of a gap. Raises the model's
    errors and TimedOut.
    """
    room = window or model.context_tokens or DEFAULT_WINDOW
    room -= kept_for_output(room, row.max_tokens)
    prompt = messages(question, prose, hits, room)
    written = await short_call(model, ROLE, row, prompt, within_s=PATIENCE_S, count=count)
    return parsed(written, question, limited=limited)


def messages(question: str, prose: str, hits: Sequence[Hit], room: int) -> tuple[Message, ...]:
    """The prompt, with as many passages, in order, as `room` tokens can take."""
    end = f"Question: {question}\n\n<answer>\n{_FENCE.sub('‹', prose)}\n</answer>"
    system = Message("system", text("followups"))
    room -= estimate_messages((system, Message("user", end)))
    shown = []
    for hit in hits:
        fenced = passage(hit)
        room -= estimate(fenced) + 1
        if room < 0:
            break
        shown.append(fenced)
    return system, Message("user", "\n\n".join([*shown, end]))


def parsed(written: str, question: str, *, limited: bool) -> Tail | None:
    """The first JSON object with a key that was asked for, whatever stands around it."""
    for value in values(written):
        if isinstance(value, dict) and _KEYS & value.keys():
            break
    else:
        return None
    proposed = questions(value.get("followups"), MAX_FOLLOWUPS + 1)
    asked = question.casefold().strip()
    reason, title = _gap(value.get("gap"), limited=limited)
    cited = value.get("cited")
    return Tail(
        cited=_numbers(cited) if isinstance(cited, list) else None,
        followups=tuple(one for one in proposed if one.casefold() != asked)[:MAX_FOLLOWUPS],
        gap_reason=reason,
        gap_title=title,
    )


def _numbers(cited: list[object]) -> tuple[int, ...]:
    """Also of models that write `"[2]"` for 2."""
    found = (str(n).strip(" []") for n in cited if isinstance(n, (int, str)))
    return tuple(int(n) for n in found if n.isascii() and n.isdigit() and len(n) < 5)


def _gap(gap: object, *, limited: bool) -> tuple[str | None, str | None]:
    """Reason and title. What a search that didn't run in full missed may be there after all."""
    said = (gap.get("reason"), gap.get("suggested_title")) if isinstance(gap, dict) else (None, gap)
    reason, title = (_meant(part) for part in said)
    if reason is None and title is None:
        return None, None
    return ("search-limited", None) if limited else ("not-covered", title)


def _meant(part: object) -> str | None:
    shown = " ".join(part.split()) if isinstance(part, str) else ""
    return None if shown.casefold() in _NO_GAP else shown[:MAX_TITLE]
