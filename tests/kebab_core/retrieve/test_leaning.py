"""Questions that lean on the one before, and questions that stand alone, in both languages."""

from __future__ import annotations

import pytest

from kebab_core.retrieve.follow_up import leans

LEANING = [
    "Who decides it?",
    "Why?",
    "And why?",
    "How so?",
    "What about Windows?",
    "And on Windows?",
    "On Windows?",
    "And the deadline?",
    "When was it released?",
    "Why did Toyota stop making it?",
    "What are its limits?",
    "How do teachers help them?",
    "Can you explain that?",
    "Is that allowed?",
    "What does that mean?",
    "Tell me more",
    "Give me an example.",
    "Which one is faster?",
    "Which is better?",
    "How does it work?",
    "What happened?",
    "How long does it last?",
    "Is it used for cooking?",
    "What did he do after the war?",
    "Who lives there?",
    "How much does it cost?",
    "Is the same true for Norway?",
    "How do I do that on a Mac?",
    "What is the difference between them?",
    "Does this apply to contractors?",
    "Why is this rule important for pilots?",
    "What about the second one?",
    "But why Oslo?",
    "Why not?",
    "More details please",
    "Are you sure?",
    "Is it still valid in 2024?",
    "Where did they move to?",
    "What else?",
    "why did they change the name",
    "And who is it?",
    "But why Oslo?",
    "I meant the other one",
    "No, I mean for students",
    "If I live in Spain?",
    "?",
    "",
]
STANDING = [
    "How do I reset my password?",
    "Is it possible to reset a password?",
    "How long does it take to boil an egg?",
    "What does it mean when the light blinks?",
    "If a server crashes, how do I restart it?",
    "What is a mutex and when is it used?",
    "How does Python manage its memory?",
    "What do bees eat when they are young?",
    "Is there a way to delete files?",
    "How many planets are there in the solar system?",
    "Which documents mention cats that bark?",
    "Is it true that cats sleep all day?",
    "What is the IT policy on laptops?",
    "So how do I install kebab?",
    "Which one of the planets is the largest?",
    "Who was the former president of France?",
    "kebab install windows",
    "What is this project about?",
    "What happened in Paris this year?",
    "Who are those who may approve leave?",
    "What is that rule that forbids shoes in the lab?",
    "How do cats clean their fur?",
    "Explain the theory of relativity",
    "what are the sirens in o brother where art thou",
    "For how many days can I take parental leave?",
    "Windows?",
    "When it comes to taxes, what is deductible?",
    "who has the most world cup goals",
    "How can I make sure that backups are encrypted?",
    "When a password expires, how do I renew it?",
    "does no one care about logging",
    "How do I tell whether a file is stale so that I can delete it?",
    "And who was Hubble?",
    "And who built the schoolhouse?",
]
LEANING_KO = [
    "그건 왜?",
    "왜?",
    "왜요?",
    "어떻게요?",
    "누가 그걸 결정하나요?",
    "그럼 윈도우에서는?",
    "마감일은?",
    "윈도우에서는요?",
    "더 자세히 알려줘",
    "예를 들어줘",
    "그 규칙은 언제부터 적용되나요?",
    "이것도 가능한가요?",
    "그때는 누가 사장이었나요?",
    "거기에는 누가 사나요?",
    "둘의 차이는 뭐야?",
    "그런 경우에는 어떻게 하나요?",
    "이유는?",
    "다른 건 없어?",
    "이 함수는 무엇을 반환해?",
    "그들은 어디로 갔나요?",
    "계속해줘",
]
STANDING_KO = [
    "비밀번호를 어떻게 재설정하나요?",
    "프랑스의 수도는?",
    "그림을 저장하려면 어떻게 하나요?",
    "이메일 주소를 바꾸는 방법은?",
    "저작권 기간은 얼마나 되나요?",
    "연차 휴가는 며칠인가요?",
    "파일을 지우면 그것은 어디로 가나요?",
    "그룹 정책은 누가 정하나요?",
    "그럼 비밀번호는 어떻게 재설정하나요?",
    "이름을 바꿀 수 있나요?",
    "여기저기 흩어진 로그를 모으는 법",
    "그래프 데이터베이스란 무엇인가요?",
    "이순신은 언제 태어났나요?",
    "둘리의 작가는 누구인가요?",
]


@pytest.mark.parametrize("question", [*LEANING, *LEANING_KO])
def test_leaning(question: str) -> None:
    assert leans(question)


@pytest.mark.parametrize("question", [*STANDING, *STANDING_KO])
def test_standing_alone(question: str) -> None:
    assert not leans(question)


@pytest.mark.parametrize("question", ["ÜBER WAS?", "它是什么?", "それは何?", "\ud800", "x" * 8000])
def test_other_languages_and_odd_text_are_read(question: str) -> None:
    assert leans(question) in {True, False}
