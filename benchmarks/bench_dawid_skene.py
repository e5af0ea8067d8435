"""Dawid and Skene's method, 20 iterations, beside crowd-kit's: CPU seconds, peak memory, ratios.

    ./run bench dawid_skene --peer-python /path/to/venv/bin/python

The peer needs crowd-kit 1.4 in an environment of its own: python3 -m venv, then pip install
crowd-kit. Without --peer-python the peer's column is left out. The shape is the one that the
target of 20 times less CPU and a fifth of the memory is set for: 1,000,000 labels, 5 on each of
200,000 units, by 2,000 workers, of 5 classes. Each side runs in a process of its own, on one
thread; memory is the peak less what the imports took, the labels included.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ITERATIONS = 20
MIB = 1024 * 1024
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--units", type=int, default=200_000)
    parser.add_argument("--redundancy", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2_000)
    parser.add_argument("--classes", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=5, help="of ours; the peer runs once")
    parser.add_argument("--peer-python", metavar="PATH", help="an interpreter with crowd-kit")
    parser.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    parser.add_argument("--data", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.side:
        print(json.dumps(measured(options.side, options.data, options.repeats)))  # noqa: T201
        return
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "labels.npz"
        simulate(data, options)
        ours = run(sys.executable, "ours", data, options.repeats)
        report("touchstone", ours)
        if options.peer_python:
            peer = run(options.peer_python, "peer", data, 1)
            report("crowd-kit", peer)
            print(  # noqa: T201
                f"ratio: {peer['cpu'] / ours['cpu']:.1f} times less CPU, "
                f"{peer['memory'] / ours['memory']:.1f} times less memory"
            )


def simulate(path: Path, options: argparse.Namespace) -> None:
    """Workers who are right in 40 to 95 % of cases, with errors spread evenly."""
    import numpy as np

    rng = np.random.default_rng(0)
    truth = rng.integers(options.classes, size=options.units)
    unit = np.repeat(np.arange(options.units), options.redundancy)
    worker = rng.integers(options.workers, size=len(unit))
    right = rng.random(len(unit)) < rng.uniform(0.4, 0.95, size=options.workers)[worker]
    wrong = (truth[unit] + rng.integers(1, options.classes, size=len(unit))) % options.classes
    label = np.where(right, truth[unit], wrong)
    shape = [options.units, options.workers, options.classes]
    np.savez(path, unit=unit, worker=worker, label=label, truth=truth, shape=shape)
    print(  # noqa: T201
        f"{len(unit):,} labels: {options.units:,} units x {options.redundancy}, "
        f"{options.workers:,} workers, {options.classes} classes; {ITERATIONS} iterations"
    )


def run(python: str, side: str, data: Path, repeats: int) -> dict[str, float]:
    root = Path(__file__).resolve().parent.parent
    done = subprocess.run(
        [python, __file__, "--side", side, "--data", str(data), "--repeats", str(repeats)],
        env=os.environ | ONE_THREAD | {"PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def report(name: str, figures: dict[str, float]) -> None:
    print(  # noqa: T201
        f"{name}: {figures['cpu']:.2f} s of CPU (best of {figures['repeats']:.0f}), "
        f"{figures['memory'] / MIB:.0f} MiB over {figures['imports'] / MIB:.0f} MiB of imports, "
        f"{figures['right']:.4f} of the units right"
    )


# --- In the measured process --------------------------------------------------------------------


def measured(side: str, data: str, repeats: int) -> dict[str, float]:
    import numpy as np

    fit = SIDES[side]()  # imports
    imports = peak()
    with np.load(data) as file:
        arrays = {name: file[name] for name in file.files}
    truth = arrays.pop("truth")
    seconds = []
    for _ in range(repeats):
        began = time.process_time()
        chosen = fit(arrays)
        seconds.append(time.process_time() - began)
    return {
        "cpu": min(seconds),
        "repeats": repeats,
        "imports": imports,
        "memory": peak() - imports,
        "right": float((chosen == truth).mean()),
    }


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def ours():
    import scipy.sparse
    import scipy.special  # noqa: F401 - what the fit imports when it needs it

    from aggregation.algorithms import CrowdLabels, DawidSkene

    def fit(arrays):
        unit, worker, label, shape = (arrays[x] for x in ("unit", "worker", "label", "shape"))
        labels = CrowdLabels(unit, worker, label, *shape.tolist())
        return DawidSkene(max_iter=ITERATIONS, tol=0).fit(labels).predict()

    return fit


def peer():
    import numpy as np
    import pandas as pd
    from crowdkit.aggregation import DawidSkene

    def fit(arrays):
        frame = pd.DataFrame({
            "task": arrays["unit"], "worker": arrays["worker"], "label": arrays["label"]
        })  # fmt: skip
        # A negative tolerance is never reached, so that all iterations are run.
        chosen = DawidSkene(n_iter=ITERATIONS, tol=-1).fit_predict(frame)
        return chosen.reindex(np.arange(arrays["shape"][0])).to_numpy()

    return fit


SIDES = {"ours": ours, "peer": peer}

if __name__ == "__main__":
    main()
