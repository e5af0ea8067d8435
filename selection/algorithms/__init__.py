"""Whom to keep and how much to ask, on arrays: NumPy, SciPy and `aggregation.algorithms` only.

from aggregation.algorithms import DawidSkene
from selection.algorithms import best_workers

found = best_workers(right, told, n_classes=2, budget=10, rng=np.random.default_rng(0))
found.chosen            # numbers of the workers, the best first
found.reason            # per worker, a number of `Reason`
DawidSkene(start="gold").fit(labels, gold=gold).predict()
"""

from selection.algorithms.tasks.certainty import (
    Expected,
    expected_choices,
    expected_pairs,
    expected_spans,
    least_of_parts,
)
from selection.algorithms.tasks.redundancy import (
    Decision,
    clear_majority,
    decide,
    most_in_need,
    reached,
    stable_average,
)
from selection.algorithms.workers.best_set import (
    Empty,
    Reason,
    Selection,
    best_set,
    best_workers,
    ranked_workers,
)
from selection.algorithms.workers.graded import Graded, chance_score, graded_scores
from selection.algorithms.workers.intervals import student_interval, wilson_interval
from selection.algorithms.workers.scores import (
    accuracies,
    bias_corrected,
    crowd_interval,
    crowd_score,
    error_bound,
    plug_in_scores,
    score_ranges,
    unbiased_scores,
    variances,
)
from selection.algorithms.workers.votes import vote_weights, weighted_vote

__all__ = [
    "Decision",
    "Empty",
    "Expected",
    "Graded",
    "Reason",
    "Selection",
    "accuracies",
    "best_set",
    "best_workers",
    "bias_corrected",
    "chance_score",
    "clear_majority",
    "crowd_interval",
    "crowd_score",
    "decide",
    "error_bound",
    "expected_choices",
    "expected_pairs",
    "expected_spans",
    "graded_scores",
    "least_of_parts",
    "most_in_need",
    "plug_in_scores",
    "ranked_workers",
    "reached",
    "score_ranges",
    "stable_average",
    "student_interval",
    "unbiased_scores",
    "variances",
    "vote_weights",
    "weighted_vote",
    "wilson_interval",
]
