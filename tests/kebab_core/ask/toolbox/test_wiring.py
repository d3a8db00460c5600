"""The tools as a whole knowledge base gives them to a run."""

from __future__ import annotations

from pathlib import Path

from kebab_core.knowledge_base import KnowledgeBase
from kebab_core.testing.model import Call, Say, ScriptedModel
from kebab_core.testing.script import Turn
from kebab_core.types import AskOptions, Filters, Scope
from tests.support.asking import configured
from tests.support.corpus import filled, stored
from tests.support.researching import BACKUP, LEAVE, QUESTION


def test_a_knowledge_base_offers_its_tools(tmp_path: Path) -> None:
    turns: list[Turn] = [
        [Call("list_documents", "{}"), Call("open_document", {"path": "ops/backup.md"})],
        [Say("At two [2].")],
    ]
    with ScriptedModel(turns) as model:
        configuration = configured(
            tmp_path, model, {"ask.score_gate": 1.0, "ask.k": 1, "search.mode": "lexical"}
        )
        with KnowledgeBase.open(configuration) as base:
            base.store.create(None, 8)
            base.store.replace([stored("hr/leave.md", LEAVE), stored("ops/backup.md", BACKUP)])
            answer = base.ask(QUESTION, AskOptions()).result(10)
        assert "fetch_page" not in model.requests[0].tools
        assert "- notes/hr/leave.md" in model.requests[1].text
    (cited,) = answer.citations
    assert cited.citation.path == "ops/backup.md"
    assert cited.quote == BACKUP[0]


def test_documents_within_filters_and_scope(tmp_path: Path) -> None:
    store = filled(tmp_path, [stored("a.md", LEAVE), stored("b.py", BACKUP, media="code")])
    assert {item.doc_path for item in store.documents_within()} == {"a.md", "b.py"}
    assert [item.doc_path for item in store.documents_within(Filters(media=("code",)))] == ["b.py"]
    assert store.documents_within(scope=Scope(frozenset({"someone"}))) == []


def test_a_pinned_passage_that_no_search_found(tmp_path: Path) -> None:
    with ScriptedModel([[Say("At two [1].")]]) as model:
        configuration = configured(tmp_path, model, {"ask.k": 1, "search.mode": "lexical"})
        with KnowledgeBase.open(configuration) as base:
            base.store.create(None, 8)
            base.store.replace([stored("hr/leave.md", LEAVE), stored("ops/backup.md", BACKUP)])
            doc_id = stored("ops/backup.md", BACKUP).document.doc_id
            pinned = base.store.chunks_of(doc_id)[0]
            answer = base.ask(QUESTION, AskOptions(pinned=(pinned.chunk_id, "gone"))).result(10)
            hidden = Scope(frozenset({"someone"}))
            assert base.store.chunks([pinned.chunk_id], hidden) == []
    assert answer.citations[0].citation.path == "ops/backup.md"
    assert answer.caveats == ["1 pinned passage is not in the corpus any more."]
