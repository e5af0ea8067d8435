"""Choices: a task is one unit, and its options are the classes."""

from aggregation.interfaces.one_class import (
    WORDS,
    answers,
    default,
    further_shares,
    gold_counts,
    infer,
    load,
    save,
    score,
)

__all__ = [
    "WORDS",
    "answers",
    "default",
    "further_shares",
    "gold_counts",
    "infer",
    "load",
    "save",
    "score",
]
