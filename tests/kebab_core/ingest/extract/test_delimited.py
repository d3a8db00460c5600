from __future__ import annotations

import pytest

from kebab_core.ingest.chunk import chunks
from kebab_core.ingest.extract.delimited import extract
from kebab_core.ingest.measure import Tokenizer


@pytest.mark.parametrize(
    ("name", "sign"), [("a.csv", ","), ("a.csv", ";"), ("a.csv", "|"), ("a.tsv", "\t")]
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_records_and_what_their_columns_are_called(name: str, sign: str, end: str) -> None:
    records = [["name", "note"], ["Ann", '"two\nlines"'], ["", ""], ["Bo", "x"]]
    text = end.join(sign.join(record) for record in records) + end
    extraction = extract(text, name)
    pieces = [text[block.start : block.end].strip() for block in extraction.blocks]
    assert pieces == [end.join(map(sign.join, records[:1])), end.join(map(sign.join, records[1:]))]
    assert [block.context for block in extraction.blocks] == [None, "name | note"]


def test_a_record_is_not_cut_where_its_cell_has_lines() -> None:
    cell = '"' + "a line\n" * 30 + '"'
    text = "id,note\n" + "".join(f"{i},{cell}\n" for i in range(9))
    pieces = [text[block.start : block.end] for block in extract(text, "a.csv").blocks[1:]]
    assert len(pieces) > 4
    assert all(piece[0].isdigit() and piece.endswith('"\n') for piece in pieces)


def test_each_chunk_is_embedded_with_the_columns_names_and_is_the_source() -> None:
    text = "city,people\n" + "".join(f"City {i},{i * 1000}\n" for i in range(200))
    first, *rest = chunks(extract(text, "a.csv"), "d" * 32, "notes", "a", Tokenizer.of(None))
    assert first.text.startswith("city,people\nCity 0,0")
    assert rest
    for chunk in rest:
        assert chunk.embed_text == f"city | people\n{chunk.text}"
        assert text[chunk.start : chunk.end] == chunk.text


def test_a_quote_that_never_closes_loses_nothing() -> None:
    text = 'a,b\n1,"open\n' + "2,x\n" * 400_000
    extraction = extract(text, "a.csv")
    assert extraction.blocks[0].start == 0
    assert extraction.blocks[-1].end == len(text)
