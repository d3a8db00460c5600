"""One search: both channels, fused, with how sure and how fresh each hit is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kebab_core.embed.base import Embedder
from kebab_core.errors import EmbedderUnavailable, InvalidInput, NotIndexed
from kebab_core.rerank import Reranker
from kebab_core.retrieve import channels, diversity, weighing
from kebab_core.retrieve import hits as hits_of
from kebab_core.retrieve.channels import Channels
from kebab_core.retrieve.coverage import Coverage
from kebab_core.retrieve.phrases import phrases
from kebab_core.retrieve.relevance import Scale
from kebab_core.retrieve.reranking import Reranked
from kebab_core.retrieve.staleness import Staleness
from kebab_core.store import Store
from kebab_core.text.clean import for_display, for_model
from kebab_core.text.language import detect
from kebab_core.text.terms import query_terms
from kebab_core.types import Filters, SearchOptions, SearchResult

MAX_QUERY_LENGTH = 8_000
MAX_K = 1_000


def search(
    store: Store,
    embedder: Embedder | None,
    query: str,
    options: SearchOptions,
    *,
    stale_after_days: int,
    embedder_warning: str | None = None,
    reranker: Reranker | None = None,
) -> SearchResult:
    """The `options.k` best passages for `query`.

    Without an embedder, or with one that fails or can't read the query's language, a hybrid
    search is lexical: `limited`, with a warning. Raises InvalidInput for an empty or overlong
    query, NotIndexed for an empty corpus, EmbedderUnavailable if mode `vector` has no embedder.
    """
    text = _checked(query, options.k)
    mode = options.mode
    if mode == "vector" and embedder is None:
        raise _no_vectors(embedder_warning)
    warnings: list[str] = []
    reads = True
    asked = embedder if mode != "lexical" else None
    if mode == "hybrid" and embedder is None:
        warnings.append(embedder_warning or "Search is lexical only: no embedding model is loaded.")
    if asked is not None and not (reads := asked.reads(lang := detect(text))):
        warnings.append(_unread(asked.id, lang, mode == "vector"))
        asked = asked if mode == "vector" else None
    filters, found = _candidates(store, text, asked, options, warnings)
    if found.failure is not None:
        if mode == "vector":
            raise found.failure
        warnings.append(f"Search is lexical only: {found.failure.message}")
    coverage = Coverage(store, text)
    weighed = weighing.weigh(found, asked if mode == "hybrid" else None, coverage)
    if found.vector is not None and weighed.channels.vector is None and asked is not None:
        warnings.append(_unread_passages(asked.id, weighed.unread))
    found = weighed.channels
    scale = Scale(coverage, by_meaning=reads and found.vector is not None)
    fused = hits_of.ordered(found, weighed.weights)
    reranked = Reranked(text, reranker)
    ordered = reranked.ordered(diversity.distinct(fused))
    made = hits_of.Hits(store, found, fused, scale, Staleness(stale_after_days), reranked.scores)
    hits = diversity.joined(made.of(ordered), options.k)
    if reranked.warning is not None:
        warnings.append(reranked.warning)
    if not hits and store.counts()[1] == 0:
        raise NotIndexed(
            "The corpus has no passages yet.", "Add your documents with `kebab ingest PATH`."
        )
    ran = found.ran()
    notes = (*(f"quotes: {phrase}" for phrase in filters.phrases), *weighed.notes)
    return SearchResult(
        hits=tuple(hits),
        mode=ran,
        limited=ran != mode,
        warnings=tuple(warnings),
        revision=made.revision,
        notes=notes,
    )


def _candidates(
    store: Store,
    text: str,
    embedder: Embedder | None,
    options: SearchOptions,
    warnings: list[str],
) -> tuple[Filters, Channels]:
    """What the channels found under the filters in the end used.

    Words in quotes must be found as they stand. Where they aren't, the quotes were meant
    otherwise, or are remembered wrongly: then it is searched without, and said.
    """
    terms = None if options.mode == "vector" else query_terms(text)
    depth = max(4 * options.k, 40)

    def run(filters: Filters) -> Channels:
        return channels.run(store, text, terms, embedder, depth, filters, options.scope)

    wanted = phrases(text)
    if wanted:
        narrowed = replace(options.filters, phrases=(*options.filters.phrases, *wanted))
        found = run(narrowed)
        if found.lexical or found.vector:
            return narrowed, found
    found = run(options.filters)
    if wanted and (found.lexical or found.vector):
        shown = ", ".join(f"“{for_display(phrase)}”" for phrase in wanted)
        warnings.append(f"No passage holds {shown} as it stands; searched for its words.")
    return options.filters, found


def _checked(query: str, k: int) -> str:
    text = for_model(query).strip()
    if not text:
        raise InvalidInput("The query is empty.", "Say what to look for.")
    if len(text) > MAX_QUERY_LENGTH:
        raise InvalidInput(
            f"The query has {len(text):,} characters; at most {MAX_QUERY_LENGTH:,} are read.",
            "Ask for one thing at a time.",
        )
    if not 1 <= k <= MAX_K:
        raise InvalidInput(f"k is {k}; it must be 1 to {MAX_K}.", "Try `-k 8`.")
    return text


def _no_vectors(warning: str | None) -> EmbedderUnavailable:
    detail = f" {warning}" if warning else ""
    return EmbedderUnavailable(
        f"Vector search needs an embedding model.{detail}",
        "Run `kebab models install`, or search with `--mode lexical`.",
    )


def _unread_passages(embedding_id: str, languages: Sequence[str]) -> str:
    return (
        f"{embedding_id} was not trained on the language of the passages found "
        f"({', '.join(languages[:3])}), so search is lexical only; set a multilingual model in "
        "[embedding] and ingest again."
    )


def _unread(embedding_id: str, lang: str | None, anyway: bool) -> str:
    what = "its ranking means little" if anyway else "search is lexical only"
    return (
        f"{embedding_id} was not trained on the language of this query ({lang}), so {what}; "
        "set a multilingual model in [embedding] and ingest again."
    )
