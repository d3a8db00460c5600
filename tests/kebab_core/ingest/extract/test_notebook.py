from __future__ import annotations

import json
from typing import Any

import pytest

from kebab_core.ingest.chunk import chunks
from kebab_core.ingest.extract.notebook import extract
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.ingest.measure import Tokenizer


def notebook(*cells: dict[str, Any], **metadata: Any) -> bytes:
    return json.dumps({"nbformat": 4, "metadata": metadata, "cells": cells}).encode()


def test_cells_are_cited_by_their_number() -> None:
    data = notebook(
        {"cell_type": "markdown", "source": ["# Study\n", "Words.\n", "\n", "## Data\n"]},
        {
            "cell_type": "code",
            "source": "print(mean)",
            "outputs": [
                {"output_type": "stream", "text": ["4", "2\n"]},
                {"output_type": "display_data", "data": {"image/png": "iVBO", "text/plain": "Fig"}},
                {"output_type": "error", "ename": "ValueError", "evalue": "no mean"},
            ],
        },
        {"cell_type": "markdown", "source": "# Results\n\nDone."},
        kernelspec={"language": "R"},
    )
    extraction = extract(data, "a.ipynb")
    assert extraction.text == (
        "# Study\n\nWords.\n\n## Data\n\n```r\nprint(mean)\n```\n\n"
        "```output\n42\nFig\nValueError: no mean\n```\n\n# Results\n\nDone."
    )
    assert (extraction.title, extraction.code_lang) == ("Study", "r")
    made = chunks(extraction, "d" * 32, "notes", "a", Tokenizer.of(None))
    assert [(chunk.cell, chunk.heading_path) for chunk in made] == [
        ("1", ("Study",)),
        ("1-2", ("Study", "Data")),
        ("3", ("Results",)),
    ]


def test_an_old_one() -> None:
    cells = [{"cell_type": "heading", "level": 2, "source": "Old"},
             {"cell_type": "code", "input": "x = 1"}]  # fmt: skip
    data = json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}).encode()
    assert extract(data, "a.ipynb").text == "## Old\n\n```python\nx = 1\n```"


@pytest.mark.parametrize("data", [b"{", b"[1]", b'{"cells": 3}', b"words", b"[" * 200_000])
def test_what_is_no_notebook(data: bytes) -> None:
    with pytest.raises(Failed, match="broken"):
        extract(data, "a.ipynb")


def test_no_words() -> None:
    with pytest.raises(Skipped):
        extract(notebook({"cell_type": "code", "source": ""}), "a.ipynb")
