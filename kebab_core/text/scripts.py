"""Ranges of writing systems, written for the inside of a regular expression's `[…]`."""

from __future__ import annotations

HAN = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
KANA = "\u3031-\u3035\u303c\u3041-\u309f\u30a1-\u30ff\u31f0-\u31ff"
HAN_KANA = HAN + KANA
HANGUL = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"

THAI = "\u0e01-\u0e3a\u0e40-\u0e4e"
SOUTH_EAST = THAI + "\u0e80-\u0eff\u1000-\u109f\u1780-\u17d3"
"""Thai, Lao, Burmese, Khmer: no spaces between words."""

UNSPACED = HAN_KANA + HANGUL + SOUTH_EAST
"""Scripts whose words can't be told by spaces alone (Hangul's particles cling to its words)."""

MARKS = (
    "\u0300-\u036f\u0483-\u0489"
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
    "\u0900-\u0963\u0971-\u0df3"
)
"""Accents, vowel points and vowel signs: inside words, but not part of `\\w`.

The Indic blocks are taken whole (without their full stops): their letters match either way.
"""
