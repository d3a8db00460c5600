"""How much of a query's words a passage holds, each weighing as much as it is rare.

A query is taken apart into units, each held by a passage that has any of the unit's terms. A
word is a unit. In scripts that are indexed by pairs of characters, a character is one, held
with either of its two neighbours: pairs across the edge of two words, which few passages hold,
then cost nothing. Words that only ask ("which", "누구", "什么") are left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from math import log

from kebab_core.store import Store
from kebab_core.text.scripts import HAN_KANA, HANGUL, SOUTH_EAST
from kebab_core.text.terms import query_terms

_RUN = re.compile(rf"[{HAN_KANA}]+|[{HANGUL}]+|[{SOUTH_EAST}]+")
# Single English ones are left out by `query_terms` already.
_ASKING = re.compile(
    r"什么|甚么|什麼|甚麼|哪(?:个|些|里|年|位|种|一|两|項|個|裡)?|谁|誰|多少|怎么(?:样|办)?|怎样|怎麼樣?|"
    r"为什么|為什麼|为何|為何|何时|何時|何地|何种|如何|幾|几|吗|嗎|呢|的|是|了|"
    r"何(?:ですか|年|人|月|日|時)?|いつ|どこ|だれ|なぜ|どう(?:して|やって)?|どの|どれ|どんな|いくつ|"
    r"ですか|ますか|でしたか|ましたか|でしょうか|"
    rf"(?:무엇|뭐|누구|누가|언제|어디|어느|어떤|어떻게|왜|얼마|몇|무슨)[{HANGUL}]*|"
    r"อะไร|ใคร|ที่ไหน|เมื่อไหร่|เมื่อไร|ทำไม|อย่างไร|เท่าไร|กี่|"
    r"\b(?:how (?:long|often|far|old|big|large|tall|high|deep|fast|soon|late|early|wide|heavy)|"
    r"w(?:er|en|em|essen|as|ann|o|ohin|oher|ie|arum|ieso|eshalb|omit|odurch|ofür|oran|orin|"
    r"ozu|elche[rsnm]?|ieviele?)|viele?|"
    r"qu[ei]|quoi|quand|où|comment|pourquoi|quel(?:le)?s?|combien|est-ce|"
    r"qué|quién(?:es)?|cuándo|dónde|cómo|cuál(?:es)?|cuánt[oa]s?|por qué|"
    r"chi|che|cosa|dove|perché|quale|quali|quant[oiae]|come|"
    r"quem|quando|onde|como|qual|quais|wat|wanneer|waar|hoe|waarom|welke?|hoeveel|"
    r"кто|что|когда|где|куда|откуда|как|почему|зачем|как(?:ой|ая|ое|ие|ого|ой|их)|сколько)\b",
    re.IGNORECASE,
)


def units(query: str) -> list[tuple[str, ...]]:
    """What a passage should hold: for each unit, the terms of which any will do."""
    text = unicodedata.normalize("NFKC", query)
    asking = {at for match in _ASKING.finditer(text) for at in range(*match.span())}
    return _units(text, asking) or _units(text, set())


def _units(text: str, asking: set[int]) -> list[tuple[str, ...]]:
    words = _RUN.sub(" ", "".join(" " if i in asking else c for i, c in enumerate(text)))
    found: dict[tuple[str, ...], None] = dict.fromkeys((term,) for term in query_terms(words))
    for match in _RUN.finditer(text):
        run = match.group()
        left = [i for i in range(len(run)) if match.start() + i not in asking]
        if len(run) <= 2:
            found.update({tuple(query_terms(run)): None} if left else {})
            continue
        pairs = [run[i : i + 2] for i in range(len(run) - 1)]
        # A character that asks is no unit, but its pair may hold its neighbour: 目的, 是的.
        found.update((tuple(pairs[max(i - 1, 0) : i + 1]), None) for i in left)
    return [unit for unit in found if unit]


class Coverage:
    """The share of one query's weight that passages hold."""

    def __init__(self, store: Store, query: str) -> None:
        self._units = units(query)
        every = [term for unit in self._units for term in unit]
        counts, total = store.document_frequencies(every) if every else ({}, 0)
        self._weights = [
            sum(idf(counts[term], total) for term in unit) / len(unit) for unit in self._units
        ]
        self._whole = sum(self._weights)

    def share(self, terms: Iterable[str]) -> float | None:
        """0..1 for a passage with those terms; None for a query without any."""
        if self._whole <= 0:
            return None
        held = set(terms)
        pairs = zip(self._units, self._weights, strict=True)
        return sum(weight for unit, weight in pairs if not held.isdisjoint(unit)) / self._whole


def idf(frequency: int, total: int) -> float:
    """How much a term tells: ln(1 + (N - df + ½) / (df + ½)), never negative.

    Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; the 1
    inside is Lucene's.
    """
    frequency = min(frequency, total)
    return log(1.0 + (total - frequency + 0.5) / (frequency + 0.5))
