"""Choosing items beside apricot-select: CPU seconds, memory, and the objective that both reach.

    ./run bench items [--cases table sparse] [--limit 600]

The peer is installed into an environment of its own when it is first needed (`peers.py`); without
the network, or with --no-peer, its column is left out. Each side runs in a process of its own, on
one thread, from arrays to the numbers of the chosen items; --repeats of ours, the best counts. The
peer runs once, after one run on a little data that compiles it, and is stopped when it has used up
--limit seconds of CPU.

`table`: 1,000,000 items with a value for each of 57 attributes, of long-tailed distributions.
`sparse`: 100,000 items that hold 21 of 1,000 pairs each. Both are covered w times, ties by lowest
number; the objective is Σ min(w, times held). `facility` is 100,000 items of 57 numbers, of which
2,000 are served, and `facility-exact` as many as a matrix of all similarities may be made of; the
objective is the mean similarity to the nearest chosen item, over those that are served.

The targets are 1 s and memory within twice the input for `table`, .1 s for `sparse`, 50 times less
CPU than the peer at the same coverage, and 10 s for `facility`.
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
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import throwaway

from benchmarks.peers import peer_python

PEER = ("apricot-select==0.6.*", "scikit-learn")  # which it needs and does not say
MIB = 1024 * 1024
ONE_THREAD = {
    f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """`items` and `chosen` at full size; `times` is w. The target is in seconds of CPU."""

    items: int
    chosen: int
    times: int
    target: float | None
    peer: bool = True


CASES = {
    "table": Case(1_000_000, 1_000, 5, 1.0),
    "sparse": Case(100_000, 500, 20, 0.1),
    "facility": Case(100_000, 1_000, 0, 10.0, peer=False),  # it would need all similarities
    "facility-exact": Case(4_000, 200, 0, None),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--share", type=float, default=1.0, help="of the items of each case")
    parser.add_argument("--limit", type=int, default=600, help="seconds of CPU for the peer")
    parser.add_argument("--repeats", type=int, default=3, help="of ours; the peer runs once")
    parser.add_argument("--peer-python", metavar="PATH", help="an interpreter with apricot-select")
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--side", choices=("ours", "peer"), help=argparse.SUPPRESS)
    parser.add_argument("--data", help=argparse.SUPPRESS)
    options = throwaway.parsed(parser, share=0.005, repeats=1, no_peer=True)
    if options.side:
        (name,) = options.cases
        print(json.dumps(measured(name, options)))  # noqa: T201
        return
    python = None if options.no_peer else options.peer_python or installed_peer()
    print(  # noqa: T201
        f"{'':16}{'items':>10}{'chosen':>8}{'CPU s':>9}{'target':>8}{'memory':>8}"
        f"{'objective':>11}    apricot:{'CPU s':>9}{'objective':>11}{'CPU':>9}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for name in options.cases:
            data = Path(folder) / f"{name}.npz"
            simulate(name, data, options.share)
            compare(name, data, options, python)
            data.unlink()


def installed_peer() -> Path | None:
    try:
        return peer_python(*PEER)
    except (subprocess.CalledProcessError, OSError) as error:
        print(f"{PEER[0]} could not be installed, so it is left out: {error}", file=sys.stderr)  # noqa: T201
        return None


def simulate(name: str, path: Path, share: float) -> None:
    import numpy as np
    from scipy import sparse

    rng = np.random.default_rng(0)
    n = max(round(CASES[name].items * share), 60)
    if name == "table":
        tail = [np.minimum(rng.zipf(1.6, n), 200).astype(np.uint8) - 1 for _ in range(57)]
        np.savez(path, codes=np.stack(tail))
    elif name == "sparse":
        held = sparse.random_array((n, 1_000), density=0.021, rng=rng, format="csr")
        np.savez(path, data=np.ones(held.nnz), indices=held.indices, indptr=held.indptr)
    else:
        centres = rng.normal(size=(30, 57))
        rows = centres[rng.integers(30, size=n)] + rng.normal(size=(n, 57))
        np.savez(path, units=(rows / np.linalg.norm(rows, axis=1)[:, None]).astype(np.float32))


def compare(name: str, data: Path, options: argparse.Namespace, python: Path | None) -> None:
    case = CASES[name]
    ours = run(Path(sys.executable), name, "ours", data, options)
    assert ours is not None
    target = "" if case.target is None else f"{case.target:.1f}"
    line = (
        f"{name:16}{ours['items']:>10,.0f}{ours['chosen']:>8,.0f}{ours['cpu']:>9.3f}{target:>8}"
        f"{ours['memory'] / ours['input']:>7.1f}x{ours['objective']:>11,.4g}"
    )
    if python is not None and case.peer:
        peer = run(python, name, "peer", data, options)
        if peer is None:
            least = options.limit / ours["cpu"]
            line += f"{'':12}{f'> {options.limit}':>9}{'':11}{f'> {least:.0f}x':>9}"
        else:
            ratio = peer["cpu"] / ours["cpu"]
            line += f"{'':12}{peer['cpu']:>9.2f}{peer['objective']:>11,.4g}{ratio:>8.0f}x"
    print(line, flush=True)  # noqa: T201


def run(
    python: Path, name: str, side: str, data: Path, options: argparse.Namespace
) -> dict[str, float] | None:
    """What `measured` gives, or None if it used up --limit."""
    root = Path(__file__).resolve().parent.parent
    settings = ["--repeats", options.repeats, "--limit", options.limit]
    command = [python, __file__, "--cases", name, "--side", side, "--data", data, *settings]
    done = subprocess.run(
        [str(word) for word in command],
        env=os.environ | ONE_THREAD | {"PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode == -signal.SIGXCPU:
        return None
    done.check_returncode()
    return json.loads(done.stdout.splitlines()[-1])


# --- In the measured process --------------------------------------------------------------------


def measured(name: str, options: argparse.Namespace) -> dict[str, float]:
    import numpy as np

    choose = {"ours": our_choice, "peer": peer_choice}[options.side](name)  # imports
    imports = peak()
    with np.load(options.data) as file:
        arrays = {key: file[key] for key in file.files}
    if options.side == "peer":
        choose(some_of(arrays))  # compiles
        spent = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (spent + options.limit, resource.RLIM_INFINITY))
    seconds = []
    for _ in range(options.repeats if options.side == "ours" else 1):
        began = time.process_time()
        chosen = choose(arrays)
        seconds.append(time.process_time() - began)
    memory = peak() - imports
    return {
        "cpu": min(seconds),
        "memory": memory,
        "input": sum(array.nbytes for array in arrays.values()),
        "items": n_items(arrays),
        "chosen": len(chosen),
        "objective": objective(name, arrays, chosen),
    }


def peak() -> int:
    """Of this process alone: what `getrusage` tells begins with the peak of who started it."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def n_items(arrays: dict[str, Any]) -> int:
    if "codes" in arrays:
        return arrays["codes"].shape[1]
    return len(arrays["units"]) if "units" in arrays else len(arrays["indptr"]) - 1


