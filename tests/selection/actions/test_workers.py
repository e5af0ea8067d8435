"""Whom a campaign goes on with, and what that means for each worker."""

from __future__ import annotations

import re

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.actions import assignments
from annotation.actions.workers import set_state
from annotation.models import AuditEntry, Campaign, Demand, Enrollment, GoldQuestion, GoldScore
from selection.actions.rules import keep_each_night
from selection.actions.workers import NothingToSelectBy, select_workers
from selection.algorithms import unbiased_scores
from selection.arrays import chance_of_spans
from selection.models import SelectedWorker, WorkerSelection
from tests.factories import make_campaign, make_enrollment, make_response, make_task, make_worker

pytestmark = pytest.mark.django_db

OPTIONS = {"choices": ["A", "B"]}


@pytest.fixture
def campaign():
    campaign = make_campaign(interface="choice", options=OPTIONS, redundancy=1, gold_every=5)
    make_task(campaign, kind=Demand.Kind.HIDDEN)
    make_task(campaign)
    return campaign


def checked(campaign, right, number, **fields):
    """A worker with so many right of so many answers to gold."""
    sums = {"gold_seen": number, "gold_score_sum": right, "gold_score_sumsq": right}
    return make_enrollment(campaign, **(sums | fields))


def state(enrollment):
    enrollment.refresh_from_db()
    return enrollment.state


def test_the_best_are_selected_and_the_others_paused_with_a_reason_they_can_read(campaign):
    best, good, guesser = (checked(campaign, right, 10) for right in (10, 9, 5))
    new = checked(campaign, 1, 1)
    made = select_workers(campaign, 5)
    assert [state(worker) for worker in (best, good, guesser, new)] == [
        "selected", "selected", "paused", "qualified",
    ]  # fmt: skip
    assert str(guesser.reason) == "Your answers to the check tasks can’t be told from guessing."
    assert assignments.claim_next(guesser.key).reason == "paused"
    assert assignments.claim_next(best.key).assignment is not None
    assert assignments.claim_next(new.key).assignment.task.demand.kind == Demand.Kind.HIDDEN
    rows = {row.enrollment_id: row for row in SelectedWorker.objects.all()}
    assert [rows[worker.pk].reason for worker in (best, guesser, new)] == [
        "chosen", "worthless", "untested",
    ]  # fmt: skip
    assert rows[good.pk].score == pytest.approx(unbiased_scores([9], [10], 2)[0])
    selection = WorkerSelection.objects.get()
    assert (selection.kept, selection.tested) == (2, 3)
    assert selection.held_out is selection.low is None  # counters alone tell of no question
    assert AuditEntry.objects.get(action="select workers").after["kept"] == 2
    assert [*map(str, made.warnings)] == ["5 may be kept, but only 4 workers are here."]


def test_the_group_is_worth_what_gold_says_that_did_not_choose_it(campaign):
    """A worker who is always right, and one who is in three of four: F of the two is 1.59."""
    workers = [checked(campaign, 8, 8), checked(campaign, 6, 8), checked(campaign, 4, 8)]
    for number in range(8):
        task = make_task(campaign, kind=Demand.Kind.HIDDEN)
        GoldQuestion.objects.create(task=task, answer={"choice": "A"})
        for each, worker in enumerate(workers):
            is_right = each == 0 or number % (4 if each == 1 else 2)
            answer = make_response(task, worker.worker, {"choice": "A" if is_right else "B"})
            GoldScore.objects.create(
                assignment_id=answer.pk, score=float(bool(is_right)), scored_at=timezone.now()
            )
    made = select_workers(campaign, 5, apply=False).selection
    assert not WorkerSelection.objects.exists()
    assert made.low < made.held_out < made.high
    assert made.held_out < made.crowd
    kept = select_workers(campaign, 5).selection
    kept.refresh_from_db()
    assert (kept.held_out, kept.low, kept.high) == (made.held_out, made.low, made.high)
    set_state(workers[0], "blocked", reason="no longer here", user=None)
    assert select_workers(campaign, 5).selection.held_out < made.held_out


