"""Who is given which task."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from annotation.actions import assignments
from annotation.actions.assignments import ahead, demand
from annotation.actions.assignments import claim as claiming
from annotation.actions.assignments.ahead import WINDOW
from annotation.models import Assignment, Campaign, Demand, Enrollment
from tests.annotation.actions.claims import (
    NOTHING,
    RIGHT,
    SAVEPOINTS,
    claim,
    counts,
    submit,
    with_gold,
)
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_task,
    make_worker,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return make_campaign(redundancy=2)


@pytest.fixture
def worker(campaign):
    return make_enrollment(campaign)


def test_it_works(campaign, worker):
    task = make_task(campaign)

    found = claim(worker)

    assert found.assignment.task == task
    assert counts(task) == (1, 1, 0)
    assert found.assignment.expires_at > timezone.now()


def test_asked_twice_the_same_lease_is_given(campaign, worker):
    make_task(campaign)
    make_task(campaign)
    assert claim(worker).assignment == claim(worker).assignment
    assert Assignment.objects.count() == 1


def test_tasks_come_in_the_order_of_their_rank_where_nothing_is_drawn(campaign, worker):
    tasks = [make_task(campaign, demand={"rank": rank << 20}) for rank in (30, 10, 20)]
    assert work_through(worker) == [tasks[1].pk, tasks[2].pk, tasks[0].pk]


@pytest.fixture
def drawn(monkeypatch):
    monkeypatch.setattr(ahead, "draw", random.Random(1))


def work_through(worker):
    """The ids of all tasks, in the order in which they came."""
    given = []
    following = claim(worker)
    while following.assignment:
        given.append(following.assignment.task_id)
        following = submit(worker, following.assignment).next
    return given


@pytest.mark.usefixtures("drawn")
def test_each_task_is_one_of_the_next_in_the_order_of_ranks_and_none_is_left_out(campaign, worker):
    tasks = [make_task(campaign).pk for _ in range(40)]
    left = list(tasks)
    for given in (order := work_through(worker)):
        assert given in left[:WINDOW]
        left.remove(given)
    assert left == []
    orders = {tuple(order), tuple(work_through(make_enrollment(campaign)))}
    assert len(orders) == 2


@pytest.mark.usefixtures("drawn")
def test_a_priority_is_done_before_the_next_one_begins(campaign, worker):
    tasks = [make_task(campaign).pk for _ in range(12)]
    urgent = tasks[4:9:2]
    assignments.set_priorities(campaign, dict.fromkeys(urgent, 7) | {tasks[10]: 3})
    Demand.objects.exclude(task__in=[*urgent, tasks[10]]).update(rank=F("rank") + 65535 * 2**47)
    given = work_through(worker)
    assert set(given[:3]) == set(urgent)
    assert given[3] == tasks[10]
    assert set(given) == set(tasks)


def test_what_others_have_locked_is_passed_by_and_not_lost(campaign, worker, monkeypatch):
    """As where each task of the window is being given out at this moment."""
    tasks = [make_task(campaign).pk for _ in range(WINDOW + 3)]
    first = claim(worker).assignment
    with monkeypatch.context() as locked:
        locked.setattr(claiming, "take_near", lambda *args, **options: None)
        locked.setattr(connection.features, "has_select_for_update_skip_locked", True)
        locked.setattr(claiming, "take_any", lambda *_: demand.take_first("SELECT %s", [tasks[-1]]))
        second = submit(worker, first).next.assignment
    assert second.task_id == tasks[-1]
    following, given = submit(worker, second).next, []
    while following.assignment:
        given.append(following.assignment.task_id)
        following = submit(worker, following.assignment).next
    assert sorted([first.task_id, second.task_id, *given]) == tasks


@pytest.mark.usefixtures("drawn")
def test_pairs_of_a_document_come_together():
    """The last 20 bits of a rank are the task's place in its document."""
    campaign = make_campaign(redundancy=1)
    documents = [make_document(campaign.project) for _ in range(4)]
    for number, document in enumerate(documents):
        for place in range(3):
            make_task(
                campaign, document, external_id=f"{number}-{place}",
                demand={"rank": (number << 20) + place},
            )  # fmt: skip
    order = dict(campaign.tasks.values_list("pk", "document"))
    given = [order[task] for task in work_through(make_enrollment(campaign))]
    assert all(len(set(given[i : i + 3])) == 1 for i in range(0, 12, 3))


def test_no_task_is_given_to_a_worker_twice(campaign, worker):
    make_task(campaign)
    submit(worker, claim(worker).assignment)

    found = claim(worker)

    assert found.assignment is None
    assert found.reason == "nothing_left"


def test_a_full_task_is_given_to_nobody(campaign):
    make_task(campaign)
    for _ in range(2):
        other = make_enrollment(campaign)
        submit(other, claim(other).assignment)
    assert claim(make_enrollment(campaign)).assignment is None


def test_a_worker_who_found_nothing_rests_before_the_next_search(
    campaign, worker, django_assert_num_queries
):
    claim(worker)
    make_task(campaign)
    with django_assert_num_queries(2 + SAVEPOINTS):  # the lock, and "seen"
        assert claim(worker).reason == "nothing_left"


def test_rest_ends_when_the_epoch_changes(campaign, worker):
    claim(worker)
    task = make_task(campaign)
    Campaign.objects.update(epoch=1)
    assert claim(worker).assignment.task == task


