"""A key of the environment goes to its server, and nowhere else: not even where that fails."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kebab_core.testing import ScriptedModel
from kebab_core.testing.script import Call, Cut, Fail, Hang, Html, Raw, Say, Status, Turn
from tests.support.embedding_server import always, serving
from tests.support.program import Kebab
from tests.support.site import Site

NOTICE = "How long is the notice period?"
KEY = "sk-planted-7f3aQx91bR2d"
VARIABLES = {"ASK_API_KEY": KEY, "OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
ECHO = {"error": {"message": f"Not with the key {KEY}: no.", "type": KEY, "code": KEY}}

MODES = [["--debug"], ["--stream", "--events", "all", "--debug"]]


class Leaks:
    """All that kebab wrote anywhere, looked through for the key."""

    def __init__(self, kebab: Kebab, home: Path) -> None:
        self.kebab = kebab
        self._folders = (kebab.folder, home)

    def run(self, *arguments: str, code: int | None = None, stdin: str | None = None) -> str:
        """Both streams of a run that gave nothing away."""
        done = self.kebab(*arguments, stdin=stdin)
        shown = done.stdout + done.stderr
        if code is not None:
            assert done.returncode == code, shown
        assert KEY not in shown
        return shown

    def look(self) -> None:
        """Into every file: the sessions' database and its journal, the corpus, caches."""
        held = [
            path
            for folder in self._folders
            for where, _, names in os.walk(folder)
            for path in (Path(where) / name for name in names)
            if KEY.encode() in path.read_bytes()
        ]
        assert held == []


@pytest.fixture
def leaks(asking: Kebab, own_home: Path) -> Leaks:
    asking.variables |= VARIABLES
    return Leaks(asking, own_home)


@contextmanager
def answering(leaks: Leaks, *turns: Any, **options: Any) -> Iterator[ScriptedModel]:
    """A model that is sent the key, and says what it likes of it."""
    with ScriptedModel(turns, repeat=True, **options) as model:
        leaks.kebab.variables |= model.environment
        yield model


def sent_keys(model: ScriptedModel) -> set[str]:
    return {received.headers.get("authorization", "") for received in model.requests}


