"""What the crowd says of parts of claims: from the consensus of a run to labels."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aggregation.models import AggregationRun, Consensus
from annotation.interfaces.schema import UNSURE
from annotation.models import Campaign
from evaluation.models import ClaimPart, EvaluationPeriod, PartLabel

CERTAIN = {True: 1.0, False: 0.0, UNSURE: 0.5}
READ = 500
Told = tuple[ClaimPart, float, int]  # probability, answers


def parts_answered(
    period: EvaluationPeriod, campaign: Campaign, run: AggregationRun
) -> Iterator[Told]:
    """Of parts whose tasks want no more answers, what the run says. Two queries for each 500."""
    rests = ClaimPart.objects.filter(
        claim__period=period, task__campaign=campaign, task__demand__open=0,
        task__demand__leased=0, task__demand__received__gt=0,
    ).select_related("claim", "task__demand").order_by("pk")  # fmt: skip
    after = 0
    while batch := list(rows_after(rests, after)):
        tasks = {row.task_id for row in batch}
        found = {one.task_id: one for one in Consensus.objects.filter(run=run, task__in=tasks)}
        for row in batch:
            consensus = found.get(row.task_id or 0)
            if consensus is None or row.task is None:
                continue
            probability = probability_of(row, consensus, run.classes)
            if probability is not None:
                yield row, probability, consensus.answers or row.task.demand.received
        after = batch[-1].pk


def rows_after(rows: Any, after: int) -> Any:
    return rows.filter(pk__gt=after)[:READ]


def probability_of(part: ClaimPart, consensus: Consensus, classes: Sequence[str]) -> float | None:
    """None where nobody was asked about this part, or nobody judged it. What a person has decided
    is certain."""
    if part.part != ClaimPart.Part.RELATION:
        said: Mapping[str, Any] = consensus.answer
        return CERTAIN.get(said.get(part.part))
    decided = consensus.answer.get("relation") if consensus.inferred is not None else None
    if decided is not None:
        return 0.5 if decided == UNSURE else float(decided == part.claim.relation)
    values = struct.unpack(f"<{len(consensus.probabilities) // 2}e", consensus.probabilities)
    known = dict(zip(classes, values, strict=False))
    if not known or math.isnan(next(iter(known.values()))):
        return None
    # A relation that nobody has chosen anywhere is no class of the run, and does not hold here.
    return min(1.0, known.get(part.claim.relation, 0.0) + known.get(UNSURE, 0.0) / 2)


def save_labels(period: EvaluationPeriod, campaign: Campaign, run: AggregationRun, now: Any) -> int:
    """Under the version of the instructions that workers see now; how many are new or another."""
    version = campaign.instructions_id
    there = {
        label.part_id: label
        for label in PartLabel.objects.filter(part__claim__period=period, instructions=version)
    }
    new, changed = [], []
    for part, probability, answers in parts_answered(period, campaign, run):
        label = there.get(part.pk)
        if label is None:
            new.append(
                PartLabel(part=part, instructions_id=version, probability=probability,
                          answers=answers, run=run, at=now)
            )  # fmt: skip
        elif (label.probability, label.answers) != (probability, answers):
            label.probability, label.answers, label.run, label.at = probability, answers, run, now
            changed.append(label)
    PartLabel.objects.bulk_create(new, batch_size=READ)
    PartLabel.objects.bulk_update(changed, ["probability", "answers", "run", "at"], batch_size=READ)
    return len(new) + len(changed)
