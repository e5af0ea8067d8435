"""What the metrics are called on pages."""

from __future__ import annotations

# Name → what each score counts alike, in a few words and in a sentence.
METRICS = {
    "instance": ("By claim", "Every claim counts the same."),
    "relation": ("By relation", "Every relation counts the same, however many claims it has."),
    "entity": ("By entity", "Every entity counts the same, however many claims are about it."),
    "stratified": (
        "Entity, fill, mention",
        "Every entity counts the same, within it every fill, within that every mention.",
    ),
}


def called(names: str) -> str:
    """Of one metric, or of several that a plan serves together: "instance+entity"."""
    return " and ".join(METRICS[name][0] for name in names.split("+"))
