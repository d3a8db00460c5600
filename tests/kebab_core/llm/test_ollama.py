from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from kebab_core.errors import ModelEmpty, ModelInterrupted, ModelNotFound, ModelUnreachable
from kebab_core.llm.base import Finish, Message, ToolCall
from kebab_core.llm.ollama import CONTEXT_STEP
from kebab_core.testing.model import (
    Call,
    Cut,
    End,
    Fail,
    Hang,
    Html,
    Raw,
    Say,
    ScriptedModel,
    Status,
    Think,
    Usage,
)
from kebab_core.testing.model import Finish as SaysFinish
from kebab_core.types import Usage as Spent

REF = "ollama:llama3.2:3b"
Fixture = Callable[..., Any]


def at(server: ScriptedModel, **more: Any) -> dict[str, Any]:
    return {"providers.ollama.base_url": server.origin, **more}


@pytest.mark.parametrize("chop", [None, 1, 5])
async def test_prose_reasoning_calls_and_usage(
    chop: int | None, connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    script = [[Think("Hm."), Say(["매일 ", "밤"]), Call("search", {"q": "밤"}), Usage(12, 3)]]
    with ScriptedModel(script, chop=chop) as server:
        async with connect(REF, at(server)) as model:
            heard = await hear(model, request_of(tools=True, max_tokens=99, temperature=0.5))
    assert (heard.text, heard.thought) == ("매일 밤", "Hm.")
    assert heard.calls == [ToolCall("call_1", "search", '{"q": "밤"}')]
    assert heard.finish == Finish("tool_calls", usage=Spent(12, 3), model="llama3.2:3b")
    [asked] = server.requests
    assert asked.path == "/api/chat"
    assert asked.body["model"] == "llama3.2:3b"
    assert asked.body["think"] is False
    assert asked.body["options"]["num_predict"] == 99
    assert asked.body["options"]["temperature"] == 0.5
    assert asked.tools == ["search"]


async def test_the_context_fits_the_prompt_and_never_shrinks(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    with ScriptedModel([[Say("ok")]], repeat=True, context_tokens=131_072) as server:
        async with connect(REF, at(server)) as model:
            await hear(model, request_of("short", max_tokens=100))
            await hear(model, request_of("word " * 12_000, max_tokens=1000))
            await hear(model, request_of("short", max_tokens=100))
    sizes = [request.body["options"]["num_ctx"] for request in server.requests]
    assert sizes[0] == CONTEXT_STEP
    assert sizes[1] >= 12_000 + 1000
    assert sizes[2] == sizes[1]


async def test_the_context_is_no_more_than_the_model_or_the_person_allows(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    long = "word " * 12_000
    with ScriptedModel([[Say("ok")]], repeat=True, context_tokens=4096) as server:
        async with connect(REF, at(server)) as model:
            await model.warm()
            assert model.context_tokens == 4096
            await hear(model, request_of(long))
        async with connect(REF, at(server, **{"ask.context_tokens": 2048})) as model:
            assert model.context_tokens == 2048
            await hear(model, request_of(long))
    assert [r.body["options"]["num_ctx"] for r in server.requests] == [4096, 2048]


async def test_calls_and_results_go_back_with_the_tool_s_name(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    request = request_of(tools=True)
    history = (
        Message("assistant", "", tool_calls=(ToolCall("a", "search", '{"q": 1}'),)),
        Message("tool", "[1] Every night.", tool_call_id="a"),
    )
    request = type(request)((*request.messages, *history), tools=request.tools)
    with ScriptedModel([[Say("ok")]]) as server:
        async with connect(REF, at(server)) as model:
            await hear(model, request)
    call, result = server.requests[0].messages[2:]
    assert call["tool_calls"] == [{"function": {"name": "search", "arguments": {"q": 1}}}]
    assert result == {"role": "tool", "content": "[1] Every night.", "tool_name": "search"}


async def test_a_model_without_tools_is_asked_again_without_them(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    def answer(received: Any) -> list[Any]:
        if received.tools:
            return [Status(400, "registry.ollama.ai/library/x:latest does not support tools")]
        return [Say("ok")]

    with ScriptedModel(answer) as server:
        async with connect(REF, at(server)) as model:
            assert (await hear(model, request_of(tools=True))).text == "ok"
            assert not model.can_call_tools


async def test_thinking_is_a_switch(connect: Fixture, hear: Fixture, request_of: Fixture) -> None:
    def answer(received: Any) -> list[Any]:
        if received.body.get("think"):
            return [Status(400, '"llama3.2:3b" does not support thinking')]
        return [Say("ok")]

    with ScriptedModel(answer) as server:
        async with connect(REF, at(server)) as model:
            assert (await hear(model, request_of(thinking=True))).text == "ok"
    assert [request.body.get("think") for request in server.requests] == [True, None]


async def test_warming_learns_what_the_model_can_and_loads_it(connect: Fixture) -> None:
    with ScriptedModel([], context_tokens=16_384) as server:
        async with connect(REF, at(server)) as model:
            await model.warm()
            assert model.context_tokens == 16_384
            assert model.can_call_tools
    assert server.visits == [("POST", "/api/show"), ("POST", "/api/generate")]


async def test_a_model_that_is_not_there_says_how_to_get_it(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    with ScriptedModel([], models=["llama3.1:8b", "qwen3:4b"]) as server:
        async with connect(REF, at(server)) as model:
            for asking in (hear(model, request_of()), model.warm()):
                with pytest.raises(ModelNotFound) as caught:
                    await asking
                assert "has no model 'llama3.2:3b'. It has llama3.1:8b, qwen3:4b." in (
                    caught.value.message
                )
                assert "`ollama pull llama3.2:3b`" in (caught.value.hint or "")
                assert "`--model ollama:llama3.1:8b`" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("script", "kind", "says"),
    [
        ([Fail("llama runner process has terminated")], ModelUnreachable, "has terminated"),
        ([Say("Yes"), Fail("out of memory")], ModelInterrupted, "out of memory"),
        ([Say("Yes"), Cut()], ModelInterrupted, "closed the connection"),
        ([Say("Yes"), End()], ModelInterrupted, "without saying that it was done"),
        ([Say("Yes"), Raw("nope\n")], ModelInterrupted, "no JSON"),
        ([Raw("nope\n")], ModelUnreachable, "'nope'"),
        ([Raw("nope"), End()], ModelUnreachable, "'nope'"),
        ([Html()], ModelUnreachable, "a web page"),
        ([Cut()], ModelUnreachable, "closed the connection"),
        ([], ModelEmpty, "wrote nothing"),
        ([Think("Hm"), SaysFinish("length")], ModelEmpty, "on reasoning"),
        ([Status(500, "no memory")], ModelUnreachable, "no memory"),
    ],
)
async def test_failures(
    script: list[Any], kind: type, says: str, connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    with ScriptedModel([script]) as server:
        async with connect(REF, at(server)) as model:
            with pytest.raises(kind, match=says):
                await hear(model, request_of())


async def test_nobody_there_says_how_to_start_it(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    async with connect(REF, {"providers.ollama.base_url": "http://127.0.0.1:9"}) as model:
        with pytest.raises(ModelUnreachable) as caught:
            await hear(model, request_of())
    assert caught.value.hint == (
        "Start it with `ollama serve`, or answer without a model: `--model quote`."
    )


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


async def test_addresses_as_people_write_them(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    with ScriptedModel([[Say("ok")]], repeat=True) as server:
        for end in ("", "/", "/v1", "/api"):
            here = {"providers.ollama.base_url": server.origin + end}
            async with connect(REF, here) as model:
                assert (await hear(model, request_of())).text == "ok"
