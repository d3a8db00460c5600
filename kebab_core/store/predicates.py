"""The one place where WHERE text is made. Every value in it is data, whatever it holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kebab_core.errors import InvalidInput
from kebab_core.store.encoding import to_string
from kebab_core.text.terms import index_terms
from kebab_core.types import Filters

MAX_GLOB_LENGTH = 1_000
NOTHING = "FALSE"
"""The predicate that no row meets."""

_GLOB = re.compile(r"\*\*/|\*\*|\*|\?|\[[!^]?\]?[^\]/]*\]")
_CLASS_SPECIAL = re.compile(r"([\\\[\]&~|^-])")


def literal(value: str) -> str:
    """A string literal. Quotes are doubled; SQL knows no other escape inside them."""
    return "'" + to_string(value).replace("'", "''") + "'"


def equals(column: str, value: str) -> str:
    return f"{column} = {literal(value)}"


def one_of(column: str, values: Iterable[str]) -> str:
    """`column IN (…)`; of no values, the predicate that no row meets."""
    distinct = list(dict.fromkeys(values))
    if not distinct:
        return NOTHING
    return f"{column} IN ({', '.join(literal(value) for value in distinct)})"


def holds_phrase(column: str, phrase: str) -> str:
    """Whether `column`, of terms joined by spaces, holds those of `phrase` side by side."""
    terms = index_terms(phrase)
    if not terms:
        return NOTHING
    return f"contains(concat(' ', {column}, ' '), {literal(f' {terms} ')})"


def matches_glob(column: str, pattern: str) -> str:
    """Whether the path in `column` matches a glob, as gitignore reads it.

    `*` and `?` stay within a folder, `**` crosses folders, `[a-z]` and `[!a]` are classes. A
    pattern without an inner slash matches the name in any folder; a folder matches all that is
    in it. Case counts. Raises InvalidInput for an empty pattern and for one over
    `MAX_GLOB_LENGTH` characters.
    """
    return f"regexp_like({column}, {literal(glob_to_regex(pattern))})"


def glob_to_regex(pattern: str) -> str:
    """The anchored regular expression of a glob, in the syntax of Rust's `regex`."""
    if len(pattern) > MAX_GLOB_LENGTH:
        raise InvalidInput(
            f"A path pattern has {len(pattern)} characters; at most {MAX_GLOB_LENGTH} are read.",
            "Use `*` and `**` to shorten it.",
        )
    if not pattern.strip():
        raise InvalidInput("A path pattern is empty.", "Give one like 'docs/**/*.md'.")
    bare = "**" if pattern in {".", "./", "/"} else pattern.removeprefix("./")
    anchored = "/" in bare.rstrip("/")
    bare = bare.strip("/")
    parts: list[str] = []
    end = 0
    for wild in _GLOB.finditer(bare):
        parts.append(_escaped(bare[end : wild.start()]))
        parts.append(_translated(wild.group()))
        end = wild.end()
    parts.append(_escaped(bare[end:]))
    start = "" if anchored else "(?:.*/)?"
    # `s`: a file name may hold a newline.
    return rf"(?s)\A{start}{''.join(parts)}(?:/.*)?\z"


def _escaped(text: str) -> str:
    # `re.escape` escapes spaces and the like, which Rust's syntax refuses to see escaped.
    return "".join(f"\\{c}" if c in r"\.+*?()|[]{}^$#&-~" else c for c in text)


def _translated(wild: str) -> str:
    match wild:
        case "**/":
            return "(?:.*/)?"
        case "**":
            return ".*"
        case "*":
            return "[^/]*"
        case "?":
            return "[^/]"
    body = wild[1:-1]
    negated = body[:1] in {"!", "^"}
    body = body[1:] if negated else body
    if not body:
        return _escaped(wild)
    # Ranges are kept, so a hyphen stays one only between two characters in rising order.
    pieces: list[str] = []
    at = 0
    while at < len(body):
        if at + 2 < len(body) and body[at + 1] == "-" and body[at] <= body[at + 2]:
            pieces.append(f"{_in_class(body[at])}-{_in_class(body[at + 2])}")
            at += 3
        else:
            pieces.append(_in_class(body[at]))
            at += 1
    inside = "".join(pieces)
    # A range may hold the slash, which is never matched.
    return f"[^/{inside}]" if negated else f"[{inside}&&[^/]]"


def _in_class(character: str) -> str:
    return _CLASS_SPECIAL.sub(r"\\\1", character)


def narrowing(
    filters: Filters,
    visible: Sequence[str] | None = None,
    within_days: Sequence[str] | None = None,
) -> str | None:
    """The predicate on chunks for `filters`; None where nothing is narrowed.

    `visible`: the only sources that may be seen; `within_days`: ids of the only documents that
    are within the filter's days; None means all. Fields of a filter are joined by AND, the
    values of one field by OR.
    """
    clauses: list[str] = []
    if within_days is not None:
        clauses.append(one_of("doc_id", within_days))
    if visible is not None:
        clauses.append(one_of("source_id", visible))
    if filters.source_ids:
        clauses.append(one_of("source_id", filters.source_ids))
    if filters.doc_ids:
        clauses.append(one_of("doc_id", filters.doc_ids))
    if filters.media:
        clauses.append(one_of("media", filters.media))
    if filters.langs:
        # `python` and `ko` are both languages to the person who asks.
        clauses.append(_any_of([one_of("lang", filters.langs), one_of("code_lang", filters.langs)]))
    if filters.tags:
        tags = ", ".join(literal(tag) for tag in filters.tags)
        clauses.append(f"array_has_any(tags, make_array({tags}))")
    if filters.path_globs:
        clauses.append(_any_of([matches_glob("doc_path", glob) for glob in filters.path_globs]))
    clauses += [holds_phrase("terms", phrase) for phrase in filters.phrases]
    return " AND ".join(clauses) or None


def _any_of(clauses: Sequence[str]) -> str:
    return clauses[0] if len(clauses) == 1 else f"({' OR '.join(clauses)})"
