"""Gold by doing: a manager answers tasks as workers do, and each answer becomes a known one.

No lease, no response and no payment comes of it, so that nothing of it is paid or counted among
workers' answers. A task that somebody was given is never taken: it could be no question any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from django.db import transaction
from django.db.models import Max, Min, QuerySet

from annotation.actions import audit, locks, rollups
from annotation.actions.assignments.demand import make_gold, start_over
from annotation.actions.campaigns import create_tasks_on
from annotation.actions.gold import GoldRefused
from annotation.actions.gold_import import KINDS
from annotation.interfaces import Material, interface, traits
from annotation.interfaces.answers import Answer
from annotation.models import Campaign, Demand, Document, GoldQuestion, Task
from annotation.models.materials import MATERIAL_COLUMNS, alias_key, material_of

USES = ("hidden", "practice", "exam")
STRIDE = 0.6180339887  # of the golden ratio: numbers in a row lie far apart on a circle


@dataclass(frozen=True, slots=True)
class Offered:
    """A task to be answered, by its external id, or that of the document that becomes one."""

    name: str
    material: Material


def offered_task(campaign: Campaign, turn: int) -> Offered | None:
    """A task without a known answer that nobody was given; the same for the same `turn` as long as
    nothing is answered. At most six queries, none of which grows with the campaign.

    Tasks that are made already are taken from the end of the order in which workers get them,
    which is shuffled; of documents whose tasks are yet to be made, one from a place that moves
    through all of them.
    """
    free = _free_tasks(campaign).values_list("task", flat=True)
    if task := free[turn : turn + 1].first():
        row = Task.objects.values("external_id", *MATERIAL_COLUMNS).get(pk=task)
        return Offered(row["external_id"], material_of(row))
    if not _takes_documents(campaign):
        return None
    made = campaign.tasks.count()  # of a draft: those that were answered
    document = _document_at(campaign, ((turn + made) * STRIDE) % 1)
    return (
        None if document is None else Offered(document.external_id, _material(campaign, document))
    )


def offered_count(campaign: Campaign, most: int) -> int:
    """How many can be offered, counted to `most`. At most four queries."""
    count = _free_tasks(campaign)[:most].count()
    if count < most and _takes_documents(campaign):
        count += _free_documents(campaign)[: most - count].count()
    return count


def _free_tasks(campaign: Campaign) -> QuerySet[Demand]:
    waiting = Demand.objects.plain().ready().filter(campaign=campaign, leased=0, received=0)
    return waiting.filter(task__gold_question=None, task__assignments=None).order_by("-rank")


def _free_documents(campaign: Campaign) -> QuerySet[Document]:
    asked = Task.objects.filter(campaign=campaign).values("document")
    documents = Document.objects.visible().filter(project=campaign.project_id)
    return documents.exclude(pk__in=asked).order_by("pk")


def _takes_documents(campaign: Campaign) -> bool:
    """Whether documents become tasks only when it opens."""
    is_draft = campaign.state == Campaign.State.DRAFT and not campaign.chosen_documents
    own = traits(campaign.interface)
    return is_draft and own.on_documents and not campaign.tasks.filter(document=None).exists()


def _document_at(campaign: Campaign, place: float) -> Document | None:
    documents = Document.objects.visible().filter(project=campaign.project_id)
    ends = documents.aggregate(first=Min("pk"), last=Max("pk"))
    if ends["first"] is None:
        return None
    start = ends["first"] + int(place * (ends["last"] - ends["first"] + 1))
    free = _free_documents(campaign)
    return free.filter(pk__gte=start).first() or free.first()


def _material(campaign: Campaign, document: Document) -> Material:
    project = campaign.project
    return Material(
        schema=project.schema, options=campaign.options, text=document.text,
        tokens=document.tokens, sentences=document.sentences,
        text_direction=project.text_direction, language=project.language,
        alias_key=alias_key(campaign.assignment, campaign.secret),
    )  # fmt: skip


def read_answer(campaign: Campaign, name: str, raw: Any) -> Answer:
    """What a page sent, as it would be kept; what a worker leaves open or notes is no part of what
    is known. Raises AnswerError, or GoldRefused for a task that can't be one."""
    material = _material_named(campaign, name)
    read: dict[str, Any] = dict(interface(campaign.interface).read(raw, material))
    read.pop("doubts", None)
    if "note" in read:
        read["note"] = ""
    return cast(Answer, read)


def _material_named(campaign: Campaign, name: str) -> Material:
    row = campaign.tasks.filter(external_id=name).values(*MATERIAL_COLUMNS).first()
    if row is not None:
        return material_of(row)
    documents = Document.objects.visible().filter(project=campaign.project_id)
    document = documents.filter(external_id=name).first() if _takes_documents(campaign) else None
    if document is None:
        raise GoldRefused("gold.no_task")
    return _material(campaign, document)


def answer_gold(
    campaign: Campaign, name: str, raw: Any, use: str, *, user: Any = None
) -> GoldQuestion:
    """The answer to a task as a gold question of this use, at once. Raises AnswerError, GoldRefused
    where the task was given out or is a question already, and locks.Held."""
    answer = read_answer(campaign, name, raw)
    with locks.hold(f"campaign:{campaign.slug}"), transaction.atomic():
        state = Campaign.objects.values_list("state", flat=True).get(pk=campaign.pk)
        if state == Campaign.State.CLOSED:
            raise GoldRefused("gold.closed", campaign=campaign.slug)
        if campaign.is_assigned:
            raise GoldRefused("gold.assigned", campaign=campaign.slug)
        task = _task(campaign, name)
        if GoldQuestion.objects.filter(task=task).exists():
            raise GoldRefused("gold.is_known")
        given_out = task.assignments.exists()
        if given_out or not make_gold(campaign, {task.pk: KINDS[use]}):
            raise GoldRefused("gold.given_out")
        question = GoldQuestion.objects.create(
            task=task, answer=answer, drawn=GoldQuestion.Drawn.RANDOM
        )
        audit.record(campaign.project, "answer gold", name, user=user, after={"gold": use})
        if state != Campaign.State.DRAFT:
            start_over(campaign)
    if state != Campaign.State.DRAFT:
        rollups.tally([campaign])
    return question


def _task(campaign: Campaign, name: str) -> Task:
    task = campaign.tasks.filter(external_id=name).first()
    if task is None:
        document = Document.objects.visible().get(project=campaign.project_id, external_id=name)
        create_tasks_on(campaign, [(document.pk, name, {})])
        task = campaign.tasks.get(external_id=name)
    return task
