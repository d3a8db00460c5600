"""The command `kebab`: its sub-commands, each imported when it is used, and the global options."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from kebab_cli.command import global_parameters
from kebab_cli.invocation import Invocation

COMMANDS = {
    "ingest": "kebab_cli.commands.ingest",
    "reindex": "kebab_cli.commands.reindex",
    "search": "kebab_cli.commands.search",
    "ask": "kebab_cli.commands.ask",
    "tui": "kebab_cli.commands.tui",
    "serve": "kebab_cli.commands.serve",
    "sessions": "kebab_cli.commands.sessions",
    "sources": "kebab_cli.commands.sources",
    "docs": "kebab_cli.commands.docs",
    "status": "kebab_cli.commands.status",
    "doctor": "kebab_cli.commands.doctor",
    "spend": "kebab_cli.commands.spend",
    "eval": "kebab_cli.commands.evaluate",
    "why": "kebab_cli.commands.why",
    "models": "kebab_cli.commands.models",
    "config": "kebab_cli.commands.config",
    "init": "kebab_cli.commands.init",
    "schema": "kebab_cli.commands.schema",
}
"""Name to the module whose `app` it is, in the order of the help."""


class LazyGroup(TyperGroup):
    """Imports a command's module when that command is used (or listed)."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            found = typer.main.get_command(import_module(COMMANDS[cmd_name]).app)
            found.name = cmd_name
            self.commands[cmd_name] = found
        return self.commands[cmd_name]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in COMMANDS:
            # The error proposes names like it, of the commands that are loaded.
            for name in COMMANDS:
                self.get_command(ctx, name)
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="kebab",
    cls=LazyGroup,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _show_version(context: typer.Context, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from kebab_core import __version__

        typer.echo(f"kebab {__version__}")
        raise typer.Exit


def kebab(
    context: typer.Context,
    go_on: Annotated[
        bool, typer.Option("--continue", "-c", help="Open the chat where it was left.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_show_version, help="Show the version and exit."
        ),
    ] = False,
    **given: Any,
) -> None:
    """Answers questions from your own documents, and shows the lines each answer rests on.

    `kebab ingest PATH` adds documents, `kebab ask "…"` answers, `kebab` alone opens the chat.
    """
    use = context.find_object(Invocation)
    if use is None:
        raise RuntimeError("kebab's commands run through kebab_cli.main")
    use.set_globals(given)
    if context.invoked_subcommand is not None:
        if go_on:
            raise typer.BadParameter("`kebab --continue` opens the chat: give no command.")
        return
    from kebab_cli.commands.tui import can_open, open_chat

    if can_open():
        raise typer.Exit(open_chat(use, continue_last=go_on))
    if go_on:
        raise typer.BadParameter("The chat needs a terminal.")
    typer.echo(context.get_help())


def _with_globals() -> None:
    """Typer reads signatures: give it the global options as if they were written out."""
    import inspect
    from typing import get_type_hints

    hints = get_type_hints(kebab, include_extras=True)
    own = [
        item.replace(annotation=hints[item.name])
        for item in inspect.signature(kebab).parameters.values()
        if item.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    keyword = [item.replace(kind=inspect.Parameter.KEYWORD_ONLY) for item in own[1:]]
    parameters = [own[0], *keyword, *global_parameters(hidden=False)]
    kebab.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    kebab.__annotations__ = {item.name: item.annotation for item in parameters}


_with_globals()
app.callback()(kebab)
