"""What every block needs to know to draw itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kebab_tui.clock import Clock, SystemClock
from kebab_tui.keys import key_of, keys_of


@dataclass(slots=True)
class Look:
    """`still`: no motion. `narrow`: the sources pane has no room."""

    clock: Clock = field(default_factory=SystemClock)
    keymap: Mapping[str, str] = field(default_factory=dict)
    still: bool = False
    narrow: bool = False

    def keys(self, key_id: str) -> list[str]:
        """All keys of `key_id`, by Textual's names."""
        return keys_of(key_id, self.keymap)

    def key(self, key_id: str) -> str:
        return key_of(key_id, self.keymap)
