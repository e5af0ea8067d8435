"""A few simulated loops: forecasts and intervals hold as often as they say, or about so."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from experiments.loops import simulated
from experiments.loops.report import always_held, coverage, goals_met_wrongly
from experiments.loops.simulated import simulate


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(simulated, "N_POOL", 600)
    monkeypatch.setattr(simulated, "N_ALL", 2_000)
    monkeypatch.setattr(simulated, "KINDS", ("gaussian",))


def test_forecasts_hold_about_as_often_as_they_say():
    """The figure for 200 loops is in the journal; these few tell a forecast that is broken."""
    rows = [row for seed in range(0, 24, 2) for row in simulate(seed, rounds=4)]
    assert 0.75 <= coverage(rows) <= 1
    held, number = always_held(rows)
    assert held >= number - 3
    assert goals_met_wrongly(rows)[0] <= 2
    assert [row.metric for row in simulate(2, rounds=2)] == [
        row.metric for row in rows if row.seed == 2 and row.number < 3
    ]


def test_the_command(capsys, tmp_path):
    call_command("experiment_loops", loops=1, rounds=2, out=tmp_path)
    told = capsys.readouterr().out
    assert "| all | 1 |" in told
    assert "in 1 of 1 loops" in told or "in 0 of 1 loops" in told
    assert (tmp_path / "loops.csv").read_text().startswith("seed,round,picker")
    with pytest.raises(CommandError, match="2 rounds at least"):
        call_command("experiment_loops", rounds=1)
