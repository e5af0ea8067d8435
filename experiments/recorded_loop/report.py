"""Points as a table: means over seeds, with intervals for which articles and seeds are drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.measures.resampling import percentiles
from aggregation.algorithms.measures.spans import strict_shares
from aggregation.management.words import table
from experiments.recorded_loop.trials import ALL, RANDOM, Point

Floats = NDArray[np.float64]

REPLICATES = 2_000
F1 = 2


def f1_interval(counts: Sequence[Floats], seed: int = 0) -> tuple[float, float, float]:
    """F1 in per cent of all seeds together, and its 95 % interval; `counts`, (n_articles, 5), of
    each seed."""
    rng = np.random.default_rng(seed)
    sums = np.stack([_drawn(rows, rng) for rows in counts], axis=1)  # (replicates, seeds, 5)
    found = _f1(_of_drawn_seeds(sums, rng))
    whole = _f1(sum(rows.sum(axis=0) for rows in counts)[None])
    (low,), (high,) = percentiles(100 * found[:, None])
    return 100 * float(whole[0]), float(low), float(high)


def f1_difference(
    ours: Sequence[Floats], theirs: Sequence[Floats], seed: int = 0
) -> tuple[float, float, float]:
    """F1 less the other's, paired: all are of the same articles, of seeds side by side."""
    rng = np.random.default_rng(seed)
    mine, other = np.stack(ours), np.stack(theirs)  # (seeds, articles, 5)
    articles = rng.multinomial(
        mine.shape[1], np.full(mine.shape[1], 1 / mine.shape[1]), size=REPLICATES
    )
    seeds = rng.multinomial(len(mine), np.full(len(mine), 1 / len(mine)), size=REPLICATES)
    apart = [
        _f1(np.einsum("rs,ra,sac->rc", seeds, articles, rows, optimize=True))
        for rows in (mine, other)
    ]
    (low,), (high,) = percentiles(100 * (apart[0] - apart[1])[:, None])
    whole = _f1(mine.sum(axis=(0, 1))[None]) - _f1(other.sum(axis=(0, 1))[None])
    return 100 * float(whole[0]), float(low), float(high)


def lines_of(points: Sequence[Point]) -> Iterator[str]:
    """A row for each budget and method, and below it what it is worth beside a random choice."""
    by: dict[tuple[float, str], list[Point]] = {}
    for point in sorted(points, key=lambda one: one.seed):
        by.setdefault((point.budget, point.method), []).append(point)
    rows = [
        ["", "articles", "answers", "words", "F1 of labels", "95 %", "F1 of tagger", "95 %",
         "less random", "95 %"]
    ]  # fmt: skip
    for (budget, method), found in sorted(by.items(), key=lambda row: row[0][0] or np.inf):
        labels = f1_interval([point.labels for point in found])
        tagger = f1_interval([point.tagger for point in found])
        rows.append([
            method if method == ALL else f"{method} {budget:g}",
            *(f"{np.mean([getattr(one, what) for one in found]):,.0f}"
              for what in ("articles", "answers", "words")),
            *_told(*labels), *_told(*tagger), *_against_random(by, budget, method),
        ])  # fmt: skip
    yield from table(rows)
    seeds = len({point.seed for point in points if point.method != ALL})
    yield f"Means over {seeds} random starts; F1 in per cent, of strict spans."


def _against_random(
    by: Mapping[tuple[float, str], list[Point]], budget: float, method: str
) -> list[str]:
    other = {point.seed: point for point in by.get((budget, RANDOM), ())}
    pairs = [(one, other[one.seed]) for one in by[budget, method] if one.seed in other]
    if method in (RANDOM, ALL) or not pairs:
        return ["", ""]
    mean, low, high = f1_difference([a.tagger for a, _ in pairs], [b.tagger for _, b in pairs])
    return [f"{mean:+.1f}".replace("-", "−"), f"{low:+.1f} to {high:+.1f}".replace("-", "−")]


def _told(value: float, low: float, high: float) -> list[str]:
    return [f"{value:.1f}", f"{low:.1f}–{high:.1f}"]


def _drawn(rows: Floats, rng: np.random.Generator) -> Floats:
    """Sums over articles that are drawn anew, (replicates, 5)."""
    n = len(rows)
    return np.asarray(rng.multinomial(n, np.full(n, 1 / n), size=REPLICATES) @ rows)


def _of_drawn_seeds(sums: Floats, rng: np.random.Generator) -> Floats:
    n = sums.shape[1]
    seeds = rng.multinomial(n, np.full(n, 1 / n), size=len(sums))
    return np.asarray(np.einsum("rs,rsc->rc", seeds, sums))


def _f1(sums: Floats) -> Floats:
    return strict_shares(sums)[:, F1]


# --- Kept between calls -------------------------------------------------------------------------


def kept_points(path: Path | None) -> list[Point]:
    if path is None or not path.exists():
        return []
    return [_read(json.loads(line)) for line in path.read_text().splitlines()]


def keep_point(path: Path | None, point: Point) -> None:
    if path is not None:
        row = {name: getattr(point, name) for name in Point.__slots__}
        with path.open("a") as file:
            file.write(json.dumps(row, default=np.ndarray.tolist) + "\n")


def _read(row: dict[str, Any]) -> Point:
    return Point(
        **row | {name: np.array(row[name], dtype=np.float64) for name in ("labels", "tagger")}
    )
