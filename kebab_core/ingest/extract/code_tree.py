"""Definitions in source code, by tree-sitter: on which lines each stands, and its full name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_GRAMMARS = {
    "python": ("tree_sitter_python", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "go": ("tree_sitter_go", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "java": ("tree_sitter_java", "language"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "ruby": ("tree_sitter_ruby", "language"),
    "shell": ("tree_sitter_bash", "language"),
}
LANGUAGES = frozenset(_GRAMMARS)

_SPLIT_LINES = 40
"""A class of more lines is taken apart into its methods."""
_DEEPEST = 4

_WRAPPERS = frozenset(["decorated_definition", "export_statement", "template_declaration"])
_TRANSPARENT = frozenset(
    ["preproc_ifdef", "preproc_if", "preproc_else", "linkage_specification", "declaration_list",
     "ambient_declaration", "expression_statement"]
)  # fmt: skip
_SPACES = frozenset(["namespace_definition", "mod_item", "module", "internal_module"])
_CONTAINERS = _SPACES | frozenset(
    ["class_definition", "class_declaration", "abstract_class_declaration", "class_specifier",
     "struct_specifier", "interface_declaration", "enum_declaration", "record_declaration",
     "impl_item", "trait_item", "class", "singleton_class"]
)  # fmt: skip
_FUNCTIONS = frozenset(
    ["function_definition", "function_declaration", "generator_function_declaration",
     "method_definition", "method_declaration", "constructor_declaration", "function_item",
     "function_signature_item", "macro_definition", "method", "singleton_method",
     "abstract_method_signature"]
)  # fmt: skip
_OTHERS = frozenset(
    ["type_alias_declaration", "type_declaration", "struct_item", "enum_item", "union_item",
     "enum_specifier", "union_specifier", "annotation_type_declaration"]
)  # fmt: skip
_ASSIGNED = frozenset(["arrow_function", "function_expression", "function", "class"])
_ABOVE = frozenset(["comment", "line_comment", "block_comment", "attribute_item", "decorator"])
_LINE_END = re.compile(r"\r\n?")


class Definition(NamedTuple):
    """Lines from 0; `first` is that of the comments right above it. `beyond` is not in it."""

    first: int
    beyond: int
    symbol: str


def definitions(text: str, language: str) -> list[Definition] | None:
    """In order. Where a class is taken apart, its methods follow it and lie within it.

    None where there is no grammar for the language, or none installed.
    """
    parser = _parser(language)
    if parser is None:
        return None
    # Rows as `line_spans` counts lines.
    source = _LINE_END.sub("\n", text).encode("utf-8", "replace")
    return list(_walk(parser.parse(source).root_node, "", 0))


@cache
def _parser(language: str) -> Parser | None:
    if language not in _GRAMMARS:
        return None
    module, function = _GRAMMARS[language]
    try:
        import tree_sitter

        grammar = getattr(import_module(module), function)()
    except ImportError:
        return None
    return tree_sitter.Parser(tree_sitter.Language(grammar))


def _walk(parent: Node, prefix: str, depth: int) -> Iterator[Definition]:
    above: int | None = None  # where the comments that touch the next node begin
    last = -1
    for node in parent.named_children:
        row = node.start_point.row
        if node.type in _ABOVE and row > last:
            above = row if above is None or row > last + 1 else above
            last = _last_row(node)
            continue
        first = above if above is not None and row <= last + 1 else row
        above, last = None, _last_row(node)
        inner = _unwrapped(node)
        name = _name(inner)
        if name is None:
            if inner.type in _TRANSPARENT and depth < _DEEPEST:
                yield from _walk(inner, prefix, depth + 1)
            continue
        symbol = f"{prefix}{name}"
        yield Definition(first, last + 1, symbol)
        body = inner.child_by_field_name("body")
        is_long = last - row >= _SPLIT_LINES
        if body is None or inner.type not in _CONTAINERS or depth >= _DEEPEST:
            continue
        if is_long or inner.type in _SPACES:
            yield from _walk(body, f"{symbol}.", depth + 1)


def _last_row(node: Node) -> int:
    """Some nodes end with the line end after them."""
    end = node.end_point
    return end.row - 1 if end.column == 0 and end.row > node.start_point.row else end.row


def _unwrapped(node: Node) -> Node:
    for _ in range(_DEEPEST):
        if node.type not in _WRAPPERS:
            break
        inner = node.child_by_field_name("definition") or node.child_by_field_name("declaration")
        node = inner or (node.named_children[-1] if node.named_children else node)
    return node


def _name(node: Node) -> str | None:
    """Of what is defined there; None where nothing is."""
    if node.type in ("lexical_declaration", "variable_declaration"):
        return _assigned(node)
    if node.type not in _CONTAINERS | _FUNCTIONS | _OTHERS:
        return None
    if node.type == "impl_item":
        parts = [_text(node.child_by_field_name(field)) for field in ("trait", "type")]
        return " for ".join(part for part in parts if part) or None
    if node.type == "type_declaration":  # Go: `type T struct`
        return next(filter(None, (_field(inner, "name") for inner in node.named_children)), None)
    named = _field(node, "name")
    if named is None and node.type in ("struct_specifier", "enum_specifier", "union_specifier"):
        return None
    return named or _declared(node)


def _assigned(node: Node) -> str | None:
    for declarator in node.named_children:
        value = declarator.child_by_field_name("value")
        if value is not None and value.type in _ASSIGNED:
            return _field(declarator, "name")
    return None


def _declared(node: Node) -> str | None:
    """C: `int *name(int x)` is a name within declarators."""
    inner = node.child_by_field_name("declarator")
    for _ in range(10):
        if inner is None or inner.child_by_field_name("declarator") is None:
            break
        inner = inner.child_by_field_name("declarator")
    return _text(inner)


def _field(node: Node, field: str) -> str | None:
    return _text(node.child_by_field_name(field))


def _text(node: Node | None) -> str | None:
    if node is None or node.text is None:
        return None
    return " ".join(node.text.decode("utf-8", "replace").split())[:200] or None
