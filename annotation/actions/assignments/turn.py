"""A worker's turn: their enrollment's row, locked, with all that an action needs to know of
them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, FilteredRelation, Q, QuerySet

from annotation.models import Assignment, Campaign, Enrollment
from annotation.querysets import compiled
from annotation.sentences import CodedError

# What the worker's own actions may change. Their row is locked, so writing all of it loses nothing.
KEPT = [
    "state", "state_reason", "coded_reason", "state_by", "submitted", "skipped", "earned_mills",
    "seconds",
    "training_seen", "training_score_sum", "exam_seen", "exam_score_sum", "tries",
    "gold_seen", "gold_score_sum", "gold_score_sumsq", "cursor", "ahead",
    "epoch", "rest_until", "allowance_mills", "seen_at",
]  # fmt: skip

# What else they need to know: a narrow read, because it is part of every action.
READ = [
    "key", "campaign__slug", "campaign__project", "campaign__state", "campaign__assignment",
    "campaign__spread", "campaign__open_to", "campaign__lease_minutes", "campaign__skip_limit",
    "campaign__gold_every", "campaign__training_size", "campaign__exam_size", "campaign__tries",
    "campaign__exam_is_hidden", "campaign__pass_score", "campaign__currency",
    "campaign__pay_mills", "campaign__secret",
    "campaign__budget_mills", "campaign__committed_mills", "campaign__epoch",
    "campaign__instructions", "campaign__consent", "campaign__code_completed",
    "campaign__code_stopped", "campaign__code_screened_out", "consent", "worker__blocked_at",
]  # fmt: skip


class UnknownEnrollment(CodedError):
    """The token names an enrollment that is no more."""


LONGEST_LIFE = 4  # times the length of a lease
LEASE = ("id", "key", "task_id", "pay_mills")


def lock(enrollment_key: Any, *, with_lease: bool = True) -> Enrollment:
    """The enrollment, locked, with campaign and worker in one query.

    `lease_id`, `lease_key`, … tell the live lease; all None where there is none, or where the
    caller did without (a submit learns from its own update that the lease was live).
    """
    statement = WITH_LEASE if with_lease else WITHOUT_LEASE
    for found in statement.instances(key=enrollment_key):
        if not with_lease:
            _set_lease(found, None)
        return found
    raise UnknownEnrollment("session.no_campaign")


def _locked(key: Any) -> QuerySet:
    enrollments = Enrollment.objects.select_related("campaign", "worker").only(*KEPT, *READ)
    return enrollments.select_for_update(of=("self",)).filter(key=key)[:1]


def _locked_with_lease(key: Any) -> QuerySet:
    enrollments = Enrollment.objects.select_related("campaign", "worker").only(*KEPT, *READ)
    with_lease = enrollments.annotate(
        live=FilteredRelation(
            "assignments",
            condition=Q(assignments__state="leased", assignments__platform_ref=""),
        ),
        **{f"lease_{name}": F(f"live__{name}") for name in LEASE},
    )
    return with_lease.select_for_update(of=("self",)).filter(key=key)[:1]


WITHOUT_LEASE = compiled.Select(_locked, key=Enrollment.key)
WITH_LEASE = compiled.Select(_locked_with_lease, key=Enrollment.key)


def find_lease(enrollment: Enrollment) -> None:
    """Look the live lease of a locked enrollment up after all."""
    live = Assignment.objects.live().filter(enrollment=enrollment, platform_ref="")
    _set_lease(enrollment, live.first())


def _set_lease(enrollment: Any, lease: Assignment | None) -> None:
    for name in LEASE:
        setattr(enrollment, f"lease_{name}", getattr(lease, name, None))


def renewed(leased_at: datetime, minutes: int, now: datetime) -> datetime:
    """When a lease that is renewed now ends. However often that is done, it ends: whoever has
    drafts sent for ever would keep task and money from all others."""
    full = timedelta(minutes=minutes)
    return min(now + full, leased_at + LONGEST_LIFE * full)


def renew(lease: Assignment, campaign: Campaign, now: datetime) -> None:
    """Let a live lease run its full time from now, unless it was renewed a moment ago."""
    full = timedelta(minutes=campaign.lease_minutes)
    ends = renewed(lease.leased_at, campaign.lease_minutes, now)
    if lease.expires_at < min(ends, now + full * 0.75):
        lease.expires_at = ends
        Assignment.objects.filter(pk=lease.pk).update(expires_at=ends)


def keep(enrollment: Enrollment, now: datetime) -> None:
    """Save what the action changed on the locked enrollment, in one statement."""
    enrollment.seen_at = now
    KEEP.run(pk=enrollment.pk, **{name: getattr(enrollment, name) for name in KEPT})


KEEP = compiled.Update(
    lambda pk, **kept: (Enrollment.objects.filter(pk=pk), kept),
    pk=Enrollment.id,
    **{name: getattr(Enrollment, name) for name in KEPT},
)
