"""Graphs ready to run, made once into the cache: one folder for each weights and precision.

A folder appears whole or not at all (it is made beside and renamed), and its name follows from
the hash of the weights, so two processes that build at once end with the same.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kebab_core.embed.bert_graph import NotBertShaped, Pooling, bert_graph
from kebab_core.embed.folder import ModelFolder, UnsupportedFolder
from kebab_core.embed.onnx_runtime import quantization
from kebab_core.embed.profile import Profile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Precision = Literal["int8", "fp32"]
FORMAT = 1
"""Rises when the same weights would give other vectors, or another card."""
_MODEL, _TOKENIZER, _CARD = "model.onnx", "tokenizer.json", "card.json"


@dataclass(frozen=True, slots=True)
class Card:
    """What a built folder says of itself. `max_length` counts special tokens."""

    name: str
    precision: Precision
    dimensions: int
    max_length: int
    pooling: Pooling
    profile: Profile
    weights_sha256: str


@dataclass(frozen=True, slots=True)
class BuiltModel:
    directory: Path
    card: Card

    @property
    def id(self) -> str:
        return f"{self.card.name}@{self.card.precision}"

    @property
    def model(self) -> Path:
        return self.directory / _MODEL

    @property
    def tokenizer(self) -> Path:
        return self.directory / _TOKENIZER


def built_directory(root: Path, slug: str, weights_sha256: str, precision: Precision) -> Path:
    return root / slug / f"{weights_sha256[:16]}-{precision}-{FORMAT}"


def find_built(directory: Path) -> BuiltModel | None:
    """The model in `directory`, or None where there is none that can be read."""
    try:
        told = json.loads((directory / _CARD).read_text("utf-8"))
        profile = told.pop("profile")
        languages = profile.pop("languages")
        known = Profile(**profile, languages=None if languages is None else frozenset(languages))
        return BuiltModel(directory, Card(**told, profile=known))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def build(folder: ModelFolder, card: Card, directory: Path) -> BuiltModel:
    """Make `directory` from `folder`. Takes seconds; imports onnx.

    Raises UnsupportedFolder, and OSError where the disk refuses.
    """
    with made_beside(directory) as making:
        if folder.shape is None:
            _from_graph(folder.weights, making / _MODEL, card.precision)
        else:
            _from_tensors(folder, making / _MODEL, card.precision)
        shutil.copyfile(folder.tokenizer, making / _TOKENIZER)
        (making / _CARD).write_text(json.dumps(_as_json(card), indent=1), "utf-8")
    return BuiltModel(directory, card)


@contextmanager
def made_beside(directory: Path) -> Iterator[Path]:
    """A folder beside `directory` that takes its place at the end; gone after a failure."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    making = Path(tempfile.mkdtemp(prefix=".making-", dir=directory.parent))
    try:
        yield making
        making.chmod(0o755)
        try:
            making.rename(directory)
        except OSError:
            # Another process was faster; what it made has the same name, hence the same content.
            if not directory.is_dir():
                raise
    finally:
        shutil.rmtree(making, ignore_errors=True)


def file_sha256(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while data := file.read(1 << 20):
            digest.update(data)
    return digest.hexdigest()


def dimensions_of(folder: ModelFolder) -> int:
    """The length of the folder's vectors."""
    if folder.shape is not None:
        return folder.shape.hidden
    config = json.loads((folder.path / "config.json").read_text("utf-8"))
    hidden = config.get("hidden_size", config.get("dim"))
    if not isinstance(hidden, int):
        raise UnsupportedFolder("its config.json doesn't say its dimensions")
    return hidden


def _from_tensors(folder: ModelFolder, target: Path, precision: Precision) -> None:
    import onnx

    if folder.shape is None:
        raise ValueError("a ready graph has no tensors")
    try:
        model = bert_graph(folder.shape, _tensors(folder.weights), folder.pooling)
        onnx.checker.check_model(model)
    except NotBertShaped as error:
        raise UnsupportedFolder(str(error)) from error
    if precision == "int8":
        _quantize(model, target)
    else:
        onnx.save(model, str(target))


def _from_graph(source: Path, target: Path, precision: Precision) -> None:
    import onnx

    if (source.parent / f"{source.name}_data").exists():
        raise UnsupportedFolder("its ONNX graph keeps the weights in a second file")
    if precision == "int8":
        _quantize(onnx.load(str(source)), target)
    else:
        shutil.copyfile(source, target)


def _tensors(path: Path) -> dict[str, NDArray[np.generic]]:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        tensors: dict[str, NDArray[np.generic]] = load_file(str(path))
    except (SafetensorError, TypeError, KeyError, AttributeError) as error:
        raise UnsupportedFolder(f"its {path.name} can't be read ({error})") from error
    return tensors


def _quantize(model: Any, target: Path) -> None:
    """Weights in 8 bits, activations scaled as they come.

    `reduce_range` leaves the products room in 16 bits: processors without VNNI saturate
    otherwise (AVX2: cosine to fp32 0.983 instead of 0.990), and results would differ by machine.
    """
    # Says that there is nothing to simplify, or the library writes advice to stderr.
    note = model.metadata_props.add()
    note.key, note.value = "onnx.quant.pre_process", "onnxruntime.quant"
    library = quantization()
    library.quantize_dynamic(
        model,
        str(target),
        weight_type=library.QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
    )


def _as_json(card: Card) -> dict[str, Any]:
    languages = card.profile.languages
    return {
        "name": card.name,
        "precision": card.precision,
        "dimensions": card.dimensions,
        "max_length": card.max_length,
        "pooling": card.pooling,
        "profile": {
            "query_prefix": card.profile.query_prefix,
            "passage_prefix": card.profile.passage_prefix,
            "languages": None if languages is None else sorted(languages),
        },
        "weights_sha256": card.weights_sha256,
    }
