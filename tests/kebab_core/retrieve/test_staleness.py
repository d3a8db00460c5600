"""A document is stale when it may no longer be what is on disk."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from kebab_core.retrieve.staleness import Staleness
from kebab_core.types import Document
from tests.support.corpus import WHEN, stored


@pytest.fixture
def document(tmp_path: Path) -> Document:
    path = tmp_path / "a.md"
    path.write_bytes(b"text")
    stat = path.stat()
    return replace(
        stored("a.md", ["text"]).document,
        file_path=str(path),
        byte_len=stat.st_size,
        mtime_ns=stat.st_mtime_ns,
    )


def now(days: int = 0) -> Staleness:
    return Staleness(30, now=WHEN + timedelta(days=days))


def test_fresh_while_seen_lately_and_unchanged(document: Document) -> None:
    assert not now(29).of(document)


def test_stale_when_no_ingest_saw_it_for_long(document: Document) -> None:
    assert now(31).of(document)


def test_stale_when_its_size_or_time_differs(document: Document, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"texts")
    assert now().of(document)
    (tmp_path / "a.md").write_bytes(b"text")
    os.utime(tmp_path / "a.md", ns=(document.mtime_ns + 1_000_000, document.mtime_ns + 1_000_000))
    assert now().of(document)


def test_stale_when_its_file_is_gone_or_no_path_at_all(document: Document, tmp_path: Path) -> None:
    (tmp_path / "a.md").unlink()
    assert now().of(document)
    assert now().of(replace(document, file_path="a\0b"))


def test_without_a_file_only_age_counts(document: Document) -> None:
    assert not now().of(replace(document, file_path=None))
