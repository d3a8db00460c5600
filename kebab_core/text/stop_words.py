"""English words that hold a sentence together and say nothing of what it is about."""

from __future__ import annotations

_WORDS = (
    # Articles, determiners, pronouns.
    "a an the this that these those some any each every either neither both all such same "
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his "
    "himself she her hers herself it its itself they them their theirs themselves one ones "
    "someone something anyone anything "
    # Questions and conjunctions.
    "what which who whom whose when where why how whether if then else than because while "
    "although though unless until since and or but nor so yet as "
    # Prepositions and particles.
    "of in on at by for with about against between into through during before after above below "
    "to from up down out off over under again further once here there per via "
    # Auxiliaries and the verbs of asking.
    "am is are was were be been being have has had having do does did doing can could will would "
    "shall should may might must ought tell explain please "
    "isn't aren't wasn't weren't haven't hasn't hadn't don't doesn't didn't can't cannot couldn't "
    "won't wouldn't shan't shouldn't mustn't let's i'm i've i'd i'll you're you've you'd you'll "
    "he's she's it's we're we've we'd we'll they're they've they'd they'll that's there's what's "
    "who's where's how's when's why's here's "
    # Adverbs of degree.
    "not no only own too very just also much many more most other there's"
)

ENGLISH = frozenset(_WORDS.split())
"""Case-folded, with a straight apostrophe."""
