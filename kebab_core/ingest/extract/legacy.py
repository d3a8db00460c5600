"""Which encoding from before Unicode a text is in: charset-normalizer's guess, with what it gets
wrong for short texts looked at again."""

from __future__ import annotations

import re

_GUESS_FROM = 200_000
"""Bytes that the encoding is guessed from."""

# What a wrong guess makes of another script: half-width kana of Cyrillic, single jamo of kana.
_ODD = re.compile("[\uff61-\uff9f\u3131-\u318e]")
_KANA = re.compile("[\u3041-\u30fe]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_BEYOND_ASCII = re.compile("[^\x00-\x7f]")
_MUCH = 0.25
_MOST = 0.9


def guess(data: bytes) -> str | None:
    """A codec's name; None where none fits."""
    import charset_normalizer

    sample = data[:_GUESS_FROM]
    found = list(charset_normalizer.from_bytes(sample))
    if not found:
        return None
    for match in found:
        if _share(_ODD, str(match)) < _MUCH:
            break
    else:
        match = found[0]
    if match is not found[0] or _share(_ODD, str(match)) >= _MUCH:
        other = _japanese(sample) or _russian(sample)
        if other is not None:
            return other
    equals = [
        each for each in found if each.chaos <= match.chaos and each.coherence >= match.coherence
    ]
    # Of two that fit as well, the one that more files are in.
    if match.encoding in ("cp1250", "cp1257") and any(
        "cp1252" in each.could_be_from_charset for each in equals
    ):
        return "cp1252"
    return match.encoding


def _share(pattern: re.Pattern[str], text: str) -> float:
    """Of the characters beyond ASCII."""
    return len(pattern.findall(text)) / max(1, len(_BEYOND_ASCII.findall(text)))


def _japanese(sample: bytes) -> str | None:
    return "euc_jp" if _share(_KANA, sample.decode("euc_jp", "replace")) >= _MUCH else None


def _russian(sample: bytes) -> str | None:
    """Of the two that only swap the cases of each other's letters the one with more small ones."""
    best, most = None, 0
    for encoding in ("koi8_r", "cp1251"):
        text = sample.decode(encoding, "replace")
        small = sum(map(str.islower, _CYRILLIC.findall(text)))
        if _share(_CYRILLIC, text) >= _MOST and small > most:
            best, most = encoding, small
    return best
