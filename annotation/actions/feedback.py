"""What a worker is told of an answer: for practice alone, the right one beside their own."""

from __future__ import annotations

from typing import Any

from annotation.interfaces import interface
from annotation.models import Assignment, Demand
from annotation.models.assignments import by_worker
from annotation.models.materials import MATERIAL_COLUMNS, material_of

COLUMNS = (
    "enrollment__campaign__pass_score", "task__campaign__interface", "task__demand__kind",
    "task__gold_question__answer", "task__gold_question__explanation",
    "task__gold_question__tolerance", "task__gold_question__retired_at",
    "response__answer", "response__gold_score", "rescored", "rescored__score",
    "response__correction__answer", "response__correction__at", "response__received_at",
)  # fmt: skip


def handed_in(enrollment_key: Any, assignment_key: Any) -> dict[str, Any] | None:
    """A worker's own answer with its task, as the page shows both; None: there is no such answer.

    `feedback` is None but for practice. One query.
    """
    row = _read(key=assignment_key, enrollment__key=enrollment_key)
    if row is None:
        return None
    kind = interface(row["task__campaign__interface"])
    material = material_of(row, "task__")
    is_first = row["response__correction__at"] is None
    answer = row["response__answer" if is_first else "response__correction__answer"]
    return {
        "page": kind.page_data(material),
        "answer": kind.for_page(answer, material),
        "corrected_at": by_worker(row["response__received_at"], row["response__correction__at"]),
        "feedback": _feedback(row),
    }


def feedback_on(assignment: int) -> dict[str, Any] | None:
    """What was right and wrong in a practice answer; None for any other. One query."""
    row = _read(pk=assignment)
    return None if row is None else _feedback(row)


def _read(**which: Any) -> dict[str, Any] | None:
    columns = [*COLUMNS, *(f"task__{column}" for column in MATERIAL_COLUMNS)]
    return Assignment.objects.filter(response__isnull=False, **which).values(*columns).first()


def _feedback(row: dict[str, Any]) -> dict[str, Any] | None:
    gold = row["task__gold_question__answer"]
    stands = "response__gold_score" if row["rescored"] is None else "rescored__score"
    score = row[stands]
    if row["task__demand__kind"] != Demand.Kind.TRAINING or gold is None or score is None:
        return None
    if row["task__gold_question__retired_at"] is not None:  # it was found to be wrong
        return None
    kind = interface(row["task__campaign__interface"])
    material = material_of(row, "task__")
    answer = row["response__answer"]
    return {
        "score": score,
        "passed": score >= row["enrollment__campaign__pass_score"],
        "explanation": row["task__gold_question__explanation"],
        "right": kind.for_page(gold, material),
        "given": kind.for_page(answer, material),
        "findings": kind.feedback(answer, gold, material, row["task__gold_question__tolerance"]),
    }
