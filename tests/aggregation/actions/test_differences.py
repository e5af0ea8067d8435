"""Pairs of runs: how many tasks differ, and whose answers are better on the same gold."""

from __future__ import annotations

import pytest

from aggregation.actions import differences
from aggregation.actions.differences import store_differences
from aggregation.actions.runs import aggregate
from aggregation.models import Consensus, RunDifference
from annotation.models import ImportedAnswer
from tests.aggregation.crowds import choice, choice_campaign, choice_task, make_workers, tagged_task
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
FEWER = "B-PER I-PER O O O B-LOC O O O"


def pair(run) -> RunDifference:
    return RunDifference.objects.get(run=run)


def change(run, task, answer) -> None:
    """As another method might have it."""
    Consensus.objects.filter(run=run, task=task).update(answer=answer)


def test_a_run_is_compared_with_the_latest_of_each_other_method():
    campaign = choice_campaign()
    tasks = [choice_task(campaign, "yes", "yes", "no") for _ in range(4)]
    first = aggregate(campaign, "majority")
    assert not RunDifference.objects.exists()  # there is none to compare it with
    change(first, tasks[0], choice("no"))
    second = aggregate(campaign, "dawid-skene")
    row = pair(second)
    assert (row.other, row.tasks, row.differing) == (first, 4, 1)
    assert (row.documents, row.value, row.low) == (0, None, None)  # there is no gold
    newer = aggregate(campaign, "majority", seed=1)
    assert pair(newer).other == second
    choice_task(campaign, "no", "no", "no")
    third = aggregate(campaign, "dawid-skene")
    row = pair(third)
    assert (row.other, row.tasks, row.differing) == (newer, 4, 0)  # the new task is in one alone


def test_on_gold_the_difference_of_accuracy_is_that_of_the_same_tasks():
    campaign = choice_campaign()
    tasks = [choice_task(campaign, "yes", "yes", "no", gold="yes") for _ in range(8)]
    choice_task(campaign, "yes", "yes", "no")
    first = aggregate(campaign, "majority")
    for task in tasks[:2]:
        change(first, task, choice("no"))
    row = pair(aggregate(campaign, "dawid-skene"))
    assert (row.tasks, row.differing, row.documents) == (9, 2, 8)
    assert row.value == pytest.approx(-2 / 8)
    assert -1 <= row.low < row.value < row.high


def test_spans_are_compared_by_f1_and_only_where_gold_is_known():
    campaign, workers = make_campaign(), make_workers(3)
    for _ in range(3):
        task = tagged_task(campaign, NAMES, NAMES, NAMES, workers=workers, gold=NAMES)
    tagged_task(campaign, NAMES, NAMES, NAMES, workers=workers)
    first = aggregate(campaign, "mv-token")
    found = Consensus.objects.get(run=first, task=task)
    change(first, task, found.answer | {"mentions": found.answer["mentions"][:2]})
    row = pair(aggregate(campaign, "dawid-skene"))
    assert (row.tasks, row.differing, row.documents) == (4, 1, 3)
    assert row.value == pytest.approx(2 * 8 / (8 + 9) - 1)  # a name of nine is missing


def test_a_run_that_was_told_gold_has_no_difference_in_score():
    campaign = choice_campaign()
    for _ in range(3):
        choice_task(campaign, "yes", "yes", "no", gold="yes")
    aggregate(campaign, "majority")
    row = pair(aggregate(campaign, "dawid-skene", clamp_gold=True))
    assert (row.tasks, row.documents, row.value) == (3, 0, None)


def test_queries_do_not_grow_with_tasks(django_assert_num_queries):
    campaign = choice_campaign()
    for _ in range(3):
        choice_task(campaign, "yes", "no", "no", gold="no")
    aggregate(campaign, "majority")
    run = aggregate(campaign, "dawid-skene")
    with django_assert_num_queries(10):
        store_differences(campaign, run)
    for _ in range(5):
        choice_task(campaign, "yes", "no", "no", gold="no")
    aggregate(campaign, "majority")
    run = aggregate(campaign, "dawid-skene")
    with django_assert_num_queries(10):
        assert store_differences(campaign, run) == 1
    assert RunDifference.objects.filter(run=run).count() == 1  # it takes the old one's place
    assert ImportedAnswer.objects.count() == 8
    assert differences.paired({}, {}) == (0, None, None)
