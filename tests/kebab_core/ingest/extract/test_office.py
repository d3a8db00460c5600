"""Word documents, slides, spreadsheets and e-books."""

from __future__ import annotations

import importlib
import zipfile

import pytest

from kebab_core.ingest.chunk import chunks
from kebab_core.ingest.extract import docx, epub, libraries, pptx, read, sheet
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.ingest.extract.zipped import OLE_MAGIC
from kebab_core.ingest.measure import Tokenizer
from kebab_core.types import Chunk, Extraction
from tests.kebab_core.ingest.extract import make_zipped as make

PROTECTED = OLE_MAGIC + b"\0" * 99 + "EncryptedPackage".encode("utf-16-le")


def chunked(extraction: Extraction) -> list[Chunk]:
    return chunks(extraction, "d" * 32, "notes", "a", Tokenizer.of(None))


def test_word_keeps_headings_and_tables() -> None:
    body = (
        make.paragraph("Leave", "Heading1") + make.paragraph("Ask &amp; wait.")
        + make.paragraph("Notice", "Heading2") + make.table([["Who", "Days"], ["Ann", "3"]])
    )  # fmt: skip
    extraction = docx.extract(make.docx(body, title="Policy", author="Ada"), "a.docx")
    assert extraction.text == (
        "# Leave\n\nAsk & wait.\n\n## Notice\n\n| Who | Days |\n|---|---|\n| Ann | 3 |"
    )
    assert (extraction.title, extraction.author, extraction.of) == ("Policy", "Ada", "extracted")
    assert extraction.blocks[-1].heading_path == ("Leave", "Notice")


def test_words_that_were_inserted_and_boxed_are_read_and_deleted_ones_are_not() -> None:
    run = "<w:r><w:t>{}</w:t></w:r>"
    body = (
        f"<w:p><w:ins>{run.format('inserted')}</w:ins>"
        "<w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>"
        f"<w:r><w:pict><w:txbxContent>{make.paragraph('boxed')}</w:txbxContent></w:pict></w:r></w:p>"
    )
    text = docx.extract(make.docx(body), "a.docx").text
    assert "inserted" in text
    assert "boxed" in text
    assert "deleted" not in text


def test_slides_are_cited_by_their_number() -> None:
    data = make.pptx([("Plan", "First\nSecond", "Say it."), ("", "Only words", "")])
    extraction = pptx.extract(data, "a.pptx")
    assert extraction.text == (
        "# Plan\n\n- First\n- Second\n\nNotes: Say it.\n\n# Slide 2\n\nOnly words"
    )
    assert [(c.slide, c.heading_path) for c in chunked(extraction)] == [
        (1, ("Plan",)),
        (2, ("Slide 2",)),
    ]


def test_rows_are_cited_by_sheet_and_cells_and_know_their_columns() -> None:
    rows: list[list[object]] = [["Region", "Sum"], *([f"R{i}", i * 1.5] for i in range(80))]
    data = make.xlsx({"Sales": rows, "Other": [["a", "b"], [1, True]]}, title="Year")
    extraction = sheet.extract(data, "a.xlsx")
    assert extraction.text.startswith(
        "# Sales\n\n| Region | Sum |\n|---|---|\n| R0 | 0 |\n| R1 | 1.5 |"
    )
    first, *_, last, other = chunked(extraction)
    assert (first.sheet, first.cell and first.cell.partition(":")[0]) == ("Sales", "A1")
    assert (last.sheet, last.cell and last.cell.partition(":")[2]) == ("Sales", "B81")
    assert last.embed_text.startswith("Year › Sales › Region | Sum\n| R")
    assert (other.sheet, other.cell, other.heading_path) == ("Other", "A1:B2", ("Other",))


def test_cells_count_from_the_sheets_own_corner() -> None:
    rows: list[list[object]] = [[], ["", "", "name", "n"], [], ["", "", "Ann", 3]]
    extraction = sheet.extract(make.xlsx({"S": rows}), "a.xlsx")
    assert [block.cell for block in extraction.blocks] == ["C2:D2", "C2:D2", "C4:D4"]


def test_a_book_is_its_chapters_in_order() -> None:
    data = make.epub(
        {
            "text/one.xhtml": "<html><body><h1>One</h1><p>It began.</p></body></html>",
            "b.xhtml": "<html><body><p>No heading here.</p></body></html>",
        },
        title="A Book",
        author="B. Writer",
    )
    extraction = epub.extract(data, "a.epub")
    assert extraction.text == "# One\n\nIt began.\n\nNo heading here."
    assert extraction.blocks[-1].heading_path == ()
    assert (extraction.title, extraction.author, extraction.lang) == ("A Book", "B. Writer", "en")


@pytest.mark.parametrize("name", ["a.docx", "a.pptx", "a.xlsx", "a.epub"])
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PK\x03\x04" + b"cut off", "broken"),
        (make.zipped({"x": "y"}), "broken"),
        (b"just words", "broken"),
        (PROTECTED, "protected by a password"),
    ],
)
def test_what_isnt_one_is_said_to_be_broken_or_protected(
    name: str, data: bytes, reason: str
) -> None:
    with pytest.raises(Failed, match=reason):
        read(name, data)


@pytest.mark.parametrize(
    "data",
    [
        make.docx(make.paragraph("Words of it.")),
        make.pptx([("Title", "Words of it.", "")]),
        make.xlsx({"S": [["Words of it.", 1]]}),
        make.epub({"a.xhtml": "<p>Words of it.</p>"}),
    ],
)
def test_the_content_says_what_it_is_and_no_flipped_byte_crashes(data: bytes) -> None:
    for name in ("a.docx", "a.xlsx", "download"):
        assert "Words of it." in read(name, data).text
    for at in range(0, len(data), max(1, len(data) // 60)):
        for damaged in (data[:at], data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]):
            try:
                words = read("a.docx", damaged).text
            except (Failed, Skipped) as outcome:
                words = outcome.reason
            except Exception as failure:
                words = repr(failure)
            assert words.strip()


def test_a_locked_book() -> None:
    data = make.epub({"a.xhtml": "<p>x</p>"})
    locked = zipfile.ZipFile(stream := __import__("io").BytesIO(data), "a")
    with locked:
        locked.writestr(
            "META-INF/encryption.xml",
            '<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData>'
            '<e:EncryptionMethod Algorithm="urn:shop"/></e:EncryptedData></encryption>',
        )
    with pytest.raises(Failed, match="DRM"):
        epub.extract(stream.getvalue(), "a.epub")


@pytest.mark.parametrize(
    ("data", "package"),
    [
        (make.docx(make.paragraph("x")), "mammoth"),
        (make.pptx([("x", "y", "")]), "python-pptx"),
        (make.xlsx({"S": [["x"]]}), "python-calamine"),
    ],
)
def test_a_library_that_is_missing_is_named(
    data: bytes, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(module: str) -> object:
        raise ImportError(module)

    monkeypatch.setattr(libraries, "import_module", missing)
    with pytest.raises(Skipped, match=f"pip install {package}"):
        read("download", data)
    assert importlib.import_module("mammoth")
