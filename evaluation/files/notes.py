"""Sentences beside the scores: why one is not estimable, and what a reader has to know."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evaluation.algorithms.intervals import precision_interval
from evaluation.algorithms.precision import PoissonPrecision
from evaluation.algorithms.predictions import Floats, Whole
from evaluation.files.exhaustive import Exhaustive
from evaluation.files.labels import Labels
from evaluation.files.pool import Pool
from evaluation.formats.matching import EXACT, RULES

UNPLANNED = 4.0  # standard deviations below 1 of what the sample stands for
NO_EXHAUSTIVE = "no documents annotated in full are known"
NO_CORRECT = "no judged claim of the pool is correct"
NO_FILLS = (
    "how many true fills an entity has in the whole corpus is not known from a sample of documents"
)
NOT_PLANNED = "part of its output had no chance to be judged: plan again with it"
NO_CLAIMS = "the system has no valid claim"
NO_JUDGED = "none of its claims was judged"
ALL_WRONG = "none of its judged claims is correct"
NO_RIGHT = "none of its {seen} judged claims is correct: at most {high:.3f}, {level:.0%} sure"
ONE_LOOK = (
    " Intervals hold for one look: whoever looks more often, and stops when they like what they "
    "see, has to say how often beforehand, and gets wider ones (--looks of evaluate_file)."
)
FEW_RELATIONS = "no relation occurs in two of the documents that were annotated in full"


def reasons_of(
    precision: PoissonPrecision,
    sizes: Whole,
    judged: Whole,
    all_wrong: NDArray[np.bool_],
    level: float,
) -> list[str]:
    """Why a system's precision is not estimable; empty where it is.

    The weights of a system's sample add up to 1 by expectation. Where they fall far short, some
    of its claims had no chance to be drawn.
    """
    spread = np.sqrt(precision.weight.power(2) @ (1 - precision.sample.inclusion))
    short = precision.total + UNPLANNED * spread < 0.98
    _, high = precision_interval(precision.estimates, level, precision.noise)
    reasons = []
    for i, (n, seen, missing) in enumerate(zip(sizes, judged, short, strict=True)):
        wrong = NO_RIGHT.format(seen=seen, high=high[i], level=level) if all_wrong[i] else ""
        reasons.append(
            NO_CLAIMS if not n else NO_JUDGED if not seen else NOT_PLANNED if missing else wrong
        )
    return reasons


def notes_of(
    pool: Pool, labels: Labels, inside: np.ndarray, known: np.ndarray, rate: float,
    exhaustive: Exhaustive | None, correct: Floats, looks: int,
) -> list[str]:  # fmt: skip
    notes = []
    if pool.matching is not None and pool.matching.rule != EXACT:
        notes.append(f"Two mentions are one where they have {RULES[pool.matching.rule]}.")
    if rate < 1:
        notes.append(
            f"{int((inside & ~known).sum()):,} of {int(inside.sum()):,} planned claims are not "
            "judged. The others are taken as drawn from them by chance, which holds where the plan "
            "was worked through in its order." + (ONE_LOOK if looks == 1 else "")
        )
    if looks > 1:
        notes.append(
            f"The intervals of {looks} looks, of which this is one, hold together; those of a "
            "single look would be narrower."
        )
    if outside := int((~inside).sum()):
        notes.append(f"{outside:,} claims of {labels.name} are in no submission and were left out.")
    soft = int(((correct > 0) & (correct < 1)).sum())
    if soft:
        notes.append(
            f"{soft:,} of the judged claims are right with a probability, as people err; the "
            "intervals are wider for it."
        )
    if exhaustive is not None and exhaustive.documents.n_documents < 20:
        notes.append(
            f"Recall rests on {exhaustive.documents.n_documents} documents annotated in full; with "
            "fewer than 20 its intervals may be too narrow."
        )
    if exhaustive is not None and exhaustive.expansion.n_documents:
        notes.append(
            f"{exhaustive.expansion.n_documents} documents of the expansion are not part of any "
            "estimate: with which probability they were chosen can't be known."
        )
    return notes
