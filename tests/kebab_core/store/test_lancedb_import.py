"""LanceDB comes without its REST client, which still comes when it is asked for."""

from __future__ import annotations

import subprocess
import sys


def shown(code: str) -> str:
    program = "from kebab_core.store.lancedb_import import import_lancedb\n" + code
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_rest_client_is_not_loaded() -> None:
    code = (
        "import_lancedb(); import sys;"
        "print([m for m in sys.modules if m.startswith('lance_namespace_urllib3_client.api.')])"
    )
    assert shown(code) == "[]"


def test_what_the_rest_client_holds_is_there_when_asked_for() -> None:
    code = (
        "import_lancedb(); import lance_namespace_urllib3_client as client;"
        "print(client.ApiClient.__name__, client.CreateTableRequest.__name__);"
        "print(hasattr(client, 'no_such_name'))"
    )
    assert shown(code).split() == ["ApiClient", "CreateTableRequest", "False"]


def test_an_import_from_elsewhere_first_is_left_alone() -> None:
    code = "import lancedb; print(import_lancedb() is lancedb)"
    assert shown(code) == "True"


def test_the_servers_address_still_opens() -> None:
    code = (
        "db = import_lancedb().connect('db://some', api_key='sk-none', region='local');"
        "print(type(db).__name__)"
    )
    assert shown(code) == "RemoteDBConnection"
