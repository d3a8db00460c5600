"""`kebab sessions`: found, renamed, marked, written down, over a real corpus that changes."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from kebab_core.testing import ScriptedModel
from kebab_core.testing.script import Call, Cut, Say, Turn
from tests.support.program import Kebab
from tests.support.schemas import valid
from tests.support.terminal import Terminal
from tests.support.web import small_web

NOTICE = "How long is the notice period?"
BACKUP = "How long are backups kept?"


@pytest.fixture
def asked(asking: Kebab) -> Kebab:
    """Asked once in a session, over documents of its own."""
    notes = asking.folder / "mine"
    notes.mkdir()
    (notes / "salary.md").write_text("# Salary\n\nSalaries are paid on the 25th of a month.\n")
    assert asking("ingest", "mine").returncode == 0
    return asking


def ask(kebab: Kebab, question: str, session: str = "new") -> dict[str, Any]:
    done = kebab("ask", "--json", "--model", "quote", "--session", session, question)
    assert done.returncode == 0, done.stderr
    return valid("answer", done.stdout)


def session_id(kebab: Kebab, question: str = NOTICE) -> str:
    return str(ask(kebab, question)["conversation_id"])


# --- finding -------------------------------------------------------------------------------


def test_sessions_are_found_by_titles_and_by_what_was_said(asking: Kebab) -> None:
    notice, backup = session_id(asking), session_id(asking, BACKUP)
    for words, found in (
        (["BACKUPS"], [backup]),
        (["four", "weeks"], [notice]),
        (["long"], [backup, notice]),
        (["-n", "1", "long"], [backup]),
    ):
        done = asking("sessions", "search", "--json", *words)
        assert done.returncode == 0, done.stderr
        listed = [valid("session", line) for line in done.stdout.splitlines()]
        assert [one["session_id"] for one in listed] == found
        assert all("turns" not in one for one in listed)
    assert notice in asking("sessions", "search", "four weeks").stdout


def test_nothing_found_is_exit_1(asking: Kebab) -> None:
    session_id(asking)
    done = asking("sessions", "search", "telescope")
    assert (done.returncode, done.stdout) == (1, "")
    assert "telescope" in done.stderr
    done = asking("sessions", "search", "--json", "telescope")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


def test_an_id_is_never_cut(asking: Kebab) -> None:
    name = session_id(asking)
    asking("sessions", "rename", name, "通知期間はどのくらいですか、そして誰が決めますか")
    terminal = Terminal(asking, "sessions", "list", columns=60)
    assert terminal.end() == 0
    header, row = terminal.text.splitlines()
    assert header.split() == ["id", "last", "used", "turns", "from", "title"]
    assert row.startswith(f"{name}  ")
    assert row.endswith("…")


# --- names and marks -----------------------------------------------------------------------


def test_a_session_gets_another_name(asking: Kebab) -> None:
    name = session_id(asking)
    done = asking("sessions", "rename", name, "Leaving", "the\x1b[2J", "company")
    assert done.returncode == 0
    assert "Leaving the" in done.stderr
    assert "\x1b" not in done.stderr
    [line] = asking("sessions", "list", "--json").stdout.splitlines()
    assert valid("session", line)["title"] == "Leaving the␛[2J company"
    done = asking("sessions", "rename", "--json", name, "Leaving")
    assert valid("session", done.stdout)["title"] == "Leaving"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["rename", "nope", "Title"], "not_found"),
        (["rename", "ID", "  "], "invalid_input"),
        (["rate", "nope", "0", "up"], "not_found"),
        (["rate", "ID", "7", "up"], "not_found"),
        (["rate", "ID", "one", "up"], "not_found"),
        (["rate", "ID", "0", "great"], "invalid_input"),
    ],
    ids=str,
)
def test_what_can_not_be_changed(asking: Kebab, arguments: list[str], code: str) -> None:
    name = session_id(asking)
    words = [name if word == "ID" else word for word in arguments]
    done = asking("sessions", words[0], "--json", *words[1:])
    assert (done.returncode, done.stdout) == (2, "")
    assert valid("error", done.stderr)["code"] == code
    [line] = asking("sessions", "list", "--json").stdout.splitlines()
    assert valid("session", line)["title"] == NOTICE


def test_an_answer_is_marked(asking: Kebab) -> None:
    name = session_id(asking)
    ask(asking, BACKUP, name)

    def marks() -> list[int | None]:
        shown = valid("session", asking("sessions", "show", name, "--json").stdout)
        return [turn["rating"] for turn in shown["turns"]]

    assert marks() == [None, None]
    assert asking("sessions", "rate", name, "last", "up").returncode == 0
    assert asking("sessions", "rate", name, "0", "down").returncode == 0
    assert marks() == [-1, 1]
    text = asking("sessions", "show", name).stdout
    assert f"0 > {NOTICE}" in text
    assert "marked as bad" in text.partition("1 > ")[0]
    done = asking("sessions", "rate", "--json", name, "0", "none")
    assert valid("session", done.stdout)["session_id"] == name
    assert marks() == [None, 1]


# --- writing down --------------------------------------------------------------------------


def test_markdown_has_questions_answers_and_sources(asked: Kebab) -> None:
    name = session_id(asked)
    ask(asked, BACKUP, name)
    done = asked("sessions", "export", name)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == f"# {NOTICE}"
    headings = [line for line in lines if line.startswith("## ")]
    assert headings == [f"## {NOTICE}", f"## {BACKUP}"]
    assert "> The notice period is four weeks. It is given in writing to the team lead." in lines
    assert not any("since" in line for line in lines)
    one = asked("sessions", "export", name, "--turn", "1").stdout
    assert one.startswith(f"## {BACKUP}\n")
    assert NOTICE not in one
    assert asked("sessions", "export", name, "--turn", "9").returncode == 2


def since(kebab: Kebab, name: str) -> dict[str, str]:
    done = kebab("sessions", "export", name, "--format", "json")
    session = valid("session", done.stdout)
    evidence = session["turns"][0]["evidence"]
    return {one["hit"]["doc_path"]: one["since"] for one in evidence}


def test_a_source_that_changed_since_is_marked(asked: Kebab) -> None:
    name = session_id(asked, "On which day are salaries paid?")
    file = asked.folder / "mine" / "salary.md"
    before = asked("sessions", "show", name, "--json").stdout
    assert since(asked, name)["salary.md"] == "same"
    assert '"since"' not in before

    # On disk only, then in the corpus too, around the passage, then the passage itself.
    file.write_text("# Salary\n\nPaid on the first.\n")
    assert since(asked, name)["salary.md"] == "changed"
    assert asked("ingest").returncode == 0
    assert since(asked, name)["salary.md"] == "changed"
    text = asked("sessions", "export", name).stdout
    assert "[1] salary.md#L1-L3 — **changed since**" in text
    assert "> Salaries are paid on the 25th of a month." in text
    file.write_text("# Salary\n\nSalaries are paid on the 25th of a month.\n\n## More\n\nAsk.\n")
    assert asked("ingest").returncode == 0
    assert since(asked, name)["salary.md"] == "same"

    assert asked("sources", "remove", "mine").returncode == 0
    assert since(asked, name)["salary.md"] == "gone"
    assert "— **no longer in the corpus**" in asked("sessions", "export", name).stdout
    assert asked("sessions", "show", name, "--json").stdout == before


def test_a_path_is_written_as_people_write_it(asked: Kebab) -> None:
    (asked.folder / "mine" / "給与 規程.md").write_text("# Bonus\n\nA bonus is paid in May.\n")
    assert asked("ingest").returncode == 0
    text = asked("sessions", "export", session_id(asked, "When is a bonus paid?")).stdout
    assert "[1] 給与 規程.md#L1-L3\n" in text


def test_a_page_of_the_web_is_not_looked_for(asking: Kebab) -> None:
    with (
        small_web() as web,
        ScriptedModel(
            [[Call("web_search", {"query": "notice"})], [Say("Two weeks by law [4].")]]
        ) as model,
    ):
        asking.variables |= model.environment | web.variables | {"KEBAB_ASK__MODE": "agentic"}
        done = asking("ask", "--json", "--web", "--session", "new", NOTICE)
    name = valid("answer", done.stdout)["conversation_id"]
    session = valid("session", asking("sessions", "export", name, "-f", "json").stdout)
    kinds = {one["hit"]["kind"]: one.get("since") for one in session["turns"][0]["evidence"]}
    assert kinds == {"local": "same", "web": None}
    text = asking("sessions", "export", name).stdout
    assert f"[4] {web.law}\n\n> Two weeks by law.\n" in text


def test_turns_that_did_not_end_well_say_so(asking: Kebab) -> None:
    turns: list[Turn] = [[Say("Roughly a month.")], [Say("The notice"), Cut()]]
    with ScriptedModel(turns) as model:
        asking.variables |= model.environment
        asking("ask", "--session", "new", "--chance", NOTICE)
        asking("ask", "--continue", BACKUP)
    name = json.loads(asking("sessions", "list", "--json").stdout)["session_id"]
    text = asking("sessions", "export", name).stdout
    assert "*Note: From general knowledge, not from your documents" in text
    assert text.index("*Note: ") < text.index("Roughly a month.")
    assert "*Failed: " in text


def test_nothing_is_overwritten_unless_that_is_wanted(asking: Kebab) -> None:
    name = session_id(asking)
    file = asking.folder / "out.md"
    done = asking("sessions", "export", name, "--output", "out.md")
    assert (done.returncode, done.stdout) == (0, "")
    written = file.read_text()
    assert written == asking("sessions", "export", name).stdout
    assert file.stat().st_mode & 0o777 == 0o666 & ~umask()
    file.write_text("precious")
    done = asking("sessions", "export", name, "-o", "out.md")
    assert done.returncode == 2
    assert "--force" in done.stderr
    assert file.read_text() == "precious"
    assert asking("sessions", "export", name, "-o", "out.md", "--force").returncode == 0
    assert file.read_text() == written
    assert sorted(path.name for path in asking.folder.iterdir()) == ["data", "out.md"]


@pytest.mark.parametrize("where", [".", "no/such/folder/x.md"])
def test_where_no_file_can_be(asking: Kebab, where: str) -> None:
    done = asking("sessions", "export", session_id(asking), "-o", where)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    assert where.rpartition("/")[2] in done.stderr


def test_what_was_said_can_be_had_without_its_corpus(asking: Kebab) -> None:
    name = session_id(asking)
    data = Path(asking.variables["KEBAB_DATA_DIR"])
    for folder in data.iterdir():
        if folder.is_dir():
            folder.rename(folder.with_name(f"{folder.name}.away"))
    done = asking("sessions", "export", name)
    assert done.returncode == 0, done.stderr
    assert "— **no longer in the corpus**" in done.stdout


def test_nothing_in_a_session_drives_the_terminal(asking: Kebab) -> None:
    with ScriptedModel([[Say("\x1b]0;owned\x07Four weeks [1].")]]) as model:
        asking.variables |= model.environment
        done = asking("ask", "--json", "--session", "new", NOTICE)
    name = json.loads(done.stdout)["conversation_id"]
    database = Path(asking.variables["KEBAB_DATA_DIR"]) / "sessions.sqlite3"
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE sessions SET title = ?", ("A \x1b[2Jtitle",))
    connection.close()
    for arguments in (["show", name], ["export", name], ["list"], ["search", "four"]):
        terminal = Terminal(asking, "sessions", *arguments)
        terminal.end()
        assert "\x1b[2J" not in terminal.raw
        assert "\x1b]0" not in terminal.raw


def umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
