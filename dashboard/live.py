"""Pages that bring themselves up to date: a look that finds nothing new costs a few counters.

A page names the state of things that it was made from (`<live-part data-state>`), the browser
sends it back as If-None-Match (static/js/dashboard/live-part.js), and where it still holds the
view answers 304 before it reads anything else.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q, Sum
from django.http import HttpRequest

from aggregation.models import AggregationRun
from annotation.models import Appeal, AuditEntry, Campaign, Enrollment, Job, Tally
from selection.models import GoldCheck, WorkerFlag

AFRESH = 600  # seconds after which a page is made anew though nothing was written: times pass


def campaign_state(campaign: Campaign, now: datetime) -> str:
    """Another one after each change that a page of the campaign shows. Seven queries, none of
    which looks at an answer; `campaign` comes with its tally."""
    tally: Tally | None = getattr(campaign, "tally", None)
    enrollments = Enrollment.objects.filter(campaign=campaign)
    flags = WorkerFlag.objects.filter(enrollment__campaign=campaign)
    return _digest(
        campaign.state, campaign.committed_mills, campaign.budget_mills, campaign.name,
        (tally.received, tally.wanted, tally.complete, tally.tasks) if tally else None,
        sorted(
            enrollments.order_by().values_list("state").annotate(
                Count("pk"), Sum("submitted"), Sum("earned_mills"), Sum("gold_seen"),
                Sum("gold_score_sum"), Sum("training_seen"), Sum("exam_seen"),
            )
        ),
        jobs_state(Job.objects.filter(project=campaign.project_id)),
        AggregationRun.objects.filter(campaign=campaign).aggregate(
            Max("pk"), Max("finished_at"), Count("pk")
        ),
        AuditEntry.objects.filter(project=campaign.project_id).aggregate(Max("pk")),
        Appeal.objects.filter(enrollment__campaign=campaign).aggregate(
            Count("pk"), Count("answered_at")
        ),
        flags.aggregate(Count("pk"), Max("at"), Count("dismissed_at")),
        GoldCheck.objects.filter(question__task__campaign=campaign).aggregate(Max("at")),
        campaign.state != Campaign.State.CLOSED and now.timestamp() // AFRESH,
    )  # fmt: skip


def jobs_state(jobs: Any) -> dict[str, Any]:
    """Of some jobs: what began, went on or ended. One query."""
    unfinished = Q(state__in=[Job.State.QUEUED, Job.State.RUNNING])
    found: dict[str, Any] = jobs.aggregate(
        Max("pk"), Max("started_at"), Max("ended_at"), Max("stop_asked_at"),
        unfinished=Count("pk", filter=unfinished), done=Sum("done", filter=unfinished),
    )  # fmt: skip
    return found


def is_known(request: HttpRequest, state: str) -> bool:
    """Whether the browser has what would be sent."""
    return request.headers.get("If-None-Match") == f'"{state}"'


def _digest(*facts: Any) -> str:
    return hashlib.blake2b(repr(facts).encode(), digest_size=9).hexdigest()
