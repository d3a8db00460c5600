"""`[[sources]]` of the settings: what they take in, and what their ids narrow."""

from __future__ import annotations

import json

import pytest

from tests.support.program import Kebab
from tests.support.schemas import valid

pytestmark = pytest.mark.usefixtures("default_model")

SETTINGS = """
[[sources]]
id = "hand"
path = "{folder}/handbook"
include = ["*.md"]
exclude = ["/drafts/"]
readers = ["staff"]

[[sources]]
id = "logs"
path = "{folder}/logs"
"""


@pytest.fixture
def configured(kebab: Kebab) -> Kebab:
    for name, text in (
        ("handbook/leave.md", "# Leave\n\nThe notice period is four weeks.\n"),
        ("handbook/leave.txt", "The notice period is nine weeks.\n"),
        ("handbook/drafts/leave.md", "# Leave\n\nThe notice period is six weeks.\n"),
        ("logs/notice.md", "# Log\n\nThe notice period was discussed on Monday.\n"),
    ):
        path = kebab.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    settings = kebab.folder / "mine.toml"
    settings.write_text(SETTINGS.format(folder=kebab.folder))
    assert kebab("--config", "mine.toml", "ingest").returncode == 0
    return kebab


def test_they_say_what_is_read_and_who_may_see_it(configured: Kebab) -> None:
    done = configured("--config", "mine.toml", "docs", "list", "--json")
    found = [valid("doc_summary", line) for line in done.stdout.splitlines()]
    assert [(item["source_id"], item["doc_path"]) for item in found] == [
        ("hand", "leave.md"),
        ("logs", "notice.md"),
    ]
    done = configured("--config", "mine.toml", "sources", "list", "--json")
    sources = {item["source_id"]: item for item in map(json.loads, done.stdout.splitlines())}
    assert sources["hand"]["readers"] == ["staff"]
    assert {item["made_by"] for item in sources.values()} == {"settings"}


def test_their_ids_narrow_search_and_ask(configured: Kebab) -> None:
    for source in ("hand", "logs"):
        done = configured("search", "notice period", "--source", source, "--json")
        hits = valid("search_response", done.stdout)["hits"]
        assert {hit["source_id"] for hit in hits} == {source}
    done = configured("ask", "How long is the notice period?", "--source", "hand", "--json")
    answer = valid("answer", done.stdout)
    assert "four weeks" in answer["answer"]
    assert {item["citation"]["path"] for item in answer["citations"]} == {"leave.md"}
    done = configured("ask", "How long is the notice period?", "--source", "nowhere", "--json")
    assert done.returncode == 1
    assert valid("answer", done.stdout)["refusal_reason"] == "no_chunks"


def test_a_source_forgotten_is_read_again_while_it_is_in_the_settings(configured: Kebab) -> None:
    done = configured("--config", "mine.toml", "sources", "remove", "hand")
    assert "still in the settings" in done.stderr
    done = configured("--config", "mine.toml", "ingest", "--json")
    assert valid("ingest_report", done.stdout)["new"] == 1
