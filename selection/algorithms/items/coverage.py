"""Coverage of attribute–value pairs: Ntoulas, Alonso and Kandylas, *A Data Management Approach for
Dataset Selection Using Human Computation*, section 3.

Chosen is the item with the most pairs that fewer than w chosen items hold, again and again. What it
maximises, G(S) = Σ_p min(w, cnt_S(p)), is monotone and submodular, so that this greedy choice is
within 1 − 1/e of the best (Nemhauser, Wolsey and Fisher, 1978); where items differ in cost, the
better of the choice by gain per cost and of the best single item is within ½(1 − 1/e) (Leskovec et
al., 2007).

Two forms, which choose the same items in the same order as the plain greedy choice does. "index"
keeps each item's gain: when a pair has been held w times, 1 is taken off the gain of all its
holders, once, so that all of it is O(nnz) beside a look for the highest gain. "level" keeps what
each item gained when it was last looked at, which it can't exceed: from the highest level down it
looks again at the items of the level, chooses what still gains as much, and drops the others to
where they belong now. It needs no index, hence little memory; and the time to look again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.settings import check_at_least, check_choice
from selection.algorithms.items.pairs import Pairs

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Form = Literal["index", "level"]
LOOK = 1024  # items that the level form looks at in one go
ROUNDING = 1e-12  # of a budget: costs that are no whole numbers add up to a little more


@dataclass(frozen=True, slots=True)
class Covered:
    """What was chosen, the best first.

    Attributes
    ----------
    items : integer array of shape (n_chosen,)
    gain : array of shape (n_chosen,)
        How many pairs each brought in that were not yet held often enough.
    cost : what they cost together
    complete : whether nothing is left to gain: each pair is held w times, or by all its holders
    """

    items: Integers
    gain: Integers
    cost: float
    complete: bool


def cover(
    pairs: Pairs,
    *,
    budget: float,
    times: int = 2,
    rounds: bool = False,
    cost: ArrayLike | None = None,
    labelled: ArrayLike = (),
    unlabelled: ArrayLike | None = None,
    form: Form = "index",
    rng: np.random.Generator | None = None,
) -> Covered:
    """Choose items for `budget`: so many of them, or where there is a `cost` so much of it.

    Parameters
    ----------
    times : w, how often each pair is to be held
    rounds : w times a round in which each pair is to be held once, of what is left, in the place
        of w at once; other sets
    cost : array of shape (n_items,), or None where each item costs 1
    labelled : items that were chosen before, in their order: they count, and are not chosen again
        (rounds go on where they end if they were chosen in rounds)
    unlabelled : items to choose from; None: all but `labelled`
    form : "index" or "level", alike in what is chosen; "level" takes items of one cost alone
    rng : settles ties by lot; None: the lowest number
    """
    check_at_least(1, times=times)
    check_at_least(0, budget=budget)
    check_choice(("index", "level"), form=form)
    before = np.asarray(labelled, dtype=np.int64)
    is_free = np.zeros(pairs.n_items, dtype=bool)
    is_free[slice(None) if unlabelled is None else np.asarray(unlabelled, dtype=np.int64)] = True
    is_free[before] = False
    free = np.flatnonzero(is_free)
    if rng is not None:
        free = rng.permutation(free)
    if cost is None:
        form_of: type[_Index] | type[_Level] = _Index if form == "index" else _Level
        return form_of(pairs, times, rounds, before, free).choose(int(budget))
    if form == "level":
        raise ValueError("form must be 'index' where items have costs, but is 'level'")
    return _choose_by_cost(pairs, times, rounds, before, free, checked_cost(cost, pairs), budget)


def value_of(pairs: Pairs, items: ArrayLike, times: int) -> int:
    """G of a set of items: Σ_p min(w, cnt(p))."""
    return int(np.minimum(pairs.counts(np.asarray(items, dtype=np.int64)), times).sum())


def checked_cost(cost: ArrayLike, pairs: Pairs) -> Floats:
    found = np.asarray(cost, dtype=np.float64)
    if found.shape != (pairs.n_items,):
        raise ValueError(f"cost has the shape {found.shape}, but there are {pairs.n_items} items")
    wrong = np.flatnonzero(~(np.isfinite(found) & (found > 0)))
    if wrong.size:
        raise ValueError(f"costs must be above 0, but item {wrong[0]} has {found[wrong[0]]:g}")
    return found


class _Rounds:
    """How often each pair is held, and by which number it is full."""

    def __init__(self, pairs: Pairs, times: int, rounds: bool):
        self.pairs = pairs
        self.full_at = 1 if rounds else times
        self.rounds_left = times - 1 if rounds else 0
        self.count = np.zeros(pairs.n_pairs, dtype=np.int64)

    def filled_by(self, item: int) -> Integers:
        """Count the item's pairs; those that are full now and were not before."""
        held = self.pairs.of(item)
        self.count[held] += 1
        return held[self.count[held] == self.full_at]

    def next_round(self) -> bool:
        if not self.rounds_left:
            return False
        self.rounds_left -= 1
        self.count[:] = 0
        return True


