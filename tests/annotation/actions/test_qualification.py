"""From practice by way of the test to paid work, in a bounded number of tries."""

from __future__ import annotations

import pytest

from annotation.actions import assignments, tokens, workers
from annotation.actions.assignments import tasks_available
from annotation.actions.assignments.qualification import end_training
from annotation.models import Demand, Enrollment, GoldQuestion
from tests.factories import make_campaign, make_enrollment, make_task

pytestmark = pytest.mark.django_db

RIGHT = {"mentions": [{"id": "m1", "start": 0, "end": 2, "type": "PER"}]}
WRONG = {"mentions": [], "entities": []}
KNOWN = {
    "mentions": [{"id": "m1", "start": 0, "end": 12, "type": "PER", "entity": None}],
    "entities": [],
    "unlabelled": [],
}


def make_gold(campaign, kind, number):
    for _ in range(number):
        task = make_task(campaign, kind=kind)
        GoldQuestion.objects.create(task=task, answer=KNOWN, explanation="Ada is a person.")


def work_through(worker, answers):
    """Hand in one answer after the other; what came of each, until there is no task."""
    replies, lease = [], assignments.claim_next(worker.key).assignment
    for answer in answers:
        replies.append(assignments.submit(worker.key, lease.key, answer))
        lease = replies[-1].next.assignment
    worker.refresh_from_db()
    return replies


def test_the_exam_follows_the_practice_and_decides():
    campaign = make_campaign(training_size=1, exam_size=2, pass_score=0.7)
    make_gold(campaign, Demand.Kind.TRAINING, 1)
    make_gold(campaign, Demand.Kind.HIDDEN, 3)
    plain = make_task(campaign)
    worker = make_enrollment(campaign, state="training")

    replies = work_through(worker, [WRONG, RIGHT, RIGHT])

    assert replies[0].next.enrollment.milestone[0] == "exam"
    assert replies[0].feedback["score"] == 0
    assert [reply.feedback for reply in replies[1:]] == [None, None]
    assert replies[2].next.enrollment.milestone == (
        "qualified",
        "You are in: your test tasks were 100% right. From here on the work counts.",
    )
    assert replies[2].next.assignment.task == plain
    assert worker.state == "qualified"
    assert (worker.gold_seen, worker.gold_score_sum) == (2, 2)  # a first try counts


def test_who_fails_tries_again_with_other_tasks_and_the_second_try_proves_nothing():
    campaign = make_campaign(training_size=1, exam_size=1, tries=2)
    make_gold(campaign, Demand.Kind.TRAINING, 1)
    make_gold(campaign, Demand.Kind.HIDDEN, 2)
    make_task(campaign)
    worker = make_enrollment(campaign, state="training")

    replies = work_through(worker, [RIGHT, WRONG, RIGHT])

    kind, told = replies[1].next.enrollment.milestone
    assert kind == "exam"  # there is no practice left
    assert told.startswith(
        "The test tasks were 0% right; 70% are needed. You can try again, with other tasks: this "
        "is try 2 of 2. Practice is over."
    )
    assert worker.state == "qualified"
    assert (worker.gold_seen, worker.gold_score_sum) == (1, 0)
    shown = [reply.next.assignment.task_id for reply in replies if reply.next.assignment]
    assert len(set(shown)) == 3


def test_the_last_try_ends_in_a_pause_that_says_why():
    campaign = make_campaign(training_size=2, tries=2, pass_score=0.9)
    make_gold(campaign, Demand.Kind.TRAINING, 4)
    make_task(campaign)
    worker = make_enrollment(campaign, state="training")

    replies = work_through(worker, [WRONG, RIGHT, WRONG, RIGHT])

    assert replies[1].next.enrollment.milestone[0] == "again"
    assert replies[3].next.reason == "paused"
    assert worker.state_reason == "The practice tasks were 50% right; 90% are needed."
    assert worker.state_by == "qualification"


