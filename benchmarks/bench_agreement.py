"""Krippendorff's alpha beside krippendorff's and nltk's: CPU seconds, peak memory, ratios.

    ./run bench agreement

Each side runs in a process of its own, on one thread, and from the form of the data that it takes;
making that form is not counted. Ours takes triples of unit, worker and label; krippendorff how
often each class was said of each unit, because its other form is a table of workers x units, here
3 GB; nltk a list of tuples. Memory is what was allocated at most in another call, by tracemalloc.
The peers are installed when they are first asked for (see peers.py).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

import throwaway

from benchmarks.peers import ROOT, peer_python

PEERS = ("krippendorff==0.8.1", "nltk==3.10.4", "numpy")
MIB = 1024 * 1024
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--units", type=int, default=200_000)
    parser.add_argument("--redundancy", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2_000)
    parser.add_argument("--classes", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=5, help="the best is told; nltk runs twice")
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    parser.add_argument("--data", help=argparse.SUPPRESS)
    options = throwaway.parsed(parser, units=500, workers=50, repeats=1, no_peer=True)
    if options.side:
        print(json.dumps(measured(options.side, options.data, options.repeats)))  # noqa: T201
        return
    peer = None if options.no_peer else peer_python(*PEERS)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "labels.npz"
        simulate(data, options)
        mine = run(sys.executable, "ours", data, options.repeats)
        report("touchstone", mine)
        for name, repeats in (("krippendorff", options.repeats), ("nltk", 2)) if peer else ():
            theirs = run(peer, name, data, repeats)
            report(name, theirs)
            print(  # noqa: T201
                f"  ratio: {theirs['cpu'] / mine['cpu']:.1f} times less CPU, "
                f"{theirs['memory'] / mine['memory']:.1f} times less memory; "
                f"the alphas differ by {abs(theirs['alpha'] - mine['alpha']):.0e}"
            )
        with_interval = run(sys.executable, "interval", data, options.repeats)
        report("touchstone with 2,000 bootstrap samples", with_interval)


def simulate(path: Path, options: argparse.Namespace) -> None:
    """Workers who are right in 40 to 95 % of cases, with errors spread evenly."""
    import numpy as np

    rng = np.random.default_rng(0)
    units = options.units
    truth = rng.integers(options.classes, size=units)
    unit = np.repeat(np.arange(units), options.redundancy)
    # Different workers for each unit: nltk can't do with one who labels it twice.
    first = rng.integers(options.workers, size=units)
    worker = (first[:, None] + np.arange(options.redundancy)).ravel() % options.workers
    right = rng.random(len(unit)) < rng.uniform(0.4, 0.95, size=options.workers)[worker]
    wrong = (truth[unit] + rng.integers(1, options.classes, size=len(unit))) % options.classes
    label = np.where(right, truth[unit], wrong)
    shape = [units, options.workers, options.classes]
    np.savez(path, unit=unit, worker=worker, label=label, shape=shape)
    print(  # noqa: T201
        f"{len(unit):,} labels: {units:,} units x {options.redundancy}, "
        f"{options.workers:,} workers, {options.classes} classes"
    )


def run(python: str | Path, side: str, data: Path, repeats: int) -> dict[str, float]:
    done = subprocess.run(
        [python, __file__, "--side", side, "--data", str(data), "--repeats", str(repeats)],
        env=os.environ | ONE_THREAD | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def report(name: str, figures: dict[str, float]) -> None:
    print(  # noqa: T201
        f"{name}: {figures['cpu']:.4f} s of CPU (best of {figures['repeats']:.0f}), "
        f"{figures['memory'] / MIB:.1f} MiB, alpha {figures['alpha']:.6f}"
    )


# --- In the measured process --------------------------------------------------------------------


def measured(side: str, data: str, repeats: int) -> dict[str, float]:
    import numpy as np

    with np.load(data) as file:
        alpha = SIDES[side](*(file[name] for name in ("unit", "worker", "label", "shape")))
    seconds = []
    for _ in range(repeats):
        began = time.process_time()
        value = alpha()
        seconds.append(time.process_time() - began)
    tracemalloc.start()
    alpha()
    return {
        "cpu": min(seconds),
        "repeats": repeats,
        "memory": tracemalloc.get_traced_memory()[1],
        "alpha": float(value),
    }


def ours(unit, worker, label, shape, replicates=0):
    from aggregation.algorithms.data import CrowdLabels
    from aggregation.algorithms.measures.agreement import krippendorff_alpha

    labels = CrowdLabels(unit, worker, label, *shape.tolist())
    return lambda: krippendorff_alpha(labels, replicates=replicates).value


def interval(unit, worker, label, shape):
    return ours(unit, worker, label, shape, replicates=2_000)


def of_krippendorff(unit, worker, label, shape):
    import krippendorff
    import numpy as np

    units, _, classes = shape.tolist()
    counts = np.bincount(unit * classes + label, minlength=units * classes)
    counts = counts.reshape(units, classes)
    return lambda: krippendorff.alpha(value_counts=counts, level_of_measurement="nominal")


def of_nltk(unit, worker, label, shape):
    from nltk.metrics.agreement import AnnotationTask

    rows = list(zip(worker.tolist(), unit.tolist(), label.tolist(), strict=True))
    return lambda: AnnotationTask(data=rows).alpha()


SIDES = {"ours": ours, "interval": interval, "krippendorff": of_krippendorff, "nltk": of_nltk}

if __name__ == "__main__":
    main()
