"""A campaign's life: draft → open → paused ↔ open → closed. Tasks are made when it opens."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction
from django.db.models import Count, F, Sum
from django.utils import timezone

from annotation.actions import audit, locks
from annotation.actions.assignments import add_slots, create_demands, create_gold_demands
from annotation.actions.assignments.demand import start_over
from annotation.actions.bulk import ROWS, batches, id_ranges
from annotation.actions.workers import invite
from annotation.interfaces import choice
from annotation.models import (
    Allotment,
    Campaign,
    Demand,
    Document,
    GoldQuestion,
    ImportedAnswer,
    InstructionsVersion,
    Project,
    Task,
)


class NotReady(Exception):
    """The campaign can't be opened; `problems` says what is missing."""

    def __init__(self, problems: list[str]):
        self.problems = problems
        super().__init__(" ".join(problems))


class WrongState(Exception):
    """The campaign is not in a state from which this step leads on."""


@dataclass(frozen=True, slots=True)
class Preflight:
    """What stands in the way of opening, and what only deserves a look."""

    problems: list[str]
    warnings: list[str]
    tasks: int
    answers: int
    cost_mills: int


def create_campaign(
    project: Project, *, slug: str, name: str, interface: str, instructions: str = "",
    user: Any = None, **settings: Any,
) -> Campaign:  # fmt: skip
    """A draft. Raises ValidationError, or AnswerError for the options, naming the field."""
    campaign = Campaign(project=project, slug=slug, name=name, interface=interface, **settings)
    if "max_redundancy" not in settings:
        campaign.max_redundancy = max(campaign.max_redundancy, campaign.redundancy)
    campaign.full_clean()
    if campaign.interface == Campaign.Interface.CHOICE:
        campaign.options = choice.check_options(campaign.options)
    with transaction.atomic():
        campaign.save()
        if instructions:
            set_instructions(campaign, instructions)
        audit.record(project, "create campaign", slug, user=user, after={"name": name})
    return campaign


def set_instructions(campaign: Campaign, text: str) -> InstructionsVersion:
    """A new version; answers to tasks given out before keep the one that was seen."""
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=campaign.pk)
        last = campaign.instructions_versions.order_by("-number").first()
        if last is not None and last.text == text:
            return last
        version = InstructionsVersion.objects.create(
            campaign=campaign, number=last.number + 1 if last else 1, text=text
        )
        campaign.instructions = version
        Campaign.objects.filter(pk=campaign.pk).update(instructions=version)
    return version


# --- Opening ------------------------------------------------------------------------------------


def preflight(campaign: Campaign) -> Preflight:
    """What is missing before the campaign can open, and what it will cost."""
    problems, warnings = [], []
    documents = Document.objects.visible().filter(project=campaign.project).count()
    tasks = campaign.tasks.count()
    makes_tasks = campaign.interface in ("entity", "choice")
    if not tasks and not (makes_tasks and documents):
        problems.append(
            "There is nothing to annotate: import documents first (import_documents)."
            if makes_tasks
            else f"A {campaign.interface} campaign needs tasks made from an earlier campaign."
        )
    if campaign.interface == "entity" and not campaign.project.schema.get("entity_types"):
        problems.append("The project's schema has no entity types: add at least one.")
    asks = len(campaign.options.get("choices", [])) >= 2 or "scale" in campaign.options
    if campaign.interface == "choice" and not asks:
        problems.append("A choice campaign needs at least two options ('choices') or a 'scale'.")
    gold = _gold_counts(campaign)
    if campaign.training_size > gold[Demand.Kind.TRAINING]:
        problems.append(
            f"Each worker is to do {campaign.training_size} practice tasks, but only "
            f"{gold[Demand.Kind.TRAINING]} are set aside: raise options.training_gold, and "
            "import gold answers."
        )
    if campaign.gold_every and not gold[Demand.Kind.HIDDEN]:
        problems.append(
            f"One task in {campaign.gold_every} is to be hidden gold, but none is set aside: "
            "set options.hidden_gold and import gold answers, or set gold_every to 0."
        )
    wanted_gold = sum(_wanted_gold(campaign).values())
    if wanted_gold > sum(gold.values()):
        warnings.append(
            f"{wanted_gold} documents are to be set aside as gold, but only "
            f"{sum(gold.values())} have a gold answer."
        )
    if campaign.is_assigned and not campaign.enrollments.filter(allotments__gt=0).exists():
        problems.append("An assigned campaign needs a list that says who does what.")
    if not campaign.instructions_id:
        warnings.append("There are no instructions: workers will see the task alone.")
    if not campaign.pay_mills:
        warnings.append("The pay is 0: workers will not be paid.")
    plain = Demand.objects.filter(campaign=campaign, kind=Demand.Kind.PLAIN)
    counts = plain.aggregate(tasks=Count("task"), wanted=Sum("wanted"))
    planned = counts["tasks"] or max(0, documents - sum(gold.values()))
    answers = counts["wanted"] if counts["wanted"] is not None else planned * campaign.redundancy
    if campaign.gold_every > 1:
        answers += answers // (campaign.gold_every - 1)  # hidden gold is paid like any other
    cost = answers * campaign.pay_mills
    if campaign.pay_mills and campaign.training_size:
        warnings.append(
            f"Each worker is also paid for {campaign.training_size} practice tasks: "
            f"{campaign.training_size * campaign.pay_mills / 1000:.2f} {campaign.currency}, which "
            "is not in the cost."
        )
    if campaign.pay_mills and campaign.budget_mills is None:
        warnings.append("There is no budget: nothing limits what may be spent.")
    if campaign.budget_mills is not None and cost > campaign.budget_mills:
        warnings.append(
            f"All answers would cost {cost / 1000:.2f} {campaign.currency}, the budget is "
            f"{campaign.budget_mills / 1000:.2f}: {1 - campaign.budget_mills / cost:.0%} of the "
            "answers will not be collected."
        )
    return Preflight(problems, warnings, planned, answers, cost)


