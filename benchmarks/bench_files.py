"""`aggregate_file` on a generated file as large as the PICO set, in a process of its own.

    ./run bench bench_files
    ./run bench bench_files --method dawid-skene --documents 1000 --types 4 --packed

5,000 documents of 300 tokens, each labelled by 6 of 312 workers: 1.5 million tokens, 9 million
labels. The target with bsc-seq is 60 s by the wall clock and 1.5 GB, with reading and writing; the
command needs no database, and gets an address where none is.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import throwaway

ROOT = Path(__file__).resolve().parent.parent
WORKERS = 312
ANSWERS = 6  # of a document
SENTENCES, LENGTH = 10, 30  # of a document; tokens of a sentence
VOCABULARY = 40_000
MIB = 1024 * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=5_000)
    parser.add_argument("--types", type=int, default=0, help="of spans; 0: tags without a type")
    parser.add_argument("--packed", action="store_true", help="both files as .gz")
    parser.add_argument("--method", default="bsc-seq")
    parser.add_argument("--param", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--jobs", default="1")
    parser.add_argument("--seed", type=int, default=0)
    options = throwaway.parsed(parser, documents=5)
    with tempfile.TemporaryDirectory(prefix="touchstone-bench-") as folder:
        ending = ".jsonl.gz" if options.packed else ".jsonl"
        source, target = Path(folder, f"labels{ending}"), Path(folder, f"tags{ending}")
        n_labels = write_file(source, options.documents, options.types, options.seed)
        command = [
            sys.executable, str(ROOT / "manage.py"), "aggregate_file", str(source),
            "--method", options.method, "--jobs", options.jobs, "--out", str(target),
            "--reliability", str(Path(folder, "workers.jsonl")),
            *(word for pair in options.param for word in ("--param", pair)),
        ]  # fmt: skip
        nowhere = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "DATA_DIR": folder}
        began = time.perf_counter()
        done = subprocess.run(command, env=os.environ | nowhere, stdout=subprocess.PIPE, text=True)
        wall = time.perf_counter() - began
        if done.returncode:
            sys.exit(done.returncode)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        tokens = options.documents * SENTENCES * LENGTH
        print(  # noqa: T201
            f"{tokens:,} tokens, {n_labels:,} labels, {source.stat().st_size / MIB:.0f} MiB, to "
            f"{target.stat().st_size / MIB:.0f} MiB\n"
            f"{done.stdout.strip()}\n"
            f"whole command: {wall:.1f} s by the wall clock, {used.ru_utime + used.ru_stime:.1f} s "
            f"of CPU, peak memory {used.ru_maxrss / 1024:.0f} MiB"
        )


def write_file(path: Path, n_documents: int, n_types: int, seed: int) -> int:
    """How many labels there are. Workers begin spans late, miss them, and slip at single tokens."""
    draw = np.random.default_rng(seed)
    types = [f"-{kind}" for kind in range(n_types)] or [""]
    names = [f"{edge}{kind}" for edge in "BI" for kind in types] + ["O"]
    outside, n_tokens = len(names) - 1, SENTENCES * LENGTH
    words = np.array([f"word{i}" for i in range(VOCABULARY)], dtype=object)
    skill = draw.uniform(0.6, 0.98, WORKERS)
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", encoding="utf-8") as file:
        for i in range(n_documents):
            truth = np.full(n_tokens, outside)
            for sentence in range(SENTENCES):
                start = sentence * LENGTH + draw.integers(LENGTH // 2)
                kind, length = draw.integers(len(types)), draw.integers(1, LENGTH // 2)
                truth[start : start + length] = len(types) + kind
                truth[start] = kind
            # A third of the words tell whether they are inside a span, as real ones do.
            common = draw.zipf(1.2, n_tokens) % (VOCABULARY // 2)
            telling = (draw.random(n_tokens) < 1 / 3) & (truth != outside)
            workers = {}
            for worker in draw.choice(WORKERS, ANSWERS, replace=False).tolist():
                late = np.where(truth < len(types), outside, truth)
                said = np.where(draw.random(n_tokens) < skill[worker], truth, late)
                slips = draw.random(n_tokens) < (1 - skill[worker]) / 4
                said[slips] = draw.integers(len(names), size=np.count_nonzero(slips))
                workers[f"w{worker}"] = [names[k] for k in said.tolist()]
            document = {
                "id": f"d{i}",
                "tokens": words[common + telling * (VOCABULARY // 2)].tolist(),
                "sent_starts": list(range(0, n_tokens, LENGTH)),
                "workers": workers,
            }
            file.write(json.dumps(document, separators=(",", ":")) + "\n")
    return n_documents * n_tokens * ANSWERS


if __name__ == "__main__":
    main()
