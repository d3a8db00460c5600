"""Cold starts of the real command, its first event, and how fast it ends when its reader leaves.

Each number is the median of several fresh processes, beside the interpreter and the libraries
that no such command can do without.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from kebab_core.testing import ScriptedModel
from kebab_core.testing.script import Hang, Say

REPO = Path(__file__).resolve().parent.parent
KEBAB = [sys.executable, "-m", "kebab_cli"]
QUESTION = "What happens to an answer when its reader closes the pipe?"
ROUNDS = 7


def median_ms(once: Callable[[], float], rounds: int = ROUNDS) -> float:
    """Median of `rounds` calls, after one that warms the disk's cache; `once` gives seconds."""
    once()
    return statistics.median(once() for _ in range(rounds)) * 1000


def whole_run(command: list[str], variables: dict[str, str]) -> Callable[[], float]:
    def once() -> float:
        started = time.perf_counter()
        subprocess.run(command, env=variables, capture_output=True, check=True)
        return time.perf_counter() - started

    return once


def first_event(variables: dict[str, str]) -> float:
    """Seconds from the start of the process to its first line on stderr."""
    started = time.perf_counter()
    with subprocess.Popen(
        [*KEBAB, "ask", "--stream", "--model", "quote", QUESTION],
        env=variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        passed = time.perf_counter() - started
        process.communicate()
    if b"retrieval_done" not in line:
        raise SystemExit(f"no event came: {line.decode(errors='replace')}")
    return passed


def end_after_hangup(variables: dict[str, str]) -> float:
    """Seconds from closing the reader's end to the end of the process, the model being silent."""
    with ScriptedModel([[Say("A first word "), Hang()]]) as model:
        process = subprocess.Popen(
            [*KEBAB, "ask", "--stream", QUESTION],
            env={**variables, **model.environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        assert process.stderr is not None
        while b'"kind":"token"' not in process.stderr.readline():
            if process.poll() is not None:
                raise SystemExit("the ask ended before its first token")
        started = time.perf_counter()
        process.stderr.close()
        if (code := process.wait(10)) != 1:
            raise SystemExit(f"exit code {code}, not 1")
        return time.perf_counter() - started


def show(name: str, milliseconds: float, note: str = "") -> None:
    print(f"{name:<44} {milliseconds:8.0f} ms  {note}".rstrip(), flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        variables = {**os.environ, "KEBAB_DATA_DIR": folder}
        ingest = [*KEBAB, "ingest", str(REPO / "docs"), str(REPO / "README.md")]
        subprocess.run(ingest, env=variables, check=True, capture_output=True)

        def python(code: str) -> list[str]:
            return [sys.executable, "-c", code]

        def run(*arguments: str) -> float:
            return median_ms(whole_run([*KEBAB, *arguments], variables))

        show("baseline: python", median_ms(whole_run(python("pass"), variables)))
        show("baseline: import typer", median_ms(whole_run(python("import typer"), variables)))
        libraries = python("import lancedb, onnxruntime, tokenizers, pydantic, typer")
        show(
            "baseline: import the libraries of a search",
            median_ms(whole_run(libraries, {**variables, "LANCEDB_LOG": "error"})),
        )
        show("kebab --help", run("--help"))
        show("kebab search, hybrid", run("search", "closed pipe"))
        show("kebab search, lexical", run("search", "--mode", "lexical", "closed pipe"))
        show("kebab ask, quote", run("ask", "--model", "quote", QUESTION))
        show("first event of kebab ask --stream", median_ms(lambda: first_event(variables)))
        show(
            "end after the reader left, model silent",
            median_ms(lambda: end_after_hangup(variables)),
            "(goal: 200 ms)",
        )


if __name__ == "__main__":
    main()
