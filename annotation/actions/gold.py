"""Gold questions after they were given out: corrected, retired, given back; and scored anew.

A response is never changed, so a score that differs from it stands in GoldScore, and the counters
of every worker who answered are made again from the rows. All of it is audited.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Case, Count, F, QuerySet, Sum, When
from django.utils import timezone

from annotation.actions import audit
from annotation.actions.assignments.demand import offer_gold, start_over
from annotation.actions.bulk import batches
from annotation.interfaces import Material, interface
from annotation.interfaces.answers import Answer
from annotation.models import (
    Assignment,
    Campaign,
    Demand,
    Enrollment,
    GoldQuestion,
    GoldScore,
    Response,
    Task,
)
from annotation.models.materials import MATERIAL_COLUMNS, material_of
from annotation.querysets.assignments import GOLD_SCORE
from annotation.querysets.tasks import MEASURING
from annotation.sentences import CodedError

ROWS = 1_000  # scored and written at once
RECOUNTED = 50  # workers in one transaction, of seven numbers each
SQUARES = Sum(F("counts") * F("counts"))
NO_SCORES = (0, 0.0, 0.0)
COUNTERS = [
    "gold_seen", "gold_score_sum", "gold_score_sumsq", "exam_seen", "exam_score_sum",
    "training_seen", "training_score_sum",
]  # fmt: skip


class GoldRefused(CodedError):
    """The question can't be made, or changed like that; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Rescored:
    """What scoring anew came to."""

    answers: int
    changed: int  # whose score is another one than before
    workers: int


def correct_gold(
    question: GoldQuestion, answer: Any, *, explanation: str | None = None,
    tolerance: int | None = None, user: Any = None, now: datetime | None = None,
) -> Rescored:  # fmt: skip
    """Another known answer (code points, as in an import), explanation or tolerance; every answer
    to the question is scored anew. Raises AnswerError naming the field; nothing is changed then.
    """
    campaign = question.task.campaign
    known = interface(campaign.interface).check(answer, _material(question.task_id))
    change_gold(question, known, explanation=explanation, tolerance=tolerance, user=user, now=now)
    return score_gold(campaign, [question.pk], now=now)


def change_gold(
    question: GoldQuestion, known: Answer, *, explanation: str | None = None,
    tolerance: int | None = None, user: Any = None, now: datetime | None = None,
) -> None:  # fmt: skip
    """`correct_gold` with an answer that was checked; the caller scores anew."""
    campaign = question.task.campaign
    with transaction.atomic():
        row = GoldQuestion.objects.select_for_update().get(pk=question.pk)
        before = {"answer": row.answer, "tolerance": row.tolerance}
        row.answer, row.changed_at = known, now or timezone.now()
        if explanation is not None:
            row.explanation = explanation
        if tolerance is not None:
            row.tolerance = tolerance
        row.save(update_fields=["answer", "explanation", "tolerance", "changed_at"])
        audit.record(
            campaign.project, "correct gold", row.task.external_id, user=user,
            before=before, after={"answer": known, "tolerance": row.tolerance},
        )  # fmt: skip


def count_documents_as_random(campaign: Campaign, *, user: Any = None) -> int:
    """Somebody says that the documents which came with gold were drawn at random from all: their
    gold counts for quality and calibration from the next run on. That of tasks which are no gold
    questions becomes checks. How many known answers that is."""
    known = GoldQuestion.Drawn
    with transaction.atomic():
        asked = GoldQuestion.objects.filter(task__campaign=campaign, drawn=known.DOCUMENT)
        number = asked.update(drawn=known.RANDOM)
        unasked = unasked_gold(campaign).values_list("pk", "document__imported_answers__answer")
        number += len(
            GoldQuestion.objects.bulk_create(
                [
                    GoldQuestion(task_id=task, answer=answer, drawn=known.RANDOM)
                    for task, answer in unasked
                ],
                batch_size=ROWS,
            )
        )
        if number:
            audit.record(
                campaign.project, "gold of documents is random", campaign.slug, user=user,
                after={"known": number},
            )  # fmt: skip
    return number


