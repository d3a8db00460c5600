"""Reranking servers of both kinds, and what goes wrong with them."""

from __future__ import annotations

import json

import pytest

from kebab_core.errors import EmbedderUnavailable
from kebab_core.rerank import create
from tests.support.embedding_server import Answering, Asked, Reply, always, serving

TEXTS = ["one", "three 33", "two 2"]


def digits(text: str) -> float:
    return float(sum(char.isdigit() for char in text))


def jina(asked: Asked) -> Reply:
    """Best first, as these servers answer."""
    if "documents" not in asked.body:
        return Reply(422)
    rows = [
        {"index": i, "relevance_score": digits(text)}
        for i, text in enumerate(asked.body["documents"])
    ]
    rows.sort(key=lambda row: -row["relevance_score"])
    return Reply(body=json.dumps({"results": rows}).encode())


def tei(asked: Asked) -> Reply:
    if "texts" not in asked.body:
        return Reply(422, b'{"error": "missing field `texts`"}')
    rows = [{"index": i, "score": digits(text)} for i, text in enumerate(asked.body["texts"])]
    return Reply(body=json.dumps(rows).encode())


@pytest.mark.parametrize("answering", [jina, tei])
def test_scores_are_in_the_order_of_the_passages(answering: Answering) -> None:
    with serving(answering) as server:
        reranker = create(f"{server.address}/rerank")
        assert reranker is not None
        assert reranker.scores("digits?", TEXTS) == [0.0, 2.0, 1.0]
        asked = len(server.asked)
        assert reranker.scores("again", ["4\ud800"]) == [1.0]
        # Which kind it is was found out once.
        assert len(server.asked) == asked + 1
    assert reranker.id == f"127.0.0.1:{server.server_port}"


@pytest.mark.parametrize(
    ("answering", "said"),
    [
        (always(500), "status 500"),
        (always(200, b"<html>"), "no scores"),
        (always(200, b'{"results": [{"index": 0, "relevance_score": 1}]}'), "1 of 3 passages"),
        (always(200, b'[{"index": 0, "score": null}]'), "no scores"),
        (always(302, b"", Location="http://127.0.0.1:9/"), "status 302"),
    ],
)
def test_what_cannot_be_used_says_why(answering: Answering, said: str) -> None:
    with serving(answering) as server:
        reranker = create(server.address)
        assert reranker is not None
        with pytest.raises(EmbedderUnavailable, match=said):
            reranker.scores("?", TEXTS)


def test_nobody_there() -> None:
    with serving(jina) as server:
        address = server.address
    reranker = create(address)
    assert reranker is not None
    with pytest.raises(EmbedderUnavailable, match="can't be reached"):
        reranker.scores("?", TEXTS)


def test_nothing_named_is_no_reranker() -> None:
    assert create("") is None
