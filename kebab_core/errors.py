"""Every failure a person can cause, as one tree.

::

    KebabError
    ├── ConfigInvalid          a settings file, variable or flag that can't be right
    ├── InvalidInput           an argument outside what is allowed
    ├── NotIndexed             no corpus yet, or an empty one
    ├── IndexIncompatible      made by another embedding model, or a newer kebab
    ├── StoreLocked            another process is writing
    ├── ModelError
    │   ├── ModelUnreachable   nothing listens, or it fell silent
    │   ├── ModelNotFound      the server lives, the model isn't there
    │   ├── ModelRefused       a 4xx that is ours, or a missing key
    │   ├── ModelEmpty         it wrote nothing at all
    │   ├── ModelInterrupted   the stream was cut in the middle
    │   ├── ModelRequired      asked for what `quote` can't do
    │   └── RateLimited        429
    ├── TimedOut               the caller's own time limit
    ├── EmbedderUnavailable    the embedding model can't be loaded or fetched
    ├── UnsupportedFormat      a file no reader knows
    ├── IOFailed               disk full, file vanished
    ├── PermissionDenied
    ├── NotFound               a session, document or chunk that isn't there
    ├── StaleCursor            the corpus changed under a page of results
    └── Internal               a bug; `--debug` shows where

``message`` says what happened and what was tried, ``hint`` what to type next.
Neither may ever hold a key, a token or a whole document.
"""

from typing import Any, ClassVar


class KebabError(Exception):
    """A failure with a stable ``code`` (the wire's ``error.v1``)."""

    code: ClassVar[str] = "internal"

    def __init__(
        self, message: str, hint: str | None = None, *, details: dict[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: dict[str, Any] = dict(details or {})


class ConfigInvalid(KebabError):
    code = "config_invalid"


class InvalidInput(KebabError):
    code = "invalid_input"


class NotIndexed(KebabError):
    code = "not_indexed"


class IndexIncompatible(KebabError):
    code = "index_incompatible"


class StoreLocked(KebabError):
    code = "store_locked"


class ModelError(KebabError):
    """The chat model's side of things."""


class ModelUnreachable(ModelError):
    code = "model_unreachable"


class ModelNotFound(ModelError):
    code = "model_not_found"


class ModelRefused(ModelError):
    code = "model_refused"


class ModelEmpty(ModelError):
    code = "model_empty"


class ModelInterrupted(ModelError):
    code = "model_interrupted"


class ModelRequired(ModelError):
    code = "model_required"


class RateLimited(ModelError):
    code = "rate_limited"


class TimedOut(KebabError):
    code = "timeout"


class EmbedderUnavailable(KebabError):
    code = "embedder_unavailable"


class UnsupportedFormat(KebabError):
    code = "unsupported_format"


class IOFailed(KebabError):
    code = "io_error"


class PermissionDenied(KebabError):
    code = "permission_denied"


class NotFound(KebabError):
    code = "not_found"


class StaleCursor(KebabError):
    code = "stale_cursor"


class Internal(KebabError):
    code = "internal"
