"""Every way in which asking a model can fail, each from a real socket."""

from __future__ import annotations

import asyncio
import socket
import traceback
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from kebab_core.errors import (
    KebabError,
    ModelEmpty,
    ModelError,
    ModelInterrupted,
    ModelNotFound,
    ModelRefused,
    ModelUnreachable,
    RateLimited,
)
from kebab_core.llm.base import ChatDelta, TextDelta
from kebab_core.llm.server_error import read_error, retry_after
from kebab_core.testing.model import (
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
)
from kebab_core.testing.model import Finish as SaysFinish
from kebab_core.wire.error import Error

REF = "openai-compatible:scripted"
KEY = "sk-planted-0123456789"
Fixture = Callable[..., Any]


async def failure(
    script: list[Any],
    connect: Fixture,
    hear: Fixture,
    request_of: Fixture,
    settings: dict[str, Any] | None = None,
    **server_options: Any,
) -> tuple[ModelError, list[ChatDelta]]:
    """What asking that server raises, and what was heard before."""
    heard: list[ChatDelta] = []
    with ScriptedModel([script], **server_options) as server:
        here = {"providers.openai-compatible.base_url": server.base_url, **(settings or {})}
        async with connect(REF, here) as model:
            with pytest.raises(ModelError) as caught:
                await hear(model, request_of(), heard)
    error = caught.value
    assert error.hint
    assert Error.of(error).code == error.code
    assert error.details["provider"] == "openai-compatible"
    return error, heard


ROWS: list[tuple[list[Any], type[KebabError], str, str]] = [
    ([Status(400, "bad thing")], ModelRefused, "(400): bad thing", "--model"),
    ([Status(401, "no")], ModelRefused, "wants a key, and none was sent (401)", "ASK_API_KEY"),
    ([Status(402, "no credits")], ModelRefused, "no credits", "balance"),
    ([Status(403, "no")], ModelRefused, "(403)", "ASK_API_KEY"),
    ([Status(404, "model x not found")], ModelNotFound, "no model 'scripted'", "--model quote"),
    ([Status(429, "slow down")], RateLimited, "slow down", "in a while"),
    ([Status(500, "oops")], ModelUnreachable, "(500): oops", "--model quote"),
    ([Status(503, "Loading model")], ModelUnreachable, "Loading model", "shortly"),
    ([Status(502, "<html>Bad gateway</html>")], ModelUnreachable, "(502): a web page", "quote"),
    (
        [Status(307, "", {"Location": "https://elsewhere.example/v1"})],
        ModelUnreachable,
        "it moved to https://elsewhere.example/v1",
        "base_url",
    ),
    (
        [Status(400, "maximum context length is 4096 tokens, max_tokens too high")],
        ModelRefused,
        "context length",
        "ask.context_tokens",
    ),
    ([Html()], ModelUnreachable, "it sent a web page", "base_url"),
    ([Raw("hello there, friend"), End()], ModelUnreachable, "'hello there, friend'", "base_url"),
    ([Raw("data: hello\n\n"), End()], ModelUnreachable, "no JSON but 'hello'", "base_url"),
    ([Raw(b"\x00\xff\x1b[31m"), End()], ModelUnreachable, "no event stream", "base_url"),
    ([Status(200, {"status": "ok"})], ModelUnreachable, "no completion", "base_url"),
    ([Cut()], ModelUnreachable, "closed the connection, before", "log"),
    ([KeepAlive(), Cut()], ModelUnreachable, "closed the connection in the middle", "log"),
    ([KeepAlive(), End()], ModelUnreachable, "before the model wrote anything", "log"),
    ([], ModelEmpty, "wrote nothing at all", "again"),
    ([Say(" \n ")], ModelEmpty, "wrote nothing at all", "again"),
    ([Think("Hm."), SaysFinish("length")], ModelEmpty, "all its tokens on reasoning", "max_tokens"),
    ([Say("<think>Hm."), SaysFinish("length")], ModelEmpty, "on reasoning", "max_tokens"),
    ([SaysFinish("length")], ModelEmpty, "limit of tokens", "max_tokens"),
    ([SaysFinish("content_filter")], ModelRefused, "content filter", "other words"),
    ([Fail("out of memory")], ModelUnreachable, "out of memory", "quote"),
    ([Fail("too many", "rate_limit_error")], RateLimited, "too many", "while"),
    ([Fail("who are you", "authentication_error")], ModelRefused, "who are you", "KEY"),
    ([Fail("what", "invalid_request_error", 422)], ModelRefused, "(422): what", "quote"),
    ([Say("Yes"), Cut()], ModelInterrupted, "closed the connection in the middle", "again"),
    ([Say("Yes"), End()], ModelInterrupted, "without saying that it was done", "again"),
    ([Say("Yes"), Raw('data: {"choices": [{"del'), End()], ModelInterrupted, "done", "again"),
    ([Say("Yes"), Raw("data: nope\n\n")], ModelInterrupted, "no JSON", "again"),
    ([Say("Yes"), Fail("overheated")], ModelInterrupted, "overheated", "again"),
    ([Say("Yes"), SaysFinish("content_filter")], ModelInterrupted, "content filter", "again"),
    ([Think("Hm"), Cut()], ModelInterrupted, "closed the connection", "again"),
]


