"""How chunks are packed, cut and named."""

from __future__ import annotations

import re
from itertools import pairwise

from kebab_core.ingest.chunk import TARGET_TOKENS, chunks
from kebab_core.ingest.extract import code, markdown, pdf, text
from kebab_core.ingest.measure import Tokenizer
from kebab_core.testing import HashEmbedder
from kebab_core.types import Chunk, Extraction
from tests.kebab_core.ingest.extract.make_pdf import pdf as make_pdf

WORDS = Tokenizer(lambda words: [m.span() for m in re.finditer(r"\w+|[^\w\s]", words)], 254)


def sentences(n: int, about: str = "lease") -> str:
    return " ".join(f"Sentence {i} speaks of the {about} once more." for i in range(n))


def made(extraction: Extraction, tokenizer: Tokenizer = WORDS) -> list[Chunk]:
    return chunks(extraction, "d" * 32, "notes", "a.md", tokenizer)


def of_markdown(whole: str, tokenizer: Tokenizer = WORDS) -> list[Chunk]:
    return made(markdown.extract(whole, "a.md"), tokenizer)


def test_a_section_that_fits_is_one_chunk_with_its_heading() -> None:
    whole = "# Rent\n\nFirst.\n\n- a\n- b\n\n## Notice\n\nThree months.\n"
    found = of_markdown(whole)
    assert [(c.text, c.heading_path, c.line_start, c.line_end) for c in found] == [
        ("# Rent\n\nFirst.\n\n- a\n- b", ("Rent",), 1, 6),
        ("## Notice\n\nThree months.", ("Rent", "Notice"), 8, 10),
    ]


def test_what_is_embedded_says_title_and_headings_once() -> None:
    whole = f"---\ntitle: Handbook\n---\n\n# Rent\n\nFirst.\n\n## Notice\n\n{sentences(60)}\n"
    embedded = [c.embed_text.split("\n")[0] for c in of_markdown(whole)]
    assert embedded[:2] == ["Handbook", "Handbook"]  # above the front matter and above `# Rent`
    assert embedded[2] == "Handbook › Rent"  # its own heading is in its text
    assert set(embedded[3:]) == {"Handbook › Rent › Notice"}
    assert len(embedded) > 4


def test_a_heading_without_words_of_its_own_stays_with_what_follows() -> None:
    found = of_markdown(
        "# Rent\n\n## Notice\n\n### Period\n\nThree months.\n\n# Empty\n\n# Last\n\nEnd.\n"
    )
    assert [(c.text.split("\n")[0], c.heading_path) for c in found] == [
        ("# Rent", ("Rent", "Notice", "Period")),
        ("# Empty", ("Empty",)),
        ("# Last", ("Last",)),
    ]


def test_long_prose_is_cut_at_sentence_ends_with_a_little_overlap() -> None:
    found = of_markdown("# Rent\n\n" + sentences(120))
    assert len(found) > 3
    for before, after in pairwise(found):
        assert before.text.endswith(".")
        assert after.text.startswith("Sentence")
        overlap = before.end - after.start
        assert 0 < overlap < 200
    assert all(c.tokens <= TARGET_TOKENS for c in found)
    assert min(c.tokens for c in found) > TARGET_TOKENS // 3  # no tail of a few words


def test_short_blocks_dont_overlap() -> None:
    found = of_markdown("\n\n".join(sentences(6, f"topic{i}") for i in range(20)))
    assert len(found) > 3
    assert all(a.end <= b.start for a, b in pairwise(found))


def test_tables_and_fences_stay_whole_where_they_fit() -> None:
    fence = "```\n" + "\n".join(f"line {i} of code" for i in range(40)) + "\n```"
    table = "| a | b |\n|---|---|\n" + "\n".join(f"| row {i} | x |" for i in range(20))
    found = of_markdown(f"# A\n\n{sentences(8)}\n\n{fence}\n\n{sentences(8)}\n\n{table}\n")
    texts = [c.text for c in found]
    assert any(fence in whole for whole in texts)
    assert any(table in whole for whole in texts)


def test_a_table_too_long_is_cut_between_rows() -> None:
    rows = [f"| row {i} | some words here |" for i in range(200)]
    found = of_markdown("| a | b |\n|---|---|\n" + "\n".join(rows) + "\n")
    assert len(found) > 5
    for chunk in found:
        assert all(line.startswith("|") and line.endswith("|") for line in chunk.text.split("\n"))


