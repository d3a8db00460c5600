"""A turn as it is drawn: the person, the steps, the answer, what it rests on."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Markdown, Static
from textual.widgets.markdown import MarkdownStream

from kebab_core.api import for_display
from kebab_tui.answer import AnswerText
from kebab_tui.citations import confined, render_citations, render_footer
from kebab_tui.look import Look
from kebab_tui.notices import render_caveats, render_failure, render_gap, render_not_found
from kebab_tui.plain import Plain
from kebab_tui.steps import render_steps
from kebab_tui.turn import Phase, TurnRecord


class StepLines(Plain):
    """A click folds them, or shows them again."""

    class Clicked(Message):
        """The person wants them folded, or shown."""

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Clicked())


class CitationLine(Plain):
    class Chosen(Message):
        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def action_open_passage(self, number: int) -> None:
        self.post_message(self.Chosen(number))


class TurnBlock(Vertical):
    """Draws `turn`; `sync` after each change of it. Posts `PassageChosen`."""

    class PassageChosen(Message):
        def __init__(self, turn: TurnRecord, number: int) -> None:
            super().__init__()
            self.turn = turn
            self.number = number

    def __init__(self, turn: TurnRecord, look: Look) -> None:
        super().__init__()
        self.turn = turn
        self._look = look
        self._question = Static(classes="question")
        self._steps = StepLines(classes="steps")
        self._caveats = Static(classes="caveats")
        has_prose = bool(turn.text) and turn.phase is not Phase.ABSTAINED
        self._answer = AnswerText(for_display(turn.text) if has_prose else None)
        self._notice = Plain(classes="notice")
        self._citations = CitationLine(classes="citations")
        self._footer = Plain(classes="turn-footer")
        self._gap = Plain(classes="notice gap")
        self._stream: MarkdownStream | None = None

    def compose(self) -> ComposeResult:
        yield self._question
        yield self._steps
        yield self._caveats
        yield self._answer
        yield self._notice
        yield self._citations
        yield self._footer
        yield self._gap

    def on_mount(self) -> None:
        self.sync()

    def on_resize(self) -> None:
        self.sync()

    # --- prose ---------------------------------------------------------------------------

    async def write(self, text: str) -> None:
        """Append prose. Only the last block of it is parsed again; earlier ones stay as drawn."""
        if self._stream is None:
            self._answer.display = True
            self._stream = Markdown.get_stream(self._answer)
        await self._stream.write(text)

    @property
    def prose_at(self) -> int:
        """The row at which the prose begins, within the block."""
        return self._answer.virtual_region.y

    async def seal(self) -> None:
        """Draw what is left; there is no more to come."""
        if self._stream is not None:
            stream, self._stream = self._stream, None
            await stream.stop()

    # --- the rest ------------------------------------------------------------------------

    def sync(self) -> None:
        """Draw everything but the prose as the turn is now."""
        turn, look = self.turn, self._look
        # On the parts that it colours, not on the block: a class restyles all that is below.
        self._question.set_class(turn.phase is Phase.WAITING, "-waiting")
        self._notice.set_class(turn.phase is Phase.FAILED, "-failed")
        self._show(self._question, self._asked())
        self.tick()
        self._show(self._caveats, render_caveats(turn))
        self._answer.display = bool(turn.text) and turn.phase is not Phase.ABSTAINED
        self._show(self._notice, self._noticed())
        is_plain = turn.phase in (Phase.ABSTAINED, Phase.FAILED)
        cites = render_citations(
            turn, narrow=look.narrow, width=self._width, sources_key=look.key("chat.sources")
        )
        self._show(self._citations, Content("") if is_plain else cites)
        ended = turn.phase in (Phase.ANSWERED, Phase.STOPPED)
        self._show(
            self._footer, render_footer(turn, look.key("chat.again")) if ended else Content("")
        )
        self._show(self._gap, self._left_open())

    @property
    def _width(self) -> int:
        return max(self.size.width - 4, 20)

    def tick(self) -> None:
        """Draw the steps again: their clocks run."""
        look = self._look
        lines = render_steps(
            self.turn,
            look.clock.monotonic(),
            width=self._width,
            still=look.still,
        )
        self._show(self._steps, lines)

    def _asked(self) -> Content:
        asked = Content(for_display(self.turn.question))
        if narrowed := confined(self.turn.request):
            asked = Content.assemble(asked, "\n", (narrowed, "$text-muted not bold"))
        if self.turn.phase is Phase.WAITING:
            return Content.assemble(asked, "\n", ("◌ waits until this answer ends", "$text-muted"))
        return asked

    def _noticed(self) -> Content:
        turn, look = self.turn, self._look
        if turn.phase is Phase.FAILED and turn.error is not None:
            return render_failure(turn.error, look.key, self._width)
        if turn.phase is Phase.ABSTAINED and turn.answer is not None:
            return render_not_found(turn, turn.answer, look.key, self._width)
        return Content("")

    def _left_open(self) -> Content:
        turn = self.turn
        gap = turn.answer.gap if turn.answer is not None else None
        if gap is None or turn.phase is not Phase.ANSWERED:
            return Content("")
        return render_gap(gap, self._look.key, self._width, web=bool(turn.request.web))

    @staticmethod
    def _show(part: Static, content: Content) -> None:
        """Draw `content`. A new layout of the whole screen is asked for only if it has to be."""
        was, part.display = part.display, bool(content.plain)
        if part.display:
            width, height = part.content_size
            fits = was and width > 0 and content.get_height({}, width) == height
            part.update(content, layout=not fits)

    def select(self, selected: bool) -> None:
        """Mark it as the turn that keys act on."""
        self._question.set_class(selected, "-selected")

    # --- what is clicked -----------------------------------------------------------------

    def fold(self) -> None:
        """Fold the steps of a turn that has ended, or show them."""
        if self.turn.ended is not None:
            self.turn.folded = not self.turn.folded
            self.tick()

    def on_step_lines_clicked(self, event: StepLines.Clicked) -> None:
        event.stop()
        self.fold()

    def on_citation_line_chosen(self, event: CitationLine.Chosen) -> None:
        event.stop()
        self.post_message(self.PassageChosen(self.turn, event.number))

    def on_answer_text_marker_chosen(self, event: AnswerText.MarkerChosen) -> None:
        event.stop()
        self.post_message(self.PassageChosen(self.turn, event.number))
