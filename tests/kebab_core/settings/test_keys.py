"""Which key goes where."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kebab_core.errors import ConfigInvalid, ModelRefused
from kebab_core.paths import Workspace
from kebab_core.settings import catalogue, keys
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.keys import decide, default_base_url, is_near, key_for, key_variables
from kebab_core.settings.model import ProvidersSection, Settings
from kebab_core.settings.state import UserState

Load = Callable[..., Configuration]

SECRET = "sk-planted-0123456789"
OWN = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "workers-ai": "CLOUDFLARE_API_TOKEN",
}
ALL = dict.fromkeys([*OWN.values(), "OLLAMA_API_KEY", "ASK_API_KEY", "MY_KEY"], SECRET)


def configured(**values: Any) -> Configuration:
    """A configuration with these keys of `providers`: `workers_ai__account="x"`."""
    flat = {}
    for name, value in values.items():
        provider, _, key = name.partition("__")
        flat[f"providers.{provider.replace('_', '-')}.{key}"] = value
    settings = Settings.model_validate(catalogue.nested(flat))
    return Configuration(settings, Workspace("x", Path("/x")), UserState(None))


def test_the_table_has_every_provider_of_the_settings() -> None:
    fields = ProvidersSection.model_fields.items()
    assert list(keys.PROVIDERS) == [info.alias for _, info in fields]


@pytest.mark.parametrize(("provider", "variable"), OWN.items())
def test_a_key_goes_to_its_providers_own_host(provider: str, variable: str) -> None:
    configuration = configured(workers_ai__account="acc")
    home = default_base_url(provider, configuration)
    assert key_for(provider, home, configuration, {variable: f" {SECRET}\n"}) == SECRET
    with pytest.raises(ModelRefused) as caught:
        key_for(provider, home, configuration, {variable: "  "})
    assert variable in caught.value.message
    assert variable in (caught.value.hint or "")


@pytest.mark.parametrize("provider", OWN)
@pytest.mark.parametrize(
    "base_url",
    [
        "https://elsewhere.example/v1",
        "http://127.0.0.1:8080",
        "https://api.openai.com.elsewhere.example",
        "https://api.openai.com@elsewhere.example",
        "https://elsewhere.example/api.openai.com",
        "https://api.openai.com:8443/v1",
        "https://xn--pi-openai-xyz.com",
        "https://аpi.openai.com",  # a Cyrillic а
        "",
    ],
)
def test_it_goes_nowhere_else(provider: str, base_url: str) -> None:
    decision = decide(provider, base_url, configured(), ALL)
    assert decision.key is None
    assert OWN[provider] in (decision.reason or "")
    assert SECRET not in f"{decision}{decision.reason}"
    assert decide(provider, base_url, configured(), {}).reason is None


def test_it_goes_elsewhere_where_the_person_named_a_variable_for_it() -> None:
    configuration = configured(openai__api_key_env="MY_KEY")
    assert key_for("openai", "https://proxy.example", configuration, {"MY_KEY": SECRET}) == SECRET
    with pytest.raises(ModelRefused, match="MY_KEY"):
        key_for("openai", "https://proxy.example", configuration, {"OPENAI_API_KEY": SECRET})
    assert key_for("anthropic", "https://proxy.example", configuration, ALL) is None


def test_any_server_takes_ask_api_key_then_the_named_one() -> None:
    url = "https://vllm.example/v1"
    named = configured(openai_compatible__api_key_env="MY_KEY")
    both = {"ASK_API_KEY": "ask", "MY_KEY": "mine"}
    assert key_for("openai-compatible", url, configured(), both) == "ask"
    assert key_for("openai-compatible", url, named, both) == "ask"
    assert key_for("openai-compatible", url, named, {"MY_KEY": "mine"}) == "mine"
    assert key_for("openai-compatible", url, configured(), {"MY_KEY": "mine"}) is None
    assert key_for("openai-compatible", url, configured(), {"OPENAI_API_KEY": "x"}) is None
    with pytest.raises(ModelRefused, match="MY_KEY"):
        key_for("openai-compatible", url, named, {})


def test_a_local_ollama_gets_no_key_and_its_cloud_does() -> None:
    configuration = configured()
    home = default_base_url("ollama", configuration)
    assert home == "http://127.0.0.1:11434"
    assert key_for("ollama", home, configuration, ALL) is None
    assert key_for("ollama", "https://ollama.com", configuration, ALL) == SECRET
    assert key_for("ollama", "https://ollama.com", configuration, {}) is None


# --- plain http --------------------------------------------------------------------------------

NEAR = [
    "localhost",
    "LOCALHOST.",
    "model.localhost",
    "127.0.0.1",
    "127.9.9.9",
    "[::1]",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.9",
    "[fd00::1]",
    "[::ffff:10.0.0.1]",
]
FAR = [
    "example.com",
    "gpubox",
    "gpubox.local",
    "8.8.8.8",
    "172.32.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "[2001:db8::1]",
    "[fe80::1]",
    "[::ffff:8.8.8.8]",
    "127.0.0.1.example.com",
    "localhost.example.com",
    "notlocalhost",
    "2130706433",
    "0x7f.1",
]


@pytest.mark.parametrize("host", NEAR)
def test_plain_http_is_fine_nearby(host: str) -> None:
    url = f"http://{host}:8080/v1"
    assert is_near(host)
    assert key_for("openai-compatible", url, configured(), ALL) == SECRET


@pytest.mark.parametrize("host", FAR)
def test_plain_http_is_not_fine_beyond(host: str) -> None:
    url = f"http://{host}:8080/v1"
    assert not is_near(host)
    decision = decide("openai-compatible", url, configured(), ALL)
    assert decision.key is None
    assert "plain http" in (decision.reason or "")
    allowed = configured(openai_compatible__allow_plain_http=True)
    assert key_for("openai-compatible", url, allowed, ALL) == SECRET
    assert key_for("openai-compatible", f"https://{host}", configured(), ALL) == SECRET


def test_a_needed_key_that_may_not_travel_is_refused_with_the_way_out() -> None:
    with pytest.raises(ModelRefused) as caught:
        key_for("openai", "http://api.openai.com/v1", configured(), ALL)
    assert "OPENAI_API_KEY" in caught.value.message
    assert "providers.openai.allow_plain_http" in (caught.value.hint or "")
    named = configured(openai_compatible__api_key_env="MY_KEY")
    with pytest.raises(ModelRefused, match="MY_KEY"):
        key_for("openai-compatible", "http://far.example", named, {"MY_KEY": SECRET})


@pytest.mark.parametrize(
    "base_url",
    [
        "http://127.0.0.1@elsewhere.example/v1",
        "http://127.0.0.1:80@elsewhere.example",
        "http://elsewhere.example\\@127.0.0.1",
        "http://127.0.0.1\t.elsewhere.example",
        "http://１２７.0.0.1",
        "ftp://127.0.0.1",
        "//127.0.0.1",
    ],
)
def test_an_address_that_can_be_read_two_ways_gets_no_key(base_url: str) -> None:
    decision = decide("openai-compatible", base_url, configured(), ALL)
    assert decision.key is None
    assert decision.reason


@pytest.mark.parametrize("value", ["sk-\nHost: x", "sk-ключ", "sk-\x00"])
def test_a_key_that_would_break_a_header_is_refused_unseen(value: str) -> None:
    with pytest.raises(ModelRefused) as caught:
        key_for("openai", "https://api.openai.com/v1", configured(), {"OPENAI_API_KEY": value})
    assert "OPENAI_API_KEY" in caught.value.message
    assert "sk-" not in f"{caught.value.message}{caught.value.hint}{caught.value.details}"


def test_a_decision_does_not_show_its_key() -> None:
    decision = decide("openai", "https://api.openai.com/v1", configured(), ALL)
    assert decision.key == SECRET
    assert SECRET not in repr(decision)


hosts = st.sampled_from(
    ["api.openai.com", "API.OPENAI.COM.", "evil.example", "127.0.0.1", "localhost", "10.0.0.1"]
)
pieces = st.sampled_from(["@", ":", "/", "\\", "#", "?", "443", "80", ".", "%", " ", "[", "]"])
urls = st.builds(
    lambda scheme, parts: scheme + "".join(parts),
    st.sampled_from(["https://", "http://", "HTTPS://", "https:/", "//", ""]),
    st.lists(hosts | pieces | st.text(max_size=3), max_size=6),
)


@given(urls)
@example("https://api.openai.com:443/v1")
@example("https://api.openai.com.")
def test_whatever_the_address_the_key_reaches_only_its_host(url: str) -> None:
    try:
        key = key_for("openai", url, configured(), ALL)
    except ModelRefused:
        return
    if key is not None:
        assert httpx.URL(url).host.rstrip(".") == "api.openai.com"
        assert urlsplit(url).hostname in ("api.openai.com", "api.openai.com.")
        assert httpx.URL(url).scheme == "https"


@given(urls)
def test_whatever_the_address_no_key_travels_in_the_open(url: str) -> None:
    if key_for("openai-compatible", url, configured(), ALL) is not None:
        called = httpx.URL(url)
        assert called.scheme == "https" or is_near(called.host)


# --- addresses ---------------------------------------------------------------------------------


def test_base_urls() -> None:
    assert default_base_url("openai", configured()) == "https://api.openai.com/v1"
    own = configured(openai__base_url="https://proxy.example/v1/")
    assert default_base_url("openai", own) == "https://proxy.example/v1"
    account = configured(workers_ai__account="acc")
    assert default_base_url("workers-ai", account) == (
        "https://api.cloudflare.com/client/v4/accounts/acc/ai/v1"
    )


@pytest.mark.parametrize(
    ("provider", "key"),
    [
        ("openai-compatible", "providers.openai-compatible.base_url"),
        ("workers-ai", "providers.workers-ai.account"),
        ("olama", "olama"),
    ],
)
def test_what_is_missing_for_an_address_is_named(provider: str, key: str) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        default_base_url(provider, configured())
    assert key in caught.value.message
    assert caught.value.hint


def test_the_environment_is_the_processs_own_unless_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    assert key_for("openai", "https://api.openai.com/v1", configured()) == SECRET


def test_ollama_host_is_where_ollama_is(load_there: Load) -> None:
    env: Mapping[str, str] = {"OLLAMA_HOST": "0.0.0.0:1234"}
    assert default_base_url("ollama", load_there(env=env)) == "http://127.0.0.1:1234"


def test_key_variables() -> None:
    named = configured(openai__api_key_env="MY_KEY")
    assert key_variables(named) == (
        "ASK_API_KEY",
        "OLLAMA_API_KEY",
        *OWN.values(),
        "MY_KEY",
    )
