from __future__ import annotations

from email.message import EmailMessage

import pytest

from kebab_core.ingest.extract.mail import extract
from kebab_core.ingest.extract.outcome import Failed


def message(subject: str, text: str = "", html: str = "", attached: str = "") -> bytes:
    made = EmailMessage()
    made["Subject"], made["From"], made["To"] = subject, "Ann <ann@example.org>", "bo@example.org"
    if text:
        made.set_content(text)
    if html and text:
        made.add_alternative(html, subtype="html")
    elif html:
        made.set_content(html, subtype="html")
    if attached:
        made.add_attachment(b"secret", maintype="application", subtype="pdf", filename=attached)
    return made.as_bytes()


def test_a_message() -> None:
    data = message("Kündigung", "Dear Bo,\n\nplease cancel.", "<p>not this</p>", "Vertrag.pdf")
    extraction = extract(data, "a.eml")
    assert extraction.text == (
        "# Kündigung\n\nFrom: Ann <ann@example.org>\nTo: bo@example.org\n\n"
        "Dear Bo,\n\nplease cancel.\n\nAttached: Vertrag.pdf"
    )
    assert (extraction.title, extraction.author) == ("Kündigung", "Ann <ann@example.org>")


def test_html_where_there_is_no_text() -> None:
    text = extract(message("Hi", html="<h1>Offer</h1><ul><li>one</li></ul>"), "a.eml").text
    assert text.endswith("# Offer\n\n- one")


def test_a_mailbox_has_a_section_for_each() -> None:
    postmark = b"From ann@example.org Mon Jan  1 00:00:00 2024\n"
    data = (
        postmark + message("One", "First.\n\n>From here on.") + b"\n" + postmark
        + message("Two", "Second.")
    )  # fmt: skip
    extraction = extract(data, "a.mbox")
    headings = [block.heading_path for block in extraction.blocks if block.kind == "heading"]
    assert headings == [("One",), ("Two",)]
    assert "\nFrom here on." in extraction.text
    assert extraction.title is None


@pytest.mark.parametrize(
    "raw",
    [
        b"Subject: =?klingon?q?x?=\nContent-Type: text/plain; charset=klingon\n\nwords",
        b"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nwords",
        b"Subject: x\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\nd29yZHM=!!",
        b"From: <<<>\nDate: never\nSubject: x\n\nwords",
        b"Subject: x\n" + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" * 300 + b"\nwords",
    ],
)
def test_damaged_ones_still_give_a_text(raw: bytes) -> None:
    assert extract(raw, "a.eml").text.startswith("#")


def test_what_is_no_message() -> None:
    with pytest.raises(Failed, match="not a message"):
        extract(b"\n\njust words", "a.eml")
