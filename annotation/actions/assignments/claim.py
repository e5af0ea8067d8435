"""Give a worker the next task: five statements, a sixth one claim in twenty."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from annotation.actions.assignments import demand, money
from annotation.actions.assignments.ahead import Ahead, anywhere, begin_anew, order_of_draw
from annotation.actions.assignments.leases import expire_batch
from annotation.actions.assignments.picking import (
    HEAD,
    allotted_to,
    gold_candidates,
    gold_from,
    plain_ahead,
    skipping_locked,
    take_allotted,
    take_any,
    take_near,
)
from annotation.actions.assignments.qualification import AT_IT, end_exam, end_training
from annotation.actions.assignments.turn import keep, lock, renew
from annotation.models import Assignment, Campaign, Demand, Enrollment
from annotation.querysets import compiled

REST = timedelta(seconds=60)  # nothing was there
SHORT_REST = timedelta(seconds=2)  # something was there, but locked


@dataclass(frozen=True, slots=True)
class Next:
    """The worker's lease, or why there is none and when to ask again.

    `enrollment` is as it stands after the action, with campaign and worker.
    """

    assignment: Assignment | None
    enrollment: Enrollment
    reason: str = ""
    retry_at: datetime | None = None


def claim_next(
    enrollment_key: Any, *, task: str | None = None, now: datetime | None = None
) -> Next:
    """The worker's live lease, or a new one, or the reason why there is none.

    `task` (an external id) asks for one task, in an assigned campaign only. `now` is for a
    history that is loaded after it happened.
    """
    now = now or timezone.now()
    with transaction.atomic():
        enrollment = lock(enrollment_key)
        found = claim_locked(enrollment, now, task=task)
        keep(enrollment, now)
    return found


def claim_locked(enrollment: Enrollment, now: datetime, *, task: str | None = None) -> Next:
    """`claim_next` inside the caller's transaction; the caller keeps the enrollment.

    No normal ending raises, so a submit before it is never undone.
    """
    campaign = enrollment.campaign
    if enrollment.lease_id is not None:
        return Next(_renewed(enrollment.lease_id, campaign, now), enrollment)
    if reason := why_not(enrollment):
        return Next(None, enrollment, reason)
    if enrollment.epoch != campaign.epoch:
        enrollment.epoch, enrollment.cursor = campaign.epoch, _start(campaign)
        enrollment.rest_until = None
        begin_anew(enrollment)
    if not campaign.is_assigned:
        task = None  # the engine picks
    if task is None and enrollment.rest_until is not None and enrollment.rest_until > now:
        return Next(None, enrollment, "nothing_left", enrollment.rest_until)

    funded_before = enrollment.allowance_mills
    if campaign.pay_mills and not money.fund(enrollment, campaign, now):
        return Next(None, enrollment, "budget_used_up")
    fresh_money = enrollment.allowance_mills != funded_before

    taken = take_allotted(enrollment, task) if campaign.is_assigned else _take(enrollment, now)
    if taken is None and campaign.is_assigned:
        again = _lease_expired(enrollment, task, now)
        if again is not None:
            return Next(again, enrollment)
    if taken is None:
        if fresh_money:  # others may need it, while this worker rests
            money.release(enrollment, campaign, enrollment.allowance_mills - funded_before)
        return _rest(enrollment, now, task)
    return Next(_lease(enrollment, taken, now), enrollment)


def why_not(enrollment: Enrollment) -> str:
    """Why this worker may not have a task now; '' where they may."""
    campaign, states = enrollment.campaign, Enrollment.State
    if enrollment.worker.blocked_at is not None or enrollment.state == states.BLOCKED:
        return "blocked"
    if campaign.state != Campaign.State.OPEN:
        return f"campaign_{campaign.state}"
    if enrollment.state in (states.PAUSED, states.DONE, states.INVITED):
        return enrollment.state
    if campaign.consent_id is not None and enrollment.consent_id != campaign.consent_id:
        return "consent"
    if campaign.open_to == Campaign.OpenTo.SELECTED and enrollment.state == states.QUALIFIED:
        return "not_selected"
    return ""


# --- Picking ------------------------------------------------------------------------------------


def _take(enrollment: Enrollment, now: datetime) -> int | None:
    """Lease a task in an open campaign: practice and exam first, then out of the window."""
    while enrollment.state in AT_IT:
        practises = enrollment.state == Enrollment.State.TRAINING
        question = _take_training(enrollment) if practises else _take_exam(enrollment)
        if question is not None:
            return question
        # They skipped some, or some were withdrawn.
        if practises:
            end_training(enrollment)
        else:
            end_exam(enrollment)
    if enrollment.state == Enrollment.State.PAUSED:
        return None
    ahead = Ahead.of(enrollment)
    task = _take_hidden(enrollment, ahead)
    if task is None:
        task = _take_plain(enrollment, ahead, now)
    ahead.keep(enrollment)
    return task


def _take_plain(enrollment: Enrollment, ahead: Ahead, now: datetime) -> int | None:
    """One of the next tasks behind the cursor, which passes no task that this worker has not held:
    those that were left lying in the window are found again."""
    campaign, worker = enrollment.campaign, enrollment.worker_id
    order = order_of_draw()
    taken = take_near(campaign.pk, worker, enrollment.cursor, last=ahead.last, order=order)
    if taken is None and connection.features.has_select_for_update_skip_locked:
        # Others may have locked the whole window: what is next behind it?
        beyond = take_any(campaign.pk, worker, enrollment.cursor)
        if beyond is not None:
            task, rank = beyond
            ahead.moved(campaign, rank, sorted({rank, *ahead.rows}))
            return task
    if taken is None and enrollment.cursor != HEAD:
        ahead.front = HEAD
        taken = take_near(campaign.pk, worker, HEAD, last=ahead.last, order=order)
    if taken is None and expire_batch(now, campaign=campaign.pk):
        ahead.front = HEAD
        taken = take_near(campaign.pk, worker, HEAD, last=ahead.last, order=order)
    if taken is None:
        return None
    first = taken.window[0]
    enrollment.cursor = first if taken.rank == first else first - 1
    ahead.moved(campaign, taken.rank, taken.window)
    return taken.task


def _take_training(enrollment: Enrollment) -> int | None:
    """The next practice task; they are few, and nobody answers one twice."""
    found = gold_candidates(
        enrollment.campaign_id, enrollment.worker_id, HEAD, Demand.Kind.TRAINING
    ).first()
    return None if found is None else found[0]


def _take_exam(enrollment: Enrollment) -> int | None:
    """A test task, drawn anew each time."""
    kind = enrollment.campaign.exam_kind
    return gold_from(enrollment.campaign_id, enrollment.worker_id, anywhere(), kind)


def _take_hidden(enrollment: Enrollment, ahead: Ahead) -> int | None:
    """A hidden gold question, where one comes now; None: none does, or this worker had them all."""
    place = ahead.gold_place(enrollment.campaign)
    if place is None:
        return None
    task = gold_from(enrollment.campaign_id, enrollment.worker_id, place, Demand.Kind.HIDDEN)
    ahead.note_gold(task is not None)
    return task


def _lease_expired(enrollment: Enrollment, task: str | None, now: datetime) -> Assignment | None:
    """In an assigned campaign nobody else can do what ran out: its worker gets it again, with
    key and draft as they were."""
    expired = Assignment.objects.expired().filter(enrollment=enrollment, task__demand__ready=True)
    if task is not None:
        expired = expired.filter(task__external_id=task)
    lease = expired.order_by("pk").first()
    if lease is None:
        return None
    slot = skipping_locked(Demand.objects.filter(task=lease.task_id, ready=True).values("task")[:1])
    if demand.take_first(*slot.query.sql_with_params()) is None:
        return None
    campaign = enrollment.campaign
    lease.state, lease.pay_mills = Assignment.State.LEASED, campaign.pay_mills
    lease.leased_at, lease.expires_at = now, now + timedelta(minutes=campaign.lease_minutes)
    lease.save(update_fields=["state", "pay_mills", "leased_at", "expires_at"])
    enrollment.allowance_mills -= campaign.pay_mills
    enrollment.rest_until = None
    return lease


# --- Leasing ------------------------------------------------------------------------------------


def _lease(enrollment: Enrollment, task_id: int, now: datetime) -> Assignment:
    campaign = enrollment.campaign
    enrollment.allowance_mills -= campaign.pay_mills
    enrollment.rest_until = None
    lease = Assignment(
        task_id=task_id,
        worker_id=enrollment.worker_id,
        enrollment=enrollment,
        instructions_id=campaign.instructions_id,
        pay_mills=campaign.pay_mills,
        leased_at=now,
        expires_at=now + timedelta(minutes=campaign.lease_minutes),
    )
    compiled.insert(lease)
    return lease


def _renewed(lease_id: int, campaign: Campaign, now: datetime) -> Assignment:
    """The live lease; extended, because its worker is here."""
    lease = Assignment.objects.get(pk=lease_id)
    renew(lease, campaign, now)
    return lease


def _rest(enrollment: Enrollment, now: datetime, task: str | None) -> Next:
    """Nothing was found: the reason, and a pause so that the search is not repeated at once."""
    campaign = enrollment.campaign
    if task is not None:
        return Next(None, enrollment, "task_not_available")
    if enrollment.state == Enrollment.State.PAUSED:
        return Next(None, enrollment, "paused")
    if campaign.is_assigned:
        waiting = allotted_to(enrollment)
    else:
        # Without the lock: are there rows that only somebody's lock has hidden?
        waiting = plain_ahead(campaign.pk, enrollment.worker_id, HEAD)
    rest = SHORT_REST if waiting.exists() else REST
    enrollment.rest_until = now + rest
    return Next(None, enrollment, "nothing_left", enrollment.rest_until)


def _start(campaign: Campaign) -> int:
    """Where a worker's cursor starts: the head, or anywhere in the most urgent priority."""
    if campaign.is_assigned or campaign.spread == Campaign.Spread.COMPLETE:
        return HEAD
    head = (
        Demand.objects.plain()
        .ready()
        .filter(campaign=campaign)
        .order_by("rank")
        .values_list("rank", flat=True)
        .first()
    )
    if head is None:
        return HEAD
    return head // demand.BUCKET * demand.BUCKET + secrets.randbelow(demand.BUCKET)


def first_place(campaign: Campaign) -> dict[str, int]:
    """The engine's columns of a new enrollment."""
    return {"epoch": campaign.epoch, "cursor": _start(campaign)}


def first_state(campaign: Campaign) -> str:
    if campaign.is_assigned:
        return Enrollment.State.QUALIFIED
    if campaign.training_size:
        return Enrollment.State.TRAINING
    return Enrollment.State.EXAM if campaign.exam_size else Enrollment.State.QUALIFIED
