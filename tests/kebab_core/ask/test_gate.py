"""Weak or strong."""

from __future__ import annotations

from kebab_core.ask.gate import Gate, judge
from tests.support.asking import LEAVE, hit


def test_the_gate() -> None:
    assert judge(LEAVE, 0.5) == Gate(0.5, 0.8)
    assert not judge(LEAVE, 0.8).is_weak
    assert judge(LEAVE, 0.81).is_weak
    assert judge([hit("x", relevance=None)], 0.0).is_weak
    assert judge([], 0.0).is_weak
