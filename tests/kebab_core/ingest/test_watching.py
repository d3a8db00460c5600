"""Real folders, watched by the real system, while things happen to them."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Self

import pytest

from kebab_core.errors import KebabError, StoreLocked
from kebab_core.ingest import watching
from kebab_core.ingest.watching import Watching
from tests.kebab_core.ingest.conftest import Desk

PATIENCE_S = 60


class Watch:
    """A watch of a desk's roots in a thread of its own. `runs` are the paths of each run."""

    def __init__(self, desk: Desk, *starts: Path) -> None:
        self.desk = desk
        self.runs: list[list[str]] = []
        self.failures: list[KebabError] = []
        self.fail_with: KebabError | None = None
        self._stop = threading.Event()
        self._begun = threading.Event()
        self._watching = Watching(
            [str(start) for start in starts],
            self._ingest,
            failed=self.failures.append,
            cancelled=self._stop.is_set,
            not_below=frozenset({str(desk.workspace.directory)}),
        )
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        self._watching.run(self._begun.set)

    def _ingest(self, paths: Sequence[str]) -> None:
        if self.fail_with is not None:
            failure, self.fail_with = self.fail_with, None
            raise failure
        self.desk.ingest(*paths)
        self.runs.append(list(paths))

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._begun.wait(PATIENCE_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()

    def until(self, is_so: Callable[[], bool]) -> None:
        limit = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < limit, (self.runs, self.desk.paths())
            time.sleep(0.05)

    def until_paths(self, *paths: str) -> None:
        self.until(lambda: self.desk.paths() == sorted(paths))


@pytest.fixture
def watched(desk: Desk) -> Iterator[Watch]:
    desk.write("stays.md", "words that stay")
    desk.ingest()
    with Watch(desk, desk.notes) as watch:
        yield watch


def test_new_changed_renamed_and_deleted(watched: Watch) -> None:
    desk = watched.desk
    path = desk.write("sub/a.md", "words")
    watched.until_paths("stays.md", "sub/a.md")
    path.write_text("other words")
    watched.until(lambda: desk.documents()["sub/a.md"].text == "other words")
    (desk.notes / "sub").rename(desk.notes / "renamed")
    watched.until_paths("renamed/a.md", "stays.md")
    (desk.notes / "renamed/a.md").unlink()
    watched.until_paths("stays.md")


def test_a_burst_is_one_run_of_the_folders_it_is_in(watched: Watch) -> None:
    desk = watched.desk
    (desk.notes / "sub").mkdir()
    for i in range(40):
        desk.write(f"sub/{i}.md", f"words {i}")
    watched.until(lambda: len(desk.paths()) == 41)
    # Under load the system may tell of a burst in parts; of forty files never one by one.
    assert len(watched.runs) < 5
    assert str(desk.notes) in watched.runs[0] or str(desk.notes / "sub") in watched.runs[0]


def test_an_editors_way_of_saving_is_an_update(watched: Watch) -> None:
    desk = watched.desk
    path = desk.notes / "stays.md"
    # As vim does it: a swap file, the old one renamed to a backup, the new one written.
    desk.write(".stays.md.swp", b"\0\1")
    path.rename(desk.notes / "stays.md~")
    path.write_text("words that were saved")
    (desk.notes / ".stays.md.swp").unlink()
    watched.until(lambda: desk.documents()["stays.md"].text == "words that were saved")
    (desk.notes / "stays.md~").unlink()
    # As others do it: another file renamed over it.
    desk.write("stays.md.tmp", "words saved once more").rename(path)
    watched.until(lambda: desk.documents()["stays.md"].text == "words saved once more")
    assert desk.paths() == ["stays.md"]


def test_a_root_that_vanishes_and_comes_back(watched: Watch, tmp_path: Path) -> None:
    desk = watched.desk
    desk.notes.rename(tmp_path / "away")
    (tmp_path / "away/new.md").write_text("written while it was away")
    # Told of nothing, it must notice by itself: nothing is removed, and it is read when it's back.
    assert desk.paths() == ["stays.md"]
    (tmp_path / "away").rename(desk.notes)
    watched.until_paths("new.md", "stays.md")
    shutil.rmtree(desk.notes)
    desk.write("again.md", "of another folder by that name")
    desk.write("stays.md", "words that stay")
    watched.until(lambda: "again.md" in desk.paths())
    desk.write("later.md", "seen too")
    watched.until(lambda: "later.md" in desk.paths())


def test_what_fails_is_tried_again(watched: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched._watching, "_wait_s", 0.1)
    watched.fail_with = StoreLocked("The corpus is being written by another process.")
    watched.desk.write("a.md", "words")
    watched.until_paths("a.md", "stays.md")
    assert [type(failure) for failure in watched.failures] == [StoreLocked]


def test_single_files_are_looked_at(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "todo.md"
    path.write_text("first")
    desk.ingest(path)
    with Watch(desk, path) as watch:
        path.write_text("second thoughts")
        watch.until(lambda: desk.documents()["todo.md"].text == "second thoughts")
        path.unlink()
        path.write_text("third thoughts, after it was away")
        watch.until(lambda: desk.documents()["todo.md"].text.startswith("third"))


def test_a_corpus_inside_what_is_watched_doesnt_wake_it(desk: Desk, tmp_path: Path) -> None:
    desk.write("a.md", "words")
    desk.ingest()
    with Watch(desk, tmp_path) as watch:  # the workspace is in it
        desk.write("b.md", "other words")
        watch.until_paths("a.md", "b.md")
        runs = len(watch.runs)
        desk.write("c.md", "more words")
        watch.until_paths("a.md", "b.md", "c.md")
        assert len(watch.runs) <= runs + 2


def test_without_room_for_watches_folders_are_looked_at(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    import watchfiles

    real = watchfiles.watch

    def refused(*paths: str, force_polling: bool, **options: object) -> Iterator[object]:
        if not force_polling:
            raise OSError(28, "OS file watch limit reached.")
        return real(*paths, force_polling=True, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(watchfiles, "watch", refused)
    desk.write("a.md", "words")
    desk.ingest()
    with Watch(desk, desk.notes) as watch:
        desk.write("b.md", "other words")
        watch.until_paths("a.md", "b.md")


def test_only_what_matters_is_read(desk: Desk) -> None:
    watch = Watching(
        [str(desk.notes)],
        lambda paths: None,
        failed=lambda failure: None,
        cancelled=lambda: True,
        not_below=frozenset({f"{desk.notes}/own"}),
    )
    for name, matters in (
        ("a.md", True),
        ("sub/b.md", True),
        (".gitignore", True),
        ("", True),
        (".git/index", False),
        ("sub/node_modules/x.js", False),
        ("a.md~", False),
        (".a.md.swp", False),
        ("own/store/x", False),
    ):
        assert watch._matters(f"{desk.notes}/{name}".rstrip("/")) is matters, name


def test_many_folders_are_read_as_their_roots(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "_MOST_FOLDERS", 2)
    watch = Watching(
        [str(desk.notes)], lambda paths: None, failed=lambda _: None, cancelled=lambda: True
    )
    for i in range(3):
        watch._pending.add(str(desk.write(f"{i}/a.md", "words")))
    assert watch._scope() == [str(desk.notes)]
    watch._pending = {f"{desk.notes}/1/a.md", f"{desk.notes}/gone/deep/b.md", f"{desk.notes}/1"}
    assert watch._scope() == [str(desk.notes)]
    watch._pending = {f"{desk.notes}/1/a.md", "/elsewhere/a.md"}
    assert watch._scope() == [f"{desk.notes}/1"]
