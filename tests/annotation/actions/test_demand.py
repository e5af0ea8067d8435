"""Bulk changes of what is wanted."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from annotation.actions import assignments
from annotation.models import Campaign, Demand
from tests.factories import make_campaign, make_enrollment, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return make_campaign(redundancy=1, max_redundancy=3)


def row_of(task):
    row = Demand.objects.get(task=task)
    return row.wanted, row.open, row.leased, row.received, row.ready


def test_more_answers_are_asked_of_full_tasks_and_every_worker_starts_over(campaign):
    task = make_task(campaign)
    first = make_enrollment(campaign)
    lease = assignments.claim_next(first.key).assignment
    assignments.submit(first.key, lease.key, {"mentions": []})
    assert assignments.add_slots(campaign, [task.pk], 2) == 1
    assert row_of(task) == (3, 2, 0, 1, True)
    assert Campaign.objects.get().epoch == 1
    assert assignments.claim_next(make_enrollment(campaign).key).assignment is not None


def test_the_maximum_redundancy_is_never_passed(campaign):
    task = make_task(campaign)
    assert assignments.add_slots(campaign, [task.pk], 3) == 0
    assert row_of(task) == (1, 1, 0, 0, True)
    assert Campaign.objects.get().epoch == 0


def test_a_closed_task_is_given_out_no_more_but_its_leases_may_end(campaign):
    task = make_task(campaign, demand={"wanted": 2})
    worker = make_enrollment(campaign)
    lease = assignments.claim_next(worker.key).assignment
    assert assignments.close_tasks(campaign, [task.pk]) == 1
    assert row_of(task) == (1, 0, 1, 0, False)
    assert assignments.claim_next(make_enrollment(campaign).key).assignment is None
    assert assignments.submit(worker.key, lease.key, {"mentions": []}).counted
    assert row_of(task) == (1, 0, 0, 1, False)


def test_urgent_tasks_come_first(campaign):
    tasks = [make_task(campaign) for _ in range(5)]
    assert assignments.set_priorities(campaign, {tasks[3].pk: 9, tasks[1].pk: 0}) == 1
    assert assignments.set_priorities(campaign, {tasks[3].pk: 9}) == 0
    for task in tasks:
        assert Demand.objects.get(task=task).rank < 2**63
    Demand.objects.exclude(task=tasks[3]).update(rank=65535 * 2**47)
    assert assignments.claim_next(make_enrollment(campaign).key).assignment.task == tasks[3]


def test_a_priority_out_of_range_is_refused(campaign):
    with pytest.raises(ValueError, match="from 0 to 65535"):
        assignments.set_priorities(campaign, {1: 70_000})


def test_the_database_refuses_counts_that_do_not_balance(campaign):
    make_task(campaign)
    with pytest.raises(IntegrityError, match="demand_counts_balance"), transaction.atomic():
        Demand.objects.update(received=1)
    with pytest.raises(IntegrityError, match="demand_ready_while_open"), transaction.atomic():
        Demand.objects.update(ready=False)


def test_the_database_refuses_to_commit_more_than_the_budget(campaign):
    Campaign.objects.update(budget_mills=10)
    with (
        pytest.raises(IntegrityError, match="campaign_committed_within_budget"),
        transaction.atomic(),
    ):
        Campaign.objects.update(committed_mills=11)


def test_bulk_changes_cost_the_same_number_of_queries_for_any_number_of_tasks(
    campaign, django_assert_max_num_queries
):
    tasks = [make_task(campaign).pk for _ in range(50)]
    with django_assert_max_num_queries(5):
        assignments.add_slots(campaign, tasks)
    with django_assert_max_num_queries(4):
        assignments.close_tasks(campaign, tasks)
