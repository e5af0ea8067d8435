import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from aggregation.management.commands import tune as command
from aggregation.methods.tuning import Setting, Tuned
from aggregation.models import AggregationRun
from tests.aggregation.crowds import (
    GOLD,
    choice_campaign,
    choice_task,
    make_workers,
    tagged_task,
)
from tests.factories import make_campaign

NAMES = " ".join(GOLD)
HALF = "B-PER I-PER O O O B-LOC O O O"
CSV = "worker,item,label,gold\nann,1,x,x\nben,1,y,x\nann,2,y,y\nben,2,y,y\ncat,1,x,x\ncat,2,x,y\n"


def said(*arguments):
    out = StringIO()
    call_command("tune", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue().splitlines()


@pytest.fixture
def campaign(db):
    campaign, workers = make_campaign(), make_workers(3)
    for _ in range(3):
        tagged_task(campaign, NAMES, HALF, NAMES, workers=workers, gold=NAMES)
    return campaign


def test_it_works(campaign):
    lines = said(
        "--campaign", campaign.slug, "--method", "dawid-skene",
        "--grid", "diagonal=.5,2", "--grid", "off_diagonal=.1",
    )  # fmt: skip
    assert lines[0].split() == ["diagonal", "off_diagonal", "F1", "cross", "entropy", "seconds"]
    assert lines[1].split()[:4] == ["1", "2", "0.1", "100.00"]
    assert lines[3] == "best: --method dawid-skene --param diagonal=2 --param off_diagonal=0.1"
    assert lines[4] == (
        "honest score, settings chosen without the fold they are scored on: F1 100.00 "
        "(43.58–100.00); 3 folds of 3 documents with gold"
    )
    assert not AggregationRun.objects.exists()


def test_repeated_judgments_of_a_file_are_counted_and_taken_as_asked(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text(CSV + "ann,1,y,\nben,1,x,\n")

    def tuned(repeated):
        return said(
            "--input", str(path), "--method", "one-coin", "--grid", "diagonal=1",
            "--repeated", repeated,
        )  # fmt: skip

    told = "2 judgments came after another of the same worker and item: "
    for repeated, counts in (
        ("last", "the last one counts."),
        ("first", "the first one counts."),
        ("each", "each counts by its share of them."),
    ):
        assert tuned(repeated)[0] == told + counts
    with pytest.raises(CommandError, match="Keep one of the two lines"):
        tuned("refuse")
    lines = said("--input", str(path), "--method", "one-coin", "--grid", "diagonal=1")
    assert lines[0] == f"{told}the last one counts."
    with pytest.raises(CommandError, match="MACE takes each label as one"):
        said("--input", str(path), "--method", "mace", "--grid", "restarts=1", "--repeated", "each")


def test_without_gold_the_bound_is_told(db):
    campaign, workers = make_campaign(), make_workers(2)
    tagged_task(campaign, NAMES, HALF, workers=workers)
    lines = said("--campaign", campaign.slug, "--method", "bsc-seq", "--grid", "factor=1,10")
    assert "lower bound" in lines[0]
    assert "cross entropy" not in lines[0]
    assert lines[-1].startswith("There is no gold: the lower bound chose.")


def test_without_gold_and_bound_held_out_answers_choose(db):
    campaign, workers = make_campaign(), make_workers(2)
    for _ in range(3):
        tagged_task(campaign, NAMES, HALF, workers=workers)
    lines = said(
        "--campaign", campaign.slug, "--method", "bsc-mace", "--grid", "factor=1,10",
        "--folds", "2",
    )  # fmt: skip
    assert lines[0].split() == ["factor", "nats", "per", "held-out", "label", "seconds"]
    assert float(lines[1].split()[2]) < 0
    assert lines[-1] == (
        "There is no gold: what foresees held-out answers best was chosen, in 2 folds of answers."
    )


def test_a_method_that_another_stood_in_for_is_told(campaign, tmp_path):
    out = tmp_path / "surface.jsonl"
    lines = said("--campaign", campaign.slug, "--method", "touchstone", "--out", str(out))
    told = [line for line in lines if "stood in for touchstone: " in line]
    assert told == [lines[6]]  # after five settings, once
    assert told[0].startswith("dawid-skene stood in")
    assert lines[7].startswith("best: ")
    assert [json.loads(line)["note"] for line in out.read_text().splitlines()] == told * 5


def test_what_some_fits_note_is_told_with_their_number():
    noted, other = (
        Setting({"kappa": k}, 0.5, 0.1, converged=True, seconds=1, note=note)
        for k, note in ((0, "Too little."), (1, ""))
    )
    lines = [*command._lines(Tuned("F1", (noted, other), None, None, 0, 1), "touchstone")]
    assert lines[3] == "1 of 2 settings: Too little."


def test_choices_are_scored_by_accuracy(db):
    campaign, workers = choice_campaign(), make_workers(3)
    for gold in ("yes", "no"):
        choice_task(campaign, gold, gold, "no", workers=workers, gold=gold)
    lines = said("--campaign", campaign.slug, "--method", "one-coin", "--grid", "diagonal=1,2")
    assert "accuracy" in lines[0]


def test_a_file_needs_no_database(tmp_path):
    """No fixture lets this test reach one."""
    path = tmp_path / "labels.csv"
    path.write_text(CSV)
    lines = said("--input", str(path), "--method", "dawid-skene", "--grid", "diagonal=1,2")
    assert "accuracy" in lines[0]
    assert "2 documents with gold" in lines[-1]


def test_the_surface_can_be_kept(tmp_path):
    path, out = tmp_path / "labels.csv", tmp_path / "surface.jsonl"
    path.write_text(CSV)
    said(
        "--input", str(path), "--method", "dawid-skene", "--grid", "diagonal=1,2",
        "--out", str(out),
    )  # fmt: skip
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert sorted(row["diagonal"] for row in rows) == [1, 2]
    assert {"accuracy", "cross entropy", "seconds"} < set(rows[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "best"], "There is no method 'best'"),
        (["--method", "mv-token"], "has no settings that are worth tuning"),
        (["--method", "dawid-skene", "--grid", "diagonal"], "--grid diagonal has no values"),
        (["--method", "dawid-skene", "--grid", "smooth=1"], "has no parameter 'smooth'"),
        (["--method", "dawid-skene", "--folds", "1"], "--folds must be 2 or more, but is 1"),
    ],
)
def test_wrong_arguments_end_in_one_sentence(campaign, arguments, message):
    with pytest.raises(CommandError, match=message):
        said("--campaign", campaign.slug, *arguments)


