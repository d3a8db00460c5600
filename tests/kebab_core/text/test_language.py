from __future__ import annotations

import json
from pathlib import Path

import pytest

from kebab_core.text.language import detect


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("How do I reset my password?", "en"),
        ("Wie kann ich mein Passwort ändern?", "de"),
        ("Comment puis-je changer le mot de passe ?", "fr"),
        ("¿Cómo puedo cambiar la contraseña?", "es"),
        ("Come posso cambiare la password di un utente?", "it"),
        ("Hoe kan ik het wachtwoord van een account wijzigen?", "nl"),
        ("비밀번호를 바꾸려면 API 키를 쓰세요", "ko"),
        ("パスワードを変更する方法", "ja"),
        ("如何更改密码", "zh"),
        ("เปลี่ยนรหัสผ่าน", "th"),
        ("Как сменить пароль", "ru"),
        ("Як змінити пароль", "uk"),
        ("كيف أغير كلمة السر", "ar"),
        ("چگونه رمز را تغییر دهم", "fa"),
        ("איך משנים סיסמה", "he"),
        ("Πώς αλλάζω τον κωδικό", "el"),
        ("पासवर्ड कैसे बदलें", "hi"),
        ("password reset", None),
        ("def f(x):\n    return x + 1", None),
        ("1234 -- !!", None),
        ("", None),
    ],
)
def test_detect(text: str, lang: str | None) -> None:
    assert detect(text) == lang


@pytest.mark.parametrize("lang", ["en", "de", "zh"])
def test_paragraphs_of_a_collection(shared_data: Path, lang: str) -> None:
    data = json.loads((shared_data / "xquad" / f"xquad.{lang}.json").read_text("utf-8"))
    found = [detect(p["context"]) for article in data["data"] for p in article["paragraphs"]]
    assert found.count(lang) / len(found) > 0.98
    questions = [
        detect(q["question"])
        for article in data["data"]
        for p in article["paragraphs"]
        for q in p["qas"]
    ]
    wrong = [guess for guess in questions if guess not in (lang, None)]
    assert len(wrong) / len(questions) < 0.005


def test_a_long_text_is_judged_by_a_sample() -> None:
    assert detect("# licence\n" * 10 + "Die Katze ist nicht auf dem Dach. " * 50_000) == "de"
