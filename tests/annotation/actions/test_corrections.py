"""A worker's last answer, corrected: it counts, and nothing else moves."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from aggregation import arrays
from aggregation.arrays.answers import read_answers
from annotation.actions import assignments, rejections
from annotation.actions.assignments import CannotCorrect, UnknownAssignment
from annotation.actions.integrity import check_campaign
from annotation.interfaces import AnswerError
from annotation.models import (
    Campaign,
    Correction,
    Demand,
    Enrollment,
    GoldQuestion,
    ImmutableRow,
    Payment,
    Response,
)
from annotation.queries import exports
from annotation.queries.history import history_page
from tests.factories import make_campaign, make_enrollment, make_task

pytestmark = pytest.mark.django_db

A, B = ({"choice": name, "unsure": False, "value": None, "note": ""} for name in "AB")


@pytest.fixture
def campaign():
    return make_campaign(
        interface="choice", redundancy=1, pay_mills=10, options={"choices": ["A", "B"]}
    )


@pytest.fixture
def worker(campaign):
    for _ in range(3):
        make_task(campaign)
    return make_enrollment(campaign)


def answered(worker, answer=A):
    lease = assignments.claim_next(worker.key).assignment
    assignments.submit(worker.key, lease.key, answer)
    return lease


def refused(worker, lease, answer=B, **options):
    with pytest.raises(CannotCorrect) as told:
        assignments.correct(worker.key, lease.key, answer, **options)
    return told.value.problem.code


def offered(worker):
    return [row["can_correct"] for row in history_page(worker.key)["rows"]]


def test_it_works(campaign, worker):
    lease = answered(worker)
    before = (
        Response.objects.get().answer, Demand.objects.values_list("received", flat=True).first(),
        list(Payment.objects.values_list("mills", flat=True)), offered(worker),
    )  # fmt: skip
    assignments.correct(worker.key, lease.key, B)
    assignments.correct(worker.key, lease.key, B)  # sent twice, it is one

    assert Correction.objects.get().answer == B
    assert before[0] == Response.objects.get().answer == A
    assert before[1] == Demand.objects.values_list("received", flat=True).first() == 1
    assert before[2] == list(Payment.objects.values_list("mills", flat=True)) == [10]
    assert before[3] == [True]
    assert offered(worker) == [False]
    assert check_campaign(campaign) == []
    assert refused(worker, lease, A) == "correction.once"


def test_it_counts_wherever_answers_are_read(campaign, worker):
    lease = answered(worker)
    moment = timezone.now()
    assignments.correct(worker.key, lease.key, B)

    (exported,) = exports.responses(campaign)
    assert exported.answer == B
    assert exported.facts["corrected_at"] is not None
    labels = read_answers(campaign, "choice", False, None, None, None)
    first = read_answers(campaign, "choice", False, None, None, None, until=moment)
    assert labels.values.tolist() != first.values.tolist()
    digests = [
        arrays.inputs_of(campaign, clamp=False, from_gold=False, until=until)["answers"]
        for until in (moment, timezone.now())
    ]
    assert digests[0] != digests[1]


def test_until_the_next_answer_or_for_as_long_as_the_campaign_allows(campaign, worker):
    first = answered(worker)
    second = answered(worker)
    assert offered(worker) == [True, False]
    assert refused(worker, first) == "correction.over"
    Campaign.objects.update(correction_seconds=60)
    assert offered(worker) == [True, True]
    # The last one waits for no clock.
    until = [row["correct_until"] for row in history_page(worker.key)["rows"]]
    first.refresh_from_db()
    assert until == [None, first.submitted_at + timedelta(seconds=60)]
    late = timezone.now() + timedelta(seconds=61)
    assert refused(worker, first, now=late) == "correction.over"
    assignments.correct(worker.key, first.key, B)
    assignments.correct(worker.key, second.key, B, now=late)  # it is the last one still
    assert Correction.objects.count() == 2


def test_a_lease_a_foreign_answer_and_a_wrong_one_are_refused(campaign, worker):
    lease = assignments.claim_next(worker.key).assignment
    assert refused(worker, lease) == "correction.not_handed_in"
    assignments.submit(worker.key, lease.key, A)
    with pytest.raises(UnknownAssignment):
        assignments.correct(make_enrollment(campaign).key, lease.key, B)
    with pytest.raises(AnswerError):
        assignments.correct(worker.key, lease.key, B | {"choice": "C"})
    rejections.reject(lease, "No.")
    assert offered(worker) == [False]
    assert refused(worker, lease) == "correction.over"


@pytest.mark.parametrize("state", ["paused", "blocked"])
def test_who_is_out_corrects_nothing(worker, state):
    lease = answered(worker)
    Enrollment.objects.update(state=state)
    assert offered(worker) == [False]
    assert refused(worker, lease) == "correction.over"


@pytest.mark.parametrize("kind", [Demand.Kind.TRAINING, Demand.Kind.EXAM])
def test_practice_and_test_stand(campaign, worker, kind):
    lease = answered(worker)
    Demand.objects.filter(task=lease.task_id).update(kind=kind)
    assert offered(worker) == [False]
    assert refused(worker, lease) == "correction.over"


def test_hidden_gold_is_corrected_like_any_task_and_scored_on_the_first_answer(campaign, worker):
    lease = answered(worker)
    plain = (offered(worker), history_page(worker.key)["rows"][0].keys())
    GoldQuestion.objects.create(task_id=lease.task_id, answer=B)
    Demand.objects.filter(task=lease.task_id).update(kind=Demand.Kind.HIDDEN)
    assert plain == (offered(worker), history_page(worker.key)["rows"][0].keys())
    before = Enrollment.objects.values("gold_seen", "gold_score_sum").get(pk=worker.pk)
    assignments.correct(worker.key, lease.key, B)
    assert before == Enrollment.objects.values("gold_seen", "gold_score_sum").get(pk=worker.pk)


def test_where_the_test_is_hidden_gold_nothing_tells_it(campaign, worker):
    Campaign.objects.update(exam_is_hidden=True)
    lease = answered(worker)
    assert refused(worker, lease) == "correction.over"


def test_a_correction_is_never_changed(worker):
    lease = answered(worker)
    row = assignments.correct(worker.key, lease.key, B)
    with pytest.raises(ImmutableRow):
        row.save()
    with pytest.raises(ImmutableRow):
        row.delete()
    with pytest.raises(ImmutableRow):
        Correction.objects.update(answer=A)
    with pytest.raises(DatabaseError), transaction.atomic():
        Correction._base_manager.filter(pk=row.pk).update(answer_version=9)
