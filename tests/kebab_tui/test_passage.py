from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kebab_core.api import Document, SearchHit, search_hit
from kebab_tui.passage import load_passage, locate
from tests.kebab_tui.stage import HANDBOOK, handbook


def found(path: str, first: int, last: int, **given: object) -> tuple[Document, SearchHit]:
    base = handbook()
    hit = search_hit(base.hit(path, first, last, **given).numbered(1))  # type: ignore[arg-type]
    return base.document(hit.doc_id), hit


@pytest.mark.parametrize("path", sorted(HANDBOOK))
def test_every_line_of_every_document_is_found_again(path: str) -> None:
    lines = HANDBOOK[path].rstrip("\n").split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        document, hit = found(path, number, number)
        passage = locate(document, hit)
        assert (passage.marked_from, passage.marked_to) == (number, number)
        assert passage.lines[number - passage.first].plain == line


def test_a_passage_that_moved_is_found_where_it_is_now() -> None:
    document, hit = found("hr/leave-policy.md", 41, 46)
    moved = replace(document, text="New first line.\n\n" + document.text)
    passage = locate(moved, hit)
    assert (passage.marked_from, passage.marked_to) == (43, 48)
    assert "moved since it was cited" in passage.note


def test_a_passage_that_is_gone_is_shown_as_it_was() -> None:
    document, hit = found("hr/leave-policy.md", 41, 46)
    passage = locate(replace(document, text="Something else.\n"), hit)
    assert "changed since" in passage.note
    assert "take twenty-six weeks" in passage.lines[1].plain
    assert passage.marked_from == 41


def test_a_page_is_found_by_its_text_and_its_lines_are_those_of_the_extract() -> None:
    document, hit = found("handbook/benefits.pdf", 2, 2, page=14)
    assert hit.citation.start is None
    passage = locate(document, hit)
    assert passage.marked_from == 2
    assert "extracted text" in passage.note


def test_the_nearest_of_equal_passages_is_taken() -> None:
    document, hit = found("hr/faq.md", 5, 5)
    line = document.text.split("\n")[4]
    doubled = replace(document, text=f"{line}\n" + "\n" * 20 + f"{line}\n" + "\n" * 3 + f"{line}\n")
    assert locate(doubled, hit).marked_from == 1


def test_of_a_long_document_a_window_is_kept_with_true_numbers() -> None:
    document, hit = found("hr/faq.md", 5, 5)
    line = document.text.split("\n")[4]
    text = "\n".join([*(f"row {n}" for n in range(1, 10000)), line, *(["x"] * 10000)])
    passage = locate(replace(document, text=text), hit)
    assert passage.marked_from == 10000
    assert passage.total == 20000
    assert len(passage.lines) == 801
    assert passage.lines[0].plain == f"row {passage.first}"


def test_it_says_when_the_file_has_changed_or_gone(tmp_path: Path) -> None:
    file = tmp_path / "faq.md"
    file.write_text(HANDBOOK["hr/faq.md"])
    stat = file.stat()
    document, hit = found("hr/faq.md", 5, 5)
    same = replace(document, file_path=str(file), byte_len=stat.st_size, mtime_ns=stat.st_mtime_ns)
    assert locate(same, hit).note == ""
    file.write_text("edited")
    assert "has changed since it was indexed" in locate(same, hit).note
    file.unlink()
    assert "has changed since it was indexed" in locate(same, hit).note


def test_one_line_stays_one_whatever_is_in_it() -> None:
    base = handbook()
    text = "a\u2028b\x0bc\x85d\te\x1b[2J\nsecond\r\nthird\n"
    base.documents_by_path = {"odd.txt": text}
    hit = search_hit(base.hit("odd.txt", 1).numbered(1))
    document = replace(base.document(hit.doc_id), code_lang="python")
    plain = [line.plain for line in locate(document, hit).lines]
    assert plain[1:3] == ["second", "third"]
    assert "\x1b" not in plain[0]
    assert plain[0].startswith("a↵b")


def test_web_passages_are_shown_as_they_were_read() -> None:
    base = handbook()
    hit = replace(base.hit("hr/faq.md", 5).numbered(1), kind="web", url="https://example.com/a")
    passage = load_passage(base, search_hit(hit))  # type: ignore[arg-type]
    assert "nothing of it is stored" in passage.note
    assert "twenty-six weeks" in passage.lines[0].plain
