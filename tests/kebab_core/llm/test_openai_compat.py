"""The OpenAI protocol against a real server on loopback, from the first byte to the last."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from kebab_core.errors import ModelInterrupted
from kebab_core.llm.base import ChatDelta, Finish, Message, TextDelta, ToolCall
from kebab_core.testing.model import (
    Call,
    Calls,
    Cut,
    End,
    Hang,
    KeepAlive,
    Pause,
    Raw,
    Say,
    ScriptedModel,
    Think,
    Usage,
)
from kebab_core.testing.model import (
    Finish as SaysFinish,
)
from kebab_core.types import Usage as Spent

REF = "openai-compatible:scripted"
Any_ = Callable[..., Any]


def at(server: ScriptedModel, **more: Any) -> dict[str, Any]:
    return {"providers.openai-compatible.base_url": server.base_url, **more}


async def test_prose_arrives_as_it_is_written_with_usage_and_the_server_s_name(
    connect: Any_, hear: Any_, request_of: Any_
) -> None:
    script = [[Say(["Every ", "night", " [1]."]), Usage(12, 3)]]
    with ScriptedModel(script) as server:
        async with connect(REF, at(server)) as model:
            heard = await hear(model, request_of(max_tokens=99, temperature=0.5))
    assert [d.text for d in heard.deltas if isinstance(d, TextDelta)] == [
        "Every ",
        "night",
        " [1].",
    ]
    assert heard.finish == Finish("stop", usage=Spent(12, 3), model="scripted")
    [asked] = server.requests
    assert asked.messages == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "When does it run?"},
    ]
    assert asked.body["max_tokens"] == 99
    assert asked.body["temperature"] == 0.5
    assert asked.body["stream_options"] == {"include_usage": True}
    assert "authorization" not in asked.headers
    assert asked.headers["user-agent"].startswith("kebab/")


@pytest.mark.parametrize("chop", [1, 2, 3, 7, 50])
async def test_bytes_may_be_cut_anywhere(
    chop: int, connect: Any_, hear: Any_, request_of: Any_
) -> None:
    script = [[KeepAlive(), Say("매일 밤 – "), KeepAlive(), Call("search", ['{"q": ', '"밤"}'])]]
    with ScriptedModel(script, chop=chop) as server:
        async with connect(REF, at(server)) as model:
            heard = await hear(model, request_of())
    assert heard.text == "매일 밤 – "
    assert heard.calls == [ToolCall("call_0_1", "search", '{"q": "밤"}')]
    assert heard.finish.reason == "tool_calls"


async def test_two_calls_whose_pieces_are_interleaved(
    connect: Any_, hear: Any_, request_of: Any_
) -> None:
    calls = Calls([Call("search", ['{"q"', ":1}"], "a"), Call("open", ['{"p"', ":2", "}"], "b")])
    with ScriptedModel([[Say("Let me see."), calls]]) as server:
        async with connect(REF, at(server)) as model:
            heard = await hear(model, request_of(tools=True))
    assert heard.calls == [ToolCall("a", "search", '{"q":1}'), ToolCall("b", "open", '{"p":2}')]
    assert server.requests[0].tools == ["search"]


async def test_calls_and_results_go_back_to_the_server(
    connect: Any_, hear: Any_, request_of: Any_
) -> None:
    request = request_of(tools=True)
    call, torn = ToolCall("a", "search", '{"q": 1}'), ToolCall("b", "search", '{"q": ')
    history = (
        Message("assistant", "", tool_calls=(call, torn)),
        Message("tool", "[1] Every night.", tool_call_id="a"),
        Message("tool", "nothing", tool_call_id="b"),
    )
    request = type(request)((*request.messages, *history), tools=request.tools)
    with ScriptedModel([[Say("ok")]]) as server:
        async with connect(REF, at(server)) as model:
            await hear(model, request)
    assistant, first, second = server.requests[0].messages[2:]
    sent = [(call["id"], call["function"]["arguments"]) for call in assistant["tool_calls"]]
    assert sent == [("a", '{"q": 1}'), ("b", "{}")]
    assert (first["tool_call_id"], first["content"]) == ("a", "[1] Every night.")
    assert second["tool_call_id"] == "b"


async def test_reasoning_is_no_prose(connect: Any_, hear: Any_, request_of: Any_) -> None:
    script = [[Think("Hm. "), Say(["<thi", "nk>So", "</think>", "\n\nYes."])]]
    with ScriptedModel(script) as server:
        async with connect(REF, at(server)) as model:
            heard = await hear(model, request_of())
    assert (heard.text, heard.thought) == ("Yes.", "Hm. So")


@pytest.mark.parametrize("field", ["stream_options", "temperature", "tools"])
async def test_a_field_that_the_server_rejects_is_left_out_and_remembered(
    field: str, connect: Any_, hear: Any_, request_of: Any_
) -> None:
    with ScriptedModel([[Say("Yes.")]], repeat=True, rejects=[field]) as server:
        async with connect(REF, at(server)) as model:
            assert model.can_call_tools
            assert (await hear(model, request_of(tools=True))).text == "Yes."
            assert model.can_call_tools is (field != "tools")
        async with connect(REF, at(server)) as again:
            await hear(again, request_of(tools=True))
    chats = [path for method, path in server.visits if path.endswith("/chat/completions")]
    assert len(chats) == 3
    assert all(field not in request.body for request in server.requests)


async def test_a_server_without_tools_gets_their_results_as_the_user_s_words(
    connect: Any_, hear: Any_, request_of: Any_
) -> None:
    request = request_of(tools=True)
    history = (
        Message("assistant", "", tool_calls=(ToolCall("a", "search", "{}"),)),
        Message("tool", "[1] Every night.", tool_call_id="a"),
    )
    request = type(request)((*request.messages, *history), tools=request.tools)
    with ScriptedModel([[Say("Yes.")]], rejects=["tools"]) as server:
        async with connect(REF, at(server)) as model:
            await hear(model, request)
    assert server.requests[0].messages[2:] == [{"role": "user", "content": "[1] Every night."}]


async def test_newer_models_of_openai_take_another_name_for_the_cap(
    connect: Any_, hear: Any_, request_of: Any_, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    with ScriptedModel([[Say("a")], [Say("b")]], rejects=["max_tokens"]) as server:
        here = {
            "providers.openai.base_url": server.base_url,
            "providers.openai.api_key_env": "OPENAI_API_KEY",
        }
        async with connect("openai:gpt-5-mini", here) as model:
            await hear(model, request_of(max_tokens=50, thinking=True))
    body = server.requests[0].body
    assert body["max_completion_tokens"] == 50
    assert body["reasoning_effort"] == "medium"
    assert "temperature" not in body
    assert server.requests[0].headers["authorization"] == "Bearer sk-planted"


async def test_openrouter_reports_its_cost(
    connect: Any_, hear: Any_, request_of: Any_, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-planted")
    with ScriptedModel([[Say("a"), Usage(10, 2, cost=0.0042)]]) as server:
        here = {
            "providers.openrouter.base_url": server.base_url,
            "providers.openrouter.api_key_env": "MY_KEY",
        }
        async with connect("openrouter:x/y", here) as model:
            heard = await hear(model, request_of(thinking=True))
    assert heard.finish.usage == Spent(10, 2, usd=0.0042)
    assert server.requests[0].body["reasoning"] == {"enabled": True}


async def test_an_answer_cut_at_the_cap_says_so(
    connect: Any_, hear: Any_, request_of: Any_
) -> None:
    with ScriptedModel([[Say("Every night and"), SaysFinish("length")]]) as server:
        async with connect(REF, at(server)) as model:
            assert (await hear(model, request_of())).finish.reason == "length"


async def test_a_server_that_does_not_stream_is_understood(
    connect: Any_, hear: Any_, request_of: Any_
) -> None:
    body = {
        "model": "m",
        "choices": [
            {"message": {"role": "assistant", "content": "Whole."}, "finish_reason": "stop"}
        ],
        "usage": {"prompt_tokens": 3, "completion_tokens": 1},
    }
    from kebab_core.testing.script import Status

    with ScriptedModel([[Status(200, body)]]) as server:
        async with connect(REF, at(server)) as model:
            heard = await hear(model, request_of())
    assert heard.text == "Whole."
    assert heard.finish == Finish("stop", usage=Spent(3, 1), model="m")


@pytest.mark.parametrize(
    "ending",
    [
        "data: [DONE]\n\n",
        'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n',
        'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: {"cho',
        'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]',
    ],
)
async def test_any_word_of_being_done_ends_it_well(
    ending: str, connect: Any_, hear: Any_, request_of: Any_
) -> None:
    begin = 'data: {"choices":[{"delta":{"content":[{"type":"text","text":"Yes."}]}}]}\n\n'
    with ScriptedModel([[Raw(begin + ending), End()]]) as server:
        async with connect(REF, at(server)) as model:
            heard = await hear(model, request_of())
    assert heard.text == "Yes."
    assert heard.finish.reason == "stop"


async def test_a_cut_after_the_model_said_it_was_done_loses_nothing(
    connect: Any_, hear: Any_, request_of: Any_
) -> None:
    done = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'
    with ScriptedModel([[Say("Yes."), Raw(done), Cut()]]) as server:
        async with connect(REF, at(server)) as model:
            assert (await hear(model, request_of())).text == "Yes."


async def test_junk_in_odd_places_is_passed_over(
    connect: Any_, hear: Any_, request_of: Any_
) -> None:
    junk = "".join(
        f"data: {value}\n\n"
        for value in (
            "null",
            "[]",
            "{}",
            '{"choices": null}',
            '{"choices": [null]}',
            '{"choices": [{"delta": null}]}',
            '{"choices": [{"delta": {"content": 3}}]}',
            '{"choices": [{"delta": {"tool_calls": {}}}], "usage": "x"}',
        )
    )
    with ScriptedModel([[Raw(junk), Say("Yes.")]]) as server:
        async with connect(REF, at(server)) as model:
            assert (await hear(model, request_of())).text == "Yes."


async def test_the_connection_is_used_again(connect: Any_, hear: Any_, request_of: Any_) -> None:
    with ScriptedModel([[Say("a")], [Say("b")]]) as server:
        async with connect(REF, at(server)) as model:
            await model.warm()
            await hear(model, request_of())
            await hear(model, request_of())
    assert server.connections == 1


# --- hanging up ---------------------------------------------------------------------------


@pytest.mark.parametrize("script", [[Say("Every "), Hang()], [Hang()], [KeepAlive(), Hang()]])
async def test_cancelling_closes_the_connection_while_the_model_is_silent(
    script: list[Any], connect: Any_, hear: Any_, request_of: Any_
) -> None:
    with ScriptedModel([script]) as server:
        async with connect(REF, at(server)) as model:
            task = asyncio.create_task(hear(model, request_of()))
            assert await asyncio.to_thread(server.wait_requests)
            await asyncio.sleep(0.05)
            cancelled_at = time.monotonic()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await asyncio.to_thread(server.wait_hangup, 2)
    assert server.hangups[0].at - cancelled_at < 1


async def test_leaving_a_stream_early_closes_its_connection(
    connect: Any_, request_of: Any_
) -> None:
    with ScriptedModel([[Say("Every "), Hang()]]) as server:
        async with connect(REF, at(server)) as model:
            stream = model.stream(request_of())
            assert await anext(stream) == TextDelta("Every ")
            await stream.aclose()
            assert await asyncio.to_thread(server.wait_hangup, 2)


async def test_closing_the_model_closes_what_is_open(connect: Any_, request_of: Any_) -> None:
    with ScriptedModel([[Say("Every "), Hang()]]) as server:
        async with connect(REF, at(server)) as model:
            stream = model.stream(request_of())
            await anext(stream)
        assert await asyncio.to_thread(server.wait_hangup, 2)
        await stream.aclose()


async def test_a_pause_shorter_than_the_time_out_is_no_failure(
    connect: Any_, hear: Any_, request_of: Any_
) -> None:
    script = [[Say("a"), Pause(0.2), KeepAlive(), Pause(0.2), KeepAlive(), Pause(0.2), Say("b")]]
    with ScriptedModel(script) as server:
        async with connect(REF, at(server, **{"ask.silence_timeout_s": 0.4})) as model:
            assert (await hear(model, request_of())).text == "ab"


async def test_what_came_before_the_cut_was_heard(
    connect: Any_, hear: Any_, request_of: Any_
) -> None:
    heard: list[ChatDelta] = []
    with ScriptedModel([[Say(["Every ", "night"]), Cut()]]) as server:
        async with connect(REF, at(server)) as model:
            with pytest.raises(ModelInterrupted):
                await hear(model, request_of(), heard)
    assert heard == [TextDelta("Every "), TextDelta("night")]


# --- warming ------------------------------------------------------------------------------


async def test_warming_learns_how_much_the_model_reads(connect: Any_) -> None:
    with ScriptedModel([], context_tokens=32_768) as server:
        async with connect(REF, at(server)) as model:
            assert model.context_tokens is None
            await model.warm()
            assert model.context_tokens == 32_768


async def test_a_proxy_of_the_environment_is_not_asked_about_loopback(
    connect: Any_, hear: Any_, request_of: Any_, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with ScriptedModel([[Say("Yes.")]]) as server:
        async with connect(REF, at(server)) as model:
            assert (await hear(model, request_of())).text == "Yes."
