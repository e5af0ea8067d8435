"""What a campaign exports feeds the commands on files."""

import csv
import json
from io import StringIO

import pytest
from django.core.management import call_command

from aggregation.actions.runs import aggregate
from annotation.management import replay
from tests.aggregation.crowds import GOLD, choice_campaign, choice_task, make_workers, tagged_task
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db
RIGHT = " ".join(GOLD)
WRONG = "O O O B-PER O B-LOC O O O"


@pytest.fixture
def exported(tmp_path):
    def export(campaign, format):
        paths = []
        for what in ("responses", "consensus", "gold"):
            path = tmp_path / f"{what}.{'jsonl' if format == 'tags' else 'csv'}"
            call_command(
                "export_annotations", campaign=campaign.slug, what=what, format=format,
                out=str(path), stdout=StringIO(),
            )  # fmt: skip
            paths.append(path)
        return paths

    return export


def told(command, *arguments, **options) -> str:
    out = StringIO()
    call_command(command, *map(str, arguments), stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def test_tags_of_names_are_aggregated_scored_and_replayed(exported, tmp_path):
    campaign, workers = make_campaign(), make_workers(3)
    for _ in range(4):
        tagged_task(campaign, RIGHT, RIGHT, WRONG, workers=workers, gold=RIGHT)
    aggregate(campaign, "mv-token")
    responses, consensus, gold = exported(campaign, "tags")
    assert {line["gold_check"] for line in map(json.loads, consensus.read_text().splitlines())} == {
        "not checked against gold"  # four documents are too few
    }

    inferred = tmp_path / "inferred.jsonl"
    told("aggregate_file", responses, out=inferred, method="mv-token")
    for predicted in (inferred, consensus):
        assert "P 100.00 R 100.00 F1 100.00" in told("score_file", predicted, gold)
    recording = replay.read_recording(responses)
    answers = [[*map(" ".join, one.values())] for one in recording.answers.values()]
    assert sorted(answers) == sorted([[RIGHT] * 4, [RIGHT] * 4, [WRONG] * 4])
    again, run = replay.set_up(responses, recording, "again")
    assert (run.added, run.rejected) == (4, 0)
    assert (again.state, again.tasks.count()) == ("open", 4)


@pytest.mark.parametrize("format", ["labels", "crowdkit"])
def test_labels_of_choices_are_aggregated_and_scored(exported, tmp_path, format):
    campaign, workers = choice_campaign(), make_workers(3)
    for name in ("yes", "no", "maybe", "yes"):
        choice_task(campaign, name, name, "no", workers=workers, gold=name)
    aggregate(campaign, "majority")
    responses, consensus, gold = exported(campaign, format)
    with consensus.open() as file:
        checks = {row.get("gold_check") for row in csv.DictReader(file)}
    assert checks == {"not checked against gold" if format == "labels" else None}

    inferred = tmp_path / "inferred.csv"
    told("aggregate_file", responses, out=inferred, method="majority")
    for predicted in (inferred, consensus):
        assert "accuracy 100.00" in told("score_file", predicted, gold)
