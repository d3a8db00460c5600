"""The scripted server, seen with a plain HTTP client."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import httpx
import pytest

from kebab_core.testing import ScriptedModel
from kebab_core.testing.model import (
    Call,
    Calls,
    Cut,
    End,
    Fail,
    Finish,
    Hang,
    Html,
    KeepAlive,
    Pause,
    Raw,
    Received,
    Say,
    Status,
    Step,
    Think,
    Usage,
)


def chat(server: ScriptedModel, path: str = "/v1/chat/completions", **body: Any) -> httpx.Response:
    asked = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": True, **body}
    return httpx.post(f"{server.origin}{path}", json=asked, timeout=10)


def events(text: str) -> list[Any]:
    data = [line.removeprefix("data: ") for line in text.split("\n") if line.startswith("data: ")]
    return [json.loads(one) if one != "[DONE]" else one for one in data]


def test_openai_s_stream() -> None:
    turn = [KeepAlive(), Think("Hm."), Say(["Hel", "lo"]), Call("search", ['{"q"', ":1}"], "a")]
    with ScriptedModel([turn]) as server:
        reply = chat(server, stream_options={"include_usage": True})
    assert reply.headers["content-type"].startswith("text/event-stream")
    assert reply.text.startswith(": keep-alive\n\n")
    *chunks, usage, done = events(reply.text)
    assert done == "[DONE]"
    assert usage["choices"] == []
    assert usage["usage"]["completion_tokens"] == 4
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
    assert deltas[0] == {"role": "assistant", "content": ""}
    assert deltas[1] == {"reasoning_content": "Hm."}
    assert [delta["content"] for delta in deltas[2:4]] == ["Hel", "lo"]
    first, *pieces = [delta["tool_calls"][0] for delta in deltas[4:-1]]
    assert (first["id"], first["function"]["name"]) == ("a", "search")
    assert "".join(piece["function"]["arguments"] for piece in pieces) == '{"q":1}'
    assert chunks[-1]["choices"][0]["finish_reason"] == "tool_calls"


def test_usage_is_sent_only_where_it_was_asked_for() -> None:
    with ScriptedModel([[Say("a"), Usage(7, 2)]], repeat=True) as server:
        assert "usage" not in chat(server).text
        told = events(chat(server, stream_options={"include_usage": True}).text)[-2]
    assert told["usage"] == {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}


def test_ollama_s_stream() -> None:
    with ScriptedModel([[Think("Hm."), Say("a"), Call("f", {"q": 1}), Finish("length")]]) as server:
        reply = chat(server, "/api/chat")
    lines = [json.loads(line) for line in reply.text.splitlines()]
    assert [line["done"] for line in lines] == [False, False, False, True]
    assert lines[0]["message"]["thinking"] == "Hm."
    assert lines[2]["message"]["tool_calls"] == [{"function": {"name": "f", "arguments": {"q": 1}}}]
    assert lines[-1]["done_reason"] == "length"


def test_anthropic_s_stream() -> None:
    turn = [Think("Hm."), Say(["a", "b"]), Calls([Call("f", "{}"), Call("g", ["{", "}"])])]
    with ScriptedModel([turn]) as server:
        sent = events(chat(server, "/v1/messages").text)
    kinds = [event["type"] for event in sent if event["type"] != "content_block_delta"]
    block = ["content_block_start", "content_block_stop"]
    assert kinds == ["message_start", "ping", *block * 4, "message_delta", "message_stop"]
    starts = [event for event in sent if event["type"] == "content_block_start"]
    assert [start["index"] for start in starts] == [0, 1, 2, 3]
    assert [start["content_block"]["type"] for start in starts] == [
        "thinking",
        "text",
        "tool_use",
        "tool_use",
    ]
    assert sent[-2]["delta"]["stop_reason"] == "tool_use"


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/api/chat", "/v1/messages"])
def test_the_same_bytes_come_however_they_are_chopped(path: str) -> None:
    turn = [Say("매일 밤"), Finish("length"), Usage(1, 1)]
    bodies = set()
    for chop in (None, 1, 3):
        with ScriptedModel([turn], chop=chop) as server:
            text = chat(server, path).text
            for stamp in ("created_at", "created"):
                text = "".join(part.partition(",")[2] for part in text.split(f'"{stamp}":'))
            bodies.add(text)
    assert len(bodies) == 1


def test_turns_answer_in_order_and_then_it_says_so() -> None:
    with ScriptedModel(
        [[Say("one")], lambda received: [Say(received.messages[0]["content"])]]
    ) as s:
        assert "one" in chat(s).text
        assert '"hi"' in chat(s).text
        assert chat(s).status_code == 500
    with ScriptedModel([[Say("one")], [Say("two")]], repeat=True) as s:
        assert ["two" in chat(s).text for _ in range(3)] == [False, True, True]


def test_a_function_answers_every_request() -> None:
    def answer(received: Received) -> list[Step]:
        return [Say(f"number {received.number}")]

    with ScriptedModel(answer) as server:
        assert "number 0" in chat(server).text
        assert "number 1" in chat(server).text


def test_a_mistake_in_a_test_s_script_comes_out_where_the_server_is_closed() -> None:
    server = ScriptedModel(lambda received: [Say(received.body["nope"])]).start()
    with pytest.raises(httpx.HTTPError):
        chat(server)
    with pytest.raises(KeyError, match="nope"):
        server.close()
    server.close()


@pytest.mark.parametrize(
    ("turn", "status", "kind", "holds"),
    [
        ([Status(429, "slow", {"Retry-After": "3"})], 429, "application/json", "slow"),
        ([Status(404, {"error": "no"})], 404, "application/json", '"no"'),
        ([Status(502, "<html>Bad</html>")], 502, "text/html", "Bad"),
        ([Html("<html>Hi</html>")], 200, "text/html", "Hi"),
        ([Raw(b"\x00junk"), End()], 200, "text/event-stream", "junk"),
        ([Fail("oops")], 200, "text/event-stream", '"error"'),
    ],
)
def test_responses_that_are_no_stream(turn: Any, status: int, kind: str, holds: str) -> None:
    with ScriptedModel([turn]) as server:
        reply = chat(server)
    assert reply.status_code == status
    assert reply.headers["content-type"].startswith(kind)
    assert holds in reply.text
    assert reply.headers.get("retry-after") == ("3" if status == 429 else None)


def test_a_cut_breaks_the_response_after_what_was_said() -> None:
    body = bytearray()

    def read_to_the_end(reply: httpx.Response) -> None:
        for part in reply.iter_raw():
            body.extend(part)

    with (
        ScriptedModel([[Say("Every"), Cut()]]) as server,
        httpx.stream("POST", f"{server.base_url}/chat/completions", json={}) as reply,
        pytest.raises(httpx.RemoteProtocolError),
    ):
        read_to_the_end(reply)
    assert b"Every" in body
    assert server.hangups == []


@pytest.mark.parametrize("turn", [[Say("a"), Hang()], [Hang()], [Pause(30), Say("a")]])
def test_a_hang_up_is_noticed_while_the_server_is_silent(turn: Any) -> None:
    with ScriptedModel([turn]) as server:
        assert not server.wait_hangup(0.01)
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{server.base_url}/chat/completions", json={}, timeout=0.1)
        left = time.monotonic()
        assert server.wait_hangup(2)
        assert server.hangups[0].number == 0
        assert server.hangups[0].at - left < 1


def test_a_hang_up_is_noticed_while_the_server_writes() -> None:
    with ScriptedModel([[Say(["word "] * 100_000)]]) as server:
        with httpx.stream("POST", f"{server.base_url}/chat/completions", json={}) as reply:
            next(reply.iter_raw())
        assert server.wait_hangup(5)


def test_requests_are_kept_and_can_be_waited_for() -> None:
    with ScriptedModel([[Say("a")]]) as server:
        asking = threading.Timer(0.05, chat, [server])
        asking.start()
        assert server.wait_requests(1, 5)
        asking.join()
        assert not server.wait_requests(2, 0.01)
        httpx.get(f"{server.base_url}/models")
    [received] = server.requests
    assert received.messages == [{"role": "user", "content": "hi"}]
    assert received.headers["content-type"] == "application/json"
    assert received.path == "/v1/chat/completions"
    assert server.visits == [("POST", "/v1/chat/completions"), ("GET", "/v1/models")]


def test_keys_models_and_fields_can_be_refused() -> None:
    with ScriptedModel([[Say("a")]], key="k", models=["m"], rejects=["tools"]) as server:
        assert chat(server).status_code == 401
        with httpx.Client(headers={"Authorization": "Bearer k"}) as client:
            url = f"{server.base_url}/chat/completions"
            assert client.post(url, json={"model": "x"}).status_code == 404
            assert client.post(url, json={"model": "m", "tools": []}).status_code == 400
            assert client.post(url, json={"model": "m"}).status_code == 200
            assert client.get(f"{server.base_url}/models").json()["data"][0]["id"] == "m"
            assert client.post(url, content=b"nope").status_code == 400
            assert client.get(f"{server.origin}/nowhere").status_code == 404
    assert len(server.requests) == 1


def test_ollama_s_listing_has_the_newest_first_and_tells_embedders_apart() -> None:
    with ScriptedModel([], models=["new", "old", "nomic-embed-text"]) as server:
        tags = httpx.get(f"{server.origin}/api/tags").json()["models"]
        shown = [
            httpx.post(f"{server.origin}/api/show", json={"model": name}).json()["capabilities"]
            for name in ("new", "nomic-embed-text")
        ]
    assert [tag["name"] for tag in tags] == ["new", "old", "nomic-embed-text"]
    assert tags[0]["modified_at"] > tags[1]["modified_at"]
    assert shown == [["completion", "tools"], ["embedding"]]


def test_a_connection_is_used_again() -> None:
    with ScriptedModel([[Say("a")], [Say("b")]]) as server, httpx.Client() as client:
        for _ in range(2):
            client.post(f"{server.base_url}/chat/completions", json={})
    assert server.connections == 1


def test_many_clients_at_once() -> None:
    with ScriptedModel([[Pause(0.1), Say("a")]], repeat=True) as server:
        threads = [threading.Thread(target=chat, args=(server,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(server.requests) == 8


def test_closing_cuts_what_is_open() -> None:
    server = ScriptedModel([[Say("a"), Hang()]]).start()
    with httpx.stream("POST", f"{server.base_url}/chat/completions", json={}) as reply:
        body = reply.iter_raw()
        next(body)
        server.close()
        with pytest.raises(httpx.RemoteProtocolError):
            list(body)
    with pytest.raises(httpx.ConnectError):
        chat(server)
