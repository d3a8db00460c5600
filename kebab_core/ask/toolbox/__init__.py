"""The tools of a run: searching and reading the corpus further, and the web where it is on."""

from kebab_core.ask.toolbox.box import Box
from kebab_core.ask.toolbox.stored import Corpus, StoredCorpus

__all__ = ["Box", "Corpus", "StoredCorpus"]