def unasked_gold(campaign: Campaign) -> QuerySet[Task]:
    """Plain tasks whose document came with gold; a row for each."""
    return (
        Task.objects.plain()
        .gold_for(campaign.interface)
        .filter(campaign=campaign, gold_question=None)
    )


def retire_gold(question: GoldQuestion, reason: str, *, user: Any = None) -> Rescored:
    """Give the question out no more, and let no answer to it count, for or against anybody."""
    if not reason.strip():
        raise GoldRefused("gold.no_reason")
    return _retire(question, timezone.now(), reason, "retire gold", user)


def restore_gold(question: GoldQuestion, *, user: Any = None) -> Rescored:
    """Take a retirement back."""
    return _retire(question, None, "", "restore gold", user)


def _retire(
    question: GoldQuestion, at: datetime | None, reason: str, action: str, user: Any
) -> Rescored:
    campaign = question.task.campaign
    with transaction.atomic():
        row = GoldQuestion.objects.select_for_update().get(pk=question.pk)
        if (row.retired_at is None) == (at is None):
            if at is None:
                raise GoldRefused("gold.not_retired")
            raise GoldRefused("gold.retired")
        row.retired_at, row.retired_because, row.changed_at = at, reason, timezone.now()
        row.save(update_fields=["retired_at", "retired_because", "changed_at"])
        offer_gold(row.task_id, at is None)
        audit.record(
            campaign.project, action, row.task.external_id, user=user, after={"reason": reason}
        )
        if at is None:  # also to those who had met all that there was
            start_over(campaign)
    return score_gold(campaign, [question.pk])


# --- Scoring ------------------------------------------------------------------------------------


def score_gold(
    campaign: Campaign, tasks: Iterable[int] | None = None, *, now: datetime | None = None
) -> Rescored:
    """Score every answer to the campaign's gold (or to these `tasks`, row ids) by what is known
    now, and count each worker's scores anew. Done twice, it changes nothing more.

    Streams: memory does not grow with the answers.
    """
    now, answers, changed = now or timezone.now(), 0, 0
    questions = GoldQuestion.objects.filter(task__campaign=campaign)
    if tasks is not None:
        questions = questions.filter(task__in=list(tasks))
    touched: set[int] = set()
    for batch in batches(questions.order_by("task").values_list("task", flat=True)):
        scorers = _scorers(campaign, batch)
        for rows in _answers_to(batch):
            _learn(rows, scorers)
            scores = [(row, *scorers[row["assignment__task"]].score(row)) for row in rows]
            answers += len(rows)
            written = [
                GoldScore(assignment_id=row["pk"], score=score, parts=parts, scored_at=now)
                for row, score, parts in scores
                if _differs(row, score, parts)
            ]
            changed += sum(row["effective"] != score for row, score, _ in scores)
            touched.update(row["assignment__enrollment"] for row in rows)
            GoldScore.objects.bulk_create(
                written, update_conflicts=True, unique_fields=["assignment"],
                update_fields=["score", "parts", "scored_at"],
            )  # fmt: skip
    for enrollments in batches(sorted(touched), RECOUNTED):
        recount(enrollments)
    return Rescored(answers, changed, len(touched))


class _Scorer:
    """One question as it is known now. Answers with the same judgments are scored once; where
    mentions nest, judgments hold the outermost alone, and each answer is scored."""

    def __init__(self, campaign: Campaign, question: dict[str, Any]):
        self.retired = question["retired_at"] is not None
        self.known, self.tolerance = question["answer"], question["tolerance"]
        self.kind = interface(campaign.interface)
        self.material = material_of(question, "task__")
        self.parts = getattr(self.kind, "gold_parts", None)
        self.nested = bool(self.material.schema.get("nested"))
        self.scored: dict[Any, tuple[float, dict[str, float]]] = {}

    def key(self, row: dict[str, Any]) -> Any:
        return row["pk"] if self.nested else bytes(row["judgments"])

    def learn(self, key: Any, answer: Answer) -> None:
        score = self.kind.score_gold(answer, self.known, self.material, self.tolerance)
        parts = self.parts(answer, self.known, self.material) if self.parts else {}
        self.scored[key] = (score, parts)

    def score(self, row: dict[str, Any]) -> tuple[float | None, dict[str, float]]:
        if self.retired or row["gold_score"] is None:  # a second try proves nothing either
            return None, {}
        return self.scored[self.key(row)]


