"""Wawa and zero-based skill, against their definitions over dictionaries."""

from collections import Counter, defaultdict

import numpy as np
import pytest

from aggregation.algorithms import CrowdLabels, Wawa, ZeroBasedSkill
from tests.aggregation.algorithms.simulated import simulate_uneven


def drawn(seed, classes=4):
    """Few labels, so that votes tie; worker 0 and unit 0 have none."""
    rng = np.random.default_rng(seed)
    said = {
        (int(u), int(w)): int(rng.integers(classes))
        for u in range(1, 25)
        for w in rng.choice(np.arange(1, 9), 3, replace=False)
    }
    unit, worker = zip(*said, strict=True)
    return said, CrowdLabels(unit, worker, list(said.values()), 25, 9, classes)


def vote(said, skill):
    weight = defaultdict(Counter)
    for (u, w), k in said.items():
        weight[u][k] += skill.get(w, 1.0)
    return {
        u: min(k for k, sum_ in each.items() if sum_ > max(each.values()) - 1e-9)
        for u, each in weight.items()
    }


def agreeing(said, chosen):
    right, n = Counter(), Counter()
    for (u, w), k in said.items():
        right[w] += k == chosen[u]
        n[w] += 1
    return {w: right[w] / n[w] for w in n}


@pytest.mark.parametrize("seed", range(5))
def test_wawa_weighs_by_agreement_with_a_plain_vote(seed):
    said, labels = drawn(seed)
    skill = agreeing(said, vote(said, {}))

    fitted = Wawa().fit(labels)

    expected = vote(said, skill)
    assert dict(enumerate(fitted.predict().tolist())).items() >= expected.items()
    found = fitted.reliability_.parameters["skill"]
    assert found.tolist() == pytest.approx([skill.get(w, 0.0) for w in range(9)])


@pytest.mark.parametrize("seed", range(5))
def test_zero_based_skill_goes_towards_agreement_with_the_outcome(seed):
    said, labels = drawn(seed)
    skill, rate = {w: 0.25 + 1e-5 for _, w in said}, 1.0
    for step in range(1, 101):
        rate *= 0.5 if step % 20 == 0 else 1
        now = agreeing(said, vote(said, skill))
        skill = {w: s + rate * (now[w] - s) for w, s in skill.items()}

    fitted = ZeroBasedSkill().fit(labels)

    assert dict(enumerate(fitted.predict().tolist())).items() >= vote(said, skill).items()
    found = fitted.reliability_.parameters["skill"]
    assert found.tolist() == pytest.approx([skill.get(w, 0.0) for w in range(9)])


@pytest.mark.parametrize("method", [Wawa(), ZeroBasedSkill()])
def test_shares_are_of_skills(method):
    crowd = simulate_uneven(seed=3, n_units=50, n_workers=6, redundancy=3)
    fitted = method.fit(crowd.labels)
    skill = fitted.reliability_.parameters["skill"]
    assert np.allclose(fitted.posterior_.sum(axis=1), 1)
    unit = crowd.labels.unit == 7
    expected = np.bincount(
        crowd.labels.label[unit], skill[crowd.labels.worker[unit]], crowd.labels.n_classes
    )
    assert fitted.posterior_[7] == pytest.approx(expected / expected.sum())


@pytest.mark.parametrize("method", [Wawa(), ZeroBasedSkill()])
def test_nothing_and_workers_without_skill(method):
    assert method.fit(CrowdLabels([], [], [], 2, 1, 3)).predict().tolist() == [0, 0]
    # Worker 2 never agrees with the vote, so where they are alone the plain vote counts.
    alone = CrowdLabels([0] * 3 + [1] * 3, [0, 1, 2] * 2, [0, 0, 1] * 2, 3, 3, 2)
    assert method.fit(alone).predict()[:2].tolist() == [0, 0]


def test_settings_out_of_range_are_refused():
    with pytest.raises(ValueError, match="max_iter must be at least 1, but is 0"):
        ZeroBasedSkill(max_iter=0)
