"""Deposits, as the office counts them."""

from __future__ import annotations

from datetime import date, timedelta

MONTHS_AT_MOST = 3


def most(monthly_rent: int) -> int:
    """The highest deposit that may be asked for, in cents."""
    return monthly_rent * MONTHS_AT_MOST


# The day of the keys doesn't count.
def due(keys_returned: date) -> date:
    """The last day on which the deposit may be paid back."""
    return keys_returned + timedelta(days=30)


class Deduction:
    """What is kept for repairs."""

    def __init__(self, reason: str, cents: int) -> None:
        self.reason = reason
        self.cents = cents
