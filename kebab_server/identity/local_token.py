"""One person on one machine: a random token in a file that only its owner can read."""

from __future__ import annotations

import hmac
import os
import secrets
import stat
from pathlib import Path

from kebab_core import api
from kebab_server.identity.bearer import invalid
from kebab_server.identity.principal import Principal

FILE = "serve.token"
OWNER = Principal(key="local", name="local")
_SHORTEST = 32


class LocalToken:
    """The bearer of the token is the owner."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    async def principal(self, bearer: str) -> Principal:
        if not hmac.compare_digest(bearer.encode(), self._token):
            raise invalid("This bearer isn't the token of this machine.")
        return OWNER

    async def close(self) -> None:
        return


def read_or_make(file: Path) -> str:
    """The token in `file`, made at first. Raises a KebabError."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            return _made(file)
        except FileExistsError:
            return _read(file)
    except OSError as failure:
        raise api.IOFailed(
            f"The token file {file} can't be used: {failure.strerror or failure}.",
            "Check who owns it, or keep the workspace elsewhere with `--data-dir DIR`.",
        ) from failure


def _made(file: Path) -> str:
    """Written whole under another name first: who starts at the same time never reads a half."""
    token = secrets.token_urlsafe(32)
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as out:
            out.write(f"{token}\n")
        os.link(draft, file)
    finally:
        draft.unlink()
    return token


def _read(file: Path) -> str:
    found = file.stat()
    if os.name == "posix" and (
        stat.S_IMODE(found.st_mode) & 0o077 or found.st_uid not in (os.getuid(), 0)
    ):
        raise api.PermissionDenied(
            f"Others can read the token in {file}.",
            f"Delete it and start again (a new token is made), or run `chmod 600 {file}`.",
        )
    token = file.read_text(encoding="utf-8").strip()
    if len(token) < _SHORTEST or not token.isascii() or not token.isprintable():
        raise api.ConfigInvalid(
            f"{file} holds no token.", "Delete it and start again: a new one is made."
        )
    return token
