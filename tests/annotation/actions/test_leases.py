"""Drafts, returns, expiry, and a manager who gives a task again."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.actions import assignments
from annotation.actions.assignments.leases import EXPIRE_BATCH, LeaseGone, SkipLimitReached
from annotation.actions.campaigns import allot
from annotation.models import Assignment, AuditEntry, Demand, Enrollment, Event
from tests.factories import make_campaign, make_enrollment, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return make_campaign(redundancy=1, pay_mills=10, skip_limit=1)


@pytest.fixture
def worker(campaign):
    return make_enrollment(campaign)


@pytest.fixture
def lease(campaign, worker):
    make_task(campaign)
    return assignments.claim_next(worker.key).assignment


def demand_of(lease):
    row = Demand.objects.get(task=lease.task_id)
    return row.open, row.leased, row.received


def test_a_draft_is_kept_and_renews_the_lease(worker, lease):
    Assignment.objects.update(expires_at=timezone.now())
    expires_at = assignments.save_draft(worker.key, lease.key, {"mentions": [1]})
    lease.refresh_from_db()
    assert lease.draft == {"mentions": [1]}
    assert lease.expires_at == expires_at > timezone.now()
    assert assignments.claim_next(worker.key).assignment.draft == {"mentions": [1]}
    assert assignments.kept_draft(worker.key, lease.key) == {"mentions": [1]}


def test_the_draft_of_a_task_that_is_gone_is_refused_with_its_state(campaign, worker, lease):
    assignments.submit(worker.key, lease.key, {"mentions": []})
    with pytest.raises(LeaseGone, match="submitted"):
        assignments.save_draft(worker.key, lease.key, {})
    with pytest.raises(LeaseGone, match="unknown"):
        assignments.save_draft(make_enrollment(campaign).key, lease.key, {})
    with pytest.raises(LeaseGone, match="submitted"):
        assignments.kept_draft(worker.key, lease.key)


def test_a_returned_task_goes_to_others_and_never_back(campaign, worker, lease):
    assignments.return_task(worker.key, lease.key, "I can't read this")
    assert demand_of(lease) == (1, 0, 0)
    assert assignments.claim_next(worker.key).assignment is None
    assert assignments.claim_next(make_enrollment(campaign).key).assignment is not None
    worker.refresh_from_db()
    assert worker.skipped == 1
    assert worker.allowance_mills == 10  # the money of the lease is their allowance again


def test_returned_twice_is_returned_once(worker, lease):
    for _ in range(2):
        assignments.return_task(worker.key, lease.key, "again")
    assert demand_of(lease) == (1, 0, 0)


def test_skips_are_limited_but_a_broken_task_is_no_skip(campaign, worker, lease):
    assignments.return_task(worker.key, lease.key, "hard")
    make_task(campaign)
    Enrollment.objects.update(rest_until=None)
    second = assignments.claim_next(worker.key).assignment
    with pytest.raises(SkipLimitReached, match="skipped 1 task"):
        assignments.return_task(worker.key, second.key, "hard too")
    assignments.return_task(worker.key, second.key, "no text", skip=False)
    assert demand_of(second) == (1, 0, 0)


@pytest.mark.parametrize(("skip_limit", "reports"), [(0, 3), (1, 3), (4, 4)])
def test_reports_beyond_the_limit_are_skips(skip_limit, reports):
    campaign = make_campaign(redundancy=1, skip_limit=skip_limit)
    worker = make_enrollment(campaign)

    def report():
        lease = assignments.claim_next(worker.key).assignment
        assignments.return_task(worker.key, lease.key, "no text", skip=False)
        worker.refresh_from_db()
        return worker.skipped

    for _ in range(reports + skip_limit + 1):
        make_task(campaign)
    assert [report() for _ in range(reports)] == [0] * reports
    assert [report() for _ in range(skip_limit)] == list(range(1, skip_limit + 1))
    words = f"reported {reports} tasks as broken and skipped {skip_limit} tasks?, .* or stop"
    with pytest.raises(SkipLimitReached, match=words):
        report()
    assert assignments.claim_next(worker.key).assignment is not None  # they keep it


def test_report_that_a_manager_gave_back_is_forgiven():
    campaign = make_campaign(redundancy=1, skip_limit=0)
    worker = make_enrollment(campaign)
    for _ in range(4):
        make_task(campaign)
    for _ in range(3):
        lease = assignments.claim_next(worker.key).assignment
        assignments.return_task(worker.key, lease.key, "no text", skip=False)
    again = assignments.give_again(Assignment.objects.get(pk=lease.pk))
    assignments.submit(worker.key, again.key, {"mentions": []})
    lease = assignments.claim_next(worker.key).assignment
    assignments.return_task(worker.key, lease.key, "no text", skip=False)
    assert Assignment.objects.filter(state="returned").count() == 3


def test_expiry_frees_the_task_and_keeps_the_worker_s_money(worker, lease):
    Assignment.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert assignments.expire_overdue() == 1
    assert assignments.expire_overdue() == 0
    lease.refresh_from_db()
    worker.refresh_from_db()
    assert lease.state == Assignment.State.EXPIRED
    assert demand_of(lease) == (1, 0, 0)
    assert worker.allowance_mills == 10


def renewals(worker, lease):
    """Each way to renew a lease; each tells when it ends then."""

    def log_events():
        assignments.log_events(worker.key, lease.key, [])
        return Assignment.objects.get(pk=lease.pk).expires_at

    return {
        "draft": lambda: assignments.save_draft(worker.key, lease.key, {}),
        "events": log_events,
        "next": lambda: assignments.claim_next(worker.key).assignment.expires_at,
    }


@pytest.mark.parametrize("way", ["draft", "events", "next"])
def test_a_lease_ends_however_often_it_is_renewed(campaign, way):
    """It went on for ever: a script that saves a draft now and then kept task and money."""
    length, worker = timedelta(minutes=campaign.lease_minutes), make_enrollment(campaign)
    make_task(campaign)
    with time_machine.travel("2026-11-21 10:00Z", tick=False) as travel:
        began = timezone.now()
        lease = assignments.claim_next(worker.key).assignment
        renew = renewals(worker, lease)[way]
        ends = []
        for _ in range(7):
            travel.shift(length / 2)
            ends.append(renew() - began)
            assert assignments.expire_overdue() == 0
        assert ends == [length * n / 2 for n in (3, 4, 5, 6, 7, 8, 8)]
        travel.shift(length / 2)
        assert renew() == began + 4 * length
        travel.shift(timedelta(seconds=1))
        assert renew() == began + 4 * length  # it is over, and nothing brings it back
        assert assignments.expire_overdue() == 1
    assert demand_of(lease) == (1, 0, 0)
    with pytest.raises(LeaseGone, match="expired"):
        assignments.save_draft(worker.key, lease.key, {})
    other = make_enrollment(campaign)
    assert assignments.claim_next(other.key).assignment.task_id == lease.task_id
    assert assignments.submit(worker.key, lease.key, {"mentions": []}).paid  # late, and not lost


def test_what_an_assigned_worker_gets_again_has_a_life_of_its_own():
    campaign = make_campaign(assignment="assigned", redundancy=1)
    task = make_task(campaign, demand={"wanted": 0})
    allot(campaign, [("ann", task.external_id)])
    Enrollment.objects.update(state="qualified")
    ann = Enrollment.objects.get()
    length = timedelta(minutes=campaign.lease_minutes)
    with time_machine.travel("2026-11-21 10:00Z", tick=False) as travel:
        assignments.claim_next(ann.key)
        travel.shift(timedelta(days=2))
        assert assignments.expire_overdue() == 1
        lease = assignments.claim_next(ann.key).assignment
        travel.shift(length / 2)
        assert assignments.save_draft(ann.key, lease.key, {}) == timezone.now() + length


def test_money_of_idle_workers_goes_back_into_the_budget(campaign, worker, lease):
    make_task(campaign)
    assert assignments.submit(worker.key, lease.key, {"mentions": []}).next.assignment
    assert assignments.sweep_allowances() == 0
    Enrollment.objects.update(seen_at=timezone.now() - timedelta(hours=1))
    assert assignments.sweep_allowances() == 190
    campaign.refresh_from_db()
    assert campaign.committed_mills == 10 + 10


def test_a_lease_that_still_runs_is_left_alone(worker, lease):
    assert assignments.expire_overdue() == 0


def test_many_leases_of_one_task_expire_together_in_batches(django_assert_max_num_queries):
    campaign = make_campaign(redundancy=EXPIRE_BATCH + 5, max_redundancy=200)
    task = make_task(campaign)
    for _ in range(EXPIRE_BATCH + 5):
        assignments.claim_next(make_enrollment(campaign).key)
    Assignment.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with django_assert_max_num_queries(14):
        assert assignments.expire_overdue() == EXPIRE_BATCH + 5
    row = Demand.objects.get(task=task)
    assert (row.open, row.leased) == (EXPIRE_BATCH + 5, 0)


def test_a_manager_gives_a_returned_task_again_under_a_fresh_key(worker, lease):
    assignments.return_task(worker.key, lease.key, "by mistake")
    old = lease.key
    again = assignments.give_again(Assignment.objects.get(pk=lease.pk))
    assert again.state == Assignment.State.LEASED
    assert again.key != old
    assert demand_of(lease) == (0, 1, 0)
    assert AuditEntry.objects.get(action="give again").before["state"] == "returned"
    with pytest.raises(LeaseGone):
        assignments.give_again(again)


def test_a_filled_task_can_t_be_given_again(campaign, worker, lease):
    assignments.return_task(worker.key, lease.key, "by mistake")
    assignments.claim_next(make_enrollment(campaign).key)
    with pytest.raises(LeaseGone, match="filled by others"):
        assignments.give_again(Assignment.objects.get(pk=lease.pk))


def test_events_sent_twice_are_kept_once(worker, lease):
    events = [{"number": n, "at": timezone.now(), "kind": "opened", "data": {}} for n in range(3)]
    for _ in range(2):
        assignments.log_events(worker.key, lease.key, events)
    assert Event.objects.count() == 3


def test_events_after_the_submit_are_kept_too(worker, lease):
    assignments.submit(worker.key, lease.key, {"mentions": []})
    event = {"number": 1, "at": timezone.now(), "kind": "submitted", "data": {}}
    assignments.log_events(worker.key, lease.key, [event])
    assert Event.objects.count() == 1
