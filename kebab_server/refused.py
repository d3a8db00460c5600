"""A request that isn't served, as its client reads it."""

from __future__ import annotations

from collections.abc import Mapping

from kebab_core import api


class Refused(Exception):
    """`status` and an `error.v1`."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        hint: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        details: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.headers = dict(headers or {})
        fields = {"code": code, "message": message, "hint": hint, "details": dict(details or {})}
        self.error = api.Error.model_validate(fields)


def not_there(what: str) -> Refused:
    """Also for what is another's, so that nothing is learnt from asking."""
    return Refused(404, "not_found", f"There is no such {what}.")


def gone(what: str) -> Refused:
    return Refused(410, "not_found", f"This {what} has expired.", "Ask again.")


def too_many(what: str, wait_s: float) -> Refused:
    seconds = max(1, round(wait_s + 0.5))
    return Refused(
        429,
        "rate_limited",
        f"Too many {what}.",
        f"Try again in {seconds} s.",
        headers={"Retry-After": str(seconds)},
    )
