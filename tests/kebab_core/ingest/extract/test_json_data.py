from __future__ import annotations

import json

import pytest

from kebab_core.ingest.chunk import chunks
from kebab_core.ingest.extract.json_data import extract
from kebab_core.ingest.extract.outcome import Skipped
from kebab_core.ingest.measure import Tokenizer

PACKAGE = {"name": "kebab", "scripts": {"test": "pytest", "name": "x"}, "files": ["a", "b"]}


@pytest.mark.parametrize("indent", [1, 2, 4, "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_keys_at_the_top_are_blocks_of_the_source(indent: int | str, end: str) -> None:
    text = json.dumps(PACKAGE, indent=indent).replace("\n", end)
    extraction = extract(text, "package.json")
    assert [block.symbol for block in extraction.blocks] == [None, "name", "scripts", "files"]
    assert "".join(text[block.start : block.end] for block in extraction.blocks) == text
    assert (extraction.of, extraction.media, extraction.code_lang) == ("source", "code", "json")


def test_one_line_is_written_out() -> None:
    data = {"people": [{"name": f"Übergabe {i}"} for i in range(100)], "other": "\ufffd"}
    extraction = extract(json.dumps(data).replace("\\ufffd", "\\ud800"), "a.json")
    assert extraction.of == "extracted"
    assert json.loads(extraction.text) == data
    assert [block.symbol for block in extraction.blocks] == [None, "people", "other"]
    assert "Übergabe 7" in extraction.text


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "x" * 100_000])
def test_one_line_that_is_no_json(text: str) -> None:
    with pytest.raises(Skipped, match="one long line"):
        extract(text, "a.json")


def test_records_stay_whole_however_long_their_lines() -> None:
    text = "".join(json.dumps({"id": i, "text": "words " * 110}) + "\n" for i in range(9))
    extraction = extract(text, "a.jsonl")
    pieces = [text[block.start : block.end].strip() for block in extraction.blocks]
    assert [json.loads(piece)["id"] for piece in pieces if piece] == list(range(9))
    made = chunks(extraction, "d" * 32, "notes", "a", Tokenizer.of(None))
    assert [json.loads(chunk.text)["id"] for chunk in made] == list(range(9))
