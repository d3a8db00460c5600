"""`kebab eval`: how good search and answers are on questions whose answers are known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kebab_cli import filters as narrow
from kebab_cli.command import command, new_group
from kebab_cli.invocation import Invocation
from kebab_cli.output import Output, bad, dim, good, strong

if TYPE_CHECKING:
    from kebab_core.api import Change, EvalReport

app = new_group("How good search and answers are, on questions whose answers are known.")


@command(app, "run")
def run_sets(
    use: Invocation,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="Golden sets, in JSON lines or YAML.")
    ],
    answers: Annotated[
        bool, typer.Option("--answers/--no-answers", help="Ask too, or only search.")
    ] = True,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", metavar="PROVIDER:MODEL", help="Who answers."),
    ] = None,
    k: Annotated[
        int | None, typer.Option("-k", "--k", metavar="N", min=1, max=50, help="How many passages.")
    ] = None,
    mode: narrow.Mode = None,
    output_file: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Keep the eval_report.v1 in FILE."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one eval_report.v1.")] = False,
) -> int:
    """Put golden sets to the corpus, and print how well it did.

    A set's question: {"question": "…", "expected": ["notes/leave.md#L3-L9"]}, or with
    "answerable": false. Nothing of it is kept as history.
    """
    from kebab_core import api

    output = use.output
    output.machine = json
    sets = {file.stem: file for file in files}
    if len(sets) < len(files):
        raise api.InvalidInput("Two golden sets have the same name.", "Rename one of the files.")

    def on_progress(done: int, total: int) -> None:
        if done < total:
            output.fleeting(f"{done}/{total} questions")
        else:
            output.clear_fleeting()

    base = use.knowledge_base
    report = base.evaluate(
        sets, answers=answers, model=model, k=k, mode=mode, on_progress=on_progress
    )
    if output_file is not None:
        _keep(output_file, report)
    if json:
        output.result(report.to_line())
    else:
        _print_report(output, report)
    return 0


@command(app, "compare")
def compare(
    use: Invocation,
    before: Annotated[Path, typer.Argument(metavar="BEFORE", help="An eval_report.v1.")],
    after: Annotated[Path, typer.Argument(metavar="AFTER", help="A later one.")],
    tolerance: Annotated[
        float | None,
        typer.Option(
            "--tolerance", metavar="X", min=0, help="Exit 1 if a measure lost more than this."
        ),
    ] = None,
) -> int:
    """Show what changed between two runs: each measure, and the questions that turned."""
    from kebab_cli.table import print_table
    from kebab_core import api

    output = use.output
    old, new = _report(before), _report(after)
    changes = api.eval_changes(old, new)
    print_table(
        output,
        ("set", "measure", "before", "after", "gain"),
        [
            (one.set, one.measure, _number(one.before), _number(one.after), _gain(one))
            for one in changes
        ],
    )
    for turned in api.eval_turned(old, new):
        output.line(dim(f"{turned.set}: "), turned.question, strong(f"  {turned.what}"))
    lost = [one for one in changes if tolerance is not None and (one.gain or 0) < -tolerance - 1e-9]
    for one in lost:
        output.note(bad("worse: "), f"{one.set} {one.measure} {_gain(one)}")
    return 1 if lost else 0


@command(app, "add")
def add(
    use: Invocation,
    session_id: Annotated[
        str, typer.Argument(metavar="SESSION", help="As `kebab sessions list` shows it.")
    ],
    turn: Annotated[int, typer.Argument(metavar="TURN", min=0, help="Its number, from 0.")],
    file: Annotated[
        Path, typer.Option("--file", "-f", metavar="FILE", help="The golden set, in JSON lines.")
    ] = Path("golden.jsonl"),
    expect: Annotated[
        list[str] | None,
        typer.Option("--expect", metavar="PATH#L1-L9", help="What the answer rests on."),
    ] = None,
    not_answerable: Annotated[
        bool, typer.Option("--not-answerable", help="The documents don't hold the answer.")
    ] = False,
) -> int:
    """Make a golden question of a past turn.

    What was cited is what is right, unless the turn has a thumb down. A turn that found nothing
    becomes a question without an answer, if it has a thumb up.
    """
    from kebab_core import api

    golden = use.knowledge_base.golden_question(
        session_id, turn, expect or (), answerable=not not_answerable
    )
    if api.append_golden(file, golden):
        use.output.note(good("Added "), f"to {file}: {golden.question}")
    else:
        use.output.note(f"{file} has that question already.")
    return 0


def _keep(file: Path, report: EvalReport) -> None:
    from kebab_core import api

    try:
        file.write_text(report.to_line() + "\n", encoding="utf-8")
    except OSError as failure:
        raise api.IOFailed(f"{file} can't be written: {failure}.") from failure


def _report(file: Path) -> EvalReport:
    from kebab_core import api

    try:
        return api.EvalReport.model_validate_json(file.read_text(encoding="utf-8"))
    except OSError as failure:
        raise api.NotFound(
            f"{file} can't be read: {failure}.", "Make one with `kebab eval run SET -o FILE`."
        ) from failure
    except ValueError as bad_report:
        raise api.InvalidInput(
            f"{file} is no eval_report.v1.", "Make one with `kebab eval run SET -o FILE`."
        ) from bad_report


def _print_report(output: Output, report: EvalReport) -> None:
    from kebab_cli.table import print_table

    for one in report.sets:
        output.line(strong(one.name), dim(f"  {one.questions} questions"))
        print_table(
            output,
            ("measure", "value"),
            [(name, _number(value)) for name, value in one.measures.items()],
        )
    output.line(dim("refused at each bar of relevance, by the gate alone"))
    columns = ("bar", "precision", "recall", "wrongly_refused")
    print_table(
        output, columns, [[_number(point[name]) for name in columns] for point in report.curve]
    )
    times = report.latency_ms
    output.line(dim("  ".join(f"{name} {ms:g} ms" for name, ms in times.items())))


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _gain(change: Change) -> str:
    return "–" if change.gain is None else f"{change.gain:+.3f}"
