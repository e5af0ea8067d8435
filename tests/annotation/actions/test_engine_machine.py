"""Any order of a worker's and a manager's verbs keeps every counter and every mill right."""

from __future__ import annotations

import contextlib
from datetime import timedelta

import hypothesis.strategies as st
import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from annotation.actions import assignments
from annotation.actions.assignments.leases import LeaseGone, SkipLimitReached
from annotation.actions.integrity import check_campaign
from annotation.models import Assignment, Campaign, Demand, Enrollment, Response
from tests.factories import make_campaign, make_enrollment, make_project, make_task

TASKS, WORKERS = 3, 3
NOTHING = {"mentions": []}
workers = st.integers(0, WORKERS - 1)
tasks = st.integers(0, TASKS - 1)


class Engine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.campaign = make_campaign(
            make_project(), redundancy=2, max_redundancy=4, pay_mills=10, budget_mills=60,
            skip_limit=1,
        )  # fmt: skip
        self.tasks = [make_task(self.campaign).pk for _ in range(TASKS)]
        self.keys = [make_enrollment(self.campaign).key for _ in range(WORKERS)]
        self.accepted: set = set()

    def teardown(self):
        transaction.set_rollback(True)
        self.atomic.__exit__(None, None, None)

    def held_by(self, worker, *states):
        found = Assignment.objects.filter(enrollment__key=self.keys[worker], state__in=states)
        return found.order_by("pk").first()

    @rule(worker=workers)
    def claim(self, worker):
        Enrollment.objects.update(rest_until=None)
        assignments.claim_next(self.keys[worker])

    @rule(worker=workers)
    def submit(self, worker):
        if lease := self.held_by(worker, "leased"):
            result = assignments.submit(self.keys[worker], lease.key, NOTHING)
            assert not result.duplicate
            assert result.counted
            self.accepted.add(lease.key)

    @rule(worker=workers)
    def submit_again(self, worker):
        if done := self.held_by(worker, "submitted", "late"):
            assert assignments.submit(self.keys[worker], done.key, NOTHING).duplicate

    @rule(worker=workers)
    def submit_late(self, worker):
        if expired := self.held_by(worker, "expired"):
            assignments.submit(self.keys[worker], expired.key, NOTHING)
            self.accepted.add(expired.key)

    @rule(worker=workers)
    def give_back(self, worker):
        if lease := self.held_by(worker, "leased"):
            try:
                assignments.return_task(self.keys[worker], lease.key, "hard")
            except SkipLimitReached:
                assignments.return_task(self.keys[worker], lease.key, "broken", skip=False)

    @rule(worker=workers, length=st.sampled_from([0.5, 1, 3, 5]))
    def renew_later(self, worker, length):
        if lease := self.held_by(worker, "leased"):
            passed = length * timedelta(minutes=self.campaign.lease_minutes)
            Assignment.objects.filter(pk=lease.pk).update(
                leased_at=lease.leased_at - passed, expires_at=lease.expires_at - passed
            )
            assignments.save_draft(self.keys[worker], lease.key, NOTHING)

    @rule(worker=workers)
    def expire(self, worker):
        Assignment.objects.live().filter(enrollment__key=self.keys[worker]).update(
            expires_at=timezone.now() - timedelta(seconds=1)
        )
        assignments.expire_overdue()

    @rule(worker=workers)
    def give_again(self, worker):
        if returned := self.held_by(worker, "returned", "expired"):
            with contextlib.suppress(LeaseGone):  # the slot is taken, or the money is out
                assignments.give_again(returned)

    @rule(task=tasks)
    def add_slot(self, task):
        assignments.add_slots(self.campaign, [self.tasks[task]])

    @rule(task=tasks)
    def close(self, task):
        assignments.close_tasks(self.campaign, [self.tasks[task]])

    @rule(task=tasks, priority=st.integers(0, 3))
    def prioritise(self, task, priority):
        assignments.set_priorities(self.campaign, {self.tasks[task]: priority})

    @rule(worker=workers)
    def leave_for_long(self, worker):
        Enrollment.objects.filter(key=self.keys[worker]).update(
            seen_at=timezone.now() - timedelta(days=1)
        )

    @invariant()
    def every_number_is_what_the_rows_say(self):
        assert [str(difference) for difference in check_campaign(self.campaign)] == []

    @invariant()
    def no_task_has_more_answers_than_wanted(self):
        for row in Demand.objects.all():
            assert row.received + row.leased <= row.wanted <= self.campaign.max_redundancy

    @invariant()
    def the_budget_holds(self):
        row = Campaign.objects.get(pk=self.campaign.pk)
        assert 0 <= row.committed_mills <= row.budget_mills

    @invariant()
    def nobody_holds_more_than_one_task_s_pay_before_the_first_answer(self):
        for row in Enrollment.objects.filter(submitted=0):
            held = row.assignments.filter(state="leased").count() * 10
            assert row.allowance_mills + held <= 10

    @invariant()
    def no_lease_runs_for_longer_than_four_lengths(self):
        life = 4 * timedelta(minutes=self.campaign.lease_minutes)
        for lease in Assignment.objects.live():
            assert lease.expires_at <= lease.leased_at + life

    @invariant()
    def no_accepted_answer_is_missing(self):
        kept = set(Response.objects.values_list("assignment__key", flat=True))
        assert self.accepted == kept


@pytest.mark.django_db
@pytest.mark.slow
def test_any_order_of_verbs_keeps_the_counters_right():
    run_state_machine_as_test(
        Engine, settings=settings(max_examples=10, stateful_step_count=25, deadline=None)
    )
