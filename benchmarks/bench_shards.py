"""Dawid and Skene's method on labels that are never all in memory: seconds and peak memory.

    ./run bench shards --labels 100000000

The labels are simulated shard by shard with a seed, 5 on each unit, by 2,000 workers, of 5
classes; nothing is kept of a shard but what the pool keeps. "disk" has one part in memory at a
time, the others in files; "processes" has two processes with half of the parts each, in memory;
"both" has two processes with one part in memory each. Each runs in a process of its own; memory
is the peak resident size of each process, with what the imports took; the processor's seconds are
of all. `--verify` fits the same labels as a whole too and compares, for as many as fit in memory.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np
import throwaway

from aggregation.algorithms import CrowdLabels, DawidSkene
from aggregation.algorithms.shards import LocalPool, ShardedLabels
from aggregation.methods.pools import DiskPool, ProcessPool

WORKERS, CLASSES, REDUNDANCY = 2_000, 5, 5
MIB = 1024 * 1024
PLACES = ("disk", "processes", "both")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--labels", type=int, default=10_000_000)
    parser.add_argument("--per-shard", type=int, default=5_000_000)
    parser.add_argument("--iterations", type=int, default=5)
    parser.add_argument("--places", nargs="+", choices=PLACES, default=PLACES)
    parser.add_argument("--folder", help="for the files; the system's temporary one by default")
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--place", choices=(*PLACES, "whole"), help=argparse.SUPPRESS)
    options = throwaway.parsed(parser, labels=20_000, per_shard=5_000, iterations=2)
    if options.place:
        print(json.dumps(measured(options)))  # noqa: T201
        return
    print(  # noqa: T201
        f"{options.labels:,} labels in {len(sizes(options))} shards: {options.labels // 5:,} units "
        f"x {REDUNDANCY}, {WORKERS:,} workers, {CLASSES} classes; {options.iterations} iterations"
    )
    for place in (*options.places, *(["whole"] if options.verify else [])):
        report(place, run(place))


def run(place: str) -> dict[str, float]:
    root = str(Path(__file__).resolve().parent.parent)
    command = [sys.executable, __file__, *sys.argv[1:], "--place", place]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=root)
    return json.loads(done.stdout)


def report(place: str, figures: dict[str, float]) -> None:
    print(  # noqa: T201
        f"{place}: {figures['seconds']:.1f} s ({figures['opening']:.1f} to simulate and open, "
        f"{figures['step']:.2f} an iteration; {figures['cpu']:.1f} s of CPU), "
        f"{figures['memory']:.0f} MiB here, {figures['child']:.0f} MiB in the largest child, "
        f"{figures['right']:.4f} of the units right, objective {figures['objective']:.6f}"
    )


# --- In the measured process --------------------------------------------------------------------


def sizes(options: argparse.Namespace) -> list[int]:
    """Units of each shard."""
    units, most = options.labels // REDUNDANCY, options.per_shard // REDUNDANCY
    return [min(most, units - first) for first in range(0, units, most)]


def simulated(n_units: int, seed: int) -> tuple[CrowdLabels, np.ndarray]:
    """Workers who are right in 40 to 95 % of cases, with errors spread evenly; and the truth."""
    accuracy = np.random.default_rng(0).uniform(0.4, 0.95, size=WORKERS)
    rng = np.random.default_rng([1, seed])
    truth = rng.integers(CLASSES, size=n_units, dtype=np.int32)
    unit = np.repeat(np.arange(n_units, dtype=np.int32), REDUNDANCY)
    worker = rng.integers(WORKERS, size=len(unit), dtype=np.int32)
    right = rng.random(len(unit), dtype=np.float32) < accuracy[worker]
    other = rng.integers(1, CLASSES, size=len(unit), dtype=np.int32)
    label = (truth[unit] + np.where(right, np.int32(0), other)) % np.int32(CLASSES)
    return CrowdLabels(unit, worker, label, n_units, WORKERS, CLASSES), truth


def loaded(n_units: int, seed: int) -> tuple[CrowdLabels, None]:
    return simulated(n_units, seed)[0], None


def measured(options: argparse.Namespace) -> dict[str, float]:
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        match options.place:
            case "disk":
                return fit(options, DiskPool(folder))
            case "whole":
                return fit(options, LocalPool())
        with ProcessPool(2, folder=folder if options.place == "both" else None) as pool:
            found = fit(options, pool)
        found["cpu"], found["child"] = cpu(), peak(resource.RUSAGE_CHILDREN)
        return found


def fit(options: argparse.Namespace, pool) -> dict[str, float]:
    shards = sizes(options)
    loaders = [partial(loaded, n_units, seed) for seed, n_units in enumerate(shards)]
    data = ShardedLabels(loaders, n_workers=WORKERS, n_classes=CLASSES)
    began = time.perf_counter()
    watched = Watched(pool)
    method = DawidSkene(max_iter=options.iterations, tol=0).fit(data, pool=watched)
    seconds, memory = time.perf_counter() - began, peak(resource.RUSAGE_SELF)
    right = sum(
        int((posterior.argmax(axis=1) == simulated(n_units, seed)[1]).sum())
        for seed, (n_units, posterior) in enumerate(zip(shards, method.posteriors(), strict=True))
    )
    return {
        "seconds": seconds,
        "opening": watched.opened - began,
        "step": (seconds - (watched.opened - began)) / (options.iterations + 1),
        "memory": memory,
        "child": 0.0,
        "cpu": cpu(),
        "right": right / sum(shards),
        "objective": method.log_likelihood_[-1],
    }


class Watched:
    """A pool that notes when its parts were opened."""

    def __init__(self, pool):
        self.pool, self.size, self.opened = pool, pool.size, 0.0

    def open(self, make, shards):
        parts = self.pool.open(make, shards)
        self.opened = time.perf_counter()
        return parts


def peak(whose: int) -> float:
    return resource.getrusage(whose).ru_maxrss * 1024 / MIB


def cpu() -> float:
    both = (resource.getrusage(x) for x in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


if __name__ == "__main__":
    main()
