"""What stands above a Markdown document between `---` (YAML) or `+++` (TOML) lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_OPEN = re.compile(r"(---|\+\+\+)[^\S\r\n]*(?:\r\n|\r|\n)")
_LONGEST = 64_000


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """`end` is the offset after its closing line; 0 where there is none."""

    end: int = 0
    title: str | None = None
    tags: tuple[str, ...] = ()
    status: str | None = None
    author: str | None = None
    lang: str | None = None
    warnings: tuple[str, ...] = ()


def front_matter(text: str) -> FrontMatter:
    """Of `text`. What can't be read as YAML or TOML is kept as text, and a warning says so."""
    opened = _OPEN.match(text)
    if opened is None:
        return FrontMatter()
    fence = re.escape(opened[1])
    closing = "---|\\.\\.\\." if opened[1] == "---" else fence
    closed = re.compile(rf"(?:\r\n|\r|\n)(?:{closing})[^\S\r\n]*(?=\r|\n|\Z)").search(
        text, opened.end() - 1, opened.end() + _LONGEST
    )
    if closed is None:
        return FrontMatter()  # a rule, or a heading's underline
    body = text[opened.end() : closed.start()]
    try:
        fields = _yaml(body) if opened[1] == "---" else _toml(body)
    except (ValueError, RecursionError) as failure:
        problem = " ".join(str(failure).split())[:200]
        return FrontMatter(closed.end(), warnings=(f"The front matter can't be read: {problem}",))
    if fields is None:
        return FrontMatter()  # text between two rules
    return FrontMatter(
        closed.end(),
        title=_words(fields.get("title")),
        tags=_tags(fields.get("tags", fields.get("keywords", fields.get("tag")))),
        status=_words(fields.get("status")),
        author=_names(fields.get("author", fields.get("authors"))),
        lang=_lang(fields.get("lang", fields.get("language"))),
    )


def _yaml(body: str) -> Mapping[str, object] | None:
    import yaml

    # Scalars stay the words they are: `no` is a tag, 007 a title, and no date can be wrong.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        fields = yaml.load(body, Loader=loader)  # noqa: S506 (BaseLoader makes only str, list, dict)
    except yaml.YAMLError as failure:
        raise ValueError(getattr(failure, "problem", None) or str(failure)) from failure
    return _lowered(fields)


def _toml(body: str) -> Mapping[str, object] | None:
    import tomllib

    return _lowered(tomllib.loads(body.replace("\r\n", "\n").replace("\r", "\n")))


def _lowered(fields: object) -> Mapping[str, object] | None:
    if fields in (None, ""):
        return {}
    if not isinstance(fields, dict):
        return None
    return {key.lower(): value for key, value in fields.items() if isinstance(key, str)}


def _words(value: object) -> str | None:
    # Never a list or a table: written out, an alias in YAML can be a billion times itself.
    if value is None or isinstance(value, list | dict):
        return None
    return " ".join(str(value).split())[:500] or None


def _items(value: object) -> Iterable[object]:
    if isinstance(value, list):
        return value[:100]
    if isinstance(value, str):
        return value.split(",") if "," in value else value.split()
    return ()


def _tags(value: object) -> tuple[str, ...]:
    found = (_words(item) for item in _items(value))
    return tuple(dict.fromkeys(tag.lstrip("#") for tag in found if tag and tag.lstrip("#")))


def _names(value: object) -> str | None:
    if isinstance(value, list):
        listed = (_names(item) for item in value[:20])
        return ", ".join(name for name in listed if name)[:500] or None
    return _words(value.get("name")) if isinstance(value, dict) else _words(value)


def _lang(value: object) -> str | None:
    found = re.match(r"[A-Za-z]{2,3}(?![A-Za-z])", _words(value) or "")
    return found.group().lower() if found else None
