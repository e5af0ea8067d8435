"""1,000 draws of each interval; `experiment_evaluation` has 4,000."""

import pytest

from experiments.evaluation.coverage import coverage_table, looks_table
from experiments.evaluation.pools import made_pool

SMALL = {"n_documents": 150, "n_systems": 3, "clustering": 1.0}


@pytest.fixture(scope="module")
def rows():
    found = coverage_table(1_000, bootstraps=False, pool=made_pool(**SMALL))
    return {(row.target, row.method): row for row in found}


@pytest.mark.slow
def test_intervals_cover(rows):
    ours = [row for row in rows.values() if row.ours]
    assert len(ours) > 10
    for row in ours:
        assert row.draws == 1_000
        assert 0.865 < row.coverage < 0.935, (row.target, row.method)


@pytest.mark.slow
def test_what_does_not_cover_is_told_so(rows):
    others = {key: row for key, row in rows.items() if not row.ours}
    assert others.pop(("theta", "ratio over documents, ± t")).coverage > 0.8
    assert len(others) > 3
    for key, row in others.items():
        assert row.coverage < 0.86, key


def test_the_bootstrap_covers_f1_and_differences():
    found = coverage_table(150, bootstraps=True, pool=made_pool(**SMALL))
    ours = [row for row in found if "bootstrap" in row.method and row.ours]
    assert {row.target for row in ours} == {"F1", "difference of precision", "difference of F1"}
    for row in ours:
        assert 0.83 < row.coverage < 0.96, row.target


def test_whoever_looks_often_misses_often_but_for_sequences_and_shares():
    looks = {one.method: one for one in looks_table(60, labels=250)}
    assert looks["betting, after each label"].missed <= 0.15
    assert looks["Wilson, every 25 labels"].missed > 0.2
    assert looks["Wilson, every 25 labels, by shares"].missed <= 0.15
