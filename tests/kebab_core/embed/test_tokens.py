from __future__ import annotations

from pathlib import Path

import pytest

from kebab_core.embed.tokens import TextTokenizer
from tests.support import tiny_model


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> TextTokenizer:
    folder = tiny_model.write_folder(tmp_path_factory.mktemp("tiny"))
    return TextTokenizer(folder / "tokenizer.json", 8)


def test_ids_keep_what_opens_and_closes(tokenizer: TextTokenizer) -> None:
    assert tokenizer.special_tokens == 2
    short = tokenizer.ids("the user")
    long = tokenizer.ids("the user " * 50)
    assert (len(short), len(long)) == (4, 8)
    assert (long[0], long[-1]) == (short[0], short[-1]) == (2, 3)
    assert long[1:3] == short[1:3]


def test_the_files_own_truncation_and_padding_are_ignored(tmp_path: Path) -> None:
    from tokenizers import Tokenizer

    folder = tiny_model.write_folder(tmp_path)
    whole = Tokenizer.from_file(str(folder / "tokenizer.json"))
    whole.enable_truncation(4)
    whole.enable_padding(length=16)
    whole.save(str(folder / "tokenizer.json"))
    tokenizer = TextTokenizer(folder / "tokenizer.json", 8)
    assert len(tokenizer.ids("user")) == 3
    assert len(tokenizer.ids("user " * 20)) == 8
    assert len(tokenizer.spans("user " * 20)) == 20


def test_counts_and_spans_agree(tokenizer: TextTokenizer) -> None:
    text = "how do i reset my passwords"
    assert tokenizer.count(text) == len(tokenizer.spans(text)) == 7  # password, ##s
    assert tokenizer.count("") == 0


def test_lone_surrogates_and_nul_keep_the_offsets(tokenizer: TextTokenizer) -> None:
    text = "\udc80 user \x00menu\ud800"
    pieces = [text[a:b] for a, b in tokenizer.spans(text)]
    assert "user" in pieces
    assert "menu" in "".join(pieces)
    assert tokenizer.ids(text)


@pytest.mark.parametrize("joint", [" ", "\n", ""])
def test_long_texts_are_cut_where_no_token_is(tokenizer: TextTokenizer, joint: str) -> None:
    text = joint.join(["user"] * 40_000)
    spans = tokenizer.spans(text)
    assert spans == sorted(spans)
    if joint:
        assert len(spans) == 40_000
        assert {text[a:b] for a, b in spans} == {"user"}
    else:
        assert spans[-1][1] == len(text)  # one endless word: unknown, but covered to its end
