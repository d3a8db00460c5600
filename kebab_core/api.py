"""The facade: all that a door (screen, command line, server) may touch.

Names load when first used, so importing this module costs almost nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kebab_core import __version__ as __version__
    from kebab_core.ask.assemble import FROM_GENERAL_KNOWLEDGE as FROM_GENERAL_KNOWLEDGE
    from kebab_core.ask.events import Final as Final
    from kebab_core.ask.events import RetrievalDone as RetrievalDone
    from kebab_core.ask.events import StreamEvent as StreamEvent
    from kebab_core.ask.events import Token as Token
    from kebab_core.ask.events import ToolFinished as ToolFinished
    from kebab_core.ask.events import ToolStarted as ToolStarted
    from kebab_core.ask.events import answer_event as answer_event
    from kebab_core.ask.events import search_event as search_event
    from kebab_core.ask.run import AskRun as AskRun
    from kebab_core.client.address import checked as remote_address  # noqa: F401
    from kebab_core.client.remote_run import RemoteEvent as RemoteEvent
    from kebab_core.client.remote_run import RemoteOptions as RemoteOptions
    from kebab_core.client.remote_run import RemoteRun as RemoteRun
    from kebab_core.embed import install as install_embedding_model  # noqa: F401
    from kebab_core.embed import installed as installed_embedding_model  # noqa: F401
    from kebab_core.errors import ConfigInvalid as ConfigInvalid
    from kebab_core.errors import IndexIncompatible as IndexIncompatible
    from kebab_core.errors import Internal as Internal
    from kebab_core.errors import InvalidInput as InvalidInput
    from kebab_core.errors import IOFailed as IOFailed
    from kebab_core.errors import KebabError as KebabError
    from kebab_core.errors import ModelError as ModelError
    from kebab_core.errors import ModelRequired as ModelRequired
    from kebab_core.errors import NotFound as NotFound
    from kebab_core.errors import NotIndexed as NotIndexed
    from kebab_core.errors import PermissionDenied as PermissionDenied
    from kebab_core.errors import RateLimited as RateLimited
    from kebab_core.errors import StoreLocked as StoreLocked
    from kebab_core.errors import TimedOut as TimedOut
    from kebab_core.evaluation.adding import append as append_golden  # noqa: F401
    from kebab_core.evaluation.comparing import Change as Change
    from kebab_core.evaluation.comparing import changes as eval_changes  # noqa: F401
    from kebab_core.evaluation.comparing import turned as eval_turned  # noqa: F401
    from kebab_core.knowledge_base import KnowledgeBase as KnowledgeBase
    from kebab_core.paths import SETTINGS_FILE as SETTINGS_FILE
    from kebab_core.paths import config_dir as config_dir
    from kebab_core.paths import named_workspace as named_workspace
    from kebab_core.paths import workspace_names as workspace_names
    from kebab_core.sessions import MemorySessions as MemorySessions
    from kebab_core.sessions import SessionStore as SessionStore
    from kebab_core.sessions import SqliteSessions as SqliteSessions
    from kebab_core.sessions.markdown import Exchange as Exchange
    from kebab_core.sessions.markdown import exchange_as_markdown as exchange_as_markdown
    from kebab_core.sessions.markdown import exchange_of as exchange_of
    from kebab_core.sessions.markdown import session_as_markdown as session_as_markdown
    from kebab_core.settings.load import Configuration as Configuration
    from kebab_core.settings.load import load as load_configuration  # noqa: F401
    from kebab_core.settings.local_workspace import make_local_workspace as make_local_workspace
    from kebab_core.settings.model import Settings as Settings
    from kebab_core.settings.report import settings_report as settings_report
    from kebab_core.settings.template import write_template as write_settings_template  # noqa: F401
    from kebab_core.settings.trust import trust as trust_settings  # noqa: F401
    from kebab_core.text.clean import for_display as for_display
    from kebab_core.text.terms import is_function_word as is_function_word
    from kebab_core.text.terms import query_terms as query_terms
    from kebab_core.types import AskOptions as AskOptions
    from kebab_core.types import AssetFinished as AssetFinished
    from kebab_core.types import AssetStarted as AssetStarted
    from kebab_core.types import Document as Document
    from kebab_core.types import EmbedBatchFinished as EmbedBatchFinished
    from kebab_core.types import Filters as Filters
    from kebab_core.types import GivenText as GivenText
    from kebab_core.types import HistoryTurn as HistoryTurn
    from kebab_core.types import Hit as Hit
    from kebab_core.types import IngestAborted as IngestAborted
    from kebab_core.types import IngestCompleted as IngestCompleted
    from kebab_core.types import IngestCounts as IngestCounts
    from kebab_core.types import IngestEvent as IngestEvent
    from kebab_core.types import IngestNotice as IngestNotice
    from kebab_core.types import IngestOptions as IngestOptions
    from kebab_core.types import ModelCall as ModelCall
    from kebab_core.types import ModelChoice as ModelChoice
    from kebab_core.types import ScanCompleted as ScanCompleted
    from kebab_core.types import ScanStarted as ScanStarted
    from kebab_core.types import Scope as Scope
    from kebab_core.types import SearchOptions as SearchOptions
    from kebab_core.types import heading_label as heading_label
    from kebab_core.wire.answer import Answer as Answer
    from kebab_core.wire.answer import AnswerCitation as AnswerCitation
    from kebab_core.wire.answer import AnswerSource as AnswerSource
    from kebab_core.wire.answer import Gap as Gap
    from kebab_core.wire.answer import Suggestion as Suggestion
    from kebab_core.wire.answer_event import AnswerEvent as AnswerEvent
    from kebab_core.wire.answer_event import SearchEvent as SearchEvent
    from kebab_core.wire.citation import Citation as Citation
    from kebab_core.wire.convert import ingest_progress as ingest_progress
    from kebab_core.wire.convert import search_hit as search_hit
    from kebab_core.wire.convert import uri as uri
    from kebab_core.wire.documents import DocSummary as DocSummary
    from kebab_core.wire.error import Error as Error
    from kebab_core.wire.export import TYPES as WIRE_TYPES  # noqa: F401
    from kebab_core.wire.export import json_schema_text as json_schema_text
    from kebab_core.wire.ingest import IngestProgress as IngestProgress
    from kebab_core.wire.ingest import IngestReport as IngestReport
    from kebab_core.wire.reports import Check as Check
    from kebab_core.wire.reports import Doctor as Doctor
    from kebab_core.wire.reports import EvalReport as EvalReport
    from kebab_core.wire.reports import SchemaReport as SchemaReport
    from kebab_core.wire.reports import SettingsReport as SettingsReport
    from kebab_core.wire.reports import SpendReport as SpendReport
    from kebab_core.wire.reports import WhyReport as WhyReport
    from kebab_core.wire.search_hit import SearchHit as SearchHit
    from kebab_core.wire.search_response import SearchResponse as SearchResponse
    from kebab_core.wire.session import Session as Session
    from kebab_core.wire.session import Turn as Turn

_HOME = {
    "kebab_core": ["__version__"],
    "kebab_core.ask.assemble": ["FROM_GENERAL_KNOWLEDGE"],
    "kebab_core.ask.events": [
        "answer_event",
        "search_event",
        "Final",
        "RetrievalDone",
        "StreamEvent",
        "Token",
        "ToolFinished",
        "ToolStarted",
    ],
    "kebab_core.ask.run": ["AskRun"],
    "kebab_core.client.address": ["checked:remote_address"],
    "kebab_core.client.remote_run": ["RemoteEvent", "RemoteOptions", "RemoteRun"],
    "kebab_core.embed": ["install:install_embedding_model", "installed:installed_embedding_model"],
    "kebab_core.errors": [
        "ConfigInvalid",
        "IOFailed",
        "IndexIncompatible",
        "Internal",
        "InvalidInput",
        "KebabError",
        "ModelError",
        "ModelRequired",
        "NotFound",
        "NotIndexed",
        "PermissionDenied",
        "RateLimited",
        "StoreLocked",
        "TimedOut",
    ],
    "kebab_core.evaluation.adding": ["append:append_golden"],
    "kebab_core.evaluation.comparing": ["Change", "changes:eval_changes", "turned:eval_turned"],
    "kebab_core.knowledge_base": ["KnowledgeBase"],
    "kebab_core.paths": ["SETTINGS_FILE", "config_dir", "named_workspace", "workspace_names"],
    "kebab_core.sessions": ["MemorySessions", "SessionStore", "SqliteSessions"],
    "kebab_core.sessions.markdown": [
        "Exchange",
        "exchange_as_markdown",
        "exchange_of",
        "session_as_markdown",
    ],
    "kebab_core.settings.load": ["Configuration", "load:load_configuration"],
    "kebab_core.settings.local_workspace": ["make_local_workspace"],
    "kebab_core.settings.model": ["Settings"],
    "kebab_core.settings.report": ["settings_report"],
    "kebab_core.settings.template": ["write_template:write_settings_template"],
    "kebab_core.settings.trust": ["trust:trust_settings"],
    "kebab_core.text.clean": ["for_display"],
    "kebab_core.text.terms": ["is_function_word", "query_terms"],
    "kebab_core.types": [
        "AskOptions",
        "AssetFinished",
        "AssetStarted",
        "Document",
        "EmbedBatchFinished",
        "Filters",
        "GivenText",
        "HistoryTurn",
        "Hit",
        "IngestAborted",
        "IngestCompleted",
        "IngestCounts",
        "IngestEvent",
        "IngestNotice",
        "IngestOptions",
        "ModelCall",
        "ModelChoice",
        "ScanCompleted",
        "ScanStarted",
        "Scope",
        "SearchOptions",
        "heading_label",
    ],
    "kebab_core.wire.answer": ["Answer", "AnswerSource", "Gap", "Suggestion", "AnswerCitation"],
    "kebab_core.wire.answer_event": ["AnswerEvent", "SearchEvent"],
    "kebab_core.wire.citation": ["Citation"],
    "kebab_core.wire.convert": ["ingest_progress", "search_hit", "uri"],
    "kebab_core.wire.documents": ["DocSummary"],
    "kebab_core.wire.error": ["Error"],
    "kebab_core.wire.export": ["TYPES:WIRE_TYPES", "json_schema_text"],
    "kebab_core.wire.ingest": ["IngestProgress", "IngestReport"],
    "kebab_core.wire.reports": [
        "Check",
        "Doctor",
        "EvalReport",
        "SchemaReport",
        "SettingsReport",
        "SpendReport",
        "WhyReport",
    ],
    "kebab_core.wire.search_hit": ["SearchHit"],
    "kebab_core.wire.search_response": ["SearchResponse"],
    "kebab_core.wire.session": ["Session", "Turn"],
}

_WHERE: dict[str, tuple[str, str]] = {}
for _module, _names in _HOME.items():
    for _name in _names:
        _real, _, _alias = _name.partition(":")
        _WHERE[_alias or _real] = (_module, _real)

__all__ = sorted(_WHERE)


def __getattr__(name: str) -> Any:
    try:
        module, real = _WHERE[name]
    except KeyError:
        raise AttributeError(f"kebab_core.api has no {name!r}") from None
    value = getattr(import_module(module), real)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
