"""Whether a text that came out of fonts is what people see, or the fonts' private numbers."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice

_SAMPLE = 100_000
_SUSPECT = 0.05
"""Of all characters that aren't space: no real text has so many that no font of letters shows."""
_NO_LETTERS = frozenset(["Co", "Cn", "Cc"])
_LEAST_WORDS = 40
_CONSONANTS_ONLY = 0.5

_WORD = re.compile(r"[A-Za-z]{4,}")
_VOWEL = re.compile(r"[aeiouyAEIOUY]")


def is_garbled(text: str) -> bool:
    """A guess, for a warning: letters where vowels should be, or characters that aren't any."""
    shown = [char for char in text[:_SAMPLE] if not char.isspace()]
    if not shown:
        return False
    odd = sum(char == "\ufffd" or unicodedata.category(char) in _NO_LETTERS for char in shown)
    if odd > len(shown) * _SUSPECT:
        return True
    words = [word.group() for word in islice(_WORD.finditer(text), 2_000)]
    # A table of names in capitals may have few vowels; prose never.
    small = [word for word in words if not word.isupper()]
    without = sum(_VOWEL.search(word) is None for word in small)
    return len(small) >= _LEAST_WORDS and without > len(small) * _CONSONANTS_ONLY
