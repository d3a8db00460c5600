"""`kebab doctor`: is everything well that an ask needs?"""

from __future__ import annotations

from typing import Annotated

import typer

from kebab_cli.command import command, new_app
from kebab_cli.invocation import Invocation
from kebab_cli.output import bad, dim, good

UNHEALTHY = 3

app = new_app()


@command(app)
def doctor(
    use: Invocation,
    json: Annotated[bool, typer.Option("--json", help="Print one doctor.v1.")] = False,
) -> int:
    """Check settings, corpus, embedding model and chat model. Exits 3 if one isn't well."""
    output = use.output
    output.machine = json
    report = use.knowledge_base.doctor()
    if json:
        output.result(report.to_line())
        return 0 if report.ok else UNHEALTHY
    for check in report.checks:
        sign = good("✓ ") if check.ok else bad("✗ ")
        output.line(sign, f"{check.name}: ", check.detail)
        if check.hint and not check.ok:
            output.line("    ", dim(check.hint))
    return 0 if report.ok else UNHEALTHY