def test_code_is_cut_at_blank_lines_and_says_what_it_is_part_of() -> None:
    body = "\n\n".join(
        f"    step_{i} = compute({i}, limit)\n    check(step_{i})" for i in range(60)
    )
    found = made(code.extract(f"import os\n\n\ndef long_one():\n{body}\n", "a.py"))
    assert {c.symbol for c in found[1:]} == {"long_one"}
    assert len(found) > 4
    for chunk in found[2:]:
        assert chunk.text.startswith("step_")
        assert chunk.embed_text.startswith("long_one\n")
    assert found[1].embed_text.startswith("def long_one" if found[1].text[0] == "d" else "import")


def test_small_functions_share_a_chunk_that_names_them() -> None:
    (chunk,) = made(code.extract("\n\n".join(f"def f{i}():\n    pass" for i in range(5)), "a.py"))
    assert chunk.symbol == "f0, f1, f2, …"
    assert (chunk.media, chunk.code_lang) == ("code", "python")


def test_no_chunk_crosses_a_page() -> None:
    pages = [f"Page {i}.\n{sentences(3)}" for i in range(1, 4)] + ["\n".join([sentences(2)] * 30)]
    found = made(pdf.extract(make_pdf(pages), "a.pdf"))
    assert [c.page for c in found[:4]] == [1, 2, 3, 4]
    assert {c.page for c in found[4:]} == {4}
    assert [c.text.split("\n")[0] for c in found[:3]] == ["Page 1.", "Page 2.", "Page 3."]
    assert {c.of for c in found} == {"extracted"}


def test_text_without_spaces_is_cut_by_tokens_and_characters() -> None:
    for whole, longest in (("가나다라마바사" * 2_000, 254), ("x" * 20_000, 2_400)):
        found = made(text.extract(whole, "a.txt"), Tokenizer.of(None))
        assert len(found) > 5
        assert max(len(c.text) for c in found) <= longest
        assert found[-1].end == len(whole)


def test_an_edit_changes_only_its_own_section() -> None:
    def document(about: str) -> str:
        parts = (sentences(40, about if i == 5 else f"topic{i}") for i in range(10))
        return "\n\n".join(f"## Part {i}\n\n{words}" for i, words in enumerate(parts))

    before = {c.chunk_id: c.embed_hash for c in of_markdown(document("lease"))}
    after = of_markdown(document("deposit"))
    new = [c for c in after if before.get(c.chunk_id) != c.embed_hash]
    assert {c.heading_path for c in new} == {("Part 5",)}
    assert len(after) > 2 * len(new)


def test_an_addition_at_the_end_of_plain_text_costs_its_last_chunk() -> None:
    paragraphs = "\n\n".join(sentences(5, f"topic{i}") for i in range(40))
    before = {c.embed_hash for c in made(text.extract(paragraphs, "a.txt"))}
    after = [c.embed_hash for c in made(text.extract(paragraphs + "\n\nAnd more.", "a.txt"))]
    assert sum(key not in before for key in after) == 1


def test_the_same_text_twice_has_two_names_and_one_vector() -> None:
    whole = "# A\n\nsame\n\n# B\n\n# A\n\nsame\n"
    first, _, second = of_markdown(whole)
    assert first.text == second.text
    assert first.chunk_id != second.chunk_id
    assert first.embed_hash == second.embed_hash


def test_what_is_embedded_is_clean_and_what_is_kept_is_not() -> None:
    whole = "# A\x1b[31m\r\n\r\nred\x00\u202ewords\r\nmore"
    (chunk,) = of_markdown(whole)
    assert chunk.text == whole
    assert not re.search(r"[\x00\x1b\u202e\r]", chunk.embed_text)


def test_headings_take_a_quarter_of_what_the_model_reads_at_most() -> None:
    long = " ".join(f"heading{i}" for i in range(400))
    found = of_markdown(f"# {long}\n\n{sentences(60)}")
    assert all(WORDS.count(c.embed_text) <= WORDS.limit for c in found)
    assert WORDS.count(found[-1].embed_text.split("\n")[0]) == 254 // 4


def test_languages_are_told_chunk_by_chunk() -> None:
    whole = f"# A\n\n{sentences(20)}\n\n# B\n\n입금은 계약이 끝난 뒤 열흘 안에 돌려받습니다.\n"
    assert [c.lang for c in of_markdown(whole)] == ["en", "ko"]


def test_real_tokens_are_counted() -> None:
    embedder = HashEmbedder(16, max_tokens=60)
    tokenizer = Tokenizer.of(embedder)
    for chunk in of_markdown("# Rent\n\n" + sentences(30), tokenizer):
        assert chunk.tokens == len(embedder.token_spans(chunk.embed_text)) <= 60
