"""What the workers tell the screen. Each is posted from a thread; handlers own all state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from kebab_tui.scope import Catalog
from kebab_tui.turn import TurnRecord

if TYPE_CHECKING:
    from kebab_core.api import (
        Answer,
        AskRun,
        Error,
        IngestReport,
        KnowledgeBase,
        ModelChoice,
        SchemaReport,
        SearchHit,
        Session,
        ToolFinished,
        ToolStarted,
    )

# --- opening -------------------------------------------------------------------------------


class BaseOpened(Message):
    """The workspace can be asked; its parts may still be loading."""

    def __init__(self, base: KnowledgeBase) -> None:
        super().__init__()
        self.base = base


class CorpusRead(Message):
    """What the corpus holds now."""

    def __init__(self, report: SchemaReport) -> None:
        super().__init__()
        self.report = report


class CatalogRead(Message):
    """The names that a question can be confined to."""

    def __init__(self, catalog: Catalog) -> None:
        super().__init__()
        self.catalog = catalog


class StartersCame(Message):
    """A few questions to begin with."""

    def __init__(self, questions: list[str]) -> None:
        super().__init__()
        self.questions = questions


class ModelChosen(Message):
    """Who answers; `destination` is the host that questions go to, None on this machine.

    `choice` is None where that can't be told: the first question then says why. `override` is
    set where the person chose another one.
    """

    def __init__(
        self,
        choice: ModelChoice | None,
        destination: str | None = None,
        *,
        said: str | None = None,
        override: str | None = None,
    ) -> None:
        super().__init__()
        self.said = said or (choice.note if choice is not None else None)
        self.override = override
        self.choice = choice
        self.destination = destination


class OpeningFailed(Message):
    """A part could not be opened. The chat goes on with what it has."""

    def __init__(self, error: Error) -> None:
        super().__init__()
        self.error = error


# --- a run ---------------------------------------------------------------------------------


class OfTurn(Message):
    """`at` is when it happened, in the clock's monotonic seconds: the screen may be busy."""

    def __init__(self, turn: TurnRecord, at: float) -> None:
        super().__init__()
        self.turn = turn
        self.at = at


class RunStarted(OfTurn):
    """`session_id` is None where the history can't be written."""

    def __init__(self, turn: TurnRecord, at: float, run: AskRun, session_id: str | None) -> None:
        super().__init__(turn, at)
        self.run = run
        self.session_id = session_id


class Retrieved(OfTurn):
    def __init__(self, turn: TurnRecord, at: float, hits: list[SearchHit]) -> None:
        super().__init__(turn, at)
        self.hits = hits


class StepStarted(OfTurn):
    def __init__(self, turn: TurnRecord, at: float, event: ToolStarted) -> None:
        super().__init__(turn, at)
        self.event = event


class StepFinished(OfTurn):
    def __init__(
        self, turn: TurnRecord, at: float, event: ToolFinished, hits: list[SearchHit]
    ) -> None:
        super().__init__(turn, at)
        self.event = event
        self.hits = hits


class Wrote(OfTurn):
    """There is prose to draw; the turn's `Prose` holds it."""


class Finished(OfTurn):
    def __init__(self, turn: TurnRecord, at: float, answer: Answer) -> None:
        super().__init__(turn, at)
        self.answer = answer


class Stopped(OfTurn):
    def __init__(self, turn: TurnRecord, at: float, partial: Answer | None) -> None:
        super().__init__(turn, at)
        self.partial = partial


class Failed(OfTurn):
    def __init__(self, turn: TurnRecord, at: float, error: Error) -> None:
        super().__init__(turn, at)
        self.error = error


# --- sessions, ingest ----------------------------------------------------------------------


class SessionLoaded(Message):
    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session


class IngestProgressed(Message):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class IngestEnded(Message):
    """`error` is set, or `report`."""

    def __init__(self, report: IngestReport | None, error: Error | None = None) -> None:
        super().__init__()
        self.report = report
        self.error = error


class Said(Message):
    """A word about something done in the background: copied, exported, renamed."""

    def __init__(self, text: str, *, is_problem: bool = False) -> None:
        super().__init__()
        self.text = text
        self.is_problem = is_problem
