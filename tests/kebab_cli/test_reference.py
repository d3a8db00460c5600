"""`docs/cli.md` is what the commands say of themselves; every command says something."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer import Context
from typer.main import get_command

from kebab_cli.app import COMMANDS, app
from kebab_cli.reference import reference

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cli.md"


def commands(found: Any, path: tuple[str, ...], parent: Context | None) -> Iterator[Any]:
    context = Context(found, info_name=path[-1], parent=parent)
    yield path, found, context
    for name in found.list_commands(context) if hasattr(found, "list_commands") else ():
        yield from commands(found.get_command(context, name), (*path, name), context)


ALL = list(commands(get_command(app), ("kebab",), None))


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), (
        "run: python -m kebab_cli.reference > docs/cli.md"
    )


@pytest.mark.parametrize(("path", "found", "context"), ALL, ids=[" ".join(item[0]) for item in ALL])
def test_every_command_and_option_has_help(
    path: tuple[str, ...], found: Any, context: Context
) -> None:
    assert (found.help or "").strip()
    for parameter in found.get_params(context):
        assert (getattr(parameter, "help", "") or "").strip(), f"{path}: {parameter.name}"


def test_every_command_takes_the_global_options_after_it() -> None:
    for path, found, context in ALL:
        if hasattr(found, "list_commands"):
            continue
        options = {option for item in found.get_params(context) for option in item.opts}
        missing = {"--config", "--workspace", "--data-dir", "--debug", "--quiet"} - options
        assert not missing, path


def test_the_page_names_every_command() -> None:
    for path, _, _ in ALL:
        assert f"\n## `{' '.join(path)}`\n" in reference()
    assert {path[1] for path, _, _ in ALL if len(path) > 1} == set(COMMANDS)
