import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import check_grad

from selection.algorithms import (
    BernoulliNaiveBayes,
    GaussianNaiveBayes,
    LogisticRegression,
    MultinomialNaiveBayes,
)

CLASSIFIERS = [
    GaussianNaiveBayes, MultinomialNaiveBayes, BernoulliNaiveBayes, LogisticRegression
]  # fmt: skip
ROWS = np.array([
    [3, 0, 1, 0], [0, 2, 0, 1], [4, 1, 0, 0], [0, 0, 2, 2],
    [1, 3, 0, 0], [2, 0, 0, 5], [0, 1, 1, 1], [5, 0, 0, 1],
], dtype=float)  # fmt: skip
TWO = np.array([
    [0.9, 0.1], [0.2, 0.8], [1, 0], [0.5, 0.5], [0.25, 0.75], [0.7, 0.3], [0, 1], [1, 0]
])  # fmt: skip
THREE = np.array([
    [0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [1, 0, 0], [0.2, 0.2, 0.6],
    [0.25, 0.75, 0], [0.1, 0.3, 0.6], [0, 1, 0], [0.9, 0, 0.1],
])  # fmt: skip
# P(class) of the first three rows by scikit-learn 1.9.1 (GaussianNB, MultinomialNB, BernoulliNB,
# LogisticRegression), each row given once for each class with its probability as sample_weight.
EXPECTED = {
    (GaussianNaiveBayes, 2): [
        [0.99603133, 0.00396867], [0.04028164, 0.95971836], [0.99995331, 0.00004669]
    ],
    (MultinomialNaiveBayes, 2): [
        [0.96735116, 0.03264884], [0.1049322, 0.8950678], [0.98293267, 0.01706733]
    ],
    (BernoulliNaiveBayes, 2): [
        [0.82866188, 0.17133812], [0.23610249, 0.76389751], [0.70930534, 0.29069466]
    ],
    (LogisticRegression, 2): [
        [0.84414795, 0.15585205], [0.21276573, 0.78723427], [0.88855651, 0.11144349]
    ],
    (GaussianNaiveBayes, 3): [
        [0.90195886, 0.00412401, 0.09391714], [0.05269979, 0.94718473, 0.00011548],
        [0.99657545, 0.00006788, 0.00335667],
    ],
    (MultinomialNaiveBayes, 3): [
        [0.91570704, 0.02966811, 0.05462486], [0.0820417, 0.86891373, 0.04904456],
        [0.97662485, 0.0144049, 0.00897025],
    ],
    (BernoulliNaiveBayes, 3): [
        [0.65986808, 0.15628247, 0.18384946], [0.18366125, 0.68280089, 0.13353786],
        [0.65384553, 0.28339901, 0.06275546],
    ],
    (LogisticRegression, 3): [
        [0.77542896, 0.11582348, 0.10874756], [0.14151848, 0.78151534, 0.07696618],
        [0.87066482, 0.08533402, 0.04400116],
    ],
}  # fmt: skip


@pytest.mark.parametrize(("make", "n_classes"), EXPECTED)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_they_find_what_scikit_learn_finds(make, n_classes, form):
    fitted = make().fit(form(ROWS), TWO if n_classes == 2 else THREE)
    found = fitted.predict_proba(form(ROWS))[:3]
    assert np.abs(found - EXPECTED[make, n_classes]).max() < 1e-6


@pytest.mark.parametrize("make", CLASSIFIERS)
def test_half_an_item_counts_half(make):
    halved = make().fit(np.vstack([ROWS, ROWS]), np.vstack([THREE, THREE]) / 2)
    whole = make().fit(ROWS, THREE)
    assert halved.predict_proba(ROWS) == pytest.approx(whole.predict_proba(ROWS), abs=1e-6)


@pytest.mark.parametrize("make", CLASSIFIERS)
def test_classes_in_another_order_give_the_same(make):
    turned = [2, 0, 1]
    found = make().fit(ROWS, THREE[:, turned]).predict_proba(ROWS)
    assert found == pytest.approx(make().fit(ROWS, THREE).predict_proba(ROWS)[:, turned], abs=1e-6)


@pytest.mark.parametrize("make", CLASSIFIERS)
def test_a_class_that_nobody_has_labelled_is_never_predicted(make):
    known = np.insert(TWO, 1, 0.0, axis=1)
    with_it = make().fit(ROWS, known).predict_proba(ROWS)
    assert (with_it[:, 1] == 0).all()
    assert with_it[:, [0, 2]] == pytest.approx(make().fit(ROWS, TWO).predict_proba(ROWS))
    alone = make().fit(ROWS, np.eye(3)[np.full(8, 1)])
    assert (alone.predict_proba(ROWS) == [0, 1, 0]).all()
    assert (alone.uncertainty(ROWS) == 0).all()


@pytest.mark.parametrize("make", CLASSIFIERS)
def test_constant_columns_say_nothing_and_break_nothing(make):
    constant = np.full((8, 2), 3.0)
    found = make().fit(constant, TWO).predict_proba(constant)
    # But for the smoothing, which is not the same share of a small class and of a large one.
    assert found == pytest.approx(np.tile(TWO.mean(axis=0), (8, 1)), abs=0.02)


@pytest.mark.parametrize("make", CLASSIFIERS)
def test_no_matter_what_is_fitted_nothing_given_is_changed(make):
    rows, targets = ROWS.copy(), THREE.copy()
    make().fit(rows, targets).predict(rows)
    assert (rows == ROWS).all()
    assert (targets == THREE).all()


@pytest.mark.parametrize("targets", [TWO, THREE])
def test_the_gradient_of_regression_is_that_of_its_loss(targets):
    model = LogisticRegression(penalty=0.7)
    shape = (5, 1 if targets.shape[1] == 2 else 3)
    at = np.random.default_rng(0).normal(size=shape).ravel()

    def part(i):
        return lambda flat: model._loss(flat, ROWS, targets, shape)[i]

    assert check_grad(part(0), part(1), at) < 1e-4


def test_gaussian_variances_hold_far_from_zero():
    far = GaussianNaiveBayes().fit(ROWS + 1e6, TWO).predict_proba(ROWS + 1e6)
    assert far == pytest.approx(GaussianNaiveBayes().fit(ROWS, TWO).predict_proba(ROWS), abs=1e-4)


@pytest.mark.parametrize("make", CLASSIFIERS)
@pytest.mark.parametrize(
    ("targets", "words"),
    [
        (TWO[:3], r"targets have the shape \(3, 2\), but there are 8 examples"),
        (-TWO, "targets must be probabilities, but some are below 0"),
        (TWO * np.nan, "targets must be probabilities, but some are below 0 or no number"),
        (TWO * 0, "nothing is labelled"),
    ],
)
def test_targets_that_are_none_are_named(make, targets, words):
    with pytest.raises(ValueError, match=words):
        make().fit(ROWS, targets)


def test_counts_below_zero_are_named():
    with pytest.raises(ValueError, match="takes counts of 0 or more, but there is -5"):
        MultinomialNaiveBayes().fit(-ROWS, TWO)


@pytest.mark.parametrize(
    ("make", "name"), [(LogisticRegression, "penalty"), (BernoulliNaiveBayes, "smoothing")]
)
def test_settings_out_of_range_are_named(make, name):
    with pytest.raises(ValueError, match=f"{name} must be more than 0, but is 0"):
        make(**{name: 0})


def test_what_was_said_beside_what_is_true():
    fitted = LogisticRegression().fit(ROWS, TWO)
    found = fitted.confusion(ROWS, TWO)
    said = fitted.predict(ROWS)
    assert found[0, 1] == pytest.approx(TWO[said == 1, 0].sum())
    assert found.sum() == pytest.approx(8)
