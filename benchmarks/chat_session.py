"""A session of 500 turns: opened, scrolled page by page, walked turn by turn."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from benchmarks.chat_terminal import QUESTION, Watched, centiles, make_corpus
from kebab_core.sessions import SqliteSessions
from kebab_core.settings.load import load
from kebab_core.testing import Reply, ScriptedBase
from kebab_core.testing.run import ScriptedRun
from kebab_core.types import AskOptions

TURNS = 500
KEYS = 30
ANSWER = "Give **eight weeks'** written notice [1].\n\n- to your manager [1]\n- in writing [1]\n\n"


def fill(database: Path) -> None:
    """One session of `TURNS` answered turns."""
    sessions = SqliteSessions(database)
    base = ScriptedBase(load(cwd=database.parent), {"leave.md": "# Leave\n\nEight weeks.\n"})
    reply = Reply([base.hit("leave.md", 3)], ANSWER * 3)
    session_id = sessions.create("chat")
    for number in range(TURNS):
        question = f"{QUESTION} ({number})"
        options = AskOptions(session_id=session_id, origin="chat")
        ScriptedRun(question, options, reply, sessions, base.model).result()
    sessions.close()


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        # Nothing is written then but what a key causes.
        variables = make_corpus(place) | {"KEBAB_TUI__REDUCED_MOTION": "true"}
        fill(place / "data" / "sessions.sqlite3")
        started = time.perf_counter()
        with Watched(["--continue"], variables, columns=100) as chat:
            chat.until(f"({TURNS - 1})")
            opened = time.perf_counter() - started
            chat.until_quiet(1.0)
            print(f"a session of {TURNS} turns drawn in {opened:.2f} s, {chat.megabytes():.0f} MB")
            chat.send("\t")
            chat.until("Turn up")
            chat.until_quiet()
            for name, key in {"page up": "\x1b[5~", "turn up": "\x1b[1;3A"}.items():
                taken = []
                for _ in range(KEYS):
                    taken.append(chat.press(key))
                    chat.until_quiet(0.1)
                print(f"{name:<10}{KEYS} keys  {centiles(taken)}  {chat.megabytes():.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
