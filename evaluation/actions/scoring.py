"""All systems of a period are scored at once, from one snapshot of submissions and labels.

Whatever was written before it begins is in it, and nothing that comes later: what arrives while it
computes is scored by the next. Done again where nothing has changed, it changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from math import ceil
from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone

from aggregation.actions.defaults import default_for
from aggregation.actions.runs import aggregate
from aggregation.methods.version import code_version
from aggregation.models import AggregationRun
from annotation.actions import locks
from annotation.actions.jobs import enqueue
from annotation.actions.webhooks import tell
from annotation.models import Campaign, Demand
from evaluation.actions.asking import price_of
from evaluation.actions.recall import advance_recall
from evaluation.actions.submissions import FORECAST
from evaluation.arrays.annotated import Annotated, load_annotated
from evaluation.arrays.imputation import imputed
from evaluation.arrays.labels import save_labels
from evaluation.arrays.parts import stricter_scores
from evaluation.arrays.pool import StandingPool, load_labels, load_pool
from evaluation.arrays.scores import costs_of, save_scores
from evaluation.files.evaluate import evaluate
from evaluation.files.labels import Labels
from evaluation.files.scores import Evaluation
from evaluation.models import ClaimPart, EvaluationPeriod, RecallSample, ScoreSnapshot
from evaluation.queries.changes import changes_since
from evaluation.queries.recall import spent_on_documents
from selection.actions.redundancy import CannotAdjust, adjust_redundancy, small_step

SEED = 0  # of the bootstrap, and of what is drawn of workers


@dataclass(frozen=True, slots=True)
class Scored:
    """`snapshot` is the one that stands by now, None before the first claim is judged."""

    snapshot: ScoreSnapshot | None
    is_new: bool
    labels: int  # that are new, or another than before
    asked: int  # tasks that were in doubt, and want one more answer


def evaluate_period(period: EvaluationPeriod) -> Scored:
    """Raises locks.Held where another is at it."""
    with locks.hold(f"evaluation:{period.key}"):
        related = EvaluationPeriod.objects.select_related("project", "campaign__project")
        row = related.get(pk=period.pk)
        labels, asked, run = 0, 0, None
        if row.campaign is not None and _has_answers(row):
            run = _aggregated(row.campaign)
            asked = _ask_where_in_doubt(row.campaign)
            with transaction.atomic():
                labels = save_labels(row, row.campaign, run, timezone.now())
        advance_recall(row)
        snapshot, is_new = _score(row, run)
        if is_new or labels:
            enqueue(FORECAST, {"period": str(row.key)}, project=row.project)
        return Scored(snapshot, is_new, labels, asked)


def _has_answers(period: EvaluationPeriod) -> bool:
    parts = ClaimPart.objects.filter(claim__period=period, task__campaign=period.campaign_id)
    return Demand.objects.filter(task__in=parts.values("task"), received__gt=0).exists()


def _aggregated(campaign: Campaign) -> AggregationRun:
    """The run that stands, where nothing has come since."""
    default = default_for(campaign)
    return aggregate(campaign, default.method, parameters=default.parameters)


def _ask_where_in_doubt(campaign: Campaign) -> int:
    """Where the campaign has a target: adaptive redundancy says how many answers a claim gets."""
    if campaign.wanted is None or campaign.state != Campaign.State.OPEN:
        return 0
    try:
        return adjust_redundancy(campaign, most=small_step(campaign)).asked
    except CannotAdjust:
        return 0


def _score(
    period: EvaluationPeriod, run: AggregationRun | None
) -> tuple[ScoreSnapshot | None, bool]:
    last = ScoreSnapshot.objects.latest_of(period)
    standing = load_pool(period)
    told = None
    if run is not None and period.campaign is not None:
        told = imputed(period, period.campaign, run, standing.submissions, SEED)
    labels = load_labels(period, standing.pool, standing.directions, told)
    if not np.isfinite(labels.correct[standing.pool.place(labels.key) >= 0]).any():
        return last, False
    sample = RecallSample.objects.select_related("period", "names", "relations").filter(
        period=period
    )
    annotated = load_annotated(one, standing, SEED) if (one := sample.first()) else None
    stricter = stricter_scores(period, standing, period.metrics or ["instance"], told)
    digest = _digest(period, standing, labels, annotated, stricter)
    if last is not None and last.digest == digest:
        return last, False
    found = evaluate(
        standing.pool, labels, annotated.exhaustive if annotated else None,
        metrics=period.metrics or ["instance"], level=period.level, seed=SEED,
    )  # fmt: skip
    with transaction.atomic():
        snapshot = _saved(period, standing, found, digest, last, annotated, stricter)
        tell(
            period.project_id, "evaluation.scored", period=str(period.key),
            snapshot=snapshot.number,
        )  # fmt: skip
    return snapshot, True


def _digest(
    period: EvaluationPeriod, standing: StandingPool, labels: Labels, annotated: Annotated | None,
    stricter: dict[str, Any],
) -> str:  # fmt: skip
    digest = blake2b(digest_size=16)
    told: list[Any] = [
        period.metrics, period.level, period.match, code_version(),
        [str(row.key) for row in standing.submissions], standing.pool.version,
        stricter,
    ]  # fmt: skip
    digest.update(repr(told).encode())
    shared = np.zeros(0) if labels.shared is None else labels.shared.var(axis=0).round(9)
    for column in (labels.key, labels.probability, labels.correct, shared):
        digest.update(np.ascontiguousarray(column).tobytes())
    if annotated is not None:
        full = annotated.exhaustive
        digest.update(str((full.documents.n_documents, full.expansion.n_documents)).encode())
        moved = full.documents.shared
        parts = (full.documents.document, full.key, full.expansion_key, full.documents.share,
                 full.expansion.share, np.zeros(0) if moved is None else moved.var(axis=0).round(9),
        )  # fmt: skip
        for part in parts:
            digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()


def _saved(
    period: EvaluationPeriod, standing: StandingPool, found: Evaluation, digest: str,
    last: ScoreSnapshot | None, annotated: Annotated | None, stricter: dict[str, Any],
) -> ScoreSnapshot:  # fmt: skip
    costs, total = costs_of(period, period.campaign, standing.submissions)
    sample = RecallSample.objects.filter(period=period).first()
    theta = found.theta
    known = theta is not None and bool(np.isfinite(theta.value[0]))
    snapshot = ScoreSnapshot.objects.create(
        period=period, number=(last.number if last else 0) + 1, made_at=timezone.now(),
        digest=digest, pool_version=standing.pool.version, method=found.method,
        code_version=code_version(), seed=SEED, level=found.level, looks=found.looks,
        claims=standing.pool.predictions.n_claims, planned=found.planned,
        judged=found.judged_claims, cost_mills=total,
        notes=[*found.notes, *_notes(annotated)],
        exhaustive_documents=annotated.exhaustive.documents.n_documents if annotated else 0,
        theta=float(theta.value[0]) if theta is not None and known else None,
        theta_low=float(theta.low[0]) if theta is not None and known else None,
        theta_high=float(theta.high[0]) if theta is not None and known else None,
        documents_mills=spent_on_documents(sample) if sample else 0,
        model_theta=annotated.model(standing) if annotated else None,
        expansion_documents=annotated.exhaustive.expansion.n_documents if annotated else 0,
    )  # fmt: skip
    price = price_of(period.campaign)
    save_scores(
        snapshot, found, standing.submissions, costs, standing.directions.names,
        stricter,
        lambda claims: price.mills(ceil(claims), price.answers),
    )  # fmt: skip
    if last is not None:
        snapshot.changes = changes_since(
            last, standing.submissions, found.judged_claims, snapshot.exhaustive_documents
        )
        snapshot.save(update_fields=["changes"])
    return snapshot


def _notes(annotated: Annotated | None) -> list[str]:
    notes = []
    if annotated is not None and annotated.missing:
        notes.append(
            f"{annotated.missing:,} of the documents that were drawn are not annotated to the end; "
            "recall rests on the others."
        )
    return notes
