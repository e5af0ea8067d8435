"""Simulated crowds doubt as they are said to, and what is left out of them is no answer."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from experiments import doubt_setting
from experiments.doubt_setting import (
    UNITS,
    WAYS,
    Doubting,
    SettingCell,
    SettingGain,
    drawn,
    lines_of,
    simulate,
)

SELDOM, MOSTLY = Doubting("seldom", -5.0, 0.0), Doubting("mostly", 5.0, 0.0)


def crowds(hard_for: str, doubting: Doubting):
    cell = SettingCell("majority vote", 5, hard_for, doubting)
    return [drawn(cell, np.random.default_rng(seed)) for seed in range(20)]


@pytest.mark.parametrize("hard_for", ["all", "one"])
def test_doubts_tell_as_much_as_workers_heed(hard_for):
    gaps = []
    for doubting in WAYS:
        right, doubts = [], []
        for truth, labels, doubted in crowds(hard_for, doubting):
            right.append(labels.label == truth[labels.unit])
            doubts.append(doubted)
        is_right, is_doubted = np.hstack(right), np.hstack(doubts)
        gaps.append(is_right[~is_doubted].mean() - is_right[is_doubted].mean())
    assert gaps[0] == pytest.approx(0, abs=0.02)
    assert gaps == sorted(gaps)


def test_a_task_that_is_hard_is_hard_for_all_or_for_one():
    """Where it is so for all, whole tasks are got wrong."""
    alike = []
    for hard_for in ("all", "one"):
        for truth, labels, _ in crowds(hard_for, SELDOM):
            right = np.bincount(labels.unit, labels.label == truth[labels.unit], UNITS)
            alike.append(np.var(right))
    assert min(alike[:20]) > max(alike[20:])


@pytest.mark.parametrize(("doubting", "unlabelled"), [(SELDOM, 0.0), (MOSTLY, 1.0)])
def test_what_is_left_out_is_no_answer(monkeypatch, doubting, unlabelled):
    monkeypatch.setattr(doubt_setting, "WAYS", (doubting,))
    for one in simulate(2, 0, lambda number: None):
        assert one.unlabelled == pytest.approx(unlabelled, abs=0.05)
        assert one.gain == pytest.approx(-one.counted * unlabelled, abs=0.05)


def test_a_row_of_the_table_has_all_numbers_of_answers():
    gains = [
        SettingGain(
            SettingCell("vote", n, "all", WAYS[0]),
            0.2,
            0.8,
            0.81,
            0.9,
            -0.04,
            0.006,
            0.01,
            0.1,
            0.2,
        )
        for n in (3, 5)
    ]
    *_, row = lines_of(gains)
    figures = "0.900 | -0.040 ± 0.006 | 1.0% | 0.100 → 0.200"
    assert row == f"| vote | all | at random | 20% | 80%, 81% | {figures} | {figures} |"


def test_the_command_prints_a_table(monkeypatch):
    monkeypatch.setattr(doubt_setting, "WAYS", WAYS[:1])
    out = StringIO()
    call_command("experiment_doubt_setting", trials=2, stdout=out, stderr=StringIO())
    assert out.getvalue().count("\n| ") == 4
    with pytest.raises(CommandError, match="--trials must be 2 or more"):
        call_command("experiment_doubt_setting", trials=1)
