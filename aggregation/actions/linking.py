"""Runs of linking campaigns: workers' piles → one partition of all mentions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from aggregation.actions.cluster_scores import cluster_score
from aggregation.actions.runs import TOGETHER
from aggregation.actions.scores import CrowdScore, agreement_share
from aggregation.algorithms import pair_alpha, pairwise_cluster_f1
from aggregation.arrays import piles
from aggregation.interfaces.entries import Inference, Save
from aggregation.models import ClusterFacts, LiveFacts, RunFacts, Share
from annotation.models import Campaign


def aggregate_piles(asked: Inference) -> Save:
    """The inference of linking campaigns (`interfaces.entries.Entry.infer`)."""
    run, campaign = asked.run, asked.campaign
    crowd = piles.load_piles(campaign, advance=asked.advance, until=asked.until)
    fitted: Any = asked.method.fit(asked.settings, None, None, crowd.data, seed=run.seed)
    links = piles.links_of(crowd, fitted.cluster_)
    sizes = np.bincount(fitted.cluster_[crowd.data.judged()])
    run.classes = []
    facts = RunFacts(
        tasks=len(crowd.tasks),
        answers=crowd.data.n_answers,
        workers=len(crowd.workers),
        labels=int(fitted.reliability_.judged.sum()),
        iterations=fitted.diagnostics_.iterations,
        converged=bool(fitted.diagnostics_.converged),
        objective=tuple(fitted.diagnostics_.objective),
        seconds=round(fitted.diagnostics_.seconds, 3),
        clusters=ClusterFacts(
            mentions=int(sizes.sum()),
            clusters=int((sizes > 0).sum()),
            alone=int((sizes == 1).sum()),
            largest=int(sizes.max(initial=0)),
            pairs=len(fitted.first_),
            same=round(float(fitted.prevalence_), 6),
        ),
        live=LiveFacts(until=asked.until, why=TOGETHER, counted=crowd.data.n_answers),
        agreement=_agreement(crowd, run.seed),
        gold=_score(campaign, crowd, fitted, run.seed),
    )

    def save() -> RunFacts:
        saved = piles.save_piles(run, crowd, fitted, links, advance=asked.advance)
        return replace(facts, **saved._asdict())

    return save


def _agreement(crowd: piles.PileCrowd, seed: int) -> tuple[Share, ...]:
    return (
        agreement_share(
            "Krippendorff's alpha of pairs", pair_alpha(crowd.data, groups=crowd.task, seed=seed)
        ),
        agreement_share(
            "F1 of pairs between two workers",
            pairwise_cluster_f1(crowd.data, groups=crowd.task, seed=seed),
        ),
    )


def _score(campaign: Campaign, crowd: piles.PileCrowd, fitted: Any, seed: int) -> CrowdScore | None:
    judged = np.flatnonzero(crowd.data.judged()).tolist()
    cluster = {crowd.mentions[item]: int(fitted.cluster_[item]) for item in judged}
    sure = {crowd.mentions[item]: float(fitted.confidence_[item]) for item in judged}
    return cluster_score(cluster, sure, piles.known_piles(campaign), seed=seed)
