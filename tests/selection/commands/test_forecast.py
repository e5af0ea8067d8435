"""The command `forecast`: on files, of a mix, of a campaign."""

import json
from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from annotation.models import GoldQuestion
from tests.aggregation.crowds import make_workers
from tests.factories import make_campaign, make_response, make_task


@pytest.fixture
def pilot(tmp_path):
    """Forty items of two classes, three answers each, the first twelve with gold."""
    rng = np.random.default_rng(0)
    rows = ["worker,item,label,gold"]
    for item in range(40):
        truth = rng.integers(2)
        for worker in rng.choice(9, 3, replace=False):
            said = truth if rng.random() < 0.85 else 1 - truth
            rows.append(f"w{worker},i{item},c{said},{f'c{truth}' if item < 12 else ''}")
    path = tmp_path / "pilot.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def said(*arguments):
    out = StringIO()
    call_command("forecast", *map(str, arguments), stdout=out, stderr=StringIO())
    return out.getvalue().splitlines()


def test_a_pilot_foretells_each_number_of_answers_and_its_cost(pilot):
    lines = said(pilot, "--answers", "3,1", "--pay", ".05")
    assert lines[0] == "By 40 tasks with 3.0 answers each, 12 of them with gold; all are 200."
    assert lines[1].split() == [
        "answers",
        "each",
        "right",
        "90",
        "%",
        "interval",
        "answers",
        "cost",
    ]
    assert [line.split()[0] for line in lines[2:4]] == ["1", "3"]
    assert lines[3].split()[-2:] == ["600", "30.00"]
    assert len(lines) == 4  # nothing lies beyond the pilot, and gold was there


def test_repeated_judgments_are_counted_and_taken_as_asked(pilot):
    once = said(pilot, "--answers", "1,3")
    _, *answers = pilot.read_text().splitlines()
    changed = [f"{line.split(',')[0]},{line.split(',')[1]},c0," for line in answers[:20]]
    with pilot.open("a") as file:
        file.write("\n".join(changed) + "\n")
    last = said(pilot, "--answers", "1,3")
    assert last[0] == once[0]
    told = "20 judgments came after another of the same worker and item: "
    assert last[-1] == f"{told}the last one counts."
    assert last[2:4] != once[2:4]
    first = said(pilot, "--answers", "1,3", "--repeated", "first")
    assert first == [*once, f"{told}the first one counts."]
    assert json.loads(said(pilot, "--answers", "1", "--json")[0])["repeated"] == 20
    with pytest.raises(CommandError, match="weigh repeated judgments"):
        said(pilot, "--repeated", "each")
    with pytest.raises(CommandError, match="Keep one of the two lines"):
        said(pilot, "--repeated", "refuse")


def test_the_json_holds_what_a_page_can_show(pilot):
    (line,) = said(pilot, "--tasks", "60", "--json")
    found = json.loads(line)
    assert (found["measure"], found["tasks"], found["pilot"], found["checked"]) == (
        "accuracy", 60, 40, True,
    )  # fmt: skip
    assert [point["answers"] for point in found["points"]] == [1, 2, 3, 4, 5, 6]
    assert all(0 <= p["low"] <= p["mean"] <= p["high"] <= 1 for p in found["points"])


def test_a_mix_needs_no_answers_and_is_not_checked():
    lines = said("--mix", ".7:.9,.3:.6", "--tasks", "100", "--answers", "3", "--workers", "12")
    assert lines[0] == "By a stated mix of workers; no answer has been seen. 100 tasks."
    assert lines[-1].startswith("Not checked against gold: where a whole crowd is misled")


def test_documents_are_foretold_in_f1_of_spans(tmp_path):
    rows = []
    for d in range(6):
        gold = ["B-PER", "I-PER", "O", "O"] if d % 2 else ["O", "O", "B-PER", "O"]
        late = ["O", "B-PER", "O", "O"] if d % 2 else gold
        workers = {"ann": gold, "bob": gold, "cyd": late}
        rows.append({"id": f"d{d}", "tokens": list("abcd"), "workers": workers,
                     "gold": gold if d < 4 else None})  # fmt: skip
    path = tmp_path / "pilot.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines = said(path, "--answers", "3")
    assert lines[0] == "By 6 documents with 3.0 answers each, 4 of them with gold; all are 30."
    assert lines[1].split()[2] == "F1"
    assert lines[-1].startswith("Not checked against gold")
    stopping = json.loads(said(path, "--answers", "2,3", "--wanted", ".99", "--json")[0])
    assert (stopping["least"], stopping["wanted"]) == (2, 0.99)
    (adaptive,) = stopping["adaptive"]
    assert (adaptive["most"], 2 <= adaptive["answers"] <= 3) == (3, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Name one of: a FILE, --campaign, --mix"),
        (["FILE", "--mix", ".5:.5"], "Name one of"),
        (["FILE", "--tasks", "39"], "--tasks 39 is less than the 40 tasks of the pilot"),
        (["FILE", "--answers", "0"], "--answers 0: name numbers from 1 to 50"),
        (["FILE", "--answers", "three"], "--answers three: write whole numbers as 1,3,5"),
        (["FILE", "--seed", "-1"], "--seed and --pay must be 0 or more"),
        (["--mix", ".5"], "--mix needs --tasks"),
        (["--mix", ".5", "--tasks", "9"], "--mix .5: write shares and accuracies as"),
        (["--mix", ".5:1.5", "--tasks", "9"], "--mix 0.5:1.5: expected a share"),
        (["nowhere.csv"], "nowhere.csv"),
    ],
)
def test_what_can_not_be_foretold_is_said(pilot, arguments, message):
    named = [pilot if one == "FILE" else one for one in arguments]
    with pytest.raises(CommandError, match=message):
        said(*named)


@pytest.mark.parametrize(
    ("rows", "message"),
    [(["a,1,x", "b,1,x"], "All labels are the same"), ([], "labels")],
)
def test_a_pilot_that_says_nothing_is_refused(tmp_path, rows, message):
    path = tmp_path / "pilot.csv"
    path.write_text("\n".join(["worker,item,label", *rows]) + "\n")
    with pytest.raises(CommandError, match=message):
        said(path)


def test_documents_without_gold_are_refused(tmp_path):
    path = tmp_path / "pilot.jsonl"
    path.write_text(json.dumps({"id": "d", "tokens": ["a"], "workers": {"ann": ["B-PER"]}}) + "\n")
    with pytest.raises(CommandError, match="No document has gold of all its words"):
        said(path)


@pytest.mark.django_db
def test_a_campaign_is_foretold_by_its_complete_tasks():
    campaign = make_campaign(
        interface="choice", redundancy=2, options={"choices": ["yes", "no"]}
    )  # fmt: skip
    workers = make_workers(3)
    for place in range(10):
        task = make_task(campaign)
        for worker in workers[: 2 if place < 8 else 1]:
            make_response(task, worker, answer={"choice": "yes" if place % 2 else "no"})
    lines = said("--campaign", campaign.slug, "--answers", "2")
    assert lines[0] == "By 8 tasks with 2.0 answers each, 0 of them with gold; all are 10."
    assert not GoldQuestion.objects.exists()


@pytest.mark.django_db
def test_a_campaign_without_complete_tasks_says_so():
    campaign = make_campaign(interface="choice", options={"choices": ["yes", "no"]})
    with pytest.raises(CommandError, match=r"No task of \S+ has all \d+ of its answers yet"):
        said("--campaign", campaign.slug)
    with pytest.raises(CommandError, match="There is no campaign 'none'"):
        said("--campaign", "none")
