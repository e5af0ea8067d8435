"""What every aggregator has beside `fit`: scikit-learn's conventions, without scikit-learn.

Settings are keyword arguments of the constructor and attributes of the same names; what a fit
learns are attributes whose names end in `_`.
"""

from __future__ import annotations

import inspect
from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.categorical.evidence import UnitEvidence
from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.frames import FrameNames, is_frame, labels_of_frame


class Estimator:
    """Base of all aggregators: their settings by name, and a `repr` that shows them."""

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        """Each setting's default, in the order of the constructor."""
        parameters = inspect.signature(cls).parameters.values()
        return {parameter.name: parameter.default for parameter in parameters}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings by name. `deep` is there for scikit-learn's sake: none holds others."""
        return {name: getattr(self, name) for name in self._defaults()}

    def set_params(self, **settings: Any) -> Self:
        """Change settings; what was learnt stays until the next fit.

        Raises ValueError for a setting that there is not, or a value that the constructor refuses.
        """
        known = self._defaults()
        for name in settings:
            if name not in known:
                raise ValueError(
                    f"{type(self).__name__} has no setting '{name}'; it has "
                    f"{', '.join(known) or 'none'}"
                )
        vars(self).update(vars(type(self)(**(self.get_params() | settings))))
        return self

    def __repr__(self) -> str:
        """The class with the settings that differ from their defaults."""
        defaults = self._defaults()
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if not np.array_equal(value, defaults[name])
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


class SequenceEstimator(Estimator):
    """Base of the aggregators that choose the tags of a sequence together."""

    posterior_: NDArray[np.float64]
    _path: NDArray[np.int64]

    def predict(self) -> NDArray[np.int64]:
        """The most probable tags of each sequence as a whole (Viterbi), shape (n_tokens,)."""
        return self._path.copy()

    def marginal_predict(self) -> NDArray[np.int64]:
        """The most probable tag of each token for itself, shape (n_tokens,); of equals the lowest.

        They need not fit together: an I-x can follow an O.
        """
        return np.asarray(self.posterior_.argmax(axis=1), dtype=np.int64)


class CategoricalEstimator(Estimator):
    """Base of the aggregators of single units.

    `fit` also takes a `pandas.DataFrame` with the columns worker, task and label. Then `tasks_`,
    `workers_` and `classes_` hold the names that units, workers and classes have by number.
    """

    posterior_: NDArray[np.float64]
    tasks_: NDArray[Any]
    workers_: NDArray[Any]
    classes_: NDArray[Any]
    weighs = False  # whether labels may count as less or more than one

    @abstractmethod
    def fit(self, labels: Any, /) -> Self:
        """Estimate everything from `labels`."""

    def predict(self) -> NDArray[np.int64]:
        """Most probable class of each unit, shape (n_units,); of equals the lowest."""
        return np.asarray(self.posterior_.argmax(axis=1), dtype=np.int64)

    def evidence(self, labels: CrowdLabels) -> UnitEvidence:
        """What `labels`, those of the fit, say of each unit before anything is tempered
        (`categorical.evidence`). Of a vote: ln of (votes + 1) / (all votes + classes)."""
        votes = labels.weighted_votes()
        given = np.bincount(labels.unit, minlength=labels.n_units)
        return UnitEvidence(np.log(votes + 1.0), given, None)

    def fit_predict(self, labels: Any, **options: Any) -> Any:
        """`fit`, then the class of each unit, shape (n_units,). Of a data frame: a Series of
        labels, `agg_label`, with the tasks as its index (crowd-kit's convention)."""
        predicted = self.fit(labels, **options).predict()
        if not is_frame(labels):
            return predicted
        series = type(labels["label"])
        return series(self.classes_[predicted], index=self.tasks_, name="agg_label")

    def _read(self, labels: Any) -> Any:
        """`labels`, or those of a data frame, whose names are kept; names of an earlier fit go.

        Raises ValueError for labels with weights, where the method knows of none.
        """
        if not self.weighs and getattr(labels, "weight", None) is not None:
            raise ValueError(
                f"{type(self).__name__} takes each label as one: it can't weigh repeated judgments"
            )
        for name in FrameNames._fields:
            vars(self).pop(f"{name}_", None)
        if not is_frame(labels):
            return labels
        read, names = labels_of_frame(labels)
        for name, values in names._asdict().items():
            setattr(self, f"{name}_", values)
        return read
