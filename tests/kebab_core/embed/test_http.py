from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from kebab_core import embed
from kebab_core.embed.base import Embedder
from kebab_core.embed.http import HttpEmbedder
from kebab_core.errors import EmbedderUnavailable
from tests.models import Configured
from tests.support.embedding_server import (
    DIMENSIONS,
    Answering,
    Asked,
    Reply,
    always,
    ollama,
    openai,
    serving,
    vector,
)

TEXTS = [f"passage number {i}" for i in range(70)]


def unit(text: str) -> list[float]:
    raw = np.array(vector(text))
    return (raw / np.linalg.norm(raw)).tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("answering", "suffix", "paths"),
    [
        (openai, "/v1", ["/v1/embeddings"]),
        (openai, "/v1/", ["/v1/embeddings"]),
        (openai, "/v1/embeddings", ["/v1/embeddings"]),
        (ollama, "/api", ["/api/embed"]),
        (ollama, "", ["/api/embed"]),
        (openai, "", ["/api/embed", "/v1/embeddings"]),
    ],
)
def test_both_protocols(answering: Answering, suffix: str, paths: list[str]) -> None:
    with serving(answering) as server:
        embedder = HttpEmbedder("m", server.address + suffix)
        assert server.asked == []  # nothing is sent until it is used
        np.testing.assert_allclose(embedder.embed_query("one"), unit("one"), atol=1e-6)
        assert [asked.path for asked in server.asked] == paths
        vectors = embedder.embed_passages(TEXTS)
        np.testing.assert_allclose(vectors, [unit(text) for text in TEXTS], atol=1e-6)
        assert vectors.dtype == np.float32
        assert embedder.dimensions == DIMENSIONS
        assert isinstance(embedder, Embedder)
        # The address that answered is kept, and long lists go in parts.
        assert [asked.path for asked in server.asked[len(paths) :]] == paths[-1:] * 3


def test_dimensions_are_asked_for_once() -> None:
    with serving(openai) as server:
        embedder = HttpEmbedder("m", f"{server.address}/v1")
        assert embedder.embed_passages([]).shape == (0, DIMENSIONS)
        assert embedder.dimensions == DIMENSIONS
        assert len(server.asked) == 1


def test_what_is_sent() -> None:
    with serving(openai) as server:
        embedder = HttpEmbedder("intfloat/e5-base-v2", f"{server.address}/v1", key="sk-secret")
        embedder.embed_query("why \ud800")
        embedder.embed_passages([""])
        plain = HttpEmbedder("m", f"{server.address}/v1")
        plain.embed_passages([""])
    first, second, third = server.asked
    assert first.body == {"model": "intfloat/e5-base-v2", "input": ["query: why ?"]}
    assert first.authorization == "Bearer sk-secret"
    assert second.body["input"] == ["passage: "]
    assert third.body["input"] == [" "]  # an empty input is an error to some servers
    assert third.authorization is None


@pytest.mark.parametrize(
    ("answering", "message", "hint"),
    [
        (always(401, b'{"error": {"message": "bad key"}}'), "answered 401: bad key", "key"),
        (always(500, b"<html>"), "answered 500", "log"),
        (always(302, b"", Location="http://127.0.0.1:9/"), "answered 302", "log"),
        (always(200, b"<html>"), "no JSON", "embedding model"),
        (always(200, b"[]"), "no embeddings", "embedding model"),
        (always(200, b'{"data": [{"index": 0}]}'), "no embeddings", "embedding model"),
        (always(200, b'{"data": []}'), "0 embeddings for 1 texts", "embedding model"),
        (always(200, b'{"embeddings": [[1, 2], [3]]}'), "no embeddings", "embedding model"),
        (always(200, b'{"embeddings": [[0, 0]]}'), "zero or not numbers", "embedding model"),
        (always(200, b'{"embeddings": [[NaN, 1]]}'), "zero or not numbers", "embedding model"),
        (always(429, b"", Retry_After="0"), "answered 429", "Wait"),
    ],
)
def test_every_other_answer_is_told(answering: Answering, message: str, hint: str) -> None:
    with serving(answering) as server:
        embedder = HttpEmbedder("m", f"{server.address}/v1", key="sk-secret")
        with pytest.raises(EmbedderUnavailable, match=message) as failure:
            embedder.embed_query("q")
    assert hint in (failure.value.hint or "")
    assert "sk-secret" not in f"{failure.value.message}{failure.value.hint}"