@pytest.mark.parametrize(("script", "kind", "says", "hints"), ROWS)
async def test_each_failure_has_its_code_its_words_and_a_way_on(
    script: list[Any],
    kind: type[KebabError],
    says: str,
    hints: str,
    connect: Fixture,
    hear: Fixture,
    request_of: Fixture,
) -> None:
    error, heard = await failure(script, connect, hear, request_of)
    assert type(error) is kind
    assert says in error.message
    assert hints in (error.hint or "")
    assert "\x1b" not in error.message
    prose = "".join(delta.text for delta in heard if isinstance(delta, TextDelta))
    assert prose == ("Yes" if kind is ModelInterrupted and isinstance(script[0], Say) else "")


@pytest.mark.parametrize("script", [[Hang()], [KeepAlive(), Hang()]])
async def test_silence_before_the_first_word_is_unreachable(
    script: list[Any], connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    error, _ = await failure(script, connect, hear, request_of, {"ask.silence_timeout_s": 0.15})
    assert type(error) is ModelUnreachable
    assert "silent for 0.15 s" in error.message


async def test_silence_after_some_words_is_an_interruption(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    error, heard = await failure(
        [Say("Yes"), Hang()], connect, hear, request_of, {"ask.silence_timeout_s": 0.15}
    )
    assert type(error) is ModelInterrupted
    assert "silent for 0.15 s" in error.message
    assert heard == [TextDelta("Yes")]


async def test_a_missing_model_is_named_beside_those_that_are_there(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    error, _ = await failure(
        [Say("never")], connect, hear, request_of, models=["other", "scripted-2"]
    )
    assert type(error) is ModelNotFound
    assert error.message.endswith("has no model 'scripted'. It has scripted-2, other.")
    assert "`--model openai-compatible:scripted-2`" in (error.hint or "")
    assert error.details["available"] == ["other", "scripted-2"]


async def test_a_wrong_path_is_told_from_a_missing_model(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    with ScriptedModel([[Say("never")]]) as server:
        here = {"providers.openai-compatible.base_url": server.origin}
        async with connect(REF, here) as model:
            with pytest.raises(ModelNotFound) as caught:
                await hear(model, request_of())
    assert "knows no such address (404)" in caught.value.message
    assert "usually ends in /v1" in (caught.value.hint or "")


async def test_retry_after_is_passed_on(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    script = [Status(429, "slow down", {"Retry-After": "20"})]
    error, _ = await failure(script, connect, hear, request_of)
    assert error.details["retry_after_s"] == 20
    assert "in 20 s" in (error.hint or "")


@pytest.mark.parametrize(
    ("text", "seconds"), [("7", 7.0), ("1.5", 1.5), ("-3", 0.0), ("soon", None), ("", None)]
)
def test_retry_after_in_seconds(text: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": text}) == seconds


def test_retry_after_as_a_date() -> None:
    at = datetime.now(UTC) + timedelta(seconds=60)
    wait = retry_after({"retry-after": format_datetime(at, usegmt=True)})
    assert wait is not None
    assert 55 < wait <= 60


# --- not even a server ----------------------------------------------------------------------


@pytest.fixture
def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@pytest.fixture
def deaf_port() -> Iterator[int]:
    """A port whose queue of connections is full: nobody is let in, nobody is refused."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        address = listener.getsockname()
        fillers = []
        for _ in range(4):
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex(address)
            fillers.append(filler)
        yield address[1]
        for filler in fillers:
            filler.close()


async def test_a_refused_connection_names_the_address_and_two_ways_on(
    closed_port: int, connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    here = {"providers.openai-compatible.base_url": f"http://127.0.0.1:{closed_port}/v1"}
    async with connect(REF, here) as model:
        with pytest.raises(ModelUnreachable) as caught:
            await hear(model, request_of())
        with pytest.raises(ModelUnreachable):
            await model.warm()
    error = caught.value
    assert f"http://127.0.0.1:{closed_port}/v1 can't be reached: nothing listens there." in (
        error.message
    )
    assert error.hint == "Start the server, or answer without a model: `--model quote`."


async def test_a_server_that_lets_nobody_in_is_given_up_in_time(
    deaf_port: int, connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    here = {
        "providers.openai-compatible.base_url": f"http://127.0.0.1:{deaf_port}/v1",
        "ask.connect_timeout_s": 0.2,
    }
    async with connect(REF, here) as model:
        with pytest.raises(ModelUnreachable, match=r"no connection within 0\.2 s"):
            await hear(model, request_of())


async def test_a_name_that_does_not_exist(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    here = {"providers.openai-compatible.base_url": "http://no-such-host.invalid/v1"}
    async with connect(REF, here) as model:
        with pytest.raises(ModelUnreachable, match="no-such-host") as caught:
            await hear(model, request_of())
    assert "Check the address and the network" in (caught.value.hint or "")


async def test_https_to_a_plain_server(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    with ScriptedModel([[Say("never")]]) as server:
        here = {"providers.openai-compatible.base_url": server.base_url.replace("http", "https")}
        async with connect(REF, here) as model:
            with pytest.raises(ModelUnreachable, match="secure connection"):
                await hear(model, request_of())


async def test_something_that_speaks_no_http(
    connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n500 what?\r\n\r\n")
        await reader.read()
        writer.close()
        await writer.wait_closed()
        left.set()

    left = asyncio.Event()
    async with await asyncio.start_server(greet, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        here = {"providers.openai-compatible.base_url": f"http://127.0.0.1:{port}/v1"}
        async with connect(REF, here) as model:
            with pytest.raises(ModelUnreachable, match="no HTTP"):
                await hear(model, request_of())
        await left.wait()


# --- keys -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "script",
    [
        [Status(code, f"Incorrect API key provided: {KEY}.")]
        for code in (400, 401, 403, 404, 429, 500)
    ]
    + [
        [Html(KEY)],
        [Raw(f"junk {KEY}"), End()],
        [Raw(f"data: {KEY}\n\n"), End()],
        [Fail(f"bad key {KEY}")],
        [Say("Yes"), Fail(f"bad key {KEY}")],
        [Cut()],
        [Say("Yes"), Cut()],
    ],
)
async def test_no_failure_ever_repeats_the_key(
    script: list[Any],
    connect: Fixture,
    hear: Fixture,
    request_of: Fixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ASK_API_KEY", KEY)
    with ScriptedModel([script], key=KEY) as server:
        here = {"providers.openai-compatible.base_url": server.base_url}
        async with connect(REF, here) as model:
            assert KEY not in repr(model)
            assert KEY not in repr(vars(model))
            with pytest.raises(ModelError) as caught:
                await hear(model, request_of())
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    error = caught.value
    told = f"{error!r} {error.message} {error.hint} {error.details}"
    told += "".join(traceback.format_exception(error))
    assert KEY not in told


async def test_a_refused_key_is_named_by_its_variable(
    connect: Fixture, hear: Fixture, request_of: Fixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASK_API_KEY", "sk-wrong")
    error, _ = await failure([Say("never")], connect, hear, request_of, key=KEY)
    assert type(error) is ModelRefused
    assert "refused the key in ASK_API_KEY (401)" in error.message
    assert "sk-wrong" not in error.message


async def test_a_password_in_the_address_is_not_shown(
    closed_port: int, connect: Fixture, hear: Fixture, request_of: Fixture
) -> None:
    here = {
        "providers.openai-compatible.base_url": f"http://me:secret@127.0.0.1:{closed_port}/v1?k=secret"
    }
    async with connect(REF, here) as model:
        with pytest.raises(ModelUnreachable) as caught:
            await hear(model, request_of())
    told = f"{caught.value.message} {caught.value.hint} {caught.value.details} {model!r}"
    assert "secret" not in told


# --- what servers say ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"error": {"message": "a", "type": "t"}}, "a"),
        ({"error": "a"}, "a"),
        ({"message": "a", "object": "error"}, "a"),
        ({"detail": "a"}, "a"),
        ({"errors": [{"message": "a", "code": 7000}]}, "a"),
        ([{"error": {"message": "a", "code": 400}}], "a"),
        ({"type": "error", "error": {"type": "t", "message": "a"}}, "a"),
        ({"detail": [{"msg": "a"}]}, '[{"msg": "a"}]'),
        ("a", "a"),
        (None, ""),
        ([], ""),
        ({}, ""),
        (3, ""),
    ],
)
def test_a_server_s_words_are_found_in_any_of_the_usual_shapes(body: Any, message: str) -> None:
    assert read_error(body).message == message
