"""Runs that begin with what workers have shown on hidden gold."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command

from aggregation import arrays
from aggregation.actions.defaults import default_for
from aggregation.actions.refresh import refresh
from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun
from annotation.models import Campaign, Demand, Enrollment, GoldQuestion, Task, Worker
from tests.aggregation.actions.test_relations import PAYLOAD, pair, related, relation_campaign
from tests.aggregation.crowds import (
    choice,
    choice_campaign,
    choice_task,
    make_workers,
    tagged_task,
)
from tests.factories import make_campaign, make_document, make_response, make_task

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"


def gold_task(
    campaign: Campaign,
    workers: list[Worker],
    known: Any,
    *answers: Any,
    kind: int = Demand.Kind.HIDDEN,
    **fields: Any,
) -> Task:
    task = make_task(campaign, kind=kind, **fields)
    GoldQuestion.objects.create(task=task, answer=known)
    for worker, answer in zip(workers, answers, strict=False):
        make_response(task, worker, answer)
    return task


def count_gold(campaign: Campaign, seen: int) -> None:
    """As a submit counts it."""
    Enrollment.objects.filter(campaign=campaign).update(submitted=40, gold_seen=seen)


def two_against_four() -> tuple[Campaign, list[Worker], dict[int, str]]:
    """Two are right nine times in ten, four are wrong four times in five."""
    campaign = make_campaign(interface="choice", options={"choices": ["yes", "no"]})
    workers, truth = make_workers(6), {}
    for i in range(40):
        right, wrong = ("yes", "no") if i % 2 else ("no", "yes")
        said = [
            wrong if i % 10 == 0 else right,
            wrong if i % 10 == 5 else right,
            *(right if (i + 3 * j) % 5 == 0 else wrong for j in range(4)),
        ]
        truth[choice_task(campaign, *said, workers=workers).pk] = right
    return campaign, workers, truth


def share_right(run: AggregationRun, truth: dict[int, str]) -> float:
    found = {row.task_id: row.answer["choice"] for row in run.consensus.all()}
    assert found.keys() == truth.keys()
    return sum(found[task] == right for task, right in truth.items()) / len(truth)


def test_a_majority_that_is_mostly_wrong_is_seen_through(capsys, django_assert_num_queries):
    campaign, workers, truth = two_against_four()
    call_command("aggregate", "--campaign", campaign.slug)
    before = AggregationRun.objects.get()
    assert before.parameters["start"] == "shares"
    assert share_right(before, truth) < 0.2
    assert "shown" not in before.diagnostics

    yes, no = choice("yes"), choice("no")
    for _ in range(3):
        gold_task(campaign, workers, yes, yes, yes, no, no, no, no)
    count_gold(campaign, 3)
    capsys.readouterr()
    call_command("aggregate", "--campaign", campaign.slug)
    run = AggregationRun.objects.exclude(pk=before.pk).get()
    assert "it begins with what workers have shown on hidden gold" in capsys.readouterr().out
    assert (run.method, run.parameters["start"]) == ("hierarchical-dawid-skene", "gold")
    assert share_right(run, truth) > 0.9
    assert run.diagnostics["shown"] == 18
    assert run.diagnostics["answers"] == 240  # gold is where it begins, and no more
    assert not run.diagnostics["clamped"]
    assert run.input_digest != before.input_digest

    ids = arrays.load_labels(campaign).workers
    with django_assert_num_queries(1):
        gold_counts = arrays.gold_counts(campaign, ids)
    assert gold_counts.answered.tolist() == [3] * 6
    assert gold_counts.right.tolist() == [3, 3, 0, 0, 0, 0]


def test_what_a_refresh_makes_anew_begins_with_gold_again():
    campaign, workers, truth = two_against_four()
    yes, no = choice("yes"), choice("no")
    gold_task(campaign, workers, yes, yes, yes, no, no, no, no)
    aggregate(campaign, "dawid-skene", parameters={"start": "gold"})
    right = choice_task(campaign, "yes", "yes", "no", "no", "no", "no", workers=workers)
    assert refresh(campaign).outcome == "refreshed"
    for _ in range(8):
        truth[choice_task(campaign, "yes", "yes", "no", "no", "no", "no", workers=workers).pk] = (
            "yes"
        )
    assert refresh(campaign).outcome == "new run"
    newest = AggregationRun.objects.latest("pk")
    assert newest.parameters["start"] == "gold"
    assert newest.diagnostics["shown"] == 6
    assert share_right(newest, truth | {right.pk: "yes"}) > 0.9


def test_practice_and_retired_questions_and_strangers_do_not_count():
    campaign, workers = choice_campaign(), make_workers(3)
    choice_task(campaign, "yes", "no", workers=workers)
    yes, no = choice("yes"), choice("no")
    gold_task(campaign, workers, yes, yes, no, yes)
    gold_task(campaign, workers, yes, yes, no, kind=Demand.Kind.TRAINING)
    retired = gold_task(campaign, workers, yes, yes, no)
    GoldQuestion.objects.filter(task=retired).update(retired_at="2026-01-01T00:00Z")
    gold_counts = arrays.gold_counts(campaign, arrays.load_labels(campaign).workers)
    assert (gold_counts.right.tolist(), gold_counts.answered.tolist()) == ([1, 0], [1, 1])


def test_of_relations_the_relation_counts_and_no_verdict():
    campaign, workers = relation_campaign(), make_workers(2)
    pair(campaign, workers, "founded", "none")
    known = related("founded", subject_ok=True)
    given = [related("founded", subject_ok=False), related("none")]
    document = make_document(campaign.project, "Ada works for ACME .")
    gold_task(campaign, workers, known, *given, document=document, payload=PAYLOAD)
    count_gold(campaign, 1)
    gold_counts = arrays.gold_counts(campaign, arrays.load_relations(campaign).workers)
    assert (gold_counts.right.tolist(), gold_counts.answered.tolist()) == ([1, 0], [1, 1])
    assert default_for(campaign).parameters["start"] == "gold"
    assert "start" not in default_for(campaign, from_gold=False).parameters


def test_where_gold_is_gone_it_starts_as_it_would_have():
    campaign, _, _ = two_against_four()
    told = aggregate(campaign, "dawid-skene", parameters={"start": "gold"})
    plain = aggregate(campaign, "dawid-skene")
    assert "shown" not in told.diagnostics
    assert list(told.consensus.order_by("task").values_list("answer", "confidence")) == list(
        plain.consensus.order_by("task").values_list("answer", "confidence")
    )


def test_tags_have_no_hidden_gold_to_begin_with_but_clamped_gold_will_do():
    campaign, workers = make_campaign(), make_workers(2)
    tagged_task(campaign, NAMES, NAMES, workers=workers, gold=NAMES)
    with pytest.raises(ValueError, match="Only choices and relations can begin with hidden gold"):
        aggregate(campaign, "dawid-skene", parameters={"start": "gold"})
    run = aggregate(campaign, "dawid-skene", parameters={"start": "gold"}, clamp_gold=True)
    assert run.state == AggregationRun.State.COMPLETE
    assert "shown" not in run.diagnostics


def test_clamped_gold_is_as_it_was():
    campaign, workers, _ = two_against_four()
    gold_task(campaign, workers, choice("yes"), choice("yes"), choice("yes"))
    count_gold(campaign, 1)
    call_command("aggregate", "--campaign", campaign.slug, "--clamp-gold")
    run = AggregationRun.objects.get()
    assert run.parameters["start"] == "shares"
    assert "shown" not in run.diagnostics
