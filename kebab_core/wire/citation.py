"""`citation.v1`: where a passage stands in its source."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from kebab_core.wire.base import Timestamp, WireModel

_COMMON = ("schema_version", "kind", "path", "uri", "indexed_at", "stale", "of")
_OF_KIND = {
    "line": ("start", "end", "section", "cell", "sheet", "slide"),
    "page": ("page", "section"),
    "code": ("line_start", "line_end", "symbol", "lang"),
    "web": ("url", "title"),
    "region": ("page", "x", "y", "w", "h"),
    "caption": ("model",),
    "time": ("start_ms", "end_ms", "speaker"),
}


class Citation(WireModel):
    """Place of a passage. The fields of its `kind` are there, null or not; no others."""

    schema_version: Literal["citation.v1"] = "citation.v1"
    kind: Literal["line", "page", "code", "region", "caption", "time", "web"]
    path: str = Field(description="The document's path within its source; the URL for `web`.")
    uri: str = Field(description="Percent-encoded path with `#L12-L34` or `#page=13`, or the URL.")
    indexed_at: Timestamp
    stale: bool
    of: Literal["source", "extracted"] = Field(
        default="source", description="Whether lines count in the file itself or in extracted text."
    )
    start: int | None = Field(default=None, ge=1, description="First line (kind `line`).")
    end: int | None = Field(default=None, ge=1, description="Last line, inclusive.")
    section: str | None = None
    cell: str | None = None
    sheet: str | None = None
    slide: int | None = None
    page: int | None = Field(default=None, ge=1)
    line_start: int | None = Field(default=None, ge=1, description="First line (kind `code`).")
    line_end: int | None = Field(default=None, ge=1)
    symbol: str | None = None
    lang: str | None = None
    url: str | None = None
    title: str | None = None
    x: float | None = None
    y: float | None = None
    w: float | None = None
    h: float | None = None
    model: str | None = None
    start_ms: int | None = None
    end_ms: int | None = None
    speaker: str | None = None

    @property
    def place(self) -> str:
        """`path#L12-L34`, `#page=3`, `#slide=3`, `#Sheet1!A2:F9` or `#cell=3`, as a person reads
        it: `uri` has the path percent-encoded, and lines where the format has other places too."""
        if self.page is not None:
            return f"{self.path}#page={self.page}"
        if self.slide is not None:
            return f"{self.path}#slide={self.slide}"
        if self.sheet is not None:
            return f"{self.path}#{self.sheet}" + (f"!{self.cell}" if self.cell else "")
        if self.cell is not None:
            return f"{self.path}#cell={self.cell}"
        first, last = self.start or self.line_start, self.end or self.line_end
        return f"{self.path}#L{first}-L{last}" if first is not None else self.path

    @model_serializer(mode="wrap")
    def _only_its_kind(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = handler(self)
        return {name: fields[name] for name in (*_COMMON, *_OF_KIND[self.kind])}
