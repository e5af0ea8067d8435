"""One document with its answers, consensus and gold, laid out for its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from django.db.models import Count

from aggregation.models import Consensus
from aggregation.queries.posteriors import largest, ranked
from aggregation.queries.runs import RunSummary, latest_run
from annotation.interfaces import Material, Product, traits
from annotation.interfaces.answers import Answer, EntityAnswer
from annotation.interfaces.spans import text_data
from annotation.models import (
    Campaign,
    Document,
    Entity,
    GoldQuestion,
    ImportedAnswer,
    Project,
    Response,
    Task,
)
from annotation.queries.worker_names import worker_name
from dashboard.documents.lanes import DocumentPart, Lane, LaneText, Word, lay_out, plain_words
from dashboard.documents.marks import SpanRow, consensus_marks, links_of, span_rows, worker_marks
from dashboard.documents.queries import on_documents, visible_tasks
from dashboard.interfaces import in_words

LANES = 24  # answers at once: a gold question may have thousands
SURE, HALF_SURE = 0.9, 0.6  # below: a word in doubt; in great doubt
WORTH_TELLING = 0.05  # of a class's probability, where a word is in doubt


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    name: str
    choice: str  # "" where the worker was unsure
    note: str


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """`part` is the text with its lanes; answers that mark no spans are `choices`, and the text
    has no lanes then."""

    document: Document
    campaigns: list[Campaign]  # that have a task with this document
    campaign: Campaign | None
    run: RunSummary | None
    inferred: bool  # whether the run has a consensus of the task
    confidence: float | None  # of the consensus
    part: DocumentPart
    spans: list[SpanRow]
    types: list[dict[str, Any]]  # of the schema, those that occur in a lane
    answers: int
    first: int  # of the answers that are shown, counted from 1
    last: int
    choices: list[ChoiceRow]
    chosen: list[tuple[str, float]]  # the consensus of one class: classes by probability
    gold_choice: str | None


@dataclass(frozen=True, slots=True)
class _TaskAnswers:
    """What is known of the document's task in the chosen campaign."""

    responses: list[Response]
    total: int
    run: RunSummary | None
    consensus: Consensus | None
    gold: Answer | None


def document_page(
    project: Project,
    document: Document,
    *,
    campaign: str = "",
    part: int = 1,
    first: int = 1,
    with_gold: bool = False,
    with_ids: bool = False,
) -> DocumentPage:
    """At most eight queries. `campaign` is a slug, the newest campaign where it is not found;
    `first` is the number of the first answer that is shown. Without `with_gold` a gold task is as
    if it were not there; `with_ids`: whether workers may be called by their platforms' ids."""
    tasks = list(
        visible_tasks(with_gold)
        .filter(document=document, campaign__interface__in=on_documents())
        .select_related("campaign")
        .order_by("-campaign_id")
    )
    task = next((row for row in tasks if row.campaign.slug == campaign), None) or next(
        iter(tasks), None
    )
    answers = (
        _task_answers(task, first, with_gold) if task else _TaskAnswers([], 0, None, None, None)
    )
    material = Material(
        schema=project.schema,
        text=document.text,
        tokens=document.tokens,
        sentences=document.sentences,
    )
    data = text_data(material)
    text = LaneText(data["tokens"], data["gaps"], data["sentences"])
    kind = task.campaign.interface if task else ""
    spans = task is not None and traits(kind).product is Product.MENTIONS
    above, below = _lanes(project, answers, material, with_ids) if spans else ([], [])
    shown = lay_out(text, _words(text, answers if spans else None), above, below, part)
    used = {mark.type for lane in (*above, *below) for mark in lane.marks}
    return DocumentPage(
        document=document,
        campaigns=[row.campaign for row in tasks],
        campaign=task.campaign if task else None,
        run=answers.run,
        inferred=answers.consensus is not None,
        confidence=answers.consensus.confidence if answers.consensus else None,
        part=shown,
        spans=span_rows([*above, *below], text, shown.start, shown.end),
        types=[kind for kind in project.schema.get("entity_types", ()) if kind["name"] in used],
        answers=answers.total,
        first=first if answers.responses else 0,
        last=first + len(answers.responses) - 1 if answers.responses else 0,
        choices=[] if spans else [_choice(kind, row, with_ids) for row in answers.responses],
        chosen=[] if spans else _chosen(answers),
        gold_choice=in_words(kind, answers.gold) if answers.gold and not spans else None,
    )


