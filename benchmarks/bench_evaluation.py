"""Systems scored with all intervals, and submissions validated: seconds and peak memory.

    ./run bench bench_evaluation
    ./run bench bench_evaluation --systems 200 --claims 50000
    ./run bench bench_evaluation --only path

100 systems with 100,000 claims each out of a pool of 1,000,000, some 500 draws of each judged: the
target is 10 s for precision, recall, F1, effective sample sizes, differences of all pairs and
ranks. 1,000,000 lines of each of the three formats: the target is 30 s, in memory that grows with
the claims alone. 100 files from the upload to their scores, step by step (`submission_path`).
Each measurement is a process of its own.
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
from typing import Any

import numpy as np
import submission_path
import throwaway

ROOT = Path(__file__).resolve().parent.parent
DRAWS = 500
DOCUMENTS = 10_000
ANNOTATED = 100
FORMATS = ("claims", "mentions", "tac")
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", type=int, default=100)
    parser.add_argument("--claims", type=int, default=100_000, help="of each system")
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--file-claims", type=int, default=5_000, help="of each submitted file")
    parser.add_argument("--only", choices=["score", "validate", "path"])
    parser.add_argument("--side", help=argparse.SUPPRESS)
    parser.add_argument("--file", help=argparse.SUPPRESS)
    options = throwaway.parsed(parser, systems=4, claims=500, lines=300, file_claims=50)
    if options.side == "score":
        print(json.dumps(scored(options.systems, options.claims)))  # noqa: T201
        return
    if options.side == "path":
        steps = submission_path.measured(options.systems, options.claims, peak)
        print(json.dumps(steps))  # noqa: T201
        return
    if options.side:
        print(json.dumps(validated(options.file)))  # noqa: T201
        return
    if options.only in (None, "score"):
        tell_scores(options.systems, options.claims)
    if options.only in (None, "validate"):
        tell_validation(options.lines)
    if options.only in (None, "path"):
        tell_path(options.systems, options.file_claims)


def tell_scores(m: int, n: int) -> None:
    for systems, claims in ((m // 4, n), (m // 2, n), (m, n // 4), (m, n // 2), (m, n)):
        found = run("score", systems=systems, claims=claims)
        print(  # noqa: T201
            f"{systems:,} systems x {claims:,} claims, {found['judged']:,} judged: "
            f"{found['cpu']:.1f} s of CPU, {found['seconds']:.1f} s by the wall clock, peak memory "
            f"{found['memory']:.0f} MiB"
        )


def tell_validation(lines: int) -> None:
    with tempfile.TemporaryDirectory(prefix="touchstone-bench-") as folder:
        for name in FORMATS:
            path = Path(folder, name)
            write_lines(path, name, lines)
            found = run("validate", file=path)
            print(  # noqa: T201
                f"{name}: {found['lines']:,} lines ({path.stat().st_size / 2**20:.0f} MiB, "
                f"{found['claims']:,} claims) validated in {found['cpu']:.1f} s of CPU, "
                f"{found['seconds']:.1f} s by the wall clock, peak memory {found['memory']:.0f} "
                f"MiB, of which {found['start']:.0f} MiB before"
            )
            path.unlink()


def tell_path(systems: int, claims: int) -> None:
    steps = run("path", systems=systems, claims=claims)
    print(f"{systems:,} files of about {claims:,} claims each:")  # noqa: T201
    for one in steps:
        print(  # noqa: T201
            f"  {one['step']:<20}{one['cpu']:>7.1f} s of CPU, {one['queries']:>7,} queries, peak "
            f"memory {one['memory']:>5,.0f} MiB  {one['note']}"
        )
    ours = [one for one in steps[:6] if one["step"] != submission_path.ANSWERS]
    cpu, queries = (sum(one[what] for one in ours) for what in ("cpu", "queries"))
    print(f"  {'in all, but answers':<20}{cpu:>7.1f} s of CPU, {queries:>7,} queries")  # noqa: T201


def run(side: str, **options: object) -> Any:
    flags = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    done = subprocess.run(
        [sys.executable, __file__, "--side", side, *flags],
        env=os.environ | ONE_THREAD | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# --- In the measured process --------------------------------------------------------------------


def scored(systems: int, claims: int) -> dict[str, float]:
    """From columns to all scores; making the columns is not counted."""
    from evaluation.algorithms.documents import Documents
    from evaluation.algorithms.metrics import instance_metric
    from evaluation.algorithms.predictions import Predictions
    from evaluation.algorithms.sampling import (
        coordinated_sample,
        inclusion_probabilities,
        mixed,
        permanent_numbers,
    )
    from evaluation.files.evaluate import evaluate
    from evaluation.files.exhaustive import Exhaustive
    from evaluation.files.labels import Labels
    from evaluation.files.pool import Pool

    rng = np.random.default_rng(0)
    n = 10 * claims
    keys = np.sort(mixed(np.arange(n, dtype=np.uint64)))
    # Popular claims are made by many: systems overlap as those of one task do.
    popular = rng.permutation(n)
    sets = [popular[np.unique((n * rng.random(2 * claims) ** 2).astype(np.int64))][:claims]
            for _ in range(systems)]  # fmt: skip
    predictions = Predictions.of(sets, n)
    size = len(predictions.claim)
    document = rng.integers(DOCUMENTS, size=n)
    pool = Pool(
        tuple(f"s{i}" for i in range(systems)), predictions, keys, (), document,
        np.zeros((n, 4), dtype=np.int64), rng.integers(25, size=n),
        rng.integers(20_000, size=size), rng.integers(60_000, size=size), (),
    )  # fmt: skip
    metric = instance_metric(predictions)
    sample = coordinated_sample(
        inclusion_probabilities(predictions, metric, DRAWS), permanent_numbers(keys)
    )
    correct = (rng.random(n) < 0.6).astype(np.float64)
    nothing = np.full(len(sample.claims), np.nan)
    labels = Labels("plan", keys[sample.claims], sample.inclusion, nothing, correct[sample.claims])
    true = np.flatnonzero((correct > 0) & (document < ANNOTATED))
    documents = Documents.of(document[true], ANNOTATED)
    exhaustive = Exhaustive(
        documents, keys[true], pool.relation[true], Documents.of([], 0), np.zeros(0, np.uint64)
    )
    began, cpu = time.perf_counter(), time.process_time()
    found = evaluate(pool, labels, exhaustive)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    assert np.isfinite(found.metrics[0].f1.low).all()
    return {
        "seconds": seconds, "cpu": cpu, "memory": peak(), "judged": len(sample.claims)
    }  # fmt: skip


def validated(path: str) -> dict[str, float]:
    from annotation.formats.directions import Directions
    from annotation.formats.relations import RELATION_TYPES, read_relation_types
    from evaluation.formats.issues import Report
    from evaluation.formats.submissions import read_submission

    directions = Directions(read_relation_types(RELATION_TYPES))
    report = Report("system")
    start, began, cpu = peak(), time.perf_counter(), time.process_time()
    found = read_submission(path, directions, report)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    assert not report.total("error"), report.counts
    with open(path, "rb") as file:
        lines = sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(2**20), b""))
    return {
        "seconds": seconds, "cpu": cpu, "memory": peak(), "start": start, "lines": lines,
        "claims": len(found.key),
    }  # fmt: skip


# --- Files --------------------------------------------------------------------------------------


def write_lines(path: Path, name: str, lines: int) -> None:
    """As many lines, in documents of 40 claims; mentions and entities take lines of their own."""
    with path.open("w") as file:
        if name == "tac":
            file.write("The system\n")
        written = number = 0
        while written < lines:
            document = f"NYT_ENG_2013{number // 40:06}"
            a = number % 40 * 100
            b, c, d = a + 12, a + 30, a + 40
            if name == "claims":
                block = [json.dumps({
                    "document": document, "relation": "per:place_of_birth",
                    "subject": {"start": a, "end": b, "type": "PER", "link": f"Q{number % 5000}"},
                    "object": {"start": c, "end": d, "type": "GPE"},
                    "provenance": [[a, d]], "confidence": 0.5,
                })]  # fmt: skip
            elif name == "mentions":
                one, other = f"{document}:{a}-{b}", f"{document}:{c}-{d}"
                block = [
                    f"{one}\tPER\tSomebody\t*\t1.0", f"{other}\tGPE\tSomewhere\t*\t1.0",
                    f"{one}\tcanonical_mention\t{one}\t*\t1.0",
                    f"{one}\tlink\tQ{number % 5000}\t*\t1.0",
                    f"{one}\tper:place_of_birth\t{other}\t{document}:{a}-{d}\t0.5",
                ]  # fmt: skip
            else:
                one, other = f":E{number}", f":F{number}"
                block = [
                    f"{one}\ttype\tPER", f"{other}\ttype\tGPE",
                    f'{one}\tmention\t"Somebody"\t{document}:{a}-{b - 1}\t1.0',
                    f'{other}\tmention\t"Somewhere"\t{document}:{c}-{d - 1}\t1.0',
                    f"{one}\tper:place_of_birth\t{other}\t{document}:{a}-{d - 1}\t0.5",
                ]  # fmt: skip
            file.write("\n".join(block) + "\n")
            written += len(block)
            number += 1


if __name__ == "__main__":
    main()
