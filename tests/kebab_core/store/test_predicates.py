"""Whatever a value holds, it is data."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab_core.errors import InvalidInput
from kebab_core.store import Store
from kebab_core.store.predicates import NOTHING, equals, glob_to_regex, narrowing, one_of
from kebab_core.types import Filters
from tests.support.corpus import EMBEDDER, filled, stored

HOSTILE = [
    "x' OR '1'='1",
    "'",
    "''",
    "\\",
    "\\'",
    '"',
    "'; DROP TABLE chunks; --",
    "%",
    "_",
    "a%",
    "NULL",
    "\x00",
    "\n",
    "\t'\r\n",
    "한국'어",
    "🙂",
    "\ud800",
    "--",
    "/* x */",
    "${x}",
    "{}",
    "$1",
    "?",
    ":name",
    "@v",
    "E'\\x27'",
]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A document a hostile value, which is its path, medium, language, source and tag."""
    documents = [
        stored(
            value, ["cat"], EMBEDDER, source_id=value, media=value, lang=value, tags=(value, "t")
        )
        for value in HOSTILE
    ]
    return filled(tmp_path_factory.mktemp("hostile"), documents, EMBEDDER)


def paths(store: Store, filters: Filters) -> set[str]:
    found = store.search_terms(["cat"], 100, filters)
    near = store.search_vector(EMBEDDER.embed_query("cat"), 100, filters)
    assert {f.chunk.doc_path for f in found} == {f.chunk.doc_path for f in near}
    return {f.chunk.doc_path for f in found}


@pytest.mark.parametrize("value", HOSTILE)
def test_a_hostile_value_matches_itself_alone(hostile: Store, value: str) -> None:
    kept = {value.replace("\ud800", "\ufffd")}
    doc = stored(value, [], source_id=value).document.doc_id
    for filters in (
        Filters(source_ids=(value,)),
        Filters(media=(value,)),
        Filters(langs=(value,)),
        Filters(tags=(value,)),
        Filters(doc_ids=(doc,)),
        Filters(source_ids=(value,), media=(value,), langs=(value,), tags=(value,), doc_ids=(doc,)),
    ):
        assert paths(hostile, filters) == kept
    assert [item.doc_id for item in hostile.documents(source_ids=[value])] == [doc]
    assert hostile.document(value) is None
    assert hostile.chunk(value) is None
    assert hostile.vectors([value]) == {}


def test_fields_are_joined_by_and_values_by_or(hostile: Store) -> None:
    assert paths(hostile, Filters(media=("%", "_"))) == {"%", "_"}
    assert paths(hostile, Filters(media=("%", "_"), langs=("%",))) == {"%"}
    assert paths(hostile, Filters(media=("%",), langs=("_",))) == set()
    assert len(paths(hostile, Filters(tags=("t",)))) == len(HOSTILE)
    assert narrowing(Filters()) is None
    assert narrowing(Filters(), visible=[]) == NOTHING
    assert one_of("a", []) == NOTHING
    assert equals("a", "it's") == "a = 'it''s'"


def test_code_language_is_a_language_too(tmp_path: Path) -> None:
    item = stored("a.py", ["cat"], EMBEDDER, lang=None)
    from dataclasses import replace

    from kebab_core.store import StoredDocument

    chunks = [replace(chunk, code_lang="python") for chunk in item.chunks]
    store = filled(tmp_path, [StoredDocument(item.document, chunks, item.vectors)], EMBEDDER)
    assert paths(store, Filters(langs=("python", "ko"))) == {"a.py"}
    assert paths(store, Filters(langs=("ko",))) == set()


