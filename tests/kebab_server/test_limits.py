"""Too much, too often, too slowly, from the wrong place: refused, and others served on."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from kebab_core.testing.model import Hang, Say, ScriptedModel
from kebab_server.http.guard import host_of
from tests.support.clock import MovedClock
from tests.support.service import LOCAL, QUESTION, Issuer, Served, ask, open_conversation, until


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("limits")
    overrides = {"serve.max_body_bytes": 50_000}
    with Served(
        folder, overrides=overrides, headers_timeout_s=2.0, allowed_hosts=["kebab.example"]
    ) as running:
        yield running


@pytest.fixture
def client(served: Served) -> Iterator[httpx.Client]:
    with served.client() as found:
        yield found


def connect(served: Served) -> socket.socket:
    where = urlsplit(served.base)
    made = socket.create_connection((where.hostname or "", where.port or 0), timeout=20)
    made.settimeout(20)
    return made


def answered(connection: socket.socket) -> bytes:
    """All that comes until the service closes the connection."""
    found = b""
    try:
        while piece := connection.recv(65_536):
            found += piece
    except ConnectionResetError:
        return found
    return found


def test_requests_a_minute(tmp_path: Path) -> None:
    clock = MovedClock()
    overrides = {"serve.requests_per_minute": 5}
    with (
        Served(tmp_path, issuer=Issuer(), overrides=overrides, clock=clock) as served,
        served.client("alice") as alice,
        served.client("bob") as bob,
    ):
        codes = [alice.post("/v1/conversations").status_code for _ in range(8)]
        assert codes.count(201) == 5
        refused = alice.post("/v1/conversations")
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
        assert refused.json()["code"] == "rate_limited"
        assert bob.post("/v1/conversations").status_code == 201
        assert alice.get("/health").status_code == 200
        clock.ahead = 61
        assert alice.post("/v1/conversations").status_code == 201


def test_running_asks(tmp_path: Path) -> None:
    overrides = {"serve.running_asks": 2}
    with (
        ScriptedModel([[Say("It "), Hang()]], repeat=True) as model,
        Served(tmp_path, model, issuer=Issuer(), overrides=overrides) as served,
        served.client("alice") as alice,
        served.client("bob") as bob,
    ):
        tickets = [ask(alice), ask(alice)]
        conversation = open_conversation(alice)
        path = f"/v1/conversations/{conversation}/asks"
        refused = alice.post(path, json={"question": QUESTION})
        assert refused.status_code == 429
        assert refused.headers["retry-after"]
        others = ask(bob)
        assert model.wait_requests(3, 30)
        alice.post(f"/v1/asks/{tickets[0]}/cancel")
        # Its slot is free once its model has been let go.
        assert until(lambda: served.service.slots.taken == 2)
        assert alice.post(path, json={"question": QUESTION}).status_code == 202
        bob.post(f"/v1/asks/{others}/cancel")


def test_bodies_that_are_too_long(served: Served, client: httpx.Client) -> None:
    conversation = open_conversation(client)
    path = f"/v1/conversations/{conversation}/asks"
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {LOCAL}\r\n"
    with closing(connect(served)) as told:
        # A hundred megabytes are announced, none need be sent.
        told.sendall(f"{head}Content-Length: 100000000\r\n\r\n".encode())
        assert b" 413 " in answered(told).split(b"\r\n")[0]
    with closing(connect(served)) as chunked:
        chunked.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        # A little past the cap: the service stops reading there.
        chunked.sendall((b"1000\r\n" + b"x" * 0x1000 + b"\r\n") * 13)
        assert b" 413 " in answered(chunked).split(b"\r\n")[0]
    assert client.post(path, json={"question": "x" * 49_000}).status_code == 422
    assert client.post(path, json={"question": QUESTION}).status_code == 202


def test_headers_that_are_too_long(served: Served, client: httpx.Client) -> None:
    with closing(connect(served)) as connection:
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 1_000_000)
        assert b" 200 " not in answered(connection)[:20]
    assert client.get("/health").status_code == 200


def test_headers_that_never_end(served: Served, client: httpx.Client) -> None:
    slow = [connect(served) for _ in range(20)]
    for connection in slow:
        connection.sendall(b"GET /health HTTP/1.1\r\nHo")
    assert client.get("/health").status_code == 200
    for connection in slow:
        with closing(connection):
            assert answered(connection) == b""


def test_a_connection_is_used_again_and_again(client: httpx.Client) -> None:
    for _ in range(3):
        assert client.get("/health").status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("127.0.0.1:9999", 200),
        ("localhost:1", 200),
        ("LOCALHOST", 200),
        ("[::1]:80", 200),
        ("kebab.example", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("kebab.example.evil", 421),
        ("", 421),
        ("[", 421),
    ],
)
def test_other_names_are_not_answered(client: httpx.Client, host: str, status: int) -> None:
    assert client.get("/health", headers={"Host": host}).status_code == status


def test_pages_of_another_origin_may_not_ask(client: httpx.Client) -> None:
    for origin in ("https://evil.example", "null", "http://127.0.0.1.evil.example"):
        reply = client.post("/v1/conversations", headers={"Origin": origin})
        assert reply.status_code == 403, origin
        assert "access-control-allow-origin" not in reply.headers
    asked = client.options(
        "/v1/conversations",
        headers={"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"},
    )
    assert "access-control-allow-origin" not in asked.headers
    own = client.post("/v1/conversations", headers={"Origin": "http://127.0.0.1:1234"})
    assert own.status_code == 201


def test_every_reply_is_kept_by_nobody_and_guessed_at_by_nobody(client: httpx.Client) -> None:
    for path in ("/health", "/nothing"):
        headers = client.get(path).headers
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"


def test_paths_and_methods_that_are_none(client: httpx.Client) -> None:
    assert client.get("/nothing").status_code == 404
    assert client.get("/v1/conversations").status_code == 405
    assert client.get("/nothing").json()["schema_version"] == "error.v1"


def test_host_of() -> None:
    assert host_of("[::1]:80") == "::1"
    assert host_of("a:1") == "a"
    assert host_of("user@a:1") == "a"
    assert host_of("]") == ""
