"""From practice by way of the test to paid work, in a bounded number of tries."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from annotation.actions import assignments, tokens, workers
from annotation.actions.assignments import tasks_available, tasks_for_newcomer
from annotation.actions.assignments.qualification import end_training
from annotation.actions.campaigns import preflight
from annotation.actions.gold import score_gold
from annotation.models import Demand, Enrollment, GoldQuestion
from annotation.queries.history import history_page
from annotation.queries.work import next_page
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
    make_gold(campaign, Demand.Kind.EXAM, 3)
    plain = make_task(campaign)
    worker = make_enrollment(campaign, state="training")

    replies = work_through(worker, [WRONG, RIGHT, RIGHT])

    assert replies[0].next.enrollment.milestone[0] == "exam"
    assert replies[0].feedback["score"] == 0
    assert [reply.feedback for reply in replies[1:]] == [None, None]
    assert next_page(replies[2].next)["milestone"] == {
        "kind": "qualified",
        "message": "Your test tasks were 100% right. From here on your answers are part of the "
        "result.",
    }
    assert replies[2].next.assignment.task == plain
    assert worker.state == "qualified"
    assert (worker.gold_seen, worker.gold_score_sum) == (2, 2)  # a first try counts


def test_who_fails_tries_again_with_other_tasks_and_the_second_try_proves_nothing():
    campaign = make_campaign(training_size=1, exam_size=1, tries=2)
    make_gold(campaign, Demand.Kind.TRAINING, 1)
    make_gold(campaign, Demand.Kind.EXAM, 2)
    make_task(campaign)
    worker = make_enrollment(campaign, state="training")

    replies = work_through(worker, [RIGHT, WRONG, RIGHT])

    told = next_page(replies[1].next)["milestone"]
    assert told == {
        "kind": "again",  # and not that practice is over: it was before, and none is left
        "message": "0% of the test was right; 70% is needed. You can try again with other "
        "tasks: this is try 2 of 2.",
        "available": 1,
        "available_more": False,
    }
    assert worker.state == "qualified"
    assert (worker.gold_seen, worker.gold_score_sum) == (1, 0)
    shown = [reply.next.assignment.task_id for reply in replies if reply.next.assignment]
    assert len(set(shown)) == 3


def test_who_practises_again_before_another_test_is_told():
    campaign = make_campaign(training_size=1, exam_size=1, tries=2)
    make_gold(campaign, Demand.Kind.TRAINING, 2)
    make_gold(campaign, Demand.Kind.EXAM, 2)
    make_task(campaign)
    worker = make_enrollment(campaign, state="training")

    told = next_page(work_through(worker, [RIGHT, WRONG])[1].next)["milestone"]
    assert "try again with other tasks, and practise first" in told["message"]


def test_the_last_try_ends_in_a_pause_that_says_why():
    campaign = make_campaign(training_size=2, tries=2, pass_score=0.9)
    make_gold(campaign, Demand.Kind.TRAINING, 4)
    make_task(campaign)
    worker = make_enrollment(campaign, state="training")

    replies = work_through(worker, [WRONG, RIGHT, WRONG, RIGHT])

    assert replies[1].next.enrollment.milestone[0] == "again"
    assert replies[3].next.reason == "paused"
    assert str(worker.reason) == "50% of the practice was right; 90% is needed."
    assert worker.coded_reason == {
        "code": "qualification.failed",
        "params": {"stage": "training", "right": 0.5, "needed": 0.9},
    }
    assert (worker.state_reason, worker.state_by) == ("", "qualification")


def test_too_little_does_not_read_like_enough():
    campaign = make_campaign(training_size=3, tries=1, pass_score=0.67)
    make_gold(campaign, Demand.Kind.TRAINING, 3)
    worker = make_enrollment(campaign, state="training")
    work_through(worker, [RIGHT, RIGHT, WRONG])
    assert str(worker.reason) == "66% of the practice was right; 67% is needed."


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
    make_gold(campaign, Demand.Kind.EXAM, 1)
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
    make_gold(campaign, Demand.Kind.EXAM, 2)
    worker = make_enrollment(campaign, state="exam")
    (reply,) = work_through(worker, [WRONG])
    assert reply.next.enrollment.milestone[0] == "again"
    assert (worker.state, reply.next.assignment.task.demand.kind) == ("exam", Demand.Kind.EXAM)


def test_an_exam_that_has_run_out_is_judged_by_what_was_answered():
    campaign = make_campaign(exam_size=3)
    make_gold(campaign, Demand.Kind.EXAM, 1)
    make_task(campaign)
    worker = make_enrollment(campaign, state="exam")
    (reply,) = work_through(worker, [RIGHT])
    assert reply.next.assignment is not None
    assert worker.state == "qualified"


def test_practice_and_exam_are_among_what_is_available():
    campaign = make_campaign(training_size=2, exam_size=1, redundancy=1)
    make_gold(campaign, Demand.Kind.TRAINING, 4)
    make_gold(campaign, Demand.Kind.EXAM, 1)
    for _ in range(3):
        make_task(campaign)
    assert tasks_for_newcomer(campaign) == 5  # of 2 + 1 + 3
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
    make_gold(campaign, Demand.Kind.EXAM, 6)
    make_task(campaign)
    worker = make_enrollment(campaign, state="exam")
    with django_assert_max_num_queries(6):
        lease = assignments.claim_next(worker.key).assignment
    with django_assert_max_num_queries(17):  # with five savepoints of the test's own transaction
        assignments.submit(worker.key, lease.key, RIGHT)


def test_my_work_tells_practice_and_test_from_work_and_hidden_gold_from_nothing():
    campaign = make_campaign(training_size=1, exam_size=1, gold_every=1)
    for kind in (Demand.Kind.TRAINING, Demand.Kind.EXAM, Demand.Kind.HIDDEN):
        make_gold(campaign, kind, 1)
    make_task(campaign)
    worker = make_enrollment(campaign, state="training")
    work_through(worker, [RIGHT] * 4)
    told = [row["kind"] for row in history_page(worker.key)["rows"]]
    assert sorted(told[:2]) == ["work", "work"]
    assert told[2:] == ["exam", "training"]


def test_a_test_that_is_drawn_from_hidden_gold_is_told_as_work():
    campaign = make_campaign(exam_size=1, exam_is_hidden=True)
    make_gold(campaign, Demand.Kind.HIDDEN, 1)
    make_task(campaign)
    worker = make_enrollment(campaign, state="exam")
    work_through(worker, [RIGHT, RIGHT])
    assert [row["kind"] for row in history_page(worker.key)["rows"]] == ["work", "work"]


# --- The exam's questions are a kind of their own -----------------------------------------------


def test_hidden_gold_is_asked_in_no_exam_and_an_exam_s_question_in_no_work():
    campaign = make_campaign(exam_size=2, gold_every=1, tries=1)
    make_gold(campaign, Demand.Kind.HIDDEN, 3)
    make_gold(campaign, Demand.Kind.EXAM, 4)
    make_task(campaign)
    worker = make_enrollment(campaign, state="exam")
    work_through(worker, [RIGHT] * 6)
    given = worker.assignments.order_by("pk").values_list("task__demand__kind", flat=True)
    kinds = Demand.Kind
    assert list(given) == [kinds.EXAM] * 2 + [kinds.HIDDEN] * 3 + [kinds.PLAIN]
    assert (worker.gold_seen, worker.gold_score_sum) == (5, 5)  # the exam's first try tells too


def test_a_campaign_that_was_opened_before_goes_on_drawing_its_exam_from_hidden_gold():
    campaign = make_campaign(exam_size=2, exam_is_hidden=True)
    make_gold(campaign, Demand.Kind.HIDDEN, 2)
    plain = make_task(campaign)
    worker = make_enrollment(campaign, state="exam")
    replies = work_through(worker, [RIGHT, RIGHT])
    assert replies[1].next.assignment.task == plain
    assert (worker.state, worker.exam_seen, worker.gold_seen) == ("qualified", 2, 2)
    told = " ".join(str(line) for line in preflight(campaign).warnings if line.gold)
    assert "The exam is drawn from the hidden gold, as it was when this campaign opened" in told


def test_a_late_answer_to_a_further_try_of_the_exam_proves_nothing_either():
    campaign = make_campaign(exam_size=1, tries=2)
    make_gold(campaign, Demand.Kind.EXAM, 1)
    worker = make_enrollment(campaign, state="exam", tries=1)
    lease = assignments.claim_next(worker.key).assignment
    Enrollment.objects.update(state="qualified")
    assignments.submit(worker.key, lease.key, RIGHT)
    worker.refresh_from_db()
    assert (worker.gold_seen, lease.response.gold_score) == (0, None)


def test_scores_made_anew_count_hidden_gold_and_the_exam_together():
    campaign = make_campaign(exam_size=1, gold_every=1)
    make_gold(campaign, Demand.Kind.HIDDEN, 1)
    make_gold(campaign, Demand.Kind.EXAM, 1)
    make_task(campaign)
    worker = make_enrollment(campaign, state="exam")
    work_through(worker, [RIGHT, WRONG, RIGHT])
    before = (worker.gold_seen, worker.gold_score_sum, worker.gold_score_sumsq)
    Enrollment.objects.update(gold_seen=9)
    score_gold(campaign)
    worker.refresh_from_db()
    assert (worker.gold_seen, worker.gold_score_sum, worker.gold_score_sumsq) == before == (2, 1, 1)


# --- The migration ------------------------------------------------------------------------------

MIGRATION = import_module("annotation.migrations.0016_exams_of_their_own")


def kinds_of(campaign):
    return sorted(campaign.demands.values_list("kind", flat=True))


def test_drafts_split_their_hidden_gold_at_most_in_half_and_open_campaigns_keep_theirs():
    fields = {"exam_size": 2, "tries": 2}
    rich, poor, asked, opened, without = (
        make_campaign(state=state, **chosen)
        for state, chosen in (
            ("draft", fields), ("draft", fields),
            ("draft", fields | {"options": {"hidden_gold": 10}}), ("open", fields), ("draft", {}),
        )
    )  # fmt: skip
    for campaign, number in ((rich, 10), (poor, 5), (opened, 6), (without, 6)):
        make_gold(campaign, Demand.Kind.HIDDEN, number)
    MIGRATION.split(apps, None)
    assert kinds_of(rich) == [2] * 6 + [3] * 4
    assert kinds_of(poor) == [2] * 3 + [3] * 2
    assert kinds_of(opened) == [2] * 6
    assert kinds_of(without) == [2] * 6
    for campaign in (rich, asked, opened, without):
        campaign.refresh_from_db()
    assert asked.options == {"hidden_gold": 6, "exam_gold": 4}
    assert rich.options == without.options == {}
    assert [row.exam_is_hidden for row in (rich, opened, without)] == [False, True, False]

    MIGRATION.join(apps, None)
    assert kinds_of(rich) == [2] * 10
    asked.refresh_from_db()
    assert asked.options == {"hidden_gold": 10}


def test_which_questions_the_exam_gets_a_secret_says():
    draft = make_campaign(state="draft", exam_size=3, tries=1)
    make_gold(draft, Demand.Kind.HIDDEN, 12)

    def chosen(secret):
        draft.demands.update(kind=Demand.Kind.HIDDEN)
        type(draft).objects.filter(pk=draft.pk).update(secret=secret)
        MIGRATION.split(apps, None)
        return frozenset(draft.demands.filter(kind=Demand.Kind.EXAM).values_list("pk", flat=True))

    drawn = [chosen(f"{number:032}") for number in range(8)]
    assert {len(each) for each in drawn} == {3}
    assert len(set(drawn)) > 3
    assert chosen(f"{0:032}") == drawn[0]
