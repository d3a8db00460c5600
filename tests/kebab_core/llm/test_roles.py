"""Which model answers: the flag, the settings, what was remembered, an Ollama here, `quote`."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from kebab_core.errors import ConfigInvalid
from kebab_core.llm import roles
from kebab_core.llm.discovery import newest_ollama_model
from kebab_core.settings.configuration import Configuration
from kebab_core.testing.model import ScriptedModel
from kebab_core.types import ModelChoice

Configure = Callable[..., Configuration]


def here(server: ScriptedModel) -> dict[str, str]:
    return {"providers.ollama.base_url": server.origin}


def test_with_nothing_set_and_nothing_found_quote_answers(configure: Configure) -> None:
    configuration = configure()
    choice = roles.choose(configuration)
    assert choice == ModelChoice("quote", "", "quote")
    assert choice.ref == "quote"
    assert roles.only_quotes(choice)
    assert configuration.state.remembered_model("ask") is None


def test_a_local_ollama_is_found_said_aloud_and_remembered(configure: Configure) -> None:
    with ScriptedModel([], models=["nomic-embed-text:latest", "qwen3:4b", "llama3"]) as server:
        choice = roles.choose(configure(here(server)))
    assert (choice.ref, choice.how) == ("ollama:qwen3:4b", "found")
    assert "qwen3:4b" in (choice.note or "")
    assert not roles.only_quotes(choice)
    # Another process, with the server gone: the answerer doesn't change silently.
    again = roles.choose(configure(here(server)))
    assert again == ModelChoice("ollama", "qwen3:4b", "remembered")


def test_what_could_answer_is_offered_each_once(configure: Configure) -> None:
    with ScriptedModel([], models=["nomic-embed-text:latest", "qwen3:4b", "llama3"]) as server:
        configuration = configure({**here(server), "models.chance.model": "openai:gpt-x"})
        configuration.state.remember_model("ask", "ollama:llama3")
        offered = roles.offered(configuration)
    assert offered[0] == "openai:gpt-x"
    assert sorted(offered[1:-1]) == ["ollama:llama3", "ollama:qwen3:4b"]
    assert offered[-1] == "quote"
    # Nobody there: what is known without a server.
    assert roles.offered(configuration) == ["openai:gpt-x", "ollama:llama3", "quote"]


def test_the_settings_come_before_what_is_remembered(configure: Configure) -> None:
    configuration = configure({"models.ask.model": "openai:gpt-x"})
    configuration.state.remember_model("ask", "ollama:x")
    assert roles.choose(configuration) == ModelChoice("openai", "gpt-x", "settings")


def test_the_flag_comes_before_all(configure: Configure) -> None:
    configuration = configure({"models.ask.model": "openai:gpt-x"})
    assert roles.choose(configuration, override="quote") == ModelChoice("quote", "", "flag")
    flagged = roles.choose(configuration, "followups", "ollama:a:b")
    assert flagged == ModelChoice("ollama", "a:b", "flag")


def test_a_role_has_its_own_model_or_that_of_ask(configure: Configure) -> None:
    configuration = configure({"models.ask.model": "ollama:a", "models.chance.model": "ollama:b"})
    assert roles.choose(configuration, "chance").model == "b"
    assert roles.choose(configuration, "followups").model == "a"
    assert roles.row(configuration, "chance").max_tokens == 1024


def test_the_variables_set_models_too(
    configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEBAB_MODEL_ASK", "ollama:a:b")
    monkeypatch.setenv("KEBAB_MODEL_FOLLOWUPS", "quote")
    assert roles.choose(configure()).ref == "ollama:a:b"
    assert roles.choose(configure(), "followups").ref == "quote"


@pytest.mark.parametrize(
    ("role", "settings", "override", "names"),
    [
        ("ask", {}, "olama:x", "--model"),
        ("ask", {"models.ask.model": "gpt-x"}, None, "models.ask.model"),
        ("chance", {"models.chance.model": "x:y"}, None, "models.chance.model"),
        ("cook", {}, None, "cook"),
    ],
)
def test_names_that_can_t_be_are_refused_with_their_place(
    role: str, settings: dict[str, str], override: str | None, names: str, configure: Configure
) -> None:
    with pytest.raises(ConfigInvalid, match=names):
        roles.choose(configure(settings), role, override)


# --- the probe ------------------------------------------------------------------------------


def test_only_loopback_is_asked() -> None:
    begun = time.monotonic()
    for address in ("http://192.0.2.1:11434", "https://127.0.0.1:11434", "http://ollama.example"):
        assert newest_ollama_model(address) is None
    assert time.monotonic() - begun < 0.1


@pytest.mark.parametrize("name", ["nomic-embed-text", "all-minilm:22m", "bge-m3"])
def test_a_server_without_a_chat_model_has_none(name: str) -> None:
    with ScriptedModel([], models=[name]) as server:
        assert newest_ollama_model(server.origin) is None


def test_something_else_on_that_port_is_not_taken_for_it() -> None:
    with ScriptedModel([], key="secret") as server:
        assert newest_ollama_model(server.origin) is None
    assert newest_ollama_model("http://127.0.0.1:9") is None


def test_a_server_that_says_nothing_delays_the_first_answer_but_little() -> None:
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        begun = time.monotonic()
        assert newest_ollama_model(f"http://127.0.0.1:{mute.getsockname()[1]}") is None
    assert time.monotonic() - begun < 1


def test_nor_does_one_that_drips() -> None:
    def drip(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection, suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
            for _ in range(100):
                connection.sendall(b" ")
                time.sleep(0.05)

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        dripping = threading.Thread(target=drip, args=(listener,))
        dripping.start()
        begun = time.monotonic()
        assert newest_ollama_model(f"http://127.0.0.1:{listener.getsockname()[1]}") is None
        assert time.monotonic() - begun < 1
        dripping.join()


def test_a_host_variable_beyond_this_machine_is_not_probed(
    configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "http://192.0.2.1:11434")
    begun = time.monotonic()
    assert roles.choose(configure()).provider == "quote"
    assert time.monotonic() - begun < 2


def test_the_host_variable_is_honoured_on_loopback(
    configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedModel([], models=["qwen3:4b"]) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.origin.removeprefix("http://"))
        assert roles.choose(configure()).ref == "ollama:qwen3:4b"
