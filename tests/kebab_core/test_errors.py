"""Every failure has a code of its own that the wire knows."""

from __future__ import annotations

from typing import get_args

from kebab_core import errors
from kebab_core.wire.error import ErrorCode


def _tree(root: type[errors.KebabError]) -> list[type[errors.KebabError]]:
    own = [kind for kind in root.__subclasses__() if kind.__module__ == errors.__name__]
    return [root, *(leaf for child in own for leaf in _tree(child))]


def test_the_tree_and_the_wire_have_the_same_codes() -> None:
    assert {kind.code for kind in _tree(errors.KebabError)} == set(get_args(ErrorCode))


def test_the_docstring_draws_the_whole_tree() -> None:
    drawn = errors.__doc__ or ""
    for kind in _tree(errors.KebabError):
        assert kind.__name__ in drawn
