"""Overlapping blocks of similar names: sets small enough to be looked at together.

Names are compared as sets of character n-grams, weighted by how rare each is: the cosine of

    x[name, gram]² = 1 + log(n_names / names that hold the gram),   0 where it is lacking

(McCallum, Nigam and Ungar, KDD 2000, call such cheap, overlapping groups canopies.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from aggregation.algorithms.settings import check_above_to, check_at_least

GRAM = 3  # characters; a name's edges count as blanks
THRESHOLD = 0.3
MOST_BLOCKS = 3  # that one name goes into
PARTS = 4  # of a block: equal names are cut into runs of a part, the overlap of two blocks
LEAST = 4  # names in a block
ROWS = 1_000  # whose similarities to all others are in memory at once


@dataclass(frozen=True, slots=True)
class Blocks:
    """`blocks`: numbers of names, in an order that puts similar ones next to each other.

    `alone`: names that are similar to no other, in no block. `pairs` are those of distinct names
    above the threshold, or of runs of equal names that are too many for one block; `apart` counts
    the pairs that share no block, because one of the two is in `most_blocks` already. Such names
    are still joined by a chain of blocks of which each shares names with the next.
    """

    blocks: list[NDArray[np.int64]]
    alone: NDArray[np.int64]
    pairs: int
    apart: int


def overlapping_blocks(
    names: Sequence[str],
    *,
    kinds: Sequence[str] | None = None,
    size: int = 30,
    threshold: float = THRESHOLD,
    most_blocks: int = MOST_BLOCKS,
    advance: Callable[[int], None] | None = None,
) -> Blocks:
    """Blocks of at most `size` names such that similar ones share a block.

    Names of different `kinds` are never similar. A group of names that are joined by similarity
    is one block where it fits; small groups share a block. A larger one becomes a chain of
    blocks, each overlapping the next by up to a quarter, and further blocks for similar pairs
    that the chain leaves apart, the most similar first. The result depends on no random number,
    and on the order of the names only through their numbers.

    `advance` is told how many distinct names have been compared.
    """
    check_at_least(LEAST, size=size)
    check_above_to(0, 1, threshold=threshold)
    if kinds is not None and len(kinds) != len(names):
        raise ValueError(f"There are {len(names)} names, but {len(kinds)} kinds.")
    units = _units(names, kinds or [""] * len(names), max(1, size // PARTS))
    similar = _unit_similarity(units, threshold, advance)
    weight = np.array([len(unit.members) for unit in units], dtype=np.int64)
    _, group_of = csgraph.connected_components(similar, directed=False)
    covered: list[list[int]] = []
    pairs, apart, lone = 0, 0, []
    for group in _grouped(group_of):
        if weight[group].sum() == 1:
            lone.append(int(group[0]))
            continue
        local = similar[group][:, group]
        order = group[_path_order(local)]
        if weight[order].sum() <= size:
            covered.append(order.tolist())
            pairs += local.nnz // 2
            continue
        chain = _chain(order, weight, size)
        extra, of_group, left = _cover(similar, group, chain, weight, size, most_blocks)
        covered += chain + extra
        pairs, apart = pairs + of_group, apart + left
    blocks = [
        np.concatenate([units[unit].members for unit in block])
        for block in _packed(covered, weight, size)
    ]
    alone = np.sort(np.array([units[unit].members[0] for unit in lone], dtype=np.int64))
    return Blocks(blocks, alone, pairs, apart)


def name_similarity(
    names: Sequence[str],
    threshold: float,
    kinds: Sequence[str] | None = None,
    advance: Callable[[int], None] | None = None,
) -> sparse.csr_array:
    """Cosines of all pairs of distinct names that reach the threshold, shape (n, n), symmetric,
    the diagonal empty. Memory grows with the pairs that are kept, not with n²."""
    grams = _gram_matrix(names, kinds or [""] * len(names))
    across = grams.T.tocsr()
    kept = []
    for start in range(0, len(names), ROWS):
        cosine = (grams[start : start + ROWS] @ across).tocoo()
        row, column = cosine.coords[0] + start, cosine.coords[1]
        # A hair below: equal sets of grams must reach 1 whatever the sum's rounding.
        keep = (cosine.data >= threshold - 1e-9) & (row != column)
        kept.append((row[keep], column[keep], cosine.data[keep]))
        if advance is not None:
            advance(min(ROWS, len(names) - start))
    shape = (len(names), len(names))
    if not kept:
        return sparse.csr_array(shape)
    row, column, value = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    return sparse.csr_array((value, (row, column)), shape=shape)


def _gram_matrix(names: Sequence[str], kinds: Sequence[str]) -> sparse.csr_array:
    """Rows of length 1: shape (n_names, n_grams)."""
    number: dict[tuple[str, str], int] = {}
    columns, starts = [], [0]
    for name, kind in zip(names, kinds, strict=True):
        padded = f" {name} "
        grams = {padded[i : i + GRAM] for i in range(max(1, len(padded) - GRAM + 1))}
        columns += sorted(number.setdefault((kind, gram), len(number)) for gram in grams)
        starts.append(len(columns))
    column = np.array(columns, dtype=np.int64)
    holders = np.bincount(column, minlength=len(number))
    rarity = np.sqrt(1 + np.log(max(1, len(names)) / np.maximum(holders, 1)))
    shape = (len(names), len(number))
    grams = sparse.csr_array((rarity[column], column, np.array(starts)), shape=shape)
    length = np.sqrt(grams.multiply(grams).sum(axis=1))
    return sparse.csr_array(sparse.diags_array(1 / np.maximum(length, 1e-12)) @ grams)


# --- Units --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Unit:
    """Equal names of one kind, or a run of them where they are many: they stay together."""

    name: str
    kind: str
    members: NDArray[np.int64]


def _units(names: Sequence[str], kinds: Sequence[str], most: int) -> list[_Unit]:
    equal: dict[tuple[str, str], list[int]] = {}
    for i, key in enumerate(zip(kinds, names, strict=True)):
        equal.setdefault(key, []).append(i)
    return [
        _Unit(name, kind, np.array(members[start : start + most], dtype=np.int64))
        for (kind, name), members in sorted(equal.items())
        for start in range(0, len(members), most)
    ]


def _unit_similarity(
    units: list[_Unit], threshold: float, advance: Callable[[int], None] | None
) -> sparse.csr_array:
    """As `name_similarity`, shape (n_units, n_units); runs of one name are 1 to each other."""
    keys = [(unit.kind, unit.name) for unit in units]
    distinct = list(dict.fromkeys(keys))
    place = {key: i for i, key in enumerate(distinct)}
    between = name_similarity(
        [name for _, name in distinct], threshold, [kind for kind, _ in distinct], advance
    )
    of_unit = np.array([place[key] for key in keys], dtype=np.int64)
    shape = (len(units), len(distinct))
    spread = sparse.csr_array((np.ones(len(units)), (np.arange(len(units)), of_unit)), shape=shape)
    similar = spread @ (between + sparse.eye_array(len(distinct))) @ spread.T
    similar = sparse.csr_array(similar - sparse.diags_array(similar.diagonal()))
    similar.eliminate_zeros()
    similar.sort_indices()
    return similar


def _grouped(label: NDArray[np.int32]) -> Iterator[NDArray[np.int64]]:
    """The numbers that have each label, in the order of the labels."""
    order = np.argsort(label, kind="stable")
    if len(order):
        yield from np.split(order, np.flatnonzero(np.diff(label[order])) + 1)


# --- A group that is too large for one block ----------------------------------------------------


def _path_order(similar: sparse.csr_array) -> NDArray[np.int64]:
    """Numbers of a connected group so that similar ones are neighbours: its most similar spanning
    tree, walked from an end, the most similar branch first."""
    n = similar.shape[0]
    if n == 1:
        return np.zeros(1, dtype=np.int64)
    pairs = sparse.triu(similar).tocoo()
    row, column = pairs.coords
    # Ranks in place of values: without ties there is one such tree.
    ranked = np.lexsort((column, row, -pairs.data))
    rank = np.empty(len(ranked))
    rank[ranked] = np.arange(1, len(ranked) + 1)
    weights = sparse.csr_array((rank, (row, column)), shape=(n, n))
    tree = csgraph.minimum_spanning_tree(weights)
    both = sparse.csr_array(tree + tree.T)
    degree = np.diff(both.indptr)
    stack, seen, order = [int(np.flatnonzero(degree == 1)[0])], np.zeros(n, dtype=bool), []
    while stack:
        node = stack.pop()
        seen[node] = True
        order.append(node)
        begin, end = both.indptr[node], both.indptr[node + 1]
        nearest_last = begin + np.argsort(-both.data[begin:end], kind="stable")
        stack += [int(i) for i in both.indices[nearest_last] if not seen[i]]
    return np.array(order, dtype=np.int64)


def _chain(order: NDArray[np.int64], weight: NDArray[np.int64], size: int) -> list[list[int]]:
    """Blocks along an order; each begins with the last units of the one before."""
    blocks: list[list[int]] = []
    block: list[int] = []
    filled, fresh = 0, 0
    for unit in order.tolist():
        if filled + weight[unit] > size:
            blocks.append(block)
            block, filled = _overlap(block, weight, size // PARTS)
            fresh = 0
        block.append(unit)
        filled += int(weight[unit])
        fresh += 1
    return [*blocks, block] if fresh else blocks


def _overlap(block: list[int], weight: NDArray[np.int64], most: int) -> tuple[list[int], int]:
    """The end of a block with which the next begins: one unit at least, at most `most` names."""
    first, filled = len(block) - 1, int(weight[block[-1]])
    while first > 1 and filled + weight[block[first - 1]] <= most:
        first -= 1
        filled += int(weight[block[first]])
    return block[first:], filled


def _cover(
    similar: sparse.csr_array,
    group: NDArray[np.int64],
    chain: list[list[int]],
    weight: NDArray[np.int64],
    size: int,
    most_blocks: int,
) -> tuple[list[list[int]], int, int]:
    """Blocks for the similar pairs of a group that its chain leaves apart; how many pairs there
    are; and for how many of them no block was left."""
    missing = {
        int(unit): dict(
            zip(
                similar.indices[similar.indptr[unit] : similar.indptr[unit + 1]].tolist(),
                similar.data[similar.indptr[unit] : similar.indptr[unit + 1]].tolist(),
                strict=True,
            )
        )
        for unit in group
    }
    pairs = sum(map(len, missing.values())) // 2
    used = dict.fromkeys(missing, 0)
    for block in chain:
        _take(block, missing, used)
    wanted = sorted(
        (-value, unit, other)
        for unit, others in missing.items()
        for other, value in others.items()
        if unit < other
    )
    extra = []
    for _, unit, other in wanted:
        if other not in missing[unit] or max(used[unit], used[other]) >= most_blocks:
            continue
        block = _grown(unit, other, missing, used, weight, size, most_blocks)
        _take(block, missing, used)
        extra.append(block)
    return extra, pairs, sum(map(len, missing.values())) // 2


def _grown(
    unit: int,
    other: int,
    missing: dict[int, dict[int, float]],
    used: dict[int, int],
    weight: NDArray[np.int64],
    size: int,
    most_blocks: int,
) -> list[int]:
    """A block around a pair, by the unit that adds most of what is missing, until it is full."""
    block: list[int] = []
    gain: dict[int, float] = {}  # what each unit would add
    room, wanted = size, [unit, other]
    while wanted:
        added = wanted.pop(0)
        block.append(added)
        room -= int(weight[added])
        for near, value in missing[added].items():
            gain[near] = gain.get(near, 0) + value
        if not wanted:
            fitting = [
                (worth, -near)
                for near, worth in gain.items()
                if near not in block and used[near] < most_blocks and weight[near] <= room
            ]
            wanted = [-max(fitting)[1]] if fitting else []
    return block


def _take(block: list[int], missing: dict[int, dict[int, float]], used: dict[int, int]) -> None:
    for unit in block:
        used[unit] += 1
        for other in block:
            missing[unit].pop(other, None)


# --- Small blocks together ----------------------------------------------------------------------


def _packed(blocks: list[list[int]], weight: NDArray[np.int64], size: int) -> Iterator[list[int]]:
    """Small blocks together in one of at most `size` names: the largest first, each where the
    least room is left."""
    weigh = [int(weight[block].sum()) for block in blocks]
    with_room: list[list[list[int]]] = [[] for _ in range(size + 1)]
    packed: list[list[int]] = []
    for i in sorted(range(len(blocks)), key=lambda i: (-weigh[i], i)):
        room = next((room for room in range(weigh[i], size + 1) if with_room[room]), None)
        if room is None:
            target: list[int] = []
            packed.append(target)
            room = size
        else:
            target = with_room[room].pop(0)
        target += [unit for unit in blocks[i] if unit not in target]
        left = size - int(weight[target].sum())
        if left:
            with_room[left].append(target)
    yield from packed
