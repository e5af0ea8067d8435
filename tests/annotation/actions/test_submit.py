"""What becomes of an answer."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from annotation.actions import assignments
from annotation.actions.integrity import check_campaign
from annotation.interfaces import AnswerError
from annotation.interfaces.judgments import unpack
from annotation.models import (
    Assignment,
    Campaign,
    Demand,
    Enrollment,
    ImmutableRow,
    Payment,
    Response,
)
from annotation.queries.history import history_page
from tests.factories import make_campaign, make_enrollment, make_task

pytestmark = pytest.mark.django_db

NOTHING = {"mentions": []}
ADA = {"mentions": [{"id": "m1", "start": 0, "end": 2, "type": "PER"}]}


@pytest.fixture
def campaign():
    return make_campaign(redundancy=1, pay_mills=10, budget_mills=1_000)


@pytest.fixture
def task(campaign):
    return make_task(campaign)


@pytest.fixture
def worker(campaign):
    return make_enrollment(campaign)


@pytest.fixture
def lease(task, worker):
    return assignments.claim_next(worker.key).assignment


def submit(worker, lease, answer=NOTHING, **options):
    return assignments.submit(worker.key, lease.key, answer, **options)


def demand_of(task):
    row = Demand.objects.get(task=task)
    return row.open, row.leased, row.received


def balance(campaign):
    """What is committed, and what it should be."""
    row = Campaign.objects.get(pk=campaign.pk)
    ledger = sum(
        Payment.objects.exclude(state=Payment.State.UNFUNDED).values_list("mills", flat=True)
    )
    leased = sum(Assignment.objects.live().values_list("pay_mills", flat=True))
    allowances = sum(Enrollment.objects.values_list("allowance_mills", flat=True))
    return row.committed_mills, ledger + leased + allowances


def expire(lease):
    Assignment.objects.filter(pk=lease.pk).update(expires_at=timezone.now() - timedelta(minutes=1))
    assignments.expire_overdue()


def test_it_works(campaign, task, worker, lease):
    result = submit(worker, lease, ADA, seconds=12.5)

    response = Response.objects.get()
    # Token numbers came in; code points are kept.
    assert [(m["start"], m["end"]) for m in response.answer["mentions"]] == [(0, 12)]
    assert len(unpack(response.judgments)["tags"]) == 7
    assert response.seconds == 12.5
    assert demand_of(task) == (0, 0, 1)
    assert Payment.objects.get().mills == 10
    worker.refresh_from_db()
    assert (worker.submitted, worker.earned_mills, worker.seconds) == (1, 10, 12.5)
    assert result.next.reason == "nothing_left"
    committed, counted = balance(campaign)
    assert committed == counted


def test_posted_twice_is_stored_once_and_the_reply_is_the_same(campaign, worker, lease):
    make_task(campaign)
    first = submit(worker, lease, ADA)
    again = submit(worker, lease, NOTHING)
    assert again.duplicate
    assert again.next.assignment == first.next.assignment
    assert Response.objects.get().answer["mentions"]
    assert Payment.objects.count() == 1


def test_the_reply_to_a_repetition_tells_what_became_of_the_first(campaign, task, worker, lease):
    expire(lease)
    other = make_enrollment(campaign)
    submit(other, assignments.claim_next(other.key).assignment)
    Enrollment.objects.update(allowance_mills=0)
    Campaign.objects.update(budget_mills=10, committed_mills=10)
    for duplicate in (False, True):
        result = submit(worker, lease, ADA)
        assert (result.duplicate, result.counted, result.paid) == (duplicate, False, False)


def test_posted_again_with_nonsense_it_is_still_only_a_repetition(worker, lease):
    submit(worker, lease, ADA)
    assert submit(worker, lease, "nonsense").duplicate


def test_a_wrong_answer_names_the_field_and_leaves_no_trace(task, worker, lease):
    with pytest.raises(AnswerError, match=r"mentions\[0\]\.type"):
        submit(worker, lease, {"mentions": [{"id": "m1", "start": 0, "end": 1, "type": "?"}]})
    assert not Response.objects.exists()
    assert demand_of(task) == (0, 1, 0)


def test_another_worker_s_assignment_does_not_exist(campaign, lease):
    stranger = make_enrollment(campaign)
    with pytest.raises(assignments.UnknownAssignment):
        submit(stranger, lease)


def test_a_task_given_back_takes_no_answer(worker, lease):
    assignments.return_task(worker.key, lease.key, "too hard")
    with pytest.raises(assignments.AssignmentClosed, match="gave this task back"):
        submit(worker, lease)


def test_a_late_answer_counts_while_the_task_still_wants_one(campaign, task, worker, lease):
    expire(lease)
    result = submit(worker, lease, ADA)
    assert result.counted
    assert result.paid
    assert demand_of(task) == (0, 0, 1)
    assert Assignment.objects.get().state == Assignment.State.SUBMITTED
    assert len(set(balance(campaign))) == 1


def test_a_late_answer_to_a_filled_task_is_kept_and_paid_but_not_counted(
    campaign, task, worker, lease
):
    expire(lease)
    other = make_enrollment(campaign)
    submit(other, assignments.claim_next(other.key).assignment)

    result = submit(worker, lease, ADA)

    assert not result.counted
    assert result.paid
    assert demand_of(task) == (0, 0, 1)
    assert Assignment.objects.get(pk=lease.pk).state == Assignment.State.LATE
    assert Response.objects.count() == 2
    assert len(set(balance(campaign))) == 1


def test_a_late_answer_without_money_opens_a_payable(campaign, task, worker, lease):
    expire(lease)
    Enrollment.objects.update(allowance_mills=0)
    Campaign.objects.update(budget_mills=0, committed_mills=0)
    result = submit(worker, lease, ADA)
    assert not result.paid
    assert Payment.objects.get().state == Payment.State.UNFUNDED
    worker.refresh_from_db()
    assert worker.earned_mills == 0
    assert len(set(balance(campaign))) == 1


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_what_is_leased_may_be_submitted_after_the_campaign_stopped(
    campaign, task, worker, lease, state
):
    Campaign.objects.update(state=state)
    result = submit(worker, lease)
    assert result.counted
    assert result.next.reason == f"campaign_{state}"


def test_a_paused_worker_s_lease_may_be_submitted(worker, lease):
    Enrollment.objects.update(state="paused", state_reason="Many names were missed.")
    assert submit(worker, lease).next.reason == "paused"
    assert Response.objects.exists()


def test_raw_tags_are_kept_with_gaps_and_illegal_moves(worker, lease):
    tags = ["O", "I-PER", "?", "B-LOC", "O", "O", "O"]
    submit(worker, lease, {"tags": tags})
    response = Response.objects.get()
    assert response.answer == {"tags": tags}
    assert unpack(response.judgments)["tags"][2] == -1


# --- The response never changes ---------------------------------------------------------------


def test_the_model_refuses_to_change_a_response(worker, lease):
    submit(worker, lease)
    response = Response.objects.get()
    with pytest.raises(ImmutableRow):
        response.save()
    with pytest.raises(ImmutableRow):
        response.delete()
    with pytest.raises(ImmutableRow):
        Response.objects.update(seconds=1)
    with pytest.raises(ImmutableRow):
        Response.objects.all().delete()


def test_the_database_refuses_to_change_a_response(worker, lease):
    from django.db import connection

    submit(worker, lease)
    with (
        pytest.raises(DatabaseError, match="never changed or deleted"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE annotation_response SET seconds = 1")


@pytest.mark.postgres
def test_postgresql_refuses_to_delete_a_response(worker, lease):
    from django.db import connection

    submit(worker, lease)
    with (
        pytest.raises(DatabaseError, match="never changed or deleted"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("DELETE FROM annotation_response")


def test_the_ledger_keeps_its_amounts(worker, lease):
    from django.db import connection

    submit(worker, lease)
    with pytest.raises(ValueError, match="append-only"):
        Payment.objects.update(mills=99)
    with pytest.raises(ValueError, match="append-only"):
        Payment.objects.all().delete()
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE annotation_payment SET mills = 99")
    assert Payment.objects.update(state=Payment.State.PAID) == 1


CARDS = [{"id": f"c{i}", "name": f"Ada {i}", "sentence": "", "type": "PER"} for i in range(7)]


def linking_lease(**options):
    campaign = make_campaign(
        interface="linking", redundancy=1, pay_mills=100, budget_mills=1_000, options=options
    )
    make_task(campaign, payload={"mentions": CARDS})
    worker = make_enrollment(campaign)
    return campaign, worker, assignments.claim_next(worker.key).assignment


def left_open(number):
    names = [card["id"] for card in CARDS]
    decided = names[: len(names) - number]
    clusters = [{"link": None, "mentions": decided}] if decided else []
    return {"clusters": clusters, "unsure": [], "undecided": names[len(decided) :]}


@pytest.mark.parametrize(
    ("options", "number", "mills"),
    [({}, 4, 43), ({}, 0, 100), ({}, 7, 0), ({"full_pay": True}, 4, 100)],
    ids=["3 of 7, rounded up", "all", "none", "full price"],
)
def test_undecided_cards_are_not_paid_and_their_money_returns(options, number, mills):
    campaign, worker, lease = linking_lease(**options)
    for _ in range(2):  # the second time is a duplicate, and says the same
        assert submit(worker, lease, left_open(number)).pay_mills == mills

    worker.refresh_from_db()
    paid = list(Payment.objects.values_list("mills", flat=True))
    assert paid == ([mills] if mills else [])
    assert worker.earned_mills == mills
    lease.refresh_from_db()
    assert lease.pay_mills == mills
    committed, counted = balance(campaign)
    assert committed == counted == mills + worker.allowance_mills
    assert Response.objects.get().answer["undecided"] == left_open(number)["undecided"]

    (row,) = history_page(worker.key)["rows"]
    part = {"number": 7 - number, "of": 7, "in_full": bool(options)} if number else None
    assert (row["decided"], row["pay_mills"]) == (part, mills)


def test_a_late_answer_is_paid_by_what_it_decides_too():
    campaign, worker, lease = linking_lease()
    expire(lease)
    assert submit(worker, lease, left_open(4)).pay_mills == 43

    committed, counted = balance(campaign)
    assert committed == counted
    assert Payment.objects.get().mills == 43
    assert check_campaign(campaign) == []
