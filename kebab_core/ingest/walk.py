"""The walk of one unit: sorted, iterative, never through a link, never twice the same way."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from kebab_core.ingest import names
from kebab_core.ingest.excludes import MARKED, is_excluded_directory, is_excluded_file
from kebab_core.ingest.found import FoundFile, Problem, Walked
from kebab_core.ingest.ignore import IgnoreRules, compiled, rules_above
from kebab_core.ingest.reading import reason_of
from kebab_core.ingest.roots import Source, Unit, is_inside

EXCLUDED = "excluded by ignore rules"
LINK_OUT = "a link that leads out of the folder; not followed"


class Walk:
    """`others` are paths below that belong to another source or are never entered."""

    def __init__(
        self,
        unit: Unit,
        others: frozenset[str],
        single_files: Mapping[str, str],
        warnings: list[str],
        cancelled: Callable[[], bool],
    ) -> None:
        self._source = unit.source
        self._start = unit.start
        self._others = others
        self._single_files = single_files
        self._warnings = warnings
        self._cancelled = cancelled
        self._result = Walked(unit)
        self._filter = _Filter(unit.source, warnings)

    def run(self) -> Walked:
        start = Path(self._start)
        try:
            at = start.stat()
            if stat.S_ISREG(at.st_mode):
                self._lone_file(at)
            else:
                self._tree()
        except OSError as failure:
            self._result.gone = reason_of(failure)
        return self._result

    def _lone_file(self, at: os.stat_result) -> None:
        if not self._source.path:
            doc_path = self._single_files[self._start]
        else:
            doc_path = self._source.doc_path_of(self._start)
            folder, _, name = self._start.rpartition("/")
            if self._start != self._source.path:
                rules = self._rules_inside(folder or "/")
                if rules is None or not self._filter.wants_file(folder, name, rules):
                    self._excluded()
                    return
        self._take(doc_path, self._start, at)

    def _tree(self) -> None:
        folder, _, name = self._start.rpartition("/")
        if self._start == self._source.path:
            rules: IgnoreRules | None = rules_above(self._start, self._warnings)
        else:
            rules = self._rules_inside(folder or "/")
            if rules is not None and not self._filter.wants_directory(
                folder, name, _listed(folder or "/"), rules
            ):
                rules = None
        if rules is None:
            self._excluded()
            return
        stack = [(self._start, rules)]
        while stack and not self._cancelled():
            directory, rules = stack.pop()
            stack.extend((below, inner) for below, inner in self._directory(directory, rules))

    def _excluded(self) -> None:
        # Nothing is known of what is there: what is stored of it stays until its source is walked.
        self._result.blind.append(self._start)
        self._problem(self._start, EXCLUDED, "excluded")

    def _rules_inside(self, directory: str) -> IgnoreRules | None:
        """The rules for what is in `directory`, below the root; None where they exclude it."""
        here = self._source.path
        rules = rules_above(here, self._warnings)
        below = directory[len(here.rstrip("/")) + 1 :]
        for part in below.split("/") if below else ():
            siblings = _listed(here)
            rules = rules.entered(here, siblings)
            if not self._filter.wants_directory(here, part, siblings, rules):
                return None
            here = f"{here.rstrip('/')}/{part}"
        return rules.entered(here, _listed(here))

    def _directory(self, directory: str, rules: IgnoreRules) -> list[tuple[str, IgnoreRules]]:
        """Take the files of one directory; returns those in it to be walked, the last one first."""
        try:
            with os.scandir(directory) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as failure:
            self._result.blind.append(directory)
            self._problem(directory, f"the folder can't be read: {reason_of(failure)}")
            return []
        listed = {entry.name for entry in entries}
        if directory == self._start:
            self._result.is_empty = not entries
        elif not MARKED.isdisjoint(listed):
            return []
        rules = rules.entered(directory, listed)
        stored = "" if directory == self._source.path else self._source.doc_path_of(directory) + "/"
        prefix = directory.rstrip("/") + "/"
        below = []
        # Looked up once a directory: this is done for every file of the disk.
        plain = rules.says_nothing and self._filter.says_nothing
        wants_file, take = self._filter.wants_file, self._result.files.append
        source_id = self._source.source_id
        for entry in entries:
            name = entry.name
            path = prefix + name
            if path in self._others:
                continue
            try:
                if entry.is_dir(follow_symlinks=False):
                    if self._filter.wants_directory(directory, name, listed, rules):
                        below.append((path, rules))
                elif is_excluded_file(name) if plain else not wants_file(directory, name, rules):
                    continue
                elif entry.is_file(follow_symlinks=False):
                    at = entry.stat(follow_symlinks=False)
                    text = name if name.isascii() and "%" not in name else names.to_text(name)
                    take(FoundFile(source_id, stored + text, path, at.st_size, at.st_mtime_ns))
                elif entry.is_symlink():
                    self._link(path)
            except FileNotFoundError:
                continue  # gone since the listing
            except OSError as failure:
                self._result.blind.append(path)
                self._problem(path, reason_of(failure))
        below.reverse()
        return below

    def _link(self, path: str) -> None:
        """A link inside the root leads to what is found under its own name: nothing to do."""
        if not is_inside(os.path.realpath(path), self._source.path):
            self._problem(path, LINK_OUT, "link")

    def _take(self, doc_path: str, path: str, at: os.stat_result) -> None:
        self._result.files.append(
            FoundFile(self._source.source_id, doc_path, path, at.st_size, at.st_mtime_ns)
        )

    def _problem(self, path: str, reason: str, kind: str | None = None) -> None:
        doc_path = self._source.doc_path_of(path)
        self._result.problems.append(Problem(self._source.source_id, doc_path, reason, kind))


class _Filter:
    """What is wanted of one source: ignore rules, built-in excludes, `include` and `exclude`.

    The latter two are in gitignore syntax, relative to the root.
    """

    def __init__(self, source: Source, warnings: list[str]) -> None:
        where = f"source {source.source_id}"
        self._at = len(source.path.rstrip("/")) + 1
        self._include = compiled(source.include, where, warnings) if source.include else None
        self._exclude = compiled(source.exclude, where, warnings) if source.exclude else None
        self.says_nothing = self._include is None and self._exclude is None

    def wants_file(self, directory: str, name: str, rules: IgnoreRules) -> bool:
        path = f"{directory.rstrip('/')}/{name}"
        verdict = None if rules.says_nothing else rules.verdict(path, is_dir=False)
        if verdict or (verdict is None and is_excluded_file(name)):
            return False
        if self._exclude is not None and self._exclude.match_file(path[self._at :]):
            return False
        return self._include is None or self._include.match_file(path[self._at :])

    def wants_directory(
        self, directory: str, name: str, siblings: Collection[str], rules: IgnoreRules
    ) -> bool:
        """`include` doesn't count here: a directory may hold what is included at any depth."""
        path = f"{directory.rstrip('/')}/{name}/"
        verdict = None if rules.says_nothing else rules.verdict(path[:-1], is_dir=True)
        if verdict or (verdict is None and is_excluded_directory(name, siblings)):
            return False
        return self._exclude is None or not self._exclude.match_file(path[self._at :])


def _listed(directory: str) -> set[str]:
    try:
        with os.scandir(directory) as listing:
            return {entry.name for entry in listing}
    except OSError:
        return set()  # the walk itself will meet it, and say so
