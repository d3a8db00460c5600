"""A real process that reads, and what becomes of one that a file hangs, kills or bloats."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kebab_core.ingest import extract
from kebab_core.ingest.extract import process as process_of
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.ingest.extract.process import Closed, Process
from tests.kebab_core.ingest.extract.hostile import HOSTILE, children
from tests.kebab_core.ingest.extract.make_pdf import pdf


@pytest.fixture
def hostile(monkeypatch: pytest.MonkeyPatch) -> Iterator[Process]:
    """A reader that does what a text says."""
    monkeypatch.setattr(process_of, "_PROGRAM", HOSTILE)
    process = Process(20, max_bytes=1 << 30)
    yield process
    process.close()


def text_of(process: Process, words: str) -> str:
    return process.read("a.txt", words.encode()).text


def test_it_reads_what_is_read_here() -> None:
    process = Process(60)
    assert children() == []
    try:
        for name, data in [
            ("a.pdf", pdf(["Page one.", "Page two."])),
            ("a.md", b"# A\n\n- b\n- c\r\n\r\n```\nd\n```\n"),
            ("a.txt", "Straße".encode("utf-16")),
        ]:
            assert process.read(name, data) == extract.read(name, data)
        assert len(children()) == 1
        with pytest.raises(Skipped) as skipped:
            process.read("a.txt", b" ")
        assert skipped.value.kind == "empty"
        with pytest.raises(Failed, match="broken"):
            process.read("a.pdf", b"%PDF-1.7")
    finally:
        process.close()
    assert children() == []
    with pytest.raises(Closed):
        process.read("a.txt", b"words")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("crash", "crashed .SIGSEGV."),
        ("bloat", "takes more than 1,073 MB of memory"),
        ("leave", "ended .exit status 3."),
        ("raise", "can't be read: 'no such part'"),
    ],
)
def test_what_a_file_does_to_its_reader_is_said_and_the_next_is_read(
    hostile: Process, words: str, reason: str
) -> None:
    for _ in range(2):
        with pytest.raises(Failed, match=reason):
            text_of(hostile, words)
        assert text_of(hostile, "a good one") == "a good one"
    assert len(children()) == 1


def test_a_file_that_takes_too_long(monkeypatch: pytest.MonkeyPatch, hostile: Process) -> None:
    monkeypatch.setattr(hostile, "_max_seconds", 0.3)
    with pytest.raises(Failed, match=r"ingest.max_file_seconds \(0.3 s\)"):
        text_of(hostile, "hang")
    assert children() == []


def test_closing_ends_what_hangs(hostile: Process) -> None:
    ends: list[BaseException] = []

    def read() -> None:
        try:
            text_of(hostile, "hang")
        except Closed as closed:
            ends.append(closed)

    thread = threading.Thread(target=read)
    thread.start()
    while not (hostile._watched and hostile._is_ready):
        thread.join(0.01)
    hostile.close()
    thread.join()
    assert len(ends) == 1
    assert children() == []


def test_a_process_that_grew_large_is_replaced(hostile: Process) -> None:
    text_of(hostile, "a good one")
    (first,) = children()
    assert text_of(hostile, "large") == "large"
    assert text_of(hostile, "a good one") == "a good one"
    (second,) = children()
    assert first.pid != second.pid


def test_what_a_library_prints_is_no_answer(hostile: Process) -> None:
    assert text_of(hostile, "print") == "print"
    assert text_of(hostile, "a good one") == "a good one"


def test_it_loads_little_and_sees_no_keys(
    hostile: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    assert "OPENAI_API_KEY" not in text_of(hostile, "environment")
    loaded = set(text_of(hostile, "modules").split())
    assert "kebab_core.ingest.extract.worker" in loaded
    heavy = {"lancedb", "pyarrow", "numpy", "onnxruntime", "tokenizers", "torch", "pydantic"}
    heavy |= {"lxml", "pypdfium2", "markdown_it", "yaml", "charset_normalizer", "httpx"}
    heavy |= {"kebab_core.store", "kebab_core.settings", "asyncio", "multiprocessing"}
    assert not heavy & loaded


def test_a_folder_that_is_current_lends_it_no_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    process = Process(60)
    try:
        assert process.read("a.txt", b"words").text == "words"
    finally:
        process.close()


def test_what_its_parent_grew_to_is_not_its_own_size() -> None:
    grown = bytearray(500_000_000)
    grown[::4096] = b"x" * len(grown[::4096])
    process = Process(60)
    try:
        for _ in range(2):
            process.read("a.txt", b"words")
            (child,) = children()
        assert child.pid == children()[0].pid
    finally:
        process.close()
    del grown
