"""The interval of a worker's score. Plain Python: a web process imports no numerics."""

from __future__ import annotations

import math

from annotation.actions.pace import NORMAL


def score_interval(mean: float, number: int) -> tuple[float, float] | None:
    """The 95 % interval of a mean of `number` scores from 0 to 1 of one worker; None for no score.

    Wilson's, as if each score were all or nothing: no independent scores between 0 and 1 with
    this mean vary more, so for them the interval is rather too wide. For the scores of several
    workers it is too narrow, since those of one worker are alike.
    """
    if not number:
        return None
    squared = NORMAL**2 / number
    centre = (mean + squared / 2) / (1 + squared)
    half = math.sqrt(squared * (mean * (1 - mean) + squared / 4)) / (1 + squared)
    return max(0.0, centre - half), min(1.0, centre + half)
