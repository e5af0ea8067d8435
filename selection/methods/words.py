"""What pages and commands say of pickers and learners: no numerics, for web servers read it."""

from __future__ import annotations

from annotation.interfaces import categorical

PICKER_WORDS = {
    "random": "each item as likely as any other",
    "coverage": "what has the most attribute–value pairs that are not yet covered",
    "facility-location": "items to which all others are most similar",
    "uncertainty": "what a learner is least sure of",
    "committee": "what learners disagree on most",
    "errors": "what is like the items that a learner gets wrong",
    "similar": "what is like the items that are labelled",
    "density": "what a learner is unsure of, where there is much of it",
    "diverse-uncertainty": "first as facility-location; then what a learner is unsure of, in its "
    "variety",
}
DEFAULT = "diverse-uncertainty"
# The settings of each with their defaults; the registry makes pickers of them.
LEARNER: dict[str, int | float | str] = {"learner": "logistic"}
START: dict[str, int | float | str] = {"start": "facility-location"}
PAIRS: dict[str, int | float | str] = {"bins": 10, "step": 0.0, "missing": "pair"}  # step 0: none
PICKER_SETTINGS: dict[str, dict[str, int | float | str]] = {
    "random": {},
    "coverage": {"times": 2, "rounds": 0, "by_lot": 0, **PAIRS},
    "facility-location": {},
    "uncertainty": {**LEARNER, **START},
    "committee": {**START},
    "errors": {**LEARNER, **START},
    "similar": {**START},
    "density": {**LEARNER, **START, "density": 1.0},
    DEFAULT: {**LEARNER, "start_size": 100, "width": 16.0},
}
STARTS = ("facility-location", "coverage", "random")  # need no labels; the usual one first
NONE = "none"  # a loop without a start: its picker picks from the first round on
LEARNER_WORDS = {
    "best": "whichever does best on what is labelled, by cross-validation",
    "logistic": "logistic regression",
    "multinomial": "multinomial naive Bayes",
    "bernoulli": "Bernoulli naive Bayes",
    "crf": "conditional random field",
}
# What a loop over campaigns of an interface can have, the usual one first.
LOOP_LEARNERS = {
    "choice": ("best", "logistic", "multinomial", "bernoulli"),
    "entity": ("crf",),
}
LOOP_METRICS = {"choice": ("macro F1", "accuracy"), "entity": ("F1", "precision", "recall")}
SINGLE_ITEMS = frozenset({"committee", "errors"})  # pickers whose items have one class each


def loop_pickers(interface: str) -> tuple[str, ...]:
    """Those that a loop can have, the usual one first."""
    names = (DEFAULT, *(name for name in PICKER_WORDS if name != DEFAULT))
    one_class = categorical(interface) is not None
    return tuple(name for name in names if one_class or name not in SINGLE_ITEMS)
