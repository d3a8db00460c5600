"""What a server or the way to it did wrong, as the errors of `kebab_core.errors`.

Each says what happened and where, and hints at what to type next. The server's own words are
repeated shortened and without the key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from kebab_core.errors import (
    ModelEmpty,
    ModelError,
    ModelInterrupted,
    ModelNotFound,
    ModelRefused,
    ModelUnreachable,
    RateLimited,
)
from kebab_core.llm.endpoint import Endpoint
from kebab_core.llm.server_error import ServerError, read_error, retry_after

WITHOUT_A_MODEL = "or answer without a model: `--model quote`"
_OVERLOADED = 529  # Anthropic's own
# The status that an error's type or code stands for, where it came inside a stream of 200.
_MEANS = (
    ("rate_limit", 429),
    ("insufficient_quota", 429),
    ("auth", 401),
    ("permission", 403),
    ("not_found", 404),
    ("invalid_request", 400),
    ("overloaded", _OVERLOADED),
)


class Broken(Exception):
    """The response ended before the model did. The text says how, after "the server"."""


class SaidError(Exception):
    """An error that the server put into its stream."""

    def __init__(self, body: object) -> None:
        super().__init__()
        self.error = read_error(body)


def details(endpoint: Endpoint, **more: object) -> dict[str, Any]:
    """What every failure of a model carries for machines."""
    known = {"provider": endpoint.provider, "model": endpoint.model, "address": endpoint.address}
    return {**known, **{name: value for name, value in more.items() if value is not None}}


def by_status(
    endpoint: Endpoint,
    status: int,
    error: ServerError,
    headers: Mapping[str, str],
    available: Sequence[str] = (),
) -> ModelError:
    """The failure that a response other than 200 means."""
    return _failure(endpoint, status, f" ({status})", error, headers, available)


def by_word(endpoint: Endpoint, error: ServerError) -> ModelError:
    """The failure that an error inside a stream means, before the model wrote anything."""
    means = next((status for mark, status in _MEANS if mark in error.kind), 500)
    if error.status is not None:
        return by_status(endpoint, error.status, error, {})
    return _failure(endpoint, means, "", error, {}, ())


def _failure(
    endpoint: Endpoint,
    status: int,
    number: str,
    error: ServerError,
    headers: Mapping[str, str],
    available: Sequence[str],
) -> ModelError:
    words = endpoint.shown(error.message)
    said = f"{number}: {words}" if words else number
    kept = details(endpoint, status=status if number else None)
    if status in (401, 403):
        return _unauthorised(endpoint, status, said, kept)
    if status == 404 or "model_not_found" in error.kind:
        return _not_found(endpoint, error, available)
    if status == 429:
        return _rate_limited(endpoint, said, headers, kept)
    if 300 <= status < 400:
        target = endpoint.shown(headers.get("location", "")) or "nowhere"
        return ModelUnreachable(
            f"{endpoint.who} answered {status}: it moved to {target}. kebab doesn't follow.",
            f"If that is right, set `providers.{endpoint.provider}.base_url` to it.",
            details=kept,
        )
    if status == 408 or status >= 500:
        busy = status in (503, _OVERLOADED)
        return ModelUnreachable(
            f"{endpoint.who} failed to answer{said}",
            f"Try again{' shortly' if busy else ''}, {WITHOUT_A_MODEL}.",
            details=kept,
        )
    if status == 402:
        hint = f"See to the account's balance, {WITHOUT_A_MODEL}."
    elif _is_too_long(error.message):
        hint = "Set `ask.context_tokens` to the model's real context window."
    else:
        hint = f"Try another model with `--model provider:model`, {WITHOUT_A_MODEL}."
    return ModelRefused(f"{endpoint.who} refused the request{said}", hint, details=kept)


def interrupted(endpoint: Endpoint, how: str) -> ModelInterrupted:
    return ModelInterrupted(
        f"The answer was cut off: {endpoint.who} {how}.",
        "Ask again; what was written is kept in the session.",
        details=details(endpoint),
    )


def interrupted_by(endpoint: Endpoint, error: ServerError) -> ModelInterrupted:
    words = endpoint.shown(error.message) or error.kind or "no reason given"
    return interrupted(endpoint, f"reported an error in the middle of it: {words.rstrip('.')}")


def silent(endpoint: Endpoint, how: str) -> ModelUnreachable:
    """The response broke off before the model wrote anything."""
    return ModelUnreachable(
        f"{endpoint.who} {how}, before the model wrote anything.",
        f"Look at the server's own log, {WITHOUT_A_MODEL}.",
        details=details(endpoint),
    )


def not_a_model(endpoint: Endpoint, what: str) -> ModelUnreachable:
    """Something answers there, but it speaks no protocol of ours."""
    setting = f"`providers.{endpoint.provider}.base_url`"
    return ModelUnreachable(
        f"No chat model answers at {endpoint.address}: it sent {what}.",
        f"Check {setting}{_usual_end(endpoint)}, {WITHOUT_A_MODEL}.",
        details=details(endpoint),
    )


def empty(endpoint: Endpoint, *, thought: bool, capped: bool) -> ModelEmpty:
    if capped:
        spent = "spent all its tokens on reasoning" if thought else "reached its limit of tokens"
        message = f"{endpoint.model} {spent} and wrote no answer."
        hint = f"Raise `models.{endpoint.role}.max_tokens`, or ask again."
    else:
        message = f"{endpoint.model} wrote nothing at all ({endpoint.who})."
        hint = f"Ask again, try another model, {WITHOUT_A_MODEL}."
    return ModelEmpty(message, hint, details=details(endpoint))


def unreachable(endpoint: Endpoint, error: Exception) -> ModelUnreachable:
    """The way to the server failed. `error` is httpx's or the system's."""
    return ModelUnreachable(
        f"{endpoint.who} can't be reached: {_reason(endpoint, error)}.",
        f"{_start(endpoint)}, {WITHOUT_A_MODEL}.",
        details=details(endpoint),
    )


def _unauthorised(endpoint: Endpoint, status: int, said: str, kept: dict[str, Any]) -> ModelRefused:
    if endpoint.key:
        what = "refused" if status == 401 else "doesn't allow this with"
        message = f"{endpoint.who} {what} the key in {endpoint.variable}{said}"
        hint = f"Check {endpoint.variable}, {WITHOUT_A_MODEL}."
    else:
        message = f"{endpoint.who} wants a key, and none was sent{said}"
        section = f"providers.{endpoint.provider}.api_key_env"
        hint = endpoint.key_reason or (
            f"Set {endpoint.variable}, {WITHOUT_A_MODEL}."
            if endpoint.variable
            else f"Name the key's variable in `{section}`, {WITHOUT_A_MODEL}."
        )
    if endpoint.variable:
        kept = {**kept, "variable": endpoint.variable}
    return ModelRefused(message, hint, details=kept)


def _not_found(endpoint: Endpoint, error: ServerError, available: Sequence[str]) -> ModelNotFound:
    words = endpoint.shown(error.message)
    kept = details(endpoint, status=404, available=list(available)[:20] or None)
    names_model = "model" in words.lower() or "model" in error.kind
    if not available and not names_model:
        return ModelNotFound(
            f"{endpoint.who} knows no such address (404){f': {words}' if words else ''}",
            f"Check `providers.{endpoint.provider}.base_url`{_usual_end(endpoint)}, "
            f"and the model's name, {endpoint.model}.",
            details=kept,
        )
    message = f"{endpoint.who} has no model {endpoint.model!r}."
    ways = []
    if endpoint.provider == "ollama":
        ways.append(f"Get it with `ollama pull {endpoint.model}`")
    if available:
        close = get_close_matches(endpoint.model, available, n=1, cutoff=0.5)
        message += f" It has {_listed(close + [name for name in available if name not in close])}."
        shown = (close or list(available))[0]
        ways.append(f"take one it has: `--model {endpoint.provider}:{shown}`")
    ways.append("answer without a model: `--model quote`")
    hint = ", or ".join(ways)
    return ModelNotFound(message, f"{hint[0].upper()}{hint[1:]}.", details=kept)


def _listed(names: Sequence[str], most: int = 5) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def _rate_limited(
    endpoint: Endpoint, said: str, headers: Mapping[str, str], kept: dict[str, Any]
) -> RateLimited:
    wait = retry_after(headers)
    return RateLimited(
        f"{endpoint.who} takes no more requests for now{said}",
        (f"Ask again in {wait:.0f} s" if wait is not None else "Ask again in a while")
        + f", {WITHOUT_A_MODEL}.",
        details={**kept, "retry_after_s": wait} if wait is not None else kept,
    )


def _usual_end(endpoint: Endpoint) -> str:
    at_home = endpoint.provider in ("ollama", "anthropic") or endpoint.base_url.endswith("/v1")
    return "" if at_home else " (it usually ends in /v1)"


def _start(endpoint: Endpoint) -> str:
    if endpoint.provider == "ollama":
        return "Start it with `ollama serve`"
    return "Start the server" if endpoint.is_loopback else "Check the address and the network"


def _reason(endpoint: Endpoint, error: Exception) -> str:
    """The innermost cause in plain words: clients wrap the system's several times."""
    import socket
    import ssl

    for cause in _causes(error):
        if isinstance(cause, ConnectionRefusedError):
            return "nothing listens there"
        if isinstance(cause, socket.gaierror):
            return "its name can't be resolved"
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate isn't trusted ({cause.verify_message})"
        if isinstance(cause, ssl.SSLError):
            return "no secure connection can be made (is it plain http?)"
    words = endpoint.shown(str(error)).rstrip(".")
    return words or type(error).__name__


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    left: list[BaseException | None] = [error]
    while left:
        one = left.pop(0)
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, BaseExceptionGroup):
            left.extend(one.exceptions)
        left += [one.__cause__, one.__context__]


def _is_too_long(words: str) -> bool:
    words = words.lower()
    return "context" in words and any(w in words for w in ("length", "size", "window", "exceed"))
