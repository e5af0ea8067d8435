import csv
from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from experiments.coverage import short_texts, spambase
from experiments.management.commands import experiment_coverage as command


@pytest.fixture
def data(tmp_path, monkeypatch):
    """As Spambase, and smaller; so are the experiments."""
    monkeypatch.setattr(spambase, "GOLD", 60)
    monkeypatch.setattr(spambase, "COMPARED", (30, 60))
    monkeypatch.setattr(command, "COMPARED", (30, 60))
    monkeypatch.setattr(command, "CURVE", (20, 50, 90))
    for name, value in {"ITEMS": 260, "GOLD": 90, "CHOSEN": 60, "DRAWN": 80, "WORDS": 300}.items():
        monkeypatch.setattr(short_texts, name, value)
    made = short_texts.made_problem
    monkeypatch.setattr(short_texts, "made_problem", lambda seed: made(seed, 260, 90))
    rng = np.random.default_rng(0)
    spam = rng.integers(2, size=160)
    rows = rng.gamma(1 + spam[:, None] * [1, 2, 0], 5.0).round(2)
    path = tmp_path / "mails.csv"
    lines = [",".join(map(str, [*row, s])) for row, s in zip(rows, spam, strict=True)]
    path.write_text("\n".join(["a,b,c,spam", *lines]) + "\n")
    return path


def said(*arguments):
    out = StringIO()
    call_command("experiment_coverage", *map(str, arguments), stdout=out, stderr=StringIO())
    return out.getvalue()


def test_both_experiments_are_printed_and_written(data, tmp_path):
    told = said(data, "--repeats", "2", "--curves", "2", "--texts", "2", "--out", tmp_path)
    assert "F1, means of 2 repeats" in told
    assert "F1 less that of random of the same size, ± standard error" in told
    assert "12 comparisons, " in told
    assert "60 items, all" in told
    assert "STAND-IN for the paper's tweets: 260 simulated texts" in told
    assert "false positive rate, means of 2 repeats" in told
    assert "coverage 60 less random 80: " in told
    rows = list(csv.DictReader((tmp_path / "coverage.csv").read_text().splitlines()))
    assert {row["method"] for row in rows} == {
        "all", "random", "coverage", "facility location", "default"
    }  # fmt: skip
    assert all(float(row["F1"]) > 0 and float(row["F1 ±"]) >= 0 for row in rows)
    assert (tmp_path / "short-texts.csv").exists()
    drawn = (tmp_path / "coverage-logistic.svg").read_text()
    assert drawn.startswith("<svg")
    assert ">50</text>" in drawn
    assert drawn.count('class="band"') == 4


def test_one_repeat_has_no_standard_error(data):
    told = said(data, "--repeats", "1", "--texts", "0")
    assert "STAND-IN" not in told
    assert "nan" not in told
    assert "nothing is said of the goals" in told
    assert "missed" not in told
    assert " *" not in told


def test_tuning_is_on_other_splits(data):
    first, other = (said(data, "--repeats", "1", "--texts", "0", *more) for more in
                    ([], ["--tuning"]))  # fmt: skip
    assert first.splitlines()[:-1] != other.splitlines()[:-1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--repeats", "0"], "--repeats must be 1 or more, but is 0"),
        (["--curves", "-1"], "--curves must be 0 or more, but is -1"),
        (["--texts", "-1"], "--texts must be 0 or more, but is -1"),
        (["--out", "nowhere"], "--out nowhere is no folder"),
        (["--label", "ham"], "mails.csv has no column 'ham'"),
        (["--label", "a"], "the experiment needs more than 60 items with a 'a' of 0 or 1"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, words, data):
    with pytest.raises(CommandError, match=words):
        said(data, *arguments)


def test_cells_that_are_no_numbers_are_named(data):
    data.write_text(data.read_text().replace("a,b,c,spam\n", "a,b,c,spam\n1,x,2,0\n"))
    with pytest.raises(CommandError, match="line 2, b: expected a number"):
        said(data)
    with pytest.raises(CommandError, match=r"There is no file .*none.csv"):
        said(data.with_name("none.csv"))
