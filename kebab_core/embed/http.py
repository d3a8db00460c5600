"""An embedding model behind a server: OpenAI-compatible `/embeddings`, or Ollama's `/api/embed`."""

from __future__ import annotations

import re
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from kebab_core.embed.profile import profile_of
from kebab_core.errors import EmbedderUnavailable
from kebab_core.settings.secrets import without_secrets
from kebab_core.text.clean import for_display

if TYPE_CHECKING:
    import httpx
    import numpy as np
    from numpy.typing import NDArray

_BATCH = 32
_CONNECT_S = 5
_ANSWER_S = 60
_TRIES = 3
_MOST_WAIT_S = 10
# The server keeps its tokenizer to itself. One token for every four letters of a word, for each
# sign and for each character of a script without spaces is near what tokenizers make of it: more
# for English, a fifth less for long German words.
_TOKEN = re.compile(r"[A-Za-z0-9À-ɏ]{1,4}|[\u0370-\u1fff]{1,2}|\S")
_MAX_TOKENS = 400
"""Most embedding models read 512 tokens. The rest is room for what the estimate misses."""


class HttpEmbedder:
    """Nothing is sent until the first use. Safe to call from any thread."""

    provider = "http"
    max_tokens = _MAX_TOKENS

    def __init__(
        self, model: str, base_url: str, *, key: str = "", answer_s: float = _ANSWER_S
    ) -> None:
        """`base_url` as the server's own documentation gives it: with `/v1`, or Ollama's root.

        `key` is sent as a bearer token, and appears in no message. `answer_s`: seconds that one
        batch may take. Raises EmbedderUnavailable for an address that is none.
        """
        self.id = f"{model}@http"
        self._model = model
        self._where = _shown(base_url)
        self._base_url, self._key = base_url, key
        self._endpoints = _endpoints(base_url)
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._answer_s = answer_s
        self._profile = profile_of(f"/{model}")
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None
        self._endpoint: str | None = None
        self._dimensions: int | None = None

    @property
    def dimensions(self) -> int:
        """Asks the server with a short text, the first time. Raises EmbedderUnavailable."""
        if self._dimensions is None:
            self._request(["dimensions"])
        return self._dimensions or 0

    def reads(self, lang: str | None) -> bool:
        return self._profile.reads(lang)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Raises EmbedderUnavailable."""
        vector: NDArray[np.float32] = self._request([self._profile.query_prefix + text])[0]
        return vector

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Raises EmbedderUnavailable."""
        import numpy as np

        prefixed = [self._profile.passage_prefix + text for text in texts]
        batches = [prefixed[i : i + _BATCH] for i in range(0, len(prefixed), _BATCH)]
        if not batches:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.concatenate([self._request(batch) for batch in batches])

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """An estimate; no server tells its tokens."""
        return [match.span() for match in _TOKEN.finditer(text)]

    def _request(self, texts: list[str]) -> NDArray[np.float32]:
        # An empty input is an error to some servers, and no text has lone surrogates in JSON.
        sendable = [text.encode("utf-8", "replace").decode("utf-8") or " " for text in texts]
        answer = self._post(sendable)
        vectors = self._vectors(answer, len(texts))
        self._dimensions = vectors.shape[1]
        return vectors

    def _post(self, texts: list[str]) -> Any:
        candidates = [self._endpoint] if self._endpoint else self._endpoints
        for endpoint in candidates:
            response = self._send(endpoint, {"model": self._model, "input": texts})
            said = _error_of(response, self._base_url, self._key)
            if response.status_code in (404, 405) and not said and endpoint != candidates[-1]:
                continue  # this server speaks the other protocol
            if response.status_code != 200:
                raise self._refused(response.status_code, said)
            self._endpoint = endpoint
            try:
                return response.json()
            except ValueError:
                raise self._unusable("no JSON") from None
        raise self._unusable("no address to ask")

    def _send(self, url: str, body: Mapping[str, Any]) -> httpx.Response:
        import httpx

        for attempt in range(1, _TRIES + 1):
            try:
                response = self._connection().post(url, json=body, headers=self._headers)
            except httpx.TimeoutException as error:
                raise EmbedderUnavailable(
                    f"The embedding server at {self._where} didn't answer in time.",
                    "Check that the server runs and has the model loaded.",
                ) from error
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise EmbedderUnavailable(
                    f"The embedding server at {self._where} can't be reached "
                    f"({type(error).__name__}).",
                    "Start it, or correct embedding.base_url.",
                ) from error
            if response.status_code not in (429, 503) or attempt == _TRIES:
                break
            time.sleep(_wait(response.headers.get("retry-after"), attempt))
        return response

    def _connection(self) -> httpx.Client:
        import httpx

        with self._lock:
            if self._client is None:
                timeout = httpx.Timeout(self._answer_s, connect=_CONNECT_S)
                # Redirects would carry passages and a key to a host nobody named.
                self._client = httpx.Client(timeout=timeout, follow_redirects=False)
                # Embedders have no end of their own: the connections go when this one does.
                weakref.finalize(self, self._client.close)
            return self._client

    def _vectors(self, answer: Any, expected: int) -> NDArray[np.float32]:
        import numpy as np

        try:
            if "data" in answer:  # OpenAI's form; the order is said, not promised
                rows = sorted(answer["data"], key=lambda row: int(row.get("index", 0)))
                raw = [row["embedding"] for row in rows]
            else:
                raw = answer["embeddings"]
            vectors = np.array(raw, dtype=np.float32)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise self._unusable("no embeddings") from None
        if vectors.ndim != 2 or vectors.shape[1] == 0 or len(vectors) != expected:
            raise self._unusable(f"{len(vectors)} embeddings for {expected} texts")
        if self._dimensions not in (None, vectors.shape[1]):
            raise self._unusable(
                f"{vectors.shape[1]} dimensions where it gave {self._dimensions} before"
            )
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(vectors).all() or (norms == 0).any():
            raise self._unusable("vectors that are zero or not numbers")
        return np.asarray(vectors / norms, dtype=np.float32)

    def _refused(self, status: int, said: str) -> EmbedderUnavailable:
        hints = {
            401: "Set the key's variable; `kebab config show` says which one is read.",
            403: "Check what the key may do.",
            404: "Check embedding.model and embedding.base_url.",
            429: "Wait, or ingest later: what was embedded is kept.",
        }
        said = f": {said}" if said else ""
        return EmbedderUnavailable(
            f"The embedding server at {self._where} answered {status}{said}.",
            hints.get(status, "See the server's own log."),
        )

    def _unusable(self, what: str) -> EmbedderUnavailable:
        return EmbedderUnavailable(
            f"The embedding server at {self._where} answered with {what}.",
            "Check that embedding.base_url and embedding.model name an embedding model.",
        )