def test_who_is_not_needed_waits_where_only_the_selected_work(campaign):
    Campaign.objects.update(open_to="selected")
    campaign.refresh_from_db()
    best, good = checked(campaign, 10, 10), checked(campaign, 9, 10)
    select_workers(campaign, 1)
    assert (state(best), state(good)) == ("selected", "qualified")
    assert assignments.claim_next(good.key).reason == "not_selected"


def test_a_second_look_brings_back_whom_the_first_had_paused(campaign):
    best, good = checked(campaign, 10, 10), checked(campaign, 9, 10)
    select_workers(campaign, 1)
    assert state(good) == "paused"
    select_workers(campaign, 2)
    assert (state(best), state(good), good.reason) == ("selected", "selected", None)


def test_what_a_person_decided_stays(campaign):
    kept_out, let_in, guesser = (checked(campaign, right, 10) for right in (10, 5, 5))
    set_state(kept_out, "paused", "They share their answers.")
    set_state(let_in, "qualified", "They have explained.")
    checked(campaign, 9, 10)
    select_workers(campaign, 3)
    assert [state(worker) for worker in (kept_out, let_in, guesser)] == [
        "paused", "qualified", "paused",
    ]  # fmt: skip
    assert kept_out.state_reason == "They share their answers."
    reasons = dict(SelectedWorker.objects.values_list("enrollment", "reason"))
    assert reasons[kept_out.pk] == "barred"


def test_who_is_mostly_wrong_is_worth_as_much_to_weighted_votes_unless_it_is_asked(campaign):
    right, wrong = checked(campaign, 10, 10), checked(campaign, 0, 10)
    select_workers(campaign, 2)
    assert (state(right), state(wrong)) == ("selected", "selected")
    select_workers(campaign, 2, above_chance=True)
    assert state(wrong) == "paused"
    assert "no better than guessing" in str(wrong.reason)


def test_nobody_is_kept_where_nobody_can_be_told_from_guessing(campaign):
    guesser = checked(campaign, 5, 10)
    made = select_workers(campaign, 2)
    assert made.selection.empty == "select.worthless"
    assert str(made.selection.why_empty).startswith("No worker can be told from guessing")
    before = WorkerSelection(empty="Nobody was better than chance.")  # a row of an older version
    assert str(before.why_empty) == "Nobody was better than chance."
    assert state(guesser) == "paused"


def test_a_trial_changes_nothing(campaign):
    guesser = checked(campaign, 5, 10)
    made = select_workers(campaign, 2, apply=False)
    assert made.workers[0].state_after == "paused"
    assert state(guesser) == "qualified"
    assert not WorkerSelection.objects.exists()


def test_without_gold_it_says_what_to_do():
    campaign = make_campaign(interface="choice", options=OPTIONS)
    with pytest.raises(NothingToSelectBy, match="Import gold answers"):
        select_workers(campaign, 3)


def test_too_few_for_the_answers_wanted_is_told(campaign):
    Campaign.objects.update(redundancy=3)
    campaign.refresh_from_db()
    for right in (10, 9, 8):
        checked(campaign, right, 10)
    assert "can't be finished" in str(select_workers(campaign, 1).warnings[0])


def test_equals_are_drawn_by_the_seed_and_not_by_their_number(campaign):
    for _ in range(8):
        checked(campaign, 9, 10)
    drawn = set()
    for seed in range(12):
        made = select_workers(campaign, 1, seed=seed, apply=False)
        again = select_workers(campaign, 1, seed=seed, apply=False)
        chosen = [row.enrollment.pk for row in made.workers if row.chosen]
        assert chosen == [row.enrollment.pk for row in again.workers if row.chosen]
        drawn |= set(chosen)
    assert len(drawn) > 3


