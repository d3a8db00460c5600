"""The chat in a browser, over real HTTP and a real websocket: who is let in, and that it works."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
import yarl

from kebab_cli.commands.tui import _command
from kebab_tui.browser import GuardedServer
from tests.kebab_tui.conftest import REPO
from tests.kebab_tui.stage import HANDBOOK, WORDS, store_documents

ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\a\x1b]*(?:\a|\x1b\\)|[PX^_].*?\x1b\\|.)")
LASTS = "exec sleep 60"


@asynccontextmanager
async def served() -> AsyncIterator[tuple[GuardedServer, aiohttp.ClientSession]]:
    server = GuardedServer(LASTS)
    await server.start()
    async with aiohttp.ClientSession() as client:
        yield server, client
    await server.stop()


async def test_with_its_token_the_page_and_its_files_are_there() -> None:
    async with served() as (server, client):
        async with client.get(server.address) as page:
            text = await page.text()
        assert page.status == 200
        assert f'data-session-websocket-url="ws://127.0.0.1:{server.port}/' in text
        for path in re.findall(r'(?:src|href)="([^"]+)"|url\("([^"]+)"\)', text):
            async with client.get(f"{server.public_url}{''.join(path)}") as found:
                assert (found.status, path) == (200, path)
                await found.read()
        # Nothing is fetched from elsewhere, and no other page may frame it.
        assert not re.search(r"https?://", text)
        assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
        assert page.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path", ["/", "/ws", "/static/js/textual.js", "/x/", "/x/ws", "/x/static/js/textual.js"]
)
async def test_without_the_token_there_is_nothing(path: str) -> None:
    async with served() as (server, client), client.get(f"{server.public_url}{path}") as reply:
        assert (reply.status, "kebab" in await reply.text()) == (404, False)


@pytest.mark.parametrize(
    "name", ["static/js/../server.py", "static/js/%2e%2e", "static/../server.py", "static/js/x.js"]
)
async def test_no_other_file_can_be_asked_for(name: str) -> None:
    async with served() as (server, client):
        address = yarl.URL(f"{server.address}{name}", encoded=True)
        async with client.get(address) as reply:
            assert reply.status == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://localhost:1"},
        {"Origin": "null"},
        {},
        {"Origin": "same", "Host": "evil.example"},
        {"Origin": "same", "Host": "localhost:1"},
    ],
)
async def test_a_page_of_another_origin_gets_no_socket(headers: dict[str, str]) -> None:
    async with served() as (server, client):
        given = {k: server.public_url if v == "same" else v for k, v in headers.items()}
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await client.ws_connect(f"{server.address}ws", headers=given)
        assert refused.value.status == 404


async def test_a_foreign_page_gets_no_page_either() -> None:
    async with served() as (server, client):
        headers = {"Origin": "https://evil.example"}
        async with client.get(server.address, headers=headers) as reply:
            assert reply.status == 404


def test_each_start_has_an_address_of_its_own() -> None:
    assert len({GuardedServer(LASTS)._token for _ in range(20)}) == 20
    assert len(GuardedServer(LASTS)._token) >= 32


def test_the_chat_in_the_browser_is_opened_as_this_one() -> None:
    given = ["--workspace", "a b", "tui", "--web", "--port", "9", "--continue", "--port=8"]
    assert _command(given).endswith("-m kebab_cli --workspace 'a b' tui --continue")


@pytest.fixture
def serving(tmp_path: Path, own_home: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts `kebab tui --web` over the handbook; it is ended with the test."""
    from kebab_core.api import KnowledgeBase, load_configuration

    documents = tmp_path / "docs"
    for path, text in HANDBOOK.items():
        file = documents / path.replace(".pdf", ".md")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    data = tmp_path / "data"
    with KnowledgeBase.open(load_configuration(data_dir=data, cwd=tmp_path)) as base:
        store_documents(base, documents)
    variables = {
        "HOME": str(own_home),
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": str(REPO),
        "OLLAMA_HOST": "http://127.0.0.1:9",
        "KEBAB_MODEL_ASK": "quote",
        "KEBAB_SEARCH__MODE": "lexical",
        "KEBAB_TUI__REDUCED_MOTION": "true",
    }
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "kebab_cli", "--data-dir", str(data), "tui", "--web"]
        process = subprocess.Popen(
            [*command, *arguments], env=variables, cwd=tmp_path, stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


async def test_a_question_is_asked_and_answered_in_the_browser(
    serving: Callable[..., subprocess.Popen[str]],
) -> None:
    process = serving()
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", address)
    origin = address.rsplit("/", 2)[0]
    async with aiohttp.ClientSession() as client:
        socket = await client.ws_connect(
            f"{address}ws?width=120&height=36", headers={"Origin": origin}
        )
        await drawn_until(socket, "4 docs|5 docs")
        await socket.send_json(["stdin", WORDS])
        await socket.send_json(["stdin", "\r"])
        await drawn_until(socket, "twenty-six weeks")
        await drawn_until(socket, "Answered")
        await socket.send_json(["resize", {"width": 80, "height": 24}])
        await drawn_until(socket, "Answered")
        await socket.send_json(["stdin", "\x11"])
        while not socket.closed:
            await socket.receive(timeout=30)
    process.terminate()
    assert process.wait(30) == 0


async def drawn_until(socket: aiohttp.ClientWebSocketResponse, wanted: str) -> None:
    """Read what is drawn until `wanted`, a pattern, is."""
    seen, deadline = "", time.monotonic() + 60
    while not re.search(wanted, seen):
        message = await socket.receive(timeout=max(0.1, deadline - time.monotonic()))
        if message.type is aiohttp.WSMsgType.BINARY:
            seen += ESCAPES.sub("", message.data.decode("utf-8", "replace"))
        elif message.type is not aiohttp.WSMsgType.TEXT:
            raise AssertionError(f"{message.type} before {wanted!r}: {seen[-2000:]}")


async def test_a_port_that_is_taken_is_told(
    serving: Callable[..., subprocess.Popen[str]],
) -> None:
    async with served() as (server, _):
        process = serving("--port", str(server.port))
        assert process.wait(60) == 2
