"""How a function becomes a command: global options after it, its result as the exit code."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_type_hints

import typer

from kebab_cli.invocation import Invocation

GLOBAL_HELP = {
    "config": "Settings file to use instead of the usual ones.",
    "workspace": "Which corpus: a workspace under the data directory.",
    "data_dir": "Keep this workspace's data in DIR.",
    "debug": "Show where a failure comes from.",
    "quiet": "Say nothing but results and failures.",
}
_METAVARS = {"config": "FILE", "workspace": "NAME", "data_dir": "DIR"}


def global_parameters(*, hidden: bool) -> list[inspect.Parameter]:
    """The options that every command takes, as parameters for Typer to read."""
    found = []
    for name, text in GLOBAL_HELP.items():
        flag = "--" + name.replace("_", "-")
        metavar = _METAVARS.get(name)
        option = typer.Option(flag, metavar=metavar, help=text, hidden=hidden)
        kind: Any = Annotated[str | None, option] if metavar else Annotated[bool, option]
        found.append(
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=None if metavar else False,
                annotation=kind,
            )
        )
    return found


def new_app(help: str | None = None) -> typer.Typer:  # noqa: A002 - as Typer calls it
    """A Typer app with kebab's manners: plain help (fast, reads well anywhere), no tracebacks."""
    return typer.Typer(
        help=help,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        no_args_is_help=help is not None,
        context_settings={"help_option_names": ["--help", "-h"]},
    )


def new_group(help: str) -> typer.Typer:  # noqa: A002 - as Typer calls it
    """An app of sub-commands. Its callback keeps it one even with a single sub-command."""
    app = new_app(help)

    @app.callback()
    def group() -> None:
        return None

    group.__doc__ = help
    return app


def command(
    app: typer.Typer, name: str | None = None
) -> Callable[[Callable[..., int | None]], Callable[..., None]]:
    """Register `function(use: Invocation, …)` with `app`; what it returns is the exit code."""

    def register(function: Callable[..., int | None]) -> Callable[..., None]:
        hints = get_type_hints(function, include_extras=True)
        own = [
            parameter.replace(annotation=hints[parameter.name])
            for parameter in inspect.signature(function).parameters.values()
            if hints[parameter.name] is not Invocation
        ]
        shared = global_parameters(hidden=True)
        context = inspect.Parameter(
            "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
        )

        @functools.wraps(function)
        def run(context: typer.Context, **given: Any) -> None:
            use = context.find_object(Invocation)
            if use is None:
                raise RuntimeError("kebab's commands run through kebab_cli.main")
            use.set_globals({item.name: given.pop(item.name) for item in shared})
            use.watch.start()
            if code := function(use, **given):
                raise typer.Exit(code)

        parameters = [
            context,
            *(item.replace(kind=inspect.Parameter.KEYWORD_ONLY) for item in own),
            *shared,
        ]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {item.name: item.annotation for item in parameters}
        app.command(name)(run)
        return run

    return register
