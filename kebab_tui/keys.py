"""Every key, once. Bindings, footer, help, palette and the documentation come from this table."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from textual.binding import Binding, BindingType

from kebab_core.api import ConfigInvalid


@dataclass(frozen=True, slots=True)
class Key:
    """What a key does. `id` names it in `[tui.keys]`; `hint` is its word in the footer.

    `priority` keys act before the focused widget sees them. A key without an action is one
    that the widget itself handles; it is listed and can't be changed.
    """

    id: str
    place: str
    keys: str
    action: str
    hint: str
    says: str
    priority: bool = False


PLACES = {
    "anywhere": "Anywhere",
    "prompt": "Prompt",
    "transcript": "Transcript",
    "choices": "Questions to choose",
    "sources": "Sources",
    "preview": "Preview",
    "sessions": "Sessions",
}

NUMBERS = "1,2,3,4,5,6,7,8,9"

KEYS = (
    Key("app.commands", "anywhere", "ctrl+p", "command_palette", "Commands", "all commands", True),
    Key("app.help", "anywhere", "f1", "help", "Help", "this page", True),
    Key("app.quit", "anywhere", "ctrl+q", "quit", "Quit", "leave; a running answer is kept", True),
    Key("chat.stop", "anywhere", "escape", "back", "Stop", "stop the answer; else to the prompt"),
    Key("chat.new", "anywhere", "ctrl+n", "new_session", "New", "new session", True),
    Key("chat.sessions", "anywhere", "ctrl+s", "sessions", "Sessions", "earlier sessions", True),
    Key(
        "chat.sources",
        "anywhere",
        "ctrl+b,f3",
        "sources",
        "Sources",
        "to the sources, and back",
        True,
    ),
    Key("chat.again", "anywhere", "ctrl+r", "again", "Again", "ask the question again", True),
    Key("chat.web", "anywhere", "ctrl+t", "web", "Web", "web on or off; not found: try it", True),
    Key(
        "chat.quotes",
        "anywhere",
        "ctrl+o",
        "quotes",
        "Quotes",
        "answer with quotes, no model",
        True,
    ),
    Key(
        "chat.general",
        "anywhere",
        "ctrl+g",
        "general",
        "General",
        "answer from general knowledge",
        True,
    ),
    Key("chat.add", "anywhere", "ctrl+f", "add_source", "Add source", "add a file or folder", True),
    Key(
        "chat.save",
        "anywhere",
        "f6",
        "save_note",
        "Save",
        "save the answer as a note of your own",
        True,
    ),
    Key("chat.details", "anywhere", "f2", "details", "Details", "all about the last error", True),
    Key("chat.prompt", "anywhere", "ctrl+l", "prompt", "Prompt", "to the prompt", True),
    Key("chat.pane", "anywhere", "tab", "app.focus_next", "Next pane", "next pane"),
    Key("prompt.send", "prompt", "enter", "send", "Send", "send the question"),
    Key("prompt.newline", "prompt", "ctrl+j,shift+enter", "newline", "Newline", "new line"),
    Key("prompt.scope", "prompt", "@", "", "Scope", "a folder, document or tag to ask about"),
    Key("prompt.history", "prompt", "up", "", "Earlier", "at the edge: the question before"),
    Key("prompt.leave", "prompt", "down", "", "Choose", "at the edge: forward, or to the list"),
    Key("transcript.up", "transcript", "alt+up", "turn(-1)", "Turn up", "the turn before"),
    Key("transcript.down", "transcript", "alt+down", "turn(1)", "Turn down", "the turn after"),
    Key("transcript.fold", "transcript", "space", "fold", "Steps", "show or fold the steps"),
    Key("transcript.open", "transcript", NUMBERS, "", "Open", "open that source"),
    Key(
        "transcript.edit",
        "transcript",
        "e",
        "screen.edit_question",
        "Edit",
        "edit the question and send it anew",
    ),
    Key("transcript.copy", "transcript", "y", "screen.copy_answer", "Copy", "copy the answer"),
    Key(
        "transcript.good", "transcript", "plus", "screen.rate(1)", "Good", "mark the answer as good"
    ),
    Key(
        "transcript.bad", "transcript", "minus", "screen.rate(-1)", "Bad", "mark the answer as bad"
    ),
    Key("transcript.end", "transcript", "end", "follow", "Follow", "to the end, and follow"),
    Key("choices.up", "choices", "up,k", "move(-1)", "Up", "the question above"),
    Key("choices.down", "choices", "down,j", "move(1)", "Down", "the question below"),
    Key("choices.ask", "choices", "enter", "choose", "Ask it", "ask it"),
    Key("sources.up", "sources", "up,k", "move(-1)", "Up", "the passage above"),
    Key("sources.down", "sources", "down,j", "move(1)", "Down", "the passage below"),
    Key("sources.preview", "sources", "enter", "preview", "Preview", "read it in its document"),
    Key("sources.editor", "sources", "o", "editor", "Open", "open in your editor at the line"),
    Key("sources.copy", "sources", "y", "copy", "Copy", "copy the citation"),
    Key("sources.pin", "sources", "p", "pin", "Pin", "pin it: always given when asked again"),
    Key("sources.leave", "sources", "x", "leave_out", "Leave out", "leave it out when asked again"),
    Key("sources.again", "sources", "a", "again", "Ask again", "ask again with these passages"),
    Key("sources.cited", "sources", "c", "cited", "Cited only", "cited passages only, or all"),
    Key("sources.filter", "sources", "slash", "filter", "Filter", "type to filter"),
    Key("preview.before", "preview", "left_square_bracket", "hit(-1)", "Prev", "the hit before"),
    Key("preview.after", "preview", "right_square_bracket", "hit(1)", "Next hit", "the hit after"),
    Key("preview.editor", "preview", "o", "editor", "Open in editor", "open in your editor"),
    Key("preview.copy", "preview", "y", "copy", "Copy citation", "copy the citation"),
    Key("preview.close", "preview", "escape", "close", "Close", "close"),
    Key("sessions.open", "sessions", "enter", "open", "Open", "open where it was left"),
    Key("sessions.new", "sessions", "ctrl+n", "new", "New", "new session", True),
    Key("sessions.rename", "sessions", "ctrl+r", "rename", "Rename", "give it another name", True),
    Key(
        "sessions.delete",
        "sessions",
        "ctrl+x",
        "delete",
        "Delete",
        "delete, after a question",
        True,
    ),
    Key("sessions.close", "sessions", "escape", "close", "Close", "close"),
)

BY_ID = {key.id: key for key in KEYS}

_SYMBOLS = {
    "enter": "⏎",
    "escape": "esc",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "slash": "/",
    "plus": "+",
    "minus": "-",
}


def bindings(*places: str) -> list[BindingType]:
    """The bindings of these places, for a widget's `BINDINGS`."""
    return [_binding(key) for key in KEYS if key.place in places and key.action]


