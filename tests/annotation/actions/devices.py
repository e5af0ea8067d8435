"""Guessing at hidden gold by laying side by side what several devices were given.

A stream is the tasks of one device in the order in which they came. Each guess is a list of tasks
that stand out in some way; how many of them are gold is for the test to say.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import islice
from statistics import median
from typing import Any

from annotation.actions.assignments.ahead import WINDOW, Ahead, order_of_draw

SHARE = 10  # of the tasks ranked by something, one in so many is guessed
NEIGHBOURS = 5


class Device:
    """A worker whose tasks come out of memory and not out of the database, as `claim` gives them.

    `plain` are the ranks of all tasks, rising, each with the answers that it still wants, which all
    devices share; `gold` the ranks of all questions, rising.
    """

    def __init__(self, campaign: Any, plain: dict[int, int], gold: list[int]):
        self.campaign, self.plain, self.gold = campaign, plain, gold
        self.ranks, self.cursor = list(plain), 0
        self.ahead, self.had = Ahead(), set[int]()
        self.stream: list[tuple[int, int]] = []  # (kind, rank)

    def claim(self) -> None:
        place = self.ahead.gold_place(self.campaign)
        if place is not None:
            start = bisect_left(self.gold, place)
            order = self.gold[start:] + self.gold[:start]
            found = next((rank for rank in order if (2, rank) not in self.stream), None)
            self.ahead.note_gold(found is not None)
            if found is not None:
                self.stream.append((2, found))
                return
        behind = islice(self.ranks, self.cursor, None)
        ready = (rank for rank in behind if self.plain[rank] and rank not in self.had)
        seen = list(islice(ready, WINDOW + 1))
        drawn = dict(zip(order_of_draw(), seen[:WINDOW], strict=False))
        taken = drawn[min(drawn)]
        self.had.add(taken)
        self.plain[taken] -= 1
        self.cursor = bisect_left(self.ranks, seen[0])
        self.stream.append((0, taken))
        self.ahead.moved(self.campaign, taken, seen)


def guesses(streams: list[list[Any]]) -> dict[str, list[Any]]:
    first, second = streams[:2]
    at = [{task: place for place, task in enumerate(stream)} for stream in streams]
    both = [task for task in first if task in at[1]]
    together = longest_common_sequence(first, second)
    moved = {task: at[0][task] - at[1][task] for task in both}
    local = {
        task: abs(moved[task] - median(moved[other] for other in _around(both, place)))
        for place, task in enumerate(both)
    }
    crossed = {
        task: sum((at[0][task] < at[0][other]) != (at[1][task] < at[1][other]) for other in both)
        for task in both
    }
    everywhere = [task for task in first if all(task in places for places in at)]
    spread = {
        task: max(places[task] for places in at) - min(places[task] for places in at)
        for task in everywhere
    }
    lonely = [task for stream in streams for task in stream if sum(task in a for a in at) == 1]
    outside = [task for task in both if task not in together]
    return {
        "outside the longest common sequence": outside,
        "there or on one device alone": outside + lonely,
        "inside the longest common sequence": [task for task in both if task in together],
        "on all devices": everywhere,
        "moved most": _highest(both, lambda task: abs(moved[task])),
        "moved least": _highest(both, lambda task: -abs(moved[task])),
        "moved unlike their neighbours": _highest(both, local.__getitem__),
        "moved as their neighbours": _highest(both, lambda task: -local[task]),
        "crossed most": _highest(both, crossed.__getitem__),
        "crossed least": _highest(both, lambda task: -crossed[task]),
        "spread most": _highest(everywhere, spread.__getitem__),
        "spread least": _highest(everywhere, lambda task: -spread[task]),
    }


def longest_common_sequence(first: list[Any], second: list[Any]) -> set[Any]:
    """By the longest rising sequence of places: no task comes twice."""
    place = {task: number for number, task in enumerate(second)}
    common = [task for task in first if task in place]
    ends: list[int] = []  # the lowest place in which a rising sequence of each length ends
    last: list[Any] = []
    before: dict[Any, Any] = {}
    for task in common:
        length = bisect_left(ends, place[task])
        ends[length:length + 1] = [place[task]]  # fmt: skip
        last[length:length + 1] = [task]  # fmt: skip
        before[task] = last[length - 1] if length else None
    found: set[Any] = set()
    task = last[-1] if last else None
    while task is not None:
        found.add(task)
        task = before[task]
    return found


def _around(tasks: list[Any], place: int) -> list[Any]:
    near = tasks[max(0, place - NEIGHBOURS) : place + NEIGHBOURS + 1]
    return [task for task in near if task != tasks[place]]


def _highest(tasks: list[Any], value: Any) -> list[Any]:
    return sorted(tasks, key=value)[-max(1, len(tasks) // SHARE) :]
