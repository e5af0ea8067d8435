"""Campaigns of ten kinds of crowds, of which a pilot is the first fifth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Random = np.random.Generator

KINDS = (
    "even", "tables", "skewed", "hard items", "neighbouring classes", "tempting class", "spammers",
    "weak workers", "few workers", "misled as a whole",
)  # fmt: skip
MORE = 2  # answers that are forecast beyond those of the pilot


@dataclass(frozen=True, slots=True, eq=False)
class Campaign:
    """`who` and `said`, shapes (n_tasks, answers + MORE): answers in the order in which they come.
    The pilot has `answers` a task."""

    who: Integers
    said: Integers
    truth: Integers
    n_workers: int
    n_classes: int
    answers: int


def campaign(kind: str, seed: int) -> Campaign:
    """The same numbers make the same campaign."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    k = int(rng.integers(2, 6))
    answers = int(rng.choice([3, 4, 5, 7]))
    n = int(rng.integers(150, 801))
    workers = answers + MORE + int(rng.integers(0, 4))
    if kind != "few workers":
        workers = int(rng.integers(15, 81))
    shares = rng.dirichlet(np.full(k, 8.0))
    if kind == "skewed":
        common = rng.uniform(0.7, 0.92)
        shares = np.append(common, rng.dirichlet(np.full(k - 1, 4.0)) * (1 - common))
    truth = rng.choice(k, n, p=shares)
    tables = _tables(rng, kind, workers, k)
    load = rng.gamma(1.5, size=workers) + 0.1
    who = np.argsort(-(np.log(load) + rng.gumbel(size=(n, workers))), axis=1)
    who = who[:, : answers + MORE]
    believed = truth
    if kind == "misled as a whole":
        fooled = rng.random(n) < rng.uniform(0.03, 0.15)
        believed = np.where(fooled, (truth + rng.integers(1, k, n)) % k, truth)
    cumulated = tables[who, believed[:, None]].cumsum(axis=2)
    said = (rng.random((*who.shape, 1)) > cumulated[:, :, :-1]).sum(axis=2)
    if kind == "hard items":
        hard = rng.random(n) < rng.uniform(0.1, 0.3)
        looks = rng.random(who.shape) < np.where(hard, rng.uniform(0, 0.3), 1.0)[:, None]
        said = np.where(looks, said, rng.integers(k, size=who.shape))
    return Campaign(who, said, truth, workers, k, answers)


def _tables(rng: Random, kind: str, workers: int, k: int) -> Floats:
    """At (worker, true, said)."""
    mean = rng.uniform(0.68, 0.88)
    if kind == "weak workers":
        mean = 1 / k + (1 - 1 / k) * rng.uniform(0.25, 0.45)
    spread = rng.uniform(6, 20)
    skill = rng.beta(mean * spread, (1 - mean) * spread, workers)[:, None].repeat(k, axis=1)
    off = np.where(np.eye(k, dtype=bool), 0.0, 1.0)
    if kind == "neighbouring classes":
        near = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) == 1
        off *= np.where(near, 1.0, 0.1)
        skill = skill * rng.uniform(0.75, 1, k)
    if kind == "tempting class":
        off[:, 0] *= 8.0
        skill[:, 1:] *= rng.uniform(0.7, 0.95)
    off = np.repeat((off / off.sum(axis=1, keepdims=True))[None], workers, axis=0)
    if kind == "tables":
        skill = rng.beta(mean * 6, (1 - mean) * 6, (workers, k))
        off = rng.dirichlet(np.ones(k), (workers, k)) * off
        off /= np.maximum(off.sum(axis=2, keepdims=True), 1e-12)
    tables = off * (1 - skill[..., None]) + np.eye(k) * skill[..., None]
    if kind == "spammers":
        spams = rng.random(workers) < rng.uniform(0.15, 0.35)
        favourite = np.eye(k)[rng.integers(k, size=workers)]
        guess = np.where((rng.random(workers) < 0.5)[:, None], favourite, 1 / k)
        tables = np.where(spams[:, None, None], guess[:, None, :], tables)
    return tables
