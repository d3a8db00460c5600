"""Prompts put together: system text, earlier turns, passages fenced as data, the question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kebab_core.ask import prompts
from kebab_core.llm.base import Message
from kebab_core.text.clean import for_model
from kebab_core.text.language import detect
from kebab_core.types import Hit, heading_label

# Whatever in a passage looks like the fence itself is broken up.
_FENCE = re.compile(r"<(?=\s*/?\s*passage)", re.IGNORECASE)
_LANGUAGES = {
    "ar": "Arabic",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "sv": "Swedish",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "vi": "Vietnamese",
    "zh": "Chinese",
}
_LIMITED = (
    "A part of the search did not run, so the documents may hold more than these passages. "
    "Do not claim that they lack something."
)


def grounded(
    question: str,
    hits: Sequence[Hit],
    history: Sequence[Message] = (),
    *,
    limited: bool = False,
    with_tail: bool = False,
) -> tuple[Message, ...]:
    """The prompt of an answer from numbered passages.

    `limited`: a search channel did not run; `with_tail`: the model is asked for a tail.
    """
    told = [prompts.text("answer"), *([prompts.text("tail")] if with_tail else [])]
    parts = [passage(hit) for hit in hits] or ["No passage was found."]
    if limited:
        parts.append(_LIMITED)
    parts.append(f"Question: {question}")
    if (name := _LANGUAGES.get(detect(question) or "")) is not None:
        parts.append(f"Answer in {name}.")
    return (
        Message("system", "\n\n".join(told)),
        *history,
        Message("user", "\n\n".join(parts)),
    )


def with_tools(prompt: Sequence[Message]) -> tuple[Message, ...]:
    """The prompt of a turn that may call tools: what `grounded` gives, and how to use them."""
    system, *rest = prompt
    told = f"{system.content}\n\n{prompts.text('tools')}"
    return (replace(system, content=told), *rest)


def ungrounded(question: str, history: Sequence[Message] = ()) -> tuple[Message, ...]:
    """The prompt of an answer from general knowledge."""
    return (Message("system", prompts.text("chance")), *history, Message("user", question))


def passage(hit: Hit) -> str:
    """One passage, fenced and numbered; nothing in it can close the fence."""
    chunk = hit.chunk
    named = {
        "n": str(hit.n),
        "title": hit.title,
        "section": heading_label(chunk.heading_path),
        "source": hit.url or chunk.doc_path,
        "page": str(chunk.page or ""),
    }
    attributes = "".join(f' {name}="{one_line(value)}"' for name, value in named.items() if value)
    return f"<passage{attributes}>\n{_fenced(chunk.text).strip()}\n</passage>"


def _fenced(text: str) -> str:
    return _FENCE.sub("‹", for_model(text))


def one_line(value: str) -> str:
    """A title or a path that can stand within a fence's own line, or in a list."""
    return " ".join(_fenced(value).replace('"', "'").replace(">", "›").split())