def some_of(arrays: dict[str, Any]) -> dict[str, Any]:
    """The first items."""
    n = min(n_items(arrays), 300)
    if "codes" in arrays:
        return {"codes": arrays["codes"][:, :n]}
    if "units" in arrays:
        return {"units": arrays["units"][:n]}
    end = arrays["indptr"][n]
    return {
        "indptr": arrays["indptr"][: n + 1], "indices": arrays["indices"][:end],
        "data": arrays["data"][:end],
    }  # fmt: skip


def objective(name: str, arrays: dict[str, Any], chosen: Any) -> float:
    import numpy as np

    if "units" in arrays:
        units = arrays["units"]
        served = units[:: max(len(units) // 4_000, 1)]
        return float(np.maximum(served @ units[chosen].T, 0).max(axis=1).mean())
    held = one_hot(arrays)[chosen].sum(axis=0)
    return float(np.minimum(held, CASES[name].times).sum())


def one_hot(arrays: dict[str, Any]) -> Any:
    """Items by pairs, as the peer takes them."""
    import numpy as np
    from scipy import sparse

    if "codes" in arrays:
        codes = arrays["codes"]
        indices = (codes.astype(np.int32) + 200 * np.arange(57, dtype=np.int32)[:, None]).T.ravel()
        indptr, width = np.arange(codes.shape[1] + 1) * 57, 57 * 200
    else:
        indices, indptr, width = arrays["indices"], arrays["indptr"], 1_000
    data = arrays["data"] if "data" in arrays else np.ones(len(indices))
    return sparse.csr_matrix((data, indices, indptr), shape=(len(indptr) - 1, width))


def our_choice(name: str) -> Callable[[dict[str, Any]], Any]:
    import numpy as np
    from scipy import sparse

    from selection.algorithms import Facilities, SparsePairs, TablePairs, cover, locate
    from selection.algorithms.items.facility_location import targets_of

    def cover_it(arrays: dict[str, Any]) -> Any:
        if "codes" in arrays:
            pairs: Any = TablePairs(list(arrays["codes"]), [200] * 57)
        else:
            shape = (len(arrays["indptr"]) - 1, 1_000)
            held = (arrays["data"], arrays["indices"], arrays["indptr"])
            pairs = SparsePairs(sparse.csr_array(held, shape=shape))
        return cover(pairs, budget=CASES[name].chosen, times=CASES[name].times).items

    def locate_it(arrays: dict[str, Any]) -> Any:
        items = np.arange(len(arrays["units"]))
        targets = targets_of(items, np.random.default_rng(0))
        served = Facilities(arrays["units"], targets)
        return locate(served, items, CASES[name].chosen, np.ones(len(items))).items

    return locate_it if name.startswith("facility") else cover_it


def peer_choice(name: str) -> Callable[[dict[str, Any]], Any]:
    import numpy as np
    from apricot import FacilityLocationSelection, MaxCoverageSelection

    def cover_it(arrays: dict[str, Any]) -> Any:
        matrix = one_hot(arrays)
        number = min(CASES[name].chosen, matrix.shape[0] - 1)
        return MaxCoverageSelection(number, threshold=CASES[name].times).fit(matrix).ranking

    def locate_it(arrays: dict[str, Any]) -> Any:
        units = arrays["units"].astype(np.float64)
        number = min(CASES[name].chosen, len(units) - 1)
        near = np.maximum(units @ units.T, 0)
        return FacilityLocationSelection(number, metric="precomputed").fit(near).ranking

    return locate_it if name.startswith("facility") else cover_it


if __name__ == "__main__":
    main()
