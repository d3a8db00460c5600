"""Who is let in."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization

from kebab_core.api import ConfigInvalid, PermissionDenied
from kebab_core.testing.model import Call, Received, Say, Script, ScriptedModel, Step
from kebab_server.clock import Clock
from kebab_server.identity.local_token import read_or_make
from kebab_server.identity.settled import is_loopback, settle
from tests.support.asking import configured
from tests.support.clock import MovedClock
from tests.support.service import AUDIENCE, ISSUER, LOCAL, Issuer, Served, ask, read_events


@pytest.fixture(scope="module")
def issuer() -> Issuer:
    return Issuer()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, issuer: Issuer) -> Iterator[Served]:
    overrides = {"serve.jwt.scope": "ask"}
    folder = tmp_path_factory.mktemp("identity")
    with Served(folder, issuer=issuer, overrides=overrides) as running:
        yield running


def status(served: Served, authorization: str | None) -> int:
    headers = {} if authorization is None else {"Authorization": authorization}
    with served.bare(headers) as client:
        reply = client.post("/v1/conversations")
        if reply.status_code == 401:
            assert reply.headers["www-authenticate"].startswith("Bearer")
        return reply.status_code


def bearer(token: str) -> str:
    return f"Bearer {token}"


def test_a_good_one(served: Served, issuer: Issuer) -> None:
    assert status(served, bearer(issuer.token("alice", scope="read ask"))) == 201
    assert status(served, f"bearer {issuer.token('alice', scp=['ask'])}") == 201
    assert status(served, bearer(issuer.token("alice", scope="ask", aud=["x", AUDIENCE]))) == 201


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "another"},
        {"aud": None},
        {"iss": "https://issuer.test.evil"},
        {"iss": None},
        {"exp": timedelta(hours=-1)},
        {"exp": None},
        {"exp": "tomorrow"},
        {"nbf": timedelta(hours=1)},
        {"iat": timedelta(hours=1)},
        {"sub": None},
        {"sub": ""},
    ],
    ids=lambda claims: "-".join(claims),
)
def test_claims_that_are_not_right(served: Served, issuer: Issuer, claims: dict[str, Any]) -> None:
    now = datetime.now(UTC)
    made = {
        name: (now + value).timestamp() if isinstance(value, timedelta) else value
        for name, value in claims.items()
    }
    assert status(served, bearer(issuer.token("alice", scope="ask", **made))) == 401


def test_without_the_scope(served: Served, issuer: Issuer) -> None:
    assert status(served, bearer(issuer.token("alice"))) == 403
    assert status(served, bearer(issuer.token("alice", scope="asking"))) == 403


def test_no_bearer_and_what_is_none(served: Served) -> None:
    for header in (None, "", "Bearer", "Basic YTpi", "Bearer a b", bearer(LOCAL)):
        assert status(served, header) == 401, header


def test_forged_ones(served: Served, issuer: Issuer) -> None:
    good = issuer.token("alice", scope="ask")
    head, payload, signature = good.split(".")
    none = base64.urlsafe_b64encode(json.dumps({"alg": "none", "kid": "test-key"}).encode())
    unsigned = none.decode().rstrip("=")
    public = issuer.key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    claims = jwt.decode(good, options={"verify_signature": False})
    # PyJWT won't sign with a public key: do by hand what an attacker does.
    import hashlib
    import hmac

    hs = base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "kid": "test-key"}).encode())
    signed = f"{hs.decode().rstrip('=')}.{payload}"
    mac = hmac.new(public, signed.encode(), hashlib.sha256).digest()
    confused = f"{signed}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"
    stranger = Issuer(key_id="test-key")
    unknown = Issuer(key=stranger.key, key_id="unknown")
    changed = base64.urlsafe_b64encode(json.dumps({**claims, "sub": "root"}).encode())
    forged = [
        f"{unsigned}.{payload}.",
        f"{unsigned}.{payload}.{signature}",
        confused,
        f"{head}.{changed.decode().rstrip('=')}.{signature}",
        f"{head}.{payload}.",
        f"{head}.{payload}",
        stranger.token("alice", scope="ask"),
        unknown.token("alice", scope="ask"),
    ]
    for token in forged:
        assert status(served, bearer(token)) == 401, token


def test_oid_comes_before_sub(served: Served, issuer: Issuer) -> None:
    one = {"Authorization": bearer(issuer.token("x", oid="o1", scope="ask"))}
    same = {"Authorization": bearer(issuer.token("y", oid="o1", scope="ask"))}
    with served.bare(one) as first, served.bare(same) as second:
        assert read_events(second, ask(first))[-1].event == "done"


def test_the_provider_is_away(tmp_path: Path, issuer: Issuer) -> None:
    clock = MovedClock()
    with Served(tmp_path, issuer=issuer, clock=clock) as served:
        # Keys were never fetched: nobody can be told apart.
        site = served._site
        assert site is not None
        site.__exit__(None, None, None)
        served._site = None
        assert status(served, bearer(issuer.token("alice"))) == 503


def test_a_bearer_that_expires_in_the_middle_of_a_run(tmp_path: Path, issuer: Issuer) -> None:
    clock = MovedClock()

    def expire_then_search(request: Received) -> list[Step]:
        clock.told_ahead = 7200
        return [Call("search_corpus", {"query": "notice weeks"})]

    turns: Script = [expire_then_search, [Say("Never said [1].")]]
    with (
        ScriptedModel(turns) as model,
        Served(
            tmp_path, model, issuer=issuer, clock=clock, overrides={"ask.mode": "agentic"}
        ) as served,
        served.client("alice", lasts_s=3600) as client,
        served.client("alice", lasts_s=9000) as later,
    ):
        events = read_events(later, ask(client))
        assert len(model.requests) == 1
    assert events[-2].data["type"] == "error"
    assert events[-2].data["kind"] == "transport"
    # The call that was refused never ran.
    assert events[-1].data["steps"] == 1


# --- the local token -----------------------------------------------------------------------


def test_the_local_token_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "new" / "serve.token"
    token = read_or_make(file)
    assert len(token) >= 40
    assert file.stat().st_mode & 0o777 == 0o600
    assert read_or_make(file) == token
    assert [one.name for one in file.parent.iterdir()] == ["serve.token"]


def test_a_token_that_others_can_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "serve.token"
    read_or_make(file)
    file.chmod(0o644)
    with pytest.raises(PermissionDenied, match="Others can read"):
        read_or_make(file)


def test_a_token_file_that_holds_none(tmp_path: Path) -> None:
    file = tmp_path / "serve.token"
    file.write_text("short\n")
    file.chmod(0o600)
    with pytest.raises(ConfigInvalid, match="holds no token"):
        read_or_make(file)


def test_only_the_whole_token_opens(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        assert status(served, bearer(LOCAL)) == 201
        assert status(served, bearer(LOCAL[:-1])) == 401
        assert status(served, bearer(LOCAL + "x")) == 401


# --- where it may listen -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "is_it"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.5", False),
        ("kebab.example", False),
        ("127.0.0.1.evil.example", False),
    ],
)
def test_loopback(host: str, is_it: bool) -> None:
    assert is_loopback(host) is is_it


def settled(directory: Path, **serve: Any) -> str | None:
    overrides = {f"serve.{name.replace('__', '.')}": value for name, value in serve.items()}
    return settle(configured(directory, None, overrides), Clock())[1]


def test_beyond_this_machine_needs_a_provider_or_a_word(tmp_path: Path) -> None:
    with pytest.raises(ConfigInvalid, match="lets other machines in"):
        settled(tmp_path, host="0.0.0.0")
    assert settled(tmp_path, host="0.0.0.0", allow_remote_without_jwks=True)
    provider = {"jwt__jwks_url": "https://issuer.test/keys", "jwt__issuer": ISSUER}
    assert settled(tmp_path, host="0.0.0.0", jwt__audience=AUDIENCE, **provider) is None


@pytest.mark.parametrize(
    "changed",
    [
        {"jwt__audience": ""},
        {"jwt__issuer": ""},
        {"jwt__algorithms": ["none"]},
        {"jwt__algorithms": ["HS256"]},
        {"jwt__algorithms": []},
        {"jwt__jwks_url": "http://issuer.test/keys"},
    ],
    ids=str,
)
def test_a_provider_that_would_let_anyone_in(tmp_path: Path, changed: dict[str, Any]) -> None:
    good = {
        "jwt__jwks_url": "https://issuer.test/keys",
        "jwt__issuer": ISSUER,
        "jwt__audience": AUDIENCE,
    }
    assert settled(tmp_path, **good) is None
    with pytest.raises(ConfigInvalid):
        settled(tmp_path, **(good | changed))
