"""How a person likes the chat: what the settings say, else what was taken last in the palette."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kebab_core.api import InvalidInput, for_display, named_workspace

if TYPE_CHECKING:
    from kebab_core.api import Configuration

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True)
class Habits:
    """Reads and remembers; the settings always come first."""

    configuration: Configuration

    @property
    def theme(self) -> str:
        return self._look("theme") or self.configuration.settings.tui.theme

    @property
    def reduced_motion(self) -> bool:
        remembered = self._look("reduced_motion")
        return remembered == "true" or (
            remembered is None and self.configuration.settings.tui.reduced_motion
        )

    def _look(self, name: str) -> str | None:
        """What was remembered, unless the settings say it themselves."""
        if f"tui.{name}" in self.configuration.origins:
            return None
        return self.configuration.state.remembered_look(name)

    def keep_look(self, name: str, value: str) -> str:
        """Remember it for the next time; a word where that doesn't work."""
        key = f"tui.{name}"
        if key in self.configuration.origins:
            return self._overruled(key)
        return "" if self.configuration.state.remember_look(name, value) else _NOT_KEPT

    def keep_model(self, ref: str) -> str:
        """Remember who answers; a word where that doesn't work."""
        key = "models.ask.model"
        if self.configuration.settings.models.ask.model:
            return self._overruled(key)
        return "" if self.configuration.state.remember_model("ask", ref) else _NOT_KEPT

    def elsewhere(self, workspace: str) -> Configuration:
        """The same settings over another workspace. Raises InvalidInput for its name."""
        if not _NAME.fullmatch(workspace):
            raise InvalidInput(
                f"A workspace can't be called {for_display(workspace)!r}.",
                "Take letters, digits, dots, dashes and underscores.",
            )
        return replace(self.configuration, workspace=named_workspace(workspace))

    def _overruled(self, key: str) -> str:
        origin = self.configuration.origins.get(key, "the settings")
        return f"Until you leave: {key} is set ({origin})."


_NOT_KEPT = "It can't be remembered on this machine, so it holds until you leave."
