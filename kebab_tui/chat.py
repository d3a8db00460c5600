"""The chat: one screen, its state, and what is drawn of it."""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from kebab_tui import opening
from kebab_tui.chat_ingest import IngestHandlers
from kebab_tui.chat_notes import NoteHandlers
from kebab_tui.chat_runs import RunHandlers
from kebab_tui.chat_scope import ScopeHandlers
from kebab_tui.chat_sessions import SessionHandlers
from kebab_tui.chat_settings import SettingHandlers
from kebab_tui.chat_sources import SourceHandlers
from kebab_tui.choices import Choices
from kebab_tui.completion import Completion
from kebab_tui.details import Details
from kebab_tui.header import Header
from kebab_tui.hints import Hints
from kebab_tui.keys import BY_ID, bindings_of
from kebab_tui.messages import BaseOpened, CorpusRead, ModelChosen, OpeningFailed, StartersCame
from kebab_tui.notices import actions, failure_actions, not_found_actions
from kebab_tui.prompt import Prompt
from kebab_tui.sources import SourcesPane
from kebab_tui.status_line import StatusLine, describe
from kebab_tui.transcript import Transcript
from kebab_tui.turn import Phase
from kebab_tui.welcome import Welcome
from kebab_tui.words import ago, clip, count

WIDE = 110
"""Columns from which the sources stand beside the transcript."""

_APP_KEYS = ("app.commands", "app.help", "app.quit")