def test_a_model_that_ollama_does_not_have_is_told_at_once() -> None:
    with serving(ollama) as server:
        with pytest.raises(EmbedderUnavailable, match='404: model "missing" not found'):
            HttpEmbedder("missing", server.address).embed_query("q")
        assert len(server.asked) == 1


def test_a_busy_server_is_asked_again() -> None:
    replies = [Reply(503, headers={"Retry_After": "0"}), Reply(429, headers={"Retry_After": "0"})]

    def busy_at_first(asked: Asked) -> Reply:
        return replies.pop() if replies else openai(asked)

    with serving(busy_at_first) as server:
        assert HttpEmbedder("m", f"{server.address}/v1").embed_query("q").shape == (DIMENSIONS,)
        assert len(server.asked) == 3


def test_vectors_may_not_change_their_length() -> None:
    lengths = iter([3, 4])

    def changing(_: Asked) -> Reply:
        return Reply(body=json.dumps({"embeddings": [[1.0] * next(lengths)]}).encode())

    with serving(changing) as server:
        embedder = HttpEmbedder("m", f"{server.address}/api")
        embedder.embed_query("a")
        with pytest.raises(EmbedderUnavailable, match="4 dimensions where it gave 3"):
            embedder.embed_query("b")


def test_a_server_that_is_not_there_is_told_without_what_its_address_hides() -> None:
    embedder = HttpEmbedder("m", "http://me:hunter2@127.0.0.1:9/v1?token=abc")
    with pytest.raises(EmbedderUnavailable, match=r"127\.0\.0\.1:9 can't be reached") as failure:
        embedder.embed_query("q")
    assert "hunter2" not in failure.value.message
    assert "abc" not in failure.value.message


def test_a_server_that_is_silent_is_told() -> None:
    with serving(lambda _: Reply(delay_s=1.5)) as server:
        embedder = HttpEmbedder("m", f"{server.address}/v1", answer_s=0.2)
        with pytest.raises(EmbedderUnavailable, match="didn't answer in time"):
            embedder.embed_query("q")


@pytest.mark.parametrize("address", ["http://127.0.0.1:99999", "http://[::1", "http://"])
def test_an_address_that_is_none_is_told(address: str) -> None:
    with pytest.raises(EmbedderUnavailable, match="base_url"):
        HttpEmbedder("m", address)


def test_many_threads_share_one_embedder() -> None:
    with serving(openai) as server, ThreadPoolExecutor(8) as pool:
        embedder = HttpEmbedder("m", f"{server.address}/v1")
        for text, found in zip(TEXTS, pool.map(embedder.embed_query, TEXTS), strict=True):
            np.testing.assert_allclose(found, unit(text), atol=1e-6)


def test_what_fits_by_the_estimate_fits_512_tokens(minilm: Embedder) -> None:
    embedder = HttpEmbedder("m", "http://127.0.0.1:9")
    for text in (
        "Notice must be given three months before the end of a quarter, in writing.",
        "def get_user_by_id(user_id: int) -> User: return self._users[user_id]",
        "Rechtsschutzversicherungsgesellschaften, Größe 42, haben abgelehnt.",
    ):
        spans = embedder.token_spans(text)
        assert len(minilm.token_spans(text)) / len(spans) * embedder.max_tokens <= 512 - 2
        assert spans == sorted(spans)
        assert {c for a, b in spans for c in text[a:b]} == set(text) - {" "}
    assert len(embedder.token_spans("비밀번호를 변경 東京")) == 9


def test_loading_by_settings(configured: Configured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASK_API_KEY", "sk-mine")
    with serving(openai) as server:
        address = f"{server.address}/v1"
        embed.load(configured(model="m", base_url=address)).embed_query("q")
        same = {"openai-compatible": {"base_url": f"{server.address}/v1/chat"}}
        embed.load(configured(same, model="m", base_url=address)).embed_query("q")
    # A key goes where its provider is, and nowhere else.
    assert [asked.authorization for asked in server.asked] == [None, "Bearer sk-mine"]
    assert embed.installed(configured(model="m", base_url=address)) is None
