"""Decisions of people: stored, taken back, laid over what a run has inferred, made gold.

A decision is written in the same transaction into the consensus that is served, so that pages
and files have it at once; each later run is given it too. No numerics: pages call this.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.utils import timezone

from aggregation.models import Adjudication, AggregationRun, Consensus, RunFacts
from aggregation.models.facts import TENTHS, tenth
from aggregation.sentences import CATALOGUE
from annotation.actions import audit
from annotation.actions.assignments import create_gold_demands
from annotation.actions.assignments.demand import start_over
from annotation.actions.bulk import batches
from annotation.interfaces import Material, Product, categorical, overlaid, traits
from annotation.interfaces.answers import Answer
from annotation.interfaces.entity_decisions import decided_ranges, decision_of
from annotation.interfaces.spans import Span, TypedSpan
from annotation.interfaces.tags import spans_of
from annotation.models import Campaign, Demand, GoldQuestion, Task
from annotation.models.materials import MATERIAL_COLUMNS, material_of
from annotation.sentences import CodedError

AT_ONCE = 200  # tasks
FIRST_VERSIONS = 2**30
LONGEST_NAME = 190  # of a task, to which a number is added


class CannotDecide(CodedError, ValueError):
    """It is no task that a person decides, or not like this."""

    catalogue = CATALOGUE


class OtherVersion(CannotDecide):
    """Somebody else has decided meanwhile: nothing was written."""


class Change(NamedTuple):
    """Of a consensus: what it was before, and what it is now."""

    before: Consensus
    now: Consensus


def decide(
    task: Task, answer: Answer, *, version: int, user: Any = None, now: datetime | None = None
) -> Adjudication:
    """Decide the whole of a task. `version` is that of the decision that was seen, 0 for none.
    Raises OtherVersion where it is another one by now, CannotDecide of a gold question."""
    return _decide(task, answer, [], True, version, user, now)


def decide_part(
    task: Task,
    part: Span,
    names: Sequence[TypedSpan],
    *,
    version: int,
    is_complete: bool,
    user: Any = None,
    now: datetime | None = None,
) -> Adjudication:
    """Decide which names there are in the tokens of `part`; what else was decided stays."""
    material = _material(task)
    stands = Adjudication.objects.filter(task=task).first()
    kept: list[TypedSpan] = []
    parts: list[list[int]] = []
    if stands is not None and stands.version == version:
        parts = [one for one in stands.parts if one[1] <= part[0] or one[0] >= part[1]]
        kept = [
            span
            for span in spans_of(stands.answer, material)
            if any(start <= span[0] and span[1] <= end for start, end in parts)
        ]
    parts.append([*part])
    ranges = [(start, end) for start, end in parts]
    answer = decision_of(ranges, [*kept, *names], material)
    return _decide(task, answer, parts, is_complete, version, user, now)


def take_back(
    task: Task, *, version: int, user: Any = None, now: datetime | None = None
) -> Adjudication | None:
    """The last decision of the task; what is left, if anything is."""
    with transaction.atomic():
        row = _locked(task, version)
        if row is None:
            raise CannotDecide("decision.nothing", task=task.external_id)
        before = {"answer": row.answer}
        parts = row.parts[:-1]
        if not parts:
            row.delete()
            left = None
        else:
            material = _material(task)
            ranges = [(start, end) for start, end in parts]
            names = [
                span
                for span in spans_of(row.answer, material)
                if any(start <= span[0] and span[1] <= end for start, end in ranges)
            ]
            row.answer, row.parts = decision_of(ranges, names, material), parts
            row.is_complete = False
            left = _written(row, user, now)
        audit.record(
            task.campaign.project, "take decision back", task.external_id, user=user,
            before=before, after={"answer": left.answer} if left else {},
        )  # fmt: skip
        lay_over_served(task.campaign, [task.pk])
    return left


def make_gold(row: Adjudication, *, kind: int = Demand.Kind.HIDDEN, user: Any = None) -> Task:
    """A gold question of a copy of the task: what workers have labelled stays a task as it is."""
    task = row.task
    if row.gold_id is not None:
        raise CannotDecide("decision.is_gold", task=task.external_id)
    if not row.is_complete:
        raise CannotDecide("decision.not_complete", task=task.external_id)
    campaign = task.campaign
    with transaction.atomic():
        answer = row.answer
        inferred = Consensus.objects.filter(run=_served(campaign), task=task).first()
        if row.parts and inferred is not None:  # the rest of the document as it was inferred
            answer = inferred.answer
        copy = Task.objects.create(
            campaign=campaign, document=task.document, payload=task.payload,
            external_id=_free_name(campaign, task.external_id),
        )  # fmt: skip
        create_gold_demands(campaign, {copy.pk: kind})
        question = GoldQuestion.objects.create(task=copy, answer=answer)
        Adjudication.objects.filter(pk=row.pk).update(gold=question)
        audit.record(
            campaign.project, "make gold of decision", task.external_id, user=user,
            after={"task": copy.external_id, "answer": answer},
        )  # fmt: skip
        if campaign.state != Campaign.State.DRAFT:
            start_over(campaign)
    row.gold = question
    return copy


def lay_over(
    run: AggregationRun,
    tasks: Sequence[int] | None = None,
    *,
    until: datetime | None = None,
    restores: bool = False,
) -> list[Change]:
    """Put what was decided of all tasks, or of `tasks` (row ids), into the run's consensus. Where
    nothing is decided any more, what the run said is put back if it `restores`. Call it inside a
    transaction. A query; three and a write for each AT_ONCE tasks with a decision."""
    decided = Adjudication.objects.filter(task__campaign=run.campaign_id)
    if until is not None:
        decided = decided.filter(decided_at__lte=until)
    if tasks is None:
        tasks = list(decided.order_by("task").values_list("task", flat=True))
    changes: list[Change] = []
    for batch in batches(tasks, AT_ONCE):
        by_task = {row.task_id: row for row in decided.filter(task__in=batch)}
        if not by_task and not restores:
            continue
        rows = list(Consensus.objects.filter(run=run, task__in=batch))
        of_tasks = Task.objects.filter(pk__in=[row.task_id for row in rows])
        materials = {
            row["pk"]: material_of(row) for row in of_tasks.values("pk", *MATERIAL_COLUMNS)
        }
        kind = run.campaign.interface
        some = [_change(kind, row, by_task.get(row.task_id), materials) for row in rows]
        found = [change for change in some if change is not None]
        Consensus.objects.bulk_update(
            [change.now for change in found],
            ["answer", "confidence", "expected_errors", "confidences", "inferred"],
        )
        changes += found
    return changes


def counted(kind: str, facts: RunFacts, changes: Sequence[Change]) -> RunFacts:
    """The run's facts, with what these changes make of their sums."""
    says, chosen = categorical(kind), dict(facts.chosen) if facts.chosen is not None else None
    tenths, errors = list(facts.confidence or [0] * TENTHS), facts.expected_errors
    for change in changes:
        for row, by in ((change.before, -1), (change.now, 1)):
            if row.confidence is not None:
                tenths[tenth(row.confidence)] += by
            if errors is not None:
                errors += by * (row.expected_errors or 0.0)
            if chosen is not None and says is not None:
                name = says.class_of(row.answer)
                chosen[name] = max(0, chosen.get(name, 0) + by)
    return replace(
        facts,
        confidence=tuple(tenths) if facts.confidence is not None else None,
        expected_errors=None if errors is None else max(0.0, errors),
        chosen=chosen,
    )


