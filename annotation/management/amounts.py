"""Amounts of money as commands take them."""

from __future__ import annotations

import math

from django.core.management.base import CommandError


def mills(amount: float | None, option: str) -> int | None:
    """Thousandths of the currency's unit; refuses what can't be paid exactly."""
    if amount is None:
        return None
    exact = amount * 1000
    if not math.isfinite(amount) or amount < 0 or abs(exact - round(exact)) > 1e-6:
        raise CommandError(
            f"{option} is {amount}. Give an amount of 0 or more, to a thousandth of a unit."
        )
    return round(exact)
