"""Linking: the piles of overlapping tasks are parts of one partition of all mentions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from aggregation.interfaces import Words

if TYPE_CHECKING:
    from aggregation.actions.scores import ConsensusScore
    from aggregation.interfaces.entries import Inference, Save
    from aggregation.methods.words import Default
    from aggregation.models import Share
    from aggregation.queries import RunSummary
    from annotation.interfaces.answers import Answer
    from annotation.models import Campaign

WORDS = Words(takes=("clusters",), unit="mention", judgment="mention", judged="pair", source="task")


def default(campaign: Campaign, from_gold: bool) -> Default:
    from aggregation.methods.words import default_for_clusters

    return default_for_clusters()


def infer(asked: Inference) -> Save:
    from aggregation.actions.linking import aggregate_piles

    return aggregate_piles(asked)


def score(
    campaign: Campaign, run: RunSummary, seed: int, gold: Mapping[str, Answer] | None
) -> ConsensusScore:
    from aggregation.actions.cluster_scores import score_piles

    return score_piles(campaign, run, seed)


def further_shares(run: UUID, seed: int) -> Sequence[Share]:
    return ()
