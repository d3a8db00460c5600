"""What passes between a run and a process that reads files for it: lengths, then bytes.

Never pickle: whoever took over the reader through a hostile file must not take over the run.
"""

from __future__ import annotations

import json
import struct
from dataclasses import fields
from typing import BinaryIO, NamedTuple

from kebab_core.types import Block, Extraction

_SIZES = struct.Struct(">cQQ")
_MOST_BYTES = 1 << 30

_BLOCK = [field.name for field in fields(Block)]
_BESIDE = [field.name for field in fields(Extraction) if field.name not in ("text", "blocks")]
_TUPLES = frozenset(["tags", "page_starts", "warnings"])
_PATH = _BLOCK.index("heading_path")


class Message(NamedTuple):
    """`kind` is one byte: `r` for a request, and for the first message back, which says that the
    process is ready. Of replies: `x` extracted, `s` skipped, `f` failed, `m` failed for want of
    memory; a capital where the process ends after it."""

    kind: bytes
    head: bytes
    body: bytes


def send(stream: BinaryIO, message: Message) -> None:
    """Raises OSError where nobody reads any more."""
    stream.write(_SIZES.pack(message.kind, len(message.head), len(message.body)))
    stream.write(message.head)
    stream.write(message.body)
    stream.flush()


def receive(stream: BinaryIO) -> Message | None:
    """None where the other side has ended, also in the middle of a message."""
    sizes = stream.read(_SIZES.size)
    if len(sizes) < _SIZES.size:
        return None
    kind, head_size, body_size = _SIZES.unpack(sizes)
    if head_size > _MOST_BYTES or body_size > _MOST_BYTES:
        return None
    head, body = stream.read(head_size), stream.read(body_size)
    if len(head) < head_size or len(body) < body_size:
        return None
    return Message(kind, head, body)


def packed(extraction: Extraction) -> Message:
    """An extraction as it crosses; lone surrogates in it too."""
    head = {name: getattr(extraction, name) for name in _BESIDE}
    head["blocks"] = [[getattr(block, name) for name in _BLOCK] for block in extraction.blocks]
    body = extraction.text.encode("utf-8", "surrogatepass")
    return Message(b"x", json.dumps(head, separators=(",", ":")).encode(), body)


def unpacked(message: Message) -> Extraction:
    head = json.loads(message.head)
    for values in head["blocks"]:
        values[_PATH] = tuple(values[_PATH])
    head["blocks"] = tuple(Block(*values) for values in head["blocks"])
    for name in _TUPLES:
        head[name] = tuple(head[name])
    return Extraction(text=message.body.decode("utf-8", "surrogatepass"), **head)
