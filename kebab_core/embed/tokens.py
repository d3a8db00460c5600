"""A model's tokenizer: token ids within its limit, and the places of all tokens of a text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_SURROGATES = re.compile("[\ud800-\udfff]")
# A text is tokenized in pieces of about this many characters: the tokenizer keeps some hundred
# bytes for each token.
_PIECE = 1 << 16
# Longest run of characters that is one token in practice; WordPiece gives up at 100.
_TOKEN_CHARS = 100


class TextTokenizer:
    """Reads `tokenizer.json`. Safe to call from any thread.

    The truncation and padding written in that file are ignored: MiniLM's says 128, fixed.
    """

    def __init__(self, path: Path, max_length: int) -> None:
        """`max_length` counts special tokens."""
        # The library warns on stderr when a process forks after threads of its own have run.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from tokenizers import Tokenizer

        self._tokenizer: Any = Tokenizer.from_file(str(path))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.max_length = max_length
        self.special_tokens = len(self._tokenizer.encode("").ids)

    def ids(self, text: str) -> list[int]:
        """At most `max_length` ids, special tokens included."""
        # Far more characters than the limit can hold: no need to read a book to its end.
        readable = _clean(text[: self.max_length * _TOKEN_CHARS])
        ids: list[int] = self._tokenizer.encode(readable).ids
        if len(ids) > self.max_length:
            return [*ids[: self.max_length - 1], ids[-1]]  # what closes the sequence stays
        return ids

    def count(self, text: str) -> int:
        """Tokens of `text`, untruncated, without special tokens."""
        return len(self._tokenizer.encode(_clean(text), add_special_tokens=False).ids)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Character spans of all tokens, untruncated, without special tokens or whitespace.

        In order, none empty. Several may share a character that the model takes apart (Hangul).
        """
        spans: list[tuple[int, int]] = []
        for offset, piece in _pieces(_clean(text)):
            for start, end in self._tokenizer.encode(piece, add_special_tokens=False).offsets:
                while start < end and piece[start].isspace():  # SentencePiece's own blank
                    start += 1
                if start < end:
                    spans.append((offset + start, offset + end))
        return spans


def _clean(text: str) -> str:
    """Lone surrogates can't leave Python; one sign for each keeps the offsets."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Cut at a line's end or a blank, where no token reaches across."""
    start = 0
    while len(text) - start > _PIECE:
        end = start + _PIECE
        cut = max(text.rfind("\n", start + _PIECE // 2, end), text.rfind(" ", end - 200, end))
        end = cut if cut > start else end
        yield start, text[start:end]
        start = end
    yield start, text[start:]
