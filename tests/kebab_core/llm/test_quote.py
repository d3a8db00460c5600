"""The answerer without a model: the right sentences, in their own words, or `NOTFOUND` alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from kebab_core.llm.base import ChatModel, ChatRequest, Finish, TextDelta
from kebab_core.llm.quotable import quotables
from kebab_core.llm.quote import MOST_ITEMS, NOT_FOUND, QuoteModel
from kebab_core.llm.quote_ranking import MOST_EMBEDDED, MOST_PIECES
from kebab_core.testing import HashEmbedder
from kebab_core.types import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Passage = Callable[..., Any]
Fixture = Callable[..., Any]

HANDBOOK = """# Handbook

## Annual leave

Every employee has 25 days of paid leave a year. Unused days lapse on 31 March.

## Sick leave

Tell your manager before 10:00 on the first day. A doctor's note is needed from the fourth day on.

## Expenses

Receipts are filed within 30 days. Claims up to 500 EUR are approved by the team lead.

| Trip | Daily allowance |
|---|---|
| Domestic | 28 EUR |
| Abroad | 45 EUR |
"""
SERVER = """# Running the server

Install the server like this:

```sh
pip install acme-server
```

The server reads these keys:

- `port`: the port it listens on
- `workers`: how many processes

It stops on SIGTERM.

## How do I reset the admin password?

Stop it first. Then run `acme passwd`.
"""


@pytest.fixture
def passages(passage: Passage) -> list[Any]:
    return [
        passage(HANDBOOK, n=1, doc="handbook", heading_path=("Handbook",)),
        passage(SERVER, n=2, doc="server", heading_path=("Running the server",)),
    ]


@pytest.fixture(params=["words", "meaning"])
def model(request: pytest.FixtureRequest) -> QuoteModel:
    if request.param == "words":
        return QuoteModel()
    embedder = HashEmbedder()
    return QuoteModel(
        embed_query=embedder.embed_query,
        embed_passages=embedder.embed_passages,
        reads=embedder.reads,
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "When is a doctor's note needed?",
            "A doctor's note is needed from the fourth day on. [1]",
        ),
        (
            "Who approves claims up to 500 EUR?",
            "Claims up to 500 EUR are approved by the team lead. [1]",
        ),
        ("What is the daily allowance abroad?", "Trip: Abroad; Daily allowance: 45 EUR [1]"),
        (
            "How to install the server?",
            "Install the server like this: [2]\n\n```sh\npip install acme-server\n```\n[2]",
        ),
        (
            "Which keys does the server read?",
            """The server reads these keys: [2]

