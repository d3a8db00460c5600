from __future__ import annotations

from collections.abc import Callable

import pytest

from kebab_core import llm
from kebab_core.errors import ConfigInvalid, ModelRefused
from kebab_core.llm.anthropic import Anthropic
from kebab_core.llm.base import ChatModel
from kebab_core.llm.endpoint import Endpoint
from kebab_core.llm.ollama import Ollama
from kebab_core.llm.openai_compat import OpenAICompatible
from kebab_core.llm.providers import NAMES, endpoint_for, parse_ref
from kebab_core.llm.quote import QuoteModel
from kebab_core.settings.configuration import Configuration
from kebab_core.types import ModelChoice

Configure = Callable[..., Configuration]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("ollama:llama3.2:3b", ("ollama", "llama3.2:3b")),
        ("openrouter:anthropic/claude-x", ("openrouter", "anthropic/claude-x")),
        (" openai : gpt-x ", ("openai", "gpt-x")),
        ("quote", ("quote", "")),
        ("quote:", ("quote", "")),
    ],
)
def test_the_first_colon_splits(text: str, parts: tuple[str, str]) -> None:
    assert parse_ref(text) == parts


@pytest.mark.parametrize(
    ("text", "says", "hints"),
    [
        ("olama:llama3.2", "no provider that exists", "Did you mean `ollama`?"),
        ("workers_ai:x", "no provider that exists", "Did you mean `workers-ai`?"),
        ("Anthropic:x", "no provider that exists", "Did you mean `anthropic`?"),
        ("zzz:x", "no provider that exists", "Providers are openai-compatible, ollama"),
        ("qoute", "no provider that exists", "Did you mean `quote`?"),
        ("ollama", "names no model", "`ollama:MODEL`"),
        ("ollama:", "names no model", "`ollama:MODEL`"),
        ("llama3.2", "without its provider", "`ollama:llama3.2`"),
        ("", "without its provider", "`ollama:llama3.2`"),
        ("quote:fast", "no models to choose from", "`quote` alone"),
        ("\x1b[31m:x", "no provider", "Providers are"),
    ],
)
def test_a_name_that_can_t_be_says_what_was_meant(text: str, says: str, hints: str) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        parse_ref(text, "`models.ask.model`")
    assert says in caught.value.message
    assert caught.value.message.startswith("`models.ask.model`")
    assert "\x1b" not in caught.value.message
    assert hints in (caught.value.hint or "")


KINDS = {
    "openai-compatible": OpenAICompatible,
    "ollama": Ollama,
    "openai": OpenAICompatible,
    "anthropic": Anthropic,
    "openrouter": OpenAICompatible,
    "workers-ai": OpenAICompatible,
    "quote": QuoteModel,
}
ADDRESSES = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "workers-ai": "https://api.cloudflare.com/client/v4/accounts/abc/ai/v1",
    "ollama": "http://127.0.0.1:11434",
    "openai-compatible": "http://127.0.0.1:8080/v1",
}


@pytest.mark.parametrize("provider", NAMES)
async def test_each_provider_makes_its_model(
    provider: str, configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OLLAMA_HOST")
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.setenv(name, "sk-planted")
    monkeypatch.setenv("CLOUDFLARE_API_TOKEN", "sk-planted")
    configuration = configure(
        {
            "providers.workers-ai.account": "abc",
            "providers.openai-compatible.base_url": "http://127.0.0.1:8080/v1",
        }
    )
    choice = ModelChoice(provider, "" if provider == "quote" else "some-model", "flag")
    model = llm.create(choice, configuration)
    assert type(model) is KINDS[provider]
    assert isinstance(model, ChatModel)
    assert model.provider == provider
    assert model.id == (choice.model or "quote")
    if provider != "quote":
        assert endpoint_for(choice, configuration).base_url == ADDRESSES[provider]
        assert "sk-planted" not in repr(endpoint_for(choice, configuration))
    await model.aclose()


def test_a_key_that_is_missing_refuses_and_names_the_variable(configure: Configure) -> None:
    with pytest.raises(ModelRefused, match="OPENAI_API_KEY"):
        llm.create(ModelChoice("openai", "gpt-x", "flag"), configure())


def test_an_address_that_is_missing_is_asked_for(configure: Configure) -> None:
    with pytest.raises(ConfigInvalid, match="base_url"):
        llm.create(ModelChoice("openai-compatible", "x", "flag"), configure())


def test_the_time_outs_are_those_of_the_settings(configure: Configure) -> None:
    configuration = configure({"ask.connect_timeout_s": 1.5, "ask.silence_timeout_s": 7})
    endpoint = endpoint_for(ModelChoice("ollama", "x", "flag"), configuration)
    assert (endpoint.connect_timeout_s, endpoint.silence_timeout_s) == (1.5, 7)


@pytest.mark.parametrize(
    ("base_url", "loopback", "address"),
    [
        ("http://127.0.0.1:11434", True, "http://127.0.0.1:11434"),
        ("http://127.8.9.1", True, "http://127.8.9.1"),
        ("http://[::1]:80/v1", True, "http://[::1]:80/v1"),
        ("http://localhost:1/v1", True, "http://localhost:1/v1"),
        ("http://a.localhost", True, "http://a.localhost"),
        ("http://192.168.1.2/v1", False, "http://192.168.1.2/v1"),
        ("https://u:p@api.example/v1?k=1#x", False, "https://api.example/v1"),
        ("http://127.0.0.1.example", False, "http://127.0.0.1.example"),
        ("http://[::1", False, "an address that can't be read"),
        ("http://h:99999/", False, "an address that can't be read"),
    ],
)
def test_an_address_is_judged_and_shown_by_its_host(
    base_url: str, loopback: bool, address: str
) -> None:
    endpoint = Endpoint("openai-compatible", "m", base_url)
    assert endpoint.is_loopback is loopback
    assert endpoint.address == address


def test_a_server_s_words_are_shown_short_on_one_line_without_the_key() -> None:
    endpoint = Endpoint("openai", "m", "https://api.openai.com/v1", key="sk-planted")
    assert endpoint.shown("a\n\tb \x1b[31m sk-planted!") == "a b ␛[31m [key]!"
    assert len(endpoint.shown("x" * 5000)) == 301


def test_loading_the_package_loads_no_provider() -> None:
    import subprocess
    import sys

    code = (
        "import sys, kebab_core.llm, kebab_core.llm.roles, kebab_core.llm.base;"
        "print(*(m for m in ('httpx', 'numpy', 'lancedb') if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