def _endpoints(base_url: str) -> list[str]:
    """The addresses to try. A bare root is Ollama's, or that of a server whose API is at /v1."""
    parts = urlsplit(base_url)
    path = parts.path.rstrip("/")
    if path.endswith(("/embeddings", "/api/embed")):
        paths = [path]
    elif path.endswith("/api"):
        paths = [f"{path}/embed"]
    elif path:
        paths = [f"{path}/embeddings"]
    else:
        paths = ["/api/embed", "/v1/embeddings"]
    return [urlunsplit(parts._replace(path=path, fragment="")) for path in paths]


def _shown(base_url: str) -> str:
    """Host and port: an address may hold a password. Raises EmbedderUnavailable."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname or "", f":{parts.port}" if parts.port else ""
    except ValueError:
        host = port = ""
    if not host:
        raise EmbedderUnavailable(
            "embedding.base_url is no address of a server.",
            "Set it to something like http://127.0.0.1:8080/v1.",
        )
    return for_display(f"[{host}]{port}" if ":" in host else f"{host}{port}")


def _error_of(response: httpx.Response, base_url: str, key: str) -> str:
    """What the server says went wrong, in its JSON; cut, and empty where it says nothing."""
    try:
        body = response.json()
    except ValueError:
        return ""
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict):
        error = error.get("message")
    if not isinstance(error, str):
        return ""
    said = " ".join(without_secrets(error, base_url, key).split())
    return for_display(said[:200].rstrip("."))


def _wait(retry_after: str | None, attempt: int) -> float:
    try:
        asked = float(retry_after or "")
    except ValueError:
        asked = 0.5 * 2**attempt
    return min(max(asked, 0.0), _MOST_WAIT_S)
