"""How many tasks a worker is told that they could still get."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

import pytest
from django.db.models import F
from django.utils import timezone

from annotation.actions import assignments
from annotation.actions.assignments import available as module
from annotation.actions.assignments import tasks_available, tasks_for_newcomer
from annotation.actions.assignments.ahead import GOLD_BASE, Ahead
from annotation.actions.campaigns import allot
from annotation.models import Assignment, Campaign, Demand, Enrollment, GoldQuestion
from tests.factories import make_campaign, make_document, make_enrollment, make_task

pytestmark = pytest.mark.django_db

NOTHING = {"mentions": []}


@pytest.fixture
def campaign():
    return make_campaign(redundancy=1)


@pytest.fixture
def worker(campaign):
    return make_enrollment(campaign)


def make_tasks(campaign, count, kind=0):
    document = make_document(campaign.project)
    number = campaign.tasks.count()
    tasks = [
        make_task(campaign, document, kind=kind, external_id=f"t{number + n}") for n in range(count)
    ]
    if kind:
        GoldQuestion.objects.bulk_create(
            GoldQuestion(task=task, answer={"mentions": [], "entities": [], "unlabelled": []})
            for task in tasks
        )
    return tasks


def told(enrollment):
    found = tasks_available(Enrollment.objects.select_related("campaign", "worker").get(
        pk=enrollment.pk
    ))  # fmt: skip
    return found.count, found.more


def work_on(worker):
    """One task claimed and submitted; False where there is none."""
    lease = assignments.claim_next(worker.key).assignment
    if lease is None:
        return False
    assignments.submit(worker.key, lease.key, NOTHING)
    return True


def test_the_task_that_the_worker_holds_is_one_of_them(campaign, worker):
    make_tasks(campaign, 5)
    assert told(worker) == (5, False)
    lease = assignments.claim_next(worker.key).assignment
    assert told(worker) == (5, False)
    assignments.submit(worker.key, lease.key, NOTHING)  # and the next is leased with it
    assert told(worker) == (4, False)


def test_tasks_that_are_full_or_were_given_back_do_not_count(campaign, worker):
    tasks = make_tasks(campaign, 5)
    Demand.objects.filter(task=tasks[0]).update(open=0, received=1, ready=False)
    lease = assignments.claim_next(worker.key).assignment
    assignments.return_task(worker.key, lease.key, "hard")
    assert told(worker) == (3, False)


def test_tasks_behind_the_cursor_count_too(campaign, worker):
    make_tasks(campaign, 6)
    ranks = list(campaign.demands.order_by("rank").values_list("rank", flat=True))
    Enrollment.objects.filter(pk=worker.pk).update(cursor=ranks[3])
    assert told(worker) == (6, False)


def test_two_hundred_are_counted_and_more_is_told(campaign, worker, monkeypatch):
    monkeypatch.setattr(module, "MOST", 4)
    make_tasks(campaign, 4)
    assert told(worker) == (4, False)
    make_tasks(campaign, 1)
    assert told(worker) == (4, True)


def test_no_more_rows_are_looked_at_than_a_bound(campaign, worker, monkeypatch):
    monkeypatch.setattr(module, "LOOKED_AT", 3)
    make_tasks(campaign, 5)
    assert told(worker) == (3, True)


@pytest.mark.parametrize(
    "change",
    [{"campaign": {"state": "paused"}}, {"campaign": {"open_to": "selected"}},
     {"enrollment": {"state": "paused"}}, {"enrollment": {"state": "blocked"}}],
)  # fmt: skip
def test_who_may_not_work_is_told_none(campaign, worker, change):
    make_tasks(campaign, 3)
    Campaign.objects.update(**change.get("campaign", {"state": "open"}))
    Enrollment.objects.update(**change.get("enrollment", {"cursor": -1}))
    assert told(worker) == (0, False)


def test_no_more_are_promised_than_the_budget_pays(worker, campaign):
    make_tasks(campaign, 9)
    Campaign.objects.update(pay_mills=10, budget_mills=50, committed_mills=20)
    Enrollment.objects.update(allowance_mills=10)
    assert told(worker) == (4, False)


def test_what_the_claim_itself_has_taken_out_of_the_budget_is_gone(worker, campaign):
    make_tasks(campaign, 9)
    Campaign.objects.update(pay_mills=10, budget_mills=50)
    claimed = assignments.claim_next(worker.key).enrollment  # as joining with a task tells it
    found = tasks_available(claimed)
    assert (found.count, found.more) == told(worker) == (5, False)


def test_money_of_idle_workers_that_a_claim_wins_back_is_no_longer_promised(worker, campaign):
    make_tasks(campaign, 9)
    long_ago = timezone.now() - timedelta(days=1)
    make_enrollment(campaign, allowance_mills=30, seen_at=long_ago)
    Campaign.objects.update(pay_mills=10, budget_mills=30, committed_mills=30)
    found = tasks_available(assignments.claim_next(worker.key).enrollment)
    assert (found.count, found.more) == told(worker) == (3, False)


def test_practice_comes_on_top():
    campaign = make_campaign(training_size=2)
    beginner = make_enrollment(campaign, state="training")
    make_tasks(campaign, 3)
    make_tasks(campaign, 2, kind=Demand.Kind.TRAINING)
    assert told(beginner) == (5, False)


@pytest.mark.parametrize("due", [1, 2, 3])  # plain tasks before each
def test_the_number_falls_by_one_with_each_answer_and_tells_no_gold(due, monkeypatch):
    campaign = make_campaign(redundancy=1, gold_every=3)
    worker = make_enrollment(campaign)
    make_tasks(campaign, 20)
    make_tasks(campaign, 15, kind=Demand.Kind.HIDDEN)
    before, kinds = told(worker)[0], []

    def place_of_gold(ahead, campaign):
        return GOLD_BASE if kinds[-due:] == [Demand.Kind.PLAIN] * due else None

    monkeypatch.setattr(Ahead, "gold_place", place_of_gold)
    assert before == 30  # one in three is gold: ten on the way through twenty
    while campaign.demands.filter(kind=0, ready=True).count() > 3:
        lease = assignments.claim_next(worker.key).assignment
        kinds.append(Demand.objects.get(task=lease.task_id).kind)
        assert told(worker)[0] == before, kinds
        assignments.submit(worker.key, lease.key, NOTHING)
        # Where they get more gold than the average it waits, whatever they answer, at the task that
        # they hold and one more.
        before = max(2, before - 1)
        assert told(worker)[0] == before, kinds
    assert set(kinds) == {0, 2}
    assert (before == 2) == (due == 1)


def test_gold_alone_is_nothing_to_come_for():
    campaign = make_campaign(redundancy=1, gold_every=3)
    worker = make_enrollment(campaign)
    make_tasks(campaign, 5, kind=Demand.Kind.HIDDEN)
    assert told(worker) == (0, False)


def test_in_an_assigned_campaign_it_is_what_the_list_still_holds():
    campaign = make_campaign(assignment="assigned", redundancy=1)
    names = [task.external_id for task in make_tasks(campaign, 4)]
    Demand.objects.update(wanted=0, open=0, ready=False)
    allot(campaign, [("ann", name) for name in names[:3]] + [("bob", name) for name in names])
    ann = Enrollment.objects.get(worker__external_id="ann")
    Enrollment.objects.update(state="qualified")
    assert told(ann) == (3, False)
    assert work_on(ann)
    assert told(ann) == (2, False)
    # What ran out comes back to them.
    Assignment.objects.live().update(expires_at=F("leased_at"))
    assignments.expire_overdue()
    assert told(ann) == (2, False)


def test_the_count_costs_the_same_for_any_number_of_tasks(django_assert_max_num_queries):
    campaign = make_campaign(redundancy=1, gold_every=3, pay_mills=1, budget_mills=10_000)
    worker = make_enrollment(campaign)
    make_tasks(campaign, 30)
    make_tasks(campaign, 5, kind=Demand.Kind.HIDDEN)
    for _ in range(3):
        work_on(worker)
    enrollment = Enrollment.objects.select_related("campaign", "worker").get(pk=worker.pk)
    with django_assert_max_num_queries(5):
        tasks_available(enrollment)


@pytest.mark.parametrize(
    ("fields", "step"),
    [({}, 5), ({"gold_every": 2}, 10), ({"pay_mills": 30, "budget_mills": 90}, None)],
)
def test_the_first_page_tells_the_step_below_what_the_head_will(
    campaign, fields, step, django_assert_max_num_queries
):
    Campaign.objects.update(**fields)
    campaign.refresh_from_db()
    make_tasks(campaign, 9)
    make_tasks(campaign, 4, Demand.Kind.HIDDEN)
    with django_assert_max_num_queries(3):
        before = tasks_for_newcomer(campaign)
    assert before == step
    count, _ = told(make_enrollment(campaign))
    assert count < 5 if step is None else step <= count < 2 * step


def test_the_first_page_tells_that_nothing_is_left_once_nobody_holds_a_task():
    campaign = make_campaign(redundancy=1, gold_every=4)
    make_tasks(campaign, 1)
    assert tasks_for_newcomer(campaign) is None
    worker = make_enrollment(campaign)
    assignments.claim_next(worker.key)
    assert tasks_for_newcomer(campaign) is None  # or it would tell that this one is no gold
    work_on(worker)
    assert tasks_for_newcomer(campaign) == 0


def test_what_anybody_may_ask_tells_of_no_task_whether_it_is_gold():
    """With one answer a task, a claim takes a plain one from what is ready; gold stays there."""
    campaign = make_campaign(redundancy=1, gold_every=4)
    make_tasks(campaign, 19)
    make_tasks(campaign, 6, Demand.Kind.HIDDEN)
    worker = make_enrollment(campaign)
    seen = [tasks_for_newcomer(campaign)]
    for _ in range(9):
        work_on(worker)
        seen.append(tasks_for_newcomer(campaign))
    assert seen[0] == 20
    asked = Assignment.objects.filter(task__demand__kind=Demand.Kind.HIDDEN)
    assert asked.exists()
    fell = [a - b for a, b in pairwise(seen) if a != b]
    assert len(fell) <= 1  # where a step is passed, and not with each plain one


def test_who_must_be_selected_is_promised_none(campaign):
    make_tasks(campaign, 9)
    campaign.open_to = Campaign.OpenTo.SELECTED
    assert tasks_for_newcomer(campaign) is None


def test_who_gets_tasks_by_name_is_promised_none(campaign):
    make_tasks(campaign, 9)
    campaign.assignment = Campaign.AssignmentMode.ASSIGNED
    assert tasks_for_newcomer(campaign) is None
