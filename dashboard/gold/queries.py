"""Gold questions: how hard each is, who failed it, and whether it may be wrong."""

from __future__ import annotations

import uuid
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Avg, Case, Count, Max, Q, QuerySet, Value, When

from annotation.actions.gold import unasked_gold
from annotation.interfaces import traits
from annotation.models import Assignment, Campaign, Demand, GoldQuestion
from annotation.queries.intervals import score_interval
from annotation.queries.worker_names import worker_name
from annotation.querysets.assignments import GOLD_SCORE
from dashboard.interfaces import in_full, in_words
from selection.models import GoldCheck
from selection.queries.words import gold_in_words

ROWS = 30
ANSWERS = 300  # the newest, that are laid together
KINDS: dict[int, str] = {
    Demand.Kind.TRAINING: "practice", Demand.Kind.HIDDEN: "hidden", Demand.Kind.EXAM: "exam",
    Demand.Kind.PLAIN: "check",
}  # fmt: skip
DRAWN: dict[str, str] = {
    GoldQuestion.Drawn.RANDOM: "drawn at random",
    GoldQuestion.Drawn.PICKED: "picked",
    GoldQuestion.Drawn.DOCUMENT: "came with its document",
    GoldQuestion.Drawn.DIFFERING: "drawn where method and vote differ",
}


@dataclass(frozen=True, slots=True)
class GoldRow:
    task: str  # external id
    document: str  # external id of one whose page shows the answers; else ""
    title: str
    kind: str
    drawn: str  # how the task was chosen
    known: str  # the known answer in a few words
    answers: int
    mean: float | None
    interval: tuple[float, float] | None  # of the mean, at 95 %: answers are of different workers
    expected: float | None
    is_checked: bool
    is_suspicious: bool
    evidence: str
    retired_at: datetime | None
    retired_because: str
    changed_at: datetime | None

    @property
    def tone(self) -> str:
        return "k-warn" if self.is_suspicious else ""


@dataclass(frozen=True, slots=True)
class GoldPage:
    rows: list[GoldRow]
    number: int
    suspicious: int
    hidden: int
    practice: int
    exam: int
    checks: int
    random: int  # drawn at random from all tasks, and not retired
    with_documents: int  # that came with documents, where others came without; asked or not
    page: int
    pages: int
    checked_at: datetime | None  # the newest look at any of them

    @property
    def earlier(self) -> int:
        return self.page - 1

    @property
    def later(self) -> int:
        return self.page + 1


@dataclass(frozen=True, slots=True)
class Giver:
    key: uuid.UUID  # of the enrollment
    name: str
    score: float | None
    parts: dict[str, float]
    at: datetime | None


@dataclass(frozen=True, slots=True)
class SameAnswer:
    """One answer, and who gave it."""

    assignment: uuid.UUID  # of one of them
    words: str
    mean: float | None
    givers: list[Giver]

    @property
    def number(self) -> int:
        return len(self.givers)


@dataclass(frozen=True, slots=True)
class QuestionPage:
    row: GoldRow
    question: GoldQuestion
    known: str  # the known answer, in full
    same: list[SameAnswer]  # what most said comes first
    total: int  # answers behind them


