"""E-mail: a message, or a mailbox of them, each a section under its subject."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from kebab_core.ingest.extract import html
from kebab_core.ingest.extract.html_walk import walk
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.ingest.extract.text import paragraphs
from kebab_core.ingest.extract.writer import Writer, one_line
from kebab_core.types import Extraction

if TYPE_CHECKING:
    from email.message import MIMEPart

VERSION = "mail.1"

_POSTMARK = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\r\n]*\d{4}[^\r\n]*\r?\n")
"""The line before each message of a mailbox: an empty line, `From `, who, when."""
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
_SHOWN = ("From", "To", "Cc", "Date")
_MOST_PARTS = 1_000


def extract(data: bytes, name: str) -> Extraction:
    """Raises Failed for what is no message, Skipped for messages without words."""
    import email.policy

    writer = Writer()
    title: str | None = None
    author: str | None = None
    count = 0
    for raw in _messages(data):
        message = email.message_from_bytes(raw, policy=email.policy.default)
        if not any(_header(message, field) for field in ("Subject", *_SHOWN)):
            continue
        subject, sender = _header(message, "Subject"), _header(message, "From")
        count += 1
        if count == 1:
            title, author = subject, sender
        _write(writer, message, subject)
    if not count:
        raise Failed("broken: not a message, whatever its name says")
    if writer.is_empty:
        raise Skipped("empty", "messages without words")
    if count > 1:
        title = author = None
    return writer.extraction(
        "mail", VERSION, title=title, is_titled_by_heading=False, author=author
    )


def _messages(data: bytes) -> Iterator[bytes]:
    marks = list(_POSTMARK.finditer(data))
    if not marks or data[: marks[0].start()].strip():
        yield data
        return
    ends = [mark.start() for mark in marks[1:]] + [len(data)]
    for mark, end in zip(marks, ends, strict=True):
        yield _QUOTED_FROM.sub(rb"\1", data[mark.end() : end])


def _write(writer: Writer, message: MIMEPart, subject: str) -> None:
    writer.leave_headings()
    writer.heading(1, subject or "(no subject)")
    shown = [(field, _header(message, field)) for field in _SHOWN]
    writer.block("paragraph", "\n".join(f"{field}: {value}" for field, value in shown if value))
    attached = []
    for part in _parts(message):
        if part.get_content_disposition() == "attachment" or part.get_filename():
            attached.append(one_line(part.get_filename()) or "a file without a name")
        elif part.get_content_type() == "text/html":
            root = html.parsed(_content(part))
            walk(html.main_part(root), writer)
        else:
            text = _content(part)
            for start, end in paragraphs(text):
                writer.block("paragraph", text[start:end])
    if attached:
        writer.block("paragraph", f"Attached: {', '.join(attached)}")


def _parts(message: MIMEPart) -> Iterator[MIMEPart]:
    """Of alternatives the plain one; of all else every text, and what is attached."""
    stack: list[MIMEPart] = [message]
    for _ in range(_MOST_PARTS):
        if not stack:
            return
        part = stack.pop()
        if not part.is_multipart():
            if part.get_content_maintype() == "text" or part.get_filename():
                yield part
            continue
        inner = list(part.iter_parts())
        if part.get_content_type() == "multipart/alternative":
            inner.sort(key=lambda each: each.get_content_type() != "text/plain")
            inner = inner[:1]
        stack.extend(reversed(inner))


def _content(part: MIMEPart) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes) or not payload.strip():
        return ""
    charset = part.get_content_charset()
    if charset is not None:
        try:
            return payload.decode(charset)
        except (UnicodeDecodeError, LookupError):
            pass  # said wrongly, which is common: guessed
    try:
        return html.decoded(payload)[0]
    except Skipped:
        return ""


def _header(message: MIMEPart, name: str) -> str:
    # What is malformed in a header shows only when it is read, as almost any exception.
    try:
        value = message.get(name)
    except (ValueError, IndexError, AttributeError, LookupError, TypeError):
        return ""
    return one_line(str(value)) or "" if value is not None else ""
