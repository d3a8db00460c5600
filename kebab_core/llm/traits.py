"""What was learnt about a server in this process: fields it rejects, how much its model reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kebab_core.llm.endpoint import Endpoint
from kebab_core.llm.server_error import ServerError

# Fields that a request can do without, and how servers speak of them.
_OPTIONAL = {
    "stream_options": re.compile(r"stream_options|include_usage"),
    "tools": re.compile(r"\btools?\b|tool_choice|tool[ _](?:use|call)|function.call"),
    "temperature": re.compile(r"\btemperature\b"),
    "reasoning_effort": re.compile(r"reasoning"),
    "reasoning": re.compile(r"reasoning"),
    "thinking": re.compile(r"thinking"),
    "think": re.compile(r"think"),
    "usage": re.compile(r"\busage\b"),
    # Old and new name of one limit: without the one, the other is sent.
    "max_completion_tokens": re.compile(r"max_completion_tokens"),
    "max_tokens": re.compile(r"max_completion_tokens"),
}
_REJECTIONS = frozenset({400, 422, 501})
_ABOUT_LENGTH = re.compile(r"context|too (?:long|large|many)|exceed", re.IGNORECASE)


@dataclass(slots=True)
class Traits:
    """`without`: request fields not to send. `num_ctx`: the context Ollama was last given."""

    without: set[str] = field(default_factory=set)
    context_tokens: int | None = None
    num_ctx: int = 0

    def learn(self, status: int, error: ServerError, body: Mapping[str, Any]) -> bool:
        """Whether the rejection of `body` names a field to leave out, and the request is worth
        sending again.
        """
        if status not in _REJECTIONS:
            return False
        name = rejected_field(error, body)
        if name is None or name in self.without:
            return False
        self.without.add(name)
        return True


def rejected_field(error: ServerError, body: Mapping[str, Any]) -> str | None:
    """The optional field of `body` that a server's error is about."""
    named = error.param.partition(".")[0].partition("[")[0]
    if named in _OPTIONAL and named in body and _OPTIONAL[named].search(f"{error.message} {named}"):
        return named
    if _ABOUT_LENGTH.search(error.message):
        return None  # Such errors speak of `max_tokens` and tools too, and mean the prompt.
    words = error.message.lower()
    return next(
        (name for name, words_for in _OPTIONAL.items() if name in body and words_for.search(words)),
        None,
    )


_known: dict[tuple[str, str, str], Traits] = {}


def traits_of(endpoint: Endpoint) -> Traits:
    """Shared by all connections to that model: what one learnt, the next need not."""
    key = (endpoint.provider, endpoint.base_url, endpoint.model)
    return _known.setdefault(key, Traits())
