"""What can be changed from the palette about who answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from kebab_core.api import KebabError
from kebab_tui.asking import unexpected
from kebab_tui.desk import Desk
from kebab_tui.habits import Habits
from kebab_tui.messages import ModelChosen, Said
from kebab_tui.opening import destination
from kebab_tui.picker import Picker

if TYPE_CHECKING:
    from kebab_core.api import KnowledgeBase


class ModelsListed(Message):
    def __init__(self, refs: list[str]) -> None:
        super().__init__()
        self.refs = refs


class SettingHandlers(Desk):
    def action_choose_model(self) -> None:
        """List what could answer, in the background: a server may be asked."""
        base = self.base
        if base is None:
            self.say("Still opening.")
            return

        def listed() -> None:
            try:
                self.post(ModelsListed(base.chat_models()))
            except KebabError as failure:
                self.post(Said(failure.message, is_problem=True))
            except Exception as failure:  # noqa: BLE001 - told on the screen
                self.post(Said(unexpected(failure).message, is_problem=True))

        self.work("models", listed)

    def on_models_listed(self, event: ModelsListed) -> None:
        now = self.choice.ref if self.choice is not None else ""
        says = "Or type one in full, such as ollama:qwen3:8b. `quote` needs no model."
        picker = Picker(self.look, "Who answers", event.refs, now=now, says=says)
        self.open_dialog(picker, self.choose_model)

    def choose_model(self, ref: str) -> None:
        """Let `ref` answer from now on, also the next time where nothing else is set."""
        base = self.base
        if base is None:
            return

        def choose() -> None:
            self.post(_chosen(base, ref))

        self.work("model", choose)


def _chosen(base: KnowledgeBase, ref: str) -> Message:
    try:
        choice = base.model_choice(override=ref)
        going = destination(choice, base.configuration.settings)
    except KebabError as failure:
        return Said(f"{failure.message} {failure.hint or ''}".strip(), is_problem=True)
    except Exception as failure:  # noqa: BLE001 - told on the screen
        return Said(unexpected(failure).message, is_problem=True)
    kept = Habits(base.configuration).keep_model(choice.ref)
    words = f"{choice.ref} answers from now on."
    if going:
        words += f" Questions and the passages found for them go to {going}."
    return ModelChosen(choice, going, said=f"{words} {kept}".strip(), override=choice.ref)
