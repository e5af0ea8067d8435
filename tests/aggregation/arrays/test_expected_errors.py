"""How many parts of a consensus are expected to be wrong, of each interface."""

from __future__ import annotations

import pytest

from aggregation.actions.refresh import refresh
from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun, Consensus
from tests.aggregation.actions.test_linking import block, linking_campaign, sort
from tests.aggregation.crowds import (
    choice_campaign,
    choice_task,
    make_workers,
    read,
    tagged_task,
)
from tests.factories import make_campaign, make_response

pytestmark = pytest.mark.django_db

ADA = "B-PER I-PER O O O B-LOC O O O"
BOTH = "B-PER I-PER O B-PER O B-LOC O O O"
LONGER = "B-PER I-PER I-PER O O B-LOC O O O"


def errors(run: AggregationRun, task) -> float:
    found = Consensus.objects.get(run=run, task=task).expected_errors
    assert found is not None
    return found


def test_wrong_and_missed_names_are_counted():
    campaign = make_campaign()
    sure = tagged_task(campaign, ADA, ADA, ADA)
    one_more = tagged_task(campaign, BOTH, BOTH, ADA)
    missed = tagged_task(campaign, BOTH, ADA, ADA)
    cut_otherwise = tagged_task(campaign, ADA, ADA, LONGER)
    run = aggregate(campaign, "mv-token")
    assert errors(run, sure) == 0
    assert errors(run, one_more) == pytest.approx(1 / 3)
    assert errors(run, missed) == pytest.approx(1 / 3)
    assert errors(run, cut_otherwise) == pytest.approx(1 / 3)  # once, though two spans differ
    run.refresh_from_db()
    assert run.facts.expected_errors == pytest.approx(1)


def test_a_label_is_wrong_as_often_as_it_is_unsure():
    campaign = choice_campaign()
    doubted = choice_task(campaign, "yes", "yes", "no", "yes")
    run = aggregate(campaign, "majority")
    row = Consensus.objects.get(run=run, task=doubted)
    assert row.confidence is not None
    assert row.expected_errors == pytest.approx(1 - row.confidence)


def test_mentions_in_doubtful_piles_are_counted():
    campaign, workers = linking_campaign(), make_workers(3)
    task = block(campaign, "a b c")
    sort(task, workers, "a b | c", "a b | c", "a | b | c")
    run = aggregate(campaign, "correlation-clustering")
    row = Consensus.objects.get(run=run, task=task)
    sure = row.confidences["mentions"].values()
    assert 0 < row.expected_errors == pytest.approx(sum(1 - one for one in sure), abs=1e-4)
    run.refresh_from_db()
    assert run.facts.expected_errors == pytest.approx(row.expected_errors)


def test_new_answers_change_the_row_and_the_sum():
    campaign, workers = make_campaign(), make_workers(3)
    tasks = [tagged_task(campaign, ADA, ADA, workers=workers) for _ in range(12)]
    run = aggregate(campaign, "mv-token")
    make_response(tasks[0], workers[2], read(BOTH))
    assert refresh(campaign).outcome == "refreshed"
    assert errors(run, tasks[0]) == pytest.approx(1 / 3)
    run.refresh_from_db()
    assert run.facts.expected_errors == pytest.approx(1 / 3)


def test_disputed_are_those_with_all_answers_and_much_in_doubt():
    campaign = make_campaign(redundancy=3)
    other = BOTH.replace("LOC", "PER")
    doubted = tagged_task(campaign, ADA, BOTH, other)
    tagged_task(campaign, ADA, other)  # more may come
    tagged_task(campaign, ADA, ADA, ADA)
    run = aggregate(campaign, "mv-token")
    disputed = Consensus.objects.filter(run=run).disputed(campaign)
    assert [row.task_id for row in disputed] == [doubted.pk]
    ordered = Consensus.objects.filter(run=run).most_errors_first()
    found = [row.expected_errors for row in ordered]
    assert found == sorted(found, reverse=True)
