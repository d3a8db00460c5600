"""Files made to do harm end in a text or a clear reason, within the caps."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable, Iterator

import pytest

from kebab_core.ingest import extract
from kebab_core.ingest.chunk import chunks
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.ingest.extract.process import Process
from kebab_core.ingest.measure import Tokenizer
from kebab_core.ingest.reading import read_file
from tests.kebab_core.ingest.conftest import Desk
from tests.kebab_core.ingest.extract import make_zipped as make
from tests.kebab_core.ingest.extract.hostile import children

BILLION = (
    '<!DOCTYPE x [<!ENTITY a0 "lol">'
    + "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10))
    + "]>"
)
FILE = '<!DOCTYPE x [<!ENTITY a9 SYSTEM "file:///etc/passwd">]>'
SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="{}1048576"><v>2</v></c></row>'
    "</sheetData></worksheet>"
)


def changed(data: bytes, name: str, content: str) -> bytes:
    """An archive with one part replaced."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    parts = {each: archive.read(each) for each in archive.namelist()}
    assert name in parts
    return make.zipped({**parts, name: content})


def lying_about_its_size() -> bytes:
    """A part of 200 MB whose size in the archive's list is 100 bytes."""
    data = bytearray(make.docx(make.paragraph("x" * 200_000_000)))
    at = data.rfind(b"word/document.xml") - 46
    data[at + 24 : at + 28] = (100).to_bytes(4, "little")
    return bytes(data)


@pytest.fixture(scope="module")
def process() -> Iterator[Process]:
    process = Process(60)
    yield process
    process.close()


@pytest.mark.parametrize(
    ("name", "make_data", "reason"),
    [
        ("bomb.docx", lambda: make.docx(make.paragraph("x" * 301_000_000)), "unpacks to"),
        ("lies.docx", lying_about_its_size, "broken"),
        ("entities.docx", lambda: make.docx(make.paragraph("&a9;"), before=BILLION), "broken"),
        (
            "bomb.epub",
            lambda: make.zipped({f"{i}": b"\0" * 31_000_000 for i in range(10)}),
            "unpacks to",
        ),
        ("parts.xlsx", lambda: make.zipped({f"{i}": "" for i in range(20_001)}), "unpacks to"),
        ("long.epub", lambda: make.epub({"a.xhtml": "x " * 16_000_000}), "chapters have more"),
        (
            "corner.xlsx",
            lambda: changed(
                make.xlsx({"S": [["a"]]}), "xl/worksheets/sheet1.xml", SHEET.format("XFD")
            ),
            "too large to read",
        ),
        ("deep.ipynb", lambda: b'{"cells":' + b"[" * 1_000_000, "broken"),
        ("deep.html", lambda: b"<div>" * 1_000_000, "nested too deeply"),
        (
            "deep.docx",
            lambda: make.docx("<w:tbl><w:tr><w:tc>" * 2_000 + "</w:tc></w:tr></w:tbl>" * 2_000),
            "broken",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value else "",
)
def test_bombs_end_in_a_reason(
    process: Process, name: str, make_data: Callable[[], bytes], reason: str
) -> None:
    with pytest.raises(Failed, match=reason):
        process.read(name, make_data())
    assert process.read("a.txt", b"The next one.").text == "The next one."


def test_an_entity_that_names_a_file_is_not_followed(process: Process) -> None:
    for data in (
        make.docx(make.paragraph("&a9;words"), before=FILE),
        changed(make.epub({"a.xhtml": "<p>words"}), "OEBPS/a.xhtml", FILE + "<p>words &a9;</p>"),
    ):
        try:
            text = process.read("a.docx", data).text
        except (Failed, Skipped) as outcome:
            text = outcome.reason
        assert "root:" not in text


def test_a_far_row_costs_only_the_rows_before_it(process: Process) -> None:
    data = changed(make.xlsx({"S": [["a"]]}), "xl/worksheets/sheet1.xml", SHEET.format("B"))
    assert process.read("a.xlsx", data).warnings == (
        "only the first 100,000 rows of sheet S were read",
    )


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a.rst", "a.json", "a.py", "a.eml"])
@pytest.mark.parametrize(
    "data",
    [b"a line\n" * 100_000, b"word " * 400_000, b"x" * 2_000_000, b"[" * 2_000_000,
     b'{"a":' * 400_000, b"> " * 500_000, b"| a " * 400_000, b'"\n' * 100_001],
    ids=["lines", "words", "run", "brackets", "objects", "quotes", "cells", "open"],
)  # fmt: skip
def test_long_and_deep_texts_end_in_a_text_or_a_reason(
    process: Process, name: str, data: bytes
) -> None:
    try:
        extraction = process.read(name, data)
    except (Failed, Skipped) as outcome:
        said = outcome.reason
    else:
        said = extraction.text
        assert extraction.blocks
    # Never a part of it without a word.
    assert len(said) >= len(data) * 0.9 or "generated" in said or "not a message" in said


def test_what_follows_a_long_line_is_found() -> None:
    text = "x" * 1_000_000 + "\n\nThe end of it."
    made = chunks(extract.read("a.txt", text.encode()), "d" * 32, "n", "a", Tokenizer.of(None))
    assert made[-1].text.endswith("The end of it.")
    assert max(len(chunk.text) for chunk in made) < 3_000


def test_a_file_that_shrank_while_it_was_read_is_read_anew_next_time(desk: Desk) -> None:
    path = desk.write("a.md", "# A\n\n" + "Words. " * 1000)
    found = path.stat()
    desk.ingest()
    # As a program leaves it that writes in place: shorter, within the clock's tick.
    path.write_text("# A\n\nOther.")
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert desk.ingest().updated == 1
    assert desk.documents()["a.md"].text == "# A\n\nOther."


def test_what_was_read_is_never_longer_than_the_file_was(desk: Desk) -> None:
    path = desk.write("a.md", b"x" * 100)
    content = read_file(str(path), 50)
    assert (len(content.data), content.truncated, content.byte_len) == (50, True, 100)


def test_a_fifo_in_the_place_of_a_file_holds_up_nothing(desk: Desk) -> None:
    path = desk.write("a.md", "words")
    desk.write("b.pdf", "words")
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(OSError, match="not a regular file"):
        read_file(str(path), 10)
    report = desk.ingest()
    assert report.new == 0
    assert children() == []


def test_a_suffix_that_lies(desk: Desk) -> None:
    desk.write("page.md", make.docx(make.paragraph("In truth a document.")))
    desk.write("table.xls", b"<html><table><tr><td>a<td>b</table></html>")
    desk.write("picture.docx", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9)
    desk.write("words.xlsx", b"only words")
    desk.write("program.txt", b"\x7fELF" + bytes(range(256)) * 40)
    report = desk.ingest()
    reasons = {item.doc_path: item.reason for item in report.items or []}
    assert "In truth" in desk.documents()["page.md"].text
    assert "a | b" in desk.documents()["table.xls"].text
    assert "broken" in (reasons["picture.docx"] or "")
    assert "not a spreadsheet" in (reasons["words.xlsx"] or "")
    assert reasons["program.txt"] == "binary, not text"