def open_campaign(campaign: Campaign, *, user: Any = None) -> int:
    """Draft or paused → open; how many tasks were made. Raises NotReady, WrongState, Held."""
    if campaign.state == Campaign.State.PAUSED:
        _move(campaign, {Campaign.State.PAUSED}, Campaign.State.OPEN, user=user)
        return 0
    if campaign.state != Campaign.State.DRAFT:
        raise WrongState(
            f"Campaign '{campaign.slug}' is {campaign.state}; only a draft or a paused one opens."
        )
    with locks.hold(f"campaign:{campaign.slug}"):
        if problems := preflight(campaign).problems:
            raise NotReady(problems)
        made = publish_tasks(campaign)
        _move(campaign, {Campaign.State.DRAFT}, Campaign.State.OPEN, user=user)
    return made


def pause_campaign(campaign: Campaign, *, user: Any = None) -> None:
    """No new leases; what is leased may be submitted and is paid."""
    _move(campaign, {Campaign.State.OPEN}, Campaign.State.PAUSED, user=user)


def close_campaign(campaign: Campaign, *, user: Any = None) -> None:
    """For good. What is leased may still be submitted and is paid."""
    states = {Campaign.State.OPEN, Campaign.State.PAUSED, Campaign.State.DRAFT}
    _move(campaign, states, Campaign.State.CLOSED, user=user)


def _move(campaign: Campaign, states: set[Any], to: str, *, user: Any) -> None:
    now = timezone.now()
    changes: dict[str, Any] = {"state": to}
    if to == Campaign.State.OPEN and campaign.opened_at is None:
        changes["opened_at"] = now
    if to == Campaign.State.CLOSED:
        changes["closed_at"] = now
    with transaction.atomic():
        row = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if row.state not in states:
            raise WrongState(
                f"Campaign '{row.slug}' is {row.state}; only one that is "
                f"{' or '.join(sorted(states))} can become {to}."
            )
        Campaign.objects.filter(pk=campaign.pk).update(**changes)
        audit.record(
            row.project, f"{to} campaign", row.slug, user=user,
            before={"state": row.state}, after={"state": to},
        )  # fmt: skip
    for name, value in changes.items():
        setattr(campaign, name, value)


def set_budget(campaign: Campaign, mills: int, *, user: Any = None) -> None:
    """What may be spent in all. Raises WrongState where more is spent or promised already."""
    with transaction.atomic():
        row = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if mills < row.committed_mills:
            raise WrongState(
                f"{row.committed_mills / 1000:.2f} {row.currency} are spent or promised already; "
                "the budget can't be less."
            )
        Campaign.objects.filter(pk=row.pk).update(budget_mills=mills)
        audit.record(
            row.project, "set budget", row.slug, user=user,
            before={"mills": row.budget_mills}, after={"mills": mills},
        )  # fmt: skip
    campaign.budget_mills = mills


# --- Tasks --------------------------------------------------------------------------------------


