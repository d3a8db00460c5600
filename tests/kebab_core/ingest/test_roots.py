"""Which sources a run covers, and who owns what."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kebab_core.errors import ConfigInvalid, InvalidInput, NotFound
from kebab_core.ingest.roots import Coverage, cover
from kebab_core.settings.model import SourceSection
from kebab_core.store.sources import StoredSource


def units(coverage: Coverage) -> list[tuple[str, str]]:
    return [(unit.source.source_id, unit.start) for unit in coverage.units]


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    for name in ("notes/sub/deep", "work/notes", "other"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "notes/sub/a.md").write_text("a")
    (tmp_path / "lone.md").write_text("b")
    return tmp_path


def test_a_new_folder_becomes_a_source_named_after_it(disk: Path) -> None:
    coverage = cover([str(disk / "notes")], (), (), {})
    assert units(coverage) == [("notes", str(disk / "notes"))]
    again = [unit.source.stored() for unit in coverage.units]
    assert units(cover([str(disk / "notes")], (), again, {})) == units(coverage)
    second = cover([str(disk / "work/notes")], (), again, {})
    assert units(second) == [("notes-2", str(disk / "work/notes"))]


def test_a_folder_given_relative_to_here_is_named_too(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(disk / "notes/sub")
    for given, start in (
        (".", disk / "notes/sub"),
        ("..", disk / "notes"),
        ("deep/", disk / "notes/sub/deep"),
    ):
        assert units(cover([given], (), (), {})) == [(start.name, str(start))]
    (unit,) = cover(["/"], (), (), {}).units
    assert unit.source.source_id == "root"
    assert unit.source.doc_path_of("/etc/hosts") == "etc/hosts"


def test_a_folder_inside_a_known_root_is_a_part_of_it(disk: Path) -> None:
    known = [StoredSource("notes", str(disk / "notes"), "command line")]
    for part in ("notes/sub", "notes/sub/a.md"):
        assert units(cover([str(disk / part)], (), known, {})) == [("notes", str(disk / part))]


def test_roots_given_together_may_overlap(disk: Path) -> None:
    for order in (["notes", "notes/sub"], ["notes/sub", "notes"]):
        coverage = cover([str(disk / name) for name in order], (), (), {})
        assert sorted(units(coverage)) == [
            ("notes", str(disk / "notes")), ("sub", str(disk / "notes/sub")),
        ]  # fmt: skip


def test_a_folder_around_known_roots_covers_them_too(disk: Path) -> None:
    known = [StoredSource("sub", str(disk / "notes/sub"), "command line")]
    coverage = cover([str(disk / "notes")], (), known, {})
    assert units(coverage) == [
        ("notes", str(disk / "notes")), ("sub", str(disk / "notes/sub")),
    ]  # fmt: skip
    assert coverage.roots_below(str(disk / "notes")) == {str(disk / "notes/sub")}


def test_a_single_file_outside_every_root(disk: Path) -> None:
    assert units(cover([str(disk / "lone.md")], (), (), {})) == [("files", str(disk / "lone.md"))]


def test_without_roots_everything_known_is_covered(disk: Path) -> None:
    section = SourceSection(id="mine", path=str(disk / "other"), readers=["*"])
    known = [
        StoredSource("notes", str(disk / "notes"), "command line"),
        StoredSource("files", "", "command line"),
    ]
    files = {str(disk / "lone.md"): "lone.md", str(disk / "notes/sub/a.md"): "a.md"}
    coverage = cover([], [section], known, files)
    assert units(coverage) == [
        ("mine", str(disk / "other")),
        ("notes", str(disk / "notes")),
        ("files", str(disk / "lone.md")),  # the other one belongs to notes by now
    ]
    assert coverage.scope == ("mine", "notes", "files")
    assert coverage.units[0].source.stored() == StoredSource(
        "mine", str(disk / "other"), "settings", ("*",)
    )


def test_a_source_may_be_one_file(disk: Path) -> None:
    section = SourceSection(id="mine", path=str(disk / "lone.md"))
    (unit,) = cover([], [section], (), {}).units
    assert unit.source.doc_path_of(unit.start) == "lone.md"


def test_the_settings_may_move_and_rename_a_source(disk: Path) -> None:
    moved = SourceSection(id="mine", path=str(disk / "other"))
    before = [StoredSource("mine", str(disk / "notes"), "settings")]
    assert units(cover([], [moved], before, {})) == [("mine", str(disk / "other"))]
    renamed = SourceSection(id="better", path=str(disk / "notes"))
    coverage = cover([], [renamed], before, {})
    assert units(coverage) == [("better", str(disk / "notes"))]
    assert [source.source_id for source in coverage.superseded] == ["mine"]


def test_a_source_taken_out_of_the_settings_is_kept_and_not_read(disk: Path) -> None:
    before = [
        StoredSource("mine", str(disk / "notes"), "settings"),
        StoredSource("other", str(disk / "other"), "command line"),
    ]
    coverage = cover([], (), before, {})
    assert units(coverage) == [("other", str(disk / "other"))]
    assert "kebab sources remove mine" in coverage.warnings[0]
    # Asked for by its path, it is the same source again.
    assert units(cover([str(disk / "notes")], (), before, {})) == [("mine", str(disk / "notes"))]


@pytest.mark.parametrize(
    ("root", "error", "words"),
    [
        ("nowhere/at all", NotFound, "nowhere/at all does not exist"),
        ("", InvalidInput, "no path"),
        ("a\0b", InvalidInput, "no path"),
        ("ftp://example.org/page", InvalidInput, "of addresses"),
    ],
)
def test_a_root_that_cant_be_read_is_named(
    root: str, error: type[Exception], words: str, disk: Path
) -> None:
    with pytest.raises(error, match=words):
        cover([str(disk / "notes"), root], (), (), {})


def test_a_root_of_another_kind(disk: Path) -> None:
    os.mkfifo(disk / "pipe")
    (disk / "loop").symlink_to("loop")
    with pytest.raises(InvalidInput, match="neither a file nor a folder"):
        cover([str(disk / "pipe")], (), (), {})
    with pytest.raises(InvalidInput, match="can't be followed"):
        cover([str(disk / "loop")], (), (), {})


def test_nothing_to_do_is_said() -> None:
    with pytest.raises(InvalidInput, match="nothing to ingest"):
        cover([], (), (), {})


def test_sources_that_contradict_each_other(disk: Path) -> None:
    notes, other = str(disk / "notes"), str(disk / "other")

    def section(source_id: str, path: str) -> SourceSection:
        return SourceSection(id=source_id, path=path)

    with pytest.raises(ConfigInvalid, match="Two sources"):
        cover([], [section("a", notes), section("A", other)], (), {})
    with pytest.raises(ConfigInvalid, match="the same folder"):
        cover([], [section("a", notes), section("b", notes + "/sub/..")], (), {})
    with pytest.raises(ConfigInvalid, match="no folder of its own"):
        cover([], [section("files", notes)], (), {})
    taken = [StoredSource("a", other, "command line")]
    with pytest.raises(ConfigInvalid, match="already belongs to") as caught:
        cover([], [section("a", notes)], taken, {})
    assert caught.value.hint is not None
    assert "kebab sources remove a" in caught.value.hint
