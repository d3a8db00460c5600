"""Every key that can be set: its dotted name, its default, its variable, what it means.

Made from the model, so that no list of keys is written twice.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from kebab_core.settings import model
from kebab_core.settings.model import ModelsSection, Section, Settings, SourceSection

PREFIX = "KEBAB_"

SHORT_VARIABLES: Mapping[str, str] = {
    "KEBAB_WORKSPACE": "workspace.name",
    "KEBAB_BASE_URL": "providers.openai-compatible.base_url",
    "OLLAMA_HOST": "providers.ollama.base_url",
    **{
        f"KEBAB_MODEL_{role.upper()}": f"models.{role}.model" for role in ModelsSection.model_fields
    },
}
"""Variables with a name of their own; they win over `KEBAB_<SECTION>__<KEY>`."""

DATA_DIR_VARIABLE = "KEBAB_DATA_DIR"
"""A variable that is no setting: it names a workspace's directory."""

TOKEN_VARIABLE = "KEBAB_TOKEN"  # noqa: S105 - its name
"""Another: the bearer for `kebab ask --remote`."""


@dataclass(frozen=True, slots=True)
class Key:
    """One setting. `name` is dotted, as in the file: `providers.workers-ai.account`."""

    name: str
    section: str
    default: Any
    owner: type[Section]
    field: str

    @property
    def short_name(self) -> str:
        """As it is written below its `[section]`."""
        return self.name.rpartition(".")[2]

    @property
    def variable(self) -> str:
        """`KEBAB_PROVIDERS__WORKERS_AI__ACCOUNT`."""
        return variable_of(self.name)

    @property
    def short_variable(self) -> str | None:
        """The variable that wins over `variable`, where there is one."""
        return next((short for short, name in SHORT_VARIABLES.items() if name == self.name), None)

    @property
    def meaning(self) -> str:
        return meanings(self.owner).get(self.field, "")


@lru_cache(maxsize=1)
def known_sections() -> Mapping[str, type[Section]]:
    """Dotted name → model, in the file's order; `""` is the file itself."""
    return dict(_sections(Settings, ""))


@lru_cache(maxsize=1)
def known_keys() -> Mapping[str, Key]:
    """Dotted name → key, in the file's order."""
    return {key.name: key for key in _keys(Settings, "")}


def variable_of(name: str) -> str:
    """The variable of a key or of a whole section."""
    return PREFIX + name.replace("-", "_").replace(".", "__").upper()


@lru_cache(maxsize=1)
def variables() -> Mapping[str, str]:
    """Variable → the key or section it sets."""
    return {variable_of(name): name for name in (*known_sections(), *known_keys()) if name}


def nearest(name: str) -> str | None:
    """The key or section that someone who wrote `name` most probably meant."""
    section, _, last = name.rpartition(".")
    known = [known for known in (*known_keys(), *known_sections()) if known]
    by_end = {one.rpartition(".")[2]: one for one in reversed(known)}
    beside = {one.rpartition(".")[2]: one for one in known if one.rpartition(".")[0] == section}
    in_full = {one: one for one in known if not name.startswith(f"{one}.")}
    # A slip of the finger beside it, then the right word in the wrong place, then anything like it.
    for word, among, alike in (
        (last, beside, 0.8),
        (name, in_full, 0.85),
        (last, by_end, 1.0),
        (last, beside, 0.6),
        (name, in_full, 0.6),
        (last, by_end, 0.6),
    ):
        if close := get_close_matches(word, among, n=1, cutoff=alike):
            return among[close[0]]
    return None


def closest(word: str, among: Sequence[str]) -> str | None:
    """The one of `among` that `word` is most like, if any."""
    close = get_close_matches(word, among, n=1)
    return close[0] if close else None


def source_keys() -> list[str]:
    """The keys of a [[sources]] entry."""
    return list(SourceSection.model_fields)


def nearest_variable(variable: str) -> str | None:
    """The variable that someone who wrote `variable` most probably meant."""
    known = [*SHORT_VARIABLES, DATA_DIR_VARIABLE, TOKEN_VARIABLE, *variables()]
    # All begin alike, which must not count as likeness.
    by_rest = {one.removeprefix(PREFIX): one for one in reversed(known)}
    close = closest(variable.upper().removeprefix(PREFIX), list(by_rest))
    return by_rest[close] if close else None


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted names → tables within tables."""
    tables: dict[str, Any] = {}
    for name, value in values.items():
        *path, last = name.split(".")
        table = tables
        for part in path:
            table = table.setdefault(part, {})
        table[last] = value
    return tables


def value_of(settings: Settings, name: str) -> Any:
    """The value of a key in `settings`."""
    value: Any = settings
    for part in name.split("."):
        value = getattr(value, part.replace("-", "_"))
    return value


def meanings(owner: type[Section]) -> Mapping[str, str]:
    """Field → the docstring below it, those of parent classes included."""
    found: dict[str, str] = {}
    for parent in reversed(owner.__mro__):
        found.update(_docstrings().get(parent.__name__, {}))
    return found


@lru_cache(maxsize=1)
def _docstrings() -> Mapping[str, Mapping[str, str]]:
    tree = ast.parse(inspect.getsource(model))
    return {node.name: dict(_pairs(node)) for node in tree.body if isinstance(node, ast.ClassDef)}


def meaning_of(section: str) -> str:
    """What a section is for."""
    outer, _, field = section.rpartition(".")
    below = meanings(known_sections()[outer]).get(field.replace("-", "_")) if section else None
    return below or inspect.getdoc(known_sections()[section]) or ""


def _pairs(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in zip(node.body, node.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str() as text)),
            ):
                yield name, inspect.cleandoc(text)


def _sections(owner: type[Section], prefix: str) -> Iterator[tuple[str, type[Section]]]:
    yield prefix, owner
    for field, info in owner.model_fields.items():
        if inner := _section(info.annotation):
            yield from _sections(inner, _join(prefix, info.alias or field))


def _keys(owner: type[Section], section: str) -> Iterator[Key]:
    for field, info in owner.model_fields.items():
        name = _join(section, info.alias or field)
        if inner := _section(info.annotation):
            yield from _keys(inner, name)
        else:
            default = info.get_default(call_default_factory=True, validated_data={})
            yield Key(name, section, default, owner, field)


def _section(annotation: Any) -> type[Section] | None:
    is_section = isinstance(annotation, type) and issubclass(annotation, Section)
    return annotation if is_section else None


def _join(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix else name
