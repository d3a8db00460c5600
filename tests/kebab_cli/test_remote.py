"""`kebab ask --remote`: as if the documents were here."""

from __future__ import annotations

import json
import signal
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import pytest

from kebab_core.testing.model import Call, Cut, Hang, Received, Say, ScriptedModel, Step
from tests.support.program import Kebab
from tests.support.schemas import valid
from tests.support.service import LOCAL, QUESTION, UNKNOWN, Served, until

SLOW = "How long does the parental leave hang?"
DIES = "Which parental leave dies?"
LOOKS = "What more is there on parental leave?"
PROSE = "Parental leave lasts 26 weeks [1]."


def script(request: Received) -> list[Step]:
    asked = str(request.messages[-1]["content"])
    if SLOW in asked:
        return [Say("It "), Hang()]
    if DIES in asked:
        return [Say("It "), Cut()]
    if UNKNOWN in asked:
        return [Say("NOTFOUND")]
    if LOOKS in asked and not request.tools:
        return [Say("NOTFOUND")]
    if LOOKS in request.text and not any(m["role"] == "tool" for m in request.messages):
        return [Call("search_corpus", {"query": "leave notice"})]
    return [Say.words(PROSE)]


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel(script) as running:
        yield running


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, model: ScriptedModel) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("remote"), model, keep_alive_s=0.5) as running:
        yield running


@pytest.fixture
def remote(kebab: Kebab) -> Kebab:
    """No corpus here, only a token."""
    kebab.variables["KEBAB_TOKEN"] = LOCAL
    kebab.variables["KEBAB_DATA_DIR"] = str(kebab.folder / "none")
    return kebab


def test_the_same_events_and_the_same_last_line(served: Served, remote: Kebab) -> None:
    done = remote("ask", QUESTION, "--remote", served.base, "--stream")
    assert done.returncode == 0, done.stderr
    events = [valid("answer_event", line) for line in done.stderr.splitlines()]
    assert events[0]["kind"] == "retrieval_done"
    assert events[-1]["kind"] == "final"
    [answer] = [valid("answer", line) for line in done.stdout.splitlines()]
    assert answer["answer"] == PROSE == "".join(one.get("delta", "") for one in events)
    assert events[-1]["answer"] == answer
    # Line for line what the service keeps for a replay.
    [ticket] = [one for one in served.service.desk._tickets.values() if one.terminal and
                one.terminal.get("text") == PROSE][-1:]  # fmt: skip
    kept = [frame.data.decode() for frame in ticket.stream.after(0) if frame.event != "done"]
    assert [json.loads(line) for line in kept] == events
    # Nothing is kept here, and nothing was looked for.
    assert not (remote.folder / "none").exists()


def test_tool_activity_comes_when_it_is_wanted(served: Served, remote: Kebab) -> None:
    given = ("ask", LOOKS, "--remote", served.base, "--stream")
    few = remote(*given)
    all_events = remote(*given, "--events", "all")
    kinds = [json.loads(line)["kind"] for line in all_events.stderr.splitlines()]
    assert "started" in kinds
    assert "finished" in kinds
    assert "started" not in few.stderr


def test_text_has_its_sources(served: Served, remote: Kebab) -> None:
    done = remote("ask", QUESTION, "--remote", served.base)
    assert done.returncode == 0
    assert PROSE in done.stdout
    assert "leave.md#L" in done.stdout
    context = remote("ask", QUESTION, "--remote", served.base, "--show-context")
    assert "Parental leave is 26 weeks at full pay" in context.stdout


def test_an_abstention_exits_1(served: Served, remote: Kebab) -> None:
    done = remote("ask", UNKNOWN, "--remote", served.base, "--json")
    assert done.returncode == 1
    assert valid("answer", done.stdout)["not_found"] is True


def test_a_failure_there_is_a_failure_here(served: Served, remote: Kebab) -> None:
    done = remote("ask", DIES, "--remote", served.base, "--stream")
    assert done.returncode == 2
    assert done.stdout == ""
    *events, last = done.stderr.splitlines()
    assert valid("error", last)["code"] == "model_interrupted"
    assert valid("answer_event", events[0])["kind"] == "retrieval_done"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_here_cancels_there(
    served: Served, remote: Kebab, model: ScriptedModel, number: int, code: int
) -> None:
    before = len(model.hangups)
    process = remote.start("ask", SLOW, "--remote", served.base, "--stream")
    assert process.stderr is not None
    seen = ""
    while '"delta"' not in seen:
        seen += process.stderr.readline()
    process.send_signal(number)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == code
    partial = valid("answer", out)
    assert partial["refusal_reason"] == "llm_stream_aborted"
    assert partial["answer"] == "It"
    assert model.wait_hangup(30, count=before + 1)