def test_too_little_does_not_read_like_enough():
    campaign = make_campaign(training_size=3, tries=1, pass_score=0.67)
    make_gold(campaign, Demand.Kind.TRAINING, 3)
    worker = make_enrollment(campaign, state="training")
    work_through(worker, [RIGHT, RIGHT, WRONG])
    assert worker.state_reason == "The practice tasks were 66% right; 67% are needed."


def test_enough_is_enough_however_the_sum_was_rounded():
    campaign = make_campaign(training_size=3, pass_score=0.7)
    worker = make_enrollment(
        campaign, state="training", training_seen=3, training_score_sum=2.0999999999999996
    )  # .7, three times
    end_training(worker)
    assert worker.state == "qualified"


def test_without_enough_fresh_tasks_there_is_no_other_try():
    campaign = make_campaign(training_size=2, tries=5)
    make_gold(campaign, Demand.Kind.TRAINING, 3)
    worker = make_enrollment(campaign, state="training")
    work_through(worker, [WRONG, WRONG])
    assert worker.state == "paused"


def test_an_exam_alone_is_the_first_thing():
    campaign = make_campaign(exam_size=1)
    make_gold(campaign, Demand.Kind.HIDDEN, 1)
    make_task(campaign)
    link = tokens.read_link(tokens.campaign_link(campaign))
    worker = workers.join(link)
    assert worker.state == Enrollment.State.EXAM
    (reply,) = work_through(worker, [RIGHT])
    assert reply.feedback is None
    assert worker.state == Enrollment.State.QUALIFIED


def test_where_no_practice_is_asked_for_the_next_try_is_the_exam_again():
    campaign = make_campaign(exam_size=1, tries=2)
    make_gold(campaign, Demand.Kind.TRAINING, 1)  # set aside, and not asked for
    make_gold(campaign, Demand.Kind.HIDDEN, 2)
    worker = make_enrollment(campaign, state="exam")
    (reply,) = work_through(worker, [WRONG])
    assert reply.next.enrollment.milestone[0] == "again"
    assert (worker.state, reply.next.assignment.task.demand.kind) == ("exam", Demand.Kind.HIDDEN)


def test_an_exam_that_has_run_out_is_judged_by_what_was_answered():
    campaign = make_campaign(exam_size=3)
    make_gold(campaign, Demand.Kind.HIDDEN, 1)
    make_task(campaign)
    worker = make_enrollment(campaign, state="exam")
    (reply,) = work_through(worker, [RIGHT])
    assert reply.next.assignment is not None
    assert worker.state == "qualified"


def test_practice_and_exam_are_among_what_is_available():
    campaign = make_campaign(training_size=2, exam_size=1, redundancy=1)
    make_gold(campaign, Demand.Kind.TRAINING, 4)
    make_gold(campaign, Demand.Kind.HIDDEN, 1)
    for _ in range(3):
        make_task(campaign)
    worker = make_enrollment(campaign, state="training")
    counted = []
    lease = assignments.claim_next(worker.key).assignment
    while lease is not None:
        worker.refresh_from_db()
        counted.append(tasks_available(worker).count)
        lease = assignments.submit(worker.key, lease.key, RIGHT).next.assignment
    assert counted[0] == 2 + 1 + 3
    assert counted[3:] == [3, 2, 1]


def test_the_claim_of_a_test_task_costs_no_more_than_of_another(django_assert_max_num_queries):
    campaign = make_campaign(exam_size=2, tries=2)
    make_gold(campaign, Demand.Kind.HIDDEN, 6)
    make_task(campaign)
    worker = make_enrollment(campaign, state="exam")
    with django_assert_max_num_queries(6):
        lease = assignments.claim_next(worker.key).assignment
    with django_assert_max_num_queries(17):  # with five savepoints of the test's own transaction
        assignments.submit(worker.key, lease.key, RIGHT)
