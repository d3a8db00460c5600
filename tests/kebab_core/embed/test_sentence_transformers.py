from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kebab_core.embed import load
from kebab_core.embed.base import Embedder
from kebab_core.embed.onnx import OnnxEmbedder
from kebab_core.embed.sentence_transformers import SentenceTransformerEmbedder
from kebab_core.embed.weights import default_directory
from kebab_core.errors import EmbedderUnavailable
from tests.models import Configured
from tests.support import tiny_model

pytest.importorskip("sentence_transformers", reason="kebab[sentence-transformers] is not here")

TEXTS = [
    "How do I reset my password?",
    "Notice must be given three months before the end of a quarter, in writing. " * 30,
    "",
    "def get_user_by_id(user_id: int) -> User: ...",
    "비밀번호를 변경하려면 설정을 여세요. Größe naïve ☃",
    "a",
]


@pytest.fixture(scope="module")
def library(real_models: Path) -> SentenceTransformerEmbedder:
    folder = default_directory(real_models)
    return SentenceTransformerEmbedder("all-MiniLM-L6-v2", folder, fetch=False)


def test_the_onnx_graph_gives_the_same_vectors(
    library: SentenceTransformerEmbedder, minilm_fp32: OnnxEmbedder
) -> None:
    assert library.id == minilm_fp32.id == "all-MiniLM-L6-v2@fp32"
    np.testing.assert_allclose(
        minilm_fp32.embed_passages(TEXTS), library.embed_passages(TEXTS), atol=1e-4
    )
    for text in TEXTS:
        np.testing.assert_allclose(
            minilm_fp32.embed_query(text), library.embed_query(text), atol=1e-4
        )


def test_both_read_as_far_and_see_the_same_tokens(
    library: SentenceTransformerEmbedder, minilm_fp32: OnnxEmbedder
) -> None:
    assert library.max_tokens == minilm_fp32.max_tokens == 254
    assert library.dimensions == minilm_fp32.dimensions == 384
    for text in TEXTS:
        assert library.token_spans(text) == minilm_fp32.token_spans(text)
    assert not library.reads("ko")
    assert library.reads("en")


def test_it_is_an_embedder_and_quiet(
    library: SentenceTransformerEmbedder, capfd: pytest.CaptureFixture[str]
) -> None:
    assert isinstance(library, Embedder)
    vectors = library.embed_passages(TEXTS)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert vectors.dtype == np.float32
    assert library.embed_passages([]).shape == (0, 384)
    assert capfd.readouterr() == ("", "")


def test_loading_by_settings(
    configured: Configured, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tiny_model.write_folder(tmp_path / "tiny")
    embedder = load(configured(model=str(folder), runtime="sentence-transformers"))
    assert embedder.provider == "sentence-transformers"
    assert embedder.id.startswith("tiny-")
    assert embedder.dimensions == 32
    assert capfd.readouterr() == ("", "")


def test_auto_takes_it_where_onnx_runtime_can_not(configured: Configured, tmp_path: Path) -> None:
    folder = tiny_model.write_folder(tmp_path / "tiny", pooling="none")  # neither mean nor cls
    (folder / "1_Pooling" / "config.json").write_text(
        '{"word_embedding_dimension": 32, "pooling_mode_mean_tokens": false, '
        '"pooling_mode_max_tokens": true}'
    )
    assert load(configured(model=str(folder))).provider == "sentence-transformers"
    with pytest.raises(EmbedderUnavailable, match="pooling is 'max'") as failure:
        load(configured(model=str(folder), runtime="onnx"))
    assert "sentence-transformers" in (failure.value.hint or "")


def test_a_name_that_is_not_here_is_told_without_asking_a_network(configured: Configured) -> None:
    with pytest.raises(EmbedderUnavailable, match="can't load some/model") as failure:
        load(configured(model="some/model", runtime="sentence-transformers"))
    assert "kebab models install" in (failure.value.hint or "")


def test_a_damaged_folder_is_told(configured: Configured, tmp_path: Path) -> None:
    folder = tiny_model.write_folder(tmp_path / "tiny")
    (folder / "config.json").write_text("{")
    with pytest.raises(EmbedderUnavailable, match="can't load tiny"):
        load(configured(model=str(folder), runtime="sentence-transformers"))
