from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core.llm.sse import MAX_LINE_BYTES, EventDecoder, LineDecoder, LineTooLong, ServerEvent


def decode(*parts: bytes) -> list[ServerEvent]:
    decoder = EventDecoder()
    events = [event for part in parts for event in decoder.feed(part)]
    return events + decoder.close()


def test_an_event_is_its_data_lines_joined() -> None:
    assert decode(b"event: add\ndata: one\ndata: two\n\ndata:x\n\n") == [
        ServerEvent("one\ntwo", "add"),
        ServerEvent("x"),
    ]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_all_three_line_ends(end: bytes) -> None:
    assert decode(end.join([b"data: a", b"data: b", b"", b"data: c", b"", b""])) == [
        ServerEvent("a\nb"),
        ServerEvent("c"),
    ]


def test_comments_ids_retries_and_unknown_fields_say_nothing() -> None:
    body = b": keep-alive\n\n: again\ndata: a\nid: 7\nretry: 10\nfoo\n\nevent: alone\n\n"
    assert decode(body) == [ServerEvent("a")]


def test_only_one_space_after_the_colon_is_dropped() -> None:
    assert decode(b"data:  two\n\ndata:none\n\ndata\n\n") == [
        ServerEvent(" two"),
        ServerEvent("none"),
        ServerEvent(""),
    ]


def test_a_byte_order_mark_at_the_start_is_no_part_of_the_field() -> None:
    assert decode("\ufeffdata: a\n\n".encode()) == [ServerEvent("a")]


def test_the_last_event_may_lack_its_empty_line() -> None:
    assert decode(b"data: a\n\ndata: [DONE]") == [ServerEvent("a"), ServerEvent("[DONE]")]


def test_an_event_comes_out_as_soon_as_it_is_whole() -> None:
    decoder = EventDecoder()
    assert decoder.feed(b"data: a\r\n\r") == [ServerEvent("a")]
    assert decoder.feed(b"\ndata: b\r\n") == []
    assert decoder.feed(b"\r\n") == [ServerEvent("b")]


def test_bytes_that_are_no_utf8_don_t_stop_the_stream() -> None:
    assert decode(b"data: \xff\xfe\n\ndata: ok\n\n") == [
        ServerEvent("\ufffd\ufffd"),
        ServerEvent("ok"),
    ]


def test_a_line_without_an_end_is_refused_before_it_fills_the_memory() -> None:
    decoder = LineDecoder()
    decoder.feed(b"x" * MAX_LINE_BYTES)
    with pytest.raises(LineTooLong):
        decoder.feed(b"x")


BODY = (
    'event: a\r\ndata: {"text": "한국어 – 😀"}\r\n\r\n: ping\n\ndata: one\rdata: two\r\r'
    "data: \u2028 no line end of a stream\n\nevent: b\ndata: [DONE]\n\n"
).encode()


@given(st.lists(st.integers(0, len(BODY)), max_size=12))
def test_however_the_bytes_are_cut_the_events_are_the_same(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(BODY)]
    parts = [BODY[a:b] for a, b in pairwise(places)]
    assert decode(*parts) == decode(BODY)


def test_every_single_cut_and_every_byte_alone() -> None:
    whole = decode(BODY)
    assert len(whole) == 4
    for at in range(len(BODY)):
        assert decode(BODY[:at], BODY[at:]) == whole
    assert decode(*[BODY[at : at + 1] for at in range(len(BODY))]) == whole


@given(
    st.lists(st.text(st.characters(exclude_characters="\r\n", codec="utf-8")), max_size=6),
    st.lists(st.integers(0, 200), max_size=8),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_lines_come_out_as_they_went_in(lines: list[str], cuts: list[int], end: str) -> None:
    body = "".join(line + end for line in lines).encode()
    places = [0, *sorted(min(cut, len(body)) for cut in cuts), len(body)]
    decoder = LineDecoder()
    got = [line for a, b in pairwise(places) for line in decoder.feed(body[a:b])]
    assert got == lines
    assert decoder.close() == ""
