"""The contract's program: it passes a service that keeps it, and fails one that doesn't."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.__main__ import TOPICS, main
from conformance.proxy import nginx
from conformance.scripted import BLOCKED, BUSY, FOLLOW_UP, KNOWN, LIMITED, SLOW, UNKNOWN, script
from kebab_core.testing import ScriptedModel
from tests.support.service import Issuer, Served

QUESTIONS = [
    *("--known", KNOWN, "--unknown", UNKNOWN, "--follow-up", FOLLOW_UP, "--slow", SLOW),
    *("--busy", BUSY, "--blocked", BLOCKED, "--limited", LIMITED),
]
KEEP_ALIVE_S = 0.5


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with (
        ScriptedModel(script) as model,
        Served(
            tmp_path / "corpus",
            model,
            issuer=Issuer(),
            keep_alive_s=KEEP_ALIVE_S,
            readers={"notes": ("staff",), "payroll": ()},
        ) as running,
    ):
        yield running


def arguments(served: Served, folder: Path, base: str | None = None) -> list[str]:
    issuer = served.issuer
    assert issuer is not None
    key = folder / "issuer.pem"
    key.write_text(issuer.pem())
    found = ["--base", base or served.base, "--signing-key", str(key), *QUESTIONS, "--behaviour"]
    for who, groups in {"alice": ["staff"], "bob": ["staff"], "carol": []}.items():
        found += [f"--{who}", issuer.token(who, groups=groups)]
    return found


def test_the_service_keeps_its_contract(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([*arguments(served, tmp_path), "--keep-alive", str(KEEP_ALIVE_S)])
    told = capsys.readouterr().out
    assert code == 0, "\n".join(line for line in told.splitlines() if "FAIL" in line)
    assert told.count("  ok    ") > 200
    # Only what needs a service with other settings.
    skipped = [line for line in told.splitlines() if line.startswith("  skip")]
    assert len(skipped) == 2
    for topic in TOPICS.values():
        assert f"\n{topic.TITLE}\n" in told


def test_it_keeps_it_behind_a_proxy_that_hangs_up_on_silence(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with nginx(tmp_path / "nginx", served.base, silence_s=2) as base:
        if base is None:
            pytest.skip("nginx isn't installed (Debian's package `nginx-light`)")
        # A quiet run of three seconds and more, through a line that may be silent for two.
        topics = ["lifetimes", "events", "replay", "cancel", "behaviour"]
        only = [word for name in topics for word in ("--only", name)]
        code = main(
            [*arguments(served, tmp_path, base), "--keep-alive", "0.5", "--silence", "3", *only]
        )
    told = capsys.readouterr().out
    assert code == 0, "\n".join(line for line in told.splitlines() if "FAIL" in line)


def test_it_keeps_it_with_a_short_memory(tmp_path: Path) -> None:
    overrides = {"serve.ttl_s": 1.0, "serve.max_events": 10}
    readers = {"notes": ("*",)}
    with (
        ScriptedModel(script) as model,
        Served(
            tmp_path / "c", model, issuer=Issuer(), overrides=overrides, readers=readers
        ) as served,
    ):
        only = ["--only", "lifetimes", "--ttl", "1", "--max-events", "10"]
        assert main([*arguments(served, tmp_path), *only]) == 0


def test_who_is_the_same_fails_it(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = arguments(served, tmp_path)
    given[given.index("--bob") + 1] = given[given.index("--alice") + 1]
    assert main([*given, "--only", "others"]) == 1
    told = capsys.readouterr().out
    assert "FAILED: cancel: 404" in told
    assert "saw: 202" in told


def test_another_end_than_the_one_that_fits_fails_it(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = arguments(served, tmp_path)
    given[given.index("--known") + 1] = UNKNOWN
    assert main([*given, "--only", "behaviour"]) == 1
    assert "FAILED: known: an answer" in capsys.readouterr().out
