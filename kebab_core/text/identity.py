"""Names that follow from content: the same text has the same name on every machine.

All are BLAKE2b with a 128-bit digest, as 32 lower-case hex characters.
"""

from __future__ import annotations

from hashlib import blake2b

_BYTES = 16


def content_hash(data: bytes) -> str:
    """The name of a file's bytes."""
    return blake2b(data, digest_size=_BYTES).hexdigest()


def text_hash(text: str) -> str:
    """The name of a text. Lone surrogates, which decoding may leave, are hashed as they are."""
    return content_hash(_encoded(text))


def doc_id(source_id: str, doc_path: str) -> str:
    """The name of a document: its source and its path there, whatever it holds."""
    return _of_parts(_encoded(source_id), _encoded(doc_path))


def chunk_id(doc_id: str, text: str, nth: int) -> str:
    """The name of a chunk: `nth` counts the same texts before it in the document, from 0.

    An edit elsewhere in the document leaves it alone.
    """
    return _of_parts(_encoded(doc_id), _encoded(text), str(nth).encode())


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _of_parts(*parts: bytes) -> str:
    digest = blake2b(digest_size=_BYTES)
    for part in parts:
        # The length first, so that ("a", "bc") and ("ab", "c") differ.
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()
