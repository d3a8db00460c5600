"""What a model may call while it researches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kebab_core.ask.passages import Passages
from kebab_core.llm.base import ToolCall, ToolSpec
from kebab_core.types import Hit, SearchMode, ToolName


@dataclass(frozen=True, slots=True)
class ToolResult:
    """`text` is what the model reads. `hits` carry their numbers in the run.

    `searches` counts what was really searched, `limited` says that a channel of it did not run.
    With `ends_research` no tools are offered any more.
    """

    text: str
    hits: tuple[Hit, ...] = ()
    error: str | None = None
    searches: int = 0
    limited: bool = False
    ends_research: bool = False


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a run stands when research begins.

    `query` was searched for already, in `mode` for `k` passages; the model was shown those
    numbered `shown`. `room` is how many tokens of its context research may fill, None where it
    has no limit.
    """

    query: str
    mode: SearchMode
    k: int
    shown: frozenset[int]
    room: int | None


class Toolbox(Protocol):
    """The tools of one run."""

    @property
    def specs(self) -> tuple[ToolSpec, ...]: ...

    def describe(self, call: ToolCall) -> tuple[ToolName, str]:
        """Which tool a call means and what it asks for, for a reader. Never raises."""

    async def use(self, call: ToolCall, passages: Passages) -> ToolResult:
        """Do it. New passages are numbered by `passages`.

        Malformed arguments, a tool that doesn't exist and a failure of the tool are results with
        an `error`; they never end the run. Raises PermissionDenied where the asker's ran out.
        """
