"""Settings files as they lie on disk: broken, foreign, huge."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from kebab_core.errors import ConfigInvalid
from kebab_core.settings import files


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "kebab.toml"


def test_the_digest_is_of_the_bytes_that_were_parsed(file: Path) -> None:
    file.write_bytes(b"a = 1\r\n")
    read = files.read(file)
    assert read.table == {"a": 1}
    assert read.digest == hashlib.sha256(b"a = 1\r\n").hexdigest()


def test_a_byte_order_mark_is_no_error(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbfa = 1\n")
    assert files.read(file).table == {"a": 1}


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"a = 1\nb =\nc = 3\n", 2),
        (b"a = 1\n[b\n", 2),
        (b"a = 1\nb = ", 2),
        (b"a = 1\n\n\na = 2\n", 4),
        (b"a = 1\nb = '\xff'\n", 2),
        (b'a = """\nnever closed\n', 2),
    ],
)
def test_broken_toml_names_file_and_line(file: Path, data: bytes, line: int) -> None:
    file.write_bytes(data)
    with pytest.raises(ConfigInvalid) as caught:
        files.read(file)
    assert f"{file}, line {line}: " in caught.value.message
    assert caught.value.details["line"] == line
    assert caught.value.hint


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"a = " + b"[" * 100_000, id="deep"),
        pytest.param(b"a = " + b"9" * 10_000, id="huge number"),
        pytest.param(b"#" * (files.LONGEST + 1), id="long"),
        pytest.param("a = 1\n".encode("utf-16"), id="utf-16"),
        pytest.param(b"\0\0\0", id="binary"),
    ],
)
def test_what_is_no_settings_file_is_refused(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    with pytest.raises(ConfigInvalid, match=r"kebab\.toml"):
        files.read(file)


def test_a_secret_in_a_broken_line_is_not_repeated(file: Path) -> None:
    file.write_text("[providers.openai]\napi_key = sk-planted-secret\n")
    with pytest.raises(ConfigInvalid) as caught:
        files.read(file)
    assert "sk-planted" not in f"{caught.value.message}{caught.value.hint}{caught.value.details}"


def test_missing(file: Path) -> None:
    assert files.read_if_there(file) is None
    assert files.read_if_there(file / "below") is None
    with pytest.raises(ConfigInvalid) as caught:
        files.read(file)
    assert str(file) in caught.value.message


def test_escape_sequences_in_a_path_are_made_visible(tmp_path: Path) -> None:
    with pytest.raises(ConfigInvalid) as caught:
        files.read(tmp_path / "\x1b[31mred.toml")
    assert "\x1b" not in caught.value.message
