"""The test corpus, whole: every citation opens the lines that it says."""

from __future__ import annotations

import shutil
import unicodedata
from pathlib import Path

import pytest

from tests.kebab_core.ingest.conftest import Desk

CORPUS = Path(__file__).resolve().parents[2] / "corpus"


@pytest.fixture
def corpus(desk: Desk) -> Desk:
    shutil.copytree(CORPUS, desk.notes, dirs_exist_ok=True)
    return desk


def test_every_chunk_is_the_lines_or_page_it_says(corpus: Desk) -> None:
    report = corpus.ingest()
    assert (report.errors, report.skipped) == (0, 0)
    documents = corpus.documents()
    assert len(documents) == report.new == 8
    total = 0
    for document in documents.values():
        chunks = corpus.store.chunks_of(document.doc_id)
        assert len(chunks) == document.chunk_count > 0
        for chunk in chunks:
            assert document.text[chunk.start : chunk.end] == chunk.text
            if document.of == "source":
                raw = (corpus.notes / document.doc_path).read_bytes().decode()
                lines = raw.replace("\r\n", "\n").replace("\r", "\n").split("\n")
                cited = "\n".join(lines[chunk.line_start - 1 : chunk.line_end])
                assert chunk.text.replace("\r\n", "\n").replace("\r", "\n") in cited
            else:
                starts = [*document.page_starts, len(document.text)]
                assert chunk.page is not None
                assert starts[chunk.page - 1] <= chunk.start < chunk.end <= starts[chunk.page]
        total += len(chunks)
    assert corpus.store.counts() == (8, total) == (8, report.chunks_indexed)


def test_what_is_known_of_a_document(corpus: Desk) -> None:
    corpus.ingest()
    documents = corpus.documents()
    deposit = documents["handbook/deposit.md"]
    assert (deposit.title, deposit.tags, deposit.author, deposit.status) == (
        "Deposits", ("lease", "money"), "The office", "final",
    )  # fmt: skip
    assert (deposit.media, deposit.lang, deposit.source_id) == ("markdown", "en", "notes")
    assert deposit.file_path == str(corpus.notes / "handbook/deposit.md")
    assert documents["handbook/house rules.txt"].title == "house rules.txt"
    assert documents["code/deposit.py"].code_lang == "python"
    assert documents["contract.pdf"].title == "Lease contract"
    names = {unicodedata.normalize("NFC", path): item for path, item in documents.items()}
    assert names["회의록/보증금.md"].lang == "ko"
    assert names["회의록/敷金.txt"].lang == "ja"
