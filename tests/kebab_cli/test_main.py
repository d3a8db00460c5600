"""The way in and every way out that needs no corpus."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.support.program import COMMAND, Kebab

HEAVY = {"lancedb", "textual", "onnxruntime", "torch", "httpx", "numpy", "rich"}


def test_version(kebab: Kebab) -> None:
    done = kebab("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("kebab 0.")


def test_alone_without_a_terminal_it_helps(kebab: Kebab) -> None:
    done = kebab()
    assert done.returncode == 0
    assert "kebab ingest PATH" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [(["--help"], HEAVY | {"pydantic"}), (["--version"], HEAVY), ([], HEAVY)],
)
def test_help_loads_nothing_heavy(arguments: list[str], unwanted: set[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "kebab_cli", *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.split("\n")}
    assert "typer" in loaded
    assert not loaded & unwanted


def test_completion_offers_the_commands(kebab: Kebab) -> None:
    done = kebab(
        env={"_KEBAB_COMPLETE": "complete_bash", "COMP_WORDS": "kebab se", "COMP_CWORD": "1"}
    )
    assert set(done.stdout.split()) >= {"search", "sessions"}


def test_a_typo_is_answered_with_the_nearest_command(kebab: Kebab) -> None:
    done = kebab("serch", "x")
    assert done.returncode == 2
    assert "'search'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", "--json"],
        ["ask", "--stream", "--nope", "x"],
        ["ask", "--stream", "--no-stream", "x"],
        ["ask", "--json", "--session", "a", "--continue", "x"],
        ["search", "--json", "-k", "many", "x"],
        ["search", "--json", "--mode", "psychic", "x"],
        ["ask", "--json", "--timeout", "0", "x"],
        ["ask", "--json", "--timeout", "nan", "x"],
    ],
)
def test_bad_usage_is_error_v1_to_a_machine(kebab: Kebab, arguments: list[str]) -> None:
    done = kebab(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    error = json.loads(line)
    assert (error["schema_version"], error["code"]) == ("error.v1", "invalid_input")
    assert error["hint"]


@pytest.mark.parametrize("where", ["before", "after"])
def test_global_options_stand_before_or_after(kebab: Kebab, where: str) -> None:
    options = ["--data-dir", str(kebab.folder / "kept")]
    command = ["config", "show", "--json"]
    done = kebab(*options, *command) if where == "before" else kebab(*command, *options)
    values = {item["key"]: item["value"] for item in json.loads(done.stdout)["values"]}
    assert values["workspace.directory"] == str(kebab.folder / "kept")


def test_the_option_nearest_the_command_wins(kebab: Kebab) -> None:
    done = kebab("--workspace", "one", "config", "show", "--json", "--workspace", "two")
    values = {item["key"]: item["value"] for item in json.loads(done.stdout)["values"]}
    assert values["workspace.name"] == "two"


def test_continue_needs_a_terminal(kebab: Kebab) -> None:
    assert kebab("--continue").returncode == 2
    assert kebab("--continue", "status").returncode == 2


def test_the_chat_needs_a_terminal(kebab: Kebab) -> None:
    done = kebab("tui")
    assert done.returncode == 2
    assert "needs a terminal" in done.stderr


def test_help_into_a_pipe_that_is_closed_or_full(kebab: Kebab) -> None:
    done = kebab.shell("kebab --help >&-; echo $?; kebab --help >/dev/full; echo $?")
    assert done.stdout.split() == ["1", "2"]
    assert "Traceback" not in done.stderr
    assert "No space left" in done.stderr
    assert "Exception ignored" not in done.stderr


def test_a_failure_nobody_foresaw_is_told_without_a_traceback(kebab: Kebab) -> None:
    broken = "import kebab_core.api as a; del a._WHERE['settings_report']\n"
    code = broken + "from kebab_cli.main import main; main()"
    for flag, expected in ((), False), (("--debug",), True):
        done = subprocess.run(
            [sys.executable, "-c", code, "config", "show", *flag],
            env=kebab.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        assert "`--debug`" in done.stderr
        assert ("Traceback" in done.stderr) is expected


def test_the_module_is_the_command() -> None:
    assert COMMAND[1:] == ["-m", "kebab_cli"]