class _Index:
    """The inverted index: `gain` is right at any time, and below 0 where an item is taken."""

    def __init__(self, pairs: Pairs, times: int, rounds: bool, before: Integers, free: Integers):
        self.pairs, self.free = pairs, free
        self.rank = None
        if len(free) > 1 and (np.diff(free) < 0).any():  # of equals the first of `free`
            self.rank = np.empty(pairs.n_items, dtype=np.int64)
            self.rank[free] = np.arange(len(free))
        self.state = _Rounds(pairs, times, rounds)
        degrees = pairs.degrees()
        most = int(degrees.max(initial=0))
        self.taken = -most - 1  # stays below 0 whatever is taken off
        self.degrees = degrees.astype(np.min_scalar_type(2 * self.taken))
        self.shut = np.ones(pairs.n_items, dtype=bool)
        self.shut[free] = self.shut[before] = False
        self._restart()
        if rounds:
            # The end of a round depends on what was left then: what was chosen before included.
            for item in before.tolist():
                if self._highest() == 0:
                    self.go_on()
                self.take(item)
        elif len(before):
            self.state.count = pairs.counts(before)
            for pair in np.flatnonzero(self.state.count >= self.state.full_at).tolist():
                pairs.subtract(pair, self.gain)
            self._shut(before)

    def take(self, item: int) -> None:
        for pair in self.state.filled_by(item).tolist():
            self.pairs.subtract(pair, self.gain)
        self._shut(item)

    def choose(self, number: int) -> Covered:
        items: list[int] = []
        gains: list[int] = []
        while len(items) < min(number, len(self.free)):
            item = self._best()
            gain = int(self.gain[item])
            if gain <= 0:
                if self.go_on():
                    continue
                break
            items.append(item)
            gains.append(gain)
            self.take(item)
        return _covered(items, gains, float(len(items)), self.complete())

    def complete(self) -> bool:
        return self._highest() == 0 and not self.state.rounds_left

    def _best(self) -> int:
        if self.rank is None:
            return int(self.gain.argmax())
        equal = np.flatnonzero(self.gain == self.gain.max())
        return int(equal[self.rank[equal].argmin()])

    def _highest(self) -> int:
        return max(int(self.gain.max(initial=0)), 0)

    def go_on(self) -> bool:
        """Begin the next round, if there is one and it has something to gain."""
        if not self.state.next_round():
            return False
        self._restart()
        return True

    def _restart(self) -> None:
        self.gain = self.degrees.copy()
        self.gain[self.shut] = self.taken

    def _shut(self, items: int | Integers) -> None:
        self.shut[items] = True
        self.gain[items] = self.taken


