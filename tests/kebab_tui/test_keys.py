from __future__ import annotations

import pytest

from kebab_core.api import ConfigInvalid
from kebab_tui.keys import BY_ID, KEYS, PLACES, all_keys_of, check_keymap, display, key_of

ALIASES = {"ctrl+h", "ctrl+i", "ctrl+m"}
OF_THE_TEXT_AREA = {f"ctrl+{letter}" for letter in "acdekuvwxyz"}


def test_ids_are_unique_and_say_where() -> None:
    assert len(BY_ID) == len(KEYS)
    assert {key.place for key in KEYS} == set(PLACES)
    assert all(key.hint and key.says for key in KEYS)


def test_no_key_twice_in_one_place() -> None:
    check_keymap({})


@pytest.mark.parametrize(
    "key", [key for key in KEYS if key.action and key.place in ("anywhere", "prompt")]
)
def test_typing_and_the_text_areas_own_keys_are_left_alone(key: object) -> None:
    assert hasattr(key, "keys")
    for one in key.keys.split(","):
        assert len(one) > 1, "a bare letter acts while the prompt has focus"
        assert one not in ALIASES | OF_THE_TEXT_AREA


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ("ctrl+n", "^n"),
        ("escape", "esc"),
        ("enter", "⏎"),
        ("alt+up", "alt+↑"),
        ("left_square_bracket", "["),
        ("1,2,3,4,5,6,7,8,9", "1–9"),
        ("f1", "f1"),
    ],
)
def test_keys_are_shown_as_people_read_them(keys: str, shown: str) -> None:
    assert display(keys) == shown


def test_the_persons_own_keys_are_shown_instead() -> None:
    keymap = check_keymap({"chat.sources": "f4"})
    assert key_of("chat.sources", keymap) == "f4"
    assert all_keys_of(BY_ID["chat.sources"], {}) == "^b or f3"


@pytest.mark.parametrize(
    ("keymap", "said"),
    [
        ({"chat.sesions": "f4"}, "chat.sessions"),
        ({"transcript.open": "f4"}, "nearest"),
        ({"chat.new": "n"}, "modifier"),
        ({"chat.new": "ctrl+s"}, "another key"),
        ({"chat.new": ""}, "ctrl+k"),
    ],
)
def test_a_keymap_that_cant_be_right_is_refused(keymap: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigInvalid) as refused:
        check_keymap(keymap)
    assert said in f"{refused.value.message} {refused.value.hint}"
