"""Intervals of shares that are measured on little gold.

A bootstrap of few documents knows nothing of what it has not seen: five right answers of five make
"100 % (100-100 %)". Wilson's interval, and one by the logit of a ratio, do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
LEVEL = 0.95
Interval = tuple[float, float] | None


def wilson(right: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval of a share, right / n; n, above 0, need not be whole."""
    from scipy.special import ndtri

    z2 = float(ndtri((1 + level) / 2)) ** 2
    p = right / n
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return float(min(max(centre - half, 0.0), p)), float(max(min(centre + half, 1.0), p))


def students(apart: Floats, level: float = LEVEL) -> float:
    """Student's t for a variance that was estimated from what n documents are apart, shape (n,).

        kurtosis = n sum apart⁴ / (sum apart²)²
        t of min(n - 1, 2 n / (kurtosis - 1)) degrees of freedom

    An estimate from n values varies by σ⁴ (kurtosis - 1) / n, as one from so many normal ones
    does. Where quality is high a few bad documents make the variance, and whoever has drawn
    none of them knows less of it than n - 1 says.
    """
    from scipy.special import stdtrit

    n, squares = len(apart), float((apart**2).sum())
    free = float(n - 1)
    if squares > 0:
        excess = n * float((apart**4).sum()) / squares**2 - 1
        free = min(free, 2 * n / excess) if excess > 0 else free
    return float(stdtrit(free, (1 + level) / 2))


def accuracy_interval(right: ArrayLike, judged: ArrayLike, level: float = LEVEL) -> Interval:
    """Wilson's of sum(right) / sum(judged), shapes (n_documents,), n divided by the design effect.

    With p the accuracy and G documents that have a unit, of m_d units r_d right,

        effect = G / (G - 1) sum_d (r_d - p m_d)² / (n p (1 - p)) t² / z²,
                 at least 1, at most sum m_d² / n

    t being that of `students`, z the normal quantile that is Wilson's: how alike the units of a
    document are is itself known from few documents. It is 1 where each document has one unit, and
    at most what it would be if all units of a document were right or wrong together. None where
    one document has several units: how alike they are can't be told. None without any.
    """
    from scipy.special import ndtri

    r, m = (np.asarray(x, dtype=np.float64) for x in (right, judged))
    r, m = r[m > 0], m[m > 0]
    if not len(m) or (len(m) == 1 and m[0] > 1):
        return None
    n = float(m.sum())
    effect = 1.0
    if m.max() > 1:
        p = (r.sum() + 0.5) / (n + 1)  # neither 0 nor 1
        apart = r - p * m
        spread = len(m) / (len(m) - 1) * (apart**2).sum() / (n * p * (1 - p))
        wider = (students(apart, level) / float(ndtri((1 + level) / 2))) ** 2
        effect = float(np.clip(spread * wider, 1.0, (m**2).sum() / n))
    return wilson(float(r.sum()) / effect, n / effect, level)


def ratio_interval(
    top: ArrayLike, bottom: ArrayLike, *, counts_twice: bool = False, level: float = LEVEL
) -> Interval:
    """Of F = A / B, A = sum a_d over documents, B = sum b_d, 0 <= a_d <= b_d; shapes (n,).

        F⁺ = (A + 1) / (B + 2)
        v  = n / (n - 1) sum (a_d - F⁺ b_d)² / B²
        w  = F⁺ (1 - F⁺) / (B + 1)
        logit F⁺ ± max(t sqrt(v), z sqrt(w)) / (F⁺ (1 - F⁺)),  widened to hold F

    v is how far documents are apart, with the t of `students`. w is what it would be if each unit
    were right or wrong by itself, which is not estimated from them: the normal quantile z does.
    F1 of spans has a_d = 2 right and b_d = found + true: what is right `counts_twice`, what is
    wrong once, and if all spans were independent, the variance would be that of 2 J / (1 + J), J
    the share of right ones among B (1 - F / 2) that are right, spurious or missed. So here

        w  = F⁺ (1 - F⁺) (1 - F⁺ / 2) / (B / 2 + 1)

    None of one document, or where B is 0. Documents without anything (b_d = 0) count as documents.
    """
    from scipy.special import expit, logit, ndtri

    a, b = (np.asarray(x, dtype=np.float64) for x in (top, bottom))
    n, whole = len(a), float(b.sum())
    if n < 2 or whole <= 0:
        return None
    value = float(a.sum()) / whole
    centre = (float(a.sum()) + 1) / (whole + 2)
    doubt = centre * (1 - centre)
    apart = a - centre * b
    spread = n / (n - 1) * float((apart**2).sum()) / whole**2
    alone = doubt / (whole + 1)
    if counts_twice:
        alone = doubt * (1 - centre / 2) / (whole / 2 + 1)
    z = float(ndtri((1 + level) / 2))
    half = max(students(apart, level) * np.sqrt(spread), z * np.sqrt(alone)) / doubt
    low, high = expit(logit(centre) - half), expit(logit(centre) + half)
    return float(min(low, value)), float(max(high, value))


def f1_interval(
    right: ArrayLike, found: ArrayLike, known: ArrayLike, level: float = LEVEL
) -> Interval:
    """`ratio_interval` of F1, from spans of each document: right, found, true."""
    r, p, g = (np.asarray(x, dtype=np.float64) for x in (right, found, known))
    return ratio_interval(2 * r, p + g, counts_twice=True, level=level)


def difference_interval(
    ours: tuple[ArrayLike, ArrayLike],
    theirs: tuple[ArrayLike, ArrayLike],
    *,
    each: float = 1.0,
    level: float = LEVEL,
) -> Interval:
    """Of F' - F, two ratios on the same documents (`ratio_interval`), each as (a, b), paired.

        u_d = (a'_d - F' b'_d) / B' - (a_d - F b_d) / B
        v   = n / (n - 1) sum u_d² + 1 / (N + 2)²,    N = min(B, B') each
        F' - F ± t_{n-1} sqrt(v)

    The last term of v is one more unit in which the two differ: where they are alike on all that
    is known, the interval still has a width. None of one document, or where B or B' is 0.
    """
    from scipy.special import stdtrit

    (a, b), (c, d) = (
        tuple(np.asarray(x, dtype=np.float64) for x in pair) for pair in (ours, theirs)
    )
    n = len(a)
    if n < 2 or b.sum() <= 0 or d.sum() <= 0:
        return None
    first, second = a.sum() / b.sum(), c.sum() / d.sum()
    apart = (c - second * d) / d.sum() - (a - first * b) / b.sum()
    units = min(float(b.sum()), float(d.sum())) * each
    variance = n / (n - 1) * float((apart**2).sum()) + 1 / (units + 2) ** 2
    half = float(stdtrit(n - 1, (1 + level) / 2)) * np.sqrt(variance)
    value = float(second - first)
    return float(max(value - half, -1.0)), float(min(value + half, 1.0))


def strict_intervals(counts: Floats, level: float = LEVEL) -> tuple[Interval, Interval, Interval]:
    """Of precision, recall and F1, from rows of `spans.SpanCounts`, a document each."""
    right, found, known = counts[:, :3].T
    return (
        ratio_interval(right, found, level=level),
        ratio_interval(right, known, level=level),
        f1_interval(right, found, known, level),
    )