class ChatScreen(
    RunHandlers,
    SourceHandlers,
    SessionHandlers,
    IngestHandlers,
    NoteHandlers,
    ScopeHandlers,
    SettingHandlers,
):
    BINDINGS = bindings_of(
        *(key.id for key in BY_ID.values() if key.place == "anywhere" and key.id not in _APP_KEYS)
    )

    class Drawn(Message):
        """The first frame stands."""

    def compose(self) -> ComposeResult:
        yield Header()
        with Horizontal(id="main"):
            with Vertical(id="left"):
                with Container(id="stage"):
                    yield Welcome(self.look)
                    yield Transcript(self.look)
                    yield Static(id="pill")
                yield StatusLine()
                yield Completion()
                yield Prompt(self.look)
            yield SourcesPane("sources")
        yield Hints(self.look.keymap)

    def on_mount(self) -> None:
        self.query_one("#pill", Static).update(
            Content.assemble("↓ new lines  ", (self.look.key("transcript.end"), "bold"))
        )
        self.header.workspace = self.workspace
        self.screen_layout_refresh_signal.subscribe(
            self.transcript, lambda _: self.pace.end(), immediate=True
        )
        self.prompt.focus()
        self.sync()
        self.call_after_refresh(lambda: self.post_message(self.Drawn()))

    def on_resize(self) -> None:
        was_narrow, self.look.narrow = self.look.narrow, self.size.width < WIDE
        if was_narrow is not self.look.narrow:
            self.call_after_refresh(self._other_layout)
        self.sync()

    async def _other_layout(self) -> None:
        """The pane took its place beside the transcript, or gave it up."""
        self.transcript.sync()
        await self.show_sources(self.shown_turn)

    # --- opening -------------------------------------------------------------------------

    def on_base_opened(self, event: BaseOpened) -> None:
        base = self.base = event.base
        self.work("corpus", lambda: opening.read_corpus(base, self.post_of(base)))
        self.work("warm", lambda: opening.warm(base, self.post_of(base)))
        self.advance()

    async def on_corpus_read(self, event: CorpusRead) -> None:
        self.report = event.report
        await self.welcome.show(event.report, self.look.clock.now())
        base = self.base
        if base is not None and event.report.stats.documents:
            self.work("starters", lambda: opening.propose_starters(base, self.post_of(base)))
        self.read_catalog()
        self.sync()

    async def on_starters_came(self, event: StartersCame) -> None:
        self.starters = event.questions
        await self.welcome.propose(event.questions)
        self.sync()

    def on_model_chosen(self, event: ModelChosen) -> None:
        self.choice = event.choice
        self.is_model_known = True
        self.header.destination = event.destination or ""
        self.model = event.override
        self.welcome.show_destination(event.destination)
        if event.said:
            self.say(event.said)
        self.advance()

    def on_opening_failed(self, event: OpeningFailed) -> None:
        self.opening_error = event.error
        hint = f" {event.error.hint}" if event.error.hint else ""
        self.say(event.error.message + hint, is_problem=True)
        self.sync()

    # --- keys ----------------------------------------------------------------------------

    def action_back(self) -> None:
        """Stop what runs; else close what is open; else go to the prompt."""
        if self.stop():
            self.sync()
        elif self.cancel_ingest is not None:
            self.cancel_ingest()
        elif not self.pane.clear_filter():
            self.prompt.focus()

    def action_prompt(self) -> None:
        self.prompt.focus()

    def action_details(self) -> None:
        error = self.last_error or self.opening_error
        if error is None:
            self.say("Nothing has failed.")
        else:
            self.open_dialog(Details(self.look, error))

    def on_prompt_left(self) -> None:
        lists = self.transcript.query(Choices) if self.is_talking else self.welcome.query(Choices)
        for choices in lists:
            choices.focus()

    def on_choices_left(self) -> None:
        self.prompt.focus()

    def on_descendant_focus(self) -> None:
        self.sync_hints()

    def on_text_area_changed(self) -> None:
        self.sync_hints()

    def on_transcript_scrolled(self, event: Transcript.Scrolled) -> None:
        self.query_one("#pill").display = event.hidden and self.is_talking

    @property
    def is_talking(self) -> bool:
        return bool(self.conversation.turns)

    # --- drawing -------------------------------------------------------------------------

    def sync(self) -> None:
        self.welcome.display = not self.is_talking
        self.transcript.display = self.is_talking
        self._sync_header()
        self._sync_prompt()
        self.sync_status()
        self.sync_hints()

    def _sync_header(self) -> None:
        header = self.header
        if self.report is not None:
            stats = self.report.stats
            header.documents = count(stats.documents, "doc") if stats.documents else "no documents"
            when = stats.last_ingest_at
            header.indexed = f"indexed {ago(when, self.look.clock.now())}" if when else ""
        if self.choice is not None:
            header.model = self.choice.model or self.choice.provider
        header.web = self.web
        header.state, header.tone = self._state()

    def _state(self) -> tuple[str, str]:
        last = self.conversation.last
        if self.base is None:
            return ("can't open", "error") if self.opening_error else ("opening", "warning")
        if self.conversation.running is not None:
            return ("stopping", "warning") if self.stopping else ("answering", "primary")
        if self.cancel_ingest is not None:
            return "reading", "primary"
        if last is not None and last.error is not None and last.error.code == "model_unreachable":
            return "unreachable", "error"
        if self.report is None:
            return ("can't read", "error") if self.opening_error else ("opening", "warning")
        return ("ready", "success") if self.report.stats.documents else ("empty", "warning")

    def _sync_prompt(self) -> None:
        prompt = self.prompt
        prompt.border_title = Content("Ask")
        title = clip(self.conversation.title, max(self.size.width // 2, 8))
        prompt.border_subtitle = Content(title)
        if self.conversation.running is not None:
            prompt.say("Type the next question; it waits until this one ends")
        elif self.is_talking:
            prompt.say("Ask a follow-up…")
        else:
            prompt.say("Ask about your documents…")

    def sync_status(self) -> None:
        status, still = self.status, self.look.still
        running = self.conversation.running
        right: list[tuple[str, str]] = []
        if running is not None:
            status.left = describe(running, self.now(), still=still)
            right = [("chat.stop", "stop")]
        elif self.cancel_ingest is not None:
            status.left = Content.assemble(("◌ ", "$primary"), (self.ingesting, "$text-muted"))
            right = [("chat.stop", "stop")]
        elif self.conversation.last is not None:
            status.left = describe(self.conversation.last, self.now(), still=still)
        else:
            status.left = Content.styled(self._first_words(), "$text-muted")
        waiting = len(self.conversation.waiting)
        if waiting and running is not None:
            words = f" · {count(waiting, 'question')} waiting"
            status.left = Content.assemble(status.left, (words, "$warning"))
        status.right = actions(right, self.look.key, 40) if right else Content("")

    def _first_words(self) -> str:
        if self.conversation.waiting:
            return "◌ Opening; your question is asked as soon as it can be"
        if self.opening_error is not None:
            return f"✗ {self.opening_error.message}"
        if self.welcome.choices is None:
            return ""
        return "↓ choose a question · ⏎ ask it · or type your own"

    def sync_hints(self) -> None:
        self.hints.hints = tuple(self._hints())

    def _hints(self) -> Iterable[tuple[str, str]]:
        ends = [("app.commands", ""), ("app.help", ""), ("app.quit", "")]
        if self.conversation.running is not None:
            return [("chat.stop", "Stop"), ("chat.sources", ""), ("chat.prompt", ""), *ends]
        place = self.focused_place
        if place == "sources":
            ids = ("preview", "pin", "leave", "again", "cited", "filter")
            return [*((f"sources.{one}", "") for one in ids), ("chat.stop", "Back"), *ends[1:]]
        if place == "transcript":
            keys = ("up", "down", "open", "edit", "copy", "end")
            return [*((f"transcript.{one}", "") for one in keys), *ends[1:]]
        if place == "choices":
            return [("choices.ask", ""), ("choices.up", ""), ("choices.down", ""), *ends]
        last = self.conversation.last
        if last is not None and last.phase is Phase.FAILED and last.error is not None:
            return [*failure_actions(last.error.code), ("chat.sessions", ""), *ends]
        if last is not None and last.phase is Phase.ABSTAINED and not self.prompt.text:
            web = bool(last.request.web)
            todo = not_found_actions(web)
            if self.look.narrow:
                todo = [(key_id, "") for key_id, _ in todo]
            return [*todo, ("chat.sources", ""), ("chat.sessions", ""), *ends]
        send = [("prompt.send", "")]
        if self.size.width >= 100 or "\n" in self.prompt.text:
            send.append(("prompt.newline", ""))
        sources = [("chat.sources", "")] if self.is_talking else [("chat.add", "")]
        return [*send, *sources, ("chat.new", ""), ("chat.sessions", ""), *ends]
