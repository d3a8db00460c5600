"""The walk: what is found, what is left out, and what can't be looked at."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

from kebab_core.ingest.discover import discover, single_doc_path
from kebab_core.ingest.found import Discovery
from kebab_core.ingest.roots import cover
from kebab_core.settings.model import SourceSection


def walk(*roots: Path, settings: tuple[SourceSection, ...] = ()) -> Discovery:
    files: dict[str, str] = {}
    return discover(cover([str(root) for root in roots], settings, (), files), files)


def found(*roots: Path, settings: tuple[SourceSection, ...] = ()) -> list[str]:
    return [file.doc_path for file in walk(*roots, settings=settings).files()]


def tree(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text", encoding="utf-8")
    return root


def test_files_come_sorted_with_size_and_time(tmp_path: Path) -> None:
    tree(tmp_path, "b.md", "a/z.md", "a/b/c.md", "A.md")
    files = list(walk(tmp_path).files())
    assert [file.doc_path for file in files] == ["A.md", "b.md", "a/z.md", "a/b/c.md"]
    at = (tmp_path / "b.md").stat()
    assert (files[1].byte_len, files[1].mtime_ns) == (4, at.st_mtime_ns)
    assert files[1].path == str(tmp_path / "b.md")
    assert {file.source_id for file in files} == {tmp_path.name}


def test_nested_ignore_files_and_negation_hold(tmp_path: Path) -> None:
    tree(tmp_path, "keep.log", "drop.log", "sub/drop.log", "sub/deep/kept.log", "sub/x.tmp1")
    tree(tmp_path, "private/a.md", "docs/private/b.md", "secret.md", "sub/secret.md")
    (tmp_path / ".gitignore").write_text("*.log\n!keep.log\n/private/\nsecret.md\n")
    (tmp_path / "sub/deep/.gitignore").write_text("!kept.log\n")
    (tmp_path / ".ignore").write_text("*.tmp1\n")
    (tmp_path / ".kebabignore").write_text("!/secret.md\n")
    assert found(tmp_path) == [
        "keep.log", "secret.md", "docs/private/b.md", "sub/deep/kept.log",
    ]  # fmt: skip


def test_rules_of_the_repository_above_hold_too(tmp_path: Path) -> None:
    tree(tmp_path, "repo/docs/a.md", "repo/docs/a.bak", "repo/docs/gen/b.md")
    (tmp_path / "repo/.git").mkdir()
    (tmp_path / "repo/.gitignore").write_text("*.bak\ngen/\n")
    assert found(tmp_path / "repo/docs") == ["a.md"]
    # What is asked for by name is read, though its own repository ignores it.
    assert found(tmp_path / "repo/docs/gen") == ["b.md"]


def test_an_ignore_file_that_is_no_pattern_or_no_file_is_said(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "b.log")
    (tmp_path / ".gitignore").write_bytes(b"\xef\xbb\xbf*.log\r\n!\r\n")
    os.mkfifo(tmp_path / ".ignore")
    discovery = walk(tmp_path)
    assert [file.doc_path for file in discovery.files()] == ["a.md"]
    assert len(discovery.warnings) == 2
    assert "'!' is no pattern" in discovery.warnings[0]
    assert "not a regular file" in discovery.warnings[1]


def test_other_programs_files_and_keys_are_left_out(tmp_path: Path) -> None:
    tree(tmp_path, ".git/HEAD.md", "node_modules/x/readme.md", "__pycache__/a.py", "env/lib/b.py")
    tree(tmp_path, "cache/c.md", "poetry.lock", "app.min.js", "a.md~", ".env", ".env.local")
    tree(tmp_path, "id_rsa", "server.pem", "web/dist/x.js", "web/package.json", "dist/kept.md")
    tree(tmp_path, "env/pyvenv.cfg", "cache/CACHEDIR.TAG", ".env.example", ".github/ci.md")
    assert sorted(found(tmp_path)) == [
        ".env.example", ".github/ci.md", "dist/kept.md", "web/package.json",
    ]  # fmt: skip
    (tmp_path / ".kebabignore").write_text("!node_modules/\n!.env\n")
    assert {"node_modules/x/readme.md", ".env"} <= set(found(tmp_path))


def test_any_name_the_system_allows(tmp_path: Path) -> None:
    composed = unicodedata.normalize("NFC", "각서.md")
    decomposed = unicodedata.normalize("NFD", "각서.md")
    raw = os.fsdecode(b"latin-\xe9.md")
    odd = ["with space.md", "new\nline.md", "[x](y).md", "esc\x1b[31m.md", "a'b\"c.md", "-x.md"]
    odd += ["Case.md", "case.md", composed, decomposed, raw, "%41.md"]
    for name in odd:
        (tmp_path / name).write_text("text")
    paths = set(found(tmp_path))
    assert len(paths) == len(odd)
    assert {composed, decomposed, "latin-%E9.md", "%41.md", "new\nline.md"} <= paths
    by_path = {file.doc_path: file.path for file in walk(tmp_path).files()}
    assert all(Path(path).read_text() == "text" for path in by_path.values())


def test_links_lead_nowhere(tmp_path: Path) -> None:
    outside = tree(tmp_path / "outside", "secret.md")
    root = tree(tmp_path / "root", "a/real.md")
    (root / "circle").symlink_to(root)
    (root / "a/up").symlink_to("..")
    (root / "alias.md").symlink_to("a/real.md")
    (root / "out").symlink_to(outside)
    (root / "out.md").symlink_to(outside / "secret.md")
    (root / "dangling.md").symlink_to(root / "nothing")
    discovery = walk(root)
    assert [file.doc_path for file in discovery.files()] == ["a/real.md"]
    skipped = {problem.doc_path: problem.kind for problem in discovery.problems()}
    assert skipped == {"out": "link", "out.md": "link"}


def test_a_root_that_is_a_link_is_the_folder_itself(tmp_path: Path) -> None:
    tree(tmp_path / "real", "a.md")
    (tmp_path / "alias").symlink_to("real")
    (file,) = walk(tmp_path / "alias").files()
    assert (file.source_id, file.path) == ("alias", str(tmp_path / "real/a.md"))


def test_other_kinds_of_files_are_passed_by(tmp_path: Path) -> None:
    tree(tmp_path, "a.md")
    os.mkfifo(tmp_path / "pipe.md")
    assert found(tmp_path) == ["a.md"]


def test_a_folder_too_deep_for_the_system_is_reported(tmp_path: Path) -> None:
    tree(tmp_path, "a.md")
    # Longer than a path may be, made step by step from within.
    here = Path.cwd()
    os.chdir(tmp_path)
    try:
        for _ in range(20):
            Path("d" * 250).mkdir()
            os.chdir("d" * 250)
    finally:
        os.chdir(here)
    (walked,) = walk(tmp_path).walked
    assert [file.doc_path for file in walked.files] == ["a.md"]
    assert len(walked.problems) == 1
    assert "name too long" in walked.problems[0].reason


def test_include_and_exclude_of_a_source(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "a.txt", "sub/b.md", "drafts/c.md", "sub/drafts/d.md")
    section = SourceSection(id="mine", path=str(tmp_path), include=["*.md"], exclude=["/drafts/"])
    assert found(tmp_path, settings=(section,)) == ["a.md", "sub/b.md", "sub/drafts/d.md"]


def test_part_of_a_root_obeys_the_rules_of_the_root(tmp_path: Path) -> None:
    tree(tmp_path, "a/b/c.md", "a/b/d.log", "build2/e.md", "a/x.log")
    (tmp_path / ".gitignore").write_text("*.log\nbuild2/\n")
    section = SourceSection(id="mine", path=str(tmp_path))
    assert found(tmp_path / "a/b", settings=(section,)) == ["a/b/c.md"]
    assert found(tmp_path / "a/b/c.md", settings=(section,)) == ["a/b/c.md"]
    for excluded in ("build2", "build2/e.md", "a/b/d.log"):
        (walked,) = walk(tmp_path / excluded, settings=(section,)).walked
        assert walked.files == []
        assert [problem.kind for problem in walked.problems] == ["excluded"]
        assert not walked.vouches_for(str(tmp_path / excluded))


def test_the_longest_root_owns_a_file(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "inner/b.md", "inner/deep/c.md")
    sections = (
        SourceSection(id="outer", path=str(tmp_path)),
        SourceSection(id="inner", path=str(tmp_path / "inner")),
    )
    files = [(file.source_id, file.doc_path) for file in walk(tmp_path, settings=sections).files()]
    assert files == [("outer", "a.md"), ("inner", "b.md"), ("inner", "deep/c.md")]


def test_an_empty_root_vouches_for_nothing(tmp_path: Path) -> None:
    (walked,) = walk(tmp_path).walked
    assert walked.is_empty
    assert not walked.vouches_for(str(tmp_path / "a.md"))


def test_the_walk_stops_when_cancelled(tmp_path: Path) -> None:
    tree(tmp_path, *(f"d{i}/a.md" for i in range(10)))
    files: dict[str, str] = {}
    asked = iter([False] * 4 + [True] * 100)
    discovery = discover(
        cover([str(tmp_path)], (), (), files), files, cancelled=lambda: next(asked)
    )
    assert 0 < len(list(discovery.files())) < 10


def test_a_single_file_is_named_by_as_little_as_tells_it_apart() -> None:
    assert single_doc_path("/home/me/notes/todo.md", []) == "todo.md"
    assert single_doc_path("/home/me/notes/todo.md", ["todo.md"]) == "notes/todo.md"
    taken = ["todo.md", "notes/todo.md"]
    assert single_doc_path("/home/me/notes/todo.md", taken) == "me/notes/todo.md"
    raw = os.fsdecode(b"/home/caf\xe9.md")
    assert single_doc_path(raw, []) == "home/caf%E9.md"
