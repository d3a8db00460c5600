from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from kebab_core.errors import (
    ModelEmpty,
    ModelInterrupted,
    ModelNotFound,
    ModelRefused,
    ModelUnreachable,
    RateLimited,
)
from kebab_core.llm.base import Finish, Message, ToolCall
from kebab_core.testing.model import (
    Call,
    Calls,
    Cut,
    End,
    Fail,
    Hang,
    Html,
    KeepAlive,
    Raw,
    Say,
    ScriptedModel,
    Status,
    Think,
    Usage,
)
from kebab_core.testing.model import Finish as SaysFinish
from kebab_core.types import Usage as Spent

REF = "anthropic:claude-x"
KEY = "sk-ant-planted-0123456789"
Fixture = Callable[..., Any]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_KEY", KEY)


def at(server: ScriptedModel, **more: Any) -> dict[str, Any]:
    return {
        "providers.anthropic.base_url": server.origin,
        "providers.anthropic.api_key_env": "CLAUDE_KEY",
        **more,
    }


@pytest.mark.parametrize("chop", [None, 1, 5])
async def test_prose_reasoning_calls_and_usage(
    chop: int | None, connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    calls = Calls([Call("search", ['{"q"', ': "밤"}'], "call_a"), Call("open", "{}", "call_b")])
    script = [[Think("Hm."), KeepAlive(), Say(["매일 ", "밤"]), calls, Usage(12, 3)]]
    with ScriptedModel(script, chop=chop) as server:
        async with connect(REF, at(server)) as model:
            heard = await hear(model, request_of(tools=True, max_tokens=99, temperature=0.5))
    assert (heard.text, heard.thought) == ("매일 밤", "Hm.")
    assert heard.calls == [
        ToolCall("toolu_a", "search", '{"q": "밤"}'),
        ToolCall("toolu_b", "open", "{}"),
    ]
    assert heard.finish == Finish("tool_calls", usage=Spent(12, 3), model="claude-x")
    [asked] = server.requests
    assert asked.headers["x-api-key"] == KEY
    assert asked.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in asked.headers
    assert asked.body["system"] == "Be brief."
    assert asked.messages == [
        {"role": "user", "content": [{"type": "text", "text": "When does it run?"}]}
    ]
    assert asked.body["max_tokens"] == 99
    assert asked.body["temperature"] == 0.5
    assert asked.body["tools"][0]["input_schema"]["type"] == "object"


async def test_the_conversation_takes_turns(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    request = request_of()
    history = (
        Message("assistant", "Let me see. ", tool_calls=(ToolCall("a", "search", '{"q": 1}'),)),
        Message("tool", "[1] Every night.", tool_call_id="a"),
        Message("user", "Answer now."),
    )
    request = type(request)((*request.messages, *history), thinking=True)
    with ScriptedModel([[Say("ok")]]) as server:
        async with connect(REF, at(server)) as model:
            await hear(model, request)
    body = server.requests[0].body
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert body["messages"][1]["content"] == [
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "a", "name": "search", "input": {"q": 1}},
    ]
    assert body["messages"][2]["content"] == [
        {"type": "tool_result", "tool_use_id": "a", "content": "[1] Every night."},
        {"type": "text", "text": "Answer now."},
    ]
    # No tools are offered any more, but the API wants those declared that were used.
    assert [tool["name"] for tool in body["tools"]] == ["search"]
    assert body["tool_choice"] == {"type": "none"}
    assert "thinking" not in body


async def test_thinking_takes_half_of_the_cap_and_no_temperature(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    with ScriptedModel([[Say("ok")], [Say("ok")]]) as server:
        async with connect(REF, at(server)) as model:
            await hear(model, request_of(thinking=True, max_tokens=4000))
            await hear(model, request_of(thinking=True, max_tokens=1000))
    first, second = (request.body for request in server.requests)
    assert first["thinking"] == {"type": "enabled", "budget_tokens": 2000}
    assert "temperature" not in first
    assert "thinking" not in second


@pytest.mark.parametrize("field", ["temperature", "tools"])
async def test_a_field_that_the_server_rejects_is_left_out(
    field: str, connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    with ScriptedModel([[Say("ok")]], rejects=[field]) as server:
        async with connect(REF, at(server)) as model:
            assert (await hear(model, request_of(tools=True))).text == "ok"
    assert field not in server.requests[0].body


@pytest.mark.parametrize(
    ("script", "kind", "says"),
    [
        ([Fail("Overloaded", "overloaded_error")], ModelUnreachable, "Overloaded"),
        ([Fail("slow", "rate_limit_error")], RateLimited, "slow"),
        ([Say("Yes"), Fail("Overloaded", "overloaded_error")], ModelInterrupted, "Overloaded"),
        ([Say("Yes"), Cut()], ModelInterrupted, "closed the connection"),
        ([Say("Yes"), End()], ModelInterrupted, "without saying that it was done"),
        ([Say("Yes"), Raw("data: nope\n\n")], ModelInterrupted, "no JSON"),
        ([Raw('{"a": 1}'), End()], ModelUnreachable, "before the model wrote"),
        ([Html()], ModelUnreachable, "a web page"),
        ([Status(200, {"a": 1})], ModelUnreachable, "no event stream"),
        ([Cut()], ModelUnreachable, "closed the connection"),
        ([], ModelEmpty, "wrote nothing"),
        ([SaysFinish("refusal")], ModelRefused, "declined"),
        ([Status(401, f"invalid x-api-key {KEY}")], ModelRefused, "the key in CLAUDE_KEY"),
        ([Status(404, "model: claude-x")], ModelNotFound, "claude-x"),
        ([Status(529, "Overloaded")], ModelUnreachable, "Overloaded"),
    ],
)
async def test_failures(
    script: list[Any], kind: type, says: str, connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    with ScriptedModel([script]) as server:
        async with connect(REF, at(server)) as model:
            with pytest.raises(kind, match=says) as caught:
                await hear(model, request_of())
    told = f"{caught.value!r} {caught.value.hint} {caught.value.details}"  # type: ignore[attr-defined]
    assert KEY not in told


@pytest.mark.parametrize(
    ("reason", "means"), [("length", "length"), ("stop_sequence", "stop"), ("pause_turn", "stop")]
)
async def test_reasons_to_stop(
    reason: str, means: str, connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    with ScriptedModel([[Say("Yes"), SaysFinish(reason)]]) as server:
        async with connect(REF, at(server)) as model:
            assert (await hear(model, request_of())).finish.reason == means


async def test_a_missing_key_is_named_before_anything_is_sent(
    connect: Fixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLAUDE_KEY")
    with ScriptedModel([]) as server, pytest.raises(ModelRefused, match="CLAUDE_KEY"):
        async with connect(REF, at(server)):
            pass
    assert server.visits == []


async def test_warming_checks_the_key_and_bears_a_gateway_without_the_list(
    connect: Fixture,
) -> None:
    with ScriptedModel([]) as server:
        async with connect(REF, at(server)) as model:
            with pytest.raises(ModelNotFound, match="It has scripted"):
                await model.warm()
    with ScriptedModel([], key="another") as server:
        async with connect(REF, at(server)) as model:
            with pytest.raises(ModelRefused, match="CLAUDE_KEY"):
                await model.warm()


async def test_cancelling_closes_the_connection(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    with ScriptedModel([[Say("Every "), Hang()]]) as server:
        async with connect(REF, at(server)) as model:
            task = asyncio.create_task(hear(model, request_of()))
            assert await asyncio.to_thread(server.wait_requests)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await asyncio.to_thread(server.wait_hangup, 2)
