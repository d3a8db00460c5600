"""Events with their ids, from bytes in any pieces."""

from __future__ import annotations

import pytest

from kebab_core.client.lines import Line, LinesDecoder

BODY = (
    b"retry: 1000\n\n: keep-alive\n\nid: 1\nevent: answer_event\ndata: {\"a\": \"\xc3\xa9\"}\n\n"
    b"id: 2\r\nevent: done\r\ndata: one\r\ndata: two\r\n\r\ndata: bare\n\nid: 3\ndata: cut"
)  # fmt: skip
LINES = [
    Line(1, "answer_event", '{"a": "é"}'),
    Line(2, "done", "one\ntwo"),
    Line(0, "message", "bare"),
]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_however_it_is_cut(size: int) -> None:
    decoder = LinesDecoder()
    found: list[Line] = []
    for start in range(0, len(BODY), size):
        found += decoder.feed(BODY[start : start + size])
    assert found == LINES
