from __future__ import annotations

import codecs

import pytest

from kebab_core.ingest.extract.decode import decode
from kebab_core.ingest.extract.outcome import Skipped

GERMAN = (
    "Über die Kündigungsfrist: Die Mieter müssen drei Monate vorher schriftlich kündigen. " * 20
)
KOREAN = (
    "입금은 계약이 끝난 뒤 열흘 안에 돌려받을 수 있습니다. 임대인은 그 기간을 지켜야 합니다. " * 20
)
JAPANESE = "契約が終わってから十日以内に敷金を返さなければなりません。大家は期限を守ること。" * 20
RUSSIAN = "Залог возвращается в течение десяти дней после окончания договора аренды. " * 20


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        ("naïve ☃".encode(), "naïve ☃", "utf-8"),
        (codecs.BOM_UTF8 + b"a\r\nb", "a\r\nb", "utf-8"),
        (codecs.BOM_UTF16_LE + "é☃".encode("utf-16-le"), "é☃", "utf-16-le"),
        (codecs.BOM_UTF16_BE + "é☃".encode("utf-16-be"), "é☃", "utf-16-be"),
        (codecs.BOM_UTF32_LE + "é☃".encode("utf-32-le"), "é☃", "utf-32-le"),
        ("no mark here\n".encode("utf-16-le"), "no mark here\n", "utf-16-le"),
        ("no mark here\n".encode("utf-16-be"), "no mark here\n", "utf-16-be"),
        (b"form\x0cfeed \x1b[31mred", "form\x0cfeed \x1b[31mred", "utf-8"),
    ],
)
def test_unicode_in_every_form(data: bytes, text: str, encoding: str) -> None:
    decoded = decode(data, known_text=False)
    assert (decoded.text, decoded.encoding, decoded.warnings) == (text, encoding, ())


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "cp1252"), (GERMAN, "latin-1"), (KOREAN, "cp949"), (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8-r"),
    ],
)  # fmt: skip
def test_legacy_encodings_are_told(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding), known_text=True).text == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("연차 휴가는 시작하기 일주일 전에 신청해야 합니다.", "cp949"),
        ("休暇は開始の一週間前に申請してください。", "shift_jis"),
        ("休暇は開始の一週間前に申請してください。", "euc_jp"),
        ("请假须提前一周提出申请。由部门经理批准。", "gb18030"),
        ("請假須提前一週提出申請。由部門經理批准。", "big5"),
        ("Отпуск нужно запросить за неделю до начала.", "cp1251"),
        ("Отпуск нужно запросить за неделю до начала.", "koi8-r"),
        ("Die Kündigung muss spätestens eine Woche vorher da sein.", "latin-1"),
        ("Señor, el café está aquí. L’été dernier, à la maison.", "cp1252"),
        ("Zażółć gęślą jaźń. Książka leży na stole, proszę.", "cp1250"),
        ("Η άδεια πρέπει να ζητηθεί μία εβδομάδα πριν.", "cp1253"),
    ],
)
def test_one_sentence_is_enough(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding), known_text=True).text == text


@pytest.mark.parametrize(
    "data",
    [b"\x7fELF\x02\x01\x01\0\0\0\0", bytes(range(256)) * 8, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
     b"\x01\x02\x03\x04\x05\x06" * 50],
)  # fmt: skip
def test_binaries_are_passed_over(data: bytes) -> None:
    with pytest.raises(Skipped) as caught:
        decode(data, known_text=False)
    assert caught.value.kind == "binary"


def test_a_text_may_hold_a_few_nuls_if_its_name_says_text() -> None:
    data = b"a line of text\n" * 20 + b"\0" + b"and more\n"
    assert decode(data, known_text=True).text == data.decode()
    with pytest.raises(Skipped):
        decode(data, known_text=False)


def test_a_few_broken_bytes_dont_make_it_another_encoding() -> None:
    data = KOREAN.encode() + b"\xff\xfe" + KOREAN.encode()
    decoded = decode(data, known_text=True)
    assert decoded.encoding == "utf-8"
    assert decoded.text.replace("\ufffd", "") == KOREAN * 2
    assert "2 places are not valid utf-8" in decoded.warnings[0]


def test_half_a_character_at_the_end_of_utf16() -> None:
    decoded = decode(codecs.BOM_UTF16_LE + "abc".encode("utf-16-le") + b"\x00", known_text=True)
    assert decoded.text == "abc\ufffd"
    assert decoded.warnings