def bindings_of(*ids: str) -> list[BindingType]:
    """The bindings of these ids alone."""
    return [_binding(BY_ID[one]) for one in ids]


def _binding(key: Key) -> Binding:
    return Binding(
        key.keys,
        key.action,
        key.hint,
        tooltip=key.says,
        id=key.id,
        priority=key.priority,
        show=False,
    )


def display(keys: str) -> str:
    """A key as people read it: `ctrl+n` is `^n`. Of several, the first."""
    first = keys.split(",")[0].strip()
    if keys == NUMBERS:
        return "1–9"
    *modifiers, name = first.split("+") if first != "+" else ["+"]
    shown = _SYMBOLS.get(name, name)
    if modifiers == ["ctrl"]:
        return f"^{shown}"
    return "+".join([*modifiers, shown])


def key_of(key_id: str, keymap: Mapping[str, str]) -> str:
    """What to press for `key_id`, as people read it."""
    return display(keymap.get(key_id, BY_ID[key_id].keys))


def keys_of(key_id: str, keymap: Mapping[str, str]) -> list[str]:
    """The keys of `key_id` by Textual's names."""
    return [one.strip() for one in keymap.get(key_id, BY_ID[key_id].keys).split(",")]


def all_keys_of(key: Key, keymap: Mapping[str, str]) -> str:
    """Every way to press `key`: `^b or f3`."""
    keys = keymap.get(key.id, key.keys)
    if keys == NUMBERS:
        return display(keys)
    return " or ".join(display(one) for one in keys.split(","))


def check_keymap(keymap: Mapping[str, str]) -> dict[str, str]:
    """The person's `[tui.keys]`. Raises ConfigInvalid naming the nearest id, or what clashes."""
    changeable = {key.id: key for key in KEYS if key.action}
    for name in keymap:
        if name not in changeable:
            near = difflib.get_close_matches(name, changeable, n=1, cutoff=0)
            raise ConfigInvalid(
                f"[tui.keys] has no key called {name!r}.",
                f"The nearest is {near[0]!r}; f1 in the chat lists them all.",
            )
    taken: dict[tuple[str, str], str] = {}
    for key in changeable.values():
        for one in _split(keymap.get(key.id, key.keys)):
            if not one:
                raise ConfigInvalid(f"[tui.keys] {key.id!r} has no key.", 'Write it as "ctrl+k".')
            if len(one) == 1 and key.place in ("anywhere", "prompt"):
                raise ConfigInvalid(
                    f"[tui.keys] {key.id!r} can't be {one!r}: it is typed into the prompt.",
                    'Take a key with a modifier, such as "ctrl+k" or "f4".',
                )
            other = taken.setdefault((key.place, one), key.id)
            if other != key.id:
                raise ConfigInvalid(
                    f"[tui.keys] gives {one!r} to both {other!r} and {key.id!r}.",
                    "Give one of them another key.",
                )
    return dict(keymap)


def _split(keys: str) -> Iterable[str]:
    return (one.strip() for one in keys.split(","))