def test_unknown_campaigns_and_files_are_told(db, tmp_path):
    with pytest.raises(CommandError, match="There is no campaign 'nowhere'"):
        said("--campaign", "nowhere", "--method", "bsc-seq")
    with pytest.raises(CommandError, match=r"nothing\.csv"):
        said("--input", str(tmp_path / "nothing.csv"), "--method", "ibcc")


@pytest.mark.parametrize("out", ["labels.csv", "same/../labels.csv", "there.jsonl", "none/out"])
def test_what_must_not_be_written_is_refused_before_anything_is_fitted(tmp_path, monkeypatch, out):
    (tmp_path / "same").mkdir()
    path, kept = tmp_path / "labels.csv", tmp_path / "there.jsonl"
    path.write_text(CSV)
    kept.write_text("mine")
    kept.chmod(0o444)
    monkeypatch.setattr(command, "tune", None)
    with pytest.raises(CommandError, match=r"is the input|read-only|is not there"):
        said("--input", str(path), "--method", "ibcc", "--out", str(tmp_path / out))
    assert (path.read_text(), kept.read_text()) == (CSV, "mine")


def test_thousands_of_processes_are_refused(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(CSV)
    with pytest.raises(CommandError, match=r"--jobs must be from 1 to .* but is 9999"):
        said("--input", str(path), "--method", "ibcc", "--jobs", "9999")
