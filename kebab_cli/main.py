"""Where the console script starts: from arguments to an exit code, whatever happens between."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from typing import NoReturn

from kebab_cli.invocation import Invocation
from kebab_cli.output import Output
from kebab_cli.stream import PipeClosed, claim_standard_descriptors
from kebab_cli.watch import EXIT_CODES, Watch

FAILED = 2
_CLOSED = EXIT_CODES["closed"]


def main() -> NoReturn:
    """Run `kebab` with `sys.argv`; exits 0, 1, 2, 3, 130 or 143, as `docs/cli.md` says."""
    output = Output(claim_standard_descriptors())
    watch = Watch(output.descriptors, output.show_cursor)
    output.stop_when(lambda: watch.cause is not None)
    # Whatever else prints goes the same way, and fails the same way.
    sys.stdout = output.file(output.stdout)
    sys.stderr = output.file(output.stderr)
    use = Invocation(output, watch)
    try:
        code = _invoke(sys.argv[1:], use)
    except KeyboardInterrupt:
        # Before the watch has taken over, or where it can't.
        code = EXIT_CODES["interrupt"]
        watch.cause = watch.cause or "interrupt"
    code = watch.exit_code or code
    watch.stop()
    if threading.active_count() > 1:
        # A library is still at work: the interpreter's own end would wait for it, or pull the
        # ground from under it. All is closed and nothing is buffered, so leave as one is.
        os._exit(code)
    sys.exit(code)


def _invoke(arguments: Sequence[str], use: Invocation) -> int:
    import typer
    from typer.main import get_command

    from kebab_cli import failures
    from kebab_cli.app import app

    try:
        try:
            code = get_command(app).main(
                args=arguments, prog_name="kebab", standalone_mode=False, obj=use
            )
        finally:
            use.close()
    except PipeClosed:
        return _CLOSED
    except typer.TyperException as wrong:
        return _explain_usage(wrong, arguments, use.output)
    except typer.Abort:
        return _CLOSED
    except Exception as failure:  # noqa: BLE001 - the last place that can turn it into words
        failures.tell(failure, use.output)
        return FAILED
    return code if isinstance(code, int) else 0


def _explain_usage(wrong: Exception, arguments: Sequence[str], output: Output) -> int:
    """Bad usage: as Typer says it, or as `error.v1` to a caller that reads JSON."""
    from kebab_cli import failures
    from kebab_core import api

    try:
        if {"--json", "--stream"} & set(arguments):
            output.machine = True
            message = getattr(wrong, "format_message", wrong.__str__)()
            context = getattr(wrong, "ctx", None)
            command = context.command_path if context is not None else "kebab"
            failures.tell(api.InvalidInput(message, f"See `{command} --help`."), output)
        else:
            wrong.show()  # type: ignore[attr-defined]
    except PipeClosed:
        return _CLOSED
    return FAILED
