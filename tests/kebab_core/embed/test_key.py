from __future__ import annotations

import pytest

from kebab_core.embed.key import embedding_key
from kebab_core.errors import EmbedderUnavailable
from tests.models import Configured

ENV = {"OPENAI_API_KEY": "sk-openai", "ASK_API_KEY": "sk-ask", "MINE": "sk-mine"}


@pytest.mark.parametrize(
    ("base_url", "providers", "key"),
    [
        ("https://api.openai.com/v1", {}, "sk-openai"),
        ("http://api.openai.com/v1", {}, ""),
        ("https://api.openai.com.example.org/v1", {}, ""),
        ("https://elsewhere.example.org/v1", {}, ""),
        ("http://127.0.0.1:11434", {}, ""),
        ("http://127.0.0.1:8080/v1", {}, ""),
        (
            "http://127.0.0.1:8080/v1",
            {"openai-compatible": {"base_url": "http://127.0.0.1:8080/v1"}},
            "sk-ask",
        ),
        (
            "http://127.0.0.1:8081/v1",
            {"openai-compatible": {"base_url": "http://127.0.0.1:8080/v1"}},
            "",
        ),
        (
            "https://llm.example.org/embed",
            {"openai": {"base_url": "https://llm.example.org/v1", "api_key_env": "MINE"}},
            "sk-mine",
        ),
        (  # in the open, over a network that others share
            "http://llm.example.org/v1",
            {"openai-compatible": {"base_url": "http://llm.example.org/v1"}},
            "",
        ),
    ],
)
def test_a_key_goes_to_its_own_server_only(
    configured: Configured, base_url: str, providers: dict[str, object], key: str
) -> None:
    configuration = configured(providers, model="m", base_url=base_url)
    assert embedding_key(configuration, ENV) == key


def test_a_key_that_is_a_must_and_missing_is_told(configured: Configured) -> None:
    configuration = configured(model="m", base_url="https://api.openai.com/v1")
    with pytest.raises(EmbedderUnavailable, match="OPENAI_API_KEY"):
        embedding_key(configuration, {})
