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
from annotation.actions.assignments.claim import first_place
from annotation.actions.campaigns import allot
from annotation.models import Allotment, Assignment, Campaign, Demand, Enrollment
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_project,
    make_task,
    make_worker,
)

pytestmark = pytest.mark.django_db

NOTHING = {"mentions": [], "entities": []}


@pytest.fixture
def campaign():
    return make_campaign(redundancy=2)


@pytest.fixture
def worker(campaign):
    return make_enrollment(campaign)


def claim(enrollment, **options):
    return assignments.claim_next(enrollment.key, **options)


def submit(enrollment, lease, answer=NOTHING, **options):
    return assignments.submit(enrollment.key, lease.key, answer, **options)


def counts(task):
    row = Demand.objects.get(task=task)
    return row.open, row.leased, row.received


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


def with_gold(campaign, kind, **fields):
    from annotation.models import GoldQuestion

    document = make_document(campaign.project)
    task = make_task(campaign, document, kind=kind, **fields)
    answer = {
        "mentions": [{"id": "m1", "start": 0, "end": 3, "type": "PER", "entity": "e1"}],
        "entities": [{"id": "e1", "canonical": "m1", "link": None, "value": None}],
        "unlabelled": [],
    }
    GoldQuestion.objects.create(task=task, answer=answer)
    return task


RIGHT = {"mentions": [{"id": "m1", "start": 0, "end": 1, "type": "PER"}]}


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
    assert "90% has to be right" in str(poor.reason)
    assert poor.gold_seen == 0  # training with feedback says nothing of their later work


# --- Money ---------------------------------------------------------------------------------------


def committed(campaign):
    return Campaign.objects.get(pk=campaign.pk).committed_mills


def test_the_budget_is_never_passed_and_the_answer_before_it_stands():
    campaign = make_campaign(pay_mills=50, budget_mills=100)
    for _ in range(3):
        make_task(campaign)
    worker = make_enrollment(campaign)
    first = submit(worker, claim(worker).assignment)
    second = submit(worker, first.next.assignment)
    assert second.next.reason == "budget_used_up"
    worker.refresh_from_db()
    assert (worker.submitted, worker.earned_mills) == (2, 100)
    assert committed(campaign) == 100


def test_an_allowance_is_fetched_once_in_many_claims():
    campaign = make_campaign(pay_mills=10)
    for _ in range(3):
        make_task(campaign)
    worker = make_enrollment(campaign)
    lease = claim(worker).assignment
    assert committed(campaign) == 10
    submit(worker, lease)
    worker.refresh_from_db()
    assert committed(campaign) == 10 + 200
    assert worker.allowance_mills == 190
    submit(worker, claim(worker).assignment)
    assert committed(campaign) == 10 + 200


def test_those_who_only_join_hold_one_task_s_pay_each():
    """61 browsers without an answer held the pay of 1,220 tasks."""
    campaign = make_campaign(pay_mills=10, budget_mills=10 * 4_500)
    for _ in range(100):
        make_task(campaign)
    for _ in range(61):
        assert claim(make_enrollment(campaign)).assignment is not None
    assert committed(campaign) == 61 * 10
    honest = make_enrollment(campaign)
    first = submit(honest, claim(honest).assignment)
    assert first.paid
    assert first.next.assignment is not None
    assert committed(campaign) == 61 * 10 + 10 + 20 * 10


def test_a_worker_who_skips_holds_no_more_than_one_who_stays():
    campaign = make_campaign(pay_mills=10, skip_limit=5)
    worker = make_enrollment(campaign)
    for _ in range(4):
        make_task(campaign)
        assignments.return_task(worker.key, claim(worker).assignment.key, "hard")
        assert committed(campaign) == 10


def test_money_fetched_for_a_task_that_was_not_there_goes_back_at_once():
    campaign = make_campaign(pay_mills=50, budget_mills=100)
    worker = make_enrollment(campaign)
    assert claim(worker).reason == "nothing_left"
    assert committed(campaign) == 0


def test_allowances_of_workers_who_left_pay_for_those_who_stay():
    campaign = make_campaign(pay_mills=50, budget_mills=100, committed_mills=100)
    make_enrollment(campaign, allowance_mills=100, seen_at=timezone.now() - timedelta(hours=2))
    make_task(campaign)
    worker = make_enrollment(campaign)
    assert claim(worker).assignment is not None
    assert committed(campaign) == 50


# --- Assigned campaigns --------------------------------------------------------------------------


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


# --- Cost ----------------------------------------------------------------------------------------

SAVEPOINTS = 2  # atomic() inside a test's transaction: SAVEPOINT and RELEASE


def prepared(**fields):
    """A worker in a campaign with gold, pay and a budget."""
    campaign = make_campaign(
        make_project(), gold_every=2, pay_mills=10, budget_mills=10**9, redundancy=3, **fields
    )
    for _ in range(40):
        make_task(campaign)
    for _ in range(2):
        with_gold(campaign, Demand.Kind.HIDDEN)
    return make_enrollment(campaign)


def queries_of(run):
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        result = run()
    return result, len(captured) - SAVEPOINTS


def test_next_takes_at_most_six_queries_and_submit_with_next_at_most_twelve(
    django_capture_on_commit_callbacks,
):
    from annotation.queries.work import next_page

    worker = prepared()
    following, number = queries_of(lambda: (f := claim(worker), next_page(f))[0])
    assert number <= 6
    spent = []
    while following.assignment:
        lease = following.assignment

        def cycle(lease=lease):
            result = submit(worker, lease)
            next_page(result.next)
            return result.next

        # On commit, the process remembers the labels: from then on they cost no query.
        with django_capture_on_commit_callbacks(execute=True):
            following, number = queries_of(cycle)
        spent.append(number)
    steady = spent[1:-1]  # the first fills the label cache, the last searches for what is not there
    assert len(steady) == 40
    assert max(steady) <= 12
    assert sorted(steady)[len(steady) // 2] <= 11


# --- Found in review ------------------------------------------------------------------------------


def test_hidden_gold_comes_though_every_claim_has_to_fetch_its_money():
    campaign = make_campaign(gold_every=3, pay_mills=10, budget_mills=1_000, redundancy=1)
    for _ in range(10):
        with_gold(campaign, Demand.Kind.HIDDEN)
    for _ in range(60):
        make_task(campaign)
    worker = make_enrollment(campaign, **first_place(campaign))
    following = claim(worker)
    while following.assignment:
        following = submit(worker, following.assignment).next
    worker.refresh_from_db()
    assert worker.gold_seen == 10


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
