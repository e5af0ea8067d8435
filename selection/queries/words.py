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


def selection_in_words(outcome: Mapping[str, Any]) -> str:
    """What `select_workers --json` prints, in a few sentences."""
    would = outcome["is_dry"]
    sentences = [
        f"{outcome['kept']:,} of {outcome['tested']:,} tested workers "
        f"{'would be' if would else 'are'} kept."
    ]
    for state, number in sorted(outcome["moved"].items()):
        verb = "would be" if would else "is" if number == 1 else "are"
        sentences.append(f"{number:,} {verb} {state}{'' if would else ' now'}.")
    if not outcome["moved"]:
        sentences.append(f"Nobody {'would change' if would else 'changes'} their state.")
    return " ".join(sentences)


# By the kind of content: what the worker's answers do, and the verb for those of the others.
SAME = {
    "class": ("are “{name}”", "are"),
    "value": ("are {name}", "are"),
    "nothing": ("mark nothing", "do"),
    "everything": ("mark the whole text as {name}", "do"),
    "pile": ("put all mentions into one pile", "do"),
    "alone": ("leave each mention alone", "do"),
    "pattern": ("are the same, by their place in the task", "are"),
}


def flag_in_words(kind: str, evidence: Mapping[str, Any]) -> str:
    """The evidence in one sentence or two; "" where none is kept."""
    share, usual, number = (evidence.get(name) for name in ("share", "usual", "number"))
    if share is None or number is None:
        return ""
    times = f"{evidence.get('times', round(share * number)):,} of {number:,} answers"
    if kind == "fast":
        return (
            f"{times} took less than a quarter of the time that is usual for texts of that "
            "length, and of what others took for the same tasks."
        )
    if usual is None:
        return ""
    if kind == "same":
        content = evidence.get("content", {"kind": "pattern"})
        mine, theirs = SAME[content["kind"]]
        said = mine.format(name=content.get("name", ""))
        return (
            f"{times} {said}. Of {evidence.get('others', 0):,} answers to the same tasks by "
            f"others, who agree with each other, {usual:.0%} {theirs}."
        )
    return (
        f"Agreement with the others, beyond chance, is {share:.2f} over {number:,} answers; theirs "
        f"with each other is {usual:.2f}. 0 is chance, 1 is always."
    )


def gold_in_words(number: int, mean: float | None, expected: float | None) -> str:
    """Why a gold question is suspicious."""
    if mean is None or expected is None:
        return ""
    return (
        f"{number:,} worker{'' if number == 1 else 's'} scored {mean:.2f} here, and the same "
        f"workers {expected:.2f} on the other questions."
    )
