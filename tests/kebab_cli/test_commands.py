"""The commands that tell what there is, and those that change settings and sessions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.program import Kebab
from tests.support.schemas import valid

NOTICE = "How long is the notice period?"

WIRE = Path(__file__).resolve().parents[2] / "docs" / "wire-schema" / "v1"


def test_search_as_text_and_json(asking: Kebab) -> None:
    done = asking("search", "--explain", "notice period")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("[1] [local] leave.md#L"))
    how, snippet = lines[first + 1 : first + 3]
    assert "meaning #" in how
    assert "four weeks" in snippet
    response = valid("search_response", asking("search", "--json", "-k", "1", NOTICE).stdout)
    assert len(response["hits"]) == 1
    assert response["hits"][0]["citation"]["path"] == "leave.md"


def test_a_search_that_finds_nothing(asking: Kebab) -> None:
    done = asking("search", "--mode", "lexical", "xylophone")
    assert (done.returncode, done.stdout) == (1, "")
    assert "Nothing found" in done.stderr


def test_a_search_without_a_corpus(kebab: Kebab) -> None:
    done = kebab("search", "--json", "anything")
    assert done.returncode == 2
    assert json.loads(done.stderr)["code"] == "not_indexed"


def test_what_the_corpus_holds(asking: Kebab) -> None:
    lines = asking("docs", "list", "--json").stdout.splitlines()
    assert {valid("doc_summary", line)["doc_path"] for line in lines} == {"leave.md", "backup.md"}
    rows = [line.split("\t") for line in asking("docs", "list").stdout.splitlines()]
    assert [row[:3] for row in rows] == [
        ["notes", "backup.md", "markdown"],
        ["notes", "leave.md", "markdown"],
    ]
    report = valid("schema", asking("status", "--json").stdout)
    assert report["stats"]["documents"] == 2


def test_a_source_is_forgotten_with_its_documents(asking: Kebab) -> None:
    assert asking("sources", "list").stdout.startswith("notes\tcommand line\t")
    done = asking("sources", "remove", "notes", "--json")
    assert json.loads(done.stdout) == {"source_id": "notes", "documents_removed": 2}
    again = asking("sources", "remove", "notes")
    assert again.returncode == 2
    assert "There is no source 'notes'" in again.stderr


def test_an_empty_corpus_has_a_status(kebab: Kebab) -> None:
    done = kebab("status")
    assert done.returncode == 0
    assert "kebab ingest" in done.stderr
    assert valid("schema", kebab("status", "--json").stdout)["stats"]["documents"] == 0


def test_doctor(asking: Kebab) -> None:
    done = asking("doctor", "--json")
    assert valid("doctor", done.stdout)["ok"], done.stdout
    assert done.returncode == 0


def test_doctor_finds_what_is_missing(kebab: Kebab) -> None:
    done = kebab("doctor")
    assert done.returncode == 3
    assert "✗ corpus" in done.stdout
    assert "kebab ingest" in done.stdout


def test_sessions_are_listed_shown_and_deleted(asking: Kebab) -> None:
    asked = asking("ask", "--json", "--model", "quote", "--session", "new", NOTICE)
    name = json.loads(asked.stdout)["conversation_id"]
    [line] = asking("sessions", "list", "--json").stdout.splitlines()
    assert valid("session", line)["session_id"] == name
    shown = asking("sessions", "show", name).stdout
    assert f"> {NOTICE}" in shown
    assert "leave.md#L" in shown
    assert asking("sessions", "delete", name, "nope").returncode == 2
    assert len(asking("sessions", "list").stdout.splitlines()) == 1
    assert asking("sessions", "delete", name).returncode == 0
    assert asking("sessions", "list").stdout == ""


def test_init_writes_once_and_overwrites_nothing(kebab: Kebab) -> None:
    own = Path(kebab("config", "path").stdout.strip())
    assert not own.exists()
    assert kebab("init").returncode == 0
    own.write_text("[ask]\nk = 5\n", encoding="utf-8")
    done = kebab("init")
    assert done.returncode == 2
    assert own.read_text(encoding="utf-8") == "[ask]\nk = 5\n"
    shown = kebab("config", "show", "--changed").stdout
    assert "ask.k = 5  # user file" in shown


def test_init_here_makes_a_corpus_that_is_used_from_then_on(kebab: Kebab) -> None:
    assert kebab("init", "--here").returncode == 0
    values = json.loads(kebab("config", "show", "--json").stdout)["values"]
    [directory] = [item["value"] for item in values if item["key"] == "workspace.directory"]
    assert directory == str(kebab.folder / ".kebab")


def test_a_project_is_trusted_by_hand_only(kebab: Kebab) -> None:
    (kebab.folder / "kebab.toml").write_text(
        '[providers.openai-compatible]\nbase_url = "http://example.org/v1"\n', encoding="utf-8"
    )
    done = kebab("config", "show", "--changed")
    assert "isn't trusted" in done.stderr
    assert "example.org" not in done.stdout
    assert "Trusted" in kebab("config", "trust").stdout
    assert "example.org" in kebab("config", "show", "--changed").stdout


def test_no_secret_is_shown(kebab: Kebab) -> None:
    done = kebab("config", "show", env={"OPENAI_API_KEY": "sk-planted"})
    assert "environment.OPENAI_API_KEY" in done.stdout
    assert "sk-planted" not in done.stdout + done.stderr


def test_a_misspelt_setting_names_the_nearest(kebab: Kebab) -> None:
    (kebab.folder / "mine.toml").write_text("[ask]\nmax_round = 1\n", encoding="utf-8")
    done = kebab("--config", "mine.toml", "status")
    assert done.returncode == 2
    assert "max_rounds" in done.stderr


def test_models_are_listed(kebab: Kebab, default_model: Path) -> None:
    rows = [json.loads(line) for line in kebab("models", "list", "--json").stdout.splitlines()]
    by_role = {row["role"]: row for row in rows}
    assert by_role["embedding"]["how"].startswith("installed")
    assert by_role["ask"]["model"] == "quote"
    assert kebab("models", "install").stdout.startswith("Ready: ")


def test_schemas_are_shown_and_exported(kebab: Kebab) -> None:
    names = kebab("schema", "show").stdout.split()
    assert {"answer", "answer_event", "error", "search_hit"} <= set(names)
    assert json.loads(kebab("schema", "show", "answer.v1").stdout)["title"] == "Answer v1"
    assert kebab("schema", "show", "nope").returncode == 2
    assert kebab("schema", "export", "out").returncode == 0
    exported = {path.name: path.read_text("utf-8") for path in (kebab.folder / "out").iterdir()}
    kept = {path.name: path.read_text("utf-8") for path in WIRE.glob("*.schema.json")}
    assert exported == kept


def test_the_lines_that_an_answer_cites_are_shown(asking: Kebab) -> None:
    done = asking("docs", "show", "leave.md", "--lines", "5-7")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "5  The notice period is four weeks. It is given in writing to the team lead.",
        "6  ",
        "7  ## Holidays",
    ]
    assert asking("docs", "show", "leave.md", "--lines", "9-").stdout.startswith(" 9  Every")


@pytest.mark.parametrize(
    ("lines", "code", "said"),
    [("5-3", 2, "10-40"), ("x", 2, "10-40"), ("0-1", 2, "10-40"), ("900", 1, "no line 900")],
)
def test_lines_that_are_not_there(asking: Kebab, lines: str, code: int, said: str) -> None:
    done = asking("docs", "show", "leave.md", "--lines", lines)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr


def test_a_passage_is_pinned_or_left_out(asking: Kebab) -> None:
    found = json.loads(asking("search", "--json", "backups every night").stdout)["hits"]
    backup = next(hit["chunk_id"] for hit in found if hit["doc_path"] == "backup.md")
    pinned = asking("ask", "--model", "quote", "--show-context", "--pin", backup, NOTICE)
    assert "backup.md" in pinned.stdout.partition("Passages given")[2].splitlines()[1]
    without = asking("ask", "--model", "quote", "--show-context", "--leave-out", backup, NOTICE)
    assert "backup.md" not in without.stdout
