"""The tasks of a campaign: made in bulk, from documents or payloads, and allotted by a list."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Q

from annotation.actions import audit
from annotation.actions.assignments import add_slots, create_demands, create_gold_demands
from annotation.actions.assignments.demand import start_over
from annotation.actions.bulk import ROWS, batches, id_ranges
from annotation.actions.links import invite
from annotation.interfaces import traits
from annotation.models import (
    Allotment,
    Campaign,
    Demand,
    GoldQuestion,
    ImportedAnswer,
    Task,
)
from annotation.sentences import CodedError

# How many documents are set aside as gold of each kind, where gold comes with documents.
GOLD_OPTIONS: dict[int, str] = {
    Demand.Kind.TRAINING: "training_gold",
    Demand.Kind.EXAM: "exam_gold",
    Demand.Kind.HIDDEN: "hidden_gold",
}


def publish_tasks(campaign: Campaign, *, seed: int = 0) -> int:
    """One task for each visible document that has none yet; how many tasks were made. Where
    documents are chosen, the tasks of those are there, and only gold is added.

    Set-based and in short transactions; broken off, it goes on where it was. Gold answers of the
    documents become gold questions as `options` ask (training_gold, exam_gold, hidden_gold), and
    predictions become suggestions where options.suggestions is true.
    """
    made = 0
    if campaign.chosen_documents:
        _tasks_of_gold(campaign, seed)
    elif _works_on_documents(campaign):
        made = tasks_from_documents(campaign)
    _publish_gold(campaign, seed)
    create_demands(campaign, 0 if campaign.is_assigned else campaign.redundancy)
    if campaign.options.get("suggestions"):
        _publish_suggestions(campaign)
    if made and campaign.state != Campaign.State.DRAFT:
        start_over(campaign)
    return made


def create_tasks(campaign: Campaign, tasks: Iterable[tuple[str, dict[str, Any]]]) -> int:
    """Tasks that stand on no document: (external id, payload) pairs; how many are new.

    Ids that the campaign has already are left as they are.
    """
    return create_tasks_on(campaign, ((None, name, payload) for name, payload in tasks))


def create_tasks_on(
    campaign: Campaign, tasks: Iterable[tuple[int | None, str, dict[str, Any]]]
) -> int:
    """Tasks on documents of the project: (document's id, external id, payload); how many are new.

    Ids that the campaign has already are left as they are. Broken off, it goes on where it was.
    """
    made = 0
    for batch in batches(tasks):
        with transaction.atomic():
            there = set(
                campaign.tasks.filter(external_id__in=[name for _, name, _ in batch]).values_list(
                    "external_id", flat=True
                )
            )
            rows = {
                name: Task(
                    campaign=campaign, document_id=document, external_id=name, payload=payload
                )
                for document, name, payload in batch
                if name not in there
            }
            made += len(Task.objects.bulk_create(rows.values()))
    create_demands(campaign, 0 if campaign.is_assigned else campaign.redundancy)
    if made and campaign.state != Campaign.State.DRAFT:
        start_over(campaign)
    return made


def tasks_built(campaign: Campaign, source: Campaign, *, user: Any = None) -> None:
    """Record that a page had the tasks of a campaign made from another's answers, or added to."""
    with transaction.atomic():
        row = Campaign.objects.select_for_update().get(pk=campaign.pk)
        row.options = row.options | {"from": source.slug}
        row.save(update_fields=["options"])
        audit.record(row.project, "build tasks", row.slug, user=user, after={"from": source.slug})
    campaign.options = row.options


class CannotAssign(CodedError, ValueError):
    """Who does what can't be said like this."""


def allot(campaign: Campaign, pairs: Iterable[tuple[str, str]]) -> int:
    """In an assigned campaign: (worker's external id, task's external id); how many are new.

    Makes the workers and their invitations. Each pair is one answer that its task wants.
    Raises CannotAssign naming a task that is not there; pairs before it are kept.
    """
    if not campaign.is_assigned:
        raise CannotAssign("tasks.engine_picks", campaign=campaign.slug)
    made = 0
    for batch in batches(pairs):
        enrollments = invite(campaign, [worker for worker, _ in batch])
        tasks = dict(
            campaign.tasks.filter(external_id__in={task for _, task in batch}).values_list(
                "external_id", "pk"
            )
        )
        missing = next((task for _, task in batch if task not in tasks), None)
        if missing is not None:
            raise CannotAssign("tasks.missing", campaign=campaign.slug, task=missing)
        with transaction.atomic():
            rows = {(enrollments[worker].pk, tasks[task]): None for worker, task in batch}
            there = set(
                Allotment.objects.filter(
                    enrollment__in={e for e, _ in rows}, task__in={t for _, t in rows}
                ).values_list("enrollment", "task")
            )
            new = [pair for pair in rows if pair not in there]
            Allotment.objects.bulk_create(
                Allotment(enrollment_id=enrollment, task_id=task) for enrollment, task in new
            )
            by_count: dict[int, list[int]] = {}
            for task, count in Counter(task for _, task in new).items():
                by_count.setdefault(count, []).append(task)
            for count, chosen in by_count.items():
                add_slots(campaign, chosen, count, reopen=False)
        made += len(new)
    if made:
        start_over(campaign)
    return made


def _works_on_documents(campaign: Campaign) -> bool:
    """Tasks come from the project's documents, or from files of their own, but not from both."""
    has_own = campaign.tasks.filter(document=None).exists()
    return traits(campaign.interface).on_documents and not has_own


def tasks_from_documents(campaign: Campaign) -> int:
    """One for each visible document that has none; of a draft, they wait for their demands."""
    made = 0
    empty = "'{}'::jsonb" if connection.vendor == "postgresql" else "'{}'"
    for after, end in id_ranges("annotation_document", "project_id", campaign.project_id):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO annotation_task (campaign_id, document_id, external_id, payload) "
                f"SELECT %s, d.id, d.external_id, {empty} FROM annotation_document d "
                "JOIN annotation_importrun r ON r.id = d.import_run_id AND r.state = 'complete' "
                "WHERE d.project_id = %s AND d.id > %s AND d.id <= %s ORDER BY d.id "
                "ON CONFLICT (campaign_id, external_id) DO NOTHING",
                [campaign.pk, campaign.project_id, after, end],
            )
            made += cursor.rowcount
    return made


