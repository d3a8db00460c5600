"""Which reader takes a file."""

from __future__ import annotations

import pytest

from kebab_core.ingest import extract
from kebab_core.ingest.extract.outcome import Skipped
from tests.kebab_core.ingest.extract.make_pdf import pdf


@pytest.mark.parametrize(
    ("name", "data", "media", "code_lang"),
    [
        ("a.md", b"# A", "markdown", None),
        ("README", b"plain", "text", None),
        ("notes.RST", b"plain", "rst", None),
        ("a.csv", b"a,b", "csv", None),
        ("a.html", b"<p>plain", "html", None),
        ("export.xls", b"<table><tr><td>a<td>b</table>", "html", None),
        ("a.unknown", b"plain", "text", None),
        ("a.py", b"x = 1", "code", "python"),
        ("Makefile", b"all:", "code", "make"),
        ("CMakeLists.txt", b"project(x)", "code", "cmake"),
        (".bashrc", b"alias x=y", "text", None),
        ("a.pdf", pdf(["words"]), "pdf", None),
        ("download", pdf(["words"]), "pdf", None),
    ],
)
def test_by_name_and_content(name: str, data: bytes, media: str, code_lang: str | None) -> None:
    extraction = extract.read(name, data)
    assert (extraction.media, extraction.code_lang) == (media, code_lang)
    assert extraction.parser_version in extract.expected_versions(name)


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.png", b"whatever", "binary"),
        ("a.doc", b"\xd0\xcf\x11\xe0", "unsupported"),
        ("a.md", b"", "empty"),
        ("a.md", b" \r\n\t", "empty"),
        ("a.md", b"\xef\xbb\xbf\n", "empty"),
        ("a.txt", "\u3000\n".encode("utf-16"), "empty"),
        ("a.bin2", b"\0\1\2\3" * 9, "binary"),
        ("a.md", b"\0\1\2\3" * 9, "binary"),
    ],
)
def test_nothing_to_read(name: str, data: bytes, kind: str) -> None:
    with pytest.raises(Skipped) as caught:
        extract.read(name, data)
    assert caught.value.kind == kind


def test_warnings_of_decoding_are_kept() -> None:
    text = "Kündigung und Übergabe. " * 30
    extraction = extract.read("a.md", text.encode() + b"\xff")
    assert extraction.warnings
