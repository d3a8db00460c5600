"""`/api/ask` and its starters."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from kebab_server.answers.asking import Asking, Delta, Ended, Piece, Sources
from kebab_server.answers.history import turns
from kebab_server.contract.bodies import (
    NewAnswer,
    PageAnswer,
    PageError,
    PageSource,
    Starter,
    StarterList,
)
from kebab_server.http.body import read
from kebab_server.http.event_stream import HEADERS, KEEP_ALIVE, follow, left
from kebab_server.http.replies import reply
from kebab_server.identity.principal import Principal
from kebab_server.refused import Refused
from kebab_server.service import Service


async def starters(service: Service, request: Request, who: Principal) -> Response:
    found = await asyncio.to_thread(service.base.starters, who.scope)
    return reply(StarterList(starters=[Starter(question=one, ref=None) for one in found]))


async def ask(service: Service, request: Request, who: Principal) -> Response:
    wanted = await read(request, NewAnswer, service.max_body)
    service.desk.refuse_while_closing()
    if wanted.history and wanted.conversation_id is not None:
        raise Refused(
            422,
            "invalid_input",
            "history and conversation_id exclude each other.",
            "Send what was said, or the conversation that remembers it.",
        )
    if "text/event-stream" in request.headers.get("accept", ""):
        return AnswerStream(service, wanted, who)
    return await _as_json(service, wanted, who, request)


@contextlib.asynccontextmanager
async def _asking(service: Service, wanted: NewAnswer, who: Principal) -> AsyncIterator[Asking]:
    """The ask, with its slot and its place in the conversation; cancelled when it is left."""
    desk, sessions = service.desk, service.sessions
    conversation = None
    forget: list[str] = []
    if wanted.conversation_id is not None:
        conversation = desk.conversation(who, wanted.conversation_id)
        desk.busy(conversation)
    try:
        service.slots.take(who.key)
    except Refused:
        if conversation is not None:
            desk.free(conversation)
        raise

    def session() -> str | None:
        if conversation is not None:
            return conversation.session(sessions)
        earlier = turns(wanted.history)
        if not earlier:
            return None
        made = sessions.create_after(earlier)
        forget.append(made)
        return made

    asking = Asking(service, wanted.question, who, session)
    desk.others.add(asking)
    try:
        yield asking
    finally:
        asking.cancel()
        if conversation is not None:
            desk.free(conversation)
        settling = asyncio.create_task(_settle(service, asking, who, forget))
        desk.settling.add(settling)
        settling.add_done_callback(desk.settling.discard)


async def _settle(service: Service, asking: Asking, who: Principal, forget: list[str]) -> None:
    """Give the slot back once the run's thread is done, and forget what was told of before."""
    await asking.finished()
    service.slots.give_back(who.key)
    service.desk.others.discard(asking)
    for session_id in forget:
        await asyncio.to_thread(service.sessions.delete, session_id)


async def _as_json(
    service: Service, wanted: NewAnswer, who: Principal, request: Request
) -> Response:
    sources: list[PageSource] = []
    async with _asking(service, wanted, who) as asking:
        leaving = asyncio.create_task(left(request.receive))
        leaving.add_done_callback(lambda _: asking.cancel())
        try:
            while not isinstance(piece := await asking.next_piece(), Ended):
                if isinstance(piece, Sources):
                    sources = piece.sources
        finally:
            leaving.cancel()
            await asyncio.gather(leaving, return_exceptions=True)
    _log(service, who, piece)
    if isinstance(piece.result, PageError):
        return reply(piece.result, 503)
    return reply(PageAnswer(sources=sources, **dict(piece.result)))


class AnswerStream(Response):
    """The answer as server-sent events. The client hanging up cancels the run."""

    def __init__(self, service: Service, wanted: NewAnswer, who: Principal) -> None:
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._service = service
        self._wanted = wanted
        self._who = who

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # What refuses the ask does so before the status goes out.
        async with _asking(self._service, self._wanted, self._who) as asking:
            start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
            await send(start)
            await follow(self._tell(asking, send), left(receive))

    async def _tell(self, asking: Asking, send: Send) -> None:
        piece: Piece | None = None
        while not isinstance(piece, Ended):
            piece = await asking.next_piece(self._service.keep_alive_s)
            body = KEEP_ALIVE if piece is None else _frame(piece)
            await send({"type": "http.response.body", "body": body, "more_body": True})
        _log(self._service, self._who, piece)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _frame(piece: Piece) -> bytes:
    match piece:
        case Sources(found):
            items = ",".join(source.model_dump_json() for source in found)
            name, data = "sources", f'{{"sources":[{items}]}}'
        case Delta(text):
            name, data = "delta", json.dumps({"text": text}, ensure_ascii=False)
        case Ended(result):
            name = "error" if isinstance(result, PageError) else "done"
            data = result.model_dump_json()
    return f"event: {name}\ndata: {data}\n\n".encode("utf-8", "replace")


def _log(service: Service, who: Principal, ended: Ended) -> None:
    answer, failure = ended.answer, ended.failure
    is_error = isinstance(ended.result, PageError)
    outcome = "error" if is_error else "abstention" if answer and answer.not_found else "answer"
    service.audit.write(
        "ask_agent_answer" if ended.tool_calls else "ask_answer",
        level=logging.WARNING if failure is not None else logging.INFO,
        principal=who.name,
        verdict=outcome,
        failure=None if failure is None else failure.code,
        sources=[] if isinstance(ended.result, PageError) else [c.ref for c in ended.result.cited],
        model=None if answer is None else answer.model.id,
        ms=None if answer is None else answer.usage.latency_ms,
    )
