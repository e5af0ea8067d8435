"""Known answers for tasks that a campaign has, of any interface, out of a file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from annotation.actions import audit, gold, locks, rollups
from annotation.actions.assignments.demand import make_gold, start_over
from annotation.actions.campaigns import create_tasks_on
from annotation.formats.gold import USES, GoldRecord, read_gold, read_gold_table
from annotation.formats.records import FormatError, Rejected
from annotation.formats.source import Source
from annotation.interfaces import AnswerError, categorical, interface, traits
from annotation.interfaces.answers import Answer
from annotation.models import Assignment, Campaign, Demand, Document, GoldQuestion
from annotation.models.materials import MATERIAL_COLUMNS, material_of
from annotation.sentences import CodedError, Problem, problem_of, shown

MOST_TOLD = 20
MOST_LINES = 100_000
KINDS: dict[str, int] = {
    "hidden": Demand.Kind.HIDDEN, "practice": Demand.Kind.TRAINING, "exam": Demand.Kind.EXAM,
    "check": Demand.Kind.PLAIN,
}  # fmt: skip
NAMES = {kind: name for name, kind in KINDS.items()}


class GoldFileRefused(CodedError):
    """Something in the file is wrong; nothing was made of it. `lines` tells the first mistakes."""

    def __init__(self, code: str, *, lines: list[Rejected] | None = None, **params: Any):
        self.lines = lines or []
        super().__init__(code, **params)


@dataclass(slots=True)
class GoldTally:
    hidden: int = 0  # new questions
    practice: int = 0
    exam: int = 0
    checks: int = 0  # tasks that workers label, whose consensus is compared with the answer
    corrected: int = 0  # questions that were there, with another answer now
    unchanged: int = 0


def import_gold(
    campaign: Campaign,
    path: str | os.PathLike[str],
    *,
    drawn: str = GoldQuestion.Drawn.PICKED,
    user: Any = None,
) -> GoldTally:
    """The known answers of a file, all or none. A task that nobody was given becomes a question;
    one that is a question already gets the answer, and what was answered is scored anew. Those to
    be checks stay tasks as they are, whether they were given out or not.

    `drawn` is how tasks were chosen of which the file does not say so. In an entity campaign that
    has no tasks yet, documents are named instead. Raises GoldFileRefused, locks.Held.
    """
    if campaign.is_assigned:
        raise GoldFileRefused("gold.assigned", campaign=campaign.slug)
    with locks.hold(f"campaign:{campaign.slug}"):
        campaign.refresh_from_db(fields=["state"])
        if campaign.state == Campaign.State.CLOSED:
            raise GoldFileRefused("gold.closed", campaign=campaign.slug)
        try:
            records = _read(campaign, path)
        except (FormatError, OSError) as error:
            raise GoldFileRefused("import.nothing", why=problem_of(error)) from error
        with transaction.atomic():
            _make_tasks_of_documents(campaign, [record.task for record in records])
            tally, corrected = _import(campaign, records, Path(path).name, drawn, user)
        # Not before all is in: scoring locks the rows of the workers.
        gold.score_gold(campaign, corrected)
        rollups.tally([campaign])
    return tally


def _read(campaign: Campaign, path: str | os.PathLike[str]) -> list[GoldRecord]:
    records, wrong, lines = [], [], dict[str, int]()
    with Source(path) as source:
        for record in _records(campaign, source):
            if isinstance(record, Rejected):
                wrong.append(record)
                continue
            before = lines.setdefault(record.task, record.line)
            if before != record.line:
                wrong.append(_of(record, "task", Problem("gold.task_double", line=before)))
            records.append(record)
            if len(records) > MOST_LINES:
                raise FormatError("gold.many_lines", most=MOST_LINES)
    _refuse(wrong, path)
    if not records:
        raise GoldFileRefused("gold.no_answers", file=Path(path).name)
    return records


def _records(campaign: Campaign, source: Source) -> Iterator[GoldRecord | Rejected]:
    says = categorical(campaign.interface)
    if source.head().startswith(b"{") or says is None:
        return read_gold(source.lines(settings.MAX_IMPORT_LINE_BYTES))
    lines = source.lines(settings.MAX_IMPORT_LINE_BYTES, every_blank=True)
    content = b"\n".join(line or b"" for _, line in lines)
    return read_gold_table(source.name, content, says.answer_of)


def _make_tasks_of_documents(campaign: Campaign, names: list[str]) -> None:
    own = traits(campaign.interface)
    if not own.gold_of_documents or campaign.state != Campaign.State.DRAFT:
        return
    visible = Document.objects.visible().filter(project=campaign.project, external_id__in=names)
    rows = visible.values_list("pk", "external_id")
    create_tasks_on(campaign, ((pk, name, {}) for pk, name in rows))


def _import(
    campaign: Campaign, records: list[GoldRecord], file: str, drawn: str, user: Any
) -> tuple[GoldTally, list[int]]:
    """What was made of the file, and the tasks whose known answer is another one now."""
    columns = ("pk", "external_id", "demand__kind", "gold_question__answer", *MATERIAL_COLUMNS)
    named = campaign.tasks.filter(external_id__in=[record.task for record in records])
    tasks = {row["external_id"]: row for row in named.values(*columns)}
    given_out = set(
        Assignment.objects.filter(task__in=[row["pk"] for row in tasks.values()]).values_list(
            "task", flat=True
        )
    )
    wrong: list[Rejected] = []
    new: list[tuple[GoldRecord, int, Answer]] = []
    there: list[tuple[GoldRecord, int, Answer]] = []
    for record in records:
        try:
            row = tasks.get(record.task)
            problem = _problem(record, row, given_out)
            if problem is not None or row is None:
                wrong += [problem] if problem is not None else []
                continue
            answer = interface(campaign.interface).check(record.answer, material_of(row))
        except AnswerError as error:
            wrong += [_of(record, f"answer.{one.path}", one) for one in error.problems]
            continue
        known = there if row["gold_question__answer"] is not None else new
        known.append((record, row["pk"], answer))
    _refuse(wrong, file)
    tally = GoldTally()
    kinds = {pk: KINDS[record.use] for record, pk, _ in new if record.use != "check"}
    if not make_gold(campaign, kinds):
        raise GoldFileRefused("gold.just_given_out")
    GoldQuestion.objects.bulk_create(
        GoldQuestion(
            task_id=pk,
            answer=answer,
            explanation=record.explanation,
            tolerance=record.tolerance,
            drawn=record.drawn or drawn,
        )
        for record, pk, answer in new
    )
    uses = Counter(record.use for record, _, _ in new)
    tally.hidden, tally.practice, tally.exam, tally.checks = (uses[use] for use in USES)
    questions = GoldQuestion.objects.select_related("task__campaign").in_bulk(
        [pk for _, pk, _ in there]
    )
    corrected = [
        pk for record, pk, answer in there if _is_corrected(questions[pk], record, answer, user)
    ]
    tally.corrected, tally.unchanged = len(corrected), len(there) - len(corrected)
    if new:
        audit.record(
            campaign.project, "import gold", campaign.slug, user=user,
            after={"file": file, **uses},
        )  # fmt: skip
        if kinds and campaign.state != Campaign.State.DRAFT:
            start_over(campaign)
    return tally, corrected


def _problem(
    record: GoldRecord, row: dict[str, Any] | None, given_out: set[int]
) -> Rejected | None:
    if row is None:
        return _of(record, "task", Problem("gold.no_task"))
    kind, stands = KINDS[record.use], row["demand__kind"]
    is_plain, is_known = stands == Demand.Kind.PLAIN, row["gold_question__answer"] is not None
    if is_plain and kind != stands and row["pk"] in given_out:
        return _of(record, "task", Problem("gold.given_out"))
    if kind != stands and stands is not None and (is_known or not is_plain):
        return _of(record, "gold", Problem("gold.kind", kind=NAMES[stands]))
    return None


def _is_corrected(question: GoldQuestion, record: GoldRecord, answer: Answer, user: Any) -> bool:
    """False where the question says all that already."""
    if record.drawn and record.drawn != question.drawn:
        GoldQuestion.objects.filter(pk=question.pk).update(drawn=record.drawn)
    now = (question.answer, question.explanation, question.tolerance)
    if now == (answer, record.explanation, record.tolerance):
        return False
    gold.change_gold(
        question, answer, explanation=record.explanation, tolerance=record.tolerance, user=user
    )
    return True


def _of(record: GoldRecord, path: str, problem: Problem) -> Rejected:
    return Rejected(record.line, problem.at(path), shown(record.task))


def _refuse(wrong: list[Rejected], path: str | os.PathLike[str]) -> None:
    if wrong:
        counts = {"number": len(wrong), "file": Path(path).name}
        raise GoldFileRefused("import.mistakes", lines=wrong[:MOST_TOLD], **counts)
