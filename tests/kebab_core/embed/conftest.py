"""The real default model, and configurations to load embedders by."""

from __future__ import annotations

from pathlib import Path

import pytest

from kebab_core.embed.choice import Choice
from kebab_core.embed.onnx import OnnxEmbedder
from kebab_core.embed.ready import onnx_embedder
from kebab_core.paths import Workspace
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.model import Settings
from kebab_core.settings.state import UserState
from tests import models
from tests.models import Configured


@pytest.fixture(scope="session")
def real_models() -> Path:
    """A shared models folder with the default model. Not to be written to."""
    return models.real_models()


@pytest.fixture(scope="session")
def minilm(real_models: Path) -> OnnxEmbedder:
    """The default embedder, int8."""
    choice = Choice("onnx", "all-MiniLM-L6-v2")
    return onnx_embedder(choice, real_models, fetch=False, notice=lambda _: None)


@pytest.fixture(scope="session")
def minilm_fp32(real_models: Path) -> OnnxEmbedder:
    choice = Choice("onnx", "all-MiniLM-L6-v2", precision="fp32")
    return onnx_embedder(choice, real_models, fetch=False, notice=lambda _: None)


@pytest.fixture
def installed_model(own_home: Path) -> Path:
    """The models folder of the test's own home, with the real default model in it."""
    return models.use_real_models(own_home)


@pytest.fixture
def configured(tmp_path: Path) -> Configured:
    """`configured(model=…, runtime=…)`: a configuration with that `[embedding]`."""

    def make(providers: dict[str, object] | None = None, **embedding: object) -> Configuration:
        settings = Settings.model_validate({"embedding": embedding, "providers": providers or {}})
        workspace = Workspace("test", tmp_path / "workspace")
        return Configuration(settings, workspace, UserState(tmp_path / "state.json"))

    return make
