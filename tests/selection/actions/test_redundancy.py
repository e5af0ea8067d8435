"""Answers are added where there is doubt, and no more are asked for where there is none."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun, Consensus
from annotation.actions import assignments
from annotation.actions.integrity import check_campaign
from annotation.actions.rollups import SUMS
from annotation.models import Campaign, Demand, Enrollment, Tally
from selection.actions.redundancy import CannotAdjust, adjust_redundancy, small_step
from selection.algorithms import most_in_need
from selection.arrays import load_tasks
from selection.models import RedundancyRound
from tests.factories import make_campaign, make_document, make_enrollment, make_task

pytestmark = pytest.mark.django_db


def choice_campaign(**fields):
    return make_campaign(
        **{
            "interface": "choice", "options": {"choices": ["A", "B"]}, "redundancy": 2,
            "max_redundancy": 4, "target_confidence": 0.9,
        }
        | fields
    )  # fmt: skip


def answer(campaign, *rounds):
    """Each worker answers the tasks that they are given, in order, with these choices; of small
    letters they are unsure."""
    for choices in rounds:
        worker = make_enrollment(campaign)
        lease = assignments.claim_next(worker.key).assignment
        for choice in choices:
            body = {"choice": choice.upper(), "unsure": False, "value": None, "note": ""}
            body |= {"doubts": [{"at": None, "note": ""}]} if choice.islower() else {}
            lease = assignments.submit(worker.key, lease.key, body).next.assignment
        if lease is not None:
            assignments.return_task(worker.key, lease.key, "enough")


def demands(campaign):
    rows = Demand.objects.filter(campaign=campaign).order_by("rank")
    return list(rows.values_list("wanted", "open", "received"))


def test_doubt_asks_for_one_more_and_agreement_for_none():
    campaign = choice_campaign()
    for _ in range(2):
        make_task(campaign)
    answer(campaign, "AA", "AB")
    aggregate(campaign, "majority")
    made = adjust_redundancy(campaign)
    assert demands(campaign) == [(2, 0, 2), (3, 1, 2)]
    assert (made.asked, made.closed, made.certain, made.saved) == (1, 0, 1, 2)
    assert check_campaign(campaign) == []
    # Asked for once: nothing has come since.
    assert adjust_redundancy(campaign).asked == 0
    assert RedundancyRound.objects.count() == 1  # nothing was to be done: not kept for now


def test_a_certain_task_is_given_out_no_more():
    campaign = choice_campaign(redundancy=3)
    make_task(campaign)
    answer(campaign, "A", "A")
    aggregate(campaign, "majority")
    made = adjust_redundancy(campaign)
    assert demands(campaign) == [(2, 0, 2)]
    assert (made.closed, made.saved) == (1, 2)
    assert assignments.claim_next(make_enrollment(campaign).key).assignment is None


def test_an_answer_that_no_consensus_holds_is_waited_for():
    campaign = choice_campaign()
    make_task(campaign)
    answer(campaign, "A")
    aggregate(campaign, "majority")
    answer(campaign, "B")
    made = adjust_redundancy(campaign)
    assert (made.asked, made.waiting) == (0, 1)
    aggregate(campaign, "majority")
    assert adjust_redundancy(campaign).asked == 1


def test_the_maximum_is_never_passed():
    campaign = choice_campaign(max_redundancy=2)
    make_task(campaign)
    answer(campaign, "A", "B")
    aggregate(campaign, "majority")
    made = adjust_redundancy(campaign)
    assert (made.asked, made.full) == (0, 1)
    assert demands(campaign) == [(2, 0, 2)]


def test_money_for_a_few_goes_where_most_is_wrong():
    campaign = choice_campaign(redundancy=3, target_confidence=0.99)
    for _ in range(2):
        make_task(campaign)
    answer(campaign, "AA", "AB", "AB")
    Enrollment.objects.update(rest_until=None)
    aggregate(campaign, "majority")
    # Unanimous votes are certain; two against one is all the doubt there is.
    assert adjust_redundancy(campaign, most=1).asked == 1


def test_the_need_of_a_task_is_how_many_parts_are_expected_to_be_wrong():
    """As sure on the whole, a card of many mentions has more wrong ones than one of two."""
    campaign = make_campaign(interface="linking", redundancy=2, max_redundancy=4)
    run = AggregationRun.objects.create(campaign=campaign, method="clusters")
    told = [(0.8, 0.4, None), (0.8, 3.2, None), (0.7, None, None), (0.9, 0.1, {"evidence": 0.5})]
    for confidence, errors, parts in told:
        task = make_task(campaign)
        Demand.objects.filter(task=task).update(received=2, open=0, ready=False)
        Consensus.objects.create(
            run=run, task=task, answer={}, probabilities=b"", answers=2,
            confidence=confidence, expected_errors=errors, confidences=parts,
        )  # fmt: skip
    tasks = load_tasks(campaign, run)
    assert tasks.sure == pytest.approx([0.8, 0.8, 0.7, 0.5])
    assert tasks.need == pytest.approx([0.4, 3.2, 0.3, 0.5])
    assert most_in_need(tasks.need, tasks.sure < 0.9, 1).tolist() == [1]


def test_a_small_step_is_a_fortieth_of_the_tasks():
    campaign = choice_campaign()
    assert small_step(campaign) == 20
    Tally.objects.create(
        campaign=campaign, epoch=0, counted_at=timezone.now(), **dict.fromkeys(SUMS, 4_000)
    )
    assert small_step(Campaign.objects.get(pk=campaign.pk)) == 100


def test_some_tasks_at_random_get_all_answers_where_none_would_have_three():
    campaign = choice_campaign(redundancy=2, max_redundancy=4, target_confidence=0.6)
    for _ in range(40):
        make_task(campaign)
    answer(campaign, "A" * 40, "A" * 39 + "B")
    run = aggregate(campaign, "hierarchical-dawid-skene")
    assert run.facts.calibration.correlation is None
    made = adjust_redundancy(campaign)
    wanted = [row[0] for row in demands(campaign)]
    assert wanted.count(4) == 30
    assert made.asked >= 30
    assert adjust_redundancy(campaign).asked == 0  # the same ones, and they wait
    drawn = set(Demand.objects.filter(campaign=campaign, wanted=4).values_list("task", flat=True))
    answer(campaign, "A" * 30)
    Enrollment.objects.update(rest_until=None)
    again = aggregate(campaign, "hierarchical-dawid-skene")
    assert again.facts.calibration.correlation is not None
    made = adjust_redundancy(campaign)  # they are sure, and still get their fourth
    assert made.closed == 0
    rows = Demand.objects.filter(campaign=campaign, task__in=drawn)
    assert set(rows.values_list("wanted", flat=True)) == {4}
    assert check_campaign(campaign) == []


@pytest.mark.parametrize(
    ("method", "fields"),
    [
        ("majority", {}),
        ("hierarchical-dawid-skene", {"max_redundancy": 2}),
        ("hierarchical-dawid-skene", {"redundancy": 3}),
    ],
)
def test_nothing_is_drawn_where_it_would_tell_nothing(method, fields):
    campaign = choice_campaign(**{"target_confidence": 0.5} | fields)
    for _ in range(5):
        make_task(campaign)
    answer(campaign, *["AAAAA"] * campaign.redundancy)
    aggregate(campaign, method)
    assert adjust_redundancy(campaign).asked == 0


def test_by_votes_alone_no_consensus_is_needed():
    campaign = choice_campaign(target_confidence=None)
    for _ in range(2):
        make_task(campaign)
    answer(campaign, "AA", "AB")
    made = adjust_redundancy(campaign, rule="majority", lead=2)
    assert (made.certain, made.asked, made.run) == (1, 1, None)


def test_votes_that_are_left_out_settle_nothing():
    campaign = choice_campaign(target_confidence=None, doubts="left_out")
    for _ in range(2):
        make_task(campaign)
    answer(campaign, "AA", "Aa")
    made = adjust_redundancy(campaign, rule="majority", lead=2)
    assert (made.certain, made.asked) == (1, 1)


def test_spans_are_judged_by_their_expected_f1():
    campaign = make_campaign(redundancy=2, max_redundancy=3, target_confidence=0.8)
    for text in ("Ada Lovelace was born in London .", "It rained in Paris ."):
        make_task(campaign, make_document(campaign.project, text))
    ada = {"mentions": [{"id": "m1", "start": 0, "end": 2, "type": "PER"}]}
    wrong = {"mentions": [{"id": "m1", "start": 0, "end": 1, "type": "LOC"}]}
    paris = {"mentions": [{"id": "m1", "start": 3, "end": 4, "type": "LOC"}]}
    for second in (paris, wrong):
        worker = make_enrollment(campaign)
        lease = assignments.claim_next(worker.key).assignment
        for body in (ada, second):
            lease = assignments.submit(worker.key, lease.key, body).next.assignment
    aggregate(campaign, "mv-token")
    made = adjust_redundancy(campaign)
    assert (made.certain, made.asked) == (1, 1)
    assert demands(campaign)[1][0] == 3


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"target_confidence": None}, "has no target"),
        ({"state": "paused"}, "is paused"),
        ({}, "has no consensus yet"),
        ({"assignment": "assigned"}, "a list says"),
    ],
)
def test_what_stands_in_the_way_is_told(fields, told):
    with pytest.raises(CannotAdjust, match=told):
        adjust_redundancy(choice_campaign(**fields))


def test_votes_need_classes():
    with pytest.raises(ValueError, match="Stop by confidence"):
        adjust_redundancy(make_campaign(), rule="majority")


def test_the_command_goes_through_all_that_have_a_target(capsys):
    campaign = choice_campaign()
    make_task(campaign)
    answer(campaign, "A", "B")
    aggregate(campaign, "majority")
    make_campaign()
    call_command("adjust_redundancy")
    told = capsys.readouterr().out
    assert "0 tasks are certain, 1 ask for one more answer" in told
    assert told.count("\n") == 1
    call_command("adjust_redundancy", verbosity=0)  # as the loop does, each minute
    assert capsys.readouterr().out == ""
    fresh = choice_campaign()
    call_command("adjust_redundancy")
    assert f"'{fresh.slug}' has no consensus yet" in capsys.readouterr().out
    with pytest.raises(CommandError, match="no consensus yet"):
        call_command("adjust_redundancy", campaign=fresh.slug)
    with pytest.raises(CommandError, match="--most is 0"):
        call_command("adjust_redundancy", most=0)
    with pytest.raises(CommandError, match="--target is 2"):
        call_command("adjust_redundancy", target=2.0)
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    with pytest.raises(CommandError, match="is closed"):
        call_command("adjust_redundancy", campaign=campaign.slug)
