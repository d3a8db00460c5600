"""Who is let in."""

from __future__ import annotations

import base64
import json
import time
from typing import Any

from conformance.report import Report
from conformance.world import World

TITLE = "Who may ask"


def run(world: World, report: Report) -> None:
    with world.with_bearer(None) as nobody:
        reply = nobody.post("/v1/conversations", json={})
        report.check("no bearer: 401", reply.status_code == 401, reply.status_code)
        challenge = reply.headers.get("www-authenticate", "")
        report.check("401 names the scheme", challenge.startswith("Bearer"), challenge)
        health = nobody.get("/health")
        report.check("health needs no bearer", health.status_code == 200, health.status_code)
    _refused(world, report, "a bearer that is none", "x")
    good = world.tokens["alice"]
    if good.count(".") != 2:
        report.skip("forged tokens are refused", "the bearers aren't signed tokens")
        return
    head, payload, signature = good.split(".")
    header = _decoded(head)
    none = _encoded({**header, "alg": "none"})
    _refused(world, report, "alg none, without a signature", f"{none}.{payload}.")
    _refused(world, report, "alg none, with the old signature", f"{none}.{payload}.{signature}")
    claims = _decoded(payload)
    changed = _encoded({**claims, "sub": "somebody-else"})
    _refused(world, report, "claims changed under the signature", f"{head}.{changed}.{signature}")
    _signed(world, report, header, claims)


def _signed(world: World, report: Report, header: dict[str, Any], claims: dict[str, Any]) -> None:
    import jwt
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    algorithm, key_id = str(header["alg"]), {"kid": header.get("kid")}
    stranger: Any = ec.generate_private_key(ec.SECP256R1())
    if not algorithm.startswith("ES"):
        stranger = rsa.generate_private_key(65537, 2048)
    forged = jwt.encode(claims, stranger, algorithm=algorithm, headers=key_id)
    _refused(world, report, "signed by another key", forged)
    now = time.time()
    wrong: dict[str, dict[str, Any]] = {
        "for another audience": {"aud": "another-service"},
        "from another issuer": {"iss": "https://another.example"},
        "expired": {"exp": int(now) - 3600},
        "not yet valid": {"nbf": int(now) + 3600},
    }
    if world.signing_key is None:
        for name in wrong:
            report.skip(f"{name}: 401", "needs --signing-key")
        return
    key = serialization.load_pem_private_key(world.signing_key.encode(), None)
    for name, change in wrong.items():
        token = jwt.encode({**claims, **change}, key, algorithm=algorithm, headers=key_id)  # type: ignore[arg-type]
        _refused(world, report, name, token)


def _refused(world: World, report: Report, name: str, token: str) -> None:
    with world.with_bearer(token) as client:
        status = client.post("/v1/conversations", json={}).status_code
    report.check(f"{name}: 401", status == 401, status)


def _decoded(part: str) -> dict[str, Any]:
    padded = part + "=" * (-len(part) % 4)
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(padded))
    return found


def _encoded(value: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
