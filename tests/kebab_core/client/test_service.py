"""The calls to another kebab, against a real one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kebab_core.client.address import Address
from kebab_core.client.service import RemoteService
from kebab_core.errors import InvalidInput, IOFailed, KebabError, PermissionDenied
from tests.support.service import LOCAL, QUESTION, Served
from tests.support.site import Site, page


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("remote")) as running:
        yield running


async def test_every_line_once_up_to_done(served: Served) -> None:
    async with RemoteService(Address(served.base, LOCAL)) as service:
        ticket = await service.ask({"question": QUESTION})
        lines = [line async for line in service.lines(ticket)]
        again = [line async for line in service.lines(ticket)]
    assert [line.id for line in lines] == list(range(1, len(lines) + 1))
    assert lines[-1].event == "done"
    assert again == lines


async def test_a_kebab_that_has_forgotten_the_ask(served: Served) -> None:
    async with RemoteService(Address(served.base, LOCAL)) as service:
        with pytest.raises(IOFailed, match="has forgotten this ask"):
            await anext(service.lines("of-an-earlier-process"))


async def test_what_it_refuses(served: Served) -> None:
    async with RemoteService(Address(served.base, LOCAL)) as service:
        with pytest.raises(InvalidInput, match="question"):
            await service.ask({"question": ""})
    async with RemoteService(Address(served.base, "another-token")) as service:
        with pytest.raises(PermissionDenied) as refused:
            await service.ask({"question": QUESTION})
    assert "KEBAB_TOKEN" in str(refused.value.hint)
    assert "another-token" not in refused.value.message


async def test_something_else_that_answers() -> None:
    with Site({"/v1/conversations": page(b"<h1>Welcome</h1>")}) as site:
        async with RemoteService(Address(site.base, LOCAL)) as service:
            with pytest.raises(KebabError, match="not as a kebab does"):
                await service.ask({"question": QUESTION})
