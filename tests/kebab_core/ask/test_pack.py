"""Which hits become passages."""

from __future__ import annotations

from kebab_core.ask.pack import MAX_DOCUMENTS, MAX_PASSAGES, pack
from kebab_core.ask.passages import Passages
from tests.support.asking import hit


def test_no_more_than_twelve() -> None:
    hits = [hit(str(n), rank=n) for n in range(1, 20)]
    assert pack(hits) == tuple(hits[:MAX_PASSAGES])


def test_no_more_than_six_documents() -> None:
    hits = [hit(str(n), path=f"{n % 9}.md", rank=n) for n in range(1, 16)]
    taken = pack(hits)
    assert len({one.chunk.doc_path for one in taken}) == MAX_DOCUMENTS
    ranks = [one.rank for one in taken]
    assert ranks == sorted(ranks) == [1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15]


def test_what_is_pinned_comes_first_and_once() -> None:
    hits = [hit(str(n), rank=n) for n in range(1, 4)]
    assert pack(hits, pinned=[hits[2]]) == (hits[2], hits[0], hits[1])


def test_a_chunk_keeps_its_number() -> None:
    passages = Passages()
    first = passages.add([hit("a"), hit("b")])
    second = passages.add([hit("c"), hit("a", rank=9)])
    assert [one.n for one in first] == [1, 2]
    assert [one.n for one in second] == [3, 1]
    assert second[1] is first[0]
    assert [one.n for one in passages.hits] == [1, 2, 3]
    assert passages.numbers == {1, 2, 3}
    assert passages[3].chunk.text == "c"
    assert len(passages) == 3