GLOB_PATHS = [
    "a.md",
    "b.txt",
    "docs/a.md",
    "docs/deep/er/a.md",
    "docs/b[1].md",
    "other/docs/c.md",
    "docs.md/x.rs",
    "with space/ü é.md",
    "new\nline.md",
    "한국/문서.md",
    "a+b(c)|d^e$.md",
    "f-g&h~i#.md",
    "quo'te.md",
]
GLOBS = {
    "*.md": {path for path in GLOB_PATHS if PurePosixPath(path).suffix == ".md"} | {"docs.md/x.rs"},
    "docs/*.md": {"docs/a.md", "docs/b[1].md"},
    "docs/**/*.md": {"docs/a.md", "docs/b[1].md", "docs/deep/er/a.md"},
    "docs": {"docs/a.md", "docs/deep/er/a.md", "docs/b[1].md", "other/docs/c.md"},
    "docs/": {"docs/a.md", "docs/deep/er/a.md", "docs/b[1].md", "other/docs/c.md"},
    "/docs/deep": {"docs/deep/er/a.md"},
    "./docs/deep": {"docs/deep/er/a.md"},
    "**/er/*": {"docs/deep/er/a.md"},
    "docs/**": {"docs/a.md", "docs/deep/er/a.md", "docs/b[1].md"},
    "?.md": {"a.md", "docs/a.md", "docs/deep/er/a.md", "other/docs/c.md"},
    "[ab].*": {"a.md", "b.txt", "docs/a.md", "docs/deep/er/a.md"},
    "[!a].*": {"b.txt", "other/docs/c.md", "docs.md/x.rs"},
    "b[[]1].md": {"docs/b[1].md"},
    "한국/*": {"한국/문서.md"},
    "*b(c)|d^e$.md": {"a+b(c)|d^e$.md"},
    "f-g&h~i#.md": {"f-g&h~i#.md"},
    "quo'te.md": {"quo'te.md"},
    "with space/*": {"with space/ü é.md"},
    "new*": {"new\nline.md"},
    "nothing": set(),
    ".": set(GLOB_PATHS),
    "**": set(GLOB_PATHS),
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Store:
    documents = [stored(path, ["cat"], EMBEDDER) for path in GLOB_PATHS]
    return filled(tmp_path_factory.mktemp("tree"), documents, EMBEDDER)


@pytest.mark.parametrize("glob", GLOBS)
def test_globs(tree: Store, glob: str) -> None:
    assert paths(tree, Filters(path_globs=(glob,))) == GLOBS[glob]


def test_several_globs(tree: Store) -> None:
    found = paths(tree, Filters(path_globs=("b.txt", "한국/*"), media=("markdown",)))
    assert found == {"b.txt", "한국/문서.md"}


@pytest.mark.parametrize("glob", ["", "  ", "*" * 1001], ids=["empty", "blank", "long"])
def test_globs_that_are_refused(glob: str) -> None:
    with pytest.raises(InvalidInput):
        glob_to_regex(glob)


def test_the_longest_glob_is_read(tree: Store) -> None:
    assert paths(tree, Filters(path_globs=("?*" * 500,))) == set()
    assert paths(tree, Filters(path_globs=("[" * 1000,))) == set()
    assert paths(tree, Filters(path_globs=("**/" * 300 + "a.md",))) == {
        "a.md",
        "docs/a.md",
        "docs/deep/er/a.md",
    }


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab[]!^-*?/\\.(){}+|$&~#' \n한"), max_size=12))
def test_any_glob_is_a_regex_that_lancedb_reads(tree: Store, glob: str) -> None:
    if not glob.strip():
        return
    tree.search_terms(["cat"], 100, Filters(path_globs=(glob,)))
    if "[" not in glob:  # Python writes class intersections another way
        pattern = re.compile(glob_to_regex(glob).replace(r"\z", r"\Z"))
        expected = {path for path in GLOB_PATHS if pattern.search(path)}
        assert paths(tree, Filters(path_globs=(glob,))) == expected


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=20).filter(lambda text: "\ud800" not in text))
def test_any_text_is_a_value(tree: Store, value: str) -> None:
    assert paths(tree, Filters(tags=(value,))) == set()
    expected = {"markdown"} if value == "markdown" else set()
    assert paths(tree, Filters(media=(value,))) == expected
