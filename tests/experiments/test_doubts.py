"""Simulated doubts: they fall and tell as they are said to, and the command prints every cell."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from experiments import doubts
from experiments.doubts import CLASSES, DoubtCell, cells, drawn, kept


@pytest.mark.parametrize("telling", [0.0, 1.0])
def test_a_doubt_tells_as_much_as_it_is_said_to(telling):
    cell = DoubtCell("majority vote", 5, 0.3, telling)
    right, all_doubted = [], []
    for seed in range(20):
        truth, labels, doubted = drawn(cell, np.random.default_rng(seed))
        right.append((labels.label == truth[labels.unit])[doubted].mean())
        all_doubted.append(doubted.mean())
    expected = 1 / CLASSES if telling else 8 / 11
    assert np.mean(right) == pytest.approx(expected, abs=0.03)
    assert np.mean(all_doubted) == pytest.approx(0.3, abs=0.01)


def test_a_unit_keeps_its_answers_where_all_are_doubted():
    _, labels, doubted = drawn(next(cells()), np.random.default_rng(0))
    doubted[labels.unit == 7] = True
    doubted[labels.unit == 8] = [True, False, False]
    chosen = kept(labels, doubted)
    assert chosen[labels.unit == 7].all()
    assert chosen[labels.unit == 8].tolist() == [False, True, True]


def test_the_command_prints_a_table(monkeypatch):
    monkeypatch.setattr(doubts, "TELLING", (0.5,))
    monkeypatch.setattr(doubts, "RATES", (0.3,))
    out = StringIO()
    call_command("experiment_doubts", trials=2, stdout=out, stderr=StringIO())
    assert out.getvalue().count("\n| ") == 4
    with pytest.raises(CommandError, match="--trials must be 2 or more"):
        call_command("experiment_doubts", trials=1)
