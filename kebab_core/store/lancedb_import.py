"""Import LanceDB without the part that most of its import is spent on.

`import lancedb` loads the generated client of its REST service, and that is two thirds of the
time. Only a `db://` connection needs it, so it loads when something
of it is first asked for.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from types import ModuleType
from typing import Any

_REST_CLIENT = "lance_namespace_urllib3_client"


def prepare() -> None:
    """Call it before anything imports `lancedb`. Cheap, and harmless when called again."""
    # Rust reads it when the library is loaded; its warnings would land in the screen.
    os.environ.setdefault("LANCEDB_LOG", "error")
    if "lancedb" not in sys.modules:
        _put_off(_REST_CLIENT)


def _put_off(name: str) -> None:
    """Stand a package in `sys.modules` whose own code runs when an attribute is first missing.

    `importlib.util.LazyLoader` would run it at once: importing a submodule looks at `__path__`.
    """
    spec = importlib.util.find_spec(name)
    if name in sys.modules or spec is None or spec.loader is None:
        return
    loader = spec.loader
    late = importlib.util.module_from_spec(spec)

    def load(attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(f"module {name!r} has no attribute {attribute!r}")
        _forget_hook(late)
        loader.exec_module(late)
        return getattr(late, attribute)

    late.__getattr__ = load  # type: ignore[method-assign]
    sys.modules[name] = late


def _forget_hook(module: ModuleType) -> None:
    vars(module).pop("__getattr__", None)
