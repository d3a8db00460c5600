"""Parts for testing what is built on kebab: no model, no network, always the same result."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kebab_core.testing.base import ScriptedBase as ScriptedBase
    from kebab_core.testing.embedder import HashEmbedder as HashEmbedder
    from kebab_core.testing.model import ScriptedModel as ScriptedModel
    from kebab_core.testing.run import Reply as Reply
    from kebab_core.testing.run import ScriptedRun as ScriptedRun

_WHERE = {
    "HashEmbedder": "kebab_core.testing.embedder",
    "Reply": "kebab_core.testing.run",
    "ScriptedBase": "kebab_core.testing.base",
    "ScriptedModel": "kebab_core.testing.model",
    "ScriptedRun": "kebab_core.testing.run",
}

__all__ = sorted(_WHERE)


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"kebab_core.testing has no {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
