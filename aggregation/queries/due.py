"""Which campaigns the night aggregates."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from aggregation.models import AggregationRun
from annotation.models import Campaign, Enrollment, Response

WEEK = timedelta(days=7)
OVER = (Campaign.State.PAUSED, Campaign.State.CLOSED)


def nightly(now: datetime) -> QuerySet[Campaign]:
    """Open ones with answers, and others in which an answer came in this week that no run has
    read: what somebody chose for a campaign that is over stays what is served."""
    answered = Enrollment.objects.with_answers().filter(campaign=OuterRef("pk"))
    read = AggregationRun.objects.complete().filter(
        campaign=OuterRef("assignment__task__campaign"),
        started_at__gte=OuterRef("last_at"),
        as_of=None,
    )
    counted = Response.objects.counted().filter(received_at__gt=now - WEEK)
    last_at = Coalesce("correction__at", "received_at")
    unread = counted.annotate(last_at=last_at).filter(~Exists(read))
    over = Q(state__in=OVER, pk__in=unread.order_by().values("assignment__task__campaign"))
    found: QuerySet[Campaign] = Campaign.objects.filter(
        Q(state=Campaign.State.OPEN) | over, Exists(answered)
    )
    return found
