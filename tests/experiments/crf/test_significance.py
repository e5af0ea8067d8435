import math

import numpy as np
import pytest
from scipy.stats import ttest_rel

from experiments.crf.significance import paired_p, residuals, share_p, standard_error

# Student, *The probable error of a mean*, Biometrika 6 (1908): hours of sleep gained by ten
# patients with two drugs. t = 4.06 with 9 degrees of freedom.
DRUG_1 = np.array([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0])
DRUG_2 = np.array([1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])


def test_students_sleep():
    assert paired_p(DRUG_2, DRUG_1) == pytest.approx(0.00283, abs=1e-5)
    assert paired_p(DRUG_1, DRUG_2) == ttest_rel(DRUG_1, DRUG_2).pvalue


def test_without_pairs_or_without_difference_there_is_no_p():
    assert math.isnan(paired_p(np.array([1.0]), np.array([2.0])))
    assert math.isnan(paired_p(DRUG_1, DRUG_1))


def test_one_and_the_same_difference_is_certain():
    assert paired_p(DRUG_1 + 1.0, DRUG_1) == 0.0


def test_standard_error_of_a_mean():
    found = standard_error(np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 5.0]]))
    np.testing.assert_allclose(found, [1 / math.sqrt(3), 0.0])
    assert np.isnan(standard_error(np.ones((1, 2)))).all()


def test_residuals_of_a_share_are_those_of_the_bootstrap():
    rng = np.random.default_rng(0)
    whole = rng.integers(5, 40, 200).astype(float)
    part = rng.binomial(whole.astype(int), 0.7).astype(float)
    off = residuals(part, whole)
    assert abs(off.sum()) < 1e-9
    drawn = rng.integers(200, size=(4000, 200))
    spread = (part[drawn].sum(axis=1) / whole[drawn].sum(axis=1)).std()
    assert standard_error(off) == pytest.approx(spread, rel=0.05)


def test_a_share_of_nothing_has_no_residuals():
    np.testing.assert_array_equal(residuals(np.zeros(3), np.zeros(3)), 0.0)


def test_shares_that_differ_everywhere_differ_surely_and_equal_ones_do_not():
    rng = np.random.default_rng(1)
    whole = rng.integers(20, 40, 50).astype(float)
    low = np.floor(0.5 * whole)
    high = low + rng.integers(1, 6, 50)
    assert share_p((high, whole), (low, whole)) < 1e-6
    assert math.isnan(share_p((low, whole), (low, whole)))
    other = rng.permutation(low)  # another part of the same size, of other documents
    assert share_p((other, whole), (low, whole)) > 0.9
