"""`python -m kebab_core.testing --script FILE`: the scripted chat model as a process.

Prints its OpenAI base address on one line, then serves until it is interrupted. `--log FILE`
keeps what came: a line of JSON for each request and each hang-up.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from kebab_core.testing.model import ScriptedModel
from kebab_core.testing.script import Say, load_script


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m kebab_core.testing", description="A chat model server that plays a script."
    )
    parser.add_argument("--script", metavar="FILE", help="JSON: a list of turns, or an object")
    parser.add_argument("--say", metavar="TEXT", help="answer every request with this")
    parser.add_argument("--port", type=int, default=0, help="0: a free one")
    parser.add_argument("--log", metavar="FILE", type=Path, help="what came, as lines of JSON")
    given = parser.parse_args()
    if (given.script is None) == (given.say is None):
        parser.error("give one of --script and --say")
    if given.script:
        try:
            options = load_script(given.script)
        except (OSError, ValueError, KeyError, TypeError) as problem:
            parser.error(f"{given.script}: {problem}")
    else:
        options = {"turns": [[Say.words(given.say)]], "repeat": True}
    done = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: done.set())
    with ScriptedModel(port=given.port, **options) as model:
        sys.stdout.write(f"{model.base_url}\n")
        sys.stdout.flush()
        written = 0
        while not done.wait(0.05):
            if given.log:
                written = _log(given.log, model, written)
        if given.log:
            _log(given.log, model, written)
    return 0


def _log(path: Path, model: ScriptedModel, written: int) -> int:
    lines: list[tuple[float, dict[str, Any]]] = [
        (it.at, {"request": it.number, "path": it.path, "headers": it.headers, "body": it.body})
        for it in list(model.requests)
    ]
    lines += [(it.at, {"hangup": it.number}) for it in list(model.hangups)]
    if len(lines) > written:
        lines.sort(key=lambda line: line[0])
        with path.open("a", encoding="utf-8") as log:
            log.writelines(json.dumps({"at": at, **line}) + "\n" for at, line in lines[written:])
    return len(lines)


if __name__ == "__main__":
    sys.exit(main())
