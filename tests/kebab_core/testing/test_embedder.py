from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from kebab_core.embed.base import Embedder
from kebab_core.testing import HashEmbedder


def test_it_is_an_embedder_with_unit_vectors() -> None:
    embedder = HashEmbedder(64)
    assert isinstance(embedder, Embedder)
    vectors = embedder.embed_passages(["reset the password", "", "…", "값은 10"])
    assert vectors.shape == (4, 64)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert embedder.embed_passages([]).shape == (0, 64)


def test_the_same_words_are_near_and_others_far() -> None:
    embedder = HashEmbedder()
    query = embedder.embed_query("How do I reset my password?")
    near, far = embedder.embed_passages(
        ["Resetting passwords is done in the menu.", "The train to Ulm leaves at noon."]
    )
    assert query @ near > 0.5
    assert abs(query @ far) < 0.2


def test_vectors_are_the_same_in_another_process() -> None:
    here = HashEmbedder(32).embed_query("lines of a contract")
    code = (
        "from kebab_core.testing import HashEmbedder as H;"
        "print(*H(32).embed_query('lines of a contract').tolist())"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [float(x) for x in there.stdout.split()] == pytest.approx(here.tolist())


def test_it_reads_as_far_as_its_limit() -> None:
    embedder = HashEmbedder(max_tokens=3)
    text = "alpha, beta gamma"
    assert embedder.token_spans(text) == [(0, 5), (5, 6), (7, 11), (12, 17)]
    short = embedder.embed_query("alpha, beta")
    assert np.array_equal(embedder.embed_query(text), short)


def test_languages_can_be_limited() -> None:
    assert HashEmbedder().reads("ko")
    english = HashEmbedder(languages=["en"])
    assert english.reads("en")
    assert english.reads(None)
    assert not english.reads("ko")


def test_a_vector_needs_dimensions() -> None:
    with pytest.raises(ValueError, match="2 dimensions"):
        HashEmbedder(1)
