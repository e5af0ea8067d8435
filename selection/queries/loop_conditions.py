"""When a labelling loop stops. Each condition by its name; the budget, and that nothing is left to
pick, show where the next documents are picked. Plain Python: pages tell how near each is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from selection.models import LabellingLoop, LoopRound

BUDGET, EXHAUSTED = "budget", "exhausted"
GAINS = 2  # rounds in a row whose next one is forecast to bring too little
COMPARED = 3  # models in a row whose decisions are stable, as Bloodgood and Vijay-Shanker have it

Rounds = Sequence[LoopRound]  # those that are done, the first one first


def deadline_is_over(loop: LabellingLoop, rounds: Rounds, now: datetime) -> bool:
    return loop.deadline is not None and now >= loop.deadline


def goal_is_met(loop: LabellingLoop, rounds: Rounds, now: datetime) -> bool:
    """Not by luck: the interval that holds in all rounds at once lies above it."""
    low = rounds[-1].always_low if rounds else None
    return loop.goal is not None and low is not None and low >= loop.goal


def no_more_gain(loop: LabellingLoop, rounds: Rounds, now: datetime) -> bool:
    gains = [gain_of(row) for row in rounds[-GAINS:]]
    if loop.least_gain is None or len(gains) < GAINS:
        return False
    return all(gain is not None and gain < loop.least_gain for gain in gains)


def decisions_are_stable(loop: LabellingLoop, rounds: Rounds, now: datetime) -> bool:
    share = share_changed(rounds)
    return loop.most_changed is not None and share is not None and share <= loop.most_changed


CONDITIONS: dict[str, Callable[[LabellingLoop, Rounds, datetime], bool]] = {
    "deadline": deadline_is_over,
    "goal": goal_is_met,
    "gain": no_more_gain,
    "stable": decisions_are_stable,
}


def condition_met(loop: LabellingLoop, rounds: Rounds, now: datetime) -> str:
    """The first that holds; "" for none."""
    return next((name for name, holds in CONDITIONS.items() if holds(loop, rounds, now)), "")


def gain_of(row: LoopRound) -> float | None:
    """What the round after it is forecast to bring."""
    if row.next_metric is None or row.metric is None:
        return None
    return row.next_metric - row.metric


def share_changed(rounds: Rounds) -> float | None:
    """Of the decisions of the last models, how many are others than those of the model before;
    None with fewer than COMPARED comparisons."""
    last = [row for row in rounds[-COMPARED:] if row.watched]
    if len(last) < COMPARED:
        return None
    return sum(row.changed or 0 for row in last) / sum(row.watched or 0 for row in last)
