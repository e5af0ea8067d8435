"""Methods for tag sequences: CPU seconds and peak memory of each, on real and on simulated crowds.

    ./run bench sequences [--data ../shared/data/ner-mturk.jsonl.gz] [--only bsc-seq hmm-crowd]

Without --data the real crowd is left out. It is fitted on all documents; strict span F1 and cross
entropy (mean of -ln P(gold), in nats, over tokens that somebody labelled; clipped at 1e-100) are of
the sentences whose gold is known and of which somebody labelled a token. The simulated crowd has
the size of a large corpus of clinical abstracts (PICO): 1,500,000 tokens in sentences of 27, 312
workers, six of them for each sentence, tags B, I and O, 50,000 words. Each method runs in a process
of its own, on one thread; memory is the peak less what the imports took, the labels included.

The authors' own code needs 459 s of CPU for BSC-seq and 46.7 s for HMM-Crowd on the real crowd.
Both were measured before this project and are not repeated here; the ratio is to them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import throwaway

AUTHORS_CPU = {"bsc-seq": 459.0, "hmm-crowd": 46.7}
MIB = 1024 * 1024
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
METHODS = [
    "mv-token",
    "mv-seq",
    "mv-seg",
    "dawid-skene",
    "hmm-crowd",
    "bsc-acc",
    "bsc-mace",
    "bsc-cv",
    "bsc-cm",
    "bsc-seq",
    "crf-conc",
    "multi-crf",
    "multi-crf-max",
    "crf-ma",
    "touchstone",
]
# On 1,500,000 tokens these take most of an hour: only where they are named.
FIELDS = METHODS[-5:]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="PATH", help="JSON lines with tokens, workers, gold")
    parser.add_argument("--only", nargs="+", choices=METHODS, default=[], metavar="METHOD")
    parser.add_argument("--tokens", type=int, default=1_500_000, help="of the simulated crowd")
    parser.add_argument("--repeats", type=int, default=3, help="on the real crowd")
    parser.add_argument("--side", choices=METHODS, help=argparse.SUPPRESS)
    options = throwaway.parsed(parser, tokens=3_000, only=["mv-token", "bsc-seq"])
    if options.side:
        print(json.dumps(measured(options.side, options.data, options.repeats)))  # noqa: T201
        return
    with tempfile.TemporaryDirectory() as folder:
        if options.data:
            read(options.data, Path(folder) / "real.npz")
            compare(Path(folder) / "real.npz", options.only or METHODS, options.repeats, real=True)
        if options.tokens:
            simulate(Path(folder) / "simulated.npz", options.tokens)
            fast = [method for method in METHODS if method not in FIELDS]
            compare(Path(folder) / "simulated.npz", options.only or fast, 1, real=False)


def compare(path: Path, methods: list[str], repeats: int, *, real: bool) -> None:
    print(f"{'':12} {'P':>6} {'R':>6} {'F1':>6} {'CE':>6} {'CPU s':>7} {'MiB':>6}")  # noqa: T201
    for method in methods:
        found = run(method, path, repeats)
        ratio = ""
        if real and method in AUTHORS_CPU:
            ratio = (
                f"  {AUTHORS_CPU[method] / found['cpu']:.0f} times less CPU than the authors' "
                f"{AUTHORS_CPU[method]:g} s"
            )
        print(  # noqa: T201
            f"{method:12} {found['precision']:6.2f} {found['recall']:6.2f} {found['f1']:6.2f} "
            f"{found['entropy']:6.3f} {found['cpu']:7.2f} {found['memory'] / MIB:6.0f}{ratio}"
        )


def run(method: str, data: Path, repeats: int) -> dict[str, float]:
    root = Path(__file__).resolve().parent.parent
    done = subprocess.run(
        [
            sys.executable,
            __file__,
            "--side",
            method,
            "--data",
            str(data),
            "--repeats",
            str(repeats),
        ],
        env=os.environ | ONE_THREAD | {"PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


# --- Crowds -------------------------------------------------------------------------------------


def read(source: str, path: Path) -> None:
    import numpy as np

    from aggregation.algorithms.data import numbered_words, ordered_tags

    with gzip.open(source, "rt", encoding="utf-8") as file:
        documents = [json.loads(line) for line in file]
    rows = [row for document in documents for row in document["workers"].items()]
    gold = [row for document in documents for row in [document["gold"]] if row]
    names = {tag for _, row in rows for tag in row} | {tag for row in gold for tag in row}
    tags = ordered_tags(names - {"?"})
    number = {tag: i for i, tag in enumerate(tags)} | {"?": -1}
    who = {name: i for i, name in enumerate(sorted({name for name, _ in rows}))}
    token, worker, label, starts, truth, first = [], [], [], [], [], []
    n = 0
    for document in documents:
        first.append(len(starts))
        starts += [n + start for start in document["sent_starts"]]
        for name, row in document["workers"].items():
            said = np.array([number[tag] for tag in row])
            given = np.flatnonzero(said >= 0)
            token.append(n + given)
            worker.append(np.full(len(given), who[name]))
            label.append(said[given])
        n += len(document["tokens"])
        truth += [number[tag] for tag in document["gold"] or ["?"] * len(document["tokens"])]
    words, vocabulary = numbered_words(word for row in documents for word in row["tokens"])
    save(
        path,
        token=np.concatenate(token),
        worker=np.concatenate(worker),
        label=np.concatenate(label),
        starts=np.array([*starts, n]),
        documents=np.array([*first, len(starts)]),
        truth=np.array(truth),
        words=words,
        vocabulary=np.array(vocabulary),
        tags=np.array(tags),
        n_workers=np.array(len(who)),
    )


def simulate(path: Path, n_tokens: int) -> None:
    """Spans of 8 tokens; workers miss 10 to 60 % of spans, begin late or early, end late."""
    import numpy as np

    rng = np.random.default_rng(0)
    n_workers, redundancy, n_words = 312, 6, 50_000
    length = rng.poisson(22, size=n_tokens // 27 + 1) + 5
    starts = np.concatenate(([0], np.cumsum(length)))
    starts = np.append(starts[starts < n_tokens], n_tokens)
    sentence = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    truth = np.full(n_tokens, 2)
    head = np.flatnonzero(rng.random(n_tokens) < 0.02)
    inside = np.zeros(n_tokens + 1)
    size = rng.geometric(1 / 8, size=len(head))
    end = np.minimum(head + size, starts[sentence[head] + 1])
    np.add.at(inside, head, 1)
    np.add.at(inside, end, -1)
    truth[np.cumsum(inside)[:-1] > 0] = 1
    truth[head] = 0
    # Zipf's words; four in ten words inside spans are drawn from an eighth of the vocabulary.
    words = np.minimum(rng.zipf(1.2, size=n_tokens), n_words) - 1
    special = (truth < 2) & (rng.random(n_tokens) < 0.4)
    words[special] = rng.integers(n_words * 7 // 8, n_words, size=int(special.sum()))

    first = rng.integers(n_workers, size=len(starts) - 1)
    miss = rng.uniform(0.1, 0.6, size=n_workers)
    slip = rng.uniform(0.0, 0.3, size=n_workers)
    span = np.cumsum(truth == 0)  # of tokens in spans: which span
    token, worker, label = [], [], []
    for k in range(redundancy):
        who = (first + k * 17) % n_workers
        missed = rng.random(len(head) + 1) < miss[who[np.append(sentence[head], 0)]]
        said = np.where((truth < 2) & missed[np.maximum(span - 1, 0)], 2, truth)
        by = who[sentence]
        late = (said == 0) & (rng.random(n_tokens) < slip[by])  # begins one token later
        after = np.flatnonzero(late[:-1] & (said[1:] == 1)) + 1
        said[late] = 2
        said[after] = 0
        longer = (said[1:] == 2) & (said[:-1] < 2) & (rng.random(n_tokens - 1) < slip[by[1:]] / 2)
        longer &= sentence[1:] == sentence[:-1]
        said[1:][longer] = 1
        token.append(np.arange(n_tokens))
        worker.append(by)
        label.append(said)
    save(
        path,
        token=np.concatenate(token),
        worker=np.concatenate(worker),
        label=np.concatenate(label),
        starts=starts,
        documents=np.arange(len(starts)),
        truth=truth,
        words=words,
        vocabulary=np.char.add("word", np.arange(n_words).astype(str)),
        tags=np.array(["B-x", "I-x", "O"]),
        n_workers=np.array(n_workers),
    )


def save(path: Path, **arrays) -> None:
    import numpy as np

    for name in ("token", "worker", "label", "words"):
        arrays[name] = arrays[name].astype(np.int32)
    np.savez(path, **arrays)
    print(  # noqa: T201
        f"\n{len(arrays['label']):,} labels of {len(arrays['truth']):,} tokens in "
        f"{len(arrays['starts']) - 1:,} sentences by {arrays['n_workers']} workers, "
        f"{len(arrays['tags'])} tags, {len(arrays['vocabulary']):,} words"
    )


# --- In the measured process --------------------------------------------------------------------


def measured(method: str, data: str, repeats: int) -> dict[str, float]:
    import numpy as np
    import scipy.sparse
    import scipy.special  # noqa: F401 - what the fit imports when it needs it

    fit = method_of(method)
    imports = peak()
    from aggregation.algorithms import CrowdSequences

    with np.load(data) as file:
        truth = file["truth"]
        sequences = CrowdSequences(
            file["token"],
            file["worker"],
            file["label"],
            starts=file["starts"],
            n_workers=int(file["n_workers"]),
            tags=file["tags"].tolist(),
            words=file["words"],
            vocabulary=file["vocabulary"].tolist(),
            documents=file["documents"],
        )
    seconds = []
    for _ in range(repeats):
        began = time.process_time()
        fitted = fit(sequences)
        seconds.append(time.process_time() - began)
    memory = peak() - imports  # before the scores, which are no part of a method
    return {"cpu": min(seconds), "memory": memory, **scores(sequences, truth, fitted)}


def method_of(name: str):
    """With its defaults, but for Dawid and Skene: those of the published figures."""
    from aggregation.algorithms import DawidSkene
    from aggregation.methods.registry import METHODS as KNOWN

    if name == "dawid-skene":
        smoothed = DawidSkene(diagonal=0.1, off_diagonal=0.1, max_iter=20, tol=0)
        return lambda sequences: smoothed.fit(sequences.token_labels())
    return KNOWN[name].make().fit


def scores(sequences, truth, fitted) -> dict[str, float]:
    import numpy as np

    from aggregation.algorithms import score_spans, spans_of_labels

    sentence = sequences.sequence_of_token()
    labelled = np.zeros(sequences.n_tokens, dtype=bool)
    labelled[sequences.token] = True
    counts = np.zeros(sequences.n_sequences, dtype=bool)
    counts[sentence[labelled]] = True
    scored = counts[sentence] & (truth >= 0)
    length = np.bincount(sentence[scored], minlength=sequences.n_sequences)
    starts = np.concatenate(([0], np.cumsum(length)))
    ours, theirs = (
        spans_of_labels(tags[scored], sequences.tags, starts) for tags in (fitted.predict(), truth)
    )
    found = score_spans(ours, theirs)
    asked = np.flatnonzero(labelled & (truth >= 0))
    p = np.maximum(fitted.posterior_[asked, truth[asked]], 1e-100)
    return {
        "precision": 100 * (found.precision or 0.0),
        "recall": 100 * (found.recall or 0.0),
        "f1": 100 * (found.f1 or 0.0),
        "entropy": float(-np.log(p).mean()),
    }


def peak() -> int:
    """Bytes. What `getrusage` says would include the parent, which held the crowd before."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
    raise OSError("/proc/self/status has no VmHWM")


if __name__ == "__main__":
    main()
