"""A full disk, a damaged file, a forbidden place: said in words, nothing lost."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kebab_core.errors import IOFailed, KebabError, NotIndexed, PermissionDenied
from kebab_core.store import Store
from kebab_core.store.failures import Vanished, os_failure, reported
from tests.support.corpus import EMBEDDER, filled, stored, workspace

LANCE = "lance error: LanceError(IO): {}, /root/.cargo/registry/src/lance-1.0/src/x.rs:258:9"


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("No space left on device (os error 28)", IOFailed, "no room is left"),
        ("File too large (os error 27)", IOFailed, "no room is left"),
        ("Permission denied (os error 13)", PermissionDenied, "Permission denied"),
        ("Read-only file system (os error 30)", PermissionDenied, "Read-only"),
        ("Input/output error (os error 5)", IOFailed, "Input/output"),
        ("something odd", IOFailed, "something odd"),
    ],
)
def test_what_lance_reports(text: str, kind: type[KebabError], says: str) -> None:
    with pytest.raises(kind, match=says) as caught, reported("Writing the corpus"):
        raise RuntimeError(LANCE.format(text))
    assert caught.value.message.startswith("Writing the corpus failed")
    assert ".cargo" not in caught.value.message
    assert caught.value.hint
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_what_passes_through() -> None:
    for error in (ValueError("ours"), NotIndexed("none")):
        with pytest.raises(type(error)) as caught, reported("x"):
            raise error
        assert caught.value is error
    with pytest.raises(Vanished), reported("x"):
        raise RuntimeError("lance error: Not found: a/chunks.lance/_versions, x.rs:1:1")


def test_errors_of_the_system() -> None:
    assert isinstance(os_failure(OSError(errno.EACCES, "no"), "x"), PermissionDenied)
    assert isinstance(os_failure(OSError(errno.ENOSPC, "full"), "x"), IOFailed)
    assert "odd" in os_failure(OSError("odd"), "x").message


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """No file may grow beyond a few kB, which is what a full disk looks like to a writer."""
    item = stored("a.md", ["cat"], EMBEDDER)
    store = filled(tmp_path, [item], EMBEDDER)
    code = """
import resource, sys
from pathlib import Path
from kebab_core.errors import IOFailed
from tests.support.corpus import EMBEDDER, stored, workspace
from kebab_core.store import Store
store = Store.open(workspace(Path(sys.argv[1])))
store.counts()
big = stored("b.md", [f"word{i} " * 50 for i in range(400)], EMBEDDER)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    store.replace([big])
except IOFailed as failure:
    print(failure.message, "|", failure.hint)
"""
    environment = dict(os.environ, PYTHONPATH=str(Path(__file__).parents[3]))
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert "no room is left" in done.stdout, done
    assert done.stderr == ""
    assert store.counts() == (1, 1)
    assert len(store.search_terms(["cat"], 3)) == 1
    store.replace([stored("b.md", ["dog"], EMBEDDER)])
    assert store.counts() == (2, 2)


def test_a_damaged_file(tmp_path: Path) -> None:
    filled(tmp_path, [stored("a.md", ["cat"], EMBEDDER)], EMBEDDER)
    data = list((tmp_path / "store" / "documents.lance" / "data").iterdir())
    assert data
    for path in data:
        path.write_bytes(b"rubbish")
    with pytest.raises(IOFailed, match="Reading the corpus failed") as caught:
        Store.open(workspace(tmp_path)).documents()
    assert "kebab doctor" in (caught.value.hint or "")


def test_a_store_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("")
    store = Store.open(workspace(tmp_path))
    assert not store.exists()
    with pytest.raises(IOFailed):
        store.create(None, 8)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_place_that_is_forbidden(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(PermissionDenied):
            Store.open(workspace(tmp_path / "inner")).create(None, 8)
    finally:
        tmp_path.chmod(0o700)


def test_a_corpus_that_may_only_be_read(tmp_path: Path) -> None:
    store = filled(tmp_path, [stored("a.md", ["cat"], EMBEDDER)], EMBEDDER)
    store.close()
    for path in [*tmp_path.rglob("*"), tmp_path]:
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        reader = Store.open(workspace(tmp_path))
        assert reader.exists()
        assert len(reader.search_terms(["cat"], 3)) == 1
        assert reader.document_frequency("cat") == 1
    finally:
        for path in [tmp_path, *tmp_path.rglob("*")]:
            path.chmod(0o700)
