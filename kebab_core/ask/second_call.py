"""The short call after an answer without a tail: what it rests on, what to ask next, the gap."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence

from kebab_core.ask.connecting import close
from kebab_core.ask.deps import AskDeps
from kebab_core.ask.json_in_prose import values
from kebab_core.ask.prompts import text
from kebab_core.ask.prompts.messages import passage
from kebab_core.ask.short_call import short_call
from kebab_core.ask.tail import KEYS, Tail
from kebab_core.ask.window import DEFAULT_WINDOW, kept_for_output
from kebab_core.errors import KebabError
from kebab_core.llm.base import ChatModel, Message
from kebab_core.llm.tokens import estimate, estimate_messages
from kebab_core.settings.model import ModelSection
from kebab_core.types import Hit, ModelCall

ROLE = "followups"
PATIENCE_S = 30.0
"""The prose is read by now, but the answer isn't over before this is."""

_FENCE = re.compile(r"<(?=\s*/?\s*answer)", re.IGNORECASE)


async def next_questions(
    model: ChatModel,
    deps: AskDeps,
    question: str,
    prose: str,
    hits: Sequence[Hit],
    *,
    count: Callable[[ModelCall], None],
) -> Tail | None:
    """What is judged and proposed of an answer that `model` gave, by the model of that place.

    None where that failed, or where `quote` answers, which judges nothing.
    """
    settings = deps.configuration.settings
    row = settings.models.followups
    other = None
    try:
        if model.provider != "quote" and row.model:
            other = model = await asyncio.to_thread(deps.model, ROLE, None)
        if model.provider == "quote":
            return None
        window = settings.ask.context_tokens or None
        return await judge(model, row, question, prose, hits, window=window, count=count)
    except KebabError:
        return None
    finally:
        if other is not None:
            await close(other)


async def judge(
    model: ChatModel,
    row: ModelSection,
    question: str,
    prose: str,
    hits: Sequence[Hit],
    *,
    window: int | None = None,
    count: Callable[[ModelCall], None],
) -> Tail | None:
    """What the model says of the answer `prose`; None if it said nothing that can be read.

    Raises the model's errors and TimedOut.
    """
    room = window or model.context_tokens or DEFAULT_WINDOW
    room -= kept_for_output(room, row.max_tokens)
    prompt = messages(question, prose, hits, room)
    written = await short_call(model, ROLE, row, prompt, within_s=PATIENCE_S, count=count)
    return parsed(written)


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


def parsed(written: str) -> Tail | None:
    """The first JSON object with a key that was asked for, whatever stands around it."""
    for value in values(written):
        if isinstance(value, dict) and value.keys() & set(KEYS):
            return Tail.of(value)
    return None
