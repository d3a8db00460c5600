"""The document, and the service held to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.config import SchemathesisConfig

from kebab_server.openapi import document, text
from tests.support.service import LOCAL, Issuer, Served, ask, read_events

KEPT = Path(__file__).resolve().parents[2] / "docs/wire-schema/v1/ask.openapi.json"


def schema_of(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}", "components": document()["components"]}


def test_the_kept_document_is_the_models() -> None:
    assert KEPT.read_text(encoding="utf-8") == text()


def test_it_is_served_as_it_is_kept(tmp_path: Path) -> None:
    with Served(tmp_path) as served, served.bare() as client:
        assert client.get("/openapi.json").text == text()


def test_every_event_of_a_run_is_described(tmp_path: Path) -> None:
    validator = jsonschema.Draft202012Validator(schema_of("TicketEvent"))
    with Served(tmp_path, issuer=Issuer()) as served, served.client() as client:
        for one in read_events(client, ask(client)):
            validator.validate(one.data)
            with pytest.raises(jsonschema.ValidationError):
                validator.validate({**one.data, "seq": 0})


def test_every_route_is_described(tmp_path: Path) -> None:
    from starlette.routing import Route

    with Served(tmp_path) as served:
        app: Any = served._server.config.app
        routes = [route for route in app._app.routes if isinstance(route, Route)]
    served_paths = {route.path for route in routes} - {"/", "/openapi.json"}
    assert served_paths == set(document()["paths"])


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    overrides = {"serve.requests_per_minute": 1_000_000, "serve.running_asks": 1_000}
    with Served(tmp_path_factory.mktemp("fuzz"), overrides=overrides) as running:
        yield running


schema = schemathesis.openapi.from_dict(document(), config=SchemathesisConfig())
load_all_checks()
KEPT_CHECKS: Any = CHECKS.get_by_names(
    ["not_a_server_error", "status_code_conformance", "content_type_conformance",
     "response_schema_conformance"]
)  # fmt: skip


@schema.parametrize()
@settings(
    max_examples=10,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_whatever_is_sent_the_service_keeps_its_word(
    case: schemathesis.Case[Any], fuzzed: Served
) -> None:
    headers = {"Authorization": f"Bearer {LOCAL}"}
    case.call_and_validate(base_url=fuzzed.base, headers=headers, checks=KEPT_CHECKS)
