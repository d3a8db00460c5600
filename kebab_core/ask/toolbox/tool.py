"""One tool: what the model is told of it, and what it does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from kebab_core.ask.passages import Passages
from kebab_core.ask.tools import ToolResult
from kebab_core.llm.base import ToolSpec
from kebab_core.types import ToolName

Use = Callable[[Mapping[str, str], Passages], Awaitable[ToolResult]]


@dataclass(frozen=True, slots=True)
class Tool:
    """`required` and `optional` map arguments, all of them strings, to what they mean.

    `use` may raise KebabError or RefusedError, which become results.
    """

    name: str
    kind: ToolName
    description: str
    use: Use
    required: Mapping[str, str]
    optional: Mapping[str, str]

    @property
    def spec(self) -> ToolSpec:
        properties = {
            name: {"type": "string", "description": meaning}
            for name, meaning in {**self.required, **self.optional}.items()
        }
        return ToolSpec(
            self.name,
            self.description,
            {"type": "object", "properties": properties, "required": list(self.required)},
        )


class RefusedError(Exception):
    """A tool that can't do what it was asked. Its text is what the model reads."""
