"""What is wrong with a setting, in words: where, which key, what was found, what is allowed.

A value is repeated only when it can't be a secret: numbers, and short words outside
`[providers]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from kebab_core.errors import ConfigInvalid
from kebab_core.settings import catalogue
from kebab_core.settings.model import Settings
from kebab_core.text.clean import for_display

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

FORMATS = {
    "name": "a name of letters, digits, `.`, `_` and `-`, 64 characters at the most",
    "address": "an http:// or https:// address, or empty",
    "variable": "the name of an environment variable, in capitals",
    "folder": "the path of a folder",
}
_HARMLESS = re.compile(r"[\w .,:-]{0,24}", re.ASCII)
_SECRET = re.compile(r"key|token|secret|password", re.IGNORECASE)
_SHOWN = 5
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. `text` stands alone; `key` and `nearest` are for programs."""

    text: str
    key: str
    hint: str | None = None
    nearest: str | None = None


def refuse(place: str, problems: Sequence[Problem], *, hint: str | None = None) -> ConfigInvalid:
    """The error that tells of `problems`, all found in `place` (a file, or the environment)."""
    shown = " ".join(problem.text for problem in problems[:_SHOWN])
    if len(problems) > _SHOWN:
        shown += f" And {len(problems) - _SHOWN} more."
    hints = dict.fromkeys(problem.hint for problem in problems[:_SHOWN] if problem.hint)
    details: dict[str, Any] = {
        "where": for_display(place),
        "keys": [for_display(problem.key) for problem in problems],
    }
    if nearest := {for_display(p.key): p.nearest for p in problems if p.nearest}:
        details["nearest"] = nearest
    words = " ".join([*(hints or ["Correct it, or leave it out."]), *([hint] if hint else [])])
    return ConfigInvalid(f"{for_display(place)}: {shown}", words, details=details)


def unknown(name: str) -> Problem:
    """A key or section of a file that doesn't exist."""
    shown = for_display(name[:_LONGEST_NAME])
    if _SECRET.search(name) and name.startswith("providers."):
        return _secret_in_file(name, shown)
    near = catalogue.nearest(name[:_LONGEST_NAME])
    if near is None:
        section, _, _ = name.rpartition(".")
        own = [key.short_name for key in catalogue.known_keys().values() if key.section == section]
        hint = f"[{section}] holds: {', '.join(own)}." if section and own else "Remove it."
        return Problem(f"There is no setting `{shown}`.", name, hint)
    section, _, last = near.rpartition(".")
    if near in catalogue.known_sections():
        hint = f"Write [{near}]."
    else:
        hint = f"Write `{last}` under [{section}]." if section else f"Write `{last}`."
    text = f"There is no setting `{shown}`; the nearest is `{near}`."
    return Problem(text, name, hint, near)


def unknown_variable(variable: str) -> Problem:
    """A KEBAB_ variable that sets nothing."""
    shown = for_display(variable[:_LONGEST_NAME])
    near = catalogue.nearest_variable(variable[:_LONGEST_NAME])
    if near is None:
        return Problem(f"{shown} is no setting.", variable, f"Unset {shown}.")
    text = f"{shown} is no setting; the nearest is {near}."
    return Problem(text, variable, f"Set {near}, or unset {shown}.", near)


def not_a_table(section: str, value: object) -> Problem:
    """A section's name with a value where its keys should be."""
    holds = [
        key.short_name for key in catalogue.known_keys().values() if key.section == section
    ] or [
        inner.rpartition(".")[2]
        for inner in catalogue.known_sections()
        if inner.rpartition(".")[0] == section
    ]
    text = f"`{section}` is a section, not a value: found {found(section, value)}."
    return Problem(text, section, f"Write [{section}], and below it any of {', '.join(holds)}.")


def from_validation(error: ValidationError) -> list[Problem]:
    """What pydantic found, one problem a key, in kebab's words."""
    problems: dict[str, Problem] = {}
    items = error.errors(include_url=False, include_context=False)
    # A misspelt key is also a missing one: the misspelling is what to say first.
    for item in sorted(items, key=lambda item: item["type"] != "extra_forbidden"):
        key = _key(item["loc"])
        problem = _problem(key, item)
        problems.setdefault(key if key != "sources" else problem.text, problem)
    return list(problems.values())


