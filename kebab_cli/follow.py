"""Follows one run to its end, whichever of the ends it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kebab_cli.invocation import Invocation
from kebab_cli.output import PipeClosed, WriteFailed
from kebab_cli.show import Show
from kebab_core import api

if TYPE_CHECKING:
    from kebab_core.api import Answer, AskRun

ANSWERED = 0
ABSTAINED = 1
# Ending a cancelled run takes a few milliseconds; a disk that hangs must not hold the process.
_WAIT_S = 1.5


@dataclass(frozen=True, slots=True)
class Ended:
    """The exit code, and the answer of a run that ended by itself."""

    code: int
    answer: Answer | None = None


def follow(run: AskRun, use: Invocation, show: Show) -> Ended:
    """Show every event, then the answer.

    The run is cancelled, and its turn kept, when a reader goes away, a write fails or a signal
    comes. Raises PipeClosed, WriteFailed, or the KebabError that the run failed with; of one that
    ran out of time the partial answer is shown first.
    """
    output = use.output
    unread = output.stdout.closed or output.stderr.closed
    final: Answer | None = None
    with run:
        try:
            with use.watch.guard(run.cancel, closed=unread):
                show.start()
                for event in run:
                    show.event(event)
                    if isinstance(event, api.Final):
                        final = event.answer
                if final is not None:
                    show.final(final)
        except (PipeClosed, WriteFailed):
            run.cancel()
            _settle(run)
            raise
        except api.TimedOut:
            if run.partial is not None:
                show.partial(run.partial)
            raise
        if final is None:
            return Ended(_stopped(run, use, show))
    return Ended(ABSTAINED if final.not_found else ANSWERED, final)


def _settle(run: AskRun) -> Answer | None:
    """Wait until the turn of a cancelled run is kept; its partial answer, if there is one."""
    try:
        return run.result(_WAIT_S)
    except api.KebabError:
        return None


def _stopped(run: AskRun, use: Invocation, show: Show) -> int:
    partial = _settle(run)
    if use.watch.cause == "closed":
        raise PipeClosed
    if partial is not None:
        show.partial(partial)
    return use.watch.exit_code or ABSTAINED
