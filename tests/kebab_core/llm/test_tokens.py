from __future__ import annotations

from kebab_core.llm.base import Message, ToolCall, ToolSpec
from kebab_core.llm.tokens import estimate, estimate_messages


def test_english_counts_more_than_the_usual_token_of_four_characters() -> None:
    text = "The backup runs every night at two and takes about an hour. " * 20
    assert len(text) / 4 < estimate(text) < len(text) / 3


def test_a_cjk_character_counts_as_a_token_and_some() -> None:
    for text in ("비밀번호재설정문의", "备份每天晚上两点运行"):
        assert len(text) <= estimate(text) <= 1.5 * len(text)


def test_mixed_text_counts_both_of_its_parts() -> None:
    assert estimate("backup 백업") == estimate("backup ") + estimate("백업")


def test_nothing_takes_nothing() -> None:
    assert estimate("") == 0


def test_a_request_counts_its_messages_calls_and_tools() -> None:
    messages = (Message("system", "Be brief."), Message("user", "When?"))
    alone = estimate_messages(messages)
    assert alone > estimate("Be brief.") + estimate("When?")
    tool = ToolSpec("search", "Searches the documents.", {"type": "object"})
    assert estimate_messages(messages, (tool,)) > alone + estimate(tool.description)
    call = ToolCall("a", "search", '{"query": "backup"}')
    asked = Message("assistant", "", tool_calls=(call,))
    assert estimate_messages((*messages, asked)) > alone + estimate(call.arguments)
