"""For any text: chunks are what they say, cover everything, and stay inside the model's limit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kebab_core.ingest.chunk import chunks
from kebab_core.ingest.extract import code, delimited, html, markdown, read, rst, text
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.ingest.extract.process import Process
from kebab_core.ingest.measure import Tokenizer
from kebab_core.types import Chunk, Extraction

LINE_ENDS = st.sampled_from(
    ["\n", "\r\n", "\r", "\u2028", "\x0b", "\x0c", "\x85", "\n\n", "\r\n\r\n"]
)
WORDS = st.sampled_from(
    ["the", "lease", "입금은", "先に", "ก่อน", "Ünïcödé", "e\u0301", "👩‍👩‍👧", "\x00", "\ufeff",
     "x" * 150, "don't.", "3.14", "Why?", "。", "$HOME", "`code`", "[a](b)",
     "\u202e", "\t", "    ", "\xa0"]
)  # fmt: skip
MARKS = st.sampled_from(
    ["# ", "## ", "### ", "- ", "1. ", "> ", "```", "~~~", "| a | b |", "|---|---|", "---", "===",
     "[ref]: http://x", "<div>", "    ", "+++", "* * *", "\\", "&amp;", "def f():", "class A:"]
)  # fmt: skip
ANY = st.text(alphabet=st.characters(codec="utf-8"), max_size=40)


def documents(*parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Long ones too, which hypothesis seldom makes of its own accord."""
    part = st.one_of(*parts)
    short, long = st.lists(part, max_size=8), st.lists(part, min_size=60, max_size=160)
    return st.one_of(short, long).map("".join)


PROSE = documents(WORDS, WORDS.map(lambda word: word + " "), LINE_ENDS, ANY)
MARKDOWN = documents(MARKS, WORDS, WORDS.map(lambda word: word + " "), LINE_ENDS, LINE_ENDS)

RST_MARKS = st.sampled_from(["=====", "-----", "::", ".. "])
RST = documents(MARKS, WORDS, LINE_ENDS, LINE_ENDS, RST_MARKS)
SIGNS = st.sampled_from([",", ";", "\t", '"', '""', "a,b,c"])
RECORDS = documents(WORDS, ANY, LINE_ENDS, SIGNS)
BLOCKS = ["<p>", "</p>", "<h1>", "<h2>", "<li>", "<ul>", "</ul>", "<pre>", "</pre>", "<br>"]
TAGS = [*BLOCKS, "<table>", "<tr>", "<td>", "</table>", "<script>", "</script>", "<!--", "-->"]
HTML = documents(st.sampled_from(TAGS), WORDS, WORDS.map(lambda word: word + " "), ANY)


def page(whole: str, name: str) -> Extraction:
    return html.extract(whole.encode(), name)


def word_spans(words: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r"\w+|[^\w\s]", words)]


def subword_spans(words: str) -> list[tuple[int, int]]:
    """Pieces of a word that grow from its start: cut in the middle, it has more of them."""
    spans = []
    for start, stop in word_spans(words):
        size = 1
        while start < stop:
            spans.append((start, min(start + size, stop)))
            start, size = start + size, size + 1
    return spans


def long_markdown(whole: str, name: str) -> Extraction:
    """As documents too long for the whole structure are read."""
    return replace(markdown.extract(whole, name), blocks=tuple(markdown._coarse_blocks(whole, 0)))


def assert_true_to(extraction: Extraction, made: list[Chunk], tokenizer: Tokenizer) -> None:
    whole = extraction.text
    covered = bytearray(len(whole))
    line_of = []
    line, at = 1, 0
    while at < len(whole):
        step = 2 if whole[at : at + 2] == "\r\n" else 1
        line_of += [line] * step
        if whole[at] in "\r\n":
            line += 1
        at += step
    for ordinal, chunk in enumerate(made):
        assert chunk.ordinal == ordinal
        assert whole[chunk.start : chunk.end] == chunk.text
        assert chunk.text == chunk.text.strip() != ""
        assert chunk.line_start == line_of[chunk.start]
        assert chunk.line_end == line_of[chunk.end - 1]
        assert tokenizer.count(chunk.embed_text) <= tokenizer.limit or len(chunk.text) == 1
        assert chunk.tokens <= tokenizer.limit or len(chunk.text) == 1
        covered[chunk.start : chunk.end] = b"\1" * (chunk.end - chunk.start)
    assert [c for c, seen in zip(whole, covered, strict=True) if not seen and not c.isspace()] == []
    assert [c.start for c in made] == sorted(c.start for c in made)
    assert len({chunk.chunk_id for chunk in made}) == len(made)


@pytest.mark.parametrize("spans", [word_spans, subword_spans])
@pytest.mark.parametrize("limit", [12, 40, 254])
@pytest.mark.parametrize(
    ("reader", "strategy"),
    [
        (text.extract, PROSE),
        (markdown.extract, MARKDOWN),
        (long_markdown, MARKDOWN),
        (code.extract, MARKDOWN),
        (rst.extract, RST),
        (delimited.extract, RECORDS),
        (page, HTML),
    ],
)
def test_chunks_are_true_to_any_text(
    reader: Callable[[str, str], Extraction],
    strategy: st.SearchStrategy[str],
    limit: int,
    spans: Callable[[str], list[tuple[int, int]]],
) -> None:
    tokenizer = Tokenizer(spans, limit)

    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def check(whole: str) -> None:
        try:
            extraction = reader(whole, "notes.py")
        except (Skipped, Failed):
            return
        made = chunks(extraction, "d" * 32, "notes", "notes.md", tokenizer)
        assert_true_to(extraction, made, tokenizer)

    check()


@pytest.fixture(scope="module")
def process() -> Iterator[Process]:
    process = Process(60)
    yield process
    process.close()


@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.py", "a.csv", "a.rst", "a.html", "a.ipynb"])
def test_what_a_process_apart_reads_is_as_true(process: Process, name: str) -> None:
    tokenizer = Tokenizer(subword_spans, 40)

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.one_of(PROSE, MARKDOWN, HTML))
    def check(whole: str) -> None:
        data = whole.encode()
        if name == "a.ipynb":
            kinds = ("markdown", "code", "raw")
            cells = [{"cell_type": kind, "source": whole} for kind in kinds]
            data = json.dumps({"cells": cells}).encode()
        try:
            expected: Extraction | str = read(name, data)
        except (Skipped, Failed) as outcome:
            expected = outcome.reason
        try:
            found: Extraction | str = process.read(name, data)
        except (Skipped, Failed) as outcome:
            found = outcome.reason
        assert found == expected
        if isinstance(found, Extraction):
            assert_true_to(found, chunks(found, "d" * 32, "notes", name, tokenizer), tokenizer)

    check()