def gold_asked_for(campaign: Campaign) -> dict[int, int]:
    """How many of each kind, in the order in which they are served where there are too few."""
    if campaign.is_assigned:  # a list says who does what: nothing is slipped in
        return dict.fromkeys(GOLD_OPTIONS, 0)
    return {kind: int(campaign.options.get(name, 0)) for kind, name in GOLD_OPTIONS.items()}


def gold_counts(campaign: Campaign) -> dict[int, int]:
    """Gold questions that the campaign has, or will have once it is published."""
    there = Counter(
        Demand.objects.gold().ready().filter(campaign=campaign).values_list("kind", flat=True)
    )
    left = (
        ImportedAnswer.objects.gold_for(campaign.interface)
        .visible()
        .filter(document__project=campaign.project)
        .exclude(document__tasks__in=Task.objects.filter(campaign=campaign, demand__isnull=False))
        .count()
    )
    counts = {}
    for kind, wanted in gold_asked_for(campaign).items():
        new = min(max(0, wanted - there[kind]), left)
        left -= new
        counts[kind] = there[kind] + new
    return counts


def _tasks_of_gold(campaign: Campaign, seed: int) -> None:
    """Of documents that came with gold, and have no task, as many as gold is asked for."""
    there = Task.objects.filter(campaign=campaign, gold_question__isnull=False).count()
    waiting = Task.objects.filter(
        campaign=campaign, demand=None
    ).count()  # of a call that broke off
    lacking = sum(gold_asked_for(campaign).values()) - there - waiting
    if lacking <= 0:
        return
    known = (
        ImportedAnswer.objects.gold_for(campaign.interface)
        .visible()
        .filter(document__project=campaign.project)
        .exclude(document__tasks__campaign=campaign)
    )
    documents = list(known.order_by("document").values_list("document", "document__external_id"))
    chosen = random.Random(seed).sample(documents, min(lacking, len(documents)))
    Task.objects.bulk_create(
        [Task(campaign=campaign, document_id=pk, external_id=name) for pk, name in sorted(chosen)],
        batch_size=ROWS,
    )


def _publish_gold(campaign: Campaign, seed: int) -> None:
    """Turn gold answers of documents into gold questions, as many as are still lacking.

    Drawn by a seeded shuffle from the tasks that have no Demand yet: the kind of a task that
    was given out never changes.
    """
    there = Counter(Demand.objects.gold().filter(campaign=campaign).values_list("kind", flat=True))
    lacking = [
        kind for kind, wanted in gold_asked_for(campaign).items()
        for _ in range(max(0, wanted - there[kind]))
    ]  # fmt: skip
    if not lacking:
        return
    candidates = list(
        Task.objects.gold_for(campaign.interface)
        .filter(campaign=campaign, demand=None)
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    random.Random(seed).shuffle(candidates)
    kinds = dict(zip(candidates, lacking, strict=False))
    known = ImportedAnswer.objects.gold_for(campaign.interface)
    drawn = GoldQuestion.drawn_with_documents(campaign)
    answers = known.filter(document__tasks__in=list(kinds)).values_list("document__tasks", "answer")
    with transaction.atomic():
        GoldQuestion.objects.bulk_create(
            [GoldQuestion(task_id=task, answer=answer, drawn=drawn) for task, answer in answers],
            batch_size=ROWS,
        )
        create_gold_demands(campaign, kinds)


def _publish_suggestions(campaign: Campaign) -> None:
    """Predictions of the documents go into the payload, in code points, where no others are."""
    predicted = Task.objects.predicted_for(campaign.interface)
    tasks = predicted.filter(~Q(payload__has_key="suggestions"), campaign=campaign).annotate(
        prediction=F("document__imported_answers__answer")
    )
    for batch in batches(tasks.only("payload").iterator(chunk_size=ROWS)):
        for task in batch:
            task.payload = task.payload | {"suggestions": task.prediction}
        Task.objects.bulk_update(batch, ["payload"])