FAILURES: dict[str, list[Any]] = {
    "401": [Status(401, ECHO)],
    "403 as text": [Status(403, f"no {KEY}")],
    "404": [Status(404, ECHO)],
    "400": [Status(400, ECHO)],
    "429": [Status(429, ECHO, headers={"X-Key": KEY})],
    "500 html": [Status(500, f"<html><title>{KEY}</title><body>{KEY}</body></html>")],
    "redirect": [Status(302, "", headers={"Location": f"http://127.0.0.1:9/?key={KEY}"})],
    "200 html": [Html(f"<html><head><title>{KEY}</title></head>{KEY}</html>")],
    "garbage": [Raw(f"data: {{{KEY}\n\ndata: [{KEY}]\n\n")],
    "error in the stream": [Say("Four "), Fail(f"The key {KEY} has no more credit.")],
    "cut": [Say("Four "), Cut()],
    "nothing": [Say("")],
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_model_that_fails_and_repeats_the_key(leaks: Leaks, name: str) -> None:
    with answering(leaks, FAILURES[name]) as model:
        for mode in MODES:
            shown = leaks.run("ask", *mode, NOTICE, code=2)
            assert "model" in shown
        assert sent_keys(model) == {f"Bearer {KEY}"}
    leaks.look()


def test_a_key_that_the_server_refuses_word_for_word(leaks: Leaks) -> None:
    with answering(leaks, [Say("Never.")], key="another"):
        for mode in MODES:
            assert "Incorrect API key" in leaks.run("ask", *mode, NOTICE, code=2)
    leaks.look()


def test_other_protocols_repeat_it_no_more(leaks: Leaks) -> None:
    for provider in ("openai", "anthropic"):
        with ScriptedModel([[Status(401, ECHO)]], repeat=True) as model:
            section = f"KEBAB_PROVIDERS__{provider.upper()}"
            leaks.kebab.variables |= {
                f"{section}__BASE_URL": model.base_url if provider == "openai" else model.origin,
                f"{section}__API_KEY_ENV": f"{provider.upper()}_API_KEY",
                "KEBAB_MODEL_ASK": f"{provider}:some-model",
            }
            leaks.run("ask", "--debug", NOTICE, code=2)
            headers = model.requests[0].headers
            assert KEY in headers.get("authorization", "") + headers.get("x-api-key", "")
    leaks.look()


def test_a_server_that_nobody_runs_and_a_model_that_is_not_there(leaks: Leaks) -> None:
    with answering(leaks, [Say("Never.")], models=["another"]):
        for mode in MODES:
            leaks.run("ask", *mode, "--model", "openai-compatible:nope", NOTICE, code=2)
    for mode in MODES:
        leaks.run("ask", *mode, NOTICE, code=2)
    leaks.run("ask", "--debug", "--model", "no-such-provider:x", NOTICE, code=2)
    leaks.run("ask", "--debug", "--model", "openrouter:x", NOTICE, code=2)
    leaks.look()


def test_a_password_in_an_address(leaks: Leaks) -> None:
    """Such an address may be refused or used, but never shown."""
    with ScriptedModel([[Status(401, ECHO)]], repeat=True) as model:
        address = model.base_url.replace("http://", f"http://me:{KEY}@")
        leaks.kebab.variables |= model.environment | {"KEBAB_BASE_URL": address}
        for mode in MODES:
            leaks.run("ask", *mode, NOTICE, code=2)
    for mode in MODES:
        leaks.run("ask", *mode, NOTICE, code=2)
    for arguments in (["config", "show"], ["config", "show", "--json"], ["doctor", "--json"]):
        leaks.run(*arguments)
    leaks.look()


def test_a_search_engine_whose_address_has_a_password(leaks: Leaks) -> None:
    turns: list[Turn] = [[Call("web_search", {"query": "notice"})], [Say("Four weeks [1].")]]

    with Site({}) as site, ScriptedModel(turns * 3) as model:
        for address in (site.base, "http://127.0.0.1:9"):
            leaks.kebab.variables |= model.environment | {
                "KEBAB_WEB__BASE_URL": address.replace("http://", f"http://me:{KEY}@"),
                "KEBAB_ASK__MODE": "agentic",
            }
            shown = leaks.run(
                "ask", "--web", "--stream", "--events", "all", "--debug", NOTICE, code=0
            )
            assert "Web search failed" in shown
        assert KEY not in "".join(received.text for received in model.requests)
    leaks.look()


def test_an_embedding_server_that_repeats_the_key(leaks: Leaks) -> None:
    notes = leaks.kebab.folder / "more"
    notes.mkdir()
    (notes / "a.md").write_text("# A\n\nSomething.\n")
    with serving(always(401, f'{{"error": {{"message": "bad key {KEY}"}}}}'.encode())) as server:
        leaks.kebab.variables |= {
            "KEBAB_DATA_DIR": str(leaks.kebab.folder / "other"),
            "KEBAB_EMBEDDING__RUNTIME": "http",
            "KEBAB_EMBEDDING__MODEL": "some-embedder",
            "KEBAB_EMBEDDING__BASE_URL": f"{server.address}/v1",
            "KEBAB_BASE_URL": f"{server.address}/v1",
        }
        for arguments in (["ingest", "more"], ["ingest", "--json", "more"], ["doctor", "--json"]):
            leaks.run(*arguments, "--debug")
        assert {asked.authorization for asked in server.asked} == {f"Bearer {KEY}"}
    leaks.look()


def test_another_kebab_that_repeats_the_token(leaks: Leaks) -> None:
    leaks.kebab.variables["KEBAB_TOKEN"] = KEY
    said = f'{{"error": {{"message": "no {KEY}", "code": "{KEY}"}}, "detail": "{KEY}"}}'.encode()
    with serving(always(401, said)) as server:
        for mode in MODES:
            leaks.run("ask", *mode, "--remote", server.address, NOTICE, code=2)
        assert {asked.authorization for asked in server.asked} == {f"Bearer {KEY}"}
    for mode in MODES:
        leaks.run("ask", *mode, "--remote", "http://127.0.0.1:9", NOTICE, code=2)
    leaks.look()


def test_time_that_runs_out_and_a_cancel(leaks: Leaks) -> None:
    with answering(leaks, [Say("Four "), Hang()]) as model:
        for mode in MODES:
            leaks.run("ask", *mode, "--timeout", "2", NOTICE, code=2)
        before = len(model.requests)
        with leaks.kebab.start("ask", "--stream", "--debug", NOTICE) as process:
            assert model.wait_requests(before + 1, 30)
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=30)
        assert process.returncode == 130
        assert KEY not in stdout + stderr
    leaks.look()


def test_what_tells_about_settings_and_sessions(leaks: Leaks) -> None:
    with answering(leaks, [Say("Four weeks [1].")]):
        leaks.run("ask", "--session", "new", NOTICE, code=0)
        for arguments in (
            ["config", "show"],
            ["config", "show", "--json"],
            ["doctor", "--json"],
            ["doctor", "--debug"],
            ["models", "list"],
            ["status", "--json"],
            ["spend", "--json"],
            ["sessions", "list", "--json"],
        ):
            shown = leaks.run(*arguments)
            assert "Traceback" not in shown
    listed = leaks.run("sessions", "list").split()[0]
    for arguments in (
        ["sessions", "export", listed],
        ["sessions", "export", listed, "--format", "json"],
        ["sessions", "show", listed, "--json"],
    ):
        leaks.run(*arguments, code=0)
    leaks.look()


def test_a_key_pasted_where_the_name_of_its_variable_belongs(leaks: Leaks) -> None:
    leaks.kebab.variables["KEBAB_PROVIDERS__OPENAI__API_KEY_ENV"] = KEY
    for arguments in (["config", "show"], ["ask", "--json", NOTICE], ["doctor", "--debug"]):
        shown = leaks.run(*arguments, code=2)
        assert "variable" in shown