class _Level:
    """Levels: for each gain the places in `free` of the items that had it when last looked at."""

    def __init__(self, pairs: Pairs, times: int, rounds: bool, before: Integers, free: Integers):
        self.pairs, self.free = pairs, free
        self.state = _Rounds(pairs, times, rounds)
        self.is_open = np.ones(pairs.n_pairs, dtype=np.uint8)
        self.items: list[int] = []
        self.gains: list[int] = []
        self.degrees = pairs.degrees()[free]
        self.left = np.ones(len(free), dtype=bool)
        if rounds:
            self._replay(before)
        elif len(before):
            self.state.count = pairs.counts(before)
            self.is_open[self.state.count >= self.state.full_at] = 0

    def choose(self, number: int) -> Covered:
        while True:
            places = np.flatnonzero(self.left)
            # An item that gains nothing is on no level.
            levels = _by_level(places, self.degrees[places])
            while levels and len(self.items) < number:
                level = max(levels)
                places = np.sort(np.concatenate(levels.pop(level)))
                self._pass(level, places, levels, number)
            if len(self.items) >= number or not self.state.next_round():
                break
            self.is_open[:] = 1
        return _covered(self.items, self.gains, float(len(self.items)), self._complete())

    def _pass(
        self, level: int, places: Integers, levels: dict[int, list[Integers]], number: int
    ) -> None:
        """Choose the items at `places` that still gain `level`, drop the others."""
        for begin in range(0, len(places), LOOK):
            some = places[begin : begin + LOOK]
            while len(some):
                if len(self.items) == number:
                    return
                gain = self.pairs.open_of(self.free[some], self.is_open)
                lower = gain < level
                for value, dropped in _by_level(some[lower], gain[lower]).items():
                    levels.setdefault(value, []).extend(dropped)
                some = some[~lower]
                if len(some):
                    self._take(int(some[0]), level)
                    some = some[1:]

    def _take(self, place: int, gain: int) -> None:
        item = int(self.free[place])
        self.items.append(item)
        self.gains.append(gain)
        self.left[place] = False
        self.is_open[self.state.filled_by(item)] = 0

    def _replay(self, before: Integers) -> None:
        for i, item in enumerate(before.tolist()):
            rest = np.concatenate([self.free, before[i:]])
            if not self._gains(rest) and self.state.next_round():
                self.is_open[:] = 1
            self.is_open[self.state.filled_by(item)] = 0

    def _gains(self, items: Integers) -> bool:
        return bool(self.pairs.counts(items)[self.is_open == 1].any())

    def _complete(self) -> bool:
        return not self.state.rounds_left and not self._gains(self.free[self.left])


def _by_level(places: Integers, gain: NDArray[np.int32]) -> dict[int, list[Integers]]:
    order = np.argsort(gain, kind="stable")
    values, starts = np.unique(gain[order], return_index=True)
    parts = np.split(places[order], starts[1:])
    found = zip(values.tolist(), parts, strict=True) if len(values) else ()
    return {value: [part] for value, part in found if value > 0}


def _choose_by_cost(
    pairs: Pairs,
    times: int,
    rounds: bool,
    before: Integers,
    free: Integers,
    cost: Floats,
    budget: float,
) -> Covered:
    """Greedy by gain per cost or, where it is worth more, the best single item and what greedy adds
    to it."""
    index = _Index(pairs, times, rounds, before, free)
    budget *= 1 + ROUNDING
    affordable = free[cost[free] <= budget]
    if not len(affordable):
        return _covered([], [], 0.0, index.complete())
    single = int(affordable[int(index.gain[affordable].argmax())])
    alone = int(index.gain[single])
    items, gains = _greedy_by_cost(index, affordable, cost, budget)
    if alone > sum(gains):
        index = _Index(pairs, times, rounds, np.append(before, single), free[free != single])
        more, gained = _greedy_by_cost(index, affordable, cost, budget - float(cost[single]))
        items, gains = [single, *more], [alone, *gained]
    return _covered(items, gains, float(cost[items].sum()), index.complete())


def _greedy_by_cost(
    index: _Index, free: Integers, cost: Floats, budget: float
) -> tuple[list[int], list[int]]:
    items: list[int] = []
    gains: list[int] = []
    while True:
        free = free[(cost[free] <= budget) & (index.gain[free] >= 0)]
        if not len(free):
            break
        per_cost = index.gain[free] / cost[free]
        at = int(per_cost.argmax())
        if per_cost[at] <= 0:
            if index.go_on():
                continue
            break
        item = int(free[at])
        items.append(item)
        gains.append(int(index.gain[item]))
        budget -= float(cost[item])
        index.take(item)
    return items, gains


def _covered(items: list[int], gains: list[int], cost: float, complete: bool) -> Covered:
    return Covered(np.array(items, dtype=np.int64), np.array(gains, dtype=np.int64), cost, complete)