def test_the_queries_do_not_grow_with_the_workers(campaign, django_assert_num_queries):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    for right in (10, 9, 5):
        checked(campaign, right, 10)
    with CaptureQueriesContext(connection) as first:
        select_workers(campaign, 2)
    for right in (10, 9, 5) * 4:
        checked(campaign, right, 10)
    with django_assert_num_queries(len(first)):
        select_workers(campaign, 2)


# --- Spans ---------------------------------------------------------------------------------------

TEXTS = ["Ada Lovelace was born in London .", "It rained in Paris on that day ."]
SPANS = [(0, 12, "PER"), (13, 18, "LOC")]


def marked(start, end, kind):
    return {
        "mentions": [{"id": "m1", "start": start, "end": end, "type": kind, "entity": None}],
        "entities": [], "unlabelled": [],
    }  # fmt: skip


def test_graded_scores_are_measured_from_the_chance_score_up():
    campaign = make_campaign(gold_every=3)
    from tests.factories import make_document

    worker = make_worker()
    for text, span in zip(TEXTS, SPANS, strict=True):
        task = make_task(campaign, make_document(campaign.project, text), kind=Demand.Kind.HIDDEN)
        GoldQuestion.objects.create(task=task, answer=marked(*span))
        make_response(task, worker, marked(*span))
    chance = chance_of_spans(campaign, np.random.default_rng(0))
    assert chance == 0.0  # no span of one question is one of the other
    good = checked(campaign, 8.0, 10, gold_score_sumsq=6.5)
    poor = checked(campaign, 0.1, 10, gold_score_sumsq=0.01)
    select_workers(campaign, 5)
    assert state(good) == "selected"
    # As it is put into q, .01 would be as far from 1/2 as .99.
    assert state(poor) != "selected"


def test_no_more_answers_are_read_than_the_chance_score_is_drawn_from(monkeypatch):
    monkeypatch.setattr("selection.arrays.gold.MOST_ANSWERS", 1)
    campaign = make_campaign(gold_every=3)
    task = make_task(campaign, kind=Demand.Kind.HIDDEN)
    GoldQuestion.objects.create(task=task, answer=marked(*SPANS[0]))
    for _ in range(3):
        make_response(task, make_worker(), marked(*SPANS[0]))
    with CaptureQueriesContext(connection) as asked:
        chance_of_spans(campaign, np.random.default_rng(0))
    read = [query["sql"] for query in asked if '"annotation_response"."answer"' in query["sql"]]
    assert len(read) == 1
    assert re.search(r'"annotation_response"."assignment_id" IN \(\d+\)', read[0])


# --- Command -------------------------------------------------------------------------------------


def test_the_command_tells_each_worker_and_can_try_without_changing(campaign, capsys):
    worker = checked(campaign, 10, 10)
    call_command("select_workers", campaign=campaign.slug, keep=3, dry_run=True)
    told = capsys.readouterr().out
    assert "1 of 1 tested workers are kept (at most 3); 1 change their state, or would." in told
    assert "qualified → selected" in told
    assert state(worker) == "qualified"


def test_without_a_campaign_those_are_taken_that_select_each_night(campaign, capsys):
    worker = checked(campaign, 10, 10)
    call_command("select_workers")
    assert state(worker) == "qualified"
    keep_each_night(campaign, 2)
    call_command("select_workers")
    assert state(worker) == "selected"
    with pytest.raises(CommandError, match="--keep is 0"):
        call_command("select_workers", campaign=campaign.slug, keep=0)
    with pytest.raises(CommandError, match="no campaign 'nowhere'"):
        call_command("select_workers", campaign="nowhere")
    other = make_campaign()
    with pytest.raises(CommandError, match="Add --keep"):
        call_command("select_workers", campaign=other.slug)


def test_a_blocked_worker_is_never_selected(campaign):
    worker = checked(campaign, 10, 10)
    Enrollment.objects.update(state="blocked", state_by="rule")
    select_workers(campaign, 3)
    assert state(worker) == "blocked"