def test_slots_behind_the_cursor_are_found_on_the_next_lap(campaign, worker):
    first = make_task(campaign, demand={"rank": 1})
    Enrollment.objects.update(cursor=2)
    assert claim(worker).assignment.task == first


def test_an_overdue_lease_of_somebody_else_is_taken_back_when_nothing_else_is_left(campaign):
    late, here = make_enrollment(campaign), make_enrollment(campaign)
    task = make_task(campaign, demand={"wanted": 1})
    lease = claim(late).assignment
    Assignment.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert claim(here).assignment.task == task

    lease.refresh_from_db()
    assert lease.state == Assignment.State.EXPIRED
    assert counts(task) == (0, 1, 0)


def test_a_worker_s_own_overdue_lease_is_renewed_when_they_come_back(campaign, worker):
    make_task(campaign)
    lease = claim(worker).assignment
    Assignment.objects.update(expires_at=timezone.now() - timedelta(hours=1))
    again = claim(worker).assignment
    assert again == lease
    assert again.expires_at > timezone.now()


@pytest.mark.parametrize("state", ["draft", "paused", "closed"])
def test_only_an_open_campaign_gives_tasks(campaign, worker, state):
    make_task(campaign)
    Campaign.objects.update(state=state)
    assert claim(worker).reason == f"campaign_{state}"


@pytest.mark.parametrize("state", ["paused", "blocked", "done", "invited"])
def test_a_worker_who_may_not_work_gets_the_reason(campaign, state):
    make_task(campaign)
    assert claim(make_enrollment(campaign, state=state)).reason == state


def test_a_worker_blocked_on_the_platform_gets_nothing_anywhere(campaign):
    make_task(campaign)
    worker = make_worker(blocked_at=timezone.now())
    assert claim(make_enrollment(campaign, worker)).reason == "blocked"


def test_a_campaign_for_the_selected_gives_nothing_to_the_merely_qualified(campaign):
    make_task(campaign)
    Campaign.objects.update(open_to="selected")
    assert claim(make_enrollment(campaign)).reason == "not_selected"
    assert claim(make_enrollment(campaign, state="selected")).assignment is not None


def test_broad_spread_starts_within_the_most_urgent_priority():
    campaign = make_campaign(spread="broad", epoch=1)
    bucket = 2**47
    urgent = [make_task(campaign, demand={"rank": n * bucket // 10}) for n in range(1, 10)]
    other = make_task(campaign, demand={"rank": 5 * bucket})
    given = {claim(make_enrollment(campaign)).assignment.task_id for _ in range(12)}
    assert len(given) > 1
    starts = Enrollment.objects.values_list("cursor", flat=True)
    assert {*given} <= {*(task.pk for task in urgent), other.pk}
    assert all(cursor < 6 * bucket for cursor in starts)


# --- Gold ----------------------------------------------------------------------------------------


def test_hidden_gold_comes_when_it_is_due_and_never_twice():
    campaign = make_campaign(gold_every=2)
    gold = {with_gold(campaign, Demand.Kind.HIDDEN).pk for _ in range(3)}
    for _ in range(30):
        make_task(campaign)
    worker = make_enrollment(campaign)
    given = work_through(worker)
    assert len(given) == len(set(given)) == 33
    assert gold <= set(given)
    worker.refresh_from_db()
    assert worker.gold_seen == 3
    assert worker.ahead["no_gold"]


def test_counters_of_gold_are_never_touched():
    campaign = make_campaign(gold_every=1)
    task = with_gold(campaign, Demand.Kind.HIDDEN)
    for _ in range(3):
        worker = make_enrollment(campaign)
        submit(worker, claim(worker).assignment)
    assert counts(task) == (1, 0, 0)


def test_training_comes_first_and_the_pass_mark_decides():
    campaign = make_campaign(training_size=2, pass_score=0.9)
    for _ in range(2):
        with_gold(campaign, Demand.Kind.TRAINING)
    plain = make_task(campaign)
    good, poor = (make_enrollment(campaign, state="training") for _ in range(2))

    first = submit(good, claim(good).assignment, RIGHT)
    assert first.training_score == 1
    second = submit(good, first.next.assignment, RIGHT)
    assert second.next.assignment.task == plain

    second = submit(poor, submit(poor, claim(poor).assignment).next.assignment)
    assert second.next.reason == "paused"
    poor.refresh_from_db()
    assert "90% is needed" in str(poor.reason)
    assert poor.gold_seen == 0  # training with feedback says nothing of their later work


@pytest.mark.parametrize(
    ("answer", "state"), [(RIGHT, "qualified"), (NOTHING, "paused"), (None, "paused")]
)
def test_a_worker_who_skipped_practice_is_judged_by_what_they_answered(answer, state):
    campaign = make_campaign(training_size=2)
    for _ in range(2):
        with_gold(campaign, Demand.Kind.TRAINING)
    make_task(campaign)
    worker = make_enrollment(campaign, state="training")
    assignments.return_task(worker.key, claim(worker).assignment.key, "skip")
    lease = claim(worker).assignment
    if answer is None:
        assignments.return_task(worker.key, lease.key, "skip too")
        claim(worker)
    else:
        submit(worker, lease, answer)
    worker.refresh_from_db()
    assert worker.state == state


def test_an_open_campaign_takes_no_wishes(campaign, worker):
    task = make_task(campaign)
    assert claim(worker, task="made up").assignment.task == task
    claim(make_enrollment(campaign, rest_until=timezone.now() + timedelta(hours=1)), task="x")
    assert Assignment.objects.count() == 1
