"""What all wire types share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar

from pydantic import (
    BaseModel,
    ConfigDict,
    GetJsonSchemaHandler,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    model_serializer,
)
from pydantic_core import CoreSchema

BASE_ID = "https://kb.local/wire/v1"


def _rfc3339(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Timestamp = Annotated[datetime, PlainSerializer(_rfc3339, return_type=str, when_used="json")]
"""An instant; on the wire RFC 3339 in UTC."""


class WireModel(BaseModel):
    """A frozen part of the contract. Readers ignore fields they don't know: v1 only grows."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        schema = handler(core_schema)
        target = handler.resolve_ref_schema(schema)
        # The version has a default so that code need not repeat it; on the wire it is a must.
        if "schema_version" in cls.model_fields:
            required = target.setdefault("required", [])
            if "schema_version" not in required:
                required.insert(0, "schema_version")
        return schema

    optional: ClassVar[frozenset[str]] = frozenset()
    """Fields that are absent, rather than null, when they have nothing to say."""

    @model_serializer(mode="wrap")
    def _leave_out_unset(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = handler(self)
        for name in self.optional:
            if fields.get(name) is None:
                fields.pop(name, None)
        return fields

    def to_line(self) -> str:
        """One line of JSON, newlines inside strings escaped, no newline at its end."""
        return self.model_dump_json(by_alias=True)
