"""`kebab serve` as a process: where it listens, what it logs, how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from kebab_core.testing.model import Hang, Say, ScriptedModel
from tests.support.program import Kebab
from tests.support.service import QUESTION, make_corpus, open_conversation, parse, read_events
from tests.support.service import ask as ask_for

SLOW = "How long does the parental leave take?"


@dataclass
class Process:
    process: subprocess.Popen[str]
    base: str
    token: str

    def client(self) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.Client(base_url=self.base, headers=headers, timeout=30, trust_env=False)

    def end(self, number: int) -> tuple[int, str]:
        """The exit code and all of stderr after a signal."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=30)
        return self.process.returncode, errors


@contextmanager
def serving(kebab: Kebab, *arguments: str) -> Iterator[Process]:
    process = kebab.start("serve", "--port", "0", *arguments)
    try:
        assert process.stdout is not None
        first = process.stdout.readline().strip()
        assert first.startswith("Serving "), process.stderr and process.stderr.read()
        base, token = first.rpartition(" on ")[2], ""
        if "KEBAB_SERVE__JWT__JWKS_URL" not in kebab.variables:
            page = process.stdout.readline().strip()
            there, _, token = page.removeprefix("Page: ").partition("/#")
            assert there == base
        yield Process(process, base, token)
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    def script(request: object) -> list[Say | Hang]:
        if SLOW in getattr(request, "text", ""):
            return [Say("It "), Hang()]
        return [Say("26 weeks [1].")]

    with ScriptedModel(script) as running:
        yield running


@pytest.fixture
def served(kebab: Kebab, model: ScriptedModel) -> Kebab:
    data = kebab.folder / "data"
    make_corpus(data)
    kebab.variables |= {
        "KEBAB_DATA_DIR": str(data),
        "KEBAB_ASK__SCORE_GATE": "0.0",
        **model.environment,
    }
    return kebab


def test_it_serves_logs_and_ends(served: Kebab) -> None:
    with serving(served) as process:
        token_file = served.folder / "data" / "serve.token"
        assert token_file.read_text().strip() == process.token
        assert token_file.stat().st_mode & 0o777 == 0o600
        with process.client() as client:
            assert client.get("/health").json()["status"] == "ok"
            events = read_events(client, ask_for(client))
            assert events[-1].data["outcome"] == "answer"
        code, errors = process.end(signal.SIGTERM)
    assert code == 143
    lines = [json.loads(line) for line in errors.splitlines() if line.startswith("{")]
    assert [line["event"] for line in lines if line["event"].startswith("ask_")] == ["ask_answer"]
    assert QUESTION not in errors
    assert process.token not in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_running_asks_end_properly_when_it_is_told_to_stop(
    served: Kebab, model: ScriptedModel, number: int, code: int
) -> None:
    with serving(served) as process, process.client() as client:
        tickets = [ask_for(client, SLOW) for _ in range(3)]
        assert model.wait_requests(3, 30)
        with client.stream("GET", f"/v1/asks/{tickets[0]}/events") as reply:
            seen = ""
            told = False
            for piece in reply.iter_text():
                seen += piece
                if "reconciling" in seen and not told:
                    told = True
                    process.process.send_signal(number)
        events = parse(seen)
        assert [one.event for one in events][-2:] == ["error", "done"]
        assert events[-2].data["kind"] == "cancelled"
        _, errors = process.process.communicate(timeout=30)
        assert process.process.returncode == code
        assert "Traceback" not in errors
    assert model.wait_hangup(30, count=3)


def test_killed_tickets_are_gone_and_the_chats_sessions_are_whole(served: Kebab) -> None:
    done = served("ask", QUESTION, "--session", "new", "--json")
    assert done.returncode == 0, done.stderr
    session = json.loads(done.stdout)["conversation_id"]
    with serving(served) as process, process.client() as client:
        conversation = open_conversation(client)
        ticket = ask_for(client, SLOW, conversation)
        os.kill(process.process.pid, signal.SIGKILL)
        process.process.wait(30)
    with serving(served) as process, process.client() as client:
        assert client.get(f"/v1/asks/{ticket}").status_code == 404
        path = f"/v1/conversations/{conversation}/asks"
        assert client.post(path, json={"question": QUESTION}).status_code == 404
        assert read_events(client, ask_for(client))[-1].data["outcome"] == "answer"
    shown = served("sessions", "show", session, "--json")
    assert shown.returncode == 0
    [turn] = json.loads(shown.stdout)["turns"]
    assert turn["question"] == QUESTION
    assert turn["state"] == "answered"


def test_beyond_this_machine_without_identity_is_refused(served: Kebab) -> None:
    done = served("serve", "--host", "0.0.0.0", "--port", "0")
    assert done.returncode == 2
    assert "lets other machines in" in done.stderr
    assert "--allow-remote-without-jwks" in done.stderr


def test_a_port_that_is_taken(served: Kebab) -> None:
    with serving(served) as process:
        port = process.base.rpartition(":")[2]
        done = served("serve", "--port", port)
    assert done.returncode == 2
    assert "another port" in done.stderr


def test_it_serves_before_there_is_a_corpus(kebab: Kebab) -> None:
    kebab.variables["KEBAB_DATA_DIR"] = str(kebab.folder / "data")
    with serving(kebab) as process, process.client() as client:
        events = read_events(client, ask_for(client))
        assert events[-2].data["kind"] == "internal"
        assert "kebab ingest" in events[-2].data["detail"]


def test_behind_a_prefix(served: Kebab, tmp_path: Path) -> None:
    process = served.start("serve", "--port", "0", "--root-path", "/kebab/")
    try:
        assert process.stdout is not None
        assert process.stdout.readline().strip().endswith("/kebab")
        assert "/kebab/#" in process.stdout.readline()
    finally:
        process.kill()
        process.communicate()
