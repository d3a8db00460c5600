"""Golden sets: questions with what a search should find and an answer should rest on.

A set is a file of JSON lines, or of YAML: a list, or a mapping whose `questions` is one. A
question:

    question:    what is asked
    expected:    documents or places in them that answer it: `hr/leave.md`, `hr/leave.md#L12-L20`,
                 `contract.pdf#page=3`; any of the paths' endings that only one document has
    passages:    texts that the right passages hold
    answerable:  false where the documents don't hold the answer; true unless given
    support:     the sentences that a quote should be one of
    reference:   a right answer, for people
    history:     questions asked before it
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from kebab_core.errors import InvalidInput, IOFailed, NotFound
from kebab_core.evaluation.place import Place, parse

_LISTS = ("expected", "passages", "support", "history")
_KEYS = ("question", "answerable", "reference", *_LISTS)
_HINT = 'A line looks like {"question": "…", "expected": ["notes/leave.md"]}.'


@dataclass(frozen=True, slots=True)
class Golden:
    """One question. Where it isn't `answerable`, nothing is expected."""

    question: str
    expected: tuple[Place, ...] = ()
    passages: tuple[str, ...] = ()
    answerable: bool = True
    support: tuple[str, ...] = ()
    reference: str | None = None
    history: tuple[str, ...] = ()

    @property
    def is_labelled(self) -> bool:
        """Whether a ranking can be right or wrong for it."""
        return bool(self.expected or self.passages)


def read(path: Path) -> list[Golden]:
    """Raises NotFound, IOFailed, and InvalidInput that names the line or the entry."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise NotFound(
            f"There is no golden set {path}.", "Make one with `kebab eval add SESSION TURN`."
        ) from None
    except (OSError, UnicodeDecodeError) as failure:
        raise IOFailed(f"{path} can't be read: {failure}.") from failure
    is_yaml = path.suffix.lower() in {".yaml", ".yml"}
    entries = _from_yaml(path, text) if is_yaml else _from_lines(path, text)
    found = [_golden(where, entry) for where, entry in entries]
    if not found:
        raise InvalidInput(f"{path} holds no question.", _HINT)
    return found


def to_line(golden: Golden) -> str:
    """One line of JSON, without what it doesn't say."""
    fields: dict[str, Any] = {"question": golden.question}
    if golden.expected:
        fields["expected"] = [str(place) for place in golden.expected]
    for name in ("passages", "support", "history"):
        if values := getattr(golden, name):
            fields[name] = list(values)
    if not golden.answerable:
        fields["answerable"] = False
    if golden.reference:
        fields["reference"] = golden.reference
    return json.dumps(fields, ensure_ascii=False)


def _from_lines(path: Path, text: str) -> Iterator[tuple[str, object]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            where = f"{path}, line {number}"
            try:
                yield where, json.loads(line)
            except (ValueError, RecursionError) as bad:
                raise InvalidInput(f"{where}: this is no JSON ({bad}).", _HINT) from bad


def _from_yaml(path: Path, text: str) -> Iterator[tuple[str, object]]:
    import yaml

    try:
        loaded = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as bad:
        problem = " ".join(str(bad).split())[:300]
        raise InvalidInput(f"{path} can't be read as YAML: {problem}.") from bad
    entries = loaded.get("questions") if isinstance(loaded, dict) else loaded
    if not isinstance(entries, list):
        raise InvalidInput(f"{path} must be a list of questions.", _HINT)
    for number, entry in enumerate(entries, start=1):
        yield f"{path}, question {number}", entry


def _golden(where: str, entry: object) -> Golden:
    if not isinstance(entry, Mapping):
        raise InvalidInput(f"{where}: a question is an object with named fields.", _HINT)
    for key in entry:
        if key not in _KEYS:
            near = get_close_matches(str(key), _KEYS, 1)
            meant = f" Did you mean {near[0]!r}?" if near else ""
            raise InvalidInput(
                f"{where}: there is no field {str(key)!r}.{meant}", f"Fields: {', '.join(_KEYS)}."
            )
    question = entry.get("question")
    if not isinstance(question, str) or not question.strip():
        raise InvalidInput(f"{where}: it has no question.", _HINT)
    answerable, reference = entry.get("answerable", True), entry.get("reference")
    if not isinstance(answerable, bool):
        raise InvalidInput(f"{where}: answerable is true or false.")
    if reference is not None and not isinstance(reference, str):
        raise InvalidInput(f"{where}: reference is a text.")
    lists = {name: _texts(where, name, entry.get(name)) for name in _LISTS}
    if not answerable and (lists["expected"] or lists["passages"]):
        raise InvalidInput(
            f"{where}: it can't expect anything and not be answerable.",
            "Leave out `expected` and `passages`, or set `answerable` to true.",
        )
    return Golden(
        question=question.strip(),
        expected=tuple(parse(place) for place in lists["expected"]),
        passages=lists["passages"],
        answerable=answerable,
        support=lists["support"],
        reference=reference,
        history=lists["history"],
    )


def _texts(where: str, name: str, value: object) -> tuple[str, ...]:
    listed: Sequence[object] = [value] if isinstance(value, str) else value or []  # type: ignore[assignment]
    if not isinstance(listed, list) or not all(isinstance(one, str) and one for one in listed):
        raise InvalidInput(f"{where}: {name} is a list of texts.")
    return tuple(str(one) for one in listed)
