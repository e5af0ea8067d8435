"""What happens to a lease before its answer: drafts, renewal, return, expiry."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from annotation.actions import audit
from annotation.actions.assignments import demand, money
from annotation.actions.assignments.turn import keep, lock, renewed
from annotation.models import Assignment, Campaign, Enrollment, Event
from annotation.querysets import compiled
from annotation.sentences import CodedError

EXPIRE_BATCH = 100
LEAST_REPORTS = 3  # of broken tasks, however few may be skipped
REASON_LENGTH = Assignment._meta.get_field("return_reason").max_length


class LeaseGone(CodedError):
    """The task is not this worker's any more; `state` says what became of it."""

    def __init__(self, state: str):
        self.state = state
        super().__init__("lease.gone", state=state)


class SkipLimitReached(CodedError):
    """The worker has given back as many tasks as the campaign allows."""


def save_draft(enrollment_key: Any, assignment_key: Any, draft: Any) -> datetime:
    """Keep the unfinished answer and renew the lease; when the lease now ends. Raises LeaseGone."""
    with transaction.atomic():  # and so in SQLite's queue of writers
        live = Assignment.objects.live().filter(key=assignment_key, enrollment__key=enrollment_key)
        times = live.values_list("leased_at", "enrollment__campaign__lease_minutes").first()
        if times is not None:
            leased_at, minutes = times
            expires_at = renewed(leased_at, minutes, timezone.now())
            if live.update(draft=draft, expires_at=expires_at):
                return expires_at
    raise LeaseGone(_state_of(enrollment_key, assignment_key))


def kept_draft(enrollment_key: Any, assignment_key: Any) -> Any:
    """The unfinished answer, which another device of the worker may have sent; None: there is
    none. Raises LeaseGone."""
    live = Assignment.objects.live().filter(key=assignment_key, enrollment__key=enrollment_key)
    found = live.values_list("draft").first()
    if found is None:
        raise LeaseGone(_state_of(enrollment_key, assignment_key))
    return found[0]


def log_events(enrollment_key: Any, assignment_key: Any, events: Iterable[dict]) -> None:
    """Keep a batch of the page's events, numbered by the page; a batch sent twice is kept once.

    Renews the lease where it still runs; events that arrive after the submit are kept too.
    """
    lease = (
        Assignment.objects.select_related("enrollment__campaign")
        .filter(key=assignment_key, enrollment__key=enrollment_key)
        .first()
    )
    if lease is None:
        raise LeaseGone("unknown")
    with transaction.atomic():
        keep_events(lease.pk, events)
        if lease.state == Assignment.State.LEASED:
            minutes = lease.enrollment.campaign.lease_minutes
            Assignment.objects.live().filter(pk=lease.pk).update(
                expires_at=renewed(lease.leased_at, minutes, timezone.now())
            )


def keep_events(assignment_id: int, events: Iterable[dict]) -> None:
    """One insert, none where there are no events; a number that is there already stays as it is."""
    compiled.insert_all(Event, [{"assignment_id": assignment_id} | event for event in events])


def return_task(
    enrollment_key: Any, assignment_key: Any, reason: str,
    *, skip: bool = True, now: datetime | None = None,
) -> None:  # fmt: skip
    """Give a task back unanswered; it is never offered to this worker again.

    Returned twice is returned once. A skip counts against the campaign's limit; a task reported
    as broken (`skip=False`) does not, until there are as many reports as the limit has skips: a
    worker who reports whatever they meet would walk through the whole campaign. Raises LeaseGone,
    SkipLimitReached. `now` is for a history that is loaded after it happened.
    """
    with transaction.atomic():
        enrollment = lock(enrollment_key)
        if enrollment.lease_key != _as_uuid(assignment_key):
            state = _state_of(enrollment_key, assignment_key)
            if state == Assignment.State.RETURNED:
                return
            raise LeaseGone(state)
        reported = not skip
        skip = skip or _reports(enrollment) >= _most_reports(enrollment.campaign)
        if skip and enrollment.skipped >= enrollment.campaign.skip_limit:
            raise _limit(enrollment, reported)
        now = now or timezone.now()
        Assignment.objects.live().filter(pk=enrollment.lease_id).update(
            state=Assignment.State.RETURNED,
            return_reason=reason[:REASON_LENGTH],
            reported_at=now if reported else None,
        )
        demand.give_back([enrollment.lease_task_id])
        enrollment.allowance_mills += enrollment.lease_pay_mills
        enrollment.skipped += 1 if skip else 0
        keep(enrollment, now)


def _most_reports(campaign: Campaign) -> int:
    """How many broken tasks one worker may report before a report counts as a skip."""
    return max(LEAST_REPORTS, campaign.skip_limit)


