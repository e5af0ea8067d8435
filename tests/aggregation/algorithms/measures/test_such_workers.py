import numpy as np
import pytest
from scipy.stats import t as student

from aggregation.algorithms import CrowdLabels, krippendorff_alpha
from aggregation.algorithms.measures.such_workers import alpha_of_such_workers


def judges(rng, units, workers, answers):
    """Three classes; workers differ: alpha of very many such workers is .443."""
    truth, skill = rng.integers(3, size=units), rng.beta(4, 2, workers)
    worker = np.argsort(rng.random((units, workers)), axis=1)[:, :answers].ravel()
    unit = np.repeat(np.arange(units), answers)
    right = rng.random(len(unit)) < skill[worker]
    label = np.where(right, truth[unit], rng.integers(3, size=len(unit)))
    return CrowdLabels(unit, worker, label, units, workers, 3)


def by_definition(labels, document):
    """Leave out one after the other, and ask `krippendorff_alpha` each time."""

    def alpha_without(gone):
        kept = ~gone
        some = CrowdLabels(
            labels.unit[kept], labels.worker[kept], labels.label[kept],
            labels.n_units, labels.n_workers, labels.n_classes,
        )  # fmt: skip
        return krippendorff_alpha(some, replicates=0).value

    def variance(part):
        values = [alpha_without(part == one) for one in np.unique(part[counted])]
        return (len(values) - 1) * np.var(values)

    def alike(part):
        sizes = np.unique(part[counted], return_counts=True)[1]
        return sizes.sum() ** 2 / (sizes**2).sum()

    counted = np.bincount(labels.unit, minlength=labels.n_units)[labels.unit] > 1
    of = document[labels.unit]
    parts = of, labels.worker, of * labels.n_workers + labels.worker
    documents, workers, answers = (variance(part) for part in parts)
    spread = np.sqrt(documents + max(workers - answers, 0))
    alpha = krippendorff_alpha(labels, replicates=0).value
    reach = student.ppf(0.975, min(alike(parts[0]), alike(parts[1])) - 1) * spread
    return tuple(1 - (1 - alpha) * np.exp(np.array([1, -1]) * reach / (1 - alpha)))


@pytest.mark.parametrize("of_documents", [False, True])
def test_interval_is_the_definition(of_documents):
    """Also where some have answered once only, and one task alone; workers differ in number."""
    rng = np.random.default_rng(3)
    labels = judges(rng, 24, 6, 3)
    kept = rng.random(len(labels.unit)) < 0.8
    labels = CrowdLabels(
        labels.unit[kept], labels.worker[kept], labels.label[kept], 24, 6, 3
    )  # fmt: skip
    judged = np.bincount(labels.unit, minlength=24)
    assert {1, 2, 3} <= set(judged)
    document = np.arange(24) // 3 if of_documents else np.arange(24)
    found = alpha_of_such_workers(labels, groups=document if of_documents else None)
    assert found == pytest.approx(by_definition(labels, document), abs=1e-12)


def test_answers_that_were_given_twice_leave_with_their_worker():
    """One sheet twice over: the same units, the same workers, each answer again."""
    rng = np.random.default_rng(5)
    one = judges(rng, 12, 5, 3)
    twice = CrowdLabels(
        *(np.concatenate([each, each]) for each in (one.unit, one.worker, one.label)), 12, 5, 3
    )
    found = alpha_of_such_workers(twice)
    assert found == pytest.approx(by_definition(twice, np.arange(12)), abs=1e-12)


def test_it_covers_where_the_interval_about_these_workers_does_not():
    """Two hundred crowds of twenty workers who differ (`experiment_intervals`: .94 to .97, and
    .42 to .82): within three standard errors of .95, and far below."""
    held = np.zeros(2)
    for seed in range(200):
        labels = judges(np.random.default_rng(seed), 200, 20, 5)
        low, high = alpha_of_such_workers(labels)
        own = krippendorff_alpha(labels, seed=seed, replicates=60)
        held += [low <= 0.443 <= high, own.low <= 0.443 <= own.high]
    assert held[0] >= 0.90 * 200
    assert held[1] <= 0.75 * 200


@pytest.mark.parametrize(
    "labels",
    [
        CrowdLabels([], [], [], 0, 0, 2),
        CrowdLabels([0, 1], [0, 1], [0, 1], 2, 2, 2),  # nothing that two have judged
        CrowdLabels([0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1], 2, 2, 2),  # nobody disagrees
        CrowdLabels([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 0, 0], 2, 2, 2),  # one class without unit 0
    ],
)
def test_there_is_none_where_nothing_tells_how_alpha_varies(labels):
    assert alpha_of_such_workers(labels) is None
