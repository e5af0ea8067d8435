"""Correlation clustering: Bansal, Blum and Chawla, Machine Learning 56 (2004).

Pairs of items have weights, above 0 where they seem to belong together; wanted is the partition
with the highest sum of weights within its clusters. How many clusters there are comes out of it.

The optimum never joins items that no path of positive pairs connects, so each connected part is
solved by itself. Parts without a negative pair are clusters as they are. Small ones are solved
exactly, large ones by a local search whose start is the pivot algorithm of Ailon, Charikar and
Newman, Journal of the ACM 55 (2008), section 3.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.settings import check_at_least, check_from_to

if TYPE_CHECKING:
    from scipy.sparse import csr_array

EXACT_ITEMS = 12
MOST_EXACT = 16  # 3^15 sums for each part
STARTS = 4
GRAIN = 2.0**-20  # weights are whole numbers of it, so that sums are exact and ties are ties
APART = 2.0**-34  # what it costs to join a pair: on a tie items stay apart
MOST_WEIGHT = 2.0**10  # nobody is surer; sums of hundreds of such are exact
BLOCK = 2**21  # sums held at a time


def correlation_clusters(
    first: ArrayLike,
    second: ArrayLike,
    weight: ArrayLike,
    n_items: int,
    *,
    exact: int = EXACT_ITEMS,
    starts: int = STARTS,
    seed: int = 0,
) -> NDArray[np.int64]:
    """The cluster of each item, shape (n_items,), numbered by their first items.

    Parameters
    ----------
    first, second, weight : arrays of shape (n_pairs,)
        Each pair once, in any order; those left out weigh 0. Weights are taken to about 1e-6,
        and cut at 1,024. A pair of weight 0 stays apart where nothing else joins it.
    n_items : int
    exact : int
        Parts with at most so many items are solved exactly, at a cost of 3^(items - 1) sums;
        at most 16.
    starts : int
        How often the local search begins anew in each large part.
    seed : int
        Of the local search. The same input gives the same clusters.
    """
    one, other, given = _checked(first, second, weight, n_items)
    check_from_to(1, MOST_EXACT, exact=exact)
    check_at_least(1, starts=starts)
    kept = np.rint(np.clip(given, -MOST_WEIGHT, MOST_WEIGHT) / GRAIN) * GRAIN - APART
    part, n_parts = _parts(one, other, kept > 0, n_items)
    inside = part[one] == part[other]
    one, other, kept = one[inside], other[inside], kept[inside]

    disputed = np.zeros(n_parts, dtype=bool)
    disputed[part[one[kept < 0]]] = True
    size = np.bincount(part, minlength=n_parts)
    cluster = part.copy()
    n_clusters = n_parts
    for n in np.unique(size[disputed & (size <= exact)]).tolist():
        chosen = np.flatnonzero(disputed & (size == n))
        found = _exactly(chosen, n, part, one, other, kept)
        for items, local in found:
            cluster[items] = n_clusters + local
            n_clusters += len(items) * n
    rng = np.random.default_rng(seed)
    for items, pairs in _large(np.flatnonzero(disputed & (size > exact)), part, one):
        graph = _graph(
            np.searchsorted(items, one[pairs]),
            np.searchsorted(items, other[pairs]),
            kept[pairs],
            len(items),
        )
        cluster[items] = n_clusters + _searched(graph, starts, rng)
        n_clusters += len(items)
    return numbered_by_first(cluster)


def objective_of(
    cluster: ArrayLike, first: ArrayLike, second: ArrayLike, weight: ArrayLike
) -> float:
    """The sum of weights within clusters."""
    numbers = np.asarray(cluster)
    together = numbers[np.asarray(first)] == numbers[np.asarray(second)]
    return float(np.asarray(weight, dtype=np.float64)[together].sum())


def numbered_by_first(cluster: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same clusters with the numbers 0, 1, ... in the order of their first items."""
    _, place, number = np.unique(cluster, return_index=True, return_inverse=True)
    rank = np.empty(len(place), dtype=np.int64)
    rank[np.argsort(place)] = np.arange(len(place))
    return rank[number]


