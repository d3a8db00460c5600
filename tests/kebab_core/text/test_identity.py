from __future__ import annotations

import pytest

from kebab_core.text.identity import chunk_id, content_hash, doc_id, text_hash


def test_names_are_128_bit_hex_and_never_change() -> None:
    # Stored in every corpus: another value here would orphan all that exists.
    assert content_hash(b"kebab") == "5248565f3ea0b120bcf4c54152baf503"
    assert doc_id("notes", "a/b.md") == "c3f9e257a72516aec73af97567286cb4"
    assert chunk_id(doc_id("notes", "a/b.md"), "text", 0) == "26527b8f762cb6d910eb5ad4dbe35fd8"


def test_text_is_hashed_as_utf8() -> None:
    assert text_hash("Größe 크기") == content_hash("Größe 크기".encode())
    assert text_hash("lone \udc80") != text_hash("lone \udc81")


@pytest.mark.parametrize(
    ("one", "other"),
    [(("a", "bc"), ("ab", "c")), (("a", ""), ("", "a")), (("n", "x.md"), ("m", "x.md"))],
)
def test_parts_do_not_run_together(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert doc_id(*one) != doc_id(*other)


def test_same_text_in_one_document_has_a_name_for_each_place() -> None:
    names = {chunk_id("d", "same", nth) for nth in range(3)} | {chunk_id("e", "same", 0)}
    assert len(names) == 4