def found(key: str, value: object) -> str:
    """What stands there, without giving away what may be a secret."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value) if abs(value) < 1e15 else "a huge number"
    if isinstance(value, str):
        if not value:
            return "an empty text"
        if not key.startswith("providers") and _HARMLESS.fullmatch(value):
            return f'"{value}"'
        return f"a text of {len(value)} characters"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a table"
    return "a date or time"


def allowed(key: str) -> str:
    """What a key takes: `a whole number from 1 to 100`."""
    *path, last = key.split(".")
    node = _schema()
    for part in path:
        node = _resolve(node["properties"][part])
    return _words(node["properties"][last])


def allowed_in_source(field: str) -> str:
    """What a key of [[sources]] takes."""
    return _words(_source_schema(("sources", 0, field)))


def _secret_in_file(name: str, shown: str) -> Problem:
    _, provider, *_ = name.split(".")
    near = catalogue.nearest(f"providers.{provider}.api_key_env")
    hint = "Keys come from the environment only: name the variable in `api_key_env`."
    text = f"There is no setting `{shown}`; the nearest is `{near}`."
    return Problem(text, name, hint, near)


def _problem(key: str, item: ErrorDetails) -> Problem:
    name, value = for_display(_shown(key, item["loc"])), item["input"]
    kind = item["type"]
    if kind == "same_id":
        return Problem(f"In [[sources]], {item['msg']}.", key, "Give each source its own id.")
    if key == "sources":
        field = str(item["loc"][-1])
        if kind == "missing":
            name = name.partition(",")[0]
            return Problem(f"{name} needs `{field}`.", key, "A source has an `id` and a `path`.")
        if kind == "extra_forbidden":
            own = catalogue.source_keys()
            near = catalogue.closest(field, own)
            nearest = f"; the nearest is `{near}`" if near else ""
            text = f"{name}: there is no key `{for_display(field)}`{nearest}."
            return Problem(text, key, f"A source has: {', '.join(own)}.", near)
        words = _words(_source_schema(item["loc"]))
        return Problem(f"{name} is {found(key, value)}; it takes {words}.", key)
    name = f"`{name}`"
    return Problem(f"{name} is {found(key, value)}; it takes {allowed(key)}.", key)


def _key(loc: tuple[int | str, ...]) -> str:
    """The dotted key at which `loc` points, which may go on into the value."""
    known = catalogue.known_keys()
    for length in range(1, len(loc) + 1):
        name = ".".join(str(part) for part in loc[:length])
        if name in known:
            return name
    return ".".join(str(part) for part in loc)


def _shown(key: str, loc: tuple[int | str, ...]) -> str:
    if key != "sources" or len(loc) < 2 or not isinstance(loc[1], int):
        return f"`{key}`" if key == "sources" else key
    place = f"[[sources]] number {loc[1] + 1}"
    return f"{place}, `{loc[2]}`," if len(loc) > 2 and loc[2] in catalogue.source_keys() else place


def _source_schema(loc: tuple[int | str, ...]) -> dict[str, Any]:
    table = _resolve(_schema()["properties"]["sources"]["items"])
    if len(loc) > 2:
        return dict(table["properties"][str(loc[2])])
    return table if len(loc) > 1 else dict(_schema()["properties"]["sources"])


@lru_cache(maxsize=1)
def _schema() -> dict[str, Any]:
    return Settings.model_json_schema(by_alias=True)


def _resolve(node: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        found: dict[str, Any] = _schema()["$defs"][node["$ref"].rpartition("/")[2]]
        return found
    return node


def _words(node: dict[str, Any]) -> str:
    """A JSON Schema of a value, read aloud."""
    node = _resolve(node)
    if "anyOf" in node:
        return " or ".join(_words(one) for one in node["anyOf"])
    if "const" in node:
        return f'"{node["const"]}"'
    if "enum" in node:
        return "one of " + _listed(f'"{one}"' for one in node["enum"])
    match node.get("type"):
        case "boolean":
            return "true or false"
        case "integer":
            return "a whole number" + _range(node)
        case "number":
            return "a number" + _range(node)
        case "array":
            inner = _resolve(node["items"])
            return "a list of texts" if inner.get("type") == "string" else "a list of tables"
        case "object":
            if "properties" in node:
                return "a table of " + _listed(f"`{one}`" for one in node["properties"])
            return "a table of texts"
        case _:
            return FORMATS.get(node.get("format", ""), "a text")


def _range(node: dict[str, Any]) -> str:
    low, above, high = (node.get(k) for k in ("minimum", "exclusiveMinimum", "maximum"))
    bounds = {
        (True, False, True): f" from {low} to {high}",
        (True, False, False): f" of {low} or more",
        (False, True, True): f" above {above}, {high} at the most",
        (False, True, False): f" above {above}",
        (False, False, True): f" of {high} at the most",
    }
    return bounds.get((low is not None, above is not None, high is not None), "")


def _listed(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
