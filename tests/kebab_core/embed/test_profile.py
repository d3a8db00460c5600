from __future__ import annotations

import pytest

from kebab_core.embed.profile import profile_of


@pytest.mark.parametrize(
    ("name", "vocabulary", "reads", "reads_not"),
    [
        ("sentence-transformers/all-MiniLM-L6-v2", 30522, "en", "de"),
        ("intfloat/multilingual-e5-small", 250037, "ko", ""),
        ("sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2", 250037, "de", ""),
        ("BAAI/bge-small-en-v1.5", 30522, "en", "fr"),
        ("BAAI/bge-m3", None, "ko", ""),
        ("intfloat/e5-small-v2", None, "en", "ko"),
        ("me/unknown", 30522, "en", "ko"),
        ("me/unknown", 250002, "ko", ""),
        ("nomic-embed-text", None, "en", "de"),
        ("my-own-server-model", None, "ko", ""),
    ],
)
def test_languages(name: str, vocabulary: int | None, reads: str, reads_not: str) -> None:
    profile = profile_of(name, vocabulary=vocabulary)
    assert profile.reads(None)
    assert profile.reads(reads)
    if reads_not:
        assert not profile.reads(reads_not)


@pytest.mark.parametrize(
    ("card", "reads", "reads_not"),
    [
        ("---\nlanguage: de\ntags: [x]\n---\n# German model", "de", "en"),
        ("---\nlanguage:\n- de\n- en\nlicense: mit\n---", "de", "fr"),
        ("---\r\nlanguage: [ko, en]\r\n---", "ko", "ja"),
        ("---\nlanguage: multilingual\n---", "sw", ""),
        ("---\nlanguage:\n  - multilingual\n  - af\n---", "zu", ""),
        ("---\nlicense: mit\n---\nlanguage: de", "en", "de"),  # the text is no front matter
        ("no front matter", "en", "de"),
    ],
)
def test_a_model_card_knows_best(card: str, reads: str, reads_not: str) -> None:
    profile = profile_of("me/model", card=card, vocabulary=31000)
    assert profile.reads(reads)
    if reads_not:
        assert not profile.reads(reads_not)


@pytest.mark.parametrize(
    ("name", "query", "passage"),
    [
        ("intfloat/multilingual-e5-small", "query: ", "passage: "),
        ("intfloat/e5-base-v2", "query: ", "passage: "),
        ("/nomic-embed-text", "search_query: ", "search_document: "),
        ("BAAI/bge-small-en-v1.5", "Represent this sentence for searching relevant passages: ", ""),
        ("intfloat/multilingual-e5-large-instruct", "", ""),
        ("sentence-transformers/all-MiniLM-L6-v2", "", ""),
        ("me/some5-model", "", ""),
    ],
)
def test_prefixes(name: str, query: str, passage: str) -> None:
    profile = profile_of(name)
    assert (profile.query_prefix, profile.passage_prefix) == (query, passage)


def test_prompts_in_the_files_win_over_the_name() -> None:
    prompts = {"query": "Q: ", "document": "D: ", "STS": "sts: "}
    profile = profile_of("intfloat/e5-base-v2", prompts=prompts)
    assert (profile.query_prefix, profile.passage_prefix) == ("Q: ", "D: ")
    assert profile_of("m/m", prompts={"query": "", "document": ""}).query_prefix == ""
