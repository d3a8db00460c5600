"""Tool calls put together from the pieces that a stream sends them in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kebab_core.llm.base import ToolCall


@dataclass(slots=True)
class _Partial:
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)


class ToolCallAssembly:
    """Pieces of OpenAI's `delta.tool_calls`, by index, in whichever order they come.

    Servers that send calls whole often leave out the index, and some the id: then a piece that
    names a function begins a call, and another one continues the last.
    """

    def __init__(self) -> None:
        self._calls: dict[int, _Partial] = {}

    def add(self, piece: object) -> None:
        """One element of `delta.tool_calls`; anything else is ignored."""
        if not isinstance(piece, dict):
            return
        function = piece.get("function")
        function = function if isinstance(function, dict) else {}
        name, call_id = _text(function.get("name")), _text(piece.get("id"))
        partial = self._calls.setdefault(self._place(piece.get("index"), name, call_id), _Partial())
        partial.id = partial.id or call_id
        partial.name = partial.name or name
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            partial.arguments.append(arguments)
        elif arguments is not None:
            partial.arguments.append(json.dumps(arguments, ensure_ascii=False))

    def __bool__(self) -> bool:
        return bool(self._calls)

    def calls(self) -> Iterator[ToolCall]:
        """The calls so far, in the order of their index. Those without a name are dropped."""
        for place, partial in sorted(self._calls.items()):
            if partial.name:
                arguments = "".join(partial.arguments) or "{}"
                yield ToolCall(partial.id or f"call_{place + 1}", partial.name, arguments)

    def _place(self, index: object, name: str, call_id: str) -> int:
        if isinstance(index, int) and not isinstance(index, bool):
            return index
        last = max(self._calls, default=-1)
        if last < 0 or (call_id and self._calls[last].id not in ("", call_id)):
            return last + 1
        begins = bool(name) and bool(self._calls[last].name) and not call_id
        return last + 1 if begins else last


def arguments_of(call: ToolCall) -> dict[str, Any]:
    """The arguments as an object, empty where the model wrote none: servers choke on the rest."""
    try:
        value = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
