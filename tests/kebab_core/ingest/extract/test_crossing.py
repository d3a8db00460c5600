"""What crosses to a run is the extraction itself."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st

from kebab_core.ingest.extract.crossing import Message, packed, receive, send, unpacked
from kebab_core.types import Block, Extraction

ANY = st.text()  # surrogates too
BLOCKS = st.builds(
    Block,
    kind=st.sampled_from(["heading", "paragraph", "list", "table", "code", "quote", "page"]),
    start=st.integers(0, 99),
    end=st.integers(0, 99),
    heading_path=st.lists(ANY, max_size=3).map(tuple),
    symbol=st.none() | ANY,
    atomic=st.booleans(),
)
EXTRACTIONS = st.builds(
    Extraction,
    text=ANY,
    media=ANY,
    parser_version=ANY,
    of=st.sampled_from(["source", "extracted"]),
    blocks=st.lists(BLOCKS, max_size=4).map(tuple),
    title=st.none() | ANY,
    lang=st.none() | ANY,
    code_lang=st.none() | ANY,
    tags=st.lists(ANY, max_size=3).map(tuple),
    status=st.none() | ANY,
    author=st.none() | ANY,
    page_starts=st.lists(st.integers(0, 99), max_size=3).map(tuple),
    warnings=st.lists(ANY, max_size=3).map(tuple),
)


@given(EXTRACTIONS)
def test_an_extraction_crosses_whole(extraction: Extraction) -> None:
    stream = io.BytesIO()
    send(stream, packed(extraction))
    stream.seek(0)
    arrived = receive(stream)
    assert arrived is not None
    assert unpacked(arrived) == extraction


def test_what_ends_early_is_nothing() -> None:
    stream = io.BytesIO()
    send(stream, Message(b"r", b"name", b"data"))
    whole = stream.getvalue()
    for cut in range(len(whole)):
        assert receive(io.BytesIO(whole[:cut])) is None
