import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aggregation.algorithms import CrowdLabels
from aggregation.algorithms.categorical import cells
from aggregation.algorithms.categorical.cells import cells_of
from aggregation.algorithms.categorical.glad import GLAD
from aggregation.algorithms.categorical.mace import MACE
from tests.aggregation.algorithms.simulated import crowds, simulate


def unknown(crowd):
    return np.full(crowd.n_units, -1)


@given(crowds(), st.sampled_from([1.0, 50.0, 3000.0]), st.integers(0, 9), st.data())
def test_shares_are_those_of_all_classes(crowd, scale, seed, data):
    """However large or small the weights: nothing overflows and no unit is left with nothing."""
    known = np.array(
        data.draw(
            st.lists(
                st.integers(-1, crowd.n_classes - 1), min_size=crowd.n_units, max_size=crowd.n_units
            )
        ),
        dtype=np.int64,
    )
    for block in cells_of(crowd, known):
        score = scale * np.random.default_rng(seed).normal(size=len(block.label))
        dense = np.zeros((block.n_units, crowd.n_classes))
        dense[block.unit, block.label] = score
        for unit, true in enumerate(block.known):
            if true >= 0:
                dense[unit, np.arange(crowd.n_classes) != true] = -np.inf
        share, log_total = block.shares(score)
        top = dense.max(axis=1, keepdims=True)
        weight = np.exp(dense - top)
        expected = np.log(weight.sum(axis=1)) + top[:, 0]
        assert log_total == pytest.approx(expected)
        posterior = block.posterior(share, log_total)
        assert posterior == pytest.approx(weight / weight.sum(axis=1, keepdims=True), abs=1e-12)


@given(crowds())
def test_cells_hold_each_label_once(crowd):
    found = []
    for block in cells_of(crowd, unknown(crowd)):
        unit = np.repeat(block.unit + block.units.start, block.labels_of_cells())
        said = np.repeat(block.label, block.labels_of_cells())
        found += list(zip(unit.tolist(), block.worker.tolist(), said.tolist(), strict=True))
        assert len(set(zip(block.unit, block.label, strict=True))) == len(block.unit)
    given = zip(crowd.unit.tolist(), crowd.worker.tolist(), crowd.label.tolist(), strict=True)
    assert sorted(found) == sorted(given)


@pytest.mark.parametrize("method", [MACE(restarts=2), GLAD()])
def test_blocks_change_nothing(method, monkeypatch):
    crowd = simulate(seed=1, n_units=50, n_workers=6, redundancy=3, prevalence=[0.5, 0.3, 0.2])
    gold = np.full(50, -1)
    gold[::9] = 2
    whole = method.fit(crowd.labels, gold=gold)
    posterior, objective = whole.posterior_, whole.diagnostics_.objective
    monkeypatch.setattr(cells, "BLOCK_LABELS", 7)
    assert len(cells_of(crowd.labels, gold)) > 10
    cut = method.fit(crowd.labels, gold=gold)
    assert cut.posterior_ == pytest.approx(posterior, abs=1e-9)
    assert cut.diagnostics_.objective == pytest.approx(objective)


def test_order_of_the_labels_is_as_good_as_any():
    crowd = simulate(seed=2, n_units=30, n_workers=5, redundancy=3, prevalence=[0.6, 0.4]).labels
    order = np.random.default_rng(0).permutation(crowd.n_labels)
    moved = CrowdLabels(
        crowd.unit[order], crowd.worker[order], crowd.label[order], 30, 5, crowd.n_classes
    )
    assert GLAD().fit(moved).posterior_ == pytest.approx(GLAD().fit(crowd).posterior_)
