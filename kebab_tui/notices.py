"""Blocks that aren't the assistant's words: nothing found, something failed, a caveat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.style import Style

from kebab_tui.keys import BY_ID
from kebab_tui.plain import flow
from kebab_tui.turn import TurnRecord
from kebab_tui.words import one_line

if TYPE_CHECKING:
    from kebab_core.api import Answer, Error, Gap

KeyName = Callable[[str], str]

_TITLES = {
    "model_unreachable": "The model did not answer",
    "model_not_found": "The model isn't there",
    "model_refused": "The model refused",
    "model_empty": "The model wrote nothing",
    "model_interrupted": "The answer broke off",
    "model_required": "This needs a chat model",
    "rate_limited": "The model asks for a pause",
    "timeout": "It took too long",
    "not_indexed": "There are no documents yet",
    "index_incompatible": "The corpus was made by another model",
    "store_locked": "Another kebab is writing",
    "embedder_unavailable": "The embedding model isn't there",
    "invalid_input": "This can't be asked",
    "internal": "Something broke",
}
_OFFLINE = {
    "model_unreachable",
    "model_not_found",
    "model_refused",
    "model_empty",
    "model_interrupted",
    "model_required",
    "rate_limited",
    "timeout",
}


def action(key_id: str, word: str, key_name: KeyName) -> Content:
    """`^r Retry`, to be pressed or clicked. An empty word takes the key's own."""
    part = Content.assemble(
        (key_name(key_id), "bold $primary"), " ", (word or BY_ID[key_id].hint, "$text")
    )
    return part.stylize(Style.from_meta({"@click": f"app.press({key_id!r})"}))


def actions(pairs: Sequence[tuple[str, str]], key_name: KeyName, width: int) -> Content:
    """Several of them in `width` columns."""
    return flow([action(key_id, word, key_name) for key_id, word in pairs], width)


def failure_actions(code: str) -> list[tuple[str, str]]:
    """What can be done about a failure, as hints."""
    offline = [("chat.quotes", "Answer offline")] if code in _OFFLINE else []
    add = [("chat.add", "Add a source")] if code == "not_indexed" else []
    return [("chat.again", "Retry"), *offline, *add, ("chat.details", "Details")]


def render_failure(error: Error, key_name: KeyName, width: int) -> Content:
    """What happened, what was tried, what to do."""
    head = Content.assemble(
        (_TITLES.get(error.code, "The question failed"), "bold $error"),
        "  ",
        (error.code, "$text-muted"),
    )
    lines = [head, Content(one_line(error.message))]
    if error.hint:
        lines.append(Content.styled(one_line(error.hint), "$text-muted"))
    lines += [Content(""), actions(failure_actions(error.code), key_name, width)]
    return Content("\n").join(lines)


def not_found_actions(web: bool) -> list[tuple[str, str]]:
    """Next steps after nothing was found, as hints."""
    first = [] if web else [("chat.web", "Try the web")]
    return [*first, ("chat.add", "Add a source"), ("chat.general", "General knowledge")]


def render_not_found(turn: TurnRecord, answer: Answer, key_name: KeyName, width: int) -> Content:
    """What was searched and how near it came, in the core's own words, and what to do next."""
    todo = [action(*pair, key_name) for pair in not_found_actions(bool(turn.request.web))]
    todo.append(Content.assemble(("↑", "bold $primary"), " ", ("Add words", "$text")))
    return Content("\n").join(
        [
            Content.styled("Not in your documents", "bold $warning"),
            Content(one_line(answer.answer)),
            Content(""),
            flow(todo, width),
        ]
    )


def render_gap(gap: Gap, key_name: KeyName, width: int, *, web: bool) -> Content:
    """What the answer left open: offered to be written down, unless a search did not run."""
    if gap.reason == "search-limited":
        words = "Part of the search did not run, so something may have been missed."
        return Content.styled(words, "$text-muted")
    title = one_line(gap.suggested_title or "")
    head = Content.assemble(("Not covered", "bold $warning"), ("  " + title if title else "", ""))
    todo = [("chat.save", "Write it down"), ("chat.add", "Add a source")]
    if not web:
        todo.append(("chat.web", "Try the web"))
    words = "Your documents say nothing about this part of the question."
    return Content("\n").join(
        [head, Content.styled(words, "$text-muted"), actions(todo, key_name, width)]
    )


def render_caveats(turn: TurnRecord) -> Content:
    """Warnings that stand above the prose."""
    caveats = [one_line(caveat) for caveat in (turn.answer.caveats if turn.answer else [])]
    if turn.request.chance and not caveats:
        caveats = ["From the model's general knowledge, not from your documents."]
    return Content("\n").join([Content.assemble(("▲ ", "$warning"), one) for one in caveats])