# --- Writing --------------------------------------------------------------------------------------


def _decide(
    task: Task,
    answer: Answer,
    parts: list[list[int]],
    is_complete: bool,
    version: int,
    user: Any,
    now: datetime | None,
) -> Adjudication:
    if GoldQuestion.objects.filter(task=task, task__demand__kind__gt=Demand.Kind.PLAIN).exists():
        raise CannotDecide("decision.gold_task", task=task.external_id)
    with transaction.atomic():
        row = _locked(task, version)
        before = {"answer": row.answer} if row else {}
        row = row or Adjudication(task=task, version=0)
        row.answer, row.parts, row.is_complete = answer, parts, is_complete
        try:
            with transaction.atomic():
                _written(row, user, now)
        except IntegrityError:  # two first decisions at once
            _locked(task, version)
            raise
        audit.record(
            task.campaign.project, "decide", task.external_id, user=user,
            before=before, after={"answer": answer},
        )  # fmt: skip
        lay_over_served(task.campaign, [task.pk])
    return row


def _written(row: Adjudication, user: Any, now: datetime | None) -> Adjudication:
    # A row that was taken back and made again must not look like the one before.
    is_new = row.version == 0
    row.version = secrets.randbelow(FIRST_VERSIONS) + 1 if is_new else row.version + 1
    row.decided_by, row.decided_at = user, now or timezone.now()
    row.save(force_insert=is_new)
    return row


