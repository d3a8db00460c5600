"""LanceDB comes without its REST client, which still comes when it is asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def shown(code: str, before: str = "import kebab_core.store\n") -> str:
    program = before + code
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_rest_client_is_not_loaded() -> None:
    code = (
        "import lancedb, sys;"
        "print([m for m in sys.modules if m.startswith('lance_namespace_urllib3_client.api.')])"
    )
    assert shown(code) == "[]"


def test_what_the_rest_client_holds_is_there_when_asked_for() -> None:
    code = (
        "import lancedb, lance_namespace_urllib3_client as client;"
        "print(client.ApiClient.__name__, client.CreateTableRequest.__name__);"
        "print(hasattr(client, 'no_such_name'))"
    )
    assert shown(code).split() == ["ApiClient", "CreateTableRequest", "False"]


def test_an_import_from_elsewhere_first_is_left_alone() -> None:
    code = "import lancedb; import kebab_core.store; print(lancedb.__version__ != '')"
    assert shown(code, before="") == "True"


def test_the_servers_address_still_opens() -> None:
    code = (
        "import lancedb; db = lancedb.connect('db://some', api_key='sk-none', region='local');"
        "print(type(db).__name__)"
    )
    assert shown(code) == "RemoteDBConnection"


def test_rust_keeps_quiet(tmp_path: Path) -> None:
    code = (
        "import lancedb, pyarrow as pa;"
        f"lancedb.connect({str(tmp_path)!r}).create_table('t', pa.table({{'a': [1]}}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import kebab_core.store\n{code}"],
        capture_output=True,
        text=True,
        check=True,
        env={name: value for name, value in os.environ.items() if name != "LANCEDB_LOG"},
    )
    assert done.stderr == ""