def publish_tasks(campaign: Campaign, *, seed: int = 0) -> int:
    """One task for each visible document that has none yet; how many tasks were made.

    Set-based and in short transactions; broken off, it goes on where it was. Gold answers of the
    documents become gold questions as `options` ask (training_gold, hidden_gold: how many), and
    predictions become suggestions where options.suggestions is true.
    """
    made = _tasks_from_documents(campaign) if campaign.interface in ("entity", "choice") else 0
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
    made = 0
    for batch in batches(tasks):
        with transaction.atomic():
            there = set(
                campaign.tasks.filter(external_id__in=[name for name, _ in batch]).values_list(
                    "external_id", flat=True
                )
            )
            rows = {
                name: Task(campaign=campaign, external_id=name, payload=payload)
                for name, payload in batch
                if name not in there
            }
            made += len(Task.objects.bulk_create(rows.values()))
    create_demands(campaign, 0 if campaign.is_assigned else campaign.redundancy)
    return made


def allot(campaign: Campaign, pairs: Iterable[tuple[str, str]]) -> int:
    """In an assigned campaign: (worker's external id, task's external id); how many are new.

    Makes the workers and their invitations. Each pair is one answer that its task wants.
    Raises ValueError naming a task that is not there; pairs before it are kept.
    """
    if not campaign.is_assigned:
        raise ValueError(f"Campaign '{campaign.slug}' is open: its engine picks who does what.")
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
            raise ValueError(f"Campaign '{campaign.slug}' has no task '{missing}'.")
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


def _tasks_from_documents(campaign: Campaign) -> int:
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


def _wanted_gold(campaign: Campaign) -> dict[int, int]:
    if campaign.is_assigned:  # a list says who does what: nothing is slipped in
        return {Demand.Kind.TRAINING: 0, Demand.Kind.HIDDEN: 0}
    return {
        Demand.Kind.TRAINING: int(campaign.options.get("training_gold", 0)),
        Demand.Kind.HIDDEN: int(campaign.options.get("hidden_gold", 0)),
    }


def _gold_counts(campaign: Campaign) -> dict[int, int]:
    """Gold questions that the campaign has, or will have once it is published."""
    there = Counter(
        Demand.objects.filter(campaign=campaign, kind__gt=0, ready=True).values_list(
            "kind", flat=True
        )
    )
    left = (
        ImportedAnswer.objects.filter(
            source="gold",
            interface=campaign.interface,
            document__project=campaign.project,
            document__import_run__state="complete",
        )
        .exclude(document__tasks__campaign=campaign)
        .count()
    )
    counts = {}
    for kind, wanted in _wanted_gold(campaign).items():
        new = min(max(0, wanted - there[kind]), left)
        left -= new
        counts[kind] = there[kind] + new
    return counts


def _publish_gold(campaign: Campaign, seed: int) -> None:
    """Turn gold answers of documents into gold questions, as many as are still lacking.

    Drawn by a seeded shuffle from the tasks that have no Demand yet: the kind of a task that
    was given out never changes.
    """
    there = Counter(
        Demand.objects.filter(campaign=campaign, kind__gt=0).values_list("kind", flat=True)
    )
    lacking = [
        kind for kind, wanted in _wanted_gold(campaign).items()
        for _ in range(max(0, wanted - there[kind]))
    ]  # fmt: skip
    if not lacking:
        return
    candidates = list(
        Task.objects.filter(
            campaign=campaign,
            demand=None,
            document__imported_answers__source="gold",
            document__imported_answers__interface=campaign.interface,
        )
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    random.Random(seed).shuffle(candidates)
    kinds = dict(zip(candidates, lacking, strict=False))
    answers = ImportedAnswer.objects.filter(
        source="gold", interface=campaign.interface, document__tasks__in=list(kinds)
    ).values_list("document__tasks", "answer")
    with transaction.atomic():
        GoldQuestion.objects.bulk_create(
            [GoldQuestion(task_id=task, answer=answer) for task, answer in answers],
            batch_size=ROWS,
        )
        create_gold_demands(campaign, kinds)


def _publish_suggestions(campaign: Campaign) -> None:
    """Predictions of the documents go into the payload, in code points."""
    tasks = Task.objects.filter(
        campaign=campaign,
        document__imported_answers__source="prediction",
        document__imported_answers__interface=campaign.interface,
    ).annotate(prediction=F("document__imported_answers__answer"))
    for batch in batches(tasks.only("payload").iterator(chunk_size=ROWS)):
        for task in batch:
            task.payload = task.payload | {"suggestions": task.prediction}
        Task.objects.bulk_update(batch, ["payload"])
