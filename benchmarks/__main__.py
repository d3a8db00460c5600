"""Run every benchmark, each in a process of its own, so that none warms another."""

from __future__ import annotations

import subprocess
import sys

SECTIONS = {
    "cli": "The command line: cold starts, first event, a closed pipe",
    "embedder": "The embedder, alone",
    "ingest": "Ingest beside the bare embedder; a second run beside a plain walk",
    "search": "Warm search beside bare LanceDB calls",
    "quality": "Ranking on public collections: each channel alone and both together",
    "abstention": "Saying so when it isn't there, and quoting, on ClapNQ and MTRAG-UN",
    "chat": "The chat: first frame beside a bare Textual app",
    "chat_stream": "The chat: 20,000 tokens streamed, keys timed, beside an idle one",
    "chat_session": "The chat: a session of 500 turns, opened and scrolled",
}


def main() -> int:
    wanted = sys.argv[1:] or list(SECTIONS)
    failed = []
    for name in wanted:
        print(f"\n== {name} · {SECTIONS[name]}", flush=True)
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode:
            failed.append(name)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
