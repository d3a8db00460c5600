"""What the palette offers, as `area: verb`."""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import SystemCommand

from kebab_tui.chat import ChatScreen


def chat_commands(chat: ChatScreen) -> Iterable[SystemCommand]:
    """All that can be done in the chat, with a word about each."""
    web = "off" if chat.web else "on"
    yield SystemCommand("session: new", "Start a new session", chat.action_new_session)
    yield SystemCommand("session: open", "Open an earlier one", chat.action_sessions)
    yield SystemCommand(
        "session: export as Markdown",
        "Into the current folder, with the cited passages",
        lambda: chat.action_export("md"),
    )
    yield SystemCommand(
        "session: export as JSON",
        "Into the current folder, as session.v1",
        lambda: chat.action_export("json"),
    )
    yield SystemCommand("question: ask again", "The last one", chat.action_again)
    yield SystemCommand(
        "question: answer with quotes", "From the passages alone, no model", chat.action_quotes
    )
    yield SystemCommand(
        "question: general knowledge", "Not from your documents", chat.action_general
    )
    yield SystemCommand("answer: copy", "As Markdown", chat.action_copy_answer)
    yield SystemCommand(
        "answer: copy with sources", "Question, answer, passages", chat.action_copy_turn
    )
    yield SystemCommand(
        "answer: save as a note", "Into a folder of yours, with sources", chat.action_save_note
    )
    yield SystemCommand("answer: good", "Keep a mark with it", lambda: chat.action_rate(1))
    yield SystemCommand("answer: bad", "Keep a mark with it", lambda: chat.action_rate(-1))
    yield SystemCommand("model: choose", "Who answers", chat.action_choose_model)
    yield SystemCommand("sources: show", "The passages of the answer", chat.action_sources)
    yield SystemCommand("sources: add", "A file or a folder", chat.action_add_source)
    yield SystemCommand("sources: refresh", "Read what has changed", lambda: chat.start_ingest(""))
    yield SystemCommand(f"web: turn {web}", "Search the web as well", chat.toggle_web)
    yield SystemCommand("error: details", "All about the last one", chat.action_details)
