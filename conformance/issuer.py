"""An identity provider on loopback: signs tokens, publishes its key."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

ISSUER, AUDIENCE = "https://issuer.test", "kebab"


@dataclass
class Issuer:
    """Signs with a key of its own."""

    key: Any = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    key_id: str = "test-key"

    def jwks(self) -> bytes:
        public = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(self.key.public_key()))
        published = {**public, "kid": self.key_id, "use": "sig", "alg": "ES256"}
        return json.dumps({"keys": [published]}).encode()

    def pem(self) -> str:
        """The private key, for who has to forge tokens."""
        text: bytes = self.key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        return text.decode()

    def token(self, subject: str, *, lasts_s: float = 3600, **claims: Any) -> str:
        """A claim of None is left out."""
        now = time.time()
        usual = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": subject,
            "iat": int(now),
            "exp": now + lasts_s,
        }
        given = {name: value for name, value in (usual | claims).items() if value is not None}
        return jwt.encode(given, self.key, algorithm="ES256", headers={"kid": self.key_id})


class Published:
    """The issuer's key set, served at `url` from `with` on."""

    def __init__(self, issuer: Issuer) -> None:
        body = issuer.jwks()

        class Reply(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Reply)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/jwks"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
