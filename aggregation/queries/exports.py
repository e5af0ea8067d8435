"""The consensus of a run, task by task, as plain data for a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aggregation.interfaces import words_of
from aggregation.models import Adjudication, Consensus, WorkerReliability
from aggregation.queries import RunSummary
from aggregation.queries.posteriors import largest, rounded
from annotation.interfaces import Product, traits
from annotation.models import Campaign, Enrollment
from annotation.models.pseudonyms import public_name
from annotation.queries.exports import Exported, tasks_at_once
from annotation.queries.intervals import score_interval

WORKERS_AT_ONCE = 100


def consensus(
    campaign: Campaign, run: RunSummary, *, sure: bool = False, at_least: float | None = None
) -> Iterator[Exported]:
    """Three queries for each hundred tasks. `sure`: without those that a person should decide;
    `at_least`: without those of a smaller confidence."""
    checked = _checked(run)
    for tasks in tasks_at_once(campaign):
        by_key = {task.pk: task for task in tasks}
        rows = Consensus.objects.filter(run__key=run.key, task__in=by_key)
        if sure:
            rows = rows.sure(campaign)
        if at_least is not None:
            rows = rows.filter(confidence__gte=at_least)
        decisions = Adjudication.objects.select_related("decided_by").in_bulk(by_key)
        for row in rows.order_by("task__external_id"):
            facts = _sure(campaign.interface, run, row)
            if decision := decisions.get(row.task_id) if row.inferred is not None else None:
                facts |= _decided(decision, facts)
            facts |= {"run": str(run.key), "method": run.method, **checked}
            task = by_key[row.task_id]
            yield Exported(
                task.external_id, task.document, "consensus", row.answer, facts,
                campaign.interface,
            )  # fmt: skip


def _sure(interface: str, run: RunSummary, row: Consensus) -> dict[str, Any]:
    """How sure the answer and its parts are; of parts None where that was not kept."""
    parts = row.confidences or {}
    found: dict[str, Any] = {
        "confidence": rounded(row.confidence), "expected_errors": rounded(row.expected_errors),
    }  # fmt: skip
    if words_of(interface).per_token:
        found["token_confidence"] = largest(bytes(row.probabilities), len(run.classes))
        found["span_confidence"] = parts.get("spans")
    elif traits(interface).product is Product.CLUSTERS:
        found["mention_confidence"] = parts.get("mentions")
        found["link_confidence"] = parts.get("links")
    return found


def _checked(run: RunSummary) -> dict[str, Any]:
    """Whether the run's confidences are checked against gold, and how good all of its labels are by
    gold drawn at random: the share right or F1, with its 95 % interval."""
    gold = run.facts.gold
    found: dict[str, Any] = {"gold_check": run.facts.checked}
    if gold is None or (quality := gold.quality) is None:
        return found
    low, high = quality.interval or (None, None)
    return found | {
        "quality": rounded(quality.value), "quality_low": rounded(low),
        "quality_high": rounded(high), "quality_of": quality.name,
        "quality_gold": gold.units if gold.unit == "task" else gold.documents,
    }  # fmt: skip


def _decided(decision: Adjudication, facts: dict[str, Any]) -> dict[str, Any]:
    """By whom; and what was decided is certain."""
    found: dict[str, Any] = {"decided": f"decided by {decision.name}"}
    if (sure := facts.get("token_confidence")) is not None:
        sure = list(sure)
        for start, end in decision.parts or [(0, len(sure))]:
            sure[start:end] = [1.0] * (min(end, len(sure)) - start)
        found["token_confidence"] = sure
    return found


WORKER_COLUMNS = (
    "worker", "state", "reason", "submitted", "seconds", "earned", "currency", "gold_answers",
    "gold_score", "gold_low", "gold_high", "judged", "reliability", "low", "high", "refits",
    "method",
)  # fmt: skip


def workers(campaign: Campaign, run: RunSummary | None) -> Iterator[dict[str, Any]]:
    """What is known of each worker of the campaign, by the pseudonyms of the other files; of their
    reliability what `run` says. A query for each hundred."""
    said = WorkerReliability.objects.filter(run__key=run.key) if run else None
    everybody = Enrollment.objects.filter(campaign=campaign).select_related("worker", "campaign")
    last = 0
    while chunk := list(everybody.filter(pk__gt=last).order_by("pk")[:WORKERS_AT_ONCE]):
        last = chunk[-1].pk
        by_worker = {}
        if said is not None:
            rows = said.filter(worker__in=[row.worker_id for row in chunk])
            by_worker = {row.worker_id: row for row in rows}
        for row in chunk:
            yield _worker(row, by_worker.get(row.worker_id), run)


def _worker(
    row: Enrollment, reliability: WorkerReliability | None, run: RunSummary | None
) -> dict[str, Any]:
    score = gold_low = gold_high = None
    if row.gold_seen:
        score = row.gold_score_sum / row.gold_seen
        gold_low, gold_high = score_interval(score, row.gold_seen) or (None, None)
    return {
        "worker": public_name(row),
        "state": row.state,
        "reason": str(row.reason or ""),
        "submitted": row.submitted,
        "seconds": row.seconds,
        "earned": row.earned_mills / 1000,
        "currency": row.campaign.currency,
        "gold_answers": row.gold_seen,
        "gold_score": rounded(score),
        "gold_low": rounded(gold_low),
        "gold_high": rounded(gold_high),
        "judged": reliability.judged if reliability else None,
        "reliability": rounded(reliability.accuracy) if reliability else None,
        "low": rounded(reliability.low) if reliability else None,
        "high": rounded(reliability.high) if reliability else None,
        "refits": run.facts.refits if run and reliability else None,
        "method": run.method if run and reliability else None,
    }
