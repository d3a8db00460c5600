"""Each format through a whole run: read apart, chunked, stored, and cited where it stands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kebab_core.ask.citations import source
from kebab_core.types import Chunk, Hit
from kebab_core.wire.convert import citation
from tests.kebab_core.ingest.conftest import Desk
from tests.kebab_core.ingest.extract import make_zipped as make
from tests.kebab_core.ingest.extract.make_pdf import pdf

NOTEBOOK = json.dumps(
    {"cells": [{"cell_type": "markdown", "source": "Lighthouse words."}]}
).encode()


def cited(desk: Desk, chunk: Chunk) -> dict[str, Any]:
    document = desk.documents()[chunk.doc_path]
    hit = Hit(chunk, 1, 1.0, "rrf", "", document.indexed_at, False, "1", 1)
    return citation(hit).model_dump()


@pytest.mark.parametrize(
    ("name", "data", "place"),
    [
        ("a.html", b"<h1>Top</h1><p>Lighthouse words.</p>", {"kind": "line", "section": "Top"}),
        ("a.docx", make.docx(make.paragraph("Lighthouse words.")), {"kind": "line", "start": 1}),
        ("a.pptx", make.pptx([("x", "y", ""), ("b", "Lighthouse words.", "")]), {"slide": 2}),
        ("a.xlsx", make.xlsx({"S": [["Lighthouse words.", 1]]}), {"sheet": "S", "cell": "A1:B1"}),
        ("a.epub", make.epub({"a.xhtml": "<p>Lighthouse words.</p>"}), {"kind": "line"}),
        ("a.ipynb", NOTEBOOK, {"kind": "line", "cell": "1"}),
        ("a.eml", b"Subject: x\n\nLighthouse words.", {"kind": "line", "section": "x"}),
        ("a.pdf", pdf(["x", "Lighthouse words."]), {"kind": "page", "page": 2}),
        ("a.csv", b"x,y\nLighthouse words.,2", {"kind": "line", "start": 1, "end": 2}),
        ("a.rst", b"Top\n===\n\nLighthouse words.", {"kind": "line", "section": "Top"}),
    ],
)
def test_a_passage_is_cited_where_it_stands(
    desk: Desk, name: str, data: bytes, place: dict[str, Any]
) -> None:
    desk.write(name, data)
    report = desk.ingest()
    assert (report.new, report.errors, report.skipped) == (1, 0, 0)
    document = desk.documents()[name]
    chunks = desk.store.chunks_of(document.doc_id)
    (chunk,) = [chunk for chunk in chunks if "Lighthouse" in chunk.text]
    assert document.text[chunk.start : chunk.end] == chunk.text
    found = cited(desk, chunk)
    assert {key: found[key] for key in place} == place
    of = "source" if name in ("a.csv", "a.rst") else "extracted"
    assert (document.of, found["of"]) == (of, of)
    # Nothing is read a second time.
    assert desk.ingest().unchanged == 1


def test_an_answers_source_names_the_slide(desk: Desk) -> None:
    desk.write("a.pptx", make.pptx([("x", "y", ""), ("b", "Lighthouse words.", "")]))
    desk.ingest()
    document = desk.documents()["a.pptx"]
    _, chunk = desk.store.chunks_of(document.doc_id)
    hit = Hit(chunk, 1, 1.0, "rrf", "", document.indexed_at, False, "1", 1)
    assert source(hit).source == "a.pptx#slide=2"