def _checked(
    first: ArrayLike, second: ArrayLike, weight: ArrayLike, n_items: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    one, other = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    given = np.asarray(weight, dtype=np.float64)
    if not one.shape == other.shape == given.shape or one.ndim != 1:
        raise ValueError(
            f"first, second and weight have the shapes {one.shape}, {other.shape} and "
            f"{given.shape}, but must be alike"
        )
    if one.size and (min(one.min(), other.min()) < 0 or max(one.max(), other.max()) >= n_items):
        raise ValueError(f"items must be 0 to {n_items - 1}")
    if (one == other).any():
        raise ValueError(f"item {one[one == other][0]} is paired with itself")
    if np.isnan(given).any():
        raise ValueError("weights must be numbers, but one is NaN")
    low, high = np.minimum(one, other), np.maximum(one, other)
    if len(np.unique(low * n_items + high)) < len(low):
        raise ValueError("each pair must be given once")
    return low, high, given


def _parts(
    one: NDArray[np.int64], other: NDArray[np.int64], positive: NDArray[np.bool_], n_items: int
) -> tuple[NDArray[np.int64], int]:
    """The number of the connected part of each item."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not n_items:
        return np.zeros(0, dtype=np.int64), 0
    ends = one[positive], other[positive]
    graph = coo_array((np.ones(len(ends[0])), ends), shape=(n_items, n_items))
    n_parts, part = connected_components(graph, directed=False)
    return part.astype(np.int64), int(n_parts)


# --- Exactly --------------------------------------------------------------------------------------


def _exactly(
    chosen: NDArray[np.int64],
    n: int,
    part: NDArray[np.int64],
    one: NDArray[np.int64],
    other: NDArray[np.int64],
    weight: NDArray[np.float64],
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Items and clusters of the parts `chosen`, n items each, in batches of such parts; both of
    shape (n_parts, n), clusters with numbers of their own in each batch."""
    row = np.full(int(part.max()) + 1, -1)
    row[chosen] = np.arange(len(chosen))
    mine = np.flatnonzero(row[part] >= 0)
    items = mine[np.argsort(row[part[mine]], kind="stable")].reshape(len(chosen), n)
    place = np.zeros(len(part), dtype=np.int64)
    place[items] = np.arange(n)
    pairs = np.flatnonzero(row[part[one]] >= 0)
    table = np.zeros((len(chosen), n, n))
    table[row[part[one[pairs]]], place[one[pairs]], place[other[pairs]]] = weight[pairs]
    table += table.transpose(0, 2, 1)
    step = max(1, BLOCK // 3 ** (n - 1))
    found = []
    for begin in range(0, len(chosen), step):
        local = best_partitions(table[begin : begin + step])
        of_part = np.arange(len(local))[:, None] * n
        found.append((items[begin : begin + step], of_part + local))
    return found


def best_partitions(table: NDArray[np.float64]) -> NDArray[np.int64]:
    """The best partition of n items for each of many tables of weights, shape (n_tables, n, n).

    Dynamic programming over subsets. With w(S) the weights within S and h the highest item of S,

        best(S) = max over T of S without h: w(T + h) + best(S - T - h),

    a (max, +) subset convolution for each h: 3^h sums, and 3^n in all.
    """
    n_tables, n, _ = table.shape
    inside = np.zeros((n_tables, 1 << n))
    best = np.zeros((n_tables, 1 << n))
    for h in range(n):
        half = 1 << h
        # What h adds to each subset of the items below it, built item by item.
        added = np.zeros((n_tables, half))
        for j in range(h):
            bit = 1 << j
            added[:, bit : 2 * bit] = added[:, :bit] + table[:, h, j, None]
        inside[:, half : 2 * half] = inside[:, :half] + added
        best[:, half : 2 * half] = _convolved(inside[:, half : 2 * half], best[:, :half])

    cluster = np.zeros((n_tables, n), dtype=np.int64)
    left = np.full(n_tables, (1 << n) - 1)
    sets = np.arange(1 << n)
    rows = np.arange(n_tables)
    for h in range(n - 1, -1, -1):
        half = 1 << h
        top = np.flatnonzero(left & half)  # tables where h is the highest item that is left
        if not top.size:
            continue
        rest = left[top] - half
        joined = sets[:half]
        # What is no subset of the rest must not win; where it is, the subtraction is the rest.
        value = inside[top, half : 2 * half] + best[top[:, None], rest[:, None] & ~joined]
        value[(joined & ~rest[:, None]) != 0] = -np.inf
        taken = value.argmax(axis=1) + half
        members = (taken[:, None] >> np.arange(n)) & 1
        cluster[rows[top]] += members * h
        left[top] -= taken
    return cluster


def _convolved(f: NDArray[np.float64], g: NDArray[np.float64]) -> NDArray[np.float64]:
    """max over T of S: f(T) + g(S - T), for all S; f and g of shape (n_tables, 2^n)."""
    size = f.shape[-1]
    if size == 1:
        return f + g
    half = size // 2
    f0, f1, g0, g1 = f[..., :half], f[..., half:], g[..., :half], g[..., half:]
    # The highest item is in neither, in T, or in the rest.
    found = _convolved(np.stack([f0, f1, f0]), np.stack([g0, g0, g1]))
    return np.concatenate([found[0], np.maximum(found[1], found[2])], axis=-1)


# --- Local search ---------------------------------------------------------------------------------


def _large(
    chosen: NDArray[np.int64], part: NDArray[np.int64], one: NDArray[np.int64]
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Items and pairs of each of the parts `chosen`."""
    items, pairs = np.argsort(part, kind="stable"), np.argsort(part[one], kind="stable")
    edges = np.searchsorted(part[items], [chosen, chosen + 1])
    cuts = np.searchsorted(part[one][pairs], [chosen, chosen + 1])
    return [
        (items[a:b], pairs[c:d]) for a, b, c, d in zip(*edges.tolist(), *cuts.tolist(), strict=True)
    ]


def _graph(
    one: NDArray[np.int64], other: NDArray[np.int64], weight: NDArray[np.float64], n: int
) -> csr_array:
    """Symmetric; pairs that come more than once are added up."""
    from scipy.sparse import coo_array

    ends = np.concatenate([one, other]), np.concatenate([other, one])
    graph = coo_array((np.concatenate([weight, weight]), ends), shape=(n, n)).tocsr()
    graph.sum_duplicates()
    return graph


def _searched(graph: csr_array, starts: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The best of several local optima. A pass over all items costs time in the number of pairs,
    and there are few passes."""
    found: list[NDArray[np.int64]] = []
    for _ in range(starts):
        order = rng.permutation(graph.shape[0])
        found.append(_improved(graph, _pivoted(graph, order), order))
    sums = [_within(graph, cluster) for cluster in found]
    return found[int(np.argmax(sums))]


def _within(graph: csr_array, cluster: NDArray[np.int64]) -> float:
    rows = np.repeat(cluster, np.diff(graph.indptr))
    return float(graph.data[rows == cluster[graph.indices]].sum() / 2)


def _pivoted(graph: csr_array, order: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first item that is left takes all those left that it has a positive pair with."""
    cluster = np.full(graph.shape[0], -1)
    for pivot in order.tolist():
        if cluster[pivot] >= 0:
            continue
        part = slice(graph.indptr[pivot], graph.indptr[pivot + 1])
        near = graph.indices[part][graph.data[part] > 0]
        cluster[near[cluster[near] < 0]] = pivot
        cluster[pivot] = pivot
    return cluster


def _improved(
    graph: csr_array, cluster: NDArray[np.int64], order: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Items move to the cluster where they fit best, then whole clusters do, until none does."""
    while True:
        _moved(graph, cluster, order)
        _, number = np.unique(cluster, return_inverse=True)
        n_clusters = int(number.max()) + 1
        rows = np.repeat(number, np.diff(graph.indptr))
        columns = number[graph.indices]
        upper = rows < columns
        whole = _graph(rows[upper], columns[upper], graph.data[upper], n_clusters)
        merged = np.arange(n_clusters)
        if not _moved(whole, merged, np.arange(n_clusters)):
            return np.asarray(number, dtype=np.int64)
        cluster = merged[number]


def _moved(graph: csr_array, cluster: NDArray[np.int64], order: NDArray[np.int64]) -> bool:
    """Move items one by one, changing `cluster`, until each is where it fits best; whether any
    moved. Each move adds to the sum, which is made of whole grains, so there is an end."""
    edge, near, weight = graph.indptr.tolist(), graph.indices.tolist(), graph.data.tolist()
    of = cluster.tolist()
    size: dict[int, int] = {}
    for c in of:
        size[c] = size.get(c, 0) + 1
    fresh = max(of, default=0) + 1
    queue = deque(order.tolist())  # who moves makes their neighbours look again
    waits = [True] * len(of)
    any_moved = False
    while queue:
        item = queue.popleft()
        waits[item] = False
        fit: dict[int, float] = {}
        for k in range(edge[item], edge[item + 1]):
            c = of[near[k]]
            fit[c] = fit.get(c, 0.0) + weight[k]
        here = of[item]
        best, most = here, fit.get(here, 0.0)
        if most < 0 and size[here] > 1:
            best, most = fresh, 0.0
        for c, value in fit.items():
            if value > most:
                best, most = c, value
        if best == here:
            continue
        fresh += best == fresh
        of[item] = best
        size[here] -= 1
        size[best] = size.get(best, 0) + 1
        any_moved = True
        for k in range(edge[item], edge[item + 1]):
            if not waits[near[k]]:
                waits[near[k]] = True
                queue.append(near[k])
    cluster[:] = of
    return any_moved
