"""`settings.v1`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core.settings import catalogue
from kebab_core.settings.load import Configuration
from kebab_core.settings.report import masked, settings_report

Write = Callable[[str], Path]
Load = Callable[..., Configuration]


def test_every_key_with_its_origin(
    load_there: Load, write_own: Write, write_project: Write
) -> None:
    own = write_own("[ask]\nk = 3\n")
    file = write_project('[search]\nk = 4\n[models.ask]\nmodel = "openai:x"\n')
    env = {"KEBAB_MODEL_CHANCE": "quote"}
    report = settings_report(load_there(env=env, overrides={"search.mode": "vector"}), env)
    rows = {row.key: (row.value, row.source) for row in report.values}
    assert rows.keys() >= catalogue.known_keys().keys()
    assert rows["ask.k"] == (3, "user file")
    assert rows["search.k"] == (4, "project file")
    assert rows["models.chance.model"] == ("quote", "KEBAB_MODEL_CHANCE")
    assert rows["search.mode"] == ("vector", "flag")
    assert rows["ask.mode"] == ("auto", "default")
    assert rows["models.ask.model"] == ("", "default")
    assert str(rows["workspace.directory"][0]).endswith("workspaces/default")
    assert report.files == [str(own), str(file)]
    assert report.ignored == ["models.ask.model"]


def test_keys_are_set_or_not_set_and_never_shown(load_there: Load, write_own: Write) -> None:
    write_own(
        '[providers.openai]\napi_key_env = "WORK_KEY"\n'
        'base_url = "https://me:sk-planted@proxy.example/v1?token=sk-planted"\n'
        '[store]\nuri = "s3://key:sk-planted@bucket"\n'
    )
    env = {"WORK_KEY": "sk-planted", "ASK_API_KEY": ""}
    report = settings_report(load_there(env={}), env)
    rows = {row.key: row.value for row in report.values}
    assert rows["environment.WORK_KEY"] == "set"
    assert rows["environment.ASK_API_KEY"] == "not set"
    assert rows["environment.OPENAI_API_KEY"] == "not set"
    assert rows["providers.openai.base_url"] == "https://***@proxy.example/v1?***"
    assert "sk-planted" not in report.to_line()


def test_lists_and_tables_are_plain_json(load_there: Load, write_project: Write) -> None:
    write_project(
        '[[sources]]\nid = "docs"\npath = "d\\u001b"\n[tui.keys]\n"chat.stop" = "ctrl+x"\n'
    )
    report = settings_report(load_there(), {})
    rows = {row.key: row.value for row in report.values}
    (source,) = rows["sources"]
    assert source["id"] == "docs"
    assert "\x1b" not in source["path"]
    assert rows["tui.keys"] == {"chat.stop": "ctrl+x"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("me@example.com", "me@example.com"),
        ("http://host/a@b", "http://host/a@b"),
        ("http://host:80/a", "http://host:80/a"),
        ("https://user@host", "https://***@host"),
        ("https://a:b@c@host/x", "https://***@host/x"),
        ("https://a:pa/ss@host", "https://***"),
        ("https://host?a=b&c=d#e", "https://host?***"),
    ],
)
def test_masked(text: str, shown: str) -> None:
    assert masked(text) == shown


@given(
    secret=st.text(st.characters(codec="ascii")).map("S3CR{}ET".format),
    scheme=st.sampled_from(["https", "s3", "db"]),
)
def test_no_password_gets_through(secret: str, scheme: str) -> None:
    for address in (f"{scheme}://user:{secret}@h/p", f"{scheme}://h/p?key={secret}"):
        assert not re.search(r"S3CR|ET$", masked(address))
