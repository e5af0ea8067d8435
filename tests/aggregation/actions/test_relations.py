"""Runs of relation campaigns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from aggregation import arrays
from aggregation.actions.compare import compare
from aggregation.actions.defaults import default_for
from aggregation.actions.refresh import refresh
from aggregation.actions.runs import aggregate
from aggregation.actions.scores import score_run
from aggregation.models import Consensus, WorkerReliability
from aggregation.queries import latest_run
from annotation.interfaces.relation import VERDICTS
from annotation.models import Campaign, ImportedAnswer, Task, Worker
from tests.aggregation.crowds import make_workers
from tests.factories import make_campaign, make_document, make_project, make_response, make_task

pytestmark = pytest.mark.django_db

SCHEMA = {
    "entity_types": [{"name": "PER"}, {"name": "ORG"}],
    "relation_types": [
        {"name": "works_for", "subject": ["PER"], "object": ["ORG"]},
        {"name": "founded", "subject": ["PER"], "object": ["ORG"]},
    ],
    "nested": False,
}
PAYLOAD = {
    "subject": {"start": 0, "end": 3, "type": "PER"},
    "object": {"start": 13, "end": 17, "type": "ORG"},
}


def relation_campaign() -> Campaign:
    return make_campaign(make_project(schema=SCHEMA), interface="relation")


def related(name: str, **verdicts: Any) -> dict[str, Any]:
    return {"relation": name, **dict.fromkeys(VERDICTS), **verdicts, "evidence": []}


def pair(campaign: Campaign, workers: list[Worker], *answers: Any, gold: str | None = None) -> Task:
    document = make_document(campaign.project, "Ada works for ACME .")
    if gold:
        ImportedAnswer.objects.create(
            document=document, interface="relation", source="gold", answer=related(gold)
        )
    task = make_task(campaign, document, payload=PAYLOAD)
    for worker, answer in zip(workers, answers, strict=False):
        make_response(task, worker, related(answer) if isinstance(answer, str) else answer)
    return task


def test_the_relation_that_most_chose_is_the_answer_in_canonical_form():
    campaign, workers = relation_campaign(), make_workers(3)
    task = pair(campaign, workers, "works_for", "none", "works_for")
    nothing = pair(campaign, workers, "none", "none", "unsure")

    run = aggregate(campaign, "majority")

    assert run.classes == ["works_for", "none", "unsure"]
    assert Consensus.objects.get(task=task).answer == related("works_for")
    assert Consensus.objects.get(task=task).confidence == pytest.approx(2 / 3)
    assert Consensus.objects.get(task=nothing).answer["relation"] == "none"
    assert WorkerReliability.objects.filter(run=run).count() == 3


@pytest.mark.parametrize(
    "method", ["dawid-skene", "hierarchical-dawid-skene", "one-coin", "ibcc", "mace", "glad"]
)
def test_every_categorical_method_judges_relations(method):
    campaign, workers = relation_campaign(), make_workers(3)
    tasks = [pair(campaign, workers, name, name, "none") for name in ("founded", "works_for")]
    aggregate(campaign, method)
    assert Consensus.objects.filter(task__in=tasks).count() == 2


def test_parts_of_the_verify_form_are_judged_by_themselves():
    campaign, workers = relation_campaign(), make_workers(3)
    asked = pair(
        campaign,
        workers,
        related("founded", subject_ok=True, object_ok=False),
        related("founded", subject_ok=True, object_ok="unsure"),
        related("none", subject_ok=False, object_ok=False),
    )
    unasked = pair(campaign, workers, "founded")

    run = aggregate(campaign, "dawid-skene")

    answer = Consensus.objects.get(task=asked).answer
    assert answer == related("founded", subject_ok=True, object_ok=False)
    assert Consensus.objects.get(task=unasked).answer == related("founded")
    parts = WorkerReliability.objects.get(run=run, worker=workers[0]).parameters["parts"]
    assert parts.keys() == {"subject_ok", "object_ok"}
    assert run.diagnostics["live"]["why"] == "each part of the question is learnt by itself"


def test_answers_that_come_later_are_judged_by_what_was_learnt():
    campaign, workers = relation_campaign(), make_workers(3)
    for _ in range(12):
        pair(campaign, workers, "founded", "founded", "none")
    run = aggregate(campaign, "dawid-skene")
    late = pair(campaign, workers, "works_for", "works_for")
    assert refresh(campaign).outcome in ("refreshed", "new run")
    assert Consensus.objects.filter(task=late).latest("id").answer == related("works_for")
    assert run.diagnostics["live"]["how"] == "fit"


def test_scores_against_gold_are_accuracies():
    campaign, workers = relation_campaign(), make_workers(3)
    for gold, said in [("founded", "founded"), ("none", "founded"), ("none", "none")]:
        pair(campaign, workers, said, said, said, gold=gold)

    run = aggregate(campaign, "majority")

    name, value, *_ = run.diagnostics["gold"]["shares"][0]
    assert (name, value) == ("accuracy", pytest.approx(2 / 3))
    score = score_run(campaign, latest_run(campaign))
    assert score.shares[0].value == pytest.approx(2 / 3)
    assert score.unit == "task"
    assert [row.method for row in compare(campaign, ["majority", "one-coin"]).rows] == [
        "majority",
        "one-coin",
    ]


def test_gold_is_learnt_from_where_it_is_asked_for():
    campaign, workers = relation_campaign(), make_workers(2)
    task = pair(campaign, workers, "none", "none", gold="founded")
    aggregate(campaign, "dawid-skene", clamp_gold=True)
    assert Consensus.objects.get(task=task).answer["relation"] == "founded"


def test_classes_come_in_the_order_of_the_schema_and_unknown_ones_stay_out():
    campaign, workers = relation_campaign(), make_workers(4)
    pair(campaign, workers, "unsure", "none", "founded", "works_for")
    crowd = arrays.load_relations(campaign)
    assert crowd.classes == ("works_for", "founded", "none", "unsure")
    assert crowd.labels.label.tolist() == [3, 2, 1, 0]
    assert crowd.parts == {}
    assert (crowd.gold == -1).all()


def test_default_method_and_the_command(capsys):
    campaign, workers = relation_campaign(), make_workers(3)
    pair(campaign, workers, "founded", "founded", "none", gold="founded")

    found = default_for(campaign)
    call_command("aggregate", "--campaign", campaign.slug)
    call_command("score_consensus", "--campaign", campaign.slug)
    call_command("export_annotations", "--campaign", campaign.slug, "--what", "consensus")

    assert (found.method, found.parameters) == ("hierarchical-dawid-skene", {})
    assert "the crowd's for the rest" in found.why
    out = capsys.readouterr().out
    assert "hierarchical-dawid-skene: 1 task, 3 answers, 3 workers" in out
    assert "accuracy 100.00" in out
    assert '"relation":"founded"' in out.replace(": ", ":")


def test_posteriors_of_verdicts_need_no_answer_of_each_worker():
    campaign, workers = relation_campaign(), make_workers(2)
    pair(campaign, workers, related("founded", subject_ok=True), related("founded"))
    run = aggregate(campaign, "dawid-skene")
    silent = WorkerReliability.objects.get(run=run, worker=workers[1])
    assert silent.parameters["parts"] == {}
    assert np.isfinite(silent.accuracy)
