"""Where a bearer may go."""

from __future__ import annotations

import pytest

from kebab_core.client.address import checked
from kebab_core.errors import KebabError

TOKEN = {"KEBAB_TOKEN": " secret-token-0123456789 "}


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("http://127.0.0.1:8765", "http://127.0.0.1:8765"),
        ("http://localhost:8765/kebab/", "http://localhost:8765/kebab"),
        ("http://[::1]:8765/", "http://[::1]:8765"),
        ("http://10.0.0.5", "http://10.0.0.5"),
        (" https://kebab.example/a ", "https://kebab.example/a"),
    ],
)
def test_addresses(url: str, found: str) -> None:
    address = checked(url, TOKEN)
    assert address.url == found
    assert address.token == "secret-token-0123456789"
    assert "secret" not in repr(address)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("kebab.example", "invalid_input"),
        ("file:///etc/passwd", "invalid_input"),
        ("http://", "invalid_input"),
        ("http://[", "invalid_input"),
        ("http://a:b@127.0.0.1", "invalid_input"),
        ("http://127.0.0.1/?token=x", "invalid_input"),
        ("http://127.0.0.1:99999", "invalid_input"),
        ("http://kebab.example", "permission_denied"),
        ("http://127.0.0.1.evil.example", "permission_denied"),
    ],
)
def test_what_is_none(url: str, code: str) -> None:
    with pytest.raises(KebabError) as refused:
        checked(url, TOKEN)
    assert refused.value.code == code
    assert refused.value.hint


@pytest.mark.parametrize("token", ["", "  ", "two words", "new\nline", "schlüssel"])
def test_tokens_that_are_none(token: str) -> None:
    with pytest.raises(KebabError) as refused:
        checked("http://127.0.0.1", {"KEBAB_TOKEN": token})
    assert "KEBAB_TOKEN" in f"{refused.value.message}{refused.value.hint}"
    assert not token.strip() or token not in str(refused.value)
