"""What can't be read from weights: a model's prefixes, and the languages it was trained on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ENGLISH = frozenset({"en"})
# A vocabulary beyond this is shared by many languages (mBERT has 119,547 words, XLM-R 250,002);
# those of one language have some 30,000 to 50,000.
_MANY_LANGUAGES = 100_000
_MULTILINGUAL = re.compile(
    r"multilingual|labse|bge-m3|embeddinggemma|qwen3-embedding|granite-embedding-\d+m-multi"
    r"|jina-embeddings-v3|arctic-embed-[lm]-v2|nomic-embed-text-v2|cohere.*multi",
    re.IGNORECASE,
)
_ENGLISH = re.compile(
    r"all-minilm|all-mpnet|all-distilroberta|multi-qa|msmarco|[-_/]en(?:[-_.]|$)|e5-\w+-v2"
    r"|bge-\w+-en|gte-(?:small|base|large)$|mxbai-embed|arctic-embed-\w+$|nomic-embed-text(?:-v1|$)",
    re.IGNORECASE,
)
# Prefixes that the authors' model cards ask for: (query, passage).
_PREFIXES = (
    (re.compile(r"(?:^|[/_-])e5-(?!.*instruct)", re.IGNORECASE), ("query: ", "passage: ")),
    (re.compile(r"nomic-embed", re.IGNORECASE), ("search_query: ", "search_document: ")),
    (
        re.compile(r"bge-(?:small|base|large)-en|mxbai-embed|arctic-embed-\w+$", re.IGNORECASE),
        ("Represent this sentence for searching relevant passages: ", ""),
    ),
    (
        re.compile(r"embeddinggemma", re.IGNORECASE),
        ("task: search result | query: ", "title: none | text: "),
    ),
)
_CARD = re.compile(r"\A---\s*\n(.*?)\n---", re.DOTALL)
_CARD_LANGUAGES = re.compile(
    r"^language:[ \t]*(\S[^\n]*)?\n?((?:[ \t]*-[ \t]*\S+[ \t]*\n?)*)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Profile:
    """`languages` None: all of them."""

    query_prefix: str = ""
    passage_prefix: str = ""
    languages: frozenset[str] | None = None

    def reads(self, lang: str | None) -> bool:
        return lang is None or self.languages is None or lang in self.languages


def profile_of(
    name: str,
    *,
    prompts: Mapping[str, Any] | None = None,
    card: str = "",
    vocabulary: int | None = None,
) -> Profile:
    """The profile of a model by its name and, where its files are at hand, by what they say.

    `prompts` is that of `config_sentence_transformers.json`, `card` the text of its README.
    A name that says nothing, with no files to ask, is taken to read every language.
    """
    query, passage = _prefixes(name, prompts or {})
    return Profile(query, passage, _languages(name, card, vocabulary))


def _prefixes(name: str, prompts: Mapping[str, Any]) -> tuple[str, str]:
    said = (
        next((str(prompts[key]) for key in ("query", "search_query") if prompts.get(key)), ""),
        next(
            (
                str(prompts[key])
                for key in ("document", "passage", "search_document")
                if prompts.get(key)
            ),
            "",
        ),
    )
    if any(said):
        return said
    return next((prefixes for pattern, prefixes in _PREFIXES if pattern.search(name)), ("", ""))


def _languages(name: str, card: str, vocabulary: int | None) -> frozenset[str] | None:
    listed = _listed(card)
    if listed:
        return None if listed & {"multilingual", "mul"} else listed
    if _MULTILINGUAL.search(name):
        return None
    if _ENGLISH.search(name):
        return ENGLISH
    if vocabulary is None or vocabulary > _MANY_LANGUAGES:
        return None
    return ENGLISH


def _listed(card: str) -> frozenset[str]:
    """The languages in a model card's front matter: `language: en`, or a list."""
    front = _CARD.match(card.replace("\r\n", "\n"))
    found = _CARD_LANGUAGES.search(front[1]) if front else None
    if found is None:
        return frozenset()
    return frozenset(re.findall(r"[a-z]{2,12}", f"{found[1] or ''}\n{found[2]}".lower()))
