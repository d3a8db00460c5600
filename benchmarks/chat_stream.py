"""20,000 tokens streamed into the chat, 100 a second and as fast as can be, beside an idle chat."""

from __future__ import annotations

import itertools
import json
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.chat_terminal import QUESTION, Watched, centiles, make_corpus, serve

TOKENS = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
EVERY_S = 0.25
"""Between two keys."""

_WORDS = [
    "your",
    "notice",
    "goes",
    "to",
    "a",
    "manager",
    "in",
    "writing",
    "eight",
    "weeks",
    "ahead",
]


def answer(tokens: int) -> list[str]:
    """Prose as models write it: paragraphs, lists, a heading now and then, markers."""
    pieces: list[str] = []
    words = itertools.cycle(_WORDS)
    paragraph = 0
    while len(pieces) < tokens:
        paragraph += 1
        if paragraph % 7 == 0:
            pieces.append(f"## Part {paragraph}\n\n")
        is_list = paragraph % 3 == 0
        for line in range(4 if is_list else 1):
            pieces.append("- " if is_list else f"In part {paragraph} ")
            pieces += [f"{next(words)} " for _ in range(12 if is_list else 60)]
            pieces.append("[1].\n" if is_list and line < 3 else "[1].\n\n")
    return [*pieces[:tokens], '\n\nThe end.\n\n---\n{"cited": [1], "followups": [], "gap": null}']


def measure(name: str, every: float | None) -> None:
    """One chat, its keys timed while it streams; None: while it idles."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        variables = make_corpus(place)
        script = place / "script.json"
        said = {"say": {"text": answer(TOKENS), "every": every or 0.0}}
        script.write_text(json.dumps([[said]]), encoding="utf-8")
        server, address = serve(script)
        try:
            variables |= {"KEBAB_MODEL_ASK": "openai-compatible:x", "KEBAB_BASE_URL": address}
            with Watched(["tui"], variables) as chat:
                chat.until("1 doc")
                # What is warmed after the first frame is no part of it.
                time.sleep(5)
                before_mb = chat.megabytes()
                if every is not None:
                    chat.send(QUESTION + "\r")
                    chat.until("tokens")
                chat.forget()
                started, cpu = time.perf_counter(), chat.cpu()
                taken: list[float] = []
                while _goes_on(chat, every is not None, started):
                    taken.append(chat.key_to_effect(len(taken)))
                    time.sleep(EVERY_S)
                passed = time.perf_counter() - started
                print(
                    f"{name:<22}{len(taken):4} keys  {centiles(taken)}"
                    f"  core {(chat.cpu() - cpu) / passed:5.1%}  {passed:5.0f} s"
                    f"  memory {before_mb:.0f} → {chat.megabytes():.0f} MB",
                    flush=True,
                )
        finally:
            server.terminate()
            server.wait()


def _goes_on(chat: Watched, streams: bool, started: float) -> bool:
    if not streams:
        return time.perf_counter() - started < 30
    return not chat.wrote("Answered")


def main() -> int:
    measure("idle", None)
    measure("100 tokens a second", 0.01)
    measure("as fast as can be", 0.0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
