"""Why one place had no model. The next place is tried, and the reasons are told together."""

from __future__ import annotations


class Unfetched(Exception):
    """The message completes "pip: …", in a few words."""
