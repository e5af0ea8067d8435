"""Methods side by side on the same answers. Nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aggregation import arrays
from aggregation.actions.agreement import agreement_of
from aggregation.actions.calibrate import as_usual, confidences_of, to_score
from aggregation.actions.runs import check_has_answers
from aggregation.actions.scores import CrowdScore, score_crowd
from aggregation.algorithms import Aggregator, Diagnostics
from aggregation.algorithms.measures.scoring import span_f1
from aggregation.interfaces.entries import unit_entry
from aggregation.methods.pools import pool_for
from aggregation.methods.registry import checked_parameters, method_for
from aggregation.models import Share
from annotation.models import Campaign


@dataclass(frozen=True, slots=True)
class MethodComparison:
    """`agreement` is with the first method: strict span F1, for choices the share of tasks with
    the same answer. None for the first itself, and where there is nothing to compare."""

    method: str
    agreement: float | None
    score: CrowdScore | None  # None without gold
    diagnostics: Diagnostics


@dataclass(frozen=True, slots=True)
class Comparison:
    """`between` is how far workers agree with each other, on `tasks`."""

    rows: list[MethodComparison]
    between: tuple[Share, ...]
    tasks: int


def compare(
    campaign: Campaign,
    names: Sequence[str],
    *,
    seed: int = 0,
    jobs: int = 1,
    on_method: Callable[[str], None] | None = None,
    advance: arrays.Advance | None = None,
) -> Comparison:
    """Run each method with its defaults on all counted answers, which are read once.

    `on_method` hears the name of each method before it begins. Raises ValueError for an unknown
    method and where there are no answers.
    """
    methods = [method_for(campaign.interface, name) for name in names]
    check_has_answers(campaign)
    crowd = unit_entry(campaign.interface).load(campaign, gold=True, advance=advance)
    crowd = as_usual(campaign, crowd) or crowd
    rows: list[MethodComparison] = []
    first: NDArray[np.int64] | None = None
    for name, method in zip(names, methods, strict=True):
        if on_method is not None:
            on_method(name)
        n_labels = crowd.labels.n_labels
        with pool_for(jobs, n_labels) if "pool" in method.can_use else nullcontext() as pool:
            fitted: Aggregator = method.fit(
                checked_parameters(name, {}), crowd.labels, crowd.sequences, seed=seed, pool=pool
            )
        chosen = fitted.predict()
        rows.append(
            MethodComparison(
                method=name,
                agreement=None if first is None else _agreement(crowd, first, chosen),
                score=score_crowd(
                    crowd, to_score(fitted, confidences_of(crowd, fitted, seed=seed)), seed=seed
                ),
                diagnostics=fitted.diagnostics_,
            )
        )
        if first is None:
            first = chosen
    return Comparison(rows, agreement_of(crowd, seed=seed), int(crowd.plain.sum()))


def _agreement(
    crowd: arrays.Crowd, ours: NDArray[np.int64], theirs: NDArray[np.int64]
) -> float | None:
    if crowd.sequences is not None:
        return span_f1(ours, theirs, crowd.classes, crowd.sequences.starts)
    judged = np.unique(crowd.labels.unit)
    return float((ours[judged] == theirs[judged]).mean()) if judged.size else None
