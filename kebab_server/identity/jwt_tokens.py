"""Bearers of an identity provider: signed tokens, checked against its published keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kebab_server.clock import Clock
from kebab_server.identity.bearer import REALM, invalid
from kebab_server.identity.key_set import KeySet
from kebab_server.identity.principal import Principal
from kebab_server.refused import Refused

if TYPE_CHECKING:
    from kebab_core.api import Settings

LEEWAY_S = 10.0
"""Clocks of two machines differ a little."""


class JWTTokens:
    """The principal is `oid`, else `sub`; it reads what lists it or one of its `groups`."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        section = settings.serve.jwt
        self._algorithms = tuple(section.algorithms)
        self._issuer = section.issuer
        self._audience = section.audience
        self._scope = section.scope
        self._clock = clock
        self._keys = KeySet(section.jwks_url, clock)

    async def close(self) -> None:
        return

    async def principal(self, bearer: str) -> Principal:
        claims = await self._verified(bearer)
        self._check_times(claims)
        self._check_scope(claims)
        subject = claims.get("oid") or claims.get("sub")
        if not isinstance(subject, str) or not subject:
            raise invalid("The bearer names nobody.")
        names = {name for name in (claims.get("oid"), claims.get("sub")) if isinstance(name, str)}
        groups = claims.get("groups")
        if isinstance(groups, list):
            names |= {group for group in groups if isinstance(group, str)}
        return Principal(
            key=f"jwt:{subject}",
            name=subject,
            readers=frozenset(names),
            expires=float(claims["exp"]) + LEEWAY_S,
        )

    async def _verified(self, bearer: str) -> Mapping[str, Any]:
        import jwt

        try:
            header = jwt.get_unverified_header(bearer)
        except jwt.PyJWTError:
            raise invalid("The bearer is no token that can be read.") from None
        algorithm = header.get("alg")
        if algorithm not in self._algorithms:
            raise invalid("The bearer is signed in a way that isn't accepted.")
        key = await self._keys.key(header.get("kid"))
        if key is None:
            raise invalid("The bearer is signed by a key that nobody knows.")
        try:
            # Times are checked on this service's own clock.
            claims: Mapping[str, Any] = jwt.decode(
                bearer,
                key.key,
                algorithms=[algorithm],
                audience=self._audience,
                issuer=self._issuer,
                options={
                    "require": ["exp", "iss", "aud"],
                    "verify_exp": False,
                    "verify_nbf": False,
                    "verify_iat": False,
                },
            )
        except jwt.InvalidAudienceError:
            raise invalid("The bearer is meant for another service.") from None
        except jwt.InvalidIssuerError:
            raise invalid("The bearer comes from another issuer.") from None
        except (jwt.PyJWTError, TypeError, ValueError):
            # A key of another kind than the algorithm's is a TypeError.
            raise invalid("The bearer's signature or form is wrong.") from None
        return claims

    def _check_times(self, claims: Mapping[str, Any]) -> None:
        now = self._clock.now()
        times = {name: claims.get(name) for name in ("exp", "nbf", "iat")}
        for name, value in times.items():
            if value is None and name != "exp":
                continue
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise invalid(f"The bearer's `{name}` is no time.")
            if name == "exp" and now >= value + LEEWAY_S:
                raise invalid("The bearer has expired.")
            if name != "exp" and now < value - LEEWAY_S:
                raise invalid("The bearer isn't valid yet.")

    def _check_scope(self, claims: Mapping[str, Any]) -> None:
        if not self._scope:
            return
        held = claims.get("scope", claims.get("scp", ""))
        scopes = held.split() if isinstance(held, str) else held
        if not isinstance(scopes, list) or self._scope not in scopes:
            raise Refused(
                403,
                "permission_denied",
                f"The bearer lacks the scope {self._scope!r}.",
                headers={
                    "WWW-Authenticate": f'{REALM}, error="insufficient_scope", '
                    f'scope="{self._scope}"'
                },
            )
