"""What entries share whose answers are one class (`annotation.interfaces.Categorical`)."""

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

WORDS = Words(takes=("labels",), disputed=0.25)


def default(campaign: Campaign, from_gold: bool) -> Default:
    from aggregation.actions.defaults import default_for_classes_of

    return default_for_classes_of(campaign, from_gold)


def load(campaign: Campaign, **options: Any) -> Crowd:
    from aggregation import arrays

    return arrays.load_labels(campaign, **options)


def infer(asked: Inference) -> Save:
    from aggregation.actions.runs import infer_units

    return infer_units(asked)


def answers(crowd: Crowd, chosen: Any, judged: Any, verdicts: Any) -> Iterator[tuple[int, Any]]:
    from aggregation.arrays.writing import answers_of_classes

    return answers_of_classes(crowd, chosen, judged)


def save(run: Any, crowd: Crowd, fitted: Any, parts: Any, advance: Any) -> dict[str, Any]:
    from aggregation import arrays

    return arrays.save_run(run, crowd, fitted, parts=parts, advance=advance)._asdict()


def score(
    campaign: Campaign, run: RunSummary, seed: int, gold: Mapping[str, Answer] | None
) -> ConsensusScore:
    from aggregation.actions.scores import score_one_class

    return score_one_class(campaign, run, seed, gold)


def gold_counts(campaign: Campaign, run: RunSummary) -> Mapping[str, Any]:
    from aggregation.actions.scores import class_counts

    return class_counts(campaign, run)


def further_shares(run: UUID, seed: int) -> Sequence[Share]:
    return ()
