from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core.text.terms import MAX_TERM_BYTES, index_terms, query_terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Resetting the passwords", "reset the password"),
        ("get_user_by_id", "get_user_by_id get user by id"),
        ("HTTPTimeout", "httptimeout http timeout"),
        ("parseHTTPResponse", "parsehttprespons pars http respons"),
        ("getURLs PDFs", "geturl get url pdf"),
        ("1.0.21", "1.0.21 1.0 1 0 21"),
        ("v2.3", "v2.3 2.3 2 3"),
        ("ERR-4012", "err-4012 err 4012"),
        ("python3 utf8", "python3 python 3 utf8 utf 8"),
        ("a3f9bc12de", "a3f9bc12de"),  # a hash: its parts say nothing
        ("1,000,000 rows", "1000000 row"),
        ("e-mail", "email e mail"),
        ("U.S.A.", "usa"),
        ("C++, C# and c", "c++ c c# c and c"),
        ("std::vector", "std::vector std vector"),
        ("kebab_core/text/terms.py", "kebab_core kebab core text terms.py term py"),
        ("me@example.com", "me@example.com me exampl com"),
        ("O'Brien’s don't", "obrien brien dont"),
        ("12:30", "12:30 12 30"),
        ("--no-stream __init__", "nostream no stream init"),
        ("Größe café Straße", "gross cafe strass"),
        ("Ｆｕｌｌ ﬁle", "full file"),
        ("so\u00adft zero\u200bwidth", "soft zero width"),
        ("a\x00b\x1bc", "a b c"),
        ("Пароли ёлка", "парол елк"),
        ("مُحَمَّد", "محمد"),
        ("हिन्दी", "हिन्दी"),
        ("비밀번호를", "비밀 밀번 번호 호를"),
        ("값을 API키", "값을 값 api 키"),
        ("東京タワー 水", "東京 京タ タワ ワー 水"),
        ("สวัส", "สว วั ัส"),
        ("", ""),
        (" \n\t… — !?", ""),
    ],
)
def test_analysis(text: str, terms: str) -> None:
    assert index_terms(text) == terms


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("what is the http timeout", "class HTTPTimeout(Exception)"),
        ("user id", "def get_user_by_id(): ..."),
        ("error 4012", "ERR-4012: disk full"),
        ("release 1.0", "Changes in 1.0.21"),
        ("비밀번호", "비밀번호를 변경하세요"),
        ("값", "값은 10입니다"),
        ("東京", "私は東京に住む"),
        ("รหัสผ่าน", "เปลี่ยนรหัสผ่านของคุณ"),
        ("cafe munchen", "Café in München"),
        ("email", "your e-mail address"),
        ("1000 rows", "up to 1,000 rows"),
        ("STRASSE", "Straße"),
    ],
)
def test_query_meets_text(query: str, text: str) -> None:
    assert set(query_terms(query)) & set(index_terms(text).split())


def test_function_words_are_dropped_from_queries_while_others_remain() -> None:
    assert query_terms("How do I reset the password?") == ["reset", "password"]
    assert query_terms("What isn’t covered by it?") == ["cover"]
    assert query_terms("state-of-the-art") == ["state-of-the-art", "state", "art"]
    assert query_terms("to be or not to be") == ["to", "be", "or", "not"]
    assert query_terms("the IT policy") == ["it", "polici"]
    assert query_terms("THE WHO") == ["the", "who"]
    assert query_terms("THE PASSWORD") == ["password"]
    assert query_terms("?!") == []


def test_query_terms_are_distinct_and_in_order() -> None:
    assert query_terms("cache Cache caches cold cache") == ["cach", "cold"]


def test_long_words_fit_a_full_text_token() -> None:
    name = "test_" + "very_long_" * 10 + "name"
    terms = index_terms(f"{name} {'한' * 50} {'ß' * 60}").split()
    assert max(len(term.encode()) for term in terms) <= MAX_TERM_BYTES
    assert set(query_terms(name)) <= set(terms)


@given(st.text(max_size=200))
def test_any_text_gives_sound_terms(text: str) -> None:
    joined = index_terms(text)
    terms = joined.split()
    assert joined == " ".join(terms)
    for term in terms:
        assert len(term.encode()) <= MAX_TERM_BYTES
        assert not any(c.isspace() or ord(c) < 0x20 for c in term)
    # A query is analysed as the text it asks for.
    assert set(query_terms(text)) <= set(terms)
    assert bool(query_terms(text)) == bool(terms)


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=100))
def test_ascii_is_analysed_alike_amid_other_scripts(text: str) -> None:
    assert index_terms(f"{text}\n값은") == f"{index_terms(text)} 값은 값".strip()


def test_it_keeps_up_with_reading(shared_data: Path) -> None:
    data = json.loads((shared_data / "korquad" / "KorQuAD_v1.0_dev.json").read_text("utf-8"))
    text = json.dumps(data, ensure_ascii=False)
    start = time.perf_counter()
    index_terms(text)
    assert time.perf_counter() - start < 20, "2 MB take a second on an idle machine"
