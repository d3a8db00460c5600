"""The page `docs/cli.md`, made from the commands themselves.

Run it as `python -m kebab_cli.reference > docs/cli.md`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from typer import Context
from typer.main import get_command

from kebab_cli.app import app

INTRODUCTION = """\
# Commands

Written by `python -m kebab_cli.reference`; change the commands, then run it again.

The global options of `kebab` may stand before a command or after it.

## Exit codes

| code | means |
|---|---|
| 0 | an answer, hits, success |
| 1 | an abstention, no hits, or a reader that closed its pipe |
| 2 | an error, or bad usage; with `--json` or `--stream` an `error.v1` on stderr |
| 3 | `kebab doctor` found something unhealthy |
| 130 | stopped by SIGINT |
| 143 | stopped by SIGTERM |

## How a run of `kebab ask` can end

| cause | events (`--stream`) | stdout (`--stream`, `--json`) | exit |
|---|---|---|---|
| answered, cited or not | `retrieval_done`, `token`…, `final` | `answer.v1` | 0 |
| the documents don't hold it | `retrieval_done`, `final` | `answer.v1` with `not_found: true` | 1 |
| a reader closed its pipe | any prefix | nothing more | 1 |
| SIGINT · SIGTERM | any prefix | the partial `answer.v1` | 130 · 143 |
| `--timeout` | any prefix, `error.v1` `timeout` | the partial `answer.v1` | 2 |
| the model fails before its first token | `retrieval_done`, `error.v1` | nothing | 2 |
| its stream is cut | `retrieval_done`, `token`…, `error.v1` `model_interrupted` | nothing | 2 |
| no corpus yet | `error.v1` `not_indexed` | nothing | 2 |
| another write error | `error.v1`, if it can be written | as far as it came | 2 |
"""


def reference() -> str:
    """The whole page, newline at its end."""
    return INTRODUCTION + "".join(_command(get_command(app), "kebab", None))


def _command(found: Any, path: str, parent: Context | None) -> Iterator[str]:
    name = path.rpartition(" ")[2]
    context = Context(found, info_name=name, parent=parent, **found.context_settings)
    # Completion options name the shell they run in: no two machines would agree.
    parameters = [
        item
        for item in found.get_params(context)
        if not getattr(item, "hidden", False) and "completion" not in (item.name or "")
    ]
    arguments = [item for item in parameters if item.param_type_name == "argument"]
    is_group = hasattr(found, "list_commands")
    usage = [path, "[OPTIONS]", *(_usage(item) for item in arguments)]
    if is_group:
        usage.append("COMMAND …")
    yield f"\n## `{path}`\n\n```text\n{' '.join(usage)}\n```\n\n{_paragraphs(found.help or '')}\n"
    yield "\n| argument or option | |\n|---|---|\n"
    for item in parameters:
        yield f"| `{_cell(_names(item))}` | {_cell(getattr(item, 'help', None) or '')} |\n"
    if is_group:
        for child in found.list_commands(context):
            yield from _command(found.get_command(context, child), f"{path} {child}", context)


def _usage(argument: Any) -> str:
    shown = argument.metavar + ("…" if argument.nargs == -1 else "")
    return shown if argument.required else f"[{shown}]"


def _names(item: Any) -> str:
    if item.param_type_name == "argument":
        return str(item.metavar)
    names = ", ".join([*sorted(item.opts, key=len), *item.secondary_opts])
    return names if item.is_flag else f"{names} {item.metavar}"


def _paragraphs(text: str) -> str:
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    return "\n\n".join(paragraphs)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(reference())
