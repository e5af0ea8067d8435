"""Simulated crowds with spammers: what they are, and what is printed of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from experiments.selection import spam
from experiments.selection.spam import (
    HONEST,
    KINDS,
    TWICE,
    Count,
    SpamCell,
    cells,
    drawn,
    look,
    simulate,
)

EVENLY, SKEWED = "four classes evenly", "two classes, 90:10"


def crowd(kind, *, setting=EVENLY, workers=10, answers=100, seed=0):
    made, spams = drawn(SpamCell(setting, 3, kind, workers, answers), np.random.default_rng(seed))
    return made, spams


@pytest.mark.parametrize("kind", KINDS)
def test_spammers_answer_as_they_are_said_to(kind):
    made, spams = crowd(kind, setting=SKEWED)
    assert spams.sum() == 2
    assert made.counts().sum() == 999
    theirs = made.content[spams[made.worker]]
    share = (theirs == 1).mean()
    expected = {
        "always the rarest class": 1.0, "always the commonest (nothing, none)": 0.0,
        "mostly one class, 10% at random": 0.95, "at random, evenly": 0.5,
    }  # fmt: skip
    assert share == pytest.approx(expected.get(kind, 0.1), abs=0.08)


def test_two_accounts_of_one_person_say_the_same_of_each_task():
    made, _ = crowd(TWICE)
    first, second = (
        dict(zip(made.task[made.worker == i], made.content[made.worker == i], strict=True))
        for i in (0, 1)
    )
    both = first.keys() & second.keys()
    assert len(both) > 10
    assert all(first[task] == second[task] for task in both)


def test_honest_workers_are_as_good_as_they_are_said_to_be():
    made, spams = crowd(HONEST, setting="four classes evenly, easy", workers=50)
    assert not spams.any()
    votes = np.bincount(made.task * 4 + made.content, minlength=4 * 1_666).reshape(-1, 4)
    assert votes.max(axis=1).sum() > 0.95 * len(made.content)


def test_the_table_says_how_many_were_found_and_how_many_accused(monkeypatch):
    monkeypatch.setattr(
        spam, "look", lambda cell, rng: Count(2, 1, 8, cell.answers == 100 and cell.workers == 3)
    )
    chosen = cells([EVENLY], [3])
    lines = list(spam.lines_of(simulate(chosen, 3, 0, lambda n: None)))
    assert lines[0] == "four classes evenly, 3 answers a task: spammers found, %"
    rows = {line[:36].strip(): line[36:].split() for line in lines}
    assert rows["always the rarest class"] == ["50"] * 12
    assert rows[TWICE] == ["–"] * 4 + ["50"] * 8
    assert rows["honest accused"][3] == "12.50"
    assert lines[-1].startswith("Honest workers accused: 18 of ")


def test_hardly_anybody_honest_is_accused_and_the_constant_are_found():
    counts = [look(SpamCell(EVENLY, 3, kind, 10, 50), np.random.default_rng(1)) for kind in KINDS]
    assert sum(count.accused for count in counts) == 0
    assert counts[0].flagged == counts[1].flagged == 2


def test_the_command_prints_its_tables_and_keeps_all_figures(tmp_path, capsys):
    call_command("experiment_guards", trials=1, redundancy=[5], classes=[EVENLY], out=tmp_path)
    told = capsys.readouterr().out
    assert "four classes evenly, 5 answers a task: spammers found, %" in told
    assert "Honest workers accused: " in told
    rows = (tmp_path / "guards.csv").read_text().splitlines()
    assert rows[0] == "setting,redundancy,kind,workers,answers,spammers,found,honest,accused"
    assert len(rows) == 1 + 7 * 2 * 4  # crowds of 10 and of 50


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"trials": 0}, "--trials must be 1 or more, but is 0"),
        ({"redundancy": [1]}, "with one answer nobody is compared"),
        ({"redundancy": [99]}, "--redundancy is above all crowds"),
        ({"out": Path("/nowhere")}, "--out /nowhere is no folder"),
    ],
)
def test_what_cannot_be_simulated_is_told(options, message):
    with pytest.raises(CommandError, match=message):
        call_command("experiment_guards", **options)
