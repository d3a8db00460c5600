from __future__ import annotations

import pytest

from kebab_core.ingest.extract.garbled import is_garbled

PROSE = "The tenant has to give notice in writing, three months before the term ends. " * 10


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "",
        "계약이 끝난 뒤 열흘 안에 돌려받을 수 있습니다. " * 10,
        "Strč prst skrz krk. Zmrzl v brlh pln skvrn. " * 3,
        "HTTP HTML XML CSS PNG SVG TCP UDP\n" * 40,
        "01 02 03 | 4.5 % — 6 €\n" * 40,
        "def fn(ctx, cfg):\n    return ctx.get(cfg)\n" * 20,
    ],
)
def test_real_text_is_not(text: str) -> None:
    assert not is_garbled(text)


@pytest.mark.parametrize(
    "text",
    [
        "".join(chr(0xF000 + ord(char)) for char in PROSE),
        PROSE.replace("e", "\ufffd"),
        PROSE.replace("t", "\x03"),
        PROSE.translate(str.maketrans("aeiouy", "zxvbnk")),
        "".join(
            chr(ord(char) + 1) if char in "aeiou" else char for char in PROSE.replace("y", "z")
        ),
    ],
)
def test_private_numbers_and_shifted_letters_are(text: str) -> None:
    assert is_garbled(text)
