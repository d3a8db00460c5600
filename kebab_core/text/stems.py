"""Case and accents folded, and words cut to their stems by script."""

from __future__ import annotations

import unicodedata
from threading import local
from typing import Any

# First letter's range to the Snowball algorithm for it. One for each script, not for each
# language: the stems of French or Polish words are rough, but the same in index and query.
_SCRIPTS = (
    (0x0041, 0x024F, "english"),
    (0x0370, 0x03FF, "greek"),
    (0x0400, 0x052F, "russian"),
    (0x0531, 0x0587, "armenian"),
    (0x0620, 0x06FF, "arabic"),
    (0x0900, 0x097F, "hindi"),
    (0x0B80, 0x0BFF, "tamil"),
)
_FOLDED_SCRIPTS = ((0x00C0, 0x024F), (0x0370, 0x03FF), (0x1E00, 0x1FFF))
# Letters that no decomposition reaches.
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe",
                          "ı": "i", "ё": "е", "ς": "σ"})  # fmt: skip
_local = local()


def fold(word: str) -> str:
    """Case-folded; accents off Latin and Greek, points off Hebrew and Arabic; digits 0 to 9.

    >>> fold("Größe")
    'grosse'
    """
    word = word.casefold()
    if word.isascii():
        return word
    word = unicodedata.normalize("NFKC", word).translate(_LETTERS)
    kept: list[str] = []
    for letter in word:
        if any(low <= ord(letter) <= high for low, high in _FOLDED_SCRIPTS):
            kept.append(unicodedata.normalize("NFD", letter)[0])
        elif letter.isdecimal():
            kept.append(str(unicodedata.decimal(letter)))
        elif not _is_point(letter):
            kept.append(letter)
    return "".join(kept)


def _is_point(letter: str) -> bool:
    point = ord(letter)
    return (
        0x0300 <= point <= 0x036F
        or 0x0591 <= point <= 0x05C7
        or 0x0610 <= point <= 0x061A
        or 0x064B <= point <= 0x065F
        or point == 0x0670
    )


def stem(word: str) -> str:
    """The stem of a folded word; the word itself where its script has no stemmer.

    >>> stem("passwords")
    'password'
    """
    if len(word) < 3 or not word[0].isalpha():
        return word
    first = ord(word[0])
    for low, high, algorithm in _SCRIPTS:
        if low <= first <= high:
            stemmed: str = _stemmer(algorithm).stemWord(word)
            return stemmed or word
    return word


def _stemmer(algorithm: str) -> Any:
    # A Snowball stemmer holds the word it works on: one for each thread.
    stemmers: dict[str, Any] = _local.__dict__
    if algorithm not in stemmers:
        import snowballstemmer

        stemmers[algorithm] = snowballstemmer.stemmer(algorithm)
    return stemmers[algorithm]