def test_a_closed_pipe_here_cancels_there(served: Served, remote: Kebab) -> None:
    line = f"kebab ask '{SLOW}' --remote {served.base} --stream 2>&1 >/dev/null | head -n 1; "
    done = remote.shell(line + 'echo "${PIPESTATUS[0]}"')
    assert done.stdout.splitlines()[-1] == "1"
    # Silent for ever, it would run on.
    assert until(lambda: served.service.desk.running == 0)


def test_a_time_limit_of_ones_own(served: Served, remote: Kebab) -> None:
    done = remote("ask", SLOW, "--remote", served.base, "--json", "--timeout", "1.5")
    assert done.returncode == 2
    assert valid("error", done.stderr)["code"] == "timeout"
    assert valid("answer", done.stdout)["answer"] in ("", "It")
    assert until(lambda: served.service.desk.running == 0)


class Flaky:
    """A line to `base` that breaks: after each `pieces` of bytes of an event stream."""

    def __init__(self, base: str, after: int) -> None:
        where = urlsplit(base)
        self.cuts = 0
        flaky = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                client = self.request
                with socket.create_connection((where.hostname, where.port)) as server:
                    there = threading.Thread(target=_copy, args=(client, server), daemon=True)
                    there.start()
                    passed = 0
                    is_stream = False
                    while data := server.recv(512):
                        is_stream = is_stream or b"text/event-stream" in data
                        if is_stream and passed + len(data) > after:
                            client.sendall(data[: max(0, after - passed)])
                            flaky.cuts += 1
                            client.shutdown(socket.SHUT_RDWR)
                            return
                        passed += len(data) if is_stream else 0
                        client.sendall(data)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            allow_reuse_address = True

            def handle_error(self, request: object, client_address: object) -> None:
                return

        self._server = Server(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _copy(source: socket.socket, sink: socket.socket) -> None:
    try:
        while data := source.recv(4096):
            sink.sendall(data)
    except OSError:
        return


def test_a_line_that_drops_is_taken_up_where_it_was(served: Served, remote: Kebab) -> None:
    whole = remote("ask", QUESTION, "--remote", served.base, "--stream")
    longest = max(len(line) for line in whole.stderr.splitlines())
    # No event is longer than a line lasts, but all together are.
    with Flaky(served.base, longest + 1_200) as line:
        done = remote("ask", QUESTION, "--remote", line.base, "--stream")
        assert line.cuts >= 1
    assert done.returncode == 0, done.stderr

    def told(text: str) -> list[object]:
        events = [json.loads(line) for line in text.splitlines()]
        return [(one["kind"], one.get("delta"), len(one.get("hits", ()))) for one in events]

    assert told(done.stderr) == told(whole.stderr)


@contextmanager
def closed_port() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    yield f"http://127.0.0.1:{port}"


def test_nobody_there(remote: Kebab) -> None:
    with closed_port() as base:
        done = remote("ask", QUESTION, "--remote", base)
    assert done.returncode == 2
    assert "can't be reached" in done.stderr


def test_a_service_that_is_stopped_says_so(
    tmp_path: Path, model: ScriptedModel, remote: Kebab
) -> None:
    with Served(tmp_path / "a", model) as first:
        process = remote.start("ask", SLOW, "--remote", first.base, "--stream")
        # Until it hears from there.
        assert process.stderr is not None
        assert "retrieval_done" in process.stderr.readline()
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "cancelled the ask" in errors


@pytest.mark.parametrize(
    ("variables", "url", "words"),
    [
        ({"KEBAB_TOKEN": ""}, "http://127.0.0.1:9", "KEBAB_TOKEN"),
        ({"KEBAB_TOKEN": "wrong-token-for-tests-0123456789abcdef"}, None, "KEBAB_TOKEN"),
        ({}, "http://kebab.example", "plain http"),
        ({}, "ftp://kebab.example", "no http(s) address"),
        ({}, "http://127.0.0.1:9/#token", "no token"),
        ({}, "http://me@127.0.0.1:9", "no user"),
    ],
)
def test_what_cannot_be_asked(
    served: Served, remote: Kebab, variables: dict[str, str], url: str | None, words: str
) -> None:
    done = remote("ask", QUESTION, "--remote", url or served.base, env=variables)
    assert done.returncode == 2
    assert words in done.stderr
    assert LOCAL not in done.stderr


@pytest.mark.parametrize(
    "flags", [["--continue"], ["--session", "new"], ["-k", "3"], ["--source", "notes"]]
)
def test_what_only_the_kebab_with_the_documents_can_be_told(
    served: Served, remote: Kebab, flags: list[str]
) -> None:
    done = remote("ask", QUESTION, "--remote", served.base, *flags)
    assert done.returncode == 2
    assert "--remote" in done.stderr
