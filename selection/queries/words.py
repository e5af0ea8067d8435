"""What selection, the guards and the check of gold say, in words for a manager. No numerics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# By the names of `selection.algorithms.Reason`, which is not imported for them; a test holds them.
REASONS = {
    "chosen": "kept",
    "untested": "not tested yet: fewer than two gold answers",
    "barred": "left out: a person has decided",
    "below_chance": "no better than guessing",
    "worthless": "can't be told from guessing",
    "over_budget": "good, but enough others are better",
    "surplus": "within K, but the group is better without",
}
ESTIMATORS = {"unbiased": "unbiased", "plug-in": "plug-in"}


def reason_in_words(name: str) -> str:
    return REASONS.get(name, name.replace("_", " "))


def flag_in_words(kind: str, evidence: Mapping[str, Any]) -> str:
    """The evidence in one sentence; "" where none is kept."""
    share, usual, number = (evidence.get(name) for name in ("share", "usual", "number"))
    if share is None or number is None:
        return ""
    if kind == "fast":
        return (
            f"{share:.0%} of {number:,} answers took less than a quarter of the usual time for "
            "texts of that length."
        )
    if kind == "same":
        others = "" if usual is None else f"; others give it in {usual:.0%}"
        return f"{share:.0%} of {number:,} answers are the same{others}."
    return (
        f"Agreement with the others, beyond chance, is {share:.2f} over {number:,} judgments; 0 is "
        "chance, 1 is always."
    )


def gold_in_words(number: int, mean: float | None, expected: float | None) -> str:
    """Why a gold question is suspicious."""
    if mean is None or expected is None:
        return ""
    return (
        f"{number:,} worker{'' if number == 1 else 's'} scored {mean:.2f} here, and the same "
        f"workers {expected:.2f} on the other questions."
    )
