"""The menu after an abstention: in a real terminal, with a real corpus that grows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kebab_cli.not_found import path_from
from kebab_core.testing import ScriptedModel
from kebab_core.testing.script import Hang, Say, Status, Turn
from tests.support.program import Kebab
from tests.support.schemas import valid
from tests.support.site import Site, page
from tests.support.terminal import Terminal

TELESCOPE = "Which telescope photographed the rings of Saturn first?"
ANSWERED = "The rings of Saturn were photographed first by the Henry refractor in Paris."
MENU = "Leave it"
WHERE = "A file, a folder or a web address: "


class Asked(Terminal):
    """`kebab ask` that didn't find the answer; the menu stands."""

    def __init__(self, kebab: Kebab, *arguments: str) -> None:
        super().__init__(kebab, "ask", *arguments, TELESCOPE)
        self.wait_for_menu()

    def wait_for_menu(self) -> None:
        self.wait_for(MENU)
        self.wait_for("> ")

    def type(self, text: str, after: str | None = None) -> None:
        """A line, when `after` stands as the prompt."""
        if after is not None:
            self.wait_for(after)
        self.process.sendline(text)


@pytest.fixture
def saturn(asking: Kebab) -> Path:
    file = asking.folder / "more" / "about saturn.md"
    file.parent.mkdir()
    file.write_text(f"# Telescopes\n\n{ANSWERED}\n", encoding="utf-8")
    return file


@pytest.fixture
def quoting(asking: Kebab) -> Kebab:
    asking.variables["KEBAB_MODEL_ASK"] = "quote"
    return asking


def test_it_tells_what_was_searched_and_offers_three_steps(quoting: Kebab) -> None:
    terminal = Asked(quoting)
    shown = terminal.text
    assert shown.startswith("I searched 2 documents and found nothing that answers this.")
    assert "Nearest passages:" in shown
    assert "kebab ask --chance" not in shown
    menu = [line[:5] for line in shown.splitlines()[-5:]]
    assert menu == ["  [1]", "  [2]", "  [3]", "  [q]", ">"]
    terminal.type("q")
    assert terminal.end() == 1


def leave(how: str) -> Callable[[Asked], None]:
    return {
        "q": lambda terminal: terminal.type("q"),
        "empty": lambda terminal: terminal.type(""),
        "end": lambda terminal: terminal.process.sendeof(),
        "interrupt": lambda terminal: terminal.process.sendintr(),
    }[how]


@pytest.mark.parametrize(("how", "code"), [("q", 1), ("empty", 1), ("end", 1), ("interrupt", 130)])
def test_ways_to_leave(quoting: Kebab, how: str, code: int) -> None:
    terminal = Asked(quoting)
    leave(how)(terminal)
    assert terminal.end() == code
    assert "Traceback" not in terminal.raw
    assert terminal.raw.endswith("\n")
    assert terminal.raw.count(MENU) == 1


def test_what_is_no_choice_is_said_and_asked_again(quoting: Kebab) -> None:
    terminal = Asked(quoting)
    terminal.type("7\x1b[A")
    terminal.wait_for_menu()
    assert "type 1, 2, 3 or q" in terminal.text
    assert "\x1b[A'" not in terminal.raw
    terminal.type("q")
    assert terminal.end() == 1


# --- 1: a document ------------------------------------------------------------------------


@pytest.mark.parametrize("written", ["{}", "'{}'"], ids=["plain", "quoted"])
def test_a_document_is_read_and_the_question_asked_again(
    quoting: Kebab, saturn: Path, written: str
) -> None:
    terminal = Asked(quoting)
    terminal.type("1")
    terminal.type(written.format(saturn), after=WHERE)
    assert terminal.end() == 0
    assert "1 new" in terminal.text
    assert f"? {TELESCOPE}" in terminal.text
    assert "Henry refractor" in terminal.text.partition("? Which")[2]
    assert terminal.text.splitlines()[-1].startswith("(1 cited")


def test_a_page_is_read_too(quoting: Kebab) -> None:
    body = f"<html><head><title>Saturn</title></head><body><p>{ANSWERED}</p></body></html>"
    with Site({"/saturn": page(body.encode())}) as site:
        quoting.variables["KEBAB_WEB__ALLOW_HOSTS"] = '["127.0.0.1"]'
        terminal = Asked(quoting)
        terminal.type("1")
        terminal.type(f"{site.base}/saturn", after=WHERE)
        assert terminal.end() == 0
    assert "Henry refractor" in terminal.text.partition("? Which")[2]


def test_what_can_not_be_read_is_said_and_changes_nothing(quoting: Kebab, saturn: Path) -> None:
    empty = quoting.folder / "empty"
    empty.mkdir()
    terminal = Asked(quoting)
    for typed, said in (
        ("nowhere.md", "does not exist"),
        ("ftp://127.0.0.1/saturn", "of addresses, those of web pages"),
        ("http://127.0.0.1:9/saturn", "127.0.0.1"),
        ("~nobody-here/notes", "~nobody-here/notes"),
        ("x" * 300, "can't be followed"),
        ("notes\x16\x01", "does not exist"),
        (str(empty), "brought nothing new"),
        ("", MENU),
    ):
        terminal.type("1")
        terminal.type(typed, after=WHERE)
        terminal.wait_for(said)
        if said != MENU:
            terminal.wait_for(MENU)
        terminal.wait_for("> ")
    assert "Traceback" not in terminal.raw
    assert "doesn't know" not in terminal.raw
    terminal.type("1")
    terminal.type(str(saturn), after=WHERE)
    assert terminal.end() == 0


