from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aggregation.algorithms.data import CrowdLabels
from aggregation.algorithms.measures.agreement import (
    Agreement,
    fleiss_kappa,
    krippendorff_alpha,
)
from aggregation.algorithms.measures.cohen import cohen_kappa, cohen_kappas
from tests.aggregation.algorithms.simulated import crowds, simulate

COEFFICIENTS = [krippendorff_alpha, fleiss_kappa, cohen_kappa]

# Krippendorff (2011): two observers and ten articles (section B), four observers and twelve units
# with gaps (section C).
TWO_OBSERVERS = ["0100000010", "1110010000"]
FOUR_OBSERVERS = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]

# Fleiss' subjects as they are often printed: how many of 14 raters put each of ten subjects into
# each of five categories.
TEN_SUBJECTS = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip


def labels_of(observers):
    """A string for each worker, a character for each unit; "." is missing."""
    said = np.array([list(line) for line in observers])
    worker, unit = np.nonzero(said != ".")
    names, label = np.unique(said[worker, unit], return_inverse=True)
    return CrowdLabels(unit, worker, label, said.shape[1], len(said), max(1, len(names)))


def labels_of_counts(counts):
    """Each rater a worker; who said what is made up, which neither coefficient asks."""
    unit, worker, label = [], [], []
    for u, row in enumerate(counts):
        said = np.repeat(np.arange(len(row)), row)
        unit += [u] * len(said)
        worker += range(len(said))
        label += said.tolist()
    return CrowdLabels(unit, worker, label, len(counts), max(worker) + 1, len(counts[0]))


def judgments(labels):
    """Of each unit a list of (worker, label)."""
    units = [[] for _ in range(labels.n_units)]
    for unit, worker, label in zip(
        labels.unit.tolist(), labels.worker.tolist(), labels.label.tolist(), strict=True
    ):
        units[unit].append((worker, label))
    return units


def alpha_by_coincidences(labels):
    """From the matrix of coincidences: each ordered pair of a unit counts 1 / (m - 1)."""
    coincidences = np.zeros((labels.n_classes, labels.n_classes))
    for said in judgments(labels):
        for (_, one), (_, other) in permutations(said, 2):
            coincidences[one, other] += 1 / (len(said) - 1)
    count, n = coincidences.sum(axis=0), coincidences.sum()
    if (count > 1e-9).sum() < 2:
        return None
    return 1 - (n - 1) * (n - np.trace(coincidences)) / (n**2 - (count**2).sum())


def kappas_by_hand(labels):
    """{(first, second): (kappa or None, shared units)}"""
    pairs = {}
    for said in judgments(labels):
        for one, other in combinations(sorted(said), 2):
            if one[0] != other[0]:
                pairs.setdefault((one[0], other[0]), []).append((one[1], other[1]))
    kappas = {}
    for pair, both in pairs.items():
        one, other = np.array(both).T
        chance = np.mean([[a == b for a in one] for b in other])
        observed = np.mean(one == other)
        kappas[pair] = (None if chance == 1 else (observed - chance) / (1 - chance), len(both))
    return kappas


def shuffled(labels, seed=3):
    """Units, workers, classes and the order of labels permuted."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(labels.n_labels)
    return CrowdLabels(
        rng.permutation(labels.n_units)[labels.unit][order],
        rng.permutation(labels.n_workers)[labels.worker][order],
        rng.permutation(labels.n_classes)[labels.label][order],
        labels.n_units, labels.n_workers, labels.n_classes,
    )  # fmt: skip


# --- Published examples ------------------------------------------------------------------------


def test_alpha_of_krippendorffs_two_observers():
    found = krippendorff_alpha(labels_of(TWO_OBSERVERS))
    assert found.value == pytest.approx(0.095, abs=5e-4)
    assert (found.units, found.pairs) == (10, 10)


def test_alpha_of_krippendorffs_four_observers_with_gaps():
    """Unit 12 has one value, which can't be paired: 40 values of 11 units are left."""
    found = krippendorff_alpha(labels_of(FOUR_OBSERVERS))
    assert found.value == pytest.approx(0.743, abs=5e-4)
    assert found.units == 11


def test_fleiss_kappa_of_ten_subjects():
    found = fleiss_kappa(labels_of_counts(TEN_SUBJECTS))
    assert found.value == pytest.approx(0.210, abs=5e-4)
    assert (found.units, found.pairs) == (10, 10 * 91)


def test_cohens_kappa_of_a_table():
    """The table of Cohen (Psychological Bulletin 70, 1968): (.70 - .41) / (1 - .41) = .492."""
    table = [[44, 5, 1], [7, 20, 3], [9, 5, 6]]
    cells = [(i, j) for i in range(3) for j in range(3) for _ in range(table[i][j])]
    labels = labels_of(["".join(str(i) for i, _ in cells), "".join(str(j) for _, j in cells)])
    assert cohen_kappa(labels).value == pytest.approx(0.492, abs=5e-4)


# --- Against brute force -----------------------------------------------------------------------


@given(crowds())
def test_alpha_is_that_of_the_matrix_of_coincidences(labels):
    found = krippendorff_alpha(labels, replicates=0)
    assert found.value == pytest.approx(alpha_by_coincidences(labels), abs=1e-9)


@given(crowds())
def test_kappa_of_each_pair_is_that_of_its_table(labels):
    wanted = kappas_by_hand(labels)
    table = cohen_kappas(labels)
    found = dict(zip(zip(table.first.tolist(), table.second.tolist(), strict=True),
                     zip(table.value.tolist(), table.units.tolist(), strict=True),
                     strict=True))  # fmt: skip
    defined = {pair: row for pair, row in wanted.items() if row[0] is not None}
    assert list(found) == sorted(defined)
    for pair, (value, units) in found.items():
        assert value == pytest.approx(defined[pair][0])
        assert units == defined[pair][1]

    mean = cohen_kappa(labels, replicates=0)
    assert mean.pairs == len(wanted)
    if not defined:
        assert mean.value is None
    else:
        values, weights = zip(*defined.values(), strict=True)
        assert mean.value == pytest.approx(np.average(values, weights=weights))


