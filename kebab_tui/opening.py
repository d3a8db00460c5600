"""Opening the workspace after the first frame: base, corpus, model, each told when it is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from textual.message import Message

from kebab_core import api
from kebab_core.api import KebabError
from kebab_tui.asking import unexpected
from kebab_tui.messages import (
    BaseOpened,
    CorpusRead,
    ModelChosen,
    OpeningFailed,
    Said,
    SessionLoaded,
    StartersCame,
)
from kebab_tui.words import clip, one_line

if TYPE_CHECKING:
    from kebab_core.api import Error, KnowledgeBase, ModelChoice, Settings

Post = Callable[[Message], object]

_STARTERS = 4
_CLOUDS = {
    "openai": "api.openai.com",
    "anthropic": "api.anthropic.com",
    "openrouter": "openrouter.ai",
    "workers-ai": "api.cloudflare.com",
}
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def open_base(
    opener: Callable[[], KnowledgeBase], session_id: str | None, continue_last: bool, post: Post
) -> None:
    """Open, then restore the session that was asked for, then count, then warm."""
    try:
        base = opener()
        post(BaseOpened(base))
        if continue_last and session_id is None:
            session_id = base.sessions.last()
        if session_id is not None:
            post(SessionLoaded(base.sessions.get(session_id)))
    except Exception as failure:  # noqa: BLE001 - told on the screen
        post(OpeningFailed(_error(failure)))


def read_corpus(base: KnowledgeBase, post: Post) -> None:
    """Counts for the header."""
    try:
        post(CorpusRead(base.status()))
    except Exception as failure:  # noqa: BLE001 - told on the screen
        post(OpeningFailed(_error(failure)))


def warm(base: KnowledgeBase, post: Post) -> None:
    """Load store and models, so that the first question doesn't wait for them."""
    try:
        choice = base.model_choice()
    except Exception as failure:  # noqa: BLE001 - told on the screen
        post(OpeningFailed(_error(failure)))
        post(ModelChosen(None))
    else:
        post(ModelChosen(choice, destination(choice, base.configuration.settings)))
    try:
        base.warm()
    except Exception as failure:  # noqa: BLE001 - told on the screen
        post(OpeningFailed(_error(failure)))


def propose_starters(base: KnowledgeBase, post: Post) -> None:
    """Questions to begin with. A model may think of them, which can take seconds."""
    try:
        post(StartersCame(starters(base)))
    except Exception as failure:  # noqa: BLE001 - told on the screen
        post(StartersCame([]))
        post(Said(_error(failure).message, is_problem=True))


def starters(base: KnowledgeBase) -> list[str]:
    """What the core proposes; titles alone, where asking for more would send them away unseen."""
    choice = base.model_choice("starters")
    leaves = destination(choice, base.configuration.settings) is not None
    if leaves and not _has_answered(base, choice):
        return from_titles(base)
    return base.starters()


def _has_answered(base: KnowledgeBase, choice: ModelChoice) -> bool:
    """Whether the person's last session went to that provider: then it's nothing new to them."""
    last = base.sessions.last()
    turns = base.sessions.get(last).turns or [] if last is not None else []
    answers = (turn.answer for turn in turns)
    return any(one is not None and one.model.provider == choice.provider for one in answers)


def from_titles(base: KnowledgeBase) -> list[str]:
    """First questions without a model, about the documents that changed last."""
    newest = sorted(base.documents(), key=lambda document: document.indexed_at, reverse=True)
    titles: dict[str, None] = {}
    for document in newest:
        title = one_line(document.title)
        if title and document.chunk_count:
            titles.setdefault(title)
        if len(titles) == _STARTERS:
            break
    return [f"What does “{clip(title, 60)}” say?" for title in titles]


def destination(choice: ModelChoice, settings: Settings) -> str | None:
    """The host that questions and passages go to, None if they stay on this machine."""
    address = {
        "openai-compatible": settings.providers.openai_compatible,
        "ollama": settings.providers.ollama,
        "openai": settings.providers.openai,
        "anthropic": settings.providers.anthropic,
        "openrouter": settings.providers.openrouter,
        "workers-ai": settings.providers.workers_ai,
    }.get(choice.provider)
    host = urlsplit(address.base_url).hostname if address is not None else None
    host = host or _CLOUDS.get(choice.provider)
    return None if host is None or host in _LOOPBACK else host


def _error(failure: Exception) -> Error:
    return api.Error.of(failure if isinstance(failure, KebabError) else unexpected(failure))
