"""Whom to keep, how much to ask and what to label next, on arrays: NumPy, SciPy and
`aggregation.algorithms` only.

from aggregation.algorithms import DawidSkene
from selection.algorithms import best_workers

found = best_workers(right, told, n_classes=2, budget=10, rng=np.random.default_rng(0))
found.chosen            # numbers of the workers, the best first
found.reason            # per worker, a number of `Reason`
DawidSkene(start="gold").fit(labels, gold=gold).predict()

pool = Pool.of([Numeric("length", lengths), Nominal("source", codes, names)])
picker = DiverseUncertainty(pool, learner=LogisticRegression())
labelled = Labelled.of_classes(items, classes, n_classes=2)
picker.pick(labelled, errors, unlabelled, budget=50).items
"""

from selection.algorithms.items.attributes import Attribute, Nominal, Numeric
from selection.algorithms.items.coverage import Covered, cover, value_of
from selection.algorithms.items.facility_location import Facilities, locate
from selection.algorithms.items.pairs import Pairs, SparsePairs, TablePairs
from selection.algorithms.items.pickers import (
    Committee,
    Coverage,
    DensityWeighted,
    DiverseUncertainty,
    ErrorDriven,
    FacilityLocation,
    Picked,
    Picker,
    Random,
    Similar,
    Uncertainty,
)
from selection.algorithms.items.pool import Labelled, Pool
from selection.algorithms.learners.classifier import Classifier, Learner, StoredLearner
from selection.algorithms.learners.cross_validation import (
    Choice,
    Scores,
    choose_learner,
    cross_validate,
    mistaken,
)
from selection.algorithms.learners.entity_tagger import Documents, DocumentTags, EntityTagger
from selection.algorithms.learners.feature_classifier import FeatureClassifier
from selection.algorithms.learners.feature_rows import (
    FeatureRows,
    PairMention,
    pair_features,
    text_features,
)
from selection.algorithms.learners.logistic_regression import LogisticRegression
from selection.algorithms.learners.naive_bayes import (
    BernoulliNaiveBayes,
    GaussianNaiveBayes,
    MultinomialNaiveBayes,
)
from selection.algorithms.tasks.redundancy import (
    Decision,
    clear_majority,
    decide,
    drawn_to_the_most,
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
    "Attribute",
    "BernoulliNaiveBayes",
    "Choice",
    "Classifier",
    "Committee",
    "Coverage",
    "Covered",
    "Decision",
    "DensityWeighted",
    "DiverseUncertainty",
    "DocumentTags",
    "Documents",
    "Empty",
    "EntityTagger",
    "ErrorDriven",
    "Facilities",
    "FacilityLocation",
    "FeatureClassifier",
    "FeatureRows",
    "GaussianNaiveBayes",
    "Graded",
    "Labelled",
    "Learner",
    "LogisticRegression",
    "MultinomialNaiveBayes",
    "Nominal",
    "Numeric",
    "PairMention",
    "Pairs",
    "Picked",
    "Picker",
    "Pool",
    "Random",
    "Reason",
    "Scores",
    "Selection",
    "Similar",
    "SparsePairs",
    "StoredLearner",
    "TablePairs",
    "Uncertainty",
    "accuracies",
    "best_set",
    "best_workers",
    "bias_corrected",
    "chance_score",
    "choose_learner",
    "clear_majority",
    "cover",
    "cross_validate",
    "crowd_interval",
    "crowd_score",
    "decide",
    "drawn_to_the_most",
    "error_bound",
    "graded_scores",
    "locate",
    "mistaken",
    "most_in_need",
    "pair_features",
    "plug_in_scores",
    "ranked_workers",
    "reached",
    "score_ranges",
    "stable_average",
    "student_interval",
    "text_features",
    "unbiased_scores",
    "value_of",
    "variances",
    "vote_weights",
    "weighted_vote",
    "wilson_interval",
]
