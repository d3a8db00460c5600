"""Source code: a function or class is a block, and its name the symbol.

By tree-sitter where it has the language's grammar; else what stands at the left margin begins a
block, and what such a line defines is told by its words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kebab_core.ingest.extract.code_tree import LANGUAGES, Definition, definitions
from kebab_core.ingest.extract.formats import language_of
from kebab_core.ingest.extract.outcome import Skipped
from kebab_core.ingest.lines import line_spans
from kebab_core.types import Block, Extraction

VERSION = "code.3"

_MODIFIER = (
    r"(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|async|"
    r"unsafe|extern|inline|virtual|override|sealed|partial|data|open|const|local|"
    r"pub(?:\([^)\n]*\))?)\s+)*"
)
_KIND = (
    r"(?:def|class|func|function\*?|fn|fun|sub|struct|enum|union|trait|impl(?:<[^>\n]*>)?|interface|"
    r"type|module|namespace|object|record|protocol|extension|actor|macro_rules!|message|service|"
    r"contract|defmodule|defp?|defmacro|proc)"
)
_DEFINITION = re.compile(
    # `func (r *Reader) Name(`, `impl Trait for Name`, `class A::B`
    rf"{_MODIFIER}{_KIND}\s+(?:\([^)\n]*\)\s*)?(?P<name>[^\W\d][\w$.:]*[\w$?!]|[^\W\d])"
)
_ASSIGNED = re.compile(
    r"(?:export\s+)?(?:const|let|var)\s+(?P<name>[\w$]+)\s*(?::[^=\n]+)?=\s*(?:async\s*)?"
    r"(?:function\b|\([^)\n]*\)\s*(?::[^=\n]+)?=>|[\w$]+\s*=>|class\b)"
)
_STATEMENT = re.compile(
    r"CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+)?(?:TABLE|VIEW|FUNCTION|PROCEDURE|TRIGGER|INDEX)"
    r"\s+(?:IF\s+NOT\s+EXISTS\s+)?(?P<name>[\w.\"`]+)",
    re.IGNORECASE,
)
_SHELL = re.compile(r"(?P<name>[\w-]+)\s*\(\)\s*\{?")
_SECTION = re.compile(r"\[+(?P<name>[^\]\n]+)\]+\s*$")
_CLOSING = re.compile(r"[\s)\]};,]*(?:end)?[\s;]*")
_YAML_KEY = re.compile(r"(?P<name>[\w./-]{1,200})\s*:(?:\s|$)")
_LEADING = re.compile(r"(?:#|//|/\*|\*|--|;|%|\"\"\"|'''|@|\[|<!--)")

_LONG = 1_000_000
"""Characters beyond which no tree is made: it takes a hundred bytes of memory for each."""

SHORT = 5_000
"""Characters of a file that is read, however long its lines."""

_LONG_LINES = 500
"""Characters a line on average, beyond which no person wrote it."""


def extract(text: str, name: str) -> Extraction:
    """Raises Skipped for minified and generated files."""
    language = language_of(name)
    spans = line_spans(text)
    if len(text) > SHORT and len(text) > _LONG_LINES * len(spans):
        raise Skipped(
            "generated",
            f"minified or generated: {len(text) // max(1, len(spans)):,} characters a line",
        )
    return Extraction(
        text=text,
        media="code",
        parser_version=VERSION,
        blocks=tuple(_blocks(text, spans, language, name)),
        code_lang=language,
    )


def _blocks(
    text: str, spans: list[tuple[int, int]], language: str | None, name: str
) -> list[Block]:
    """Runs of lines, each begun by a definition (with the comments and decorators right above it)
    or by a line at the margin that follows a blank one."""
    if not spans:
        return []
    starts = _starts_at_margin(text, spans, language)
    grammar = "tsx" if name.lower().endswith(".tsx") else language
    found = definitions(text, grammar) if grammar in LANGUAGES and len(text) <= _LONG else None
    if found:
        _begin_definitions(starts, found, [text[start:end] for start, end in spans])
    starts.setdefault(0, None)
    firsts = sorted(starts)
    ends = [spans[first][0] for first in firsts[1:]] + [len(text)]
    return [
        Block("code", spans[first][0], end, symbol=starts[first], atomic=True)
        for first, end in zip(firsts, ends, strict=True)
    ]


def _begin_definitions(
    starts: dict[int, str | None], found: Sequence[Definition], lines: Sequence[str]
) -> None:
    """Definitions begin where the tree says; so does what follows them, within what holds them."""
    for definition in found:
        for line in range(definition.first, definition.beyond):
            starts.pop(line, None)  # what looks like a beginning within it is none
    begun = {definition.first: definition.symbol for definition in found}
    starts.update(begun)
    open_ones: list[Definition] = []
    for definition in found:
        while open_ones and open_ones[-1].beyond <= definition.first:
            open_ones.pop()
        outer = open_ones[-1] if open_ones else None
        open_ones.append(definition)
        end = outer.beyond if outer else len(lines)
        after = next((n for n in range(definition.beyond, end) if lines[n].strip()), None)
        if after is None or _CLOSING.fullmatch(lines[after]):
            continue
        if outer is not None or not lines[after][0].isspace():
            starts.setdefault(after, outer.symbol if outer else None)


def _starts_at_margin(
    text: str, spans: list[tuple[int, int]], language: str | None
) -> dict[int, str | None]:
    """First line of a block -> symbol."""
    starts: dict[int, str | None] = {0: None}
    leading: int | None = None
    after_blank = True
    for i, (start, end) in enumerate(spans):
        line = text[start:end]
        if not line or line.isspace():
            after_blank, leading = True, None
        elif line[0] in " \t)]}":
            after_blank, leading = False, None
        else:
            symbol = _symbol(line, language)
            if symbol is not None:
                starts[i if leading is None else leading] = symbol
            elif after_blank:
                starts.setdefault(i, None)
            is_leading = symbol is None and _LEADING.match(line) is not None
            leading = (i if leading is None else leading) if is_leading else None
            after_blank = False
    return starts


def _symbol(line: str, language: str | None) -> str | None:
    patterns = [_DEFINITION]
    if language in ("javascript", "typescript", "html"):
        patterns.append(_ASSIGNED)
    elif language == "sql":
        patterns.append(_STATEMENT)
    elif language == "shell":
        patterns.append(_SHELL)
    elif language == "yaml":
        patterns = [_YAML_KEY]
    elif language in ("toml", "ini"):
        patterns = [_SECTION]
    elif language in ("json", "xml", "css", "diff", "make", "dockerfile"):
        return None
    for pattern in patterns:
        if found := pattern.match(line):
            return found["name"].strip('"`')
    return None
