"""What a campaign has collected, task by task, as plain data for a file.

Tasks come in the order of their names, a hundred at a time with a fixed number of queries, so
that neither memory nor a long-lived cursor grows with the campaign. Only documents of complete
imports are shown. Nothing names a row number, and nothing lets anybody in as one of the workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from django.db.models import Q

from annotation.formats import conll, jsonl, tables
from annotation.interfaces import Material, Product, interface
from annotation.interfaces.answers import Answer, EntityAnswer
from annotation.interfaces.entity import tags_of
from annotation.interfaces.spans import Grid
from annotation.interfaces.tags import spans_of
from annotation.models import (
    Campaign,
    Document,
    GoldQuestion,
    ImportedAnswer,
    ImportRun,
    Response,
    Task,
)
from annotation.models.pseudonyms import public_name

TASKS_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Exported:
    """One answer to one task. Where the task has no document, `document` is None."""

    task: str
    document: Document | None
    name: str  # the field that the answer gets: "answer", "consensus" or "gold"
    answer: Answer
    facts: dict[str, Any]  # what else is known of the answer
    interface: str


def responses(campaign: Campaign) -> Iterator[Exported]:
    """Every response as it stands, late ones included. Two queries for each hundred tasks."""
    for tasks in tasks_at_once(campaign):
        by_key = {task.pk: task for task in tasks}
        rows = (
            Response.objects.filter(assignment__task__in=by_key)
            .select_related(
                "assignment__enrollment__worker",
                "assignment__instructions",
                "assignment__rescored",
                "correction",
            )
            .defer("judgments", "assignment__draft", "correction__judgments")
            .order_by("assignment__task__external_id", "received_at", "assignment")
        )
        for row in rows:
            assignment = row.assignment
            task = by_key[assignment.task_id]
            seen, rescored = assignment.instructions, getattr(assignment, "rescored", None)
            facts = {
                "worker": public_name(assignment.enrollment),
                "state": assignment.state,
                "seconds": row.seconds,
                "received_at": row.received_at.isoformat(),
                "corrected_at": row.corrected_at.isoformat() if row.corrected_at else None,
                "gold_score": rescored.score if rescored else row.gold_score,
                "instructions": seen.number if seen else None,
            }
            yield Exported(
                task.external_id, task.document, "answer", row.standing, facts, campaign.interface
            )


def gold(campaign: Campaign) -> Iterator[Exported]:
    """The gold question of each task, else the gold that came with its document; and how it was
    drawn. One query more than two for each hundred tasks.

    A retired question is left out, and so is the document's own gold then: it was found wrong.
    """
    drawn = GoldQuestion.drawn_with_documents(campaign)
    for tasks in tasks_at_once(campaign, "gold_question"):
        imported = dict(
            ImportedAnswer.objects.gold_for(campaign.interface)
            .filter(document__in=[task.document_id for task in tasks if task.document_id])
            .values_list("document_id", "answer")
        )
        for task in tasks:
            question = getattr(task, "gold_question", None)
            if question is None and task.document_id in imported:
                known = imported[task.document_id]
                yield Exported(
                    task.external_id, task.document, "gold", known, {"drawn": drawn},
                    campaign.interface,
                )  # fmt: skip
            elif question is not None and question.retired_at is None:
                facts = {"explanation": question.explanation, "drawn": question.drawn}
                yield Exported(
                    task.external_id, task.document, "gold", question.answer, facts,
                    campaign.interface,
                )  # fmt: skip


def tasks_at_once(campaign: Campaign, *related: str) -> Iterator[list[Task]]:
    """The campaign's tasks in lists, with documents and what else is named; a query for each."""
    tasks = (
        Task.objects.filter(campaign=campaign)
        .filter(Q(document=None) | Q(document__import_run__state=ImportRun.State.COMPLETE))
        .select_related("document", *related)
        .order_by("external_id")
    )
    last = ""
    while chunk := list(tasks.filter(external_id__gt=last)[:TASKS_AT_ONCE]):
        yield chunk
        last = chunk[-1].external_id


# --- Forms of a file ----------------------------------------------------------------------------


