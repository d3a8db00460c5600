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
        ("a.yaml", "type: object", "type"),
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


TREES = {
    "a.py": (
        "class Store:\n    '''Doc.'''\n\n    limit = 3\n\n    # About get.\n    @cached\n"
        "    def get(self, key):\n        return key\n\n"
        + "    # more\n"
        * 50
        + "\n    def put(self):\n        def inner():\n            pass\n\n    after = 1\n\n"
        "async def run():\n    pass\n\nmain = run()\n",
        ["Store", "Store.get", "Store", "Store.put", "Store", "run", None],
    ),
    "a.ts": (
        "export class A<T> {\n  x = 1;\n" + "  // more\n" * 50 + "  get(): T { return 1 }\n}\n"
        "export const load = async (x: number) => {\n  return x\n}\n"
        "namespace N {\n  export function f() {}\n}\n",
        ["A", "A.get", "load", "N", "N.f"],
    ),
    "a.tsx": ("export function App() {\n  return <p>x</p>\n}\n", ["App"]),
    "a.go": (
        (
            "package a\n\n// Get gets.\nfunc (s *Store) Get(k string) error {\n\treturn nil\n}\n\n"
            "type T struct {\n\tx int\n}\n"
        ),
        [None, "Get", "T"],
    ),
    "a.rs": (
        (
            "use a::b;\n\n/// Doc.\n#[derive(Debug)]\npub struct S;\n\n"
            "impl<T> Display for Shape<T> {\n    fn fmt(&self) {}\n}\n"
        ),
        [None, "S", "Display for Shape<T>"],
    ),
    "a.h": (
        (
            "#ifndef A_H\n#define A_H\n\n/* Adds. */\nint *add(int a, int b);\n\n"
            "static int *sub(int a) {\n  return 0;\n}\n\nstruct point { int x; };\n#endif\n"
        ),
        [None, None, "sub", "point", None],
    ),
    "a.cpp": (
        (
            "namespace n {\ntemplate <typename T>\nclass A {\n  void f();\n};\n}\n"
            "void n::A::f() {\n}\n"
        ),
        ["n", "n.A", "n::A::f"],
    ),
    "a.java": ("package a;\n\n/** Doc. */\npublic class A {\n  void f() {}\n}\n", [None, "A"]),
    "a.rb": ("module M\n  class A\n    def f?\n    end\n  end\nend\n", ["M", "M.A"]),
    "a.sh": ("set -e\n\n# Builds.\nbuild() {\n  make\n}\n\nbuild\n", [None, "build", None]),
}


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_definitions_by_the_languages_own_grammar(name: str, end: str) -> None:
    text, expected = TREES[name]
    text = text.replace("\n", end)
    extraction = extract(text, name)
    assert [block.symbol for block in extraction.blocks] == expected
    assert "".join(text[block.start : block.end] for block in extraction.blocks) == text


def test_comments_belong_to_what_they_stand_above() -> None:
    text, _ = TREES["a.py"]
    pieces = {block.symbol: text[block.start : block.end] for block in extract(text, "a.py").blocks}
    assert pieces["Store.get"].startswith("    # About get.\n    @cached\n    def get")


def test_without_the_grammar_the_margin_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    from kebab_core.ingest.extract import code

    monkeypatch.setattr(code, "definitions", lambda text, language: None)
    assert symbols("a.py", "def f():\n    pass\n\n\nclass A:\n    pass\n") == ["f", "A"]


def test_formats_and_grammars_agree() -> None:
    from kebab_core.ingest.extract import code_tree, formats

    assert code_tree.LANGUAGES - {"tsx"} == formats.PARSED
    for language in code_tree.LANGUAGES:
        assert code_tree.definitions("", language) == []
