"""Whether an English question leans on the one before it."""

from __future__ import annotations

import re

from kebab_core.text.stop_words import ENGLISH


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d[\w.]*|[,;:.!?()–—]")
_BREAKS = frozenset(",;:.!?()–—")

# Words that say nothing of what a question is about, beside the function words.
_EMPTY = _words(
    # Asking and being polite.
    "ask asked asking answer answers question say says said talk describe elaborate clarify "
    "expand continue repeat rephrase summarize summarise summary simplify translate show give "
    "gives given list name help know think see look find mean means meant understand sure really "
    "okay ok yes yeah well right thanks thank hi hello sorry wait hmm oh ah kindly actually "
    # Ways to ask for more.
    "detail details detailed example examples instance further else another other others again "
    "explanation reason reasons meaning step steps way ways kind kinds sort sorts type types "
    "thing things stuff bit lot little briefly short shorter long longer depth deeper full "
    # Verbs and adjectives that fit anything.
    "happen happens happened work works worked use used uses using get gets got make makes made "
    "go goes went come comes came need needs want wants take takes took put try tried apply "
    "applies matter matters relate related differ differs compare compared decide decides change "
    "changed possible necessary important relevant true false correct wrong different similar "
    "same better best worse worst good bad big bigger biggest small smaller smallest fast faster "
    "fastest slow slower cheap cheaper cheapest easy easier hard harder large larger largest old "
    "older new newer high higher low lower early earlier late later next last first second third "
    "previous former latter above following less least enough still even ever yet already "
    "maybe perhaps exactly specifically often usually always never today "
    "now currently anymore instead otherwise besides also "
    "two three four "
    "whole rest part parts"
)

_SUBJECTS = _words("it they them he him she hers theirs")
_POSSESSIVES = _words("its their his her itself themselves himself herself")
_JOINS = _words(
    "and or but if when while because so since before after until unless although though whether "
    "then where which who"
)
_VERBS = _words(
    "is are was were am be been being has have had do does did can could will would shall should "
    "may might must isn't aren't wasn't weren't hasn't haven't don't doesn't didn't can't won't "
    "what's where's who's how's when's why's that's it's there's here's"
)
_PREPOSITIONS = _words(
    "on in at for with without from to by about under over during after before between among "
    "against inside outside via per as like of"
)
_ASKING = _words("what which who whom whose when where why how")
_OPENERS = _words("and or but so then also plus")
_NEAR_TIMES = _words(
    "year week month morning afternoon evening weekend century decade season quarter summer "
    "winter spring autumn"
)
# What a person points at on the desk, not in the conversation.
_AT_HAND = _words("project repo repository codebase corpus workspace folder tool")
_ADJECTIVES = (
    "possible|impossible|necessary|required|allowed|permitted|legal|illegal|safe|unsafe|dangerous|"
    "okay|ok|fine|good|bad|better|best|worse|easy|easier|hard|harder|difficult|important|useful|"
    "wise|normal|common|rare|rude|polite|true|false|likely|unlikely|right|wrong|advisable|"
    "recommended|mandatory|compulsory|customary|clear|known|certain|acceptable|worth|worthwhile|"
    "too late|too early|enough|cheaper|faster|healthy|expensive|mandated|forbidden|prohibited"
)
_IMPERSONAL = re.compile(
    rf"\bit (?:is |was |be |'s )?(?:ever |still |really |also |not |always |even |more )*"
    rf"(?:{_ADJECTIVES}) (?:to|that|if|when|whether|how|why|\w+ing)\b"
    r"|\bit (?:take|cost|mean|matter|help|work|rain|snow|feel|look like)s? "
    r"(?:to|when|if|that|whether|for \w+ to)\b"
    r"|\bit(?: i|')s (?:raining|snowing)\b|\btime is it\b|\bis it that\b|\bit turns out\b"
    r"|\bit comes to\b|\bit like (?:to|being)\b|\bit (?:up to|time to)\b"
)
_LEANING_START = re.compile(
    r"(?:and |but |so |ok |okay |then )?(?:what|how) about\b|what of\b"
    r"|(?:(?:no|oops|sorry|yes|ok|well) [,.!] )?i (?:mean|meant)\b"
)
_NO_POINTING_THAT = _words("so now such given provided except true sure fact means is")


