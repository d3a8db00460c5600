"""Which chat model answers in which place.

The flag, else the settings, else what was remembered, else an Ollama on this machine, else
`quote`. What was found once is remembered: the answerer never changes silently.
"""

from __future__ import annotations

from typing import Literal

from kebab_core.errors import ConfigInvalid
from kebab_core.llm.providers import QUOTE, parse_ref
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.keys import default_base_url
from kebab_core.settings.model import ModelSection, ModelsSection
from kebab_core.text.clean import for_display
from kebab_core.types import ModelChoice

ASK = "ask"


def row(configuration: Configuration, role: str = ASK) -> ModelSection:
    """The settings of a place that calls a model. Raises ConfigInvalid for one that isn't."""
    roles = tuple(ModelsSection.model_fields)
    if role not in roles:
        raise ConfigInvalid(f"There is no model role {role!r}.", f"Roles are {', '.join(roles)}.")
    section: ModelSection = getattr(configuration.settings.models, role)
    return section


def choose(
    configuration: Configuration, role: str = ASK, override: str | None = None
) -> ModelChoice:
    """The model of that role. `note` is to be said aloud where it isn't None.

    Looks for an Ollama at most once, for 200 ms, and only on this machine. Raises ConfigInvalid
    for a name that can't be.
    """
    if override is not None:
        return _choice(override, "flag", "--model")
    for place in dict.fromkeys((role, ASK)):
        if written := row(configuration, place).model.strip():
            return _choice(written, "settings", f"`models.{place}.model`")
    state = configuration.state
    if remembered := state.remembered_model(ASK):
        return _choice(remembered, "remembered", "The remembered model")
    # Imported here: it brings an HTTP client, which nobody needs whose model is settled.
    from kebab_core.llm.discovery import newest_ollama_model

    address = default_base_url("ollama", configuration)
    found = newest_ollama_model(address)
    if found is None:
        return ModelChoice(provider=QUOTE, model="", how="quote")
    choice = ModelChoice(
        provider="ollama",
        model=found,
        how="found",
        note=(
            f"Found Ollama on this computer: {for_display(found)} answers from now on "
            "(another: `--model provider:model`, or `models.ask.model` in the settings)."
        ),
    )
    state.remember_model(ASK, choice.ref)
    return choice


def offered(configuration: Configuration) -> list[str]:
    """`provider:model` of what could answer: set, remembered, on this machine; `quote` always.

    Looks for an Ollama for 200 ms.
    """
    from kebab_core.llm.discovery import ollama_models

    written = (row(configuration, role).model.strip() for role in ModelsSection.model_fields)
    remembered = configuration.state.remembered_model(ASK) or ""
    here = ollama_models(default_base_url("ollama", configuration))
    found = [*written, remembered, *(f"ollama:{name}" for name in here), QUOTE]
    return list(dict.fromkeys(ref for ref in found if ref))


def only_quotes(choice: ModelChoice) -> bool:
    """Whether the answerer can only quote passages: no general knowledge, no proposals."""
    return choice.provider == QUOTE


def _choice(text: str, how: Literal["flag", "settings", "remembered"], where: str) -> ModelChoice:
    provider, model = parse_ref(text, where)
    return ModelChoice(provider=provider, model=model, how=how)