def _scorers(campaign: Campaign, tasks: list[int]) -> dict[int, _Scorer]:
    columns = [f"task__{column}" for column in MATERIAL_COLUMNS]
    questions = GoldQuestion.objects.filter(pk__in=tasks)
    return {
        question["pk"]: _Scorer(campaign, question)
        for question in questions.values("pk", "answer", "tolerance", "retired_at", *columns)
    }


def _learn(rows: list[dict[str, Any]], scorers: dict[int, _Scorer]) -> None:
    """Read the answers, which are long, of those rows alone that say something new."""
    new: dict[tuple[int, Any], int] = {}
    for row in rows:
        scorer = scorers[row["assignment__task"]]
        if not scorer.retired and scorer.key(row) not in scorer.scored:
            new.setdefault((row["assignment__task"], scorer.key(row)), row["pk"])
    if not new:
        return
    answers = dict(Response.objects.filter(pk__in=new.values()).values_list("pk", "answer"))
    for (task, key), pk in new.items():
        scorers[task].learn(key, answers[pk])


def _answers_to(tasks: list[int]) -> Iterator[list[dict[str, Any]]]:
    rows = (
        Response.objects.filter(assignment__task__in=tasks)
        .annotate(
            stands=F("assignment__rescored__score"),
            kept=F("assignment__rescored__parts"),
            rescored=F("assignment__rescored"),
            effective=Case(
                When(assignment__rescored__isnull=False, then=F("assignment__rescored__score")),
                default=F("gold_score"),
            ),
        )
        .values(
            "pk", "judgments", "gold_score", "effective", "kept", "rescored",
            "assignment__task", "assignment__enrollment",
        )
    )  # fmt: skip
    return batches(rows.order_by("pk").iterator(chunk_size=ROWS))


def _differs(row: dict[str, Any], score: float | None, parts: dict[str, float]) -> bool:
    """Whether the row has to be written: what stands now says something else."""
    return row["effective"] != score or (row["kept"] or {}) != parts


def recount(enrollments: list[int]) -> None:
    """The gold counters of these workers, from the scores that count: hidden gold and the first try
    of the exam; and of who is at the first try of practice or exam what decides. Of a further try
    it is not kept which answers are its own."""
    with transaction.atomic():
        rows = list(
            Enrollment.objects.select_for_update(of=("self",))
            .select_related("campaign")
            .filter(pk__in=enrollments)
            .order_by("pk")
        )
        scores = {
            (pk, kind): sums
            for pk, kind, *sums in Assignment.objects.handed_in()
            .filter(enrollment__in=enrollments, task__demand__kind__gt=Demand.Kind.PLAIN)
            .annotate(counts=GOLD_SCORE)
            .filter(counts__isnull=False)
            .values("enrollment", "task__demand__kind")
            .annotate(number=Count("pk"), total=Sum("counts"), squares=SQUARES)
            .values_list("enrollment", "task__demand__kind", "number", "total", "squares")
        }  # fmt: skip
        for row in rows:
            told = [scores.get((row.pk, kind), NO_SCORES) for kind in MEASURING]
            row.gold_seen, row.gold_score_sum, row.gold_score_sumsq = map(
                sum, zip(*told, strict=True)
            )
            if row.tries == 0 and row.state == Enrollment.State.EXAM:
                exam = scores.get((row.pk, row.campaign.exam_kind), NO_SCORES)
                row.exam_seen, row.exam_score_sum, _ = exam
            if row.tries == 0 and row.state == Enrollment.State.TRAINING:
                practice = scores.get((row.pk, Demand.Kind.TRAINING), NO_SCORES)
                row.training_seen, row.training_score_sum, _ = practice
        Enrollment.objects.bulk_update(rows, COUNTERS)


def _material(task: int) -> Material:
    return material_of(Task.objects.values(*MATERIAL_COLUMNS).get(pk=task))
