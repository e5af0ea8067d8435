"""An answer that came in, read and judged before its transaction begins."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from annotation.actions.bulk import batches
from annotation.actions.projects import label_numbers
from annotation.interfaces import AnswerError, Material, interface, links, pay_due
from annotation.interfaces.answers import Answer
from annotation.interfaces.reading import MOST_ERRORS
from annotation.models import Assignment, Demand, Enrollment, Entity, GoldQuestion
from annotation.models.materials import MATERIAL_COLUMNS, material_of
from annotation.querysets import compiled
from annotation.sentences import CodedError, Problem, shown

LINKS_AT_ONCE = 500  # SQLite takes so many parameters without asking
LONGEST_SECONDS = 24 * 3600.0
TASK = [
    "task__campaign__interface", "task__campaign__project",
    *(f"task__{column}" for column in MATERIAL_COLUMNS),
]  # fmt: skip


class UnknownAssignment(CodedError):
    """There is no such assignment for this worker."""


@dataclass(frozen=True, slots=True)
class Submission:
    """An assignment as it was before the transaction, with what its answer is checked against."""

    pk: int
    state: str
    task_id: int
    worker_id: int
    pay_mills: int
    kind: int
    gold: Answer | None  # of a question that is not retired
    tolerance: int
    interface: str
    project_id: int
    material: Material


@dataclass(frozen=True, slots=True)
class Clean:
    """An answer that has been read, judged and scored: all that needs no lock."""

    answer: Answer
    judgments: bytes
    version: int
    seconds: float
    gold_score: float | None
    pay_mills: int  # what is due


def load(enrollment_key: Any, assignment_key: Any) -> Submission:
    for found in LOAD.dicts(key=_as_uuid(assignment_key), enrollment=enrollment_key):
        return Submission(
            pk=found["pk"],
            state=found["state"],
            task_id=found["task"],
            worker_id=found["worker"],
            pay_mills=found["pay_mills"],
            kind=found["kind"],
            gold=found["gold"],
            tolerance=found["tolerance"] or 0,
            interface=found["task__campaign__interface"],
            project_id=found["task__campaign__project"],
            material=material_of(found, "task__"),
        )
    raise UnknownAssignment("assignment.unknown")


def _loaded(key: uuid.UUID, enrollment: Any) -> QuerySet:
    """One read. Demand and gold are subqueries: as joins they would make it one of eight tables,
    which PostgreSQL takes three times as long to plan."""
    gold = GoldQuestion.objects.standing().filter(task=OuterRef("task"))
    return (
        Assignment.objects.filter(key=key, enrollment__key=enrollment)
        .order_by()
        .annotate(
            kind=Subquery(Demand.objects.filter(task=OuterRef("task")).values("kind")[:1]),
            gold=Subquery(gold.values("answer")[:1]),
            tolerance=Subquery(gold.values("tolerance")[:1]),
        )
        .values("pk", "state", "task", "worker", "pay_mills", "kind", "gold", "tolerance", *TASK)
    )[:1]


LOAD = compiled.Select(_loaded, key=Assignment.key, enrollment=Enrollment.key)


def read(submission: Submission, raw: Any, seconds: float) -> Clean:
    kind, material = interface(submission.interface), submission.material
    answer = kind.read(raw, material)
    _check_links(submission, raw)
    numbers = label_numbers(submission.project_id, kind.label_names(answer, material))
    # Every answer is scored, if only against itself: gold takes no longer than other work.
    score = kind.score_gold(answer, submission.gold or answer, material, submission.tolerance)
    return Clean(
        answer=answer,
        judgments=kind.judge(answer, material, numbers),
        version=kind.VERSION,
        seconds=min(max(seconds, 0.0), LONGEST_SECONDS),
        gold_score=None if submission.gold is None else score,
        pay_mills=pay_due(submission.interface, answer, material, submission.pay_mills),
    )


def _check_links(submission: Submission, raw: Any) -> None:
    """Links lead to entries of the knowledge base, or to what the task itself suggested: a name
    that a worker made up would stand in the project's vocabulary for good. No query where there
    is no link. Raises AnswerError, by the paths of what was sent."""
    wanted = links(submission.interface, raw)
    if not wanted:
        return
    suggested = submission.material.payload.get("suggestions") or {}
    unknown = set(wanted.values()) - set(links(submission.interface, suggested).values())
    for keys in batches(sorted(unknown), LINKS_AT_ONCE):
        entries = Entity.objects.filter(project=submission.project_id, key__in=keys)
        unknown.difference_update(entries.values_list("key", flat=True))
    if unknown:
        problems = [
            Problem("link.unknown", path, key=shown(key))
            for path, key in wanted.items()
            if key in unknown
        ]
        raise AnswerError(problems[:MOST_ERRORS])


def _as_uuid(key: Any) -> uuid.UUID:
    try:
        return key if isinstance(key, uuid.UUID) else uuid.UUID(str(key))
    except ValueError as error:
        raise UnknownAssignment("assignment.unknown") from error
