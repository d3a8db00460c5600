"""`settings.v1`: every setting in force and where it comes from. No secret is among them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from kebab_core.settings import catalogue
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.keys import key_variables
from kebab_core.text.clean import for_display
from kebab_core.wire.reports import SettingsReport, SettingValue

MASK = "***"

_END = re.compile(r"[/?#]")


def settings_report(
    configuration: Configuration, env: Mapping[str, str] | None = None
) -> SettingsReport:
    """The report that `kebab config show` prints.

    Beside the keys of the file: `workspace.directory`, and for each variable that a key may come
    from `environment.NAME`, with `set` or `not set`.
    """
    env = os.environ if env is None else env
    origins = configuration.origins
    values = [
        SettingValue(
            key=name,
            value=_plain(catalogue.value_of(configuration.settings, name)),
            source=origins.get(name, "default"),
        )
        for name in catalogue.known_keys()
    ]
    values.append(
        SettingValue(
            key="workspace.directory",
            value=for_display(str(configuration.workspace.directory)),
            source=origins.get("workspace.directory", "default"),
        )
    )
    values += [
        SettingValue(
            key=f"environment.{variable}",
            value="set" if env.get(variable) else "not set",
            source="environment",
        )
        for variable in key_variables(configuration)
    ]
    return SettingsReport(
        files=[for_display(str(file)) for file in configuration.files],
        ignored=list(configuration.ignored),
        values=values,
    )


def masked(text: str) -> str:
    """`text` with the user, password and query of an address hidden.

    Where it can't be told where a password ends (`user:pa/ss@host`), all of it is.

    >>> masked("https://me:secret@host/v1?token=abc")
    'https://***@host/v1?***'
    """
    scheme, separator, rest = text.partition("://")
    if not separator:
        return text
    authority = _END.split(rest, maxsplit=1)[0]
    tail = rest[len(authority) :]
    if ":" in authority and "@" in tail:
        return f"{scheme}://{MASK}"
    _, at, host = authority.rpartition("@")
    path, mark, _ = tail.partition("?")
    shown = f"{MASK}@{host}" if at else host
    return f"{scheme}://{shown}{path}" + (f"?{MASK}" if mark else "")


def _plain(value: Any) -> Any:
    """`value` as JSON takes it, texts masked and made safe to show."""
    if isinstance(value, str):
        return for_display(masked(value))
    if isinstance(value, BaseModel):
        return _plain(value.model_dump(mode="json", by_alias=True))
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {for_display(key): _plain(one) for key, one in value.items()}
    return value
