from __future__ import annotations

from kebab_core.ingest.extract.text import extract, paragraphs


def test_blank_lines_of_every_kind_part_paragraphs() -> None:
    text = "one\nstill one\n\ntwo\r\n  \t\r\nthree\r\rfour\n \u3000\n\n\nfive"
    found = [text[a:b] for a, b in paragraphs(text)]
    assert found == ["one\nstill one", "two", "three", "four", "five"]


def test_it_has_no_title_and_is_what_it_was() -> None:
    text = "\ufeffnot a mark\x00\n\nwith the words that are of a language"
    extraction = extract(text, "a.txt")
    assert extraction.text == text
    assert (extraction.title, extraction.media, extraction.of) == (None, "text", "source")
