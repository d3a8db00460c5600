"""`python -m conformance --base URL --alice TOKEN --bob TOKEN`: prints every assertion.

Exits 1 if one doesn't hold. Tokens may be given as `env:NAME`. What needs a certain question or
setting of the service is printed as skipped where that isn't given.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from conformance.report import Report
from conformance.topics import (
    answers,
    behaviour,
    cancel,
    events,
    identity,
    lifetimes,
    others,
    replay,
    tickets,
)
from conformance.world import Questions, World

TOPICS = {
    "identity": identity,
    "tickets": tickets,
    "events": events,
    "replay": replay,
    "others": others,
    "cancel": cancel,
    "answers": answers,
    "behaviour": behaviour,
    "lifetimes": lifetimes,
}
_QUESTIONS = {
    "any": "a question of any kind",
    "known": "a question that the documents answer",
    "unknown": "one that they don't",
    "follow-up": "one that leans on --known, from the same document",
    "slow": "one whose model falls silent: it runs until it is cancelled",
    "busy": "one for which the model calls tools and then answers",
    "blocked": "one whose only tool call the guard refuses",
    "limited": "one at which the model's server answers 429",
}


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    questions = {name.replace("-", "_"): getattr(given, name.replace("-", "_"))
                 for name in _QUESTIONS}  # fmt: skip
    tokens = {name: getattr(given, name) for name in ("alice", "bob", "carol")}
    world = World(
        base=given.base.rstrip("/"),
        tokens={name: _token(text) for name, text in tokens.items() if text},
        questions=Questions(**{name: text for name, text in questions.items() if text}),
        behaviour=given.behaviour,
        ttl_s=given.ttl,
        keep_alive_s=given.keep_alive,
        silence_s=given.silence,
        max_events=given.max_events,
        signing_key=given.signing_key.read_text() if given.signing_key else None,
    )
    report = Report()
    try:
        for name in given.only or TOPICS:
            report.topic(TOPICS[name].TITLE)
            TOPICS[name].run(world, report)
    finally:
        world.close()
    return report.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m conformance", description=__doc__)
    parser.add_argument("--base", required=True, metavar="URL")
    parser.add_argument("--alice", required=True, metavar="TOKEN", help="reads the documents")
    parser.add_argument("--bob", required=True, metavar="TOKEN", help="is somebody else")
    parser.add_argument("--carol", metavar="TOKEN", help="may read no document")
    parser.add_argument("--signing-key", type=Path, metavar="PEM", help="the issuer's private key")
    parser.add_argument("--behaviour", action="store_true", help="also what leans on the model")
    parser.add_argument("--ttl", type=float, metavar="SECONDS", help="the service's ttl_s")
    parser.add_argument("--keep-alive", type=float, metavar="SECONDS", help="between comments")
    parser.add_argument(
        "--silence",
        type=float,
        default=0.0,
        metavar="SECONDS",
        help="what a proxy in front puts up with: the quiet run lasts longer",
    )
    parser.add_argument("--max-events", type=int, metavar="N", help="the service's max_events")
    parser.add_argument("--only", action="append", choices=TOPICS, metavar="TOPIC",
                        help=f"one of {', '.join(TOPICS)}; may be repeated")  # fmt: skip
    for name, meaning in _QUESTIONS.items():
        parser.add_argument(f"--{name}", metavar="QUESTION", help=meaning)
    return parser


def _token(text: str) -> str:
    kind, _, name = text.partition(":")
    return os.environ[name] if kind == "env" else text


if __name__ == "__main__":
    sys.exit(main())
