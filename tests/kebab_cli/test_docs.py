"""`kebab docs` and `kebab sources`: what is there, one of it, and taking it away."""

from __future__ import annotations

import json

import pexpect

from tests.support.program import COMMAND, Kebab
from tests.support.schemas import valid


def paths(kebab: Kebab) -> list[str]:
    done = kebab("docs", "list", "--json")
    return [valid("doc_summary", line)["doc_path"] for line in done.stdout.splitlines()]


def test_show_prints_what_is_known_and_the_text(asking: Kebab) -> None:
    done = asking("docs", "show", "leave.md")
    assert done.returncode == 0, done.stderr
    assert "notes:leave.md · markdown" in done.stdout
    assert "The notice period is four weeks." in done.stdout
    summary = valid("doc_summary", asking("docs", "show", "notes:leave.md", "--json").stdout)
    by_id = asking("docs", "show", summary["doc_id"], "--json")
    assert valid("doc_summary", by_id.stdout) == summary
    missing = asking("docs", "show", "nowhere.md", "--json")
    assert missing.returncode == 2
    assert json.loads(missing.stderr)["code"] == "not_found"


def test_show_without_a_corpus(kebab: Kebab) -> None:
    done = kebab("docs", "show", "a.md", "--json")
    assert (done.returncode, json.loads(done.stderr)["code"]) == (2, "not_indexed")


def test_removing_needs_a_yes(asking: Kebab) -> None:
    done = asking("docs", "remove", "leave.md", "--json")
    assert (done.returncode, json.loads(done.stderr)["code"]) == (2, "invalid_input")
    assert paths(asking) == ["backup.md", "leave.md"]
    # A mistyped name among others removes nothing.
    done = asking("docs", "remove", "leave.md", "leev.md", "--yes")
    assert (done.returncode, paths(asking)) == (2, ["backup.md", "leave.md"])
    done = asking("docs", "remove", "leave.md", "--yes")
    assert done.returncode == 0, done.stderr
    assert paths(asking) == ["backup.md"]
    assert "Removed leave.md." in done.stderr


def test_a_person_is_asked(asking: Kebab) -> None:
    for answer, code, left in (("n", 1, 2), ("y", 0, 1)):
        child = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], "docs", "remove", "leave.md"],
            cwd=str(asking.folder),
            env=asking.environment(),
            encoding="utf-8",
            timeout=60,
        )
        child.expect_exact("Remove leave.md from the corpus? [y/N]")
        child.sendline(answer)
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == code
        assert len(paths(asking)) == left


def test_what_is_removed_and_still_there_comes_back_and_that_is_said(asking: Kebab) -> None:
    notes = asking.folder / "more"
    notes.mkdir()
    (notes / "extra.md").write_text("# Extra\n\nMore to read.\n")
    assert asking("ingest", "more").returncode == 0
    done = asking("docs", "remove", "extra.md", "--yes")
    assert "still on disk" in done.stderr
    assert "extra.md" not in paths(asking)
    assert asking("ingest", "more").returncode == 0
    assert "extra.md" in paths(asking)


def test_sources_are_listed_with_their_documents_and_forgotten(asking: Kebab) -> None:
    (source,) = map(json.loads, asking("sources", "list", "--json").stdout.splitlines())
    assert (source["source_id"], source["documents"]) == ("notes", 2)
    assert "notes" in asking("sources", "list").stdout
    done = asking("sources", "remove", "nowhere", "--json")
    assert (done.returncode, json.loads(done.stderr)["code"]) == (2, "not_found")
    done = asking("sources", "remove", "notes", "--json")
    assert json.loads(done.stdout) == {"source_id": "notes", "documents_removed": 2}
    assert paths(asking) == []
    assert asking("sources", "list", "--json").stdout == ""


def test_a_text_is_piped_in_and_replaced_by_its_title(asking: Kebab) -> None:
    done = asking(
        "ingest", "-", "--title", "Minutes of May", "--json", stdin="The zebra is lead.\n"
    )
    assert done.returncode == 0, done.stderr
    report = valid("ingest_report", done.stdout)
    assert (report["new"], report["scope"], report["scanned"]) == (1, ["Minutes of May"], 1)
    found = valid("search_response", asking("search", "zebra", "--json").stdout)
    (hit,) = [hit for hit in found["hits"] if hit["source_id"] == "stdin"]
    assert hit["doc_path"] == hit["title"] == "Minutes of May"
    assert hit["file_path"] is None
    assert hit["citation"]["uri"] == "Minutes%20of%20May#L1-L1"
    again = asking("ingest", "-", "--title", "Minutes of May", "--json", stdin="The yak is lead.\n")
    report = valid("ingest_report", again.stdout)
    assert (report["updated"], report["new"]) == (1, 0)
    # An ingest of everything leaves it as it is.
    report = valid("ingest_report", asking("ingest", "--json").stdout)
    assert (report["removed"], report["unchanged"]) == (0, 2)
    assert "yak" in asking("docs", "show", "Minutes of May").stdout


def test_a_text_needs_a_title_and_a_title_a_text(kebab: Kebab) -> None:
    for arguments, stdin in (
        (["-"], "words"),
        (["--title", "T"], "words"),
        (["-", "--title", " "], "words"),
        (["-", "--title", "T"], ""),
    ):
        done = kebab("ingest", *arguments, "--json", stdin=stdin)
        error = json.loads(done.stderr.splitlines()[-1])
        assert (done.returncode, error["code"]) == (2, "invalid_input"), arguments
        assert error["hint"]
