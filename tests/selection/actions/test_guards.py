"""Flags with their evidence, and gold that good workers fail."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.actions import assignments, gold
from annotation.models import Demand, GoldQuestion, Response
from selection.actions.flags import dismiss_flag
from selection.actions.guards import check_gold, flag_workers
from selection.models import GoldCheck, WorkerFlag
from tests.factories import GOLD_NEXT, make_campaign, make_enrollment, make_task

pytestmark = pytest.mark.django_db

TASKS, WORKERS = 24, 6


def said(choice):
    return {"choice": choice, "unsure": False, "value": None, "note": ""}


def answer_all(campaign, number, choice_of, seconds=30.0):
    worker = make_enrollment(campaign)
    lease = assignments.claim_next(worker.key).assignment
    for _ in range(number):
        body = said(choice_of(lease.task))
        lease = assignments.submit(worker.key, lease.key, body, seconds).next.assignment
    return worker


@pytest.fixture
def campaign():
    """Six workers who agree, but for two who are flagged."""
    campaign = make_campaign(interface="choice", options={"choices": ["A", "B"]}, redundancy=9)
    for _ in range(TASKS):
        make_task(campaign)
    return campaign


def truth(task):
    return "AB"[task.pk % 2]


def test_flags_come_with_their_evidence_and_go_when_there_is_none(campaign):
    for _ in range(WORKERS):
        answer_all(campaign, TASKS, truth)
    hasty = answer_all(campaign, TASKS, truth, seconds=1.0)
    lazy = answer_all(campaign, TASKS, lambda task: "A")
    found = {(flag.enrollment_id, flag.kind): flag.evidence for flag in flag_workers(campaign)}
    assert found.keys() == {(hasty.pk, "fast"), (lazy.pk, "same")}
    assert found[hasty.pk, "fast"] == {"share": 1.0, "usual": 0.5, "number": TASKS}
    assert found[lazy.pk, "same"]["share"] == 1.0

    dismiss_flag(WorkerFlag.objects.get(kind="fast"))
    later = timezone.now() + timedelta(hours=1)
    assert len(flag_workers(campaign, now=later)) == 2
    assert WorkerFlag.objects.get(kind="fast").dismissed_at is not None


def test_flags_that_are_no_more_are_taken_down(campaign):
    worker = answer_all(campaign, TASKS, truth)
    WorkerFlag.objects.create(
        enrollment=worker, kind="same", evidence={}, at=timezone.now() - timedelta(days=1)
    )
    assert flag_workers(campaign) == []


def test_the_queries_do_not_grow_with_the_workers(campaign, django_assert_max_num_queries):
    for _ in range(WORKERS):
        answer_all(campaign, TASKS, truth)
    with django_assert_max_num_queries(15):
        flag_workers(campaign)
    answer_all(campaign, TASKS, truth)
    with django_assert_max_num_queries(15):
        flag_workers(campaign)


def test_a_campaign_without_answers_and_one_of_piles_have_none():
    assert flag_workers(make_campaign()) == []
    assert flag_workers(make_campaign(interface="linking")) == []


def test_an_interface_of_which_nothing_is_known_is_looked_at_by_whole_answers(
    campaign, monkeypatch
):
    monkeypatch.setattr("selection.arrays.categorical", lambda interface: None)
    for _ in range(WORKERS):
        answer_all(campaign, TASKS, truth)
    lazy = answer_all(campaign, TASKS, lambda task: "A")
    assert [(flag.enrollment, flag.kind) for flag in flag_workers(campaign)] == [(lazy, "same")]


def test_gold_that_good_workers_fail_is_found_and_takes_turns_with_easy_ones(capsys):
    campaign = make_campaign(
        interface="choice", options={"choices": ["A", "B"]}, redundancy=1, gold_every=2
    )
    questions = []
    for number in range(6):
        task = make_task(campaign, kind=Demand.Kind.HIDDEN)
        wrong = number == 2
        known = said("B" if wrong else "A")
        questions.append(GoldQuestion.objects.create(task=task, answer=known))
    for _ in range(8):
        worker = make_enrollment(campaign, **GOLD_NEXT)
        for _ in range(6):
            type(worker).objects.update(**GOLD_NEXT, rest_until=None)
            lease = assignments.claim_next(worker.key).assignment
            assignments.submit(worker.key, lease.key, said("A"))
    found = check_gold(campaign)
    assert found.questions == 6
    assert found.suspicious == [questions[2].task.external_id]
    check = GoldCheck.objects.get(question=questions[2])
    assert (check.mean, check.number) == (0.0, 8)
    assert check.expected > 0.95
    ranks = Demand.objects.filter(campaign=campaign).values_list("rank", flat=True)
    assert len(set(ranks)) == 6

    gold.correct_gold(questions[2], said("A"))
    assert check_gold(campaign).suspicious == []
    call_command("check_gold", campaign=campaign.slug)
    assert "6 hidden gold questions, none suspicious." in capsys.readouterr().out
    call_command("flag_workers")
    with pytest.raises(CommandError, match="no campaign"):
        call_command("check_gold", campaign="nowhere")
    assert Response.objects.count() == 48
