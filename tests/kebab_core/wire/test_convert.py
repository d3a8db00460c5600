"""Where a passage stands, as an address that names it and nothing else."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from kebab_core.wire.convert import uri


@pytest.mark.parametrize(
    ("doc_path", "expected"),
    [
        ("notes/a b.md", "notes/a%20b.md#L1-L2"),
        ("노트/계획.md", "%EB%85%B8%ED%8A%B8/%EA%B3%84%ED%9A%8D.md#L1-L2"),
        ("a#b?c.md", "a%23b%3Fc.md#L1-L2"),
        ("100% sure.md", "100%25%20sure.md#L1-L2"),
        # A name that isn't UTF-8 has its bytes escaped in the path itself.
        ("caf%E9.txt", "caf%E9.txt#L1-L2"),
        ("100%25 x.md", "100%25%20x.md#L1-L2"),
    ],
)
def test_a_path_becomes_an_address(doc_path: str, expected: str) -> None:
    address = uri(doc_path, "#L1-L2")
    assert address == expected
    assert urlsplit(address).fragment == "L1-L2"
