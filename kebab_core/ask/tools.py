"""What a model may call while it researches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kebab_core.ask.passages import Passages
from kebab_core.llm.base import ToolCall, ToolSpec
from kebab_core.types import Hit, ToolName


@dataclass(frozen=True, slots=True)
class ToolResult:
    """`text` is what the model reads. `hits` carry their numbers in the run."""

    text: str
    hits: tuple[Hit, ...] = ()
    error: str | None = None


class Toolbox(Protocol):
    """The tools of one run."""

    @property
    def specs(self) -> tuple[ToolSpec, ...]: ...

    def describe(self, call: ToolCall) -> tuple[ToolName, str]:
        """Which tool a call means and what it asks for, for a reader. Never raises."""

    async def use(self, call: ToolCall, passages: Passages) -> ToolResult:
        """Do it. New passages are numbered by `passages`.

        Malformed arguments, a tool that doesn't exist and a failure of the tool are results with
        an `error`; they never end the run.
        """
