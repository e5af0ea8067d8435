"""What the pages of systems show: a fixed number of queries each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Max, OuterRef, Q, Subquery

from annotation.models import Demand, Document, Project
from dashboard.newest_first import NewestFirst, newest_first
from evaluation.formats.issues import CODES, ERROR
from evaluation.models import (
    ClaimPart,
    EvaluationPeriod,
    RecallDocument,
    RecallSample,
    SamplingPlan,
    ScoreSnapshot,
    Submission,
    Team,
)
from evaluation.queries.recall import spent_on_documents

SUBMISSIONS = 50  # of a page


@dataclass(frozen=True, slots=True)
class PeriodLine:
    period: EvaluationPeriod
    state: str
    tone: str  # of the mark of a state
    documents: int
    systems: int
    scored_at: datetime | None


def state_of(period: EvaluationPeriod, now: datetime) -> tuple[str, str]:
    if now < period.opens_at:
        return "not open yet", "draft"
    if period.takes_submissions(now):
        return "open", "open"
    if period.labels_released_at:
        return "closed, labels released", "closed"
    return "closed", "closed"


def period_lines(project: Project, now: datetime) -> list[PeriodLine]:
    """Three queries."""
    periods = list(project.evaluation_periods.all())
    documents = dict(
        EvaluationPeriod.objects.filter(project=project)
        .values_list("pk")
        .annotate(number=Count("documents"))
    )
    systems = dict(
        Submission.objects.standing()
        .filter(period__project=project)
        .values_list("period")
        .annotate(number=Count("system", distinct=True))
    )
    scored = dict(
        ScoreSnapshot.objects.filter(period__project=project)
        .values_list("period")
        .annotate(last=Max("made_at"))
    )
    return [
        PeriodLine(
            one, *state_of(one, now), documents.get(one.pk, 0), systems.get(one.pk, 0),
            scored.get(one.pk),
        )
        for one in periods
    ]  # fmt: skip


def team_lines(project: Project) -> list[Any]:
    """Teams with how many people and systems they have. One query."""
    return list(
        Team.objects.filter(project=project).annotate(
            people=Count("members", distinct=True), number=Count("systems", distinct=True)
        )
    )


def submissions_of(rows: Any, before: int | None) -> NewestFirst:
    """The newest first, with system, team and period; `is_current` says which is scored. One
    query."""
    current = Submission.objects.current().filter(pk=OuterRef("pk")).values("pk")
    related = rows.select_related("system__team", "period", "submitted_by", "upload_token")
    return newest_first(related.annotate(current=Subquery(current)), before, SUBMISSIONS)


@dataclass(frozen=True, slots=True)
class Progress:
    """Of the tasks in which claims are verified."""

    tasks: int
    complete: int


@dataclass(frozen=True, slots=True)
class IssueLine:
    code: str
    number: int
    is_error: bool
    what: str
    done: str
    mend: str
    examples: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True)
class Report:
    issues: tuple[IssueLine, ...]
    left_out: int  # issues that left a line out
    warnings: int
    relations: tuple[tuple[str, int], ...]
    preview: tuple[tuple[int, str, str, str], ...]


def relation_words(project: Project) -> dict[str, str]:
    """What a relation is called on pages, by its name."""
    types = project.schema.get("relation_types", ())
    return {one["name"]: one.get("button") or one["name"] for one in types}


def report_of(submission: Submission) -> Report:
    """From its own row; no query."""
    told = submission.report
    counts: dict[str, int] = told.get("counts", {})
    lines = tuple(
        IssueLine(
            code, number, CODES[code].severity == ERROR, CODES[code].what, CODES[code].done,
            CODES[code].mend, tuple((one[0], one[1], one[2]) for one in told["kept"].get(code, ())),
        )
        for code, number in counts.items()
        if code in CODES
    )  # fmt: skip
    words = relation_words(submission.period.project)
    relations = [
        (words.get(name, name), number)
        for name, number in sorted(
            told.get("relations", {}).items(), key=lambda one: (-one[1], one[0])
        )
    ]
    return Report(
        tuple(sorted(lines, key=lambda one: (not one.is_error, -one.number))),
        sum(one.number for one in lines if one.is_error),
        sum(one.number for one in lines if not one.is_error),
        tuple(relations),
        tuple((one[0], one[1], one[2], one[3]) for one in told.get("preview", ())),
    )


def progress_of(period: EvaluationPeriod) -> Progress:
    """How far the judging has come. One query."""
    parts = ClaimPart.objects.filter(claim__period=period, task__isnull=False)
    found = Demand.objects.filter(task__in=parts.values("task")).aggregate(
        tasks=Count("pk"), complete=Count("pk", filter=Q(open=0, leased=0)),
    )  # fmt: skip
    return Progress(found["tasks"], found["complete"])


@dataclass(frozen=True, slots=True)
class RecallProgress:
    uniform: int
    expansion: int
    names: Progress
    relations: Progress
    mills: int


def recall_progress(sample: RecallSample) -> RecallProgress:
    """How far the documents have come, and what they have cost. Four queries."""
    kinds = dict(sample.documents.values_list("kind").annotate(number=Count("pk")).order_by())
    chosen = sample.documents.values("document")
    names, relations = (
        Progress(**Demand.objects.filter(campaign=campaign, task__document__in=chosen).aggregate(
            tasks=Count("pk"), complete=Count("pk", filter=Q(open=0, leased=0)),
        ))
        for campaign in (sample.names, sample.relations)
    )  # fmt: skip
    return RecallProgress(
        kinds.get(RecallDocument.Kind.UNIFORM, 0), kinds.get(RecallDocument.Kind.EXPANSION, 0),
        names, relations, spent_on_documents(sample),
    )  # fmt: skip


def plans_of(period: EvaluationPeriod) -> Sequence[SamplingPlan]:
    return list(period.plans.select_related("created_by").annotate(asked=F("drawn") - F("known")))


def corpus_size(period: EvaluationPeriod) -> int:
    chosen = period.documents.through.objects.filter(evaluationperiod=period).values("document")
    return Document.objects.visible().filter(pk__in=chosen).count()
