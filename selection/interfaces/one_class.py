"""What choices and relations share: an item has one class, told by its features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotation.interfaces.schema import UNSURE

MEASURES = ("macro F1", "accuracy")
KINDS = ("logistic", "multinomial", "bernoulli")


def classes(of_runs: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Without "unsure": who can't tell teaches nothing, and makes the rest less certain."""
    return tuple(dict.fromkeys(name for names in of_runs for name in names if name != UNSURE))


def learners(classes: tuple[str, ...]) -> dict[str, Any]:
    from selection.algorithms import FeatureClassifier

    return {kind: FeatureClassifier(classes=classes, kind=kind) for kind in KINDS}


def load(path: Any) -> Any:
    from selection.algorithms import FeatureClassifier

    return FeatureClassifier.load(path)


def targets(examples: Any, posteriors: Sequence[Any]) -> Any:
    import numpy as np

    return np.nan_to_num(np.concatenate(posteriors))


def likely(targets: Any) -> Any:
    import numpy as np

    return np.where(targets.any(axis=1), targets.argmax(axis=1), -1)


def counts(learner: Any, examples: Any, truth: Any, names: Sequence[str]) -> Any:
    from selection.algorithms.learners.scoring import class_counts

    return class_counts(learner, examples, truth, names)


def shares(sums: Any) -> Any:
    from selection.algorithms.learners.scoring import class_shares

    return class_shares(sums)
