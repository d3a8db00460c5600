from __future__ import annotations

from typing import Any

import pytest

from kebab_core.llm.base import ToolCall
from kebab_core.llm.tool_calls import ToolCallAssembly, arguments_of


def assembled(*pieces: Any) -> list[ToolCall]:
    assembly = ToolCallAssembly()
    for piece in pieces:
        assembly.add(piece)
    return list(assembly.calls())


def piece(index: int | None, arguments: Any = None, name: str = "", call_id: str = "") -> Any:
    function: dict[str, Any] = {"arguments": arguments}
    if name:
        function["name"] = name
    made: dict[str, Any] = {"function": function}
    if index is not None:
        made["index"] = index
    if call_id:
        made["id"] = call_id
    return made


def test_pieces_of_two_calls_may_be_interleaved() -> None:
    assert assembled(
        piece(0, "", "search", "a"),
        piece(1, "", "open", "b"),
        piece(1, '{"p":'),
        piece(0, '{"q"'),
        piece(1, "1}"),
        piece(0, ":2}"),
    ) == [ToolCall("a", "search", '{"q":2}'), ToolCall("b", "open", '{"p":1}')]


def test_whole_calls_without_index_or_id_are_calls_of_their_own() -> None:
    assert assembled(piece(None, "{}", "search"), piece(None, {"q": 1}, "open")) == [
        ToolCall("call_1", "search", "{}"),
        ToolCall("call_2", "open", '{"q": 1}'),
    ]


def test_pieces_without_index_continue_the_last_call() -> None:
    assert assembled(
        piece(None, '{"q"', "search", "a"), piece(None, ":1}"), piece(None, "{}", "open", "b")
    ) == [ToolCall("a", "search", '{"q":1}'), ToolCall("b", "open", "{}")]


@pytest.mark.parametrize("junk", [None, "x", 3, {}, {"function": None}, {"index": True}])
def test_junk_makes_no_call(junk: Any) -> None:
    assert assembled(junk) == []


def test_a_call_without_arguments_has_none() -> None:
    assert assembled(piece(0, None, "list", "a")) == [ToolCall("a", "list", "{}")]


@pytest.mark.parametrize(
    ("text", "value"),
    [('{"q": 1}', {"q": 1}), ('{"q":', {}), ("[1]", {}), ("", {}), ("[" * 100_000, {})],
)
def test_malformed_arguments_are_no_arguments(text: str, value: dict[str, Any]) -> None:
    assert arguments_of(ToolCall("a", "search", text)) == value
