from __future__ import annotations

import pytest

from kebab_core.ingest.extract.html import extract
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.types import Extraction


def page(body: str, head: str = "") -> Extraction:
    return extract(
        f"<!doctype html><html><head>{head}</head><body>{body}</body></html>".encode(), "a"
    )


def test_the_main_part_as_people_read_it() -> None:
    extraction = page(
        "<header><p>Site</p></header><nav><a>menu</a></nav>"
        "<main><h1>Leave<a class='headerlink' href='#x'>¶</a></h1>"
        "<p>Ask <b>a week</b>\n  before.<br>In writing.</p>"
        "<ul><li>one<ul><li>inner</li></ul></li><li><p>two</p></li></ul>"
        "<ol start='3'><li>x</li><li>y</li></ol>"
        "<pre class='language-python'>def f():\n    return 1</pre>"
        "<table><caption>Days</caption><tr><th>who</th><th>n</th></tr>"
        "<tr><td>a|b</td><td>1 <b>2</b></td></tr></table>"
        "<blockquote><p>Said so.</p></blockquote><h2>Notice</h2>Tail <img alt='a chart'>"
        "<script>var x</script><style>p{}</style><p hidden>unseen</p></main><footer>legal</footer>",
        "<title>Leave policy</title><meta name='author' content='Ada'>",
    )
    assert extraction.text == (
        "# Leave\n\nAsk a week before.\nIn writing.\n\n- one\n  - inner\n- two\n\n3. x\n4. y\n\n"
        "```python\ndef f():\n    return 1\n```\n\nDays\n\n| who | n |\n|---|---|\n"
        "| a\\|b | 1 2 |\n\n> Said so.\n\n## Notice\n\nTail a chart"
    )
    assert (extraction.title, extraction.author, extraction.of) == (
        "Leave policy",
        "Ada",
        "extracted",
    )
    kinds = [block.kind for block in extraction.blocks]
    assert kinds == ["heading", "paragraph", "list", "list", "code", "paragraph", "table", "table",
                     "quote", "heading", "paragraph"]  # fmt: skip
    assert extraction.blocks[-1].heading_path == ("Leave", "Notice")


def test_a_main_part_that_holds_little_is_not_all() -> None:
    extraction = page(
        "<article>Teaser</article><div>" + "The real words are here. " * 20 + "</div>"
    )
    assert "real words" in extraction.text
    assert "Teaser" in extraction.text


@pytest.mark.parametrize(
    ("charset", "codec", "words"),
    [
        ("euc-kr", "cp949", "연차 휴가는 일주일 전에"),
        ("Shift_JIS", "cp932", "休暇は一週間前に①"),
        ("gb2312", "gb18030", "请假须提前一周"),
        ("windows-1251", "cp1251", "Отпуск за неделю"),
        ("iso-8859-1", "cp1252", "Kündigung – „heute“"),
    ],
)
def test_a_page_is_read_as_it_says(charset: str, codec: str, words: str) -> None:
    html = f'<html><head><meta charset="{charset}"></head><body><p>{words}</p></body></html>'
    assert extract(html.encode(codec), "a.html").text == words


def test_a_page_that_says_what_isnt_so() -> None:
    html = "<meta charset=utf-8><p>" + "Die Kündigung wird schriftlich erklärt. " * 9
    assert "Kündigung" in extract(html.encode("cp1252"), "a.html").text
    assert "Kündigung" in extract(html.replace("utf-8", "klingon").encode(), "a.html").text


def test_xhtml_that_says_its_encoding() -> None:
    html = '<?xml version="1.0" encoding="utf-8"?><html><body><p>Übergabe</p></body></html>'
    assert extract(html.encode(), "a.xhtml").text == "Übergabe"


@pytest.mark.parametrize(
    "html", [b"<html></html>", b"<script>x</script>", b"<p> </p>", b"<!-- x -->"]
)
def test_no_words(html: bytes) -> None:
    with pytest.raises(Skipped, match="without words"):
        extract(html, "a.html")


def test_nested_deep() -> None:
    assert extract(b"<div>" * 2_000 + b"deep", "a.html").text == "deep"
    assert extract(b"<table><tr><td>" * 500 + b"deep", "a.html").text == "deep"
    assert extract(b"<ul><li>x" * 1_000, "a.html").text.count("x") == 1_000
    for bomb in (b"<div>" * 100_000, b"<ul><li>" * 100_000, b"<b>" * 1_000_000):
        with pytest.raises(Failed, match="nested too deeply"):
            extract(b"<p>words" + bomb, "a.html")
