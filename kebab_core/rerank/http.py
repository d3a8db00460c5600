"""A reranking server: the protocol of Jina, Cohere and vLLM, or that of Hugging Face's TEI."""

from __future__ import annotations

import math
import threading
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from kebab_core.errors import EmbedderUnavailable

if TYPE_CHECKING:
    import httpx

_CONNECT_S = 5.0
_ANSWER_S = 30.0
# What the passages are called by one kind of server and by the other.
_FIELDS = ("documents", "texts")


class HttpReranker:
    """`address` in full, as `http://localhost:8080/rerank`. No key is sent."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.id = f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
        self._address = address
        self._fields = list(_FIELDS)
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        sendable = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        for field in list(self._fields):
            response = self._post({"query": query, field: sendable})
            if response.status_code in (400, 422) and field != self._fields[-1]:
                continue  # this server calls them otherwise
            if response.status_code != 200:
                raise self._unusable(f"it answered with status {response.status_code}")
            self._fields = [field]
            return self._read(response, len(texts))
        raise self._unusable("it takes no passages")

    def _post(self, body: dict[str, Any]) -> httpx.Response:
        import httpx

        try:
            return self._connection().post(self._address, json=body)
        except httpx.TimeoutException as late:
            raise self._unusable("it didn't answer in time") from late
        except (httpx.HTTPError, httpx.InvalidURL) as failure:
            raise self._unusable(f"it can't be reached ({type(failure).__name__})") from failure

    def _connection(self) -> httpx.Client:
        import httpx

        with self._lock:
            if self._client is None:
                # Redirects would carry passages to a host nobody named.
                timeout = httpx.Timeout(_ANSWER_S, connect=_CONNECT_S)
                self._client = httpx.Client(timeout=timeout, follow_redirects=False)
                weakref.finalize(self, self._client.close)
            return self._client

    def _read(self, response: httpx.Response, count: int) -> list[float]:
        try:
            answer = response.json()
            rows = answer["results"] if isinstance(answer, dict) else answer
            found = {
                int(row["index"]): float(row.get("relevance_score", row.get("score")))
                for row in rows
            }
        except (ValueError, KeyError, TypeError, AttributeError):
            raise self._unusable("it answered with no scores") from None
        if found.keys() != set(range(count)) or not all(map(math.isfinite, found.values())):
            raise self._unusable(f"it scored {len(found)} of {count} passages")
        return [found[index] for index in range(count)]

    def _unusable(self, why: str) -> EmbedderUnavailable:
        return EmbedderUnavailable(
            f"The reranker at {self.id} can't be used: {why}.",
            "Start it, correct search.rerank, or leave that empty.",
        )