def test_the_end_of_input_in_the_middle_of_a_step_leaves(quoting: Kebab) -> None:
    for key in ("1", "2"):
        terminal = Asked(quoting)
        terminal.type(key)
        terminal.wait_for(": ")
        terminal.process.sendeof()
        assert terminal.end() == 1


# --- 2: words -----------------------------------------------------------------------------


def test_words_are_added_until_something_is_found(quoting: Kebab) -> None:
    terminal = Asked(quoting)
    terminal.type("2")
    terminal.type("in the year 1885", after="Words to add: ")
    terminal.wait_for(f"? {TELESCOPE} in the year 1885")
    terminal.wait_for_menu()
    terminal.type("2")
    terminal.type("x" * 3000, after="Words to add: ")
    terminal.wait_for_menu()
    terminal.type("2")
    terminal.type("", after="Words to add: ")
    terminal.wait_for_menu()
    terminal.type("q")
    assert terminal.end() == 1


def test_a_session_goes_on_with_the_same_question_asked_better(quoting: Kebab) -> None:
    terminal = Asked(quoting, "--session", "new")
    terminal.type("2")
    terminal.type("in the year 1885", after="Words to add: ")
    terminal.wait_for_menu()
    terminal.type("q")
    assert terminal.end() == 1
    [listed] = quoting("sessions", "list", "--json").stdout.splitlines()
    session = valid("session", listed)
    shown = valid("session", quoting("sessions", "show", session["session_id"], "--json").stdout)
    first, second = shown["turns"]
    assert second["question"] == f"{first['question']} in the year 1885"


# --- 3: general knowledge -----------------------------------------------------------------


def test_general_knowledge_answers_under_its_warning(asking: Kebab) -> None:
    turns: list[Turn] = [[Say("NOTFOUND")], [Say("The Henry refractor.")]]
    with ScriptedModel(turns) as model:
        asking.variables |= model.environment | {"KEBAB_ASK__MODE": "single"}
        asking.variables["KEBAB_ASK__SCORE_GATE"] = "0"
        terminal = Asked(asking)
        terminal.type("3")
        assert terminal.end() == 0
    after = terminal.text.partition("? Which")[2].splitlines()
    assert after[1].startswith("! From general knowledge, not from your documents")
    assert "The Henry refractor." in after
    assert model.requests[1].text.count("passage") == 0


def test_general_knowledge_needs_a_model(quoting: Kebab) -> None:
    terminal = Asked(quoting)
    terminal.type("3")
    terminal.wait_for("General knowledge needs a chat model")
    terminal.wait_for_menu()
    terminal.type("q")
    assert terminal.end() == 1


def test_a_model_that_fails_brings_the_menu_again(asking: Kebab) -> None:
    turns: list[Turn] = [[Say("NOTFOUND")], [Status(401)], [Say("Henry's."), Hang()]]
    with ScriptedModel(turns) as model:
        asking.variables |= model.environment | {"KEBAB_ASK__MODE": "single"}
        asking.variables["KEBAB_ASK__SCORE_GATE"] = "0"
        terminal = Asked(asking)
        terminal.type("3")
        terminal.wait_for_menu()
        terminal.type("3")
        terminal.wait_for("Henry's.")
        terminal.process.sendintr()
        assert terminal.end() == 130


# --- where nobody sits --------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [["--no-stream"], ["--quiet"]], ids=str)
def test_no_menu_where_it_was_not_wanted(quoting: Kebab, arguments: list[str]) -> None:
    terminal = Terminal(quoting, "ask", *arguments, TELESCOPE)
    assert terminal.end() == 1
    assert MENU not in terminal.raw
    assert "kebab ask --chance --model PROVIDER:MODEL" in terminal.text


def test_json_on_a_terminal_has_suggestions_and_no_menu(quoting: Kebab) -> None:
    terminal = Terminal(quoting, "ask", "--json", TELESCOPE, columns=10_000)
    assert terminal.end() == 1
    suggested = valid("answer", terminal.raw)["suggestions"]
    assert [one["action"] for one in suggested] == ["ingest", "rephrase", "chance"]


def test_piped_the_steps_are_text(quoting: Kebab) -> None:
    done = quoting("ask", TELESCOPE, stdin="1\n")
    assert (done.returncode, done.stderr) == (1, "")
    assert "What you can do:" in done.stdout
    assert "    kebab ingest PATH\n" in done.stdout
    assert MENU not in done.stdout
    line = f'kebab ask "{TELESCOPE}" </dev/null'
    assert MENU not in quoting.shell(line).stdout


def test_a_path_as_shells_write_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spaced = tmp_path / "my notes.md"
    spaced.touch()
    (tmp_path / "it's.md").touch()
    escaped = str(spaced).replace(" ", "\\ ")
    for typed in (str(spaced), f"'{spaced}'", f'"{spaced}"', escaped):
        assert path_from(typed) == str(spaced)
    assert path_from(f"{tmp_path}/it's.md") == f"{tmp_path}/it's.md"
    assert path_from("no such 'thing") == "no such 'thing"
    assert path_from("two words") == "two words"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert path_from("'~/my notes.md'") == "~/my notes.md"
