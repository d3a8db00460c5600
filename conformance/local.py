"""`python -m conformance.local`: the contract against a real `kebab serve` on this machine.

With the scripted model and with `quote`, each in a process of its own; behind nginx too, where
that is installed.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from conformance import __main__ as program
from conformance.issuer import AUDIENCE, ISSUER, Issuer, Published
from conformance.proxy import SILENCE_S, nginx
from conformance.scripted import (
    BLOCKED,
    BUSY,
    DOCUMENTS,
    FOLLOW_UP,
    KNOWN,
    LIMITED,
    SLOW,
    UNKNOWN,
    script,
)
from kebab_core.testing import ScriptedModel

SHORT_TTL_S = 3.0
FEW_EVENTS = 10
KEEP_ALIVE_S = 15.0
_QUOTED = ["--known", KNOWN, "--unknown", UNKNOWN, "--follow-up", FOLLOW_UP]
_SCRIPTED = [
    *_QUOTED,
    *("--slow", SLOW, "--busy", BUSY, "--blocked", BLOCKED, "--limited", LIMITED),
]


@dataclass(frozen=True)
class Place:
    """Where a service's corpus, settings and variables are."""

    folder: Path
    environment: Mapping[str, str]

    def kebab(self, *arguments: str) -> list[str]:
        settings = str(self.folder / "kebab.toml")
        return [sys.executable, "-m", "kebab_cli", *arguments, "--config", settings]


def main() -> int:
    issuer = Issuer()
    codes = []
    with tempfile.TemporaryDirectory() as name, Published(issuer) as keys:
        folder = Path(name)
        callers = _callers(folder, issuer)
        with ScriptedModel(script) as model:
            place = prepare(folder / "scripted", keys.url, model.environment, score_gate="0.0")
            with serving(place) as base:
                codes.append(_run("the scripted model", base, *callers, *_SCRIPTED,
                                  "--behaviour", "--keep-alive", str(KEEP_ALIVE_S)))  # fmt: skip
            with serving(place) as base, nginx(folder / "nginx", base) as proxied:
                if proxied is None:
                    _say("\nnginx isn't installed: nothing was tried behind a proxy")
                else:
                    codes.append(_run("the scripted model, behind nginx", proxied, *callers,
                                      *_SCRIPTED, "--silence",
                            str(SILENCE_S * 1.2),
                            "--behaviour",
                                      "--keep-alive", str(KEEP_ALIVE_S)))  # fmt: skip
            short = {"KEBAB_SERVE__TTL_S": str(SHORT_TTL_S)}
            few = {"KEBAB_SERVE__MAX_EVENTS": str(FEW_EVENTS)}
            with serving(place, short | few) as base:
                codes.append(_run("a short memory", base, *callers, *_SCRIPTED,
                                  "--ttl", str(SHORT_TTL_S), "--max-events", str(FEW_EVENTS),
                                  "--only", "lifetimes"))  # fmt: skip
        place = prepare(folder / "quote", keys.url, {"KEBAB_MODEL_ASK": "quote"})
        with serving(place) as base:
            codes.append(_run("quote", base, *callers, *_QUOTED, "--behaviour"))
    return max(codes)


def _callers(folder: Path, issuer: Issuer) -> list[str]:
    key = folder / "issuer.pem"
    key.touch(mode=0o600)
    key.write_text(issuer.pem(), encoding="ascii")
    found = ["--signing-key", str(key)]
    for who in ("alice", "bob", "carol"):
        groups = [] if who == "carol" else ["staff"]
        found += [f"--{who}", issuer.token(who, groups=groups)]
    return found


def prepare(
    folder: Path, jwks_url: str, model: Mapping[str, str], *, score_gate: str | None = None
) -> Place:
    """A corpus that the group `staff` may read, and the settings of its service."""
    for name, text in DOCUMENTS.items():
        file = folder / "documents" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    gate = f"score_gate = {score_gate}\n" if score_gate else ""
    settings = f"""\
[[sources]]
id = "documents"
path = {json.dumps(str(folder / "documents"))}
readers = ["staff"]

[ask]
{gate}
[serve]
requests_per_minute = 100000

[serve.jwt]
jwks_url = {json.dumps(jwks_url)}
issuer = {json.dumps(ISSUER)}
audience = {json.dumps(AUDIENCE)}
"""
    (folder / "kebab.toml").write_text(settings, encoding="utf-8")
    environment = {**os.environ, "KEBAB_DATA_DIR": str(folder / "data"), **model}
    place = Place(folder, environment)
    subprocess.run(place.kebab("ingest"), env=environment, cwd=folder, check=True)
    return place


@contextlib.contextmanager
def serving(place: Place, more: Mapping[str, str] | None = None) -> Iterator[str]:
    """A real `kebab serve` on a free port; its address."""
    log = place.folder / "serve.log"
    with log.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(
            place.kebab("serve", "--port", "0"),
            env={**place.environment, **(more or {})},
            cwd=place.folder,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            if not first.startswith("Serving "):
                raise RuntimeError(f"kebab serve didn't start: {log.read_text('utf-8')}")
            yield first.rpartition(" on ")[2].strip()
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)


def _run(title: str, base: str, *arguments: str) -> int:
    _say(f"\n=== {title}")
    return program.main(["--base", base, *arguments])


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
