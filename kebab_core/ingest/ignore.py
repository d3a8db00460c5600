"""`.gitignore`, `.ignore` and `.kebabignore`, nested and with negation, read by pathspec."""

from __future__ import annotations

import os
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from kebab_core.ingest.reading import read_file, reason_of

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE_FILES = (".gitignore", ".ignore", ".kebabignore")
"""From weakest to strongest, over all levels: a `.kebabignore` above wins over a `.gitignore`
below, as in ripgrep."""

_LONGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class _Level:
    """The patterns of one file, for paths below `base` (which ends with a slash)."""

    base: str
    spec: GitIgnoreSpec
    above: _Level | None


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The ignore files in force in one directory, nearest first. Values are shared, not copied."""

    levels: tuple[_Level | None, ...] = (None,) * len(IGNORE_FILES)
    warnings: list[str] = field(default_factory=list)
    says_nothing: bool = True

    def verdict(self, path: str, *, is_dir: bool) -> bool | None:
        """True: left out; False: a `!` pattern brings it in; None: no pattern speaks of it."""
        name = path + "/" if is_dir else path
        for nearest in reversed(self.levels):
            level = nearest
            while level is not None:
                include = level.spec.check_file(name[len(level.base) :]).include
                if include is not None:
                    return include
                level = level.above
        return None

    def entered(self, directory: str, names: Container[str]) -> IgnoreRules:
        """The rules inside `directory`, which holds `names`."""
        present = [i for i, name in enumerate(IGNORE_FILES) if name in names]
        if not present:
            return self
        levels = list(self.levels)
        base = directory.rstrip("/") + "/"
        for i in present:
            lines = self._lines(base + IGNORE_FILES[i])
            if lines:
                spec = compiled(lines, base + IGNORE_FILES[i], self.warnings)
                levels[i] = _Level(base, spec, levels[i])
        return IgnoreRules(tuple(levels), self.warnings, not any(levels))

    def _lines(self, path: str) -> list[str]:
        try:
            data = read_file(path, _LONGEST).data
        except OSError as failure:
            self.warnings.append(f"{path}: {reason_of(failure)}; not honoured.")
            return []
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
        return [line.rstrip("\r") for line in text.split("\n")]


def compiled(lines: Sequence[str], where: str, warnings: list[str]) -> GitIgnoreSpec:
    """The patterns of `lines`; one that can't be read is left out, and `warnings` says so."""
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        good = []
        for line in lines:
            try:
                GitIgnoreSpec.from_lines([line])
                good.append(line)
            except ValueError:
                warnings.append(f"{where}: {line!r} is no pattern; left out.")
        return GitIgnoreSpec.from_lines(good)


def rules_above(root: str, warnings: list[str]) -> IgnoreRules:
    """The rules of the repository that `root` stands in, down to the directory above `root`.

    Nothing where it stands in none, or where those rules leave out `root` itself: it was asked
    for by name.
    """
    top = Path(root)
    repository = next((at for at in (top, *top.parents) if os.path.lexists(at / ".git")), None)
    rules = IgnoreRules(warnings=warnings)
    if repository is None:
        return rules
    parts = top.relative_to(repository).parts
    for i, part in enumerate(parts):
        directory = repository.joinpath(*parts[:i])
        rules = rules.entered(
            str(directory), [n for n in IGNORE_FILES if (directory / n).is_file()]
        )
        if rules.verdict(str(directory / part), is_dir=True):
            return IgnoreRules(warnings=warnings)
    return rules
