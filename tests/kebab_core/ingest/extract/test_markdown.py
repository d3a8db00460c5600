from __future__ import annotations

import pytest

from kebab_core.ingest.extract.markdown import extract

DOCUMENT = """\
---
title: Lease rules
tags: [housing, money, no]
author: Ada
status: draft
lang: en-GB
---

Before any heading.

# Leaving a `flat` [early](x.md) ![pic](a.png)

A paragraph
of two lines.

- one
- two

  still two

| a | b |
|---|---|
| 1 | 2 |

Notice
------

> quoted

```python
# not a heading

x = 1
```

#### Deep

    indented code

<div>
html
</div>
"""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_structure_and_exact_spans_whatever_ends_a_line(end: str) -> None:
    whole = DOCUMENT.replace("\n", end)
    extraction = extract(whole, "a.md")
    assert extraction.text == whole
    early = "Leaving a flat early pic"
    pieces = [
        (block.kind, whole[block.start : block.end].strip().split(end)[0], block.heading_path)
        for block in extraction.blocks
    ]
    assert pieces == [
        ("paragraph", "---", ()),
        ("paragraph", "Before any heading.", ()),
        ("heading", "# Leaving a `flat` [early](x.md) ![pic](a.png)", (early,)),
        ("paragraph", "A paragraph", (early,)),
        ("list", "- one", (early,)),
        ("table", "| a | b |", (early,)),
        ("heading", "Notice", (early, "Notice")),
        ("quote", "> quoted", (early, "Notice")),
        ("code", "```python", (early, "Notice")),
        ("heading", "#### Deep", (early, "Notice", "Deep")),
        ("code", "indented code", (early, "Notice", "Deep")),
        ("paragraph", "<div>", (early, "Notice", "Deep")),
    ]
    assert [b.kind for b in extraction.blocks if b.atomic] == ["table", "code", "code"]


def test_front_matter_says_what_the_document_is() -> None:
    extraction = extract(DOCUMENT, "a.md")
    assert (extraction.title, extraction.author, extraction.status) == (
        "Lease rules",
        "Ada",
        "draft",
    )
    assert extraction.tags == ("housing", "money", "no")
    assert extraction.lang == "en"
    assert extraction.warnings == ()


def test_the_title_is_the_first_heading_and_never_the_files_name() -> None:
    assert extract("text\n\n## *Two*\n\n# One\n", "name.md").title == "Two"
    assert extract("# \n\n# Named\n", "name.md").title == "Named"
    assert extract("just text", "name.md").title is None


def test_unicode_line_separators_end_no_line() -> None:
    whole = "# A\u2028still the heading\n\nb\x0bc\x85d\n\n## B\n\nend"
    extraction = extract(whole, "a.md")
    assert [whole[b.start : b.end].strip() for b in extraction.blocks] == [
        "# A\u2028still the heading", "b\x0bc\x85d", "## B", "end",
    ]  # fmt: skip


def test_a_lower_heading_ends_those_below_it() -> None:
    extraction = extract("# A\n\n### B\n\n## C\n\n# D\n", "a.md")
    assert [block.heading_path for block in extraction.blocks] == [
        ("A",), ("A", "B"), ("A", "C"), ("D",),
    ]  # fmt: skip


def test_headings_inside_quotes_and_lists_are_text() -> None:
    extraction = extract("# A\n\n> # quoted\n\n- # listed\n", "a.md")
    assert {block.heading_path for block in extraction.blocks} == {("A",)}


def test_deep_nesting_is_read() -> None:
    for whole in ("> " * 3_000 + "x", "- " * 3_000 + "x", "[" * 3_000, "* " * 2_000 + "\n" * 10):
        assert extract(whole, "a.md").text == whole


def test_a_very_long_document_keeps_its_headings_and_fences() -> None:
    part = "# Part\r\n\r\nSome words.\r\n\r\nMore.\r\n\r\n~~~~\r\n# no heading\r\n~~~\r\n~~~~\r\n"
    whole = "---\r\ntitle: T\r\n---\r\n" + part * 20_000
    extraction = extract(whole, "a.md")
    assert "very long" in extraction.warnings[0]
    kinds = [block.kind for block in extraction.blocks[:6]]
    assert kinds == ["paragraph", "heading", "paragraph", "paragraph", "code", "heading"]
    code = extraction.blocks[4]
    assert whole[code.start : code.end].strip() == "~~~~\r\n# no heading\r\n~~~\r\n~~~~"
    assert (code.heading_path, code.atomic) == (("Part",), True)
