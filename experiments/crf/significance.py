"""How sure a mean is, and the difference of two: over repeats, or over documents.

With repeats each gives a figure, and the usual standard error and paired t-test are of those.
Where nothing is drawn and an experiment runs once, documents take the place of repeats. A share
such as F1 is no mean of the documents' shares, so it is linearised: with a_d over b_d the counts of
document d and s = Σ a / Σ b, the residuals are u_d = (a_d - s b_d) / mean(b), and the variance of s
is that of their mean (Cochran, *Sampling techniques*, 1977, section 6.4).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def standard_error(values: Floats) -> Floats:
    """Of the mean over the first axis; NaN where there is one value."""
    n = len(values)
    if n < 2:
        return np.full(values.shape[1:], np.nan)
    return np.asarray(values.std(axis=0, ddof=1) / np.sqrt(n))


def paired_p(ours: Floats, theirs: Floats) -> float:
    """Two-sided p-value of the paired t-test; each of shape (n_pairs,).

    NaN where there are fewer than two pairs, or no difference in any; 0 where all pairs differ by
    the same.
    """
    difference = ours - theirs
    if len(difference) < 2 or not difference.any():
        return float("nan")
    if np.ptp(difference) <= 1e-12 * np.abs(difference).max():
        return 0.0
    from scipy.stats import ttest_rel

    return float(ttest_rel(ours, theirs).pvalue)


def residuals(part: Floats, whole: Floats) -> Floats:
    """What each document adds to the share Σ part / Σ whole, around it, shape (n_documents,).

    The sum of nothing is no share, and nobody differs from it: 0.
    """
    total = whole.sum()
    if not total:
        return np.zeros(len(whole))
    return np.asarray((part - whole * (part.sum() / total)) * (len(whole) / total))


def share_p(ours: tuple[Floats, Floats], theirs: tuple[Floats, Floats]) -> float:
    """As `paired_p`, of two shares, each given as part and whole of all documents."""
    shares = [part.sum() / max(whole.sum(), 1.0) for part, whole in (ours, theirs)]
    return paired_p(shares[0] + residuals(*ours), shares[1] + residuals(*theirs))
