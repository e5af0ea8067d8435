"""Who is given which task where each task was allotted to somebody."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import assignments
from annotation.actions.campaigns import allot
from annotation.models import Allotment, Assignment, Demand, Enrollment
from tests.annotation.actions.claims import (
    claim,
    counts,
    submit,
)
from tests.factories import (
    make_campaign,
    make_task,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def assigned():
    campaign = make_campaign(assignment="assigned", redundancy=1)
    tasks = [make_task(campaign, demand={"wanted": 0}) for _ in range(3)]
    return campaign, tasks


def test_an_allotted_worker_gets_their_tasks_in_order_and_no_other(assigned):
    campaign, tasks = assigned
    allot(campaign, [("ann", tasks[2].external_id), ("ann", tasks[0].external_id),
                     ("bob", tasks[1].external_id)])  # fmt: skip
    Enrollment.objects.update(state="qualified")
    ann = Enrollment.objects.get(worker__external_id="ann")
    first = claim(ann).assignment
    second = submit(ann, first).next.assignment
    assert [first.task, second.task] == [tasks[2], tasks[0]]
    assert submit(ann, second).next.reason == "nothing_left"


def test_an_allotted_task_can_be_asked_for_by_name(assigned):
    campaign, tasks = assigned
    allot(campaign, [("ann", task.external_id) for task in tasks[:2]])
    Enrollment.objects.update(state="qualified")
    ann = Enrollment.objects.get()
    assert claim(ann, task=tasks[2].external_id).reason == "task_not_available"
    assert claim(ann, task=tasks[1].external_id).assignment.task == tasks[1]


def test_allotting_again_changes_nothing(assigned):
    campaign, tasks = assigned
    pairs = [("ann", tasks[0].external_id), ("bob", tasks[0].external_id)]
    assert allot(campaign, pairs) == 2
    assert allot(campaign, pairs) == 0
    assert Demand.objects.get(task=tasks[0]).wanted == 2
    assert Allotment.objects.count() == 2


def test_allotting_a_task_that_is_not_there_names_it(assigned):
    campaign, _ = assigned
    with pytest.raises(ValueError, match="no task 'gone'"):
        allot(campaign, [("ann", "gone")])


def test_an_allotted_task_that_ran_out_comes_back_with_its_key_and_draft(assigned):
    campaign, tasks = assigned
    allot(campaign, [("ann", task.external_id) for task in tasks[:2]])
    Enrollment.objects.update(state="qualified")
    ann = Enrollment.objects.get()
    first = claim(ann).assignment
    assignments.save_draft(ann.key, first.key, {"half": "done"})
    Assignment.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assignments.expire_overdue()

    second = claim(ann).assignment
    assert second.task == tasks[1]
    again = submit(ann, second).next.assignment

    assert (again.key, again.draft) == (first.key, {"half": "done"})
    assert counts(tasks[0]) == (0, 1, 0)
    assert submit(ann, again).next.reason == "nothing_left"


def test_a_returned_allotted_task_stays_returned(assigned):
    campaign, tasks = assigned
    allot(campaign, [("ann", tasks[0].external_id)])
    Enrollment.objects.update(state="qualified")
    ann = Enrollment.objects.get()
    assignments.return_task(ann.key, claim(ann).assignment.key, "hard")
    assert claim(ann).assignment is None
