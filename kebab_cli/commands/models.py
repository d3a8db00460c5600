"""`kebab models`: the embedding model on this machine, and the chat models in use."""

from __future__ import annotations

import json as json_text
from typing import Annotated

import typer

from kebab_cli.command import command, new_group
from kebab_cli.invocation import Invocation
from kebab_cli.output import good

ROLES = ("ask", "followups", "starters", "chance")

app = new_group("The embedding model on this machine, and the chat models in use.")


@command(app, "install")
def install_models(use: Invocation) -> int:
    """Fetch and prepare the embedding model. Without one, search goes by words alone."""
    from kebab_core import api

    output = use.output
    embedder = api.install_embedding_model(use.configuration, notice=output.note)
    output.clear_fleeting()
    output.line(good("Ready: "), f"{embedder.id}, {embedder.dimensions} dimensions")
    return 0


@command(app, "list")
def list_models(
    use: Invocation,
    json: Annotated[bool, typer.Option("--json", help="One object a line.")] = False,
) -> int:
    """List which model does what, and how each was chosen."""
    from kebab_cli.table import print_table
    from kebab_core import api

    output = use.output
    output.machine = json
    found = api.installed_embedding_model(use.configuration)
    name = use.configuration.settings.embedding.model
    rows = [
        ("embedding", found.id, f"installed, {found.bytes / 1e6:.0f} MB, {found.runtime}")
        if found is not None
        else ("embedding", name, "not installed: run `kebab models install`")
    ]
    for role in ROLES:
        choice = use.knowledge_base.model_choice(role)
        rows.append((role, choice.ref, choice.how))
    if json:
        for role, model, how in rows:
            output.result(
                json_text.dumps({"role": role, "model": model, "how": how}, ensure_ascii=False)
            )
        return 0
    print_table(output, ("for", "model", "how"), rows)
    return 0
