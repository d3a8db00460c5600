"""The first look at a request: whom it is addressed to, where it comes from."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kebab_server.http.replies import of_refused
from kebab_server.identity.settled import is_loopback
from kebab_server.refused import Refused

ANY = "*"
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def host_of(header: str) -> str:
    """The name in a `Host` header, without its port; empty if it is none."""
    try:
        return (urlsplit(f"//{header}").hostname or "").casefold()
    except ValueError:
        return ""


class Guard:
    """Refuses other names than the service's own, on loopback too: a page elsewhere could point
    its own name at this machine. Refuses pages of another origin."""

    def __init__(self, app: ASGIApp, allowed: Iterable[str]) -> None:
        self._app = app
        self._allowed = {name.casefold().strip("[]") for name in allowed}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = self._refusal(Headers(scope=scope))
        app: ASGIApp | Response = self._app if refused is None else of_refused(refused)
        await app(scope, receive, with_headers)

    def _refusal(self, headers: Headers) -> Refused | None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(host_of(hosts[0])):
            return Refused(
                421,
                "permission_denied",
                "This service doesn't answer to that name.",
                "Add the name to [serve] allowed_hosts.",
            )
        origin = headers.get("origin")
        if origin is not None and not self._is_own_origin(origin, hosts[0]):
            return Refused(403, "permission_denied", "Pages of another origin may not ask here.")
        return None

    def _is_ours(self, name: str) -> bool:
        return bool(name) and (ANY in self._allowed or name in self._allowed or is_loopback(name))

    def _is_own_origin(self, origin: str, host: str) -> bool:
        """Behind a gateway the port in `Host` may be missing, so names are compared."""
        return host_of(origin.partition("://")[2]) == host_of(host)
