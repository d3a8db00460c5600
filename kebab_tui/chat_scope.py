"""`@` in the prompt: completed while one types, taken out of the question when it is sent."""

from __future__ import annotations

from kebab_core.api import KebabError
from kebab_tui.asking import unexpected
from kebab_tui.completion import MOST, Completion
from kebab_tui.desk import Desk
from kebab_tui.messages import CatalogRead, Said
from kebab_tui.prompt import Prompt
from kebab_tui.scope import EVERYTHING, Catalog, Scoped, open_token
from kebab_tui.words import one_line


class ScopeHandlers(Desk):
    def read_catalog(self) -> None:
        """List the documents in the background."""
        base = self.base
        if base is None:
            return

        post = self.post_of(base)

        def read() -> None:
            try:
                post(CatalogRead(Catalog(base.documents())))
            except KebabError as failure:
                post(Said(failure.message, is_problem=True))
            except Exception as failure:  # noqa: BLE001 - told on the screen
                post(Said(unexpected(failure).message, is_problem=True))

        self.work("documents", read)

    def on_catalog_read(self, event: CatalogRead) -> None:
        self.catalog = event.catalog
        self.complete_scope()

    # --- while one types -----------------------------------------------------------------

    @property
    def completion(self) -> Completion:
        return self.query_one(Completion)

    def on_prompt_moved(self) -> None:
        self.complete_scope()

    def complete_scope(self) -> None:
        """Offer what the `@` before the cursor may be completed to."""
        typed = open_token(self.prompt.before_cursor)
        catalog = self.catalog
        if typed is None or catalog is None:
            self._close()
            return
        is_whole = catalog.has(typed)
        names = list(catalog.complete(typed, MOST))
        if is_whole and len(names) == 1:
            names = []
        # A whole name is sent by Enter; what lies in that folder waits for Down.
        titles = [catalog.title(name) for name in names]
        self.completion.show(names, titles, at=-1 if is_whole else 0)
        self.prompt.is_completing = bool(names)

    def on_prompt_completing(self, event: Prompt.Completing) -> None:
        if event.key in ("up", "down"):
            self.completion.move(-1 if event.key == "up" else 1)
        elif event.key == "escape":
            self._close()
        elif (name := self.completion.name_chosen) is not None:
            self._take(name)
        elif event.key == "enter":
            self._close()
            self.prompt.action_send()
        else:
            self.completion.move(1)

    def on_completion_taken(self, event: Completion.Taken) -> None:
        self._take(event.name)

    def _take(self, name: str) -> None:
        self.prompt.complete(name)
        self.prompt.focus()
        if not name.endswith("/"):
            self._close()

    def _close(self) -> None:
        self.completion.show([], [])
        self.prompt.is_completing = False

    # --- when it is sent -----------------------------------------------------------------

    def scoped(self, text: str) -> Scoped | None:
        """`text` as a question and its scope; None, and a word, where that can't be."""
        if self.catalog is None:
            if "@" not in text:
                return Scoped(text, EVERYTHING)
            self.say("Your documents are still being listed; send it again in a moment.")
            return None
        found = self.catalog.read(text)
        if found.unknown:
            self.say(f"There is no @{one_line(found.unknown[0])} here.", is_problem=True)
            return None
        if not found.question:
            self.say("Add a question after it.")
            return None
        return found
