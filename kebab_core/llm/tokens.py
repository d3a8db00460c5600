"""How many tokens a text may take, for a model whose tokenizer isn't at hand."""

from __future__ import annotations

from collections.abc import Iterable

from kebab_core.llm.base import Message, ToolSpec

ASCII_PER_TOKEN = 3.5
"""English prose is 4 to 4.5 characters a token with current vocabularies, source code and
JSON 3 to 3.5."""
BYTES_PER_TOKEN = 2.5
"""UTF-8 bytes a token beyond ASCII: about a token a CJK character and half a Cyrillic word."""
PER_MESSAGE = 8
"""The role and the marks around a message in common chat templates."""


def estimate(text: str) -> int:
    """An upper guess of the tokens of `text`: rather some too many than a prompt cut by a server.

    >>> estimate("one two three four")
    6
    """
    size = len(text.encode("utf-8", errors="replace"))
    if size == len(text):
        return -int(-size // ASCII_PER_TOKEN)
    plain = sum(map(str.isascii, text))
    return -int(-(plain / ASCII_PER_TOKEN + (size - plain) / BYTES_PER_TOKEN) // 1)


def estimate_messages(messages: Iterable[Message], tools: Iterable[ToolSpec] = ()) -> int:
    """The same for a whole request, chat template included."""
    total = 0
    for message in messages:
        total += PER_MESSAGE + estimate(message.content)
        for call in message.tool_calls:
            total += PER_MESSAGE + estimate(call.name) + estimate(call.arguments)
    for tool in tools:
        # Their JSON Schema goes into the prompt too.
        total += PER_MESSAGE + estimate(f"{tool.name}{tool.description}{tool.parameters}")
    return total
