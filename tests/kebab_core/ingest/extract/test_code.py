from __future__ import annotations

import pytest

from kebab_core.ingest.extract.code import extract
from kebab_core.ingest.extract.outcome import Skipped

PYTHON = '''\
"""Module."""

import os
from x import y

LIMIT = 3


# About the function,
# in two lines.
@cached
async def first(a,
                b
):
    """Doc.

    More.
    """
    return a


class Second(Base):
    def inner(self):
        pass

    x = 1


if __name__ == "__main__":
    first()
'''


def symbols(name: str, text: str) -> list[str | None]:
    return [block.symbol for block in extract(text, name).blocks]


def test_python_functions_and_classes_with_what_stands_above_them() -> None:
    extraction = extract(PYTHON, "a.py")
    assert extraction.code_lang == "python"
    pieces = {block.symbol: PYTHON[block.start : block.end] for block in extraction.blocks}
    assert pieces["first"].startswith("# About the function")
    assert pieces["first"].rstrip().endswith("return a")
    assert pieces["Second"].rstrip().endswith("x = 1")
    assert "".join(PYTHON[b.start : b.end] for b in extraction.blocks) == PYTHON
    assert [b.symbol for b in extraction.blocks][-1] is None


@pytest.mark.parametrize(
    ("name", "line", "symbol"),
    [
        ("a.py", "def f():", "f"),
        ("a.py", "class A(B):", "A"),
        ("a.py", "x = 1", None),
        ("a.js", "export default function main() {", "main"),
        ("a.js", "const load = async (x) => {", "load"),
        ("a.js", "const limit = 3", None),
        ("a.ts", "export interface Shape<T> {", "Shape"),
        ("a.ts", "export type Id = string", "Id"),
        ("a.go", "func (s *Store) Get(key string) error {", "Get"),
        ("a.go", "type T struct {", "T"),
        ("a.rs", "pub(crate) async fn run<T>(x: T) {", "run"),
        ("a.rs", "impl<T> Display for Shape<T> {", "Display"),
        ("a.java", "public final class A {", "A"),
        ("a.cs", "internal sealed record Point(int X);", "Point"),
        ("a.rb", "def empty?", "empty?"),
        ("a.kt", "data class User(val id: Int)", "User"),
        ("a.swift", "extension Array {", "Array"),
        ("a.php", "function load_all() {", "load_all"),
        ("a.ex", "defmodule Foo.Bar do", "Foo.Bar"),
        ("a.sh", "build_all() {", "build_all"),
        ("a.lua", "local function go()", "go"),
        ("a.sql", "CREATE TABLE IF NOT EXISTS users (", "users"),
        ("a.proto", "message Person {", "Person"),
        ("a.toml", "[tool.ruff]", "tool.ruff"),
        ("a.yaml", "type: object", None),
    ],
)
def test_what_a_line_defines(name: str, line: str, symbol: str | None) -> None:
    assert symbols(name, line + "\n    body\n") == [symbol]


def test_methods_and_closing_brackets_begin_no_block() -> None:
    text = "class A {\n\n    foo() {}\n\n}\n\nfunction b(\n  x,\n) {\n}\n"
    assert symbols("a.js", text) == ["A", "b"]


def test_minified_files_are_passed_over() -> None:
    with pytest.raises(Skipped) as caught:
        extract("var a=1;" * 5_000, "a.js")
    assert caught.value.kind == "generated"
    assert "40,000 characters a line" in caught.value.reason


def test_an_empty_text_has_no_blocks() -> None:
    assert extract("", "a.py").blocks == ()
