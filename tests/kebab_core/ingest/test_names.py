from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core.ingest import names

BYTES = st.lists(
    st.one_of(
        st.binary(min_size=1, max_size=4), st.sampled_from([b"%", b"%25", b"%FF", b"a", b"/"])
    ),
    max_size=8,
).map(lambda parts: b"".join(parts).replace(b"\0", b""))


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"notes/plain name.md", "notes/plain name.md"),
        ("회의록/입금.md".encode(), "회의록/입금.md"),
        (b"caf\xe9.txt", "caf%E9.txt"),
        (b"100%.md", "100%.md"),
        (b"a%20b.md", "a%20b.md"),
        (b"caf%E9.txt", "caf%25E9.txt"),
        (b"ok/caf\xe9 100%", "ok/caf%E9 100%25"),
    ],
)
def test_bytes_that_are_no_utf8_are_percent_encoded(raw: bytes, text: str) -> None:
    assert names.to_text(os.fsdecode(raw)) == text
    assert os.fsencode(names.to_path(text)) == raw


@given(BYTES, BYTES)
def test_no_two_paths_have_one_name(one: bytes, other: bytes) -> None:
    first, second = os.fsdecode(one), os.fsdecode(other)
    assert names.to_path(names.to_text(first)) == first
    names.to_text(first).encode()  # no lone surrogate is left
    assert (names.to_text(first) == names.to_text(second)) == (first == second)


@pytest.mark.parametrize(
    ("folder", "taken", "expected"),
    [
        ("notes", [], "notes"),
        ("notes", ["notes"], "notes-2"),
        ("Notes", ["notes", "notes-2"], "Notes-3"),
        ("files", [], "files-2"),
        ("내 문서", [], "내-문서"),
        ("a\x1b[31mb", [], "a-31mb"),
        ("..", [], "root"),
        ("", [], "root"),
        (os.fsdecode(b"caf\xe9"), [], "caf-E9"),
    ],
)
def test_source_ids_are_unique_and_can_be_typed(
    folder: str, taken: list[str], expected: str
) -> None:
    assert names.source_id(folder, taken) == expected