- `port`: the port it listens on [2]
- `workers`: how many processes [2]""",
        ),
        ("how to reset the admin password", "Stop it first. [2] Then run `acme passwd`. [2]"),
        ("Who is the chief executive?", NOT_FOUND),
        ("What is the capital of France?", NOT_FOUND),
        ("???", NOT_FOUND),
        ("", NOT_FOUND),
    ],
)
def test_it_answers_in_the_passages_own_words(
    question: str, answer: str, model: QuoteModel, passages: list[Any]
) -> None:
    said = model.answer(question, passages)
    assert answer in said if answer != NOT_FOUND else said == NOT_FOUND


def test_every_word_is_a_passage_s_own(model: QuoteModel, passages: list[Any]) -> None:
    own = {piece.text for piece in quotables(passages)}
    said = model.answer("When do unused days of paid leave lapse?", passages)
    assert said != NOT_FOUND
    pieces = re.split(r" \[\d+\]\s*(?:- )?", said)
    assert [piece for piece in pieces if piece] != []
    assert all(piece in own for piece in pieces if piece)


def test_sentences_stand_in_reading_order_with_the_number_of_their_passage(
    model: QuoteModel, passage: Passage
) -> None:
    second = passage("The backup runs every night.", n=7, doc="a", start=500)
    first = passage("The backup runs on the old machine.", n=9, doc="a", start=0)
    said = model.answer("Where and when does the backup run?", [second, first])
    assert said == "The backup runs on the old machine. [9] The backup runs every night. [7]"


def test_the_same_thing_is_said_once(model: QuoteModel, passage: Passage) -> None:
    hits = [
        passage("The backup runs every night.", n=1, doc="a"),
        passage("The backup runs every night!", n=2, doc="b"),
    ]
    assert model.answer("When does the backup run?", hits) == "The backup runs every night. [1]"


def test_an_answer_is_short(model: QuoteModel, passage: Passage) -> None:
    text = " ".join(f"The backup of machine {name} runs at night." for name in "abcdefghij")
    said = model.answer("When does the backup run?", [passage(text)])
    assert 1 <= said.count("[1]") <= MOST_PIECES
    listing = "The backup takes:\n\n" + "\n".join(f"- folder {i} of it" for i in range(30))
    said = model.answer("What does the backup take?", [passage(listing)])
    assert said.count("[1]") <= MOST_PIECES + MOST_ITEMS


def test_numbers_of_the_passage_s_own_never_look_like_citations(
    model: QuoteModel, passage: Passage
) -> None:
    said = model.answer(
        "When does the backup run?", [passage("The backup runs at night [2][3, 4].")]
    )
    assert said == "The backup runs at night. [1]"


def test_code_keeps_its_fence_whatever_it_holds(model: QuoteModel, passage: Passage) -> None:
    source = 'def backup_at_night():\n    return "```"\n'
    said = model.answer("backup at night", [passage(source, media="code", code_lang="python")])
    assert said == f"````python\n{source.rstrip()}\n````\n[1]"


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (
            "백업은 언제 실행되나요?",
            "사무실은 서울에 있다. 백업은 매일 밤 두 시에 실행된다.",
            "백업은 매일 밤 두 시에 실행된다. [1]",
        ),
        (
            "备份什么时候运行？",
            "办公室在上海。备份每天晚上两点运行。",
            "备份每天晚上两点运行。 [1]",
        ),
        (
            "Wann läuft die Sicherung der Daten?",
            "Das Büro ist in Bonn. Die Sicherung der Daten läuft jede Nacht um zwei.",
            "Die Sicherung der Daten läuft jede Nacht um zwei. [1]",
        ),
    ],
)
def test_other_languages_are_answered_by_words(
    question: str, text: str, answer: str, passage: Passage
) -> None:
    embedder = HashEmbedder(languages=["en"])

    def never(*_: object) -> Any:
        raise AssertionError("the embedder can't read this question")

    for reads in (embedder.reads, None):
        model = QuoteModel(embed_query=never, embed_passages=never, reads=reads)
        assert model.answer(question, [passage(text)]) == answer


def test_one_batch_of_a_bounded_size_is_embedded(passage: Passage) -> None:
    embedder = HashEmbedder()
    batches: list[int] = []

    def counted(texts: Sequence[str]) -> NDArray[np.float32]:
        batches.append(len(texts))
        assert all(len(text) <= 400 for text in texts)
        return embedder.embed_passages(texts)

    model = QuoteModel(embed_query=embedder.embed_query, embed_passages=counted)
    hits = [
        passage(" ".join(f"Sentence {i} of passage {n}." for i in range(40)), n=n, doc=str(n))
        for n in range(1, 9)
    ]
    model.answer("Which sentence is in passage 3?", hits)
    assert len(batches) == 1
    assert batches[0] <= MOST_EMBEDDED + 8


def test_models_whose_cosines_are_all_high_are_spread_out(passage: Passage) -> None:
    import numpy as np

    real = HashEmbedder()

    def narrow(texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors with a large common part: unrelated texts have a cosine of 0.8."""
        own = np.sqrt(0.2) * real.embed_passages(texts)
        common = np.full((len(texts), 1), np.sqrt(0.8), dtype=np.float32)
        return np.hstack([own, common]).astype(np.float32)

    model = QuoteModel(embed_query=lambda text: narrow([text])[0], embed_passages=narrow)
    text = " ".join(f"Machine {name} is in room {name}." for name in "abcdefghijkl")
    hits = [passage(f"{text} The backup runs every night.")]
    assert model.answer("When does the backup run?", hits) == "The backup runs every night. [1]"
    assert model.answer("Who is the chief executive?", hits) == NOT_FOUND


async def test_it_streams_a_word_at_a_time(
    model: QuoteModel, passages: list[Any], hear: Fixture
) -> None:
    request = ChatRequest((), question="How to install the server?", passages=tuple(passages))
    heard = await hear(model, request)
    assert heard.text == model.answer(request.question, passages)
    words = [delta.text for delta in heard.deltas if isinstance(delta, TextDelta)]
    assert all(len(word.split()) == 1 for word in words)
    assert heard.finish == Finish("stop", usage=Usage(), model="quote")


async def test_without_passages_it_says_notfound_alone(model: QuoteModel, hear: Fixture) -> None:
    heard = await hear(model, ChatRequest((), question="When?"))
    assert heard.text == NOT_FOUND


async def test_it_is_a_chat_model_like_the_others(model: QuoteModel) -> None:
    assert isinstance(model, ChatModel)
    assert (model.id, model.provider) == ("quote", "quote")
    assert not model.can_call_tools
    assert model.context_tokens is None
    await model.warm()
    await model.aclose()


def test_the_same_question_has_the_same_answer(model: QuoteModel, passages: list[Any]) -> None:
    said = {model.answer("How many days of leave are there?", passages) for _ in range(5)}
    assert len(said) == 1
