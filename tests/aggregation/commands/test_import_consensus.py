"""A consensus that is exported, and imported where the same documents are."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from aggregation.actions import imported
from aggregation.actions.refresh import refresh
from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun, Consensus
from aggregation.queries.runs import latest_run
from annotation.actions.bulk import insert
from tests.aggregation.crowds import choice_campaign, choice_task, make_workers, tagged_task
from tests.factories import make_campaign, make_document, make_project, make_task

pytestmark = pytest.mark.django_db

FIRST = "B-PER I-PER O O O B-LOC O O O"
SECOND = "O B-PER O O O O O O O"


def called(command, *arguments):
    out, errors = StringIO(), StringIO()
    try:
        call_command(command, *map(str, arguments), stdout=out, stderr=errors)
    except CommandError as error:
        return f"{errors.getvalue()}{error}"
    return out.getvalue()


def exported(campaign, path):
    called("export_annotations", "--campaign", campaign.slug, "--what", "consensus", "--out", path)
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def names(tmp_path):
    """A campaign with a run, another one on the same documents, and the export of the first."""
    campaign, workers = make_campaign(slug="names", redundancy=3), make_workers(3)
    for _ in range(2):
        tagged_task(campaign, FIRST, SECOND, FIRST, workers=workers)
    aggregate(campaign, "mv-token")
    project = make_project(schema=campaign.project.schema)
    other = make_campaign(project, slug="other")
    for task in campaign.tasks.select_related("document"):
        document = make_document(project, task.document.text, external_id=task.document.external_id)
        make_task(other, document, external_id=task.external_id)
    path = tmp_path / "labels.jsonl"
    return other, exported(campaign, path), path


def test_names_come_back_with_their_confidences_and_are_read_as_any_run(names, tmp_path):
    other, rows, path = names
    assert "2 labels imported" in called("import_consensus", "other", path)
    run = latest_run(other)
    assert (run.method, run.facts.tasks, run.facts.checked) == (
        "imported",
        2,
        rows[0]["gold_check"],
    )
    again = exported(other, tmp_path / "again.jsonl")
    kept = ("task", "consensus", "confidence", "span_confidence", "token_confidence")
    for one, two in zip(rows, again, strict=True):
        assert {name: two[name] for name in kept[:3]} == {name: one[name] for name in kept[:3]}
        assert two["method"] == "imported"
        assert [value is None for value in two["token_confidence"]] == [
            value is None for value in one["token_confidence"]
        ]
    refreshed = refresh(other)
    assert (refreshed.outcome, refreshed.method) == ("waiting", "imported")


@pytest.mark.django_db(transaction=True)
def test_what_breaks_off_between_two_batches_leaves_nothing(names, monkeypatch):
    other, _, path = names
    before = set(AggregationRun.objects.values_list("pk", flat=True)), Consensus.objects.count()
    seen = []

    def broken(rows):
        seen.append((len(rows), AggregationRun.objects.latest("pk").state))
        if len(seen) == 2:
            raise KeyboardInterrupt
        insert(rows)

    monkeypatch.setattr(imported, "WRITTEN", 1)
    monkeypatch.setattr(imported, "insert", broken)
    with pytest.raises(KeyboardInterrupt):
        called("import_consensus", "other", path)
    assert seen == [(1, "running")] * 2
    assert latest_run(other) is None
    after = set(AggregationRun.objects.values_list("pk", flat=True)), Consensus.objects.count()
    assert after == before


def test_what_is_wrong_names_its_line_and_field_and_nothing_is_kept(names):
    other, rows, path = names
    first, second = rows
    wrong = [
        first | {"confidence": 1.5},
        {"task": second["task"]},
        second | {"task": "none"},
        second | {"task": first["task"]},
        second | {"span_confidence": [0.5] * 9},
        second | {"consensus": {"mentions": [{"id": "a", "start": 0, "end": 999, "type": "PER"}]}},
    ]
    told = []
    for row in wrong:
        path.write_text(f"{json.dumps(first)}\n{json.dumps(row)}\n")
        told.append(called("import_consensus", "other", path))
    fields = (
        "confidence", "consensus", "task", "task", "span_confidence", "consensus.mentions",
    )  # fmt: skip
    for said, field in zip(told, fields, strict=True):
        assert "line 2" in said
        assert f"{field}" in said
    path.write_text("")
    assert "holds no label" in called("import_consensus", "other", path)
    assert "There is no campaign" in called("import_consensus", "nowhere", path)
    assert not AggregationRun.objects.filter(campaign=other).exists()
    assert not Consensus.objects.filter(task__campaign=other).exists()


def test_choices_are_scored_as_those_of_any_run(tmp_path):
    campaign, workers = choice_campaign(), make_workers(3)
    task = choice_task(campaign, "yes", "yes", "no", workers=workers)
    aggregate(campaign, "majority")
    before = Consensus.objects.get()
    path = tmp_path / "labels.jsonl"
    rows = exported(campaign, path)
    rows[0]["consensus"]["choice"], rows[0]["confidence"] = "no", 0.75
    path.write_text(json.dumps(rows[0]) + "\n")
    called("import_consensus", campaign.slug, path)
    run = AggregationRun.objects.latest("pk")
    now = Consensus.objects.get(run=run)
    assert (now.answer["choice"], now.confidence, now.expected_errors) == ("no", 0.75, 0.25)
    assert run.facts.chosen == {"no": 1}
    assert before.answer["choice"] == "yes"
    assert now.task == task
    aggregate(campaign, "majority")  # its own answers again
    assert latest_run(campaign).method == "majority"
