"""`experiment_plan` at a small size."""

from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from experiments.plan.report import told_of
from experiments.plan.trials import Trial


def test_kinds_and_recorded_crowds_stand_in_tables(tmp_path):
    rng = np.random.default_rng(0)
    rows = ["worker,item,label,gold"]
    for item in range(60):
        truth = rng.integers(2)
        for worker in rng.choice(8, 2, replace=False):
            said = truth if rng.random() < 0.8 else 1 - truth
            rows.append(f"w{worker},i{item},c{said},c{truth}")
    path = tmp_path / "crowd.csv"
    path.write_text("\n".join(rows) + "\n")
    out = StringIO()
    call_command(
        "experiment_plan", "--crowds", "0", "--data", str(tmp_path), "--orders", "1",
        stdout=out, stderr=StringIO(),
    )  # fmt: skip
    lines = out.getvalue().splitlines()
    assert lines[0].split()[:2] == ["forecasts", "hold"]
    assert lines[1].split()[:2] == ["crowd", "2"]
    assert lines[2].split()[0] == "all"
    assert lines[4].split()[:3] == ["came", "out", "forecasts"]


def test_what_a_form_says_beforehand_is_held_against_what_came_out():
    trials = [
        Trial("kind", 3, true, true - 0.02, true - 0.07, true + 0.03) for true in (0.81, 0.89)
    ]
    lines = [line.rsplit(maxsplit=5) for line in told_of(trials)[1:]]
    assert lines == [
        ["enough", "2", "0.00", "0.50", "0.00", "0.50"],  # .8 of .79 (.74 to .84), of .87 (.82 …)
        ["a little short", "1", "0.00", "1.00", "0.00", "0.00"],  # .9 of .87 (.82 to .92)
        ["more than .02 short", "3", "1.00", "0.00", "0.00", "0.00"],
    ]


def test_campaigns_that_stop_are_told_by_f1_and_by_answers():
    out = StringIO()
    call_command("experiment_plan", "--crowds", "2", "--wanted", ".9", stdout=out,
                 stderr=StringIO())  # fmt: skip
    said = out.getvalue()
    assert "sentences: F1" in said
    assert "sentences, some hard: answers a task" in said


def test_what_can_not_be_asked_is_said():
    with pytest.raises(CommandError, match="--crowds must be 0 or more, but is -1"):
        call_command("experiment_plan", "--crowds", "-1")
    with pytest.raises(CommandError, match="--wanted must be above 0 and below 1"):
        call_command("experiment_plan", "--wanted", "2")
    with pytest.raises(CommandError, match=r"nowhere\.csv"):
        call_command("experiment_plan", "--crowds", "0", "--data", "nowhere.csv",
                     stderr=StringIO())  # fmt: skip
