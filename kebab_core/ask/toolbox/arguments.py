"""The arguments of a tool call, read as leniently as models write them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from kebab_core.text.clean import for_model

LONGEST = 2_000
"""Characters of one value; no query or address that means something is longer."""
_CODE_FENCE = re.compile(r"\A\s*```\w*\s*\n?(.*?)\n?\s*```\s*\Z", re.DOTALL)
_WRAPPERS = ("arguments", "parameters", "input")


class BadArgumentsError(Exception):
    """Arguments that can't be understood. Its text tells the model how they should look."""


def parse(text: str, required: Sequence[str], optional: Sequence[str] = ()) -> dict[str, str]:
    """The known arguments in `text`, as strings; unknown ones are left out.

    Beside a JSON object these are taken: an object in a code fence, in a JSON string, or under
    a key such as `arguments`; a lone string as the one required argument; a number for a string.
    Raises BadArgumentsError.
    """
    known = (*required, *optional)
    value = _loaded(text)
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = _loaded(value)
    if isinstance(value, dict) and not any(name in value for name in known):
        value = next((value[key] for key in _WRAPPERS if key in value), value)
    if isinstance(value, str) and len(required) == 1:
        value = {required[0]: value}
    if value is None and not required:
        value = {}
    if not isinstance(value, dict):
        raise _bad("they are no JSON object", known)
    read: dict[str, str] = {}
    for name in known:
        one = value.get(name)
        if isinstance(one, bool) or not isinstance(one, str | int | float):
            continue
        cleaned = for_model(str(one)).strip()
        if len(cleaned) > LONGEST:
            raise _bad(f"{name} has more than {LONGEST:,} characters", known)
        if cleaned:
            read[name] = cleaned
    for name in required:
        if name not in read:
            raise _bad(f"{name} is missing", known)
    return read


def _loaded(text: str) -> object:
    if (fenced := _CODE_FENCE.match(text)) is not None:
        text = fenced.group(1)
    if not text.strip():
        return None
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        raise BadArgumentsError("The arguments are no valid JSON.") from None


def _bad(why: str, known: Sequence[str]) -> BadArgumentsError:
    shape = ", ".join(f'"{name}": "…"' for name in known)
    return BadArgumentsError(f"The arguments can't be used: {why}. They look so: {{{shape}}}.")
