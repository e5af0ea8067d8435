import csv
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from experiments.evaluation import annotated
from experiments.selection import selecting
from experiments.selection.crowds import Simulation
from tests.experiments.selection.recorded import DATA, needs

LABELS = "worker,item,label,gold\n" + "".join(
    f"w{worker},i{item},{(item + (worker + item) % 4 // 3) % 2},{item % 2}\n"
    for item in range(30)
    for worker in range(8)
)


def said(name, *arguments):
    out = StringIO()
    call_command(name, *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.fixture
def labels(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(LABELS)
    return path


def test_simulation_is_printed_beside_the_reference_and_written(tmp_path):
    told = said("experiment_selection", "--trials", "1", "--out", str(tmp_path))
    assert "Simulation: 31 workers, 1,000 items, two classes, 10 control items" in told
    assert "reference 92.6 92.7 93.8 94.2" in " ".join(told.split())
    assert "name them with --data LABELS.csv" in told
    rows = list(csv.reader((tmp_path / "simulation.csv").read_text().splitlines()))
    assert rows[0][:3] == ["budget K", "MV top K", "MV top K ±"]
    assert [row[0] for row in rows[1:]] == [str(k) for k in range(3, 32)]
    for name in ("simulation.svg", "simulation-all.svg", "simulation-sizes.svg"):
        assert (tmp_path / name).read_text().startswith("<svg")


def test_sweeps_and_stand_ins_are_told_to_be_what_they_are(monkeypatch):
    small = Simulation(n_workers=6, n_items=60)
    monkeypatch.setattr(selecting, "Simulation", lambda **given: small)
    monkeypatch.setattr(selecting, "STAND_INS", {"knowledge": small})
    monkeypatch.setattr(selecting, "simulation", lambda *a: selecting.stand_in("knowledge", *a))
    told = said("experiment_selection", "--trials", "2", "--sweeps")
    assert "accuracy against the number of control questions" in told
    assert "the workers' prior Beta(a, 2)" in told
    assert "STAND-IN in the shape of the paper's knowledge set" in told
    assert "not the paper's data" in " ".join(told.split())


def test_recorded_workers_have_no_reference_unless_they_are_those(labels, tmp_path):
    told = said(
        "experiment_selection", "--data", str(labels), "--trials", "2", "--out", str(tmp_path)
    )
    assert "labels.csv: 8 workers, 30 items, 10 control items" in told
    assert "reference" not in told
    assert (tmp_path / "labels-selection.csv").exists()
    assert labels.read_text() == LABELS


@needs("bluebirds_labels.csv", "bluebirds_gold.csv")
def test_bluebirds_are_printed_beside_theirs():
    told = said(
        "experiment_selection", "--data", str(DATA / "bluebirds_labels.csv"),
        "--gold", str(DATA / "bluebirds_gold.csv"), "--trials", "1",
    )  # fmt: skip
    assert "39 workers, 108 items" in told
    assert "85.7" in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--data", "/nowhere.csv"], "There is no file /nowhere.csv. The data are not part"),
        (["--gold", "g.csv"], "--gold is for a file of labels"),
        (["--trials", "0"], "--trials must be 1 or more, but is 0"),
        (["--control", "1"], "--control must be 2 or more"),
        (["--control", "1000", "--trials", "1"], "there must be 2 to 999 control items"),
        (["--out", "/nowhere"], "--out /nowhere is no folder"),
        (["--data", "x", "--sweeps"], "--sweeps is for simulated workers"),
    ],
)
def test_what_cannot_be_run_is_told(arguments, message):
    with pytest.raises(CommandError, match=message):
        said("experiment_selection", *arguments)


