"""The `Authorization` header."""

from __future__ import annotations

import re

from kebab_server.refused import Refused

_BEARER = re.compile(r"\ABearer +([A-Za-z0-9._~+/=-]{1,16000})\Z", re.IGNORECASE)
REALM = 'Bearer realm="kebab"'


def bearer(header: str | None) -> str:
    """The token. Raises Refused (401)."""
    if header is None:
        raise Refused(
            401,
            "permission_denied",
            "This needs a bearer.",
            "Send `Authorization: Bearer TOKEN`.",
            headers={"WWW-Authenticate": REALM},
        )
    found = _BEARER.match(header.strip())
    if found is None:
        raise invalid("This is no bearer.")
    return found.group(1)


def invalid(why: str) -> Refused:
    return Refused(
        401,
        "permission_denied",
        why,
        "Send a valid `Authorization: Bearer TOKEN`.",
        headers={"WWW-Authenticate": f'{REALM}, error="invalid_token"'},
    )
