"""Entities: each token has a tag, and a sentence is a sequence of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from aggregation.interfaces import Words

if TYPE_CHECKING:
    from aggregation.actions.scores import ConsensusScore
    from aggregation.arrays import Crowd
    from aggregation.interfaces.entries import Inference, Save
    from aggregation.methods.words import Default
    from aggregation.models import Share
    from aggregation.queries import RunSummary
    from annotation.interfaces.answers import Answer
    from annotation.models import Campaign

WORDS = Words(
    takes=("labels", "sequences"), unit="sentence", judgment="word", judged="word", per_token=True
)


def default(campaign: Campaign, from_gold: bool) -> Default:
    from aggregation.actions.defaults import default_for_spans_of

    return default_for_spans_of(campaign)


def load(campaign: Campaign, **options: Any) -> Crowd:
    from aggregation import arrays

    return arrays.load_sequences(campaign, **options)


def infer(asked: Inference) -> Save:
    from aggregation.actions.runs import infer_units

    return infer_units(asked)


def answers(crowd: Crowd, chosen: Any, judged: Any, verdicts: Any) -> Iterator[tuple[int, Any]]:
    from aggregation.arrays.writing import answers_of_tags

    return answers_of_tags(crowd, chosen, judged)


def save(run: Any, crowd: Crowd, fitted: Any, parts: Any, advance: Any) -> dict[str, Any]:
    from aggregation import arrays
    from aggregation.actions.coreference import corefer

    saved = arrays.save_run(run, crowd, fitted, parts=parts, advance=advance)
    return saved._asdict() | {"coreference": corefer(run, until=crowd.until)}


def score(
    campaign: Campaign, run: RunSummary, seed: int, gold: Mapping[str, Answer] | None
) -> ConsensusScore:
    from aggregation.actions.scores import score_spans

    return score_spans(campaign, run, seed, gold)


def gold_counts(campaign: Campaign, run: RunSummary) -> Mapping[str, Any]:
    from aggregation.actions.scores import span_counts

    return span_counts(campaign, run)


def further_shares(run: UUID, seed: int) -> Sequence[Share]:
    from aggregation.actions.coreference import coreference_score

    return coreference_score(run, seed=seed) or ()