def test_redundancy_is_printed_and_written(labels, tmp_path):
    told = said(
        "experiment_redundancy", "--data", str(labels), "--start", "2", "--step", ".1",
        "--trials", "2", "--out", str(tmp_path),
    )  # fmt: skip
    assert "labels.csv: 30 tasks, 240 answers; 30 tasks are scored." in told
    assert "With all answers:" in told
    rows = list(csv.reader((tmp_path / "redundancy-labels.csv").read_text().splitlines()))
    assert rows[0] == ["answers", "answers_of_scored", "fixed", "adaptive"]
    assert rows[-1][0] == "1.0000"
    assert (tmp_path / "redundancy-labels.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--step", "2"], "--step must be between 0 and 1"),
        (["--start", "0"], "--start must be 1 or more"),
        (["--start", "9"], "none is left to be asked for"),
        (
            ["--method", "bsc-seq"],
            "bsc-seq is not for labels.csv. Use one of hierarchical-dawid-skene, dawid-skene, one",
        ),
        (["--out", "/nowhere"], "--out /nowhere is no folder"),
    ],
)
def test_a_replay_that_cannot_be_run_is_told(labels, arguments, message):
    with pytest.raises(CommandError, match=message):
        said("experiment_redundancy", "--data", str(labels), *arguments)
    with pytest.raises(CommandError, match="There is no file"):
        said("experiment_redundancy", "--data", "/nowhere.csv")


def test_choices_on_made_and_on_recorded_crowds(tmp_path):
    told = said("experiment_choices", "--crowds", "1", "--labels", "40", "--kinds", "one coin")
    head, made, mean = told.splitlines()[:3]
    methods = ["vote", "before", "DS", "own"]
    assert head.split() == [*methods, "error:", *methods, "by", "chance"]
    assert made.startswith("one coin, 40 labels each")
    assert made.split()[-9:] == mean.split()[1:]
    assert all(0 < float(share) <= 1 for share in mean.split()[1:])
    (tmp_path / "small.csv").write_text(LABELS)
    told = said("experiment_choices", "--data", str(tmp_path), "--draws", "2").splitlines()
    assert told[0].endswith("10 gold  20 gold")
    assert told[1].startswith("small ")
    assert len(told[1].split()) == 12
    with pytest.raises(CommandError, match="is no folder"):
        said("experiment_choices", "--data", str(tmp_path / "none"))
    with pytest.raises(CommandError, match="--crowds must be 1 or more, but is 0"):
        said("experiment_choices", "--crowds", "0")


def test_intervals_are_told_with_how_often_they_hold():
    only = ["--only", "accuracies", "--only", "spans"]
    told = said("experiment_intervals", "--draws", "20", *only).splitlines()
    assert told[0].split() == ["accuracy,", "share", "right", "5", "10", "20", "50"]
    assert told[2].split() == ["0.8", "0.942", "0.967", "0.956", "0.951"]
    assert any(line.startswith("0.95, differ little  1.000 (0.") for line in told)
    only = ["--only", "alpha", "--only", "workers", "--only", "sets"]
    told = said("experiment_intervals", "--draws", "2", *only).splitlines()
    assert any(line.startswith("200, 40, 5") for line in told)
    assert any(line.startswith("tables, 3 classes, 60 labels, 5 a unit") for line in told)
    assert any("20 labels, 5 a unit, a quarter spams" in line for line in told)
    assert any(line.startswith("40, 40, 2, 10, 50%") for line in told)
    with pytest.raises(CommandError, match="--draws must be 1 or more, but is 0"):
        said("experiment_intervals", "--draws", "0")


def test_theta_where_annotators_err_is_told_of_each_crowd(monkeypatch):
    monkeypatch.setattr(annotated, "SETTINGS", (annotated.DocumentSetting(3, 6, 0.2),))
    head, line = said("experiment_annotated", "--repetitions", "2").splitlines()
    assert head.startswith("people, how often they err")
    assert line.startswith("3 of 6, 0.2")
    with pytest.raises(CommandError, match="--repetitions must be 2 or more, but is 1"):
        said("experiment_annotated", "--repetitions", "1")
