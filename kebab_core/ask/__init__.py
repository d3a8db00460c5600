"""One question, from search to a kept answer: the only pipeline that every door runs."""
