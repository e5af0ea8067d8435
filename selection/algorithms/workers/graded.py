"""Graded gold scores (of spans, of clusters), made comparable with accuracies.

They have no chance level 1 / L. Put into q as they are, with L = 2, a worker with F1 .10 would be
taken for one who is reliably wrong, and outrank one with .45.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.settings import check_from_to
from selection.algorithms.workers.scores import FEWEST, bias_corrected

Floats = NDArray[np.float64]
CLASSES = 2  # of the accuracies that graded scores are mapped to
FULL = 1.0 - 1e-9  # a chance score at which nothing can be told from chance


def chance_score(
    question: ArrayLike,
    score: Callable[[int, int], float | None],
    rng: np.random.Generator,
    *,
    most: int = 2_000,
) -> float:
    """What an answer scores on average against the gold of another question than its own; 0 where
    there are no two questions.

    Parameters
    ----------
    question : integer array of shape (n_answers,)
        Which gold question each answer is to.
    score : function of (answer, question)
        The score of that answer against the gold of that question, or None where they can't be
        compared.
    most : int
        How often `score` is called at most: of more pairs so many are drawn.
    """
    asked = np.asarray(question, dtype=np.int64)
    questions = np.unique(asked)
    n_pairs = len(asked) * (len(questions) - 1)
    if n_pairs <= 0:
        return 0.0
    numbers = np.arange(n_pairs) if n_pairs <= most else rng.choice(n_pairs, most, replace=False)
    answer, other = np.divmod(numbers, len(questions) - 1)
    own = np.searchsorted(questions, asked[answer])
    other += other >= own  # so that none is its own
    pairs = zip(answer.tolist(), questions[other].tolist(), strict=True)
    found = [x for x in (score(i, g) for i, g in pairs) if x is not None]
    return float(np.mean(found)) if found else 0.0


@dataclass(frozen=True, slots=True)
class Graded:
    """Graded scores per worker as accuracies between two classes; each of shape (n_workers,).

    Attributes
    ----------
    accuracy : (1 + x') / 2: .5 at chance and below, 1 for full marks; NaN without scores.
    variance : of that, estimated; NaN for fewer than two scores.
    score : q (8) with L = 2; NaN for fewer than two scores.
    plug_in : the same without the variance (9).
    score_range : R for `crowd_interval`.
    """

    accuracy: Floats
    variance: Floats
    score: Floats
    plug_in: Floats
    score_range: Floats


def graded_scores(
    mean: ArrayLike, variance: ArrayLike, number: ArrayLike, *, chance: float
) -> Graded:
    """From the mean, the variance (with n - 1) and the number of each worker's scores, 0 to 1.

    x' = (x - chance) / (1 - chance) is 0 at chance and 1 at best; what is below counts as 0, since
    a worker who is worse than chance at marking spans tells nothing by it. The order of workers
    with equal doubt is that of their means.

    q is unbiased for x'^2 of workers well above chance; close to it the cut makes it too high. R
    is the widest that q can vary, since scores from 0 to 1 have a variance of n / (4 (n - 1)) at
    most.
    """
    check_from_to(0, 1, chance=chance)
    m, n = np.asarray(mean, dtype=np.float64), np.asarray(number, dtype=np.float64)
    v = np.asarray(variance, dtype=np.float64)
    if not m.shape == v.shape == n.shape:
        raise ValueError(
            f"mean, variance and number have the shapes {m.shape}, {v.shape}, {n.shape}"
        )
    if chance >= FULL:  # each answer scores full marks against each gold
        above, stretch = np.zeros(len(m)), 1.0
    else:
        stretch = 1.0 / (1.0 - chance)
        above = np.clip((m - chance) * stretch, 0.0, 1.0)
    some, several = n > 0, n >= FEWEST
    accuracy = np.where(some, (1.0 + above) / 2.0, np.nan)
    spread = np.divide(v, 4 * n, out=np.full(len(n), np.nan), where=several) * stretch**2
    narrow = np.divide(stretch**2, 4 * (n - 1), out=np.full(len(n), np.nan), where=several)
    return Graded(
        accuracy=accuracy,
        variance=spread,
        score=bias_corrected(accuracy, spread, CLASSES),
        plug_in=np.where(several, (CLASSES * accuracy - 1.0) ** 2, np.nan),
        score_range=1.0 + narrow,
    )
