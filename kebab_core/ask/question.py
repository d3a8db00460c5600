"""What may be asked, checked before anything starts."""

from __future__ import annotations

from kebab_core.errors import InvalidInput
from kebab_core.text.clean import for_display
from kebab_core.types import AskOptions

MAX_LENGTH = 8_000
MAX_K = 50


def checked(question: str, options: AskOptions) -> str:
    """The question as it is asked: control characters made visible, no space at its ends.

    Raises InvalidInput for an empty or too long one, and for options that make no sense.
    """
    asked = for_display(question).strip()
    if not asked:
        raise InvalidInput("The question is empty.", 'Ask something: `kebab ask "…"`.')
    if len(asked) > MAX_LENGTH:
        raise InvalidInput(
            f"The question has {len(asked):,} characters; at most {MAX_LENGTH:,} are read.",
            "Shorten it, or ingest the long text and ask about it.",
            details={"length": len(asked), "limit": MAX_LENGTH},
        )
    if options.k is not None and not 1 <= options.k <= MAX_K:
        raise InvalidInput(f"{options.k} passages can't be given.", f"Choose -k from 1 to {MAX_K}.")
    if options.timeout_s is not None and not options.timeout_s > 0:
        raise InvalidInput(
            f"A time limit of {options.timeout_s:g} s is no time at all.",
            "Give seconds, such as `--timeout 30`.",
        )
    return asked
