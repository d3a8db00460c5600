"""OLLAMA_HOST as Ollama reads it."""

from __future__ import annotations

import pytest

from kebab_core.settings.ollama_host import ollama_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        # The cases of Ollama's own test of envconfig.Host, where a client can use them.
        ("1.2.3.4", "http://1.2.3.4:11434"),
        (":1234", "http://127.0.0.1:1234"),
        ("1.2.3.4:1234", "http://1.2.3.4:1234"),
        ("example.com", "http://example.com:11434"),
        ("example.com:1234", "http://example.com:1234"),
        ("http://1.2.3.4", "http://1.2.3.4:80"),
        ("https://1.2.3.4", "https://1.2.3.4:443"),
        ("https://example.com:1234/ollama/", "https://example.com:1234/ollama"),
        ("[0001:002:003:0004::1]", "http://[0001:002:003:0004::1]:11434"),
        ("[::1]:1337", "http://[::1]:1337"),
        ("::1", "http://[::1]:11434"),
        (' "1.2.3.4" ', "http://1.2.3.4:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:80", "http://127.0.0.1:80"),
        ("[::]:80", "http://[::1]:80"),
    ],
)
def test_address(text: str, address: str) -> None:
    assert ollama_address(text) == address
