"""Selecting among a million workers, beside Algorithm 1 as the paper prints it.

    ./run bench selection [--workers 1000000] [--told 10] [--budgets 10 1000 100000]

Workers are simulated: accuracy from Beta(2.3, 2), `--told` control questions each, two classes.
Scores are made from the counts, ties are drawn, each worker gets their reason. The other side sorts
all workers in Python and walks through them, without reasons. Seconds of CPU on one thread, the
best of --repeats; the target is .15 s for a million workers.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable

import numpy as np
import throwaway

from selection.algorithms import best_workers

TARGET = 0.15


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=1_000_000)
    parser.add_argument("--told", type=int, default=10)
    parser.add_argument("--budgets", nargs="+", type=int, default=[10, 1_000, 100_000])
    parser.add_argument("--repeats", type=int, default=5)
    options = throwaway.parsed(parser, workers=2_000, budgets=[10], repeats=1)
    rng = np.random.default_rng(0)
    told = np.full(options.workers, options.told)
    right = rng.binomial(told, rng.beta(2.3, 2, size=options.workers))
    counts = list(zip(right.tolist(), told.tolist(), strict=True))
    print(  # noqa: T201
        f"{options.workers:,} workers, {options.told} control questions each\n"
        f"{'budget':>10}{'chosen':>10}{'CPU s':>9}{'as printed':>12}{'less CPU':>10}{'target':>9}"
    )
    for budget in options.budgets:

        def ours(budget: int = budget) -> int:
            found = best_workers(
                right, told, n_classes=2, budget=budget, rng=np.random.default_rng(1)
            )
            return len(found.chosen)

        def printed(budget: int = budget) -> int:
            return as_printed(counts, budget)

        seconds, chosen = best_of(options.repeats, ours)
        slow, same = best_of(1, printed)
        assert chosen == same
        met = "met" if seconds < TARGET else "MISSED"
        print(  # noqa: T201
            f"{budget:>10,}{chosen:>10,}{seconds:>9.3f}{slow:>12.2f}{slow / seconds:>9.0f}x{met:>9}"
        )


def best_of(repeats: int, run: Callable[[], int]) -> tuple[float, int]:
    """Seconds of CPU, and what was run gives."""
    seconds = []
    for _ in range(repeats):
        began = time.process_time()
        found = run()
        seconds.append(time.process_time() - began)
    return min(seconds), found


def as_printed(counts: list[tuple[int, int]], budget: int) -> int:
    """How many workers Algorithm 1 keeps, step by step."""
    scores = []
    for c, n in counts:
        w = c / n
        scores.append((2 * w - 1) ** 2 - 4 * w * (1 - w) / (n - 1))
    scores.sort(reverse=True)
    total, best, size = 0.0, 0.0, 0
    for k, score in enumerate(scores[:budget], start=1):
        total += score
        if total / math.sqrt(k) > best:
            best, size = total / math.sqrt(k), k
    return size


if __name__ == "__main__":
    main()
