"""Prints each assertion as it is made, and counts."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field


@dataclass
class Report:
    """`failed` holds the claims that didn't hold."""

    held: int = 0
    failed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def topic(self, name: str) -> None:
        self._print(f"\n{name}")

    def check(self, claim: str, holds: bool, saw: object = None) -> bool:
        """Whether `claim` holds; what was seen is printed where it doesn't."""
        if holds:
            self.held += 1
            self._print(f"  ok    {claim}")
        else:
            self.failed.append(claim)
            self._print(f"  FAIL  {claim}" + ("" if saw is None else f"\n        saw: {saw}"))
        return holds

    def skip(self, claim: str, why: str) -> None:
        self.skipped.append(claim)
        self._print(f"  skip  {claim} ({why})")

    def close(self) -> int:
        """Print the sum; the exit code."""
        failed, skipped = len(self.failed), len(self.skipped)
        for claim in self.failed:
            self._print(f"FAILED: {claim}")
        self._print(f"\n{self.held} passed, {failed} failed, {skipped} skipped")
        return 1 if failed else 0

    def _print(self, line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
