"""The commands in SMOKE.md and SKILL.md do what the pages say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.program import Kebab

REPO = Path(__file__).resolve().parents[2]
SMOKE = REPO / "docs" / "SMOKE.md"
SKILL = REPO / "integrations" / "claude-code" / "kebab" / "SKILL.md"


def bash_blocks(page: Path) -> list[str]:
    return re.findall(
        r"^```bash\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


def run(kebab: Kebab, script: str) -> subprocess.CompletedProcess[str]:
    shims = kebab.folder / "bin"
    shims.mkdir()
    shim = shims / "kebab"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kebab_cli "$@"\n')
    shim.chmod(0o755)
    work = kebab.folder / "work"
    work.mkdir()
    return subprocess.run(
        ["bash", "-e", "-u", "-x", "-c", script],
        cwd=work,
        env=kebab.environment({"PATH": f"{shims}:{os.environ['PATH']}"}),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.timeout(400)
def test_the_walk_works_as_written(kebab: Kebab, default_model: object) -> None:
    done = run(kebab, "\n".join(bash_blocks(SMOKE)))
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Traceback" not in done.stderr
    assert "four weeks" in done.stdout
    assert not any((kebab.folder / "work").iterdir())


@pytest.mark.timeout(400)
def test_the_recipes_of_the_skill_work(kebab: Kebab, default_model: object) -> None:
    [corpus, *_] = bash_blocks(SMOKE)
    prepare = corpus.replace("--data-dir data ", "")
    done = run(kebab, "\n".join([prepare, *bash_blocks(SKILL)]))
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Traceback" not in done.stderr
    assert '"kind":"retrieval_done"' in done.stdout


@pytest.mark.parametrize("page", [SMOKE, SKILL])
def test_the_pages_name_only_what_exists(page: Path) -> None:
    from typer import Context
    from typer.main import get_command

    from kebab_cli.app import app

    root = get_command(app)
    context = Context(root, info_name="kebab")
    named = re.findall(
        r"^kebab(?: --data-dir \S+)? ([a-z]+)", "\n".join(bash_blocks(page)), re.MULTILINE
    )
    assert named
    for name in named:
        assert root.get_command(context, name) is not None  # type: ignore[attr-defined]


def test_the_skill_has_the_front_matter_that_agents_read() -> None:
    head = SKILL.read_text(encoding="utf-8").split("---")[1]
    fields = dict(line.split(": ", 1) for line in head.strip().splitlines())
    assert fields["name"] == "kebab"
    assert 80 < len(fields["description"]) <= 1024
