"""What `@` in a question names: a folder, a document, a tag, a source. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kebab_core import api

if TYPE_CHECKING:
    from kebab_core.api import DocSummary, Filters

_TOKEN = re.compile(r'(?<!\S)@(?:"([^"\n]+)"|(\S+))')
_OPEN_TOKEN = re.compile(r'(?<!\S)@("[^"\n]*|[^\s"]*)$')
_AFTER = ".,;:!?)…"
_WILD = re.compile(r"[\[*?]")


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that a question is confined to, as they are typed after `@`.

    `hr/` is a folder, `hr/faq.md` a document, `#leave` a tag, `notes:` a source.
    """

    names: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.names)

    @property
    def typed(self) -> str:
        """As it stands before the question in the prompt."""
        return " ".join(quoted(name) for name in self.names)

    def filters(self) -> Filters:
        """Places are joined by or; a tag or a source narrows them further."""
        tags = [name[1:] for name in self.names if name.startswith("#")]
        sources = [name[:-1] for name in self.names if _is_source(name)]
        places = [name for name in self.names if not name.startswith("#") and not _is_source(name)]
        return api.Filters(
            path_globs=tuple(_exact_glob(place) for place in places),
            tags=tuple(tags),
            source_ids=tuple(sources),
        )


EVERYTHING = Scope()


@dataclass(frozen=True, slots=True)
class Scoped:
    """A question apart from its scope. `unknown` are names that nothing goes by."""

    question: str
    scope: Scope
    unknown: tuple[str, ...] = ()


def quoted(name: str) -> str:
    """`@hr/faq.md`, `@"a name with spaces.md"`."""
    return f'@"{name}"' if re.search(r"\s", name) else f"@{name}"


def open_token(before: str) -> str | None:
    """What was typed after the `@` that the cursor stands behind; None if there is none."""
    found = _OPEN_TOKEN.search(before)
    return found.group(1) if found else None


def _is_source(name: str) -> bool:
    return name.endswith(":")


def _exact_glob(path: str) -> str:
    """A glob that means this path from its root, whatever characters are in it."""
    return "/" + _WILD.sub(lambda wild: f"[{wild.group()}]", path)


class Catalog:
    """Every name there is. Made in the background: a corpus can be large."""

    def __init__(self, documents: Iterable[DocSummary]) -> None:
        paths: dict[str, str] = {}
        folders: dict[str, None] = {}
        tags: dict[str, None] = {}
        sources: dict[str, None] = {}
        for document in documents:
            sources[f"{document.source_id}:"] = None
            paths[document.doc_path] = document.title
            for tag in document.tags:
                tags[f"#{tag}"] = None
            parts = document.doc_path.split("/")[:-1]
            for depth in range(len(parts)):
                folders["/".join(parts[: depth + 1]) + "/"] = None
        several = sources if len(sources) > 1 else {}
        self._titles: dict[str, str] = paths
        self._names = [*sorted(several), *sorted(folders), *sorted(tags), *sorted(paths)]
        self._folded = [name.casefold() for name in self._names]
        self._known = dict(zip(self._folded, self._names, strict=True))

    def title(self, name: str) -> str:
        """A document's title; empty for anything else."""
        return self._titles.get(name, "")

    def has(self, typed: str) -> bool:
        """Whether that is a whole name already."""
        return typed.strip('"').casefold() in self._known

    def complete(self, typed: str, limit: int) -> Sequence[str]:
        """Names that hold `typed`, those that begin with it first."""
        needle = typed.strip('"').casefold()
        found = [
            (_nearness(folded, needle), place)
            for place, folded in enumerate(self._folded)
            if needle in folded
        ]
        return [self._names[place] for _, place in sorted(found)[:limit]]

    def read(self, text: str) -> Scoped:
        """Take the scope out of `text`. An `@word` that can't be a name stays as it is."""
        names: dict[str, None] = {}
        unknown: list[str] = []

        def replaced(found: re.Match[str]) -> str:
            written = found.group(1) or found.group(2)
            name, rest = self._resolve(written, is_quoted=found.group(1) is not None)
            if name is None:
                if "/" in written or written.startswith("#") or found.group(1) is not None:
                    unknown.append(written)
                return found.group()
            names[name] = None
            # In the midst of a sentence its name is a word of it.
            before, after = text[: found.start()], text[found.end() :]
            return name.strip("#:") + rest if _has_words(before) and _has_words(after) else rest

        question = _TOKEN.sub(replaced, text).strip()
        if names:
            question = re.sub(r"[ \t]+(?=[.,;:!?)…]|[ \t])", "", question)
        return Scoped(question, Scope(tuple(names)), tuple(unknown))

    def _resolve(self, written: str, *, is_quoted: bool) -> tuple[str | None, str]:
        """The name that is meant, and the punctuation after it."""
        bare = written if is_quoted else written.rstrip(_AFTER)
        for name in dict.fromkeys((written, bare)):
            folded = name.casefold()
            known = self._known.get(folded) or self._known.get(f"{folded}/")
            if known is not None:
                return known, written[len(name) :]
        return None, ""


def _nearness(folded: str, needle: str) -> tuple[int, int]:
    bare = folded.strip("#:/")
    last = bare.rsplit("/", 1)[-1]
    rank = 0 if bare.startswith(needle.strip("#")) else 1 if last.startswith(needle) else 2
    return rank, bare.count("/")


def _has_words(text: str) -> bool:
    return bool(_TOKEN.sub("", text).strip(f" \t\n{_AFTER}"))
