"""The real embedding model for tests: fetched once for the environment, then reused.

`KEBAB_TEST_MODELS` names another folder to keep it in.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from kebab_core.settings.configuration import Configuration

Configured = Callable[..., "Configuration"]
"""`configured(model=…, runtime=…)`: a configuration with that `[embedding]`."""

# Read at import: every test has the variables of kebab taken from its environment.
_FOLDER = os.environ.get("KEBAB_TEST_MODELS")
_IN_CI = bool(os.environ.get("CI"))


def models_folder() -> Path:
    """Where the models of the tests are kept: beside the packages that run them."""
    return Path(_FOLDER) if _FOLDER else Path(sys.prefix) / "kebab-test-models"


@cache
def real_models() -> Path:
    """A models folder with the default model, weights and int8 graph, fetched if need be.

    Skips the test where the model can't be had, but fails in CI.
    """
    from kebab_core.embed.choice import choose
    from kebab_core.embed.ready import make_ready
    from kebab_core.errors import EmbedderUnavailable
    from kebab_core.settings.model import EmbeddingSection

    folder = models_folder()
    try:
        make_ready(choose(EmbeddingSection()), folder, fetch=True, notice=lambda _: None)
    except EmbedderUnavailable as error:
        if _IN_CI:
            raise
        pytest.skip(f"no embedding model to test with: {error.message}")
    return folder


def use_real_models(home: Path) -> Path:
    """Make the model that of `home`, as kebab looks for it there; returns its models folder.

    On platforms other than Linux the cache lies elsewhere under the home folder.
    """
    from kebab_core.paths import models_dir

    there = models_dir()
    if home not in there.parents:
        raise RuntimeError(f"the cache {there} is not under the test's own home {home}")
    there.parent.mkdir(parents=True, exist_ok=True)
    there.symlink_to(real_models(), target_is_directory=True)
    return there
