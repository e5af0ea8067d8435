"""How good a consensus about clusters is, against the gold of tasks. Nothing is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from aggregation.actions.scores import ConsensusScore, CrowdScore, NoGold, bins_of, share
from aggregation.algorithms import bootstrap_interval, calibration_of
from aggregation.algorithms.measures.cluster_scores import METRICS, cluster_counts, cluster_shares
from aggregation.arrays.piles import KnownPiles, known_piles, stored_clusters
from aggregation.models import Share
from aggregation.queries import RunSummary
from annotation.models import Campaign

METRIC_NAMES = dict(
    zip(
        METRICS,
        ("F1 of pairs", "B³ F1", "CEAF-e F1", "CEAF-m F1", "MUC F1", "BLANC F1", "CoNLL F1",
         "LEA F1"),
        strict=True,
    )
)  # fmt: skip
SURE = 1e-4  # a confidence is stored to so many places: what is told as 1 may be less


def score_piles(campaign: Campaign, run: RunSummary, seed: int) -> ConsensusScore:
    """Raises NoGold."""
    cluster, sure = stored_clusters(run.key)
    known = known_piles(campaign)
    summary = cluster_score(cluster, sure, known, seed=seed)
    if summary is None:
        raise NoGold("score.no_mention", run=run.key)
    return ConsensusScore(
        **{one.name: getattr(summary, one.name) for one in fields(summary)},
        without_answers=[one.name for one in known if not one.cluster.keys() & cluster.keys()],
    )


def cluster_score(
    cluster: Mapping[str, int],
    sure: Mapping[str, float],
    known: Sequence[KnownPiles],
    *,
    seed: int = 0,
) -> CrowdScore | None:
    """Clusters of mentions against the gold of tasks; None where no mention of gold has one.

    Each task with gold is scored by itself: of the clusters the part that stands in it. `sure` is
    how probably a mention belongs to its cluster, NaN where nothing is known.
    """
    ours: list[int] = []
    theirs: list[int] = []
    group: list[int] = []
    confidence: list[float] = []
    for one in known:
        both = [mention for mention in one.cluster if mention in cluster]
        if not both:
            continue
        number = group[-1] + 1 if group else 0
        ours += [cluster[mention] for mention in both]
        theirs += [one.cluster[mention] for mention in both]
        group += [number] * len(both)
        confidence += [sure[mention] for mention in both]
    if not group:
        return None
    counts = cluster_counts(ours, theirs, group)
    p = np.array(confidence)
    hit = _belong(np.array(ours), np.array(theirs), np.array(group))
    p, hit = p[~np.isnan(p)], hit[~np.isnan(p)]
    calibration = calibration_of(p, hit)
    nats = -np.log(np.maximum(np.where(hit, p, 1.0 - p), SURE))
    return CrowdScore(
        shares=metric_shares(counts, list(METRIC_NAMES.values()), seed),
        relaxed=(),
        units=len(ours),
        unit="mention",
        documents=len(counts),
        spans=None,
        cross_entropy=float(nats.mean()) if nats.size else 0.0,
        calibration_error=calibration.error,
        by_chance=calibration.by_chance,
        bins=bins_of(calibration),
        judgments=len(p),
        unknown_units=0,
    )


def metric_shares(
    counts: NDArray[np.float64], names: Sequence[str], seed: int
) -> tuple[Share, ...]:
    """F1 by each of METRICS from `cluster_counts`; groups are drawn for the intervals."""
    values = cluster_shares(counts.sum(axis=0, keepdims=True))[0]
    low = high = np.full(len(values), np.nan)
    if len(counts) > 1:
        low, high = bootstrap_interval(counts, cluster_shares, seed=seed)
    f1 = range(2, len(values), 3)  # after precision and recall
    return tuple(share(name, values[i], low[i], high[i]) for name, i in zip(names, f1, strict=True))


def _belong(
    ours: NDArray[np.int64], theirs: NDArray[np.int64], group: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether an item is the same as more than half of the others of its cluster in its group; of
    one alone, whether it is so in the gold too."""

    def sizes(*columns: NDArray[np.int64]) -> NDArray[np.int64]:
        _, place, size = np.unique(
            np.column_stack(columns), axis=0, return_inverse=True, return_counts=True
        )
        return np.asarray(size[place.ravel()])

    mine, known, both = sizes(group, ours), sizes(group, theirs), sizes(group, ours, theirs)
    return np.where(mine == 1, known == 1, 2 * (both - 1) > mine - 1)
