"""What claims cost: of the budget, and of the database."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from annotation.actions import assignments
from annotation.actions.assignments.claim import first_place
from annotation.models import Campaign, Demand
from tests.annotation.actions.claims import (
    SAVEPOINTS,
    claim,
    submit,
    with_gold,
)
from tests.factories import (
    make_campaign,
    make_enrollment,
    make_project,
    make_task,
)

pytestmark = pytest.mark.django_db


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
