"""The one lexical analysis, for what is indexed and for what is asked.

A term never holds whitespace and is at most `MAX_TERM_BYTES` long, so a column of terms can
be indexed by whitespace alone and every script behaves the same at index and at query time:

- Text is NFKC-normalised and case-folded; Latin and Greek lose their accents, Arabic and
  Hebrew their vowel points. Control characters and soft hyphens vanish.
- Words are stemmed by *script*, never by a guessed language, or index and query would
  disagree: Latin by Snowball's English stemmer, Cyrillic by its Russian one, and so on.
- Identifiers, versions and codes are kept whole and in parts: `get_user_by_id` also gives
  `get user by id`, `HTTPTimeout` gives `http timeout`, `1.0.21` gives `1.0`.
- Scripts written without spaces, and Hangul, whose particles cling to words, become
  character bigrams.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from kebab_core.text.scripts import HAN_KANA, HANGUL, MARKS, SOUTH_EAST, UNSPACED
from kebab_core.text.stems import fold, stem
from kebab_core.text.stop_words import ENGLISH

MAX_TERM_BYTES = 39
"""Full-text engines drop tokens of 40 bytes and more by default. Longer terms are cut."""

_PLAIN = rf"[^\W_{UNSPACED}]"
_RUN = rf"{_PLAIN}+(?:[{MARKS}]+{_PLAIN}*)*"
# What may stand between two runs of one token. Looking back keeps the common case, no joint
# at all, to one test of one character.
_JOINT = (
    r"(?:[._\-:@,'’](?:(?<=[._\-@])|(?<=:):?|(?<=\d,)(?=\d\d\d(?!\d))"
    r"|(?<=['’])(?=[^\W\d_]))_*|_+)"
)
_SUFFIX = r"(?:\+\+|\#(?!\w))?"  # C++, C#
_TOKEN = re.compile(
    rf"{_RUN}(?:{_JOINT}{_RUN})*{_SUFFIX}|[{HAN_KANA}]+|[{HANGUL}]+|[{SOUTH_EAST}]+"
)
_ASCII_TOKEN = re.compile(rf"[A-Za-z0-9]+(?:{_JOINT}[A-Za-z0-9]+)*{_SUFFIX}")
_STARTS_UNSPACED = re.compile(rf"[{UNSPACED}]")
# Format characters inside words: soft hyphen, tatweel, joiners, directions, BOM, variants.
_INVISIBLE = re.compile(
    "[\u00ad\u061c\u0640\u200c-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe00-\ufe0f\ufeff]"
)

_JOINTS = re.compile(r"::|[._\-:@,'’]+")
_PIECES = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ACRONYMS = re.compile(r"[A-Z]{2,}s")  # PDFs
_LETTER_DIGIT = re.compile(r"\d+|[^\W\d_]+")
_GROUPED_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+")
_VERSION = re.compile(r"[vV]?\d+(?:\.\d+)+")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_CLITICS = frozenset({"s", "d", "m", "ll", "re", "ve"})
# One-syllable Korean particles: a one-syllable word with one of them is a run of two, whose
# only bigram would never meet the bare word.
_PARTICLES = frozenset("은는이가을를의에도와과로만")


def index_terms(text: str) -> str:
    """The terms of `text` in order, repeated as they repeat, joined by single spaces."""
    return " ".join([_analyse(token) for token in _tokens(text)])


def query_terms(query: str) -> list[str]:
    """The distinct terms of `query` in order.

    English function words ("what is the …") are left out if any other term remains; a word in
    capitals amid others (the IT of "IT policy") counts as a name.
    """
    tokens = _tokens(query)
    shouted = not any(token.islower() for token in tokens)
    everything: dict[str, None] = {}
    telling: dict[str, None] = {}
    for token in tokens:
        terms = _analyse(token).split()
        everything.update(dict.fromkeys(terms))
        if not shouted and len(token) > 1 and token.isupper():
            telling.update(dict.fromkeys(terms))
        elif not is_function_word(token):
            telling.update(dict.fromkeys(term for term in terms if term not in ENGLISH))
    return list(telling or everything)


def is_function_word(word: str) -> bool:
    """Whether an English word only holds a sentence together: `the`, `what`, `don't`."""
    return word.casefold().replace("’", "'") in ENGLISH


def _tokens(text: str) -> list[str]:
    if text.isascii():
        return _ASCII_TOKEN.findall(text)
    if not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    return _TOKEN.findall(_INVISIBLE.sub("", text))


# Natural text repeats itself: nearly every token is answered from here.
@lru_cache(maxsize=1 << 16)
def _analyse(token: str) -> str:
    if _STARTS_UNSPACED.match(token):
        return " ".join(_bigrams(token))
    terms = dict.fromkeys(_cut(term) for term in _word_terms(token))
    return " ".join(term for term in terms if term)


def _bigrams(run: str) -> list[str]:
    if len(run) == 1:
        return [run]
    pairs = [run[i : i + 2] for i in range(len(run) - 1)]
    if len(run) == 2 and run[1] in _PARTICLES:
        pairs.append(run[0])
    return pairs


def _word_terms(token: str) -> list[str]:
    if token[-1] in "+#":  # C++, C#
        bare = token.rstrip("+#")
        return [fold(token), *_word_terms(bare)]
    parts = _JOINTS.split(token)
    if len(parts) == 1:
        return _one_word(token)
    if _GROUPED_NUMBER.fullmatch(token):
        return [token.replace(",", "")]
    if _INITIALS.fullmatch(token):  # U.S.A
        return [fold(token.replace(".", ""))]
    if "'" in token or "’" in token:
        return _with_apostrophe(token)
    whole = fold(token).strip("_")
    if _VERSION.fullmatch(token):
        return _version(whole)
    if len(parts) == 2 and "-" in token and token.replace("-", "").isalpha():
        whole = stem(fold("".join(parts)))  # e-mail is email
    return [whole, *(term for part in parts if part for term in _one_word(part))]


def _one_word(word: str) -> list[str]:
    """A word without joints: itself, and its humps where it is an identifier."""
    folded = fold(word)
    if folded.isalpha():
        if _ACRONYMS.fullmatch(word):
            return [folded[:-1]]
        terms = [stem(folded)]
        if word.islower() or word.istitle() or word.isupper() or not word.isascii():
            return terms
        pieces = _PIECES.findall(word)
    else:
        terms = [folded]
        pieces = _LETTER_DIGIT.findall(word)
        if len(pieces) > 3:  # a hash or a serial number: its parts say nothing
            return terms
        pieces = [hump for piece in pieces for hump in _PIECES.findall(piece) or [piece]]
    if len(pieces) > 1:
        terms += [stem(fold(piece)) for piece in pieces if len(piece) > 1 or piece.isdigit()]
    return terms


def _with_apostrophe(token: str) -> list[str]:
    left, _, right = token.replace("’", "'").rpartition("'")
    if right.casefold() in _CLITICS:
        return _word_terms(left)
    joined = stem(fold(token.replace("'", "").replace("’", "")))
    if right.casefold() == "t":  # don't
        return [joined]
    return [joined, *(t for side in (left, right) if len(side) > 1 for t in _word_terms(side))]


def _version(whole: str) -> list[str]:
    numbers = whole.lstrip("v").split(".")
    shorter = [".".join(numbers[:n]) for n in range(len(numbers), 1, -1)]
    return [whole, *shorter, *numbers]


def _cut(term: str) -> str:
    data = term.encode("utf-8")
    if len(data) <= MAX_TERM_BYTES:
        return term
    return data[:MAX_TERM_BYTES].decode("utf-8", "ignore")
