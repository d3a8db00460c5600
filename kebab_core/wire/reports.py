"""What kebab tells of itself: `doctor.v1`, `settings.v1`, `schema.v1`, `spend_report.v1`,
`eval_report.v1`."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from kebab_core.wire.base import Timestamp, WireModel


class Check(WireModel):
    optional: ClassVar[frozenset[str]] = frozenset({"hint"})

    name: str
    ok: bool
    detail: str
    hint: str | None = None


class Doctor(WireModel):
    schema_version: Literal["doctor.v1"] = "doctor.v1"
    ok: bool
    checks: list[Check]


class SettingValue(WireModel):
    key: str
    value: Any
    source: str = Field(description="`default`, `user file`, `project file`, a variable or a flag.")


class SettingsReport(WireModel):
    """The settings in force. Secrets are never among them."""

    schema_version: Literal["settings.v1"] = "settings.v1"
    files: list[str]
    ignored: list[str] = Field(description="Keys of an untrusted project file.")
    values: list[SettingValue]


class CorpusStats(WireModel):
    optional: ClassVar[frozenset[str]] = frozenset({"last_ingest_at"})

    documents: int
    chunks: int
    by_media: dict[str, int]
    by_lang: dict[str, int]
    bytes: dict[str, int]
    stale: int
    failing: int
    last_ingest_at: Timestamp | None = None
    corpus_revision: int


class SchemaReport(WireModel):
    """What this build and this corpus hold; also what `kebab status` prints."""

    schema_version: Literal["schema.v1"] = "schema.v1"
    kebab_version: str
    wire: list[str]
    capabilities: dict[str, bool]
    models: dict[str, str | None]
    stats: CorpusStats


class SpendRow(WireModel):
    day: str
    role: str
    provider: str
    model: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    usd: float | None
    usd_source: Literal["reported", "table", "none"]


class SpendReport(WireModel):
    schema_version: Literal["spend_report.v1"] = "spend_report.v1"
    from_: str = Field(alias="from")
    to: str
    rows: list[SpendRow]
    total_usd: float | None


class EvalSet(WireModel):
    name: str
    questions: int
    measures: dict[str, float]


class EvalItem(WireModel):
    """One question of a golden set. `top` is the best `relevance` of the passages found."""

    set: str
    question: str
    answerable: bool
    top: float | None
    measures: dict[str, float] = Field(description="Of the ranking; empty without labels.")
    abstained: bool | None = Field(default=None, description="Null where no answer was asked for.")
    citation_precision: float | None = None
    quote_accuracy: float | None = None


class EvalReport(WireModel):
    optional: ClassVar[frozenset[str]] = frozenset({"items"})

    schema_version: Literal["eval_report.v1"] = "eval_report.v1"
    run_id: str
    settings: dict[str, Any]
    sets: list[EvalSet]
    latency_ms: dict[str, float]
    curve: list[dict[str, float]] = Field(
        description="At each bar: precision and recall of refusing, answerable ones refused."
    )
    items: list[EvalItem] | None = None


class WhyStep(WireModel):
    name: str
    ok: bool
    detail: str


class WhyReport(WireModel):
    """The way of a document from the corpus to an answer, up to where it falls out."""

    schema_version: Literal["why_report.v1"] = "why_report.v1"
    path: str
    question: str
    documents: list[str]
    steps: list[WhyStep]
    verdict: str