def _locked(task: Task, version: int) -> Adjudication | None:
    """The decision as it stands, if it is the one that was seen."""
    row = (
        Adjudication.objects.select_for_update(of=("self",))
        .select_related("decided_by")
        .filter(task=task)
        .first()
    )
    if row is None and version:
        raise OtherVersion("decision.taken_back")
    if row is not None and row.version != version:
        raise OtherVersion("decision.other_version", name=row.name)
    return row


def _served(campaign: Campaign) -> AggregationRun | None:
    return AggregationRun.objects.complete().filter(campaign=campaign).served_first().first()


def lay_over_served(campaign: Campaign, tasks: Sequence[int] | None = None) -> None:
    """Put what is decided of `tasks` (row ids), or of all, into the consensus that is served, and
    take out of it what is decided no more. Call it inside a transaction."""
    served = _served(campaign)
    if served is None:
        return
    run = AggregationRun.objects.select_for_update().get(pk=served.pk)
    run.campaign = campaign
    if tasks is None:
        decided = Adjudication.objects.filter(task__campaign=campaign).values("task")
        laid = Consensus.objects.filter(run=run, inferred__isnull=False).values("task")
        tasks = list(decided.order_by().union(laid).values_list("task", flat=True))
    if changes := lay_over(run, tasks, restores=True):
        run.facts = counted(campaign.interface, run.facts, changes)
        run.save(update_fields=["diagnostics"])


def _change(
    kind: str, row: Consensus, decision: Adjudication | None, materials: dict[int, Material]
) -> Change | None:
    if decision is None and row.inferred is None:
        return None
    before = Consensus(
        answer=row.answer, confidence=row.confidence, expected_errors=row.expected_errors
    )
    said = row.inferred or {
        "answer": row.answer,
        "confidence": row.confidence,
        "expected_errors": row.expected_errors,
        "confidences": row.confidences,
    }
    for name, value in said.items():
        setattr(row, name, value)
    row.inferred = said if decision is not None else None
    if decision is not None:
        material = materials[row.task_id]
        row.answer = overlaid(kind, said["answer"], decision.answer, material)
        if decision.parts:
            _judge_parts(row, said, decision, material)
        else:
            row.confidence, row.expected_errors = 1.0, 0.0
            row.confidences = None
    return Change(before, row)


def _judge_parts(
    row: Consensus, said: dict[str, Any], decision: Adjudication, material: Material
) -> None:
    """What is left in doubt: the names that nobody decided, each by its own confidence."""
    decided = {
        i for start, end in decided_ranges(decision.answer, material) for i in range(start, end)
    }
    spans = spans_of(said["answer"], material)
    known = (said["confidences"] or {}).get("spans")
    errors = said["expected_errors"]
    if known is not None and len(known) == len(spans):
        sure = dict(zip(spans, known, strict=True))
        now = spans_of(row.answer, material)
        values = [1.0 if span[0] in decided else sure.get(span, 1.0) for span in now]
        row.confidences = {**said["confidences"], "spans": values}
        left = sum(1.0 - value for value in values)
    else:
        row.confidences = None
        left = (errors or 0.0) * (1 - len(decided) / max(1, len(material.tokens)))
    if errors is None:
        return
    row.expected_errors = min(errors, left)
    if row.confidence is not None and errors > 0:
        row.confidence = 1.0 - (1.0 - row.confidence) * row.expected_errors / errors


def _material(task: Task) -> Material:
    return material_of(Task.objects.values(*MATERIAL_COLUMNS).get(pk=task.pk))


def _free_name(campaign: Campaign, name: str) -> str:
    """Of the copy: it tells a worker nothing, since they see no names."""
    name = name[:LONGEST_NAME]
    there = set(
        campaign.tasks.filter(external_id__startswith=f"{name}~").values_list(
            "external_id", flat=True
        )
    )
    number = 2
    while f"{name}~{number}" in there:
        number += 1
    return f"{name}~{number}"


def decides_parts(campaign: Campaign) -> bool:
    """Whether a person decides names one after the other, or an answer as a whole."""
    return traits(campaign.interface).product is Product.MENTIONS
