"""Campaigns that are played out of recorded answers until a quality is reached."""

from __future__ import annotations

import numpy as np
import pytest

from aggregation.algorithms import CrowdLabels
from experiments.targets.report import lines_of, verdict
from experiments.targets.trials import QUALITIES, Choices, Row, rows_of, trial


@pytest.fixture(scope="module")
def recorded():
    """Eighty tasks with six answers of workers who are right in four of five cases."""
    rng = np.random.default_rng(3)
    truth = rng.integers(2, size=80)
    unit, worker = np.repeat(np.arange(80), 6), np.tile(np.arange(6), 80)
    label = np.where(rng.random(480) < 0.8, truth[unit], 1 - truth[unit])
    return Choices(CrowdLabels(unit, worker, label, 80, 6, 2), truth)


def test_higher_quality_takes_more_answers_and_none_more_than_there_are(recorded):
    found = trial(recorded, np.random.default_rng(0), lambda number: None)
    answers = [one.answers for one in found.ended]
    assert answers == sorted(answers)
    assert 0.5 <= answers[0] < answers[-1] <= 1.0  # three of six to begin with
    assert found.fixed[-1][0] == 1.0
    rows = rows_of("made", [found])
    assert [row.wanted for row in rows] == list(QUALITIES)
    assert rows[-1].reached >= 0.85
    assert "made" in lines_of(rows)[2]


def test_what_all_answers_would_not_reach_is_told_apart():
    def row(reached, all_answers):
        return Row("c", 0.9, reached, all_answers, 0.9, 1.0, 0.3, 0.5, None)

    assert verdict(row(0.88, 0.95)) == ""
    assert verdict(row(0.87, 0.95)) == "*"
    assert verdict(row(0.87, 0.88)) == "–"