def gold_page(campaign: Campaign, page: int = 1) -> GoldPage:
    """At most five queries. The suspicious first, the retired last."""
    questions = _questions(campaign)
    counts = questions.aggregate(
        number=Count("pk"),
        suspicious=Count("pk", filter=Q(check_row__suspicious=True, retired_at=None)),
        checked_at=Max("check_row__at"),
        hidden=Count("pk", filter=Q(task__demand__kind=Demand.Kind.HIDDEN)),
        practice=Count("pk", filter=Q(task__demand__kind=Demand.Kind.TRAINING)),
        exam=Count("pk", filter=Q(task__demand__kind=Demand.Kind.EXAM)),
        checks=Count("pk", filter=Q(task__demand__kind=Demand.Kind.PLAIN)),
        random=Count("pk", filter=Q(drawn=GoldQuestion.Drawn.RANDOM, retired_at=None)),
        with_documents=Count("pk", filter=Q(drawn=GoldQuestion.Drawn.DOCUMENT, retired_at=None)),
    )
    unasked = unasked_gold(campaign).count()
    if unasked and not campaign.tasks.all_have_gold_for(campaign.interface):
        counts["with_documents"] += unasked
    pages = max(1, -(-counts["number"] // ROWS))
    page = min(max(page, 1), pages)
    first = (page - 1) * ROWS
    found = list(
        questions.annotate(
            turn=Case(
                When(retired_at__isnull=False, then=Value(2)),
                When(check_row__suspicious=True, then=Value(0)),
                default=Value(1),
            )
        ).order_by("turn", "-task__demand__kind", "task")[first : first + ROWS]
    )
    scores = _scores([question.pk for question in found])
    return GoldPage(
        rows=[_row(campaign, question, scores.get(question.pk)) for question in found],
        page=page,
        pages=pages,
        **counts,
    )


def gold_question(campaign: Campaign, task: str) -> GoldQuestion | None:
    """By the task's external id. With its task, the document's text and its check. One query."""
    rows = _questions(campaign).defer(None).defer(
        "task__payload", "task__document__tokens", "task__document__sentences"
    )  # fmt: skip
    found = rows.filter(task__external_id=task).first()
    if found is not None:
        found.task.campaign = campaign
    return found


def question_page(campaign: Campaign, question: GoldQuestion, *, with_ids: bool) -> QuestionPage:
    """Three queries."""
    document = question.task.document
    text = document.text if document else ""
    given = list(
        Assignment.objects.handed_in()
        .filter(task=question.pk, response__isnull=False)
        .select_related("enrollment__worker", "response", "rescored")
        .defer("draft")
        .annotate(counts=GOLD_SCORE)
        .order_by("-pk")[:ANSWERS]
    )
    together: dict[bytes, list[Assignment]] = defaultdict(list)
    for row in given:
        together[bytes(row.response.judgments)].append(row)
    same = [_same(campaign, rows, text, with_ids) for rows in together.values()]
    return QuestionPage(
        row=_row(campaign, question, _scores([question.pk]).get(question.pk)),
        question=question,
        known=in_full(campaign.interface, question.answer, text),
        same=sorted(same, key=lambda group: -group.number),
        total=len(given),
    )


def _questions(campaign: Campaign) -> QuerySet[GoldQuestion]:
    return GoldQuestion.objects.filter(task__campaign=campaign).select_related(
        "task__demand", "task__document", "check_row"
    ).defer(
        "task__payload", "task__document__text", "task__document__tokens",
        "task__document__sentences",
    )  # fmt: skip


def _scores(tasks: list[int]) -> dict[int, tuple[int, int, float | None]]:
    """Task → its answers, those whose scores count, and the mean of these scores."""
    rows = Assignment.objects.handed_in().filter(task__in=tasks, response__isnull=False)
    return {
        task: (number, counted, mean)
        for task, number, counted, mean in rows.annotate(counts=GOLD_SCORE)
        .values("task")
        .annotate(number=Count("pk"), counted=Count("counts"), mean=Avg("counts"))
        .values_list("task", "number", "counted", "mean")
    }


def _row(
    campaign: Campaign, question: GoldQuestion, scored: tuple[int, int, float | None] | None
) -> GoldRow:
    task, document = question.task, question.task.document
    check: GoldCheck | None = getattr(question, "check_row", None)
    demand: Demand | None = getattr(task, "demand", None)  # none before the campaign opens
    suspicious = check is not None and check.suspicious and question.retired_at is None
    number, counted, mean = scored or (0, 0, None)
    return GoldRow(
        task=task.external_id,
        document=document.external_id
        if document and traits(campaign.interface).on_documents
        else "",
        title=(document.title if document else "") or task.external_id,
        kind=KINDS.get(demand.kind, "") if demand else "not given out yet",
        drawn=DRAWN[question.drawn],
        known=in_words(campaign.interface, question.answer),
        answers=number,
        mean=mean,
        interval=None if mean is None else score_interval(mean, counted),
        expected=check.expected if check else None,
        is_checked=check is not None,
        is_suspicious=suspicious,
        evidence=gold_in_words(check.number, check.mean, check.expected)
        if check and suspicious
        else "",
        retired_at=question.retired_at,
        retired_because=question.retired_because,
        changed_at=question.changed_at,
    )


def _same(campaign: Campaign, rows: list[Assignment], text: str, with_ids: bool) -> SameAnswer:
    scores = [row.counts for row in rows if row.counts is not None]  # type: ignore[attr-defined]
    return SameAnswer(
        assignment=rows[0].key,
        words=in_full(campaign.interface, rows[0].response.answer, text),
        mean=sum(scores) / len(scores) if scores else None,
        givers=[
            Giver(
                key=row.enrollment.key,
                name=worker_name(row.enrollment, with_ids=with_ids),
                score=row.counts,  # type: ignore[attr-defined]
                parts=row.rescored.parts if hasattr(row, "rescored") else {},
                at=row.submitted_at,
            )
            for row in rows
        ],
    )
