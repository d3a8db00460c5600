"""What the chat's handlers share: the state they own and the widgets they draw it on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from kebab_tui.background import Background
from kebab_tui.conversation import Conversation
from kebab_tui.dialog import Dialog, Result
from kebab_tui.header import Header
from kebab_tui.hints import Hints
from kebab_tui.look import Look
from kebab_tui.pace import Pace
from kebab_tui.prompt import Prompt
from kebab_tui.prose import Prose
from kebab_tui.scope import Catalog, Scoped
from kebab_tui.sources import SourcesPane
from kebab_tui.status_line import StatusLine
from kebab_tui.transcript import Transcript
from kebab_tui.turn import Request, TurnRecord
from kebab_tui.welcome import Welcome

if TYPE_CHECKING:
    from kebab_core.api import AskRun, Error, KnowledgeBase, ModelChoice, SchemaReport


class Desk(Screen[None]):
    """State of the chat. Only handlers change it, and they all run in the screen's thread."""

    def __init__(
        self, look: Look, background: Background, *, workspace: str = "", web: bool = False
    ) -> None:
        super().__init__()
        self.look = look
        self.background = background
        self.workspace = workspace
        self.conversation = Conversation()
        self.base: KnowledgeBase | None = None
        self.report: SchemaReport | None = None
        self.choice: ModelChoice | None = None
        self.starters: list[str] | None = None
        """Questions to begin with; None while they are thought of."""
        self.is_model_known = False
        """Whether it was told who answers, and where that is: only then a question goes out."""
        self.catalog: Catalog | None = None
        """Names that a question can be confined to; None while the documents are listed."""
        self.opening_error: Error | None = None
        self.model: str | None = None
        """The model that the person chose here; None takes the one that was decided on."""
        self.web = web
        self.run: AskRun | None = None
        self.stopping = False
        self.pace = Pace()
        self.prose: dict[TurnRecord, Prose] = {}
        self.ingesting = ""
        self.cancel_ingest: Callable[[], None] | None = None
        self.ask_after_ingest: TurnRecord | None = None

    # --- widgets -------------------------------------------------------------------------

    @property
    def header(self) -> Header:
        return self.query_one(Header)

    @property
    def transcript(self) -> Transcript:
        return self.query_one(Transcript)

    @property
    def welcome(self) -> Welcome:
        return self.query_one(Welcome)

    @property
    def prompt(self) -> Prompt:
        return self.query_one(Prompt)

    @property
    def pane(self) -> SourcesPane:
        return self.query_one("#sources", SourcesPane)

    @property
    def status(self) -> StatusLine:
        return self.query_one(StatusLine)

    @property
    def hints(self) -> Hints:
        return self.query_one(Hints)

    # --- what handlers do ----------------------------------------------------------------

    def now(self) -> float:
        return self.look.clock.monotonic()

    def sync(self) -> None:
        """Draw header, status, prompt and hints as the state is now."""
        raise NotImplementedError

    def sync_status(self) -> None:
        """Draw the status line alone."""
        raise NotImplementedError

    def scoped(self, text: str) -> Scoped | None:
        """`text` as a question and its scope; None, and a word, where that can't be."""
        raise NotImplementedError

    async def send(self, request: Request) -> None:
        """Ask, or let the question wait until the one that runs has ended."""
        raise NotImplementedError

    async def show_sources(self, turn: TurnRecord | None) -> None:
        """Fill the pane, and the sheet if it is open, with the passages of `turn`."""
        raise NotImplementedError

    def light_sources(self, turn: TurnRecord) -> None:
        """Light the passages that `turn` has cited by now."""
        raise NotImplementedError

    @property
    def shown_turn(self) -> TurnRecord | None:
        """The turn that keys about answers and sources act on."""
        raise NotImplementedError

    def redraw(self, turn: TurnRecord) -> None:
        """Draw all of `turn` but its prose, and what tells of it."""
        block = self.transcript.block(turn)
        if block is not None:
            block.sync()
        self.sync()

    def work(self, name: str, target: Callable[[], None]) -> None:
        """Do something in a thread of its own; it reports by messages."""
        self.background.start(name, target)

    def toggle_web(self) -> None:
        self.web = not self.web
        if self.web:
            self.say("Web on: what the model looks for there leaves this machine.")
        self.sync()

    def say(self, text: str, *, is_problem: bool = False) -> None:
        """A word in passing."""
        severity = "warning" if is_problem else "information"
        self.notify(text, severity=severity, markup=False)  # type: ignore[arg-type]

    def open_dialog(
        self, dialog: Dialog[Result], then: Callable[[Result], None] | None = None
    ) -> None:
        """Show a window; `then` gets its result, unless it was closed without one."""
        dialog.desk = self

        def closed(result: Result | None) -> None:
            if result is not None and then is not None:
                then(result)

        self.app.push_screen(dialog, closed)

    def post(self, message: Message) -> bool:
        """For threads. False if the screen has gone: what they did is kept all the same."""
        try:
            return self.post_message(message)
        except RuntimeError:
            # Textual's way to say that the app has ended, or its event loop.
            return False

    def post_of(self, base: KnowledgeBase) -> Callable[[Message], bool]:
        """For threads that work on `base`: what they tell is dropped once that was left."""
        return lambda message: self.base is base and self.post(message)

    @property
    def focused_place(self) -> str:
        """The place in the table of keys that has the focus."""
        widget: Widget | None = self.focused
        while widget is not None:
            if widget.id == "prompt":
                return "prompt"
            name = {"Transcript": "transcript", "SourcesPane": "sources", "Choices": "choices"}.get(
                type(widget).__name__
            )
            if name:
                return name
            parent = widget.parent
            widget = parent if isinstance(parent, Widget) else None
        return "anywhere"
