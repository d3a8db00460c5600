"""Words in quotes: to be found as they stand, side by side."""

from __future__ import annotations

import re

from kebab_core.text.terms import index_terms

# A straight quote opens before a word and closes after one: 5" and 'tis are none.
_QUOTED = re.compile(
    r'(?<!\w)"(?=\S)([^"\n]{1,200}?)(?<=\S)"(?!\w)'
    r"|“([^”\n]{1,200})”|„([^“”\n]{1,200})[“”]|«([^»\n]{1,200})»"
    r"|「([^」\n]{1,200})」|『([^』\n]{1,200})』|《([^》\n]{1,200})》"
)


def phrases(query: str) -> tuple[str, ...]:
    """What stands in quotes, each once, in order; what holds no word is left out."""
    found = (next(part for part in match.groups() if part) for match in _QUOTED.finditer(query))
    return tuple(dict.fromkeys(text.strip() for text in found if index_terms(text)))