def _reports(enrollment: Enrollment) -> int:
    """Reports that were no skips. One that a manager gave back to its worker is forgiven."""
    returned = Assignment.objects.filter(enrollment=enrollment, state=Assignment.State.RETURNED)
    return returned.count() - enrollment.skipped


def _limit(enrollment: Enrollment, reported: bool) -> SkipLimitReached:
    if not reported:
        return SkipLimitReached("skips.limit", number=enrollment.skipped)
    reports = _most_reports(enrollment.campaign)
    return SkipLimitReached("skips.limit_reported", number=enrollment.skipped, reports=reports)


def give_again(assignment: Assignment, *, user: Any = None) -> Assignment:
    """A manager gives a returned or expired task back to its worker, under a fresh key.

    Raises LeaseGone where the slot is taken, the money is short, or the worker holds a lease.
    """
    now = timezone.now()
    with transaction.atomic():
        enrollment = lock(assignment.enrollment.key)
        row = Assignment.objects.select_related("task__demand").get(pk=assignment.pk)
        if row.state not in (Assignment.State.RETURNED, Assignment.State.EXPIRED):
            raise LeaseGone(row.state)
        if enrollment.lease_id is not None:
            raise LeaseGone("held back: the worker is at another task")
        campaign = enrollment.campaign
        # Demand before campaign, as everywhere; raising undoes both.
        if row.task.demand.kind == 0 and not demand.lease_again(row.task_id):
            raise LeaseGone("filled by others")
        if campaign.pay_mills and not money.fund(enrollment, campaign, now):
            raise LeaseGone("held back: the budget is used up")
        before = {"state": row.state, "key": str(row.key)}
        row.key, row.state = uuid.uuid4(), Assignment.State.LEASED
        row.return_reason, row.reported_at = "", None
        row.pay_mills, row.leased_at = campaign.pay_mills, now
        row.expires_at = now + timedelta(minutes=campaign.lease_minutes)
        row.save(
            update_fields=[
                "key", "state", "return_reason", "reported_at", "pay_mills", "leased_at",
                "expires_at",
            ]
        )  # fmt: skip
        enrollment.allowance_mills -= campaign.pay_mills
        enrollment.rest_until = None
        keep(enrollment, now)
        audit.record(
            campaign.project, "give again", str(row.key), user=user, before=before,
            after={"state": row.state},
        )  # fmt: skip
    return row


def expire_overdue(now: datetime | None = None) -> int:
    """End every lease whose time is over, in batches; how many were ended."""
    now, total = now or timezone.now(), 0
    while True:
        with transaction.atomic():
            ended = expire_batch(now)
        total += ended
        if ended < EXPIRE_BATCH:
            return total


def expire_batch(now: datetime, *, campaign: int | None = None) -> int:
    """End up to 100 overdue leases inside the caller's transaction.

    Enrollment, assignment and demand are locked together and what anybody holds is skipped, so
    that nothing is waited for. The money stays with the worker, for a late answer.
    """
    # The condition on the demand, always true, makes its join an inner one, which can be locked.
    overdue = Assignment.objects.live().filter(expires_at__lt=now, task__demand__wanted__gte=0)
    if campaign is not None:
        overdue = overdue.filter(enrollment__campaign=campaign)
    overdue = overdue.select_related("enrollment", "task__demand").defer("draft")
    overdue = overdue.order_by("expires_at")
    if connection.features.has_select_for_update_skip_locked:
        overdue = overdue.select_for_update(
            skip_locked=True, of=("self", "enrollment", "task__demand")
        )
    leases = list(overdue[:EXPIRE_BATCH])
    if not leases:
        return 0
    Assignment.objects.live().filter(pk__in=[lease.pk for lease in leases]).update(
        state=Assignment.State.EXPIRED
    )
    demand.give_back(lease.task_id for lease in leases)
    owed: Counter[int] = Counter()
    for lease in leases:
        owed[lease.enrollment_id] += lease.pay_mills
    workers = {lease.enrollment_id: lease.enrollment for lease in leases}
    for pk, mills in owed.items():
        workers[pk].allowance_mills += mills
    Enrollment.objects.bulk_update(workers.values(), ["allowance_mills"])
    return len(leases)


def _state_of(enrollment_key: Any, assignment_key: Any) -> str:
    return (
        Assignment.objects.filter(key=assignment_key, enrollment__key=enrollment_key)
        .values_list("state", flat=True)
        .first()
        or "unknown"
    )


def _as_uuid(key: Any) -> uuid.UUID:
    return key if isinstance(key, uuid.UUID) else uuid.UUID(str(key))
