"""Categorical methods beside crowd-kit 1.4: CPU seconds, peak memory, share right, ratios.

    ./run bench aggregation [--methods majority mace] [--labels 50000] [--limit 600]

The peer is installed into an environment of its own when it is first needed (`peers.py`); without
the network, or with --no-peer, its column is left out. The labels are simulated: 5 on each unit, by
one worker for 500 labels, of 5 classes; workers are right in 40 to 95 % of cases and err evenly.
So 1,000,000 labels are 200,000 units and 2,000 workers: the shape that the targets of 20 times less
CPU (Dawid-Skene, one-coin, MACE, GLAD) and a fifth of the memory (Dawid-Skene) are set for.

Each side runs in a process of its own, on one thread. CPU is that of the fit, from arrays (the
peer: a table) to the class of each unit; memory is the peak less what the imports took, the labels
included. Ours is the best of --repeats; the peer runs once and is stopped when it has used up
--limit seconds of CPU. Both run alike: 20 iterations of Dawid-Skene and one-coin, one restart of
MACE with 50 iterations; GLAD until each finds that it has converged, at most 100.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import throwaway

from benchmarks.peers import peer_python

PEER = "crowd-kit==1.4.*"
ITERATIONS = 20
REDUNDANCY, CLASSES, LABELS_OF_WORKER = 5, 5, 500
MIB = 1024 * 1024
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--labels", nargs="+", type=int, default=[50_000, 1_000_000])
    parser.add_argument("--limit", type=int, default=600, help="seconds of CPU for the peer")
    parser.add_argument("--repeats", type=int, default=5, help="of ours; the peer runs once")
    parser.add_argument("--peer-python", metavar="PATH", help="an interpreter with crowd-kit")
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--side", choices=("ours", "peer"), help=argparse.SUPPRESS)
    parser.add_argument("--data", help=argparse.SUPPRESS)
    options = throwaway.parsed(parser, labels=[2_000], repeats=1, no_peer=True)
    if options.side:
        (name,) = options.methods
        print(json.dumps(measured(name, options)))  # noqa: T201
        return
    python = None if options.no_peer else options.peer_python or installed_peer()
    with tempfile.TemporaryDirectory() as folder:
        for n_labels in options.labels:
            data = Path(folder) / f"{n_labels}.npz"
            simulate(data, n_labels)
            for name in options.methods:
                compare(name, data, options, python)


def installed_peer() -> Path | None:
    try:
        return peer_python(PEER)
    except (subprocess.CalledProcessError, OSError) as error:
        print(f"{PEER} could not be installed, so it is left out: {error}", file=sys.stderr)  # noqa: T201
        return None


def simulate(path: Path, n_labels: int) -> None:
    import numpy as np

    rng = np.random.default_rng(0)
    n_units = max(n_labels // REDUNDANCY, 1)
    n_workers = max(n_labels // LABELS_OF_WORKER, 10)
    truth = rng.integers(CLASSES, size=n_units)
    unit = np.repeat(np.arange(n_units), REDUNDANCY)
    worker = rng.integers(n_workers, size=len(unit))
    right = rng.random(len(unit)) < rng.uniform(0.4, 0.95, size=n_workers)[worker]
    wrong = (truth[unit] + rng.integers(1, CLASSES, size=len(unit))) % CLASSES
    label = np.where(right, truth[unit], wrong)
    shape = [n_units, n_workers, CLASSES]
    np.savez(path, unit=unit, worker=worker, label=label, truth=truth, shape=shape)
    print(  # noqa: T201
        f"\n{len(unit):,} labels: {n_units:,} units x {REDUNDANCY}, {n_workers:,} workers, "
        f"{CLASSES} classes\n"
        f"{'':22}{'CPU s':>9}{'MiB':>7}{'right':>8}    crowd-kit:{'CPU s':>9}{'MiB':>7}"
        f"{'right':>8}{'CPU':>11}{'memory':>8}"
    )


def compare(name: str, data: Path, options: argparse.Namespace, python: Path | None) -> None:
    ours = run(Path(sys.executable), name, "ours", data, options)
    assert ours is not None
    line = f"{name:22}{figures(ours)}"
    if python is not None:
        peer = run(python, name, "peer", data, options)
        if peer is None:
            ratio = options.limit / ours["cpu"]
            line += f"{'':14}{f'> {options.limit}':>9}{'':15}{f'> {ratio:.0f}x':>11}"
        else:
            cpu, memory = peer["cpu"] / ours["cpu"], peer["memory"] / ours["memory"]
            line += f"{'':14}{figures(peer)}{cpu:>10.1f}x{memory:>7.1f}x"
    print(line, flush=True)  # noqa: T201


def figures(side: dict[str, float]) -> str:
    return f"{side['cpu']:>9.3f}{side['memory'] / MIB:>7.0f}{side['right']:>8.4f}"


def run(
    python: Path, name: str, side: str, data: Path, options: argparse.Namespace
) -> dict[str, float] | None:
    """What `measured` gives, or None if it used up --limit."""
    root = Path(__file__).resolve().parent.parent
    settings = ["--repeats", options.repeats, "--limit", options.limit]
    command = [python, __file__, "--methods", name, "--side", side, "--data", data, *settings]
    done = subprocess.run(
        [str(word) for word in command],
        env=os.environ | ONE_THREAD | {"PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode == -signal.SIGXCPU:
        return None
    done.check_returncode()
    return json.loads(done.stdout)


# --- In the measured process --------------------------------------------------------------------


def measured(name: str, options: argparse.Namespace) -> dict[str, float]:
    import numpy as np

    ours, peer = METHODS[name]
    fit = our_fit(*ours) if options.side == "ours" else peer_fit(*peer)  # imports
    imports = peak()
    repeats = options.repeats
    if options.side == "peer":
        repeats = 1
        spent = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (spent + options.limit, resource.RLIM_INFINITY))
    with np.load(options.data) as file:
        arrays = {name: file[name] for name in file.files}
    truth = arrays.pop("truth")
    seconds = []
    for _ in range(repeats):
        began = time.process_time()
        chosen = fit(arrays)
        seconds.append(time.process_time() - began)
    return {
        "cpu": min(seconds),
        "memory": peak() - imports,
        "right": float((chosen == truth).mean()),
    }


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def our_fit(module: str, method: str, settings: dict[str, object]):
    import importlib

    import scipy.sparse
    import scipy.special  # noqa: F401 - what a fit imports when it needs it

    from aggregation.algorithms.data import CrowdLabels

    make = getattr(importlib.import_module(f"aggregation.algorithms.categorical.{module}"), method)

    def fit(arrays):
        unit, worker, label, shape = (arrays[x] for x in ("unit", "worker", "label", "shape"))
        return make(**settings).fit(CrowdLabels(unit, worker, label, *shape.tolist())).predict()

    return fit


def peer_fit(method: str, settings: dict[str, object]):
    import crowdkit.aggregation
    import numpy as np
    import pandas as pd

    make = getattr(crowdkit.aggregation, method)

    def fit(arrays):
        frame = pd.DataFrame({
            "task": arrays["unit"], "worker": arrays["worker"], "label": arrays["label"]
        })  # fmt: skip
        chosen = make(**settings).fit_predict(frame)
        return chosen.reindex(np.arange(arrays["shape"][0])).to_numpy()

    return fit


OUR_EM = {"max_iter": ITERATIONS, "tol": 0}
# A negative tolerance is never reached, so that all iterations are run.
PEER_EM = {"n_iter": ITERATIONS, "tol": -1}
METHODS = {
    "majority": (("votes", "MajorityVote", {}), ("MajorityVote", {})),
    "dawid-skene": (("dawid_skene", "DawidSkene", OUR_EM), ("DawidSkene", PEER_EM)),
    "one-coin": (("one_coin", "OneCoin", OUR_EM), ("OneCoinDawidSkene", PEER_EM)),
    "mace": (
        ("mace", "MACE", {"restarts": 1, "max_iter": 50, "tol": 0}),
        ("MACE", {"n_restarts": 1, "n_iter": 50}),
    ),
    "glad": (("glad", "GLAD", {}), ("GLAD", {})),
}

if __name__ == "__main__":
    main()
