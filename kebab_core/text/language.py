"""A cheap guess at a text's language: by script, and for Latin by its commonest words."""

from __future__ import annotations

import re
from collections import Counter

from kebab_core.text.scripts import HAN, HANGUL, KANA, THAI

_SAMPLE = 4_000
"""Characters looked at, from the start and from the middle."""

_SCRIPTS = re.compile(
    rf"(?P<han>[{HAN}])|(?P<kana>[{KANA}])|(?P<ko>[{HANGUL}])|(?P<th>[{THAI}])"
    r"|(?P<latin>[A-Za-zÀ-ɏḀ-ỿ])|(?P<cyrillic>[\u0400-\u052f])|(?P<arabic>[\u0620-\u06ff])"
    r"|(?P<he>[\u05d0-\u05ea])|(?P<el>[\u0370-\u03ff\u1f00-\u1fff])|(?P<hi>[\u0900-\u097f])"
    r"|(?P<bn>[\u0980-\u09ff])|(?P<pa>[\u0a00-\u0a7f])|(?P<gu>[\u0a80-\u0aff])"
    r"|(?P<ta>[\u0b80-\u0bff])|(?P<te>[\u0c00-\u0c7f])|(?P<kn>[\u0c80-\u0cff])"
    r"|(?P<ml>[\u0d00-\u0d7f])|(?P<si>[\u0d80-\u0dff])|(?P<lo>[\u0e80-\u0eff])"
    r"|(?P<my>[\u1000-\u109f])|(?P<ka>[\u10a0-\u10ff])|(?P<am>[\u1200-\u137f])"
    r"|(?P<km>[\u1780-\u17ff])|(?P<hy>[\u0530-\u058f])"
)
# A character of these scripts says as much as several letters.
_WEIGHT = {"han": 3, "kana": 2, "ko": 3}

_COMMON = {
    "en": "the of and to in is that for it was with as be on are this by from at or an not have "
    "you which can if how what when do does your my we i will has but they were all there use "
    "where when who why did were been does their many name into",
    "de": "der die das und ist ich nicht ein eine zu den mit von für auf dem sich wie des im auch "
    "es an werden aus er hat dass sie nach wird bei einer um am sind noch einen wir was kann oder "
    "welche welcher welches wer wo wann warum wie wurde wurden war hatte viele mein über",
    "fr": "le la les de des et est un une du en que qui dans pour pas sur au ne ce il avec plus "
    "par je vous se sont nous comme mais ou aux cette comment être à où l d qu "
    "quel quelle quels quand qui pourquoi mon a été",
    "es": "el la los las de que y en un una es por con no para se del al lo como más su pero sus "
    "este ya o fue cómo cuando muy sin sobre también me hay donde qué esta son "
    "cuál quién cuándo dónde puedo mi fueron",
    "it": "il lo la gli le di che e è un una per non in con del della si da come sono i al dei ma "
    "anche più nel alla questo se o ha delle ho cosa perché",
    "pt": "o a os as de que e do da em um uma para com não por no na se mais dos ao como mas foi "
    "ele das à seu sua ou quando muito nos já eu também é são você",
    "nl": "de het een en van ik te dat die in is niet op aan met als voor zijn er maar om hem dan "
    "zou of wat mijn men dit zo door over ze bij ook tot je naar heb hoe kan werd wordt",
    "sv": "och att det i en jag hon som han på den med var sig för så till är men ett om hade de "
    "av icke mig du henne då sin nu har inte hur kan från",
    "da": "og i jeg det at en den til er som på de med han af for ikke der var mig sig men et har "
    "om vi min havde ham hun nu over da fra du ud hvordan kan",
    "pl": "i w nie na się z do to że jest o jak po co tak za od przez dla są oraz czy ale być tym "
    "który może jego także można",
    "tr": "ve bir bu da de için ile ne gibi daha çok var o en ama olarak olan mı mi nasıl değil "
    "kadar sonra her ben şey",
    "vi": "là của và có được cho trong không một các với những này đã khi từ như để người đến về "
    "tôi cách làm thế nào",
    "id": "yang dan di ini itu dengan untuk tidak dari dalam akan pada juga saya ke karena ada "
    "adalah oleh bisa atau sebagai bagaimana",
}
_VOTES: dict[str, list[str]] = {}
for _lang, _words in _COMMON.items():
    for _word in _words.split():
        _VOTES.setdefault(_word, []).append(_lang)
_WORD = re.compile(r"[^\W\d_]+")
# Letters that hardly any other language writes: a word with one is a vote.
_LETTERS = (
    ("de", re.compile(r"[ßäöü]")),
    ("es", re.compile(r"[ñ¿¡]")),
    ("fr", re.compile(r"[çœêèû]")),
    ("pt", re.compile(r"[ãõ]")),
    ("pl", re.compile(r"[łąęśźż]")),
    ("tr", re.compile(r"[ığş]")),
    ("da", re.compile(r"ø")),
    ("cs", re.compile(r"[ěřů]")),
    ("hu", re.compile(r"[őű]")),
    ("ro", re.compile(r"[țăș]")),
    ("vi", re.compile(r"[ơưạảấầậếềệọốồộ]")),
)
# Letters that only one of the neighbours has.
_UKRAINIAN = re.compile(r"[іїєґ]", re.IGNORECASE)
_PERSIAN = re.compile(r"[\u067e\u0686\u0698\u06af\u06a9\u06cc]")
_URDU = re.compile(r"[\u0679\u0688\u0691\u06ba\u06d2\u06be]")


def detect(text: str) -> str | None:
    """The ISO 639-1 code of the language most of `text` is in; None where it can't be told.

    A few words of a Latin-script language often can't be.
    """
    if len(text) > 2 * _SAMPLE:
        middle = len(text) // 2
        text = text[:_SAMPLE] + " " + text[middle : middle + _SAMPLE]
    counts: Counter[str] = Counter(m.lastgroup or "" for m in _SCRIPTS.finditer(text))
    for script, weight in _WEIGHT.items():
        counts[script] *= weight
    cjk = counts["han"] + counts["kana"]
    # Japanese is written with Han as well, Korean seldom; Chinese never with kana.
    japanese = counts["kana"] * 8 > counts["han"] and counts["kana"] > 0
    counts["ja" if japanese else "zh"] = cjk
    del counts["han"], counts["kana"]
    script, most = max(counts.items(), key=lambda pair: pair[1])
    if most == 0 or most * 2 < counts.total():
        return None
    if script == "latin":
        return _latin(text)
    if script == "cyrillic":
        return "uk" if _UKRAINIAN.search(text) else "ru"
    if script == "arabic":
        if _URDU.search(text):
            return "ur"
        return "fa" if _PERSIAN.search(text) else "ar"
    return script


def _latin(text: str) -> str | None:
    text = text.lower()
    votes: dict[str, float] = {}
    words = _WORD.findall(text)
    for word in words:
        languages = _VOTES.get(word, ())
        for lang in languages:
            votes[lang] = votes.get(lang, 0) + 1 / len(languages)
    if not text.isascii():
        for lang, letters in _LETTERS:
            if found := len(letters.findall(text)):
                votes[lang] = votes.get(lang, 0) + min(found, 1 + len(words) / 10)
    ranked = sorted(votes.items(), key=lambda pair: -pair[1])
    if not ranked:
        return None
    lang, first = ranked[0]
    second = ranked[1][1] if len(ranked) > 1 else 0
    # Two sure words, one word in twelve, and well ahead of the next language.
    if first < 1.5 or first * 12 < len(words) or first < 1.5 * second:
        return None
    return lang
