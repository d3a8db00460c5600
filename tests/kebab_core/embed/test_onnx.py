from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab_core.embed.base import Embedder
from kebab_core.embed.built import BuiltModel, Card
from kebab_core.embed.onnx import OnnxEmbedder
from kebab_core.embed.profile import Profile
from tests.support import tiny_model

PASSAGES = [
    "To reset your password, open the menu and choose Account.",
    "The train to Ulm leaves at noon from platform two. " * 40,
    "",
    "x",
    "Employees have thirty days of paid leave a year.",
]


def test_it_is_an_embedder_with_unit_vectors(minilm: OnnxEmbedder) -> None:
    assert isinstance(minilm, Embedder)
    assert (minilm.id, minilm.provider) == ("all-MiniLM-L6-v2@int8", "onnx")
    assert (minilm.dimensions, minilm.max_tokens) == (384, 254)
    vectors = minilm.embed_passages(PASSAGES)
    assert vectors.shape == (5, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert minilm.embed_passages([]).shape == (0, 384)
    assert minilm.embed_query("q").shape == (384,)


def test_a_text_has_one_vector_whatever_is_beside_it(minilm: OnnxEmbedder) -> None:
    together = minilm.embed_passages(PASSAGES)
    backwards = minilm.embed_passages(PASSAGES[::-1])[::-1]
    alone = np.stack([minilm.embed_passages([text])[0] for text in PASSAGES])
    np.testing.assert_allclose(together, backwards, atol=1e-6)
    np.testing.assert_allclose(together, alone, atol=1e-6)


def test_questions_are_near_their_answers(minilm: OnnxEmbedder) -> None:
    scores = minilm.embed_passages(PASSAGES) @ minilm.embed_query("How do I change my password?")
    assert scores.argmax() == 0
    assert scores[0] > 0.5
    assert scores[4] < 0.2


def test_int8_stays_near_fp32(minilm: OnnxEmbedder, minilm_fp32: OnnxEmbedder) -> None:
    texts = [text for text in PASSAGES if len(text) > 1]
    cosine = (minilm.embed_passages(texts) * minilm_fp32.embed_passages(texts)).sum(axis=1)
    assert cosine.min() > 0.985


def test_many_threads_at_once(minilm: OnnxEmbedder) -> None:
    expected = minilm.embed_passages(PASSAGES)
    with ThreadPoolExecutor(6) as pool:
        batches = list(pool.map(lambda _: minilm.embed_passages(PASSAGES), range(6)))
        queries = list(pool.map(minilm.embed_query, PASSAGES * 3))
    for batch in batches:
        np.testing.assert_allclose(batch, expected, atol=1e-6)
    np.testing.assert_allclose(np.stack(queries[:5]), np.stack(queries[5:10]), atol=1e-6)


def test_it_reads_as_far_as_its_limit(minilm: OnnxEmbedder) -> None:
    word = "password "
    full = minilm.embed_query(word * 254)
    assert np.array_equal(minilm.embed_query(word * 254 + "train " * 5000), full)
    assert not np.array_equal(minilm.embed_query(word * 253 + "train"), full)


def test_token_spans_are_whole_and_of_the_text_itself(minilm: OnnxEmbedder) -> None:
    text = "  Größe: get_user_by_id, 비밀번호!"
    pieces = [text[start:end] for start, end in minilm.token_spans(text)]
    assert pieces[pieces.index("get") : pieces.index(",")] == [
        *("get", "_", "user", "_", "by", "_", "id")
    ]
    # Hangul is taken apart into letters: several tokens share a syllable.
    assert "".join(dict.fromkeys(pieces)) == "Größe:get_userbyid,비밀번호!"
    assert len(minilm.token_spans("password " * 1000)) == 1000
    assert minilm.token_spans("") == []


def test_token_spans_of_a_long_text_are_those_of_its_parts(minilm: OnnxEmbedder) -> None:
    line = "Notice must be given three months before the end of a quarter.\n"
    text = line * 3000
    once = minilm.token_spans(line)
    spans = minilm.token_spans(text)
    assert len(spans) == len(once) * 3000
    shifted = [(a + 2999 * len(line), b + 2999 * len(line)) for a, b in once]
    assert spans[-len(once) :] == shifted


@settings(max_examples=30)
@given(st.text(alphabet=st.characters(codec=None), max_size=60))
def test_any_text_can_be_embedded(minilm: OnnxEmbedder, text: str) -> None:
    vector = minilm.embed_query(text)
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    before = (0, 0)
    for start, end in minilm.token_spans(text):
        assert before[0] <= start < end <= len(text)
        assert before[1] <= end
        before = start, end


def test_the_default_model_reads_english(minilm: OnnxEmbedder) -> None:
    assert minilm.reads("en")
    assert minilm.reads(None)
    assert not any(minilm.reads(lang) for lang in ("de", "fr", "ko", "ja"))


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_a_ready_graph_without_pooling_is_pooled_here(tmp_path: Path, pooling: str) -> None:
    """As the hub's own `onnx/model.onnx` files are: hidden states out, three inputs maybe."""
    import onnx

    from kebab_core.embed.bert_graph import BertShape, bert_graph

    folder = tiny_model.write_folder(tmp_path / "tiny", pooling=pooling)
    vocabulary = len(json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"])
    tensors = tiny_model.tensors(tiny_model.CONFIG, vocabulary)
    shape = BertShape.of(tiny_model.CONFIG)
    vectors = []
    for name, inside in (("hidden", "none"), ("pooled", pooling)):
        directory = tmp_path / name
        directory.mkdir()
        onnx.save(bert_graph(shape, tensors, inside), str(directory / "model.onnx"))  # type: ignore[arg-type]
        (directory / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
        card = Card("tiny", "fp32", 32, 24, pooling, Profile(), "0")  # type: ignore[arg-type]
        vectors.append(OnnxEmbedder(BuiltModel(directory, card)).embed_query("reset my password"))
    np.testing.assert_allclose(vectors[0], vectors[1], atol=1e-5)


def test_prefixes_go_before_the_text_and_take_from_its_room(tmp_path: Path) -> None:
    from kebab_core.embed.built import build
    from kebab_core.embed.folder import read_folder

    path = tiny_model.write_folder(tmp_path / "tiny")
    folder = read_folder(path, "tiny")

    def embedder(name: str, profile: Profile) -> OnnxEmbedder:
        card = Card("tiny", "fp32", 32, 24, "mean", profile, "0")
        return OnnxEmbedder(build(folder, card, tmp_path / name))

    plain = embedder("plain", Profile())
    prefixed = embedder("prefixed", Profile("how do ", "the "))
    assert (plain.max_tokens, prefixed.max_tokens) == (22, 21)
    np.testing.assert_allclose(prefixed.embed_query("i"), plain.embed_query("how do i"))
    np.testing.assert_allclose(
        prefixed.embed_passages(["user"]), plain.embed_passages(["the user"])
    )