def leans(question: str) -> bool:
    """True when it points back, names nothing, or is a fragment."""
    words = [match.group() for match in _WORD.finditer(question.replace("’", "'"))]
    shouted = not any(word.islower() for word in words)
    # The IT of "IT policy" is a name.
    low = [
        f"{word}\0" if word.isupper() and len(word) > 1 and not shouted else word.lower()
        for word in words
    ]
    line = " ".join(low)
    if not any(_says_something(word) for word in low):
        return True
    if _LEANING_START.match(line):
        return True
    if _is_fragment(low):
        return True
    impersonal = bool(_IMPERSONAL.search(line))
    return any(_points_back(low, i, impersonal) for i in range(len(low)))


def _says_something(word: str) -> bool:
    return word not in _BREAKS and word not in ENGLISH and word not in _EMPTY


def _is_fragment(low: list[str]) -> bool:
    """ "And the deadline?", "On Windows?": no verb of its own."""
    if low[-1:] != ["?"] or any(word in _VERBS for word in low):
        return False
    if low[0] in _OPENERS:
        # "And who built it?" is a question of its own kind, "But why Oslo?" is not.
        return len(low) <= 8 and (len(low) <= 4 or not _ASKING.intersection(low))
    return low[0] in _PREPOSITIONS | {"if"} and len(low) <= 6


def _points_back(low: list[str], i: int, impersonal: bool) -> bool:
    word = low[i]
    before = low[i - 1] if i else ""
    after = low[i + 1] if i + 1 < len(low) else ""
    if word in _SUBJECTS or word in {"it's", "they're", "he's", "she's", "they've", "it'll"}:
        if word.startswith("it") and impersonal:
            return False
        return not _named_in_an_earlier_clause(low, i)
    if word in _POSSESSIVES:
        return not any(_says_something(other) for other in low[:i])
    if word in {"this", "these", "those"}:
        if after in _NEAR_TIMES or after in _AT_HAND or (word, after) == ("these", "days"):
            return False
        if word == "those" and after in {"who", "that", "which", "with", "in", "of", "without"}:
            return False
        return not _named_in_an_earlier_clause(low, i)
    if word in {"that", "that's"}:
        return _that_points_back(low, i, before, after)
    if word == "there":
        # "Is there a way", "how many are there", "there are": only says that something is.
        beside = {"is", "are", "was", "were", "be", "been", "exist", "isn't", "aren't", "has", "'s"}
        return before not in beside and after not in beside
    if word in {"one", "ones"}:
        return before != "no" and after != "of" and _picks(low, i)
    if word in {"former", "latter", "same", "above", "previous"} and before == "the":
        return not _says_something(after)
    if word == "both":
        return not _says_something(after) and after not in {"the", "a", "of", "in", "on", "and"}
    return False


def _that_points_back(low: list[str], i: int, before: str, after: str) -> bool:
    if i and (before in _NO_POINTING_THAT or _says_something(before)):
        if after in _BREAKS and before not in _NO_POINTING_THAT:  # "Who approves that?"
            return not _named_in_an_earlier_clause(low, i)
        # "the rule that applies", "so that", "is it true that"; but "is that allowed?".
        return before == "is" and not _named_in_an_earlier_clause(low, i) and i == 1
    if before in _VERBS | _PREPOSITIONS or not i or before in ENGLISH or before in _EMPTY:
        return not _named_in_an_earlier_clause(low, i)
    return after in _BREAKS or not after


def _picks(low: list[str], i: int) -> bool:
    """ "which one", "the second one", "another one"; not "one day"."""
    before = low[i - 1] if i else ""
    return before in _EMPTY or before in {"which", "this", "that", "the", "each", "these", "those"}


def _named_in_an_earlier_clause(low: list[str], i: int) -> bool:
    """ "When a password expires, how do I renew it?" names what its pronoun stands for."""
    for j in range(i - 1, 0, -1):
        if low[j] in _BREAKS or low[j] in _JOINS:
            return any(_says_something(word) for word in low[:j])
    return False
