"""How far workers agree with each other, whatever the truth is."""

from __future__ import annotations

import numpy as np

from aggregation.algorithms import (
    Agreement,
    fleiss_kappa,
    krippendorff_alpha,
    pairwise_span_f1,
    unitizing_alpha,
)
from aggregation.algorithms.measures.such_workers import SUCH_WORKERS, alpha_of_such_workers
from aggregation.arrays import Crowd
from aggregation.models import Share


def agreement_of(crowd: Crowd, *, seed: int = 0) -> tuple[Share, ...]:
    """Of spans Krippendorff's alpha and the F1 of one worker against another; of choices alpha and
    Fleiss' kappa. Documents are drawn for the intervals, which are about these workers; where there
    are twenty, alpha has one about such workers too. None where no two can be compared."""
    _, document = np.unique(crowd.documents, return_inverse=True)
    if crowd.sequences is None:
        alpha = krippendorff_alpha(crowd.labels, groups=document, seed=seed)
        shares = (
            _share("Krippendorff's alpha", alpha),
            _share("Fleiss' kappa", fleiss_kappa(crowd.labels, groups=document, seed=seed)),
        )
        if alpha.value is None or np.count_nonzero(crowd.labels.judged()) < SUCH_WORKERS:
            return shares
        such = alpha_of_such_workers(crowd.labels, groups=document)
        return (*shares, Share("alpha about such workers", alpha.value, such)) if such else shares
    group = np.repeat(document, np.diff(crowd.starts))
    starts = crowd.sequences.starts[:-1]
    of_sentence = group[np.minimum(starts, max(len(group) - 1, 0))] if len(group) else starts
    return (
        _share(
            "Krippendorff's alpha",
            unitizing_alpha(crowd.sequences, groups=of_sentence, seed=seed),
        ),
        _share(
            "F1 between two workers",
            pairwise_span_f1(crowd.sequences, groups=of_sentence, seed=seed),
        ),
    )


def _share(name: str, estimate: Agreement) -> Share:
    interval = None
    if estimate.low is not None and estimate.high is not None:
        interval = estimate.low, estimate.high
    return Share(name, estimate.value, interval)
