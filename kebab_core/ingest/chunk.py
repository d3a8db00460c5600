"""Documents into chunks: `text[start:end]` exactly, packed within sections, in real tokens."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kebab_core.ingest.draft import Draft, Prefixes
from kebab_core.ingest.lines import Lines
from kebab_core.ingest.measure import Measured, Tokenizer
from kebab_core.ingest.sections import Section, sections
from kebab_core.ingest.split import MAX_CHARS, split
from kebab_core.text.clean import for_model
from kebab_core.text.identity import chunk_id, text_hash
from kebab_core.text.language import detect
from kebab_core.types import Block, Chunk, Extraction

VERSION = "chunk.1"

TARGET_TOKENS = 220
"""Tokens of what is embedded, headings and all, that packing aims at: most embedding models read
256, and a passage of more says too many things for one vector."""

_CLOSE = 0.9
"""Beyond this part of the limit the sum of pieces is not trusted, and tokens are counted anew."""

_BY_LINES = frozenset(["code", "table", "list"])


def chunks(
    extraction: Extraction, doc_id: str, source_id: str, doc_path: str, tokenizer: Tokenizer
) -> list[Chunk]:
    """The chunks of a document, in order. They cover all that isn't whitespace.

    No chunk's `embed_text` has more than `tokenizer.limit` tokens, unless a single character has.
    """
    text = extraction.text
    measured = Measured(text, tokenizer)
    lines = Lines(text)
    seen: dict[str, int] = {}
    made: list[Chunk] = []
    for section in sections(extraction):
        prefixes = Prefixes(extraction.title, section, tokenizer)
        packer = _Packer(measured, section, prefixes, tokenizer)
        for draft in packer.drafts():
            for fitting, embed_text, tokens in packer.fitted(draft):
                words = text[fitting.start : fitting.end]
                nth = seen.get(words, 0)
                seen[words] = nth + 1
                made.append(
                    Chunk(
                        chunk_id=chunk_id(doc_id, words, nth),
                        doc_id=doc_id,
                        source_id=source_id,
                        doc_path=doc_path,
                        ordinal=len(made),
                        text=words,
                        start=fitting.start,
                        end=fitting.end,
                        line_start=lines.number(fitting.start),
                        line_end=lines.number(fitting.end - 1),
                        media=extraction.media,
                        of=extraction.of,
                        page=bisect_right(extraction.page_starts, fitting.start) or None,
                        cell=_cells(fitting.first.cell, fitting.last.cell),
                        sheet=fitting.first.sheet,
                        slide=fitting.first.slide,
                        heading_path=section.heading_path,
                        symbol=_named(fitting.symbols),
                        lang=_language(words, extraction),
                        code_lang=extraction.code_lang,
                        embed_text=embed_text,
                        embed_hash=text_hash(embed_text),
                        tokens=tokens,
                    )
                )
    return made


class _Packer:
    """Fills chunks with the blocks of one section."""

    def __init__(
        self, measured: Measured, section: Section, prefixes: Prefixes, tokenizer: Tokenizer
    ) -> None:
        self._measured = measured
        self._section = section
        self._prefixes = prefixes
        self._tokenizer = tokenizer
        self._target = min(TARGET_TOKENS, tokenizer.limit)

    def drafts(self) -> Iterator[Draft]:
        """Blocks whole where they fit, one after the other until the target is reached."""
        open_draft: Draft | None = None
        for i, block in enumerate(self._section.blocks):
            symbols = (block.symbol,) if block.symbol else ()
            alone = Draft(block.start, block.end, block, block, symbols)
            if open_draft is not None:
                together = Draft(
                    open_draft.start,
                    block.end,
                    open_draft.first,
                    block,
                    tuple(dict.fromkeys(open_draft.symbols + symbols)),
                    open_draft.goes_on,
                )
                if self._fits(together, self._target):
                    open_draft = together
                    continue
                if i == self._section.headings:
                    # A heading is not left alone by what it is about.
                    alone = together
                else:
                    yield open_draft
            if self._fits(alone, self._tokenizer.limit if block.atomic else self._target):
                open_draft = alone
                continue
            *complete, open_draft = self._split(alone, block)
            yield from complete
        if open_draft is not None:
            yield open_draft

    def fitted(self, draft: Draft) -> Iterator[tuple[Draft, str, int]]:
        """`draft` with what is embedded of it and its tokens; in parts, where the exact count of
        tokens shows that it is too long after all."""
        prefix, before = self._prefixes.of(draft)
        embed_text = prefix + for_model(self._measured.text[draft.start : draft.end])
        tokens = before + self._measured.tokens(draft.start, draft.end)
        if (
            tokens > self._tokenizer.limit * _CLOSE
            or self._measured.cuts_word(draft.start)
            or self._measured.cuts_word(draft.end)
        ):
            tokens = self._tokenizer.count(embed_text)
        if tokens <= self._tokenizer.limit or draft.end - draft.start == 1:
            yield draft, embed_text, tokens
            return
        half = (self._measured.tokens(draft.start, draft.end) + 1) // 2
        parts = [
            (start, end)
            for start, end in split(self._measured, draft.start, draft.end, half, by_lines=False)
            if (start, end) != (draft.start, draft.end)
        ]
        if not parts:
            middle = (draft.start + draft.end) // 2
            parts = [(draft.start, middle), (middle, draft.end)]
        for part in self._trimmed(draft, parts):
            yield from self.fitted(part)

    def _fits(self, draft: Draft, budget: int) -> bool:
        if draft.end - draft.start > MAX_CHARS:
            return False
        before = self._prefixes.of(draft)[1]
        return before + self._measured.tokens(draft.start, draft.end) <= budget

    def _split(self, draft: Draft, block: Block) -> list[Draft]:
        # Measured by the longest prefix that any piece will have.
        longest = max(
            self._prefixes.of(replace(draft, symbols=()))[1],
            self._prefixes.of(replace(draft, start=draft.start + 1, goes_on=True))[1],
        )
        pieces = split(
            self._measured,
            draft.start,
            draft.end,
            max(1, self._target - longest),
            by_lines=block.kind in _BY_LINES,
        )
        return list(self._trimmed(draft, pieces))

    def _trimmed(self, draft: Draft, pieces: Iterable[tuple[int, int]]) -> Iterator[Draft]:
        text = self._measured.text
        for start, end in pieces:
            words = text[start:end]
            begin = start + len(words) - len(words.lstrip())
            stop = end - len(words) + len(words.rstrip())
            if begin < stop:
                goes_on = draft.goes_on or begin > draft.start
                yield replace(draft, start=begin, end=stop, goes_on=goes_on)


def _named(symbols: tuple[str, ...]) -> str | None:
    """What a person reads: `first, second, …`."""
    if not symbols:
        return None
    return ", ".join(symbols[:3]) + (", …" if len(symbols) > 3 else "")


def _cells(first: str | None, last: str | None) -> str | None:
    """From one range or number to another: `A2:F9`, `3-5`."""
    if first is None or last is None or first == last:
        return first
    if ":" in first and ":" in last:
        return f"{first.partition(':')[0]}:{last.partition(':')[2]}"
    return f"{first}-{last}"


_LATIN = frozenset(["en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "pl", "tr", "vi", "id"])


def _language(words: str, extraction: Extraction) -> str | None:
    """A chunk's own language where it may be another than the document's."""
    if extraction.media == "code":
        return extraction.lang
    if words.isascii() and (extraction.lang is None or extraction.lang in _LATIN):
        return extraction.lang
    return detect(words) or extraction.lang
