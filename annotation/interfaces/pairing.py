"""Pairing the spans of an answer with the known ones, for scores and for what is told of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from annotation.interfaces.spans import TypedSpan

Pair = tuple[int, int]  # the numbers of a given and a known span


def matched(given: Sequence[TypedSpan], known: Sequence[TypedSpan], tolerance: int) -> list[Pair]:
    """The pairs that count as right: each span is in one at most.

    A pair has one type; equal edges first, then edges that are each at most `tolerance` tokens
    off, as long as the two overlap. No other pairing of the rest has more pairs.
    """
    number = {span: j for j, span in enumerate(known)}
    pairs = [(i, number[span]) for i, span in enumerate(given) if span in number]
    if not tolerance:
        return pairs

    def is_near(one: TypedSpan, other: TypedSpan) -> bool:
        return (
            one[2] == other[2]
            and abs(one[0] - other[0]) <= tolerance
            and abs(one[1] - other[1]) <= tolerance
        )

    return pairs + _most(_overlapping(given, known, pairs, is_near))


def alike(
    given: Sequence[TypedSpan], known: Sequence[TypedSpan], taken: Sequence[Pair], typed: bool
) -> list[Pair]:
    """Pairs of what `taken` leaves, the ones first that share most of their words; with `typed`
    of one type alone."""
    pairs: list[Pair] = []
    ranked = [
        (-_shared(given[i], known[j]), i, j)
        for i, js in _overlapping(
            given, known, taken, lambda one, other: not typed or one[2] == other[2]
        ).items()
        for j in js
    ]
    seen: tuple[set[int], set[int]] = (set(), set())
    for _, i, j in sorted(ranked):
        if i not in seen[0] and j not in seen[1]:
            pairs.append((i, j))
            seen[0].add(i)
            seen[1].add(j)
    return pairs


def _shared(one: TypedSpan, other: TypedSpan) -> float:
    """Which part of the words of two spans is in both."""
    both = min(one[1], other[1]) - max(one[0], other[0])
    return both / (max(one[1], other[1]) - min(one[0], other[0]))


def _overlapping(
    given: Sequence[TypedSpan],
    known: Sequence[TypedSpan],
    taken: Sequence[Pair],
    fits: Callable[[TypedSpan, TypedSpan], bool],
) -> dict[int, list[int]]:
    """Each given span with the known ones that overlap it and fit; without those in `taken`."""
    gone, used = {i for i, _ in taken}, {j for _, j in taken}
    free = sorted((span, j) for j, span in enumerate(known) if j not in used)
    longest = max((span[1] - span[0] for span, _ in free), default=0)

    def reached(span: TypedSpan) -> Iterator[int]:
        for k in range(bisect_left(free, ((span[0] - longest, 0, ""), 0)), len(free)):
            other, j = free[k]
            if other[0] >= span[1]:
                return
            if other[1] > span[0] and fits(span, other):
                yield j

    return {i: list(reached(span)) for i, span in enumerate(given) if i not in gone}


def _most(near: dict[int, list[int]]) -> list[Pair]:
    """As many pairs as there can be: who finds all of theirs taken asks the owners to move on."""
    owner: dict[int, int] = {}
    partner: dict[int, int] = {}
    for first in near:
        found: int | None = None
        came: dict[int, int] = {}  # known → the given that asks for it
        asking = [first]
        for one in asking:  # it grows on the way
            for j in near[one]:
                if j in came:
                    continue
                came[j] = one
                if j not in owner:
                    found = j
                    break
                asking.append(owner[j])
            if found is not None:
                break
        while found is not None:
            one = came[found]
            before = partner.get(one)
            owner[found], partner[one] = one, found
            found = before
    return sorted(partner.items())
