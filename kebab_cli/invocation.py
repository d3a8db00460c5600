"""What one call of `kebab` has: its global options, its output, the workspace it means."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kebab_cli.notices import say
from kebab_cli.output import Output, warn
from kebab_cli.watch import Watch

if TYPE_CHECKING:
    from kebab_core.api import Configuration, KnowledgeBase


@dataclass
class Invocation:
    """Commands get one as their first argument. Nothing is loaded until it is asked for."""

    output: Output
    watch: Watch
    config: str | None = None
    workspace: str | None = None
    data_dir: str | None = None
    overrides: dict[str, Any] = field(default_factory=dict)

    def set_globals(self, given: Mapping[str, Any]) -> None:
        """Take over global options that were given; those after the command win."""
        for name in ("config", "workspace", "data_dir"):
            if given.get(name) is not None:
                setattr(self, name, given[name])
        self.output.debug = self.output.debug or bool(given.get("debug"))
        self.output.quiet = self.output.quiet or bool(given.get("quiet"))

    @cached_property
    def configuration(self) -> Configuration:
        """The settings in force. What must be said about them is said once, here."""
        from kebab_core import api

        self._hush_libraries()
        configuration = api.load_configuration(
            config_file=Path(self.config).expanduser() if self.config else None,
            workspace=self.workspace,
            data_dir=Path(self.data_dir).expanduser() if self.data_dir else None,
            overrides=self.overrides,
        )
        for line in configuration.warnings:
            say(self.output, warn("kebab: "), line)
        return configuration

    @cached_property
    def knowledge_base(self) -> KnowledgeBase:
        from kebab_core import api

        return api.KnowledgeBase.open(self.configuration)

    def close(self) -> None:
        """Close what was opened."""
        opened = self.__dict__.get("knowledge_base")
        if opened is not None:
            opened.close()

    def _hush_libraries(self) -> None:
        """Libraries that warn or log would write between the lines of an answer."""
        import logging
        import warnings

        if self.output.debug:
            logging.basicConfig(level=logging.WARNING, stream=self.output.file(self.output.stderr))
        else:
            logging.getLogger().addHandler(logging.NullHandler())
            if not sys.warnoptions:
                warnings.simplefilter("ignore")
