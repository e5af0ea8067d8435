"""scikit-learn's conventions, on every aggregator; and labels in a data frame."""

import math

import numpy as np
import pytest

from aggregation.algorithms import (
    CRFMA,
    GLAD,
    IBCC,
    MACE,
    BSCseq,
    CorrelationClustering,
    CrowdLabels,
    DawidSkene,
    HMMCrowd,
    LinearChainCRF,
    MajorityVote,
    MVtoken,
    OneCoin,
    OpenVote,
    Touchstone,
    WeightedMajority,
)
from aggregation.algorithms.estimators import CategoricalEstimator, Estimator
from aggregation.methods.registry import METHODS

MAKERS = sorted(
    {method.make for method in METHODS.values()}
    | {CorrelationClustering, LinearChainCRF, OpenVote},
    key=lambda make: make.__name__,
)
CATEGORICAL = [make for make in MAKERS if issubclass(make, CategoricalEstimator)]


class Series:
    def __init__(self, values, *, index=None, name=None):
        self.values, self.index, self.name = list(values), index, name

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype=dtype)


class Frame:
    """As much of a `pandas.DataFrame` as is used."""

    def __init__(self, rows, columns=("worker", "task", "label")):
        self.columns = list(columns)
        self._rows = rows

    def __getitem__(self, name):
        at = self.columns.index(name)
        return Series([row[at] for row in self._rows])


ROWS = [
    (worker, task, label if worker != "dora" else "no")
    for worker in ("anna", "bert", "carl", "dora")
    for task, label in (("t3", "yes"), ("t1", "no"), ("t2", "yes"), ("t10", "yes"))
]


def test_all_methods_are_estimators():
    assert all(issubclass(make, Estimator) for make in MAKERS)
    assert {DawidSkene, OneCoin, IBCC, GLAD, MACE, MajorityVote, WeightedMajority} <= set(
        CATEGORICAL
    )
    assert {BSCseq, HMMCrowd, MVtoken, CRFMA, Touchstone} <= set(MAKERS)


@pytest.mark.parametrize("make", MAKERS)
def test_settings_are_read_and_set_by_name(make):
    method = make()
    settings = method.get_params()
    assert repr(method) == f"{make.__name__}()"
    assert make(**settings).get_params() == settings
    numbers = [name for name, value in settings.items() if type(value) is float and value > 0]
    for name in numbers[-1:]:
        assert method.set_params(**{name: settings[name] * 2}) is method
        assert method.get_params() == settings | {name: settings[name] * 2}
        assert repr(method) == f"{make.__name__}({name}={settings[name] * 2})"


def test_a_setting_that_there_is_not_is_refused_and_changes_nothing():
    method = DawidSkene(diagonal=2)
    with pytest.raises(ValueError, match="has no setting 'diagnal'; it has diagonal, off"):
        method.set_params(tol=0.5, diagnal=3)
    with pytest.raises(ValueError, match="max_iter must be at least 1, but is 0"):
        method.set_params(tol=0.5, max_iter=0)
    assert repr(method) == "DawidSkene(diagonal=2)"


def test_a_setting_that_is_an_array_shows_too():
    assert repr(CRFMA(alpha=np.array([1.0, 2.0]))) == "CRFMA(alpha=array([1., 2.]))"


def test_what_was_learnt_stays_when_settings_change():
    fitted = DawidSkene().fit(CrowdLabels([0, 1], [0, 0], [0, 1], 2, 1, 2))
    before = fitted.posterior_.copy()
    fitted.set_params(diagonal=5.0)
    assert (fitted.posterior_ == before).all()


@pytest.mark.parametrize("make", CATEGORICAL)
def test_a_data_frame_gives_what_its_numbers_give(make):
    series = make().fit_predict(Frame(ROWS))
    assert (series.index.tolist(), series.name) == (["t1", "t10", "t2", "t3"], "agg_label")
    assert series.values == ["no", "yes", "yes", "yes"]

    number = {"worker": ["anna", "bert", "carl", "dora"], "task": ["t1", "t10", "t2", "t3"],
              "label": ["no", "yes"]}  # fmt: skip
    worker, task, label = zip(*ROWS, strict=True)
    labels = CrowdLabels(
        [number["task"].index(name) for name in task],
        [number["worker"].index(name) for name in worker],
        [number["label"].index(name) for name in label],
        4, 4, 2,
    )  # fmt: skip
    fitted, numbered = make().fit(Frame(ROWS)), make()
    assert numbered.fit_predict(labels).tolist() == [0, 1, 1, 1]
    assert (fitted.posterior_ == numbered.posterior_).all()
    assert fitted.workers_.tolist() == number["worker"]
    assert fitted.classes_.tolist() == number["label"]
    assert not hasattr(fitted.fit(labels), "tasks_")  # names of an earlier fit are gone


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (Frame([("a", 1)], ("worker", "task")), "no column label; it needs worker, task, label"),
        (Frame([]), "the frame has no rows"),
        (Frame([("a", 1, "x"), ("b", 1, None)]), r"'label' of row 1 \(counted from 0\) is missing"),
        (Frame([("a", math.nan, "x")]), "'task' of row 0"),
    ],
)
def test_a_frame_that_is_none_is_refused(frame, message):
    with pytest.raises(ValueError, match=message):
        DawidSkene().fit(frame)


def test_values_without_an_order_are_refused():
    class Mixed(Frame):
        def __getitem__(self, name):
            return np.array([1, "x"], dtype=object)

    with pytest.raises(ValueError, match="the values of 'worker' can't be put in order"):
        DawidSkene().fit(Mixed([]))
