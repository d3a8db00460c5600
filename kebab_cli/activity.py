"""What a run does meanwhile, one short line a tool call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kebab_cli.columns import clip
from kebab_core.api import for_display

if TYPE_CHECKING:
    from kebab_core.api import ToolStarted


def activity(event: ToolStarted, width: int) -> str:
    """`⋯ searching corpus: "notice period"`, cleaned, in at most `width` columns."""
    about = " ".join(for_display(event.query).split())
    match event.tool:
        case "corpus":
            said = f'searching corpus: "{about}"'
        case "web":
            said = f'web search: "{about}"'
        case "fetch":
            said = f"fetch: {about}"
        case "open":
            said = f"opening {about}"
        case "list":
            said = f"listing {about or 'documents'}"
    return clip(f"⋯ {said}", width)