def _task_answers(task: Task, first: int, with_gold: bool) -> _TaskAnswers:
    responses = Response.objects.filter(assignment__task=task)
    total = responses.aggregate(number=Count("pk"))["number"]
    shown = (
        responses.select_related("assignment__enrollment__worker", "correction")
        .defer("judgments", "assignment__draft", "correction__judgments")
        .order_by("received_at", "pk")
    )[first - 1 : first - 1 + LANES]
    run = latest_run(task.campaign, with_gold=with_gold)
    consensus = (
        Consensus.objects.filter(run__key=run.key, task=task).first() if run is not None else None
    )
    return _TaskAnswers(list(shown), total, run, consensus, _gold(task) if with_gold else None)


def _gold(task: Task) -> dict[str, Any] | None:
    """The gold question's answer unless it was retired, else what came with the document."""
    question = GoldQuestion.objects.filter(task=task).first()
    if question is not None:
        return None if question.retired_at is not None else question.answer
    return (
        ImportedAnswer.objects.gold_for(task.campaign.interface)
        .filter(document=task.document_id)
        .values_list("answer", flat=True)
        .first()
    )


# --- Entity -------------------------------------------------------------------------------------


def _lanes(
    project: Project, answers: _TaskAnswers, material: Material, with_ids: bool
) -> tuple[list[Lane], list[Lane]]:
    """What stands above the words, and what stands below."""
    colours = {kind["name"]: kind["colour"] for kind in material.schema.get("entity_types", ())}
    values = [row.standing for row in answers.responses]
    names = _entries(project, [*values, *([answers.gold] if answers.gold else [])])
    above, below = [], []
    if answers.consensus is not None and answers.run is not None:
        sure = largest(bytes(answers.consensus.probabilities), len(answers.run.classes))
        marks = consensus_marks(answers.consensus.answer, sure, material, colours)
        above.append(Lane("consensus", "Consensus", marks))
    if answers.gold is not None:
        known = cast(EntityAnswer, answers.gold)
        below.append(Lane("gold", "Gold", worker_marks(known, material, colours, names)))
    for row in answers.responses:
        name = worker_name(row.assignment.enrollment, with_ids=with_ids)
        below.append(Lane("worker", name, worker_marks(row.standing, material, colours, names)))
    return above, below


def _entries(project: Project, answers: list[Answer]) -> dict[str, str]:
    """Key → name of what the answers link to."""
    if not (keys := links_of(answers)):
        return {}
    return dict(Entity.objects.filter(project=project, key__in=keys).values_list("key", "name"))


def _words(text: LaneText, answers: _TaskAnswers | None) -> list[Word]:
    """The words, with what the consensus hesitates between."""
    words = plain_words(text)
    if (
        answers is None
        or answers.consensus is None
        or answers.run is None
        or not answers.run.classes
    ):
        return words
    found = ranked(bytes(answers.consensus.probabilities), answers.run.classes, WORTH_TELLING)
    return [_doubted(word, best) for word, best in zip(words, found, strict=True)]


def _doubted(word: Word, best: list[tuple[str, float]]) -> Word:
    if not best or best[0][1] >= SURE:
        return word
    told = " · ".join(f"{name} {value:.0%}" for name, value in best)
    return Word(word.text, title=told, doubt=1 if best[0][1] >= HALF_SURE else 2)


# --- One class ------------------------------------------------------------------------------------


def _choice(kind: str, row: Response, with_ids: bool) -> ChoiceRow:
    name = worker_name(row.assignment.enrollment, with_ids=with_ids)
    return ChoiceRow(name, in_words(kind, row.answer), row.answer.get("note", ""))


def _chosen(answers: _TaskAnswers) -> list[tuple[str, float]]:
    if answers.consensus is None or answers.run is None or answers.consensus.confidence is None:
        return []
    rows = ranked(bytes(answers.consensus.probabilities), answers.run.classes, 0.0)
    return rows[0] if rows else []
