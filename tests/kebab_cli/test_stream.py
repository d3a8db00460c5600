"""Writes to real descriptors: pipes with and without a reader, full devices, closed numbers."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from kebab_cli.stream import PipeClosed, Stream, WriteFailed


def test_a_line_goes_out_at_once() -> None:
    reading, writing = os.pipe()
    Stream(writing, "stdout").write("grüße\n")
    assert os.read(reading, 100) == "grüße\n".encode()


def test_text_that_is_no_utf8_is_replaced_not_raised() -> None:
    reading, writing = os.pipe()
    Stream(writing, "stdout").write("a\udc80b")
    assert os.read(reading, 100) == b"a?b"


def test_a_pipe_without_a_reader_is_closed() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    stream = Stream(writing, "stderr")
    with pytest.raises(PipeClosed):
        stream.write("x")
    assert stream.closed


def test_a_full_device_is_a_failed_write_with_its_cause() -> None:
    stream = Stream(os.open("/dev/full", os.O_WRONLY), "stdout")
    with pytest.raises(WriteFailed) as failed:
        stream.write("x")
    assert failed.value.stream == "stdout"
    assert "No space left" in str(failed.value)


def test_a_descriptor_closed_from_the_start_counts_as_a_closed_pipe() -> None:
    with pytest.raises(PipeClosed):
        Stream(1, "stdout", closed=True).write("x")


def test_a_slow_reader_gets_everything() -> None:
    reading, writing = os.pipe()
    got: list[bytes] = []

    def read_slowly() -> None:
        while chunk := os.read(reading, 10_000):
            got.append(chunk)
            time.sleep(0.001)

    reader = threading.Thread(target=read_slowly)
    reader.start()
    text = "0123456789" * 50_000
    Stream(writing, "stdout").write(text)
    os.close(writing)
    reader.join()
    assert b"".join(got).decode() == text


def test_a_reader_that_takes_nothing_does_not_hold_a_command_that_was_told_to_stop() -> None:
    _reading, writing = os.pipe()
    stream = Stream(writing, "stdout")
    stream.stopping = lambda: True
    started = time.monotonic()
    with pytest.raises(PipeClosed):
        stream.write("x" * 1_000_000)
    assert time.monotonic() - started < 2


def test_a_non_blocking_pipe_gets_everything() -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.extend(iter(lambda: os.read(reading, 65536), b"")))
    reader.start()
    Stream(writing, "stdout").write("y" * 300_000)
    os.close(writing)
    reader.join()
    assert sum(map(len, got)) == 300_000


CLAIM = """
from kebab_cli.stream import claim_standard_descriptors
closed = claim_standard_descriptors()
import os
target = os.open({path!r}, os.O_WRONLY | os.O_CREAT)
os.write(target, (repr(sorted(closed)) + " " + str(target > 2)).encode())
"""


@pytest.mark.parametrize(
    ("shut", "expected"),
    [("", "[]"), (">&-", "[1]"), ("2>&-", "[2]"), ("<&- >&- 2>&-", "[0, 1, 2]")],
)
def test_a_new_file_never_takes_the_number_of_a_closed_descriptor(
    tmp_path: Path, shut: str, expected: str
) -> None:
    path = tmp_path / "file"
    code = CLAIM.format(path=str(path))
    subprocess.run(["sh", "-c", f'exec "$0" -c "$1" {shut}', sys.executable, code], check=True)
    assert path.read_text() == f"{expected} True"
