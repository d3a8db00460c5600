from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from kebab_core.ingest.extract.outcome import Failed
from kebab_core.ingest.extract.pdf import extract
from tests.kebab_core.ingest.extract.make_pdf import pdf

CONTRACT = ["Page one (first).\nIt has two lines.", "", "Kündigung: page three."]


def test_pages_keep_their_text_and_place() -> None:
    extraction = extract(pdf(CONTRACT, title="Contract", author="Ada"), "a.pdf")
    assert (extraction.media, extraction.of) == ("pdf", "extracted")
    assert (extraction.title, extraction.author) == ("Contract", "Ada")
    starts = [*extraction.page_starts, len(extraction.text)]
    pages = [extraction.text[a:b].strip() for a, b in pairwise(starts)]
    assert pages == CONTRACT
    assert [extraction.text[b.start : b.end] for b in extraction.blocks] == [
        CONTRACT[0],
        CONTRACT[2],
    ]
    assert extraction.warnings == (
        "1 of 3 pages (2) without text; OCR would be needed for pictures of text",
    )


@pytest.mark.parametrize("title", ["untitled", "Microsoft Word - a.doc", "scan.tif", ""])
def test_a_title_that_a_program_made_is_none(title: str) -> None:
    assert extract(pdf(["text"], title=title), "a.pdf").title is None


def test_pictures_only() -> None:
    with pytest.raises(Failed, match="no text; OCR would be needed"):
        extract(pdf(["", ""]), "a.pdf")


@pytest.mark.parametrize(
    "data", [b"%PDF-1.7", b"%PDF-1.4\ngarbage" * 100, b"not a pdf", b"\0" * 5000]
)
def test_broken_ones_are_said_to_be(data: bytes) -> None:
    with pytest.raises(Failed, match="broken"):
        extract(data, "a.pdf")


def test_no_cut_or_flipped_byte_ends_in_a_crash() -> None:
    whole = pdf(CONTRACT)
    for cut in range(0, len(whole), 37):
        flipped = whole[:cut] + bytes([whole[cut] ^ 0x55]) + whole[cut + 1 :]
        for data in (whole[:cut], flipped):
            try:
                text = extract(data, "a.pdf").text
            except Failed as failed:
                text = failed.reason
            assert text.strip()


SAMPLES = {
    "005-libreoffice-writer-password__libreoffice-writer-password.pdf": "protected by a password",
    "007-imagemagick-images__imagemagick-ASCII85Decode.pdf": "OCR would be needed",
    "007-imagemagick-images__imagemagick-CCITTFaxDecode.pdf": "OCR would be needed",
    "007-imagemagick-images__imagemagick-images.pdf": "OCR would be needed",
    "007-imagemagick-images__imagemagick-lzw.pdf": "OCR would be needed",
    "017-unreadable-meta-data__unreadablemetadata.pdf": "broken",
    "019-grayscale-image__grayscale-image.pdf": "OCR would be needed",
    "023-cmyk-image__cmyk-image.pdf": "OCR would be needed",
}
WORDS = {
    "001-trivial__minimal-document.pdf": "Lorem ipsum dolor sit amet",
    "009-pdflatex-geotopo__GeoTopo-komprimiert.pdf": "unterschiedlichem",  # hyphenated in print
    "011-google-doc-document__google-doc-document.pdf": "Beautiful is better than ugly.",
    "013-reportlab-overlay__reportlab-overlay.pdf": "Name: Foo Bar",
    "015-arabic__habibi.pdf": "habibi",
    "021-pdfa__crazyones-pdfa.pdf": "crazy ones",
    "025-attachment__with-attachment.pdf": "Lorem ipsum dolor sit amet",
}


def test_odd_pdfs_end_in_a_text_or_a_reason(shared_data: Path) -> None:
    files = sorted((shared_data / "pdf_samples").glob("*.pdf"))
    assert len(files) >= 18
    for path in files:
        data = path.read_bytes()
        if path.name in SAMPLES:
            with pytest.raises(Failed, match=SAMPLES[path.name]):
                extract(data, path.name)
        else:
            extraction = extract(data, path.name)
            assert WORDS.get(path.name, "") in extraction.text, path.name
            assert "\r" not in extraction.text
