"""One question on its way: asked, shown in the way that was wanted, followed to its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from kebab_cli import show
from kebab_cli.answer_text import Wants
from kebab_cli.follow import Ended, follow
from kebab_cli.invocation import Invocation

if TYPE_CHECKING:
    from kebab_cli.show import Show
    from kebab_core.api import AskOptions

How: TypeAlias = Literal["events", "json", "live", "whole"]


@dataclass(frozen=True, slots=True)
class Look:
    """How an ask is shown. `menu`: an abstention is followed by a menu."""

    how: How
    all_events: bool = False
    context: bool = False
    explain: bool = False
    menu: bool = False


def ask_and_show(use: Invocation, question: str, options: AskOptions, look: Look) -> Ended:
    """Raises what `follow` raises."""
    shown = _show(use, question, options, look)
    return follow(use.knowledge_base.ask(question, options), use, shown)


def _show(use: Invocation, question: str, options: AskOptions, look: Look) -> Show:
    output, base = use.output, use.knowledge_base
    if look.how == "events":
        return show.EventLines(output, question, all_events=look.all_events)
    if look.how == "json":
        return show.OneJson(output)
    wants = Wants(
        context=look.context,
        explain=look.explain,
        menu=look.menu,
        width=output.width if output.stdout.is_terminal else None,
    )
    if look.how == "whole":
        return show.WholeText(output, question, wants)
    from kebab_core.api import FROM_GENERAL_KNOWLEDGE

    role = "chance" if options.chance else "ask"
    return show.LiveText(
        output,
        question,
        wants,
        model_note=lambda: base.model_choice(role, options.model).note,
        caveat=FROM_GENERAL_KNOWLEDGE if options.chance else None,
    )
