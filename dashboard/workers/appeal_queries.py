"""What workers of a campaign ask to be looked at again: open requests, and those answered."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from annotation.models import Appeal, Campaign
from annotation.queries.worker_names import worker_name
from annotation.querysets.assignments import standing
from dashboard.campaigns.queries import GoldMean, score_of
from dashboard.interfaces import in_words

OPEN, ANSWERED = 50, 30  # shown on a page


@dataclass(frozen=True, slots=True)
class Request:
    """A worker's request with what a manager wants to know before they answer it."""

    id: uuid.UUID  # of the request
    worker: str
    key: uuid.UUID  # of the enrollment
    state: str
    about: str  # the reason that the worker was given
    task: str  # external id of the task whose answer was rejected; "" for a pause
    document: str  # external id, "" where it has none
    title: str  # of the document
    words: str  # what the rejected answer says
    text: str
    created_at: datetime
    submitted: int
    seconds_each: float | None
    earned_mills: int
    gold: GoldMean | None
    practice: GoldMean | None
    answer: str
    granted: bool | None
    answered_at: datetime | None
    answered_by: str

    @property
    def is_about_pause(self) -> bool:
        return not self.task


@dataclass(frozen=True, slots=True)
class AppealsPage:
    open: list[Request]
    waiting: int  # open ones in all
    answered: list[Request]
    later: int | None  # after which page the older answered ones come; None for the last


def open_appeals(campaign: Campaign) -> int:
    """One query."""
    return Appeal.objects.filter(enrollment__campaign=campaign, answered_at=None).count()


def appeals_page(campaign: Campaign, page: int = 1) -> AppealsPage:
    """Three queries. The oldest open request first, the newest answer first."""
    given = standing("answer", through="rejection__assignment__response__")
    asked = Appeal.objects.filter(enrollment__campaign=campaign).annotate(given=given)
    asked = asked.select_related(
        "enrollment__worker", "answered_by", "rejection__assignment__task__document"
    ).defer(
        "rejection__assignment__draft", "rejection__assignment__task__payload",
        "rejection__assignment__task__document__text",
        "rejection__assignment__task__document__tokens",
        "rejection__assignment__task__document__sentences",
    )  # fmt: skip
    waiting = asked.filter(answered_at=None)
    first = (page - 1) * ANSWERED
    answered = list(
        asked.filter(answered_at__isnull=False).order_by("-answered_at", "-pk")[
            first : first + ANSWERED + 1
        ]
    )
    shown = list(waiting.order_by("pk")[:OPEN])
    return AppealsPage(
        open=[_request(row, campaign.interface) for row in shown],
        waiting=len(shown) if len(shown) < OPEN else waiting.count(),
        answered=[_request(row, campaign.interface) for row in answered[:ANSWERED]],
        later=page + 1 if len(answered) > ANSWERED else None,
    )


def _request(row: Appeal, interface: str) -> Request:
    worker = row.enrollment
    task = row.rejection.assignment.task if row.rejection else None
    return Request(
        id=row.key,
        worker=worker_name(worker, with_ids=True),
        key=worker.key,
        state=worker.state,
        about=str(row.reason or ""),
        task=task.external_id if task else "",
        document=task.document.external_id if task and task.document else "",
        title=str(task.document) if task and task.document else "",
        words=in_words(interface, row.given) if row.given else "",  # type: ignore[attr-defined]
        text=row.text,
        created_at=row.created_at,
        submitted=worker.submitted,
        seconds_each=worker.seconds / worker.submitted if worker.submitted else None,
        earned_mills=worker.earned_mills,
        gold=score_of(worker.gold_score_sum, worker.gold_seen),
        practice=score_of(worker.training_score_sum, worker.training_seen),
        answer=str(row.reply or ""),
        granted=row.granted,
        answered_at=row.answered_at,
        answered_by=row.answered_by.get_username() if row.answered_by else "",
    )
