import csv
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from experiments.management.commands import experiment_evaluation
from tests.experiments.evaluation.test_replica import MARGINS
from tests.experiments.selection.recorded import DATA, needs


@pytest.fixture(autouse=True)
def _few_orders(monkeypatch):
    monkeypatch.setattr(experiment_evaluation, "ORDERS", 2)


def said(*arguments):
    out = StringIO()
    call_command("experiment_evaluation", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.fixture
def margins(tmp_path):
    path = tmp_path / "margins.csv"
    rows = zip(MARGINS.runs, MARGINS.submitted, MARGINS.correct, strict=True)
    path.write_text("run,submitted,correct\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows))
    return path


def test_the_replica_is_printed_and_written(margins, tmp_path):
    told = said(str(margins), "--trials", "4", "--draws", "20", "--out", str(tmp_path))
    assert "15 runs of 5 teams" in told
    assert "Precision: bias and variance" in told
    assert "Recall: relative efficiency" in told
    assert "coordinated, control variate" in told
    rows = list(csv.reader((tmp_path / "bias-precision.csv").read_text().splitlines()))
    assert rows[0][:3] == ["", "median |bias|", "largest"]
    for name in ("bias", "labels", "pooling"):
        assert (tmp_path / f"{name}.svg").read_text().startswith("<svg")


def test_the_same_seed_says_the_same(margins):
    one, two = (said(str(margins), "--trials", "4", "--draws", "20") for _ in range(2))
    assert one.rpartition(";")[0] == two.rpartition(";")[0]


def test_without_a_file_intervals_are_tried():
    told = said("--coverage", "3")
    assert "Coverage of 90 % intervals in 3 draws" in told
    assert "bootstrap on two levels" in told
    assert "(to compare)" in told
    assert "Wilson, every 25 labels" in told


@needs("kbp2015_margins.csv")
def test_the_campaigns_own_margins():
    told = said(str(DATA / "kbp2015_margins.csv"), "--trials", "4", "--draws", "20")
    assert "69 runs of 17 teams" in told
    assert "published 7,570" in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["/nowhere.csv"], "There is no file /nowhere.csv. The data are not part of the project."),
        (["--coverage", "1"], "--coverage must be 2 or more, but is 1"),
        (["--trials", "1"], "--trials must be 4 or more"),
        (["--out", "/nowhere"], "--out /nowhere is no folder. Make it first."),
    ],
)
def test_what_can_not_be_done_is_told(arguments, message):
    with pytest.raises(CommandError, match=message):
        said(*arguments)