def as_jsonl(exported: Exported) -> str:
    """A line that import_documents reads as the same document."""
    fields: dict[str, Any] = {}
    if document := exported.document:
        fields = {
            "id": document.external_id,
            "title": document.title,
            "text": document.text,
            "tokens": document.tokens,
            "sentences": document.sentences,
            "attributes": document.attributes,
            "metadata": document.metadata,
        }
    return jsonl.write(
        fields | {"task": exported.task, exported.name: exported.answer} | exported.facts
    )


def as_conll(exported: Exported) -> str:
    """For entity answers alone. Facts that are long or have parts are left out."""
    document = exported.document
    if document is None:
        return ""
    material = Material(text=document.text, tokens=document.tokens, sentences=document.sentences)
    short = {
        name: value for name, value in exported.facts.items() if not isinstance(value, list | dict)
    }
    return conll.write(
        {"id": document.external_id, "title": document.title, "task": exported.task} | short,
        [document.text[start:end] for start, end in document.tokens],
        tags_of(cast(EntityAnswer, exported.answer), material),
        document.sentences,
    )


# One row a mention, a card or a choice. The columns are the same whatever is written, so that files
# can be put together.
FACT_COLUMNS = (
    "worker", "state", "seconds", "received_at", "gold_score", "confidence", "expected_errors",
    "gold_check", "quality", "quality_low", "quality_high", "quality_of", "quality_gold", "method",
    "explanation", "drawn", "decided",
)  # fmt: skip
PART_COLUMNS = (
    "label", "start", "end", "text", "link", "span_confidence", "mention_confidence",
    "link_confidence",
)  # fmt: skip
CSV_COLUMNS = ("task", "document", *FACT_COLUMNS, *PART_COLUMNS)


def as_csv(exported: Exported) -> str:
    """The rows of an answer; one without a label where nothing was marked."""
    document = exported.document
    facts = [exported.facts.get(name) for name in FACT_COLUMNS]
    first = [exported.task, document.external_id if document else None, *facts]
    rows = list(_parts(exported)) or [{}]
    return "".join(
        tables.csv_row([*first, *(row.get(name) for name in PART_COLUMNS)]) for row in rows
    )


def _parts(exported: Exported) -> Iterator[dict[str, Any]]:
    answer: Any = exported.answer
    module: Any = interface(exported.interface)
    product = module.TRAITS.product
    if hasattr(module, "class_of"):
        yield {"label": module.class_of(answer)}
    elif product is Product.MENTIONS and exported.document is not None:
        yield from mention_rows(answer, exported.document, exported.facts.get("span_confidence"))
    elif product is Product.CLUSTERS:
        yield from _pile_rows(answer, exported.facts)
    else:
        yield {"label": jsonl.write(answer).strip()}


def _pile_rows(answer: Any, facts: dict[str, Any]) -> Iterator[dict[str, Any]]:
    sure = facts.get("mention_confidence") or {}
    of_link = dict(enumerate(facts.get("link_confidence") or (), start=1))
    for number, pile in enumerate(answer["clusters"], start=1):
        for mention in pile["mentions"]:
            yield {
                "label": number, "text": mention, "link": pile["link"],
                "mention_confidence": sure.get(mention), "link_confidence": of_link.get(number),
            }  # fmt: skip


def mention_rows(
    answer: EntityAnswer, document: Document, sure: list[float] | None = None
) -> Iterator[dict[str, Any]]:
    """`sure` is how sure each name is, in the text's order."""
    material = Material(text=document.text, tokens=document.tokens, sentences=document.sentences)
    spans = spans_of(answer, material) if sure or "tags" in answer else []
    known = dict(zip(spans, sure, strict=True)) if sure and len(sure) == len(spans) else {}
    if "tags" in answer:
        for first, last, name in spans:
            start, end = document.tokens[first][0], document.tokens[last - 1][1]
            yield {
                "label": name, "start": start, "end": end, "text": document.text[start:end],
                "span_confidence": known.get((first, last, name)),
            }  # fmt: skip
        return
    grid = Grid(material)
    groups = {group["id"]: group["link"] for group in answer["entities"]}
    for mention in answer["mentions"]:
        start, end, name = mention["start"], mention["end"], mention["type"]
        yield {
            "label": name, "start": start, "end": end, "text": document.text[start:end],
            "link": groups.get(mention["entity"] or ""),
            "span_confidence": known.get((*grid.words(start, end), name)) if known else None,
        }  # fmt: skip