@given(crowds())
def test_fleiss_kappa_is_that_of_pairs(labels):
    shares, pooled = [], []
    for said in judgments(labels):
        if len(said) > 1:
            shares.append(np.mean([a[1] == b[1] for a, b in permutations(said, 2)]))
            pooled += [label for _, label in said]
    found = fleiss_kappa(labels, replicates=0).value
    if len(set(pooled)) < 2:
        assert found is None
    else:
        chance = sum((pooled.count(c) / len(pooled)) ** 2 for c in set(pooled))
        assert found == pytest.approx((np.mean(shares) - chance) / (1 - chance))


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(labels=crowds())
def test_names_and_order_do_not_matter(coefficient, labels):
    one, other = coefficient(labels, replicates=0), coefficient(shuffled(labels), replicates=0)
    assert one.value == pytest.approx(other.value, abs=1e-9)
    assert (one.units, one.pairs) == (other.units, other.pairs)


# --- What can't be told ------------------------------------------------------------------------


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize(
    "observers",
    [["."], ["0101"], ["0000", "0000"], ["01..", "..01"], ["....", "...."], ["0..."] * 3],
    ids=["empty", "one worker", "one class", "nothing shared", "nothing", "one class, one unit"],
)
def test_what_is_not_defined_is_none(coefficient, observers):
    found = coefficient(labels_of(observers))
    assert (found.value, found.low, found.high) == (None, None, None)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_no_units_and_no_workers(coefficient):
    assert coefficient(CrowdLabels([], [], [], 0, 0, 1)) == Agreement(None, None, None, 0, 0)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_perfect_agreement_is_one_and_so_is_its_interval(coefficient):
    found = coefficient(labels_of(["0101011010"] * 3))
    assert (found.value, found.low, found.high) == (1, 1, 1)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_one_unit_has_no_interval(coefficient):
    found = coefficient(labels_of(["0.", "01", "1."]), groups=[0, 1])
    assert found.low is None
    assert found.high is None


def test_a_unit_judged_once_does_not_count():
    """Else its class would change what is expected."""
    assert krippendorff_alpha(labels_of(["0110", "0100"]), replicates=0) == krippendorff_alpha(
        labels_of(["01102222", "0100...."]), replicates=0
    )


def test_workers_who_differ_always_are_below_chance():
    assert krippendorff_alpha(labels_of(["01" * 20, "10" * 20])).value < -0.9
    assert cohen_kappa(labels_of(["01" * 20, "10" * 20])).value == -1


# --- Intervals ---------------------------------------------------------------------------------


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_intervals_cover(coefficient):
    """Of 60 crowds from one population, 95 % of the intervals should hold its coefficient."""
    population = simulate(
        seed=0, n_units=6000, n_workers=5, redundancy=5, prevalence=[0.5, 0.3, 0.2]
    ).labels
    truth = coefficient(population, replicates=0).value
    order = np.argsort(population.unit, kind="stable")
    covered = 0
    for part in np.split(order, 60):  # 100 units with 5 labels each
        unit = population.unit[part]
        sample = CrowdLabels(
            unit - unit.min(), population.worker[part], population.label[part], 100, 5, 3
        )
        found = coefficient(sample, replicates=300)
        covered += found.low <= truth <= found.high
    assert 52 <= covered <= 60


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_documents_are_drawn_whole(coefficient):
    """Ten copies of each unit in one document tell no more than one does."""
    one = simulate(seed=1, n_units=60, n_workers=4, redundancy=3, prevalence=[0.6, 0.4]).labels
    copies = CrowdLabels(
        (one.unit[:, None] + 60 * np.arange(10)).ravel(),
        np.repeat(one.worker, 10),
        np.repeat(one.label, 10),
        600, 4, 2,
    )  # fmt: skip
    wide = coefficient(copies, groups=np.tile(np.arange(60), 10))
    narrow = coefficient(copies)
    assert wide.high - wide.low > 2.5 * (narrow.high - narrow.low)
    alone = coefficient(one)
    assert wide.high - wide.low == pytest.approx(alone.high - alone.low, rel=0.15)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_seed_settles_the_interval(coefficient):
    labels = simulate(seed=2, n_units=50, n_workers=4, redundancy=3, prevalence=[0.5, 0.5]).labels
    assert coefficient(labels, seed=5) == coefficient(labels, seed=5)
    assert coefficient(labels, seed=5) != coefficient(labels, seed=6)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ([0, 1], "groups has the shape"),
        ([0, 1, -1, 0], "whole numbers from 0"),
        ([0.5] * 4, "whole numbers"),
    ],
)
def test_groups_must_fit_the_units(coefficient, groups, said):
    with pytest.raises(ValueError, match=said):
        coefficient(labels_of(["0101", "0011"]), groups=groups)


@given(st.integers(0, 1))
def test_input_is_left_alone(seed):
    labels = simulate(seed=seed, n_units=9, n_workers=3, redundancy=2, prevalence=[0.5, 0.5]).labels
    before = labels.unit.copy(), labels.worker.copy(), labels.label.copy()
    for coefficient in COEFFICIENTS:
        coefficient(labels, replicates=10)
    for old, new in zip(before, (labels.unit, labels.worker, labels.label), strict=True):
        assert (old == new).all()
