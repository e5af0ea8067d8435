"""Training of a conditional random field: CPU seconds, iterations and peak memory to the same
objective as python-crfsuite's, on a real text or on a made-up one.

    ./run bench crf [--data ../shared/data/ner-mturk.jsonl.gz] [--iterations 350]

Both get the same features (all kinds that there are, about 100,000 features,
times 9 tags), the same tags, the same Gaussian prior (σ² = 1), and one thread; each runs in a
process of its own. How far a run has come is written down at each evaluation (ours) or iteration
(theirs). The best value of all runs is taken for the optimum, and what is compared is the CPU time
until a run first comes within 1e-4 of it. Ours has the time in it to put the features in order;
theirs does not have the time to read them. Ours runs twice: as it is by default, and `scaled`.
Memory is the peak less what the imports took, with the features in it.

With --data the text is that of the file, with the tags that most workers gave each token. Without
it there are 67,000 tokens of made-up words.

    ./run bench crf --fixture

prints what python-crfsuite finds on the sentences in sentences.py, beside the tests of
aggregation.algorithms.sequences.crf; test_objective.py there holds it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import throwaway

from benchmarks.peers import peer_python

PEER = "python-crfsuite==0.9.12"
MIB = 1024 * 1024
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
N_TOKENS = 67_000
WITHIN = 1e-4
FEATURES = {"window": 2, "outer": 1, "bigrams": 1, "document": 1}
SIDES = ("ours", "ours, scaled", "python-crfsuite")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="PATH", help="JSON lines with tokens and workers")
    parser.add_argument("--tokens", type=int, default=N_TOKENS, help="of the made-up words")
    parser.add_argument("--no-peer", action="store_true")
    parser.add_argument("--iterations", type=int, default=350)
    parser.add_argument("--fixture", action="store_true", help="print what the tests compare with")
    parser.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    options = throwaway.parsed(parser, tokens=500, iterations=5, no_peer=True)
    if options.fixture:
        fixture()
    elif options.side == "python-crfsuite":
        print(json.dumps(theirs(options.data, options.iterations)))  # noqa: T201
    elif options.side:
        scaled = int("scaled" in options.side)
        print(json.dumps(ours(options.data, options.iterations, scaled)))  # noqa: T201
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "crf.npz"
            prepare(path, options.data, options.tokens)
            compare(path, options.iterations, SIDES[:-1] if options.no_peer else SIDES)


def compare(path: Path, iterations: int, sides: Sequence[str]) -> None:
    found = {side: run(side, path, iterations) for side in sides}
    best = min(value for one in found.values() for _, value in one["course"])
    print(f"best objective {-best:,.3f}\n")  # noqa: T201
    print(f"{'':16} {'CPU s':>7} {'steps':>6} {'ms/step':>8} {'MiB':>6}")  # noqa: T201
    seconds = {}
    for side, one in found.items():
        within = [i for i, (_, value) in enumerate(one["course"]) if value <= best * (1 + WITHIN)]
        if not within:
            print(f"{side:16} not within {WITHIN:g} after {iterations} iterations")  # noqa: T201
            continue
        step = within[0]
        seconds[side] = one["course"][step][0]
        print(  # noqa: T201
            f"{side:16} {seconds[side]:7.2f} {step:6} {1000 * seconds[side] / max(step, 1):8.1f} "
            f"{one['memory'] / MIB:6.0f}"
        )
    for side in SIDES[:-1]:
        if side in seconds and SIDES[-1] in seconds:
            ratio = seconds[side] / seconds[SIDES[-1]]
            print(f"{side} takes {ratio:.2f} of the CPU time of {SIDES[-1]}")  # noqa: T201


def run(side: str, data: Path, iterations: int) -> dict:
    root = Path(__file__).resolve().parent.parent
    python = peer_python(PEER, "numpy") if side == "python-crfsuite" else sys.executable
    done = subprocess.run(
        [python, __file__, "--side", side, "--data", str(data), "--iterations", str(iterations)],
        env=os.environ | ONE_THREAD | {"PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


# --- Texts --------------------------------------------------------------------------------------


def prepare(path: Path, data: str | None, n_tokens: int) -> None:
    import numpy as np

    from aggregation.algorithms.sequences.crf import Features

    text, tags, names = read(data) if data else made_up(n_tokens)
    # So that there are about 100,000 of them.
    matrix = Features(**FEATURES, minimum=2 if data else 1).fit_transform(text)
    print(  # noqa: T201
        f"{text.n_tokens:,} tokens in {text.n_sequences:,} sentences, {matrix.shape[1]:,} features "
        f"of which a token has {matrix.nnz / text.n_tokens:.0f}, {len(names)} tags: "
        f"{matrix.shape[1] * len(names):,} weights"
    )
    np.savez(
        path, indices=matrix.indices, indptr=matrix.indptr, n_features=matrix.shape[1],
        starts=text.starts, tags=tags, names=np.array(names),
    )  # fmt: skip


def read(path: str):
    import numpy as np

    from aggregation.algorithms import MVtoken
    from aggregation.algorithms.sequences.crf import Text
    from aggregation.files.readers import read_file

    sequences = read_file(path).sequences
    tags = MVtoken().fit(sequences).predict()
    n = int(np.searchsorted(sequences.starts, N_TOKENS))
    text = Text.of_sequences(sequences).take(np.arange(n))
    return text, tags[: text.n_tokens], sequences.tags


def made_up(n_tokens: int):
    """Words of Zipf's frequency; a name of one to three words, mostly capitalised, of one of four
    types, which its endings and its neighbours tell. One name of twenty has another type's tags."""
    import numpy as np

    from aggregation.algorithms.sequences.crf import Text

    rng = np.random.default_rng(0)
    types = ("LOC", "MISC", "ORG", "PER")
    names = [f"{begin}-{kind}" for begin in "BI" for kind in types] + ["O"]
    parts = ["".join(rng.choice(list("bdfgklmnprstvz"), 2)) for _ in range(60)]
    parts = [part[0] + vowel + part[1] for part in parts for vowel in "aeiou"]
    common = ["".join(rng.choice(parts, rng.integers(1, 4))) for _ in range(40_000)]
    endings = [rng.choice(parts, 25) for _ in types]
    proper = [
        [
            "".join(rng.choice(parts, rng.integers(1, 3))).title() + rng.choice(ends)
            for _ in range(3000)
        ]
        for ends in endings
    ]
    cues = [rng.choice(common[:3000], 40) for _ in types]
    sentences, tags = [], []
    total = 0
    while total < n_tokens:
        words: list[str] = []
        said: list[int] = []
        for _ in range(int(rng.poisson(2)) + 1):
            for rank in np.minimum(rng.zipf(1.15, int(rng.integers(2, 8))), len(common)):
                words.append(common[rank - 1])
            kind = int(rng.integers(4))
            if rng.random() < 0.7:
                words.append(rng.choice(cues[kind]))
            said += [8] * (len(words) - len(said))
            if rng.random() < 0.6:
                size = int(rng.integers(1, 4))
                words += [proper[kind][rank % 3000] for rank in rng.zipf(1.1, size)]
                seen = kind if rng.random() < 0.95 else int(rng.integers(4))
                said += [seen, *[seen + 4] * (size - 1)]
        sentences.append([*words, "."])
        tags += [*said, 8]
        total += len(words) + 1
    return Text.of(sentences), np.array(tags), names


# --- In the measured processes ------------------------------------------------------------------


def ours(data: str, iterations: int, scaled: int) -> dict:
    import numpy as np
    from scipy.sparse import csr_array

    from aggregation.algorithms.sequences.crf.design import Design
    from aggregation.algorithms.sequences.crf.lbfgs import minimise
    from aggregation.algorithms.sequences.crf.objective import Objective, Targets

    imports = peak()
    with np.load(data) as file:
        ends, n_tags = file["indptr"], len(file["names"])
        shape = (len(ends) - 1, int(file["n_features"]))
        features = csr_array((np.ones(ends[-1]), file["indices"], ends), shape=shape)
        targets = Targets.of_tags(file["tags"], file["starts"], n_tags)
        starts = file["starts"]
    began, course = time.process_time(), []
    objective = Objective(
        Design(features, starts), targets, sigma2=1.0,
        moves=np.zeros((n_tags, n_tags)), firsts=np.zeros(n_tags),
    )  # fmt: skip

    def watched(theta):
        value, gradient = objective(theta)
        course.append((time.process_time() - began, value))
        return value, gradient

    units = objective.units() if scaled else None
    minimise(watched, np.zeros(objective.size), max_iter=iterations, tol=0.0, units=units)
    return {"course": course, "memory": peak() - imports}


def theirs(data: str, iterations: int) -> dict:
    import numpy as np
    import pycrfsuite

    imports = peak()

    class Watched(pycrfsuite.Trainer):
        def on_iteration(self, log, info):
            course.append((time.process_time() - began, info["loss"]))

    trainer = Watched(algorithm="lbfgs", verbose=True)
    with np.load(data) as file:
        indices, ends, starts = file["indices"], file["indptr"], file["starts"].tolist()
        names, tags = [str(i) for i in range(int(file["n_features"]))], file["tags"]
        labels = [str(name) for name in file["names"]]
    for a, b in pairwise(starts):
        rows = [[names[j] for j in indices[ends[t] : ends[t + 1]]] for t in range(a, b)]
        if rows:
            rows[0].append("^")  # what our weights of first tags are
            trainer.append(rows, [labels[i] for i in tags[a:b]])
    trainer.set_params(settings(iterations))
    began, course = time.process_time(), []
    with tempfile.NamedTemporaryFile() as model, open(os.devnull, "w") as nothing:
        standard, sys.stdout = sys.stdout, nothing
        trainer.train(model.name)
        sys.stdout = standard
    return {"course": course, "memory": peak() - imports}


def settings(iterations: int) -> dict:
    """Of python-crfsuite: all weights that there can be, σ² = 1, and no early end."""
    return {
        "c1": 0.0,
        "c2": 0.5,  # 1 / (2 σ²)
        "feature.minfreq": 0,
        "feature.possible_states": 1,
        "feature.possible_transitions": 1,
        "max_iterations": iterations,
        "epsilon": 1e-9,
        "delta": 1e-12,
    }


def peak() -> int:
    """Bytes. What `getrusage` says would include the parent."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
    raise OSError("/proc/self/status has no VmHWM")


# --- What the tests compare with ----------------------------------------------------------------

FIXTURE = """
import json, sys, tempfile, pycrfsuite
given = json.load(sys.stdin)
losses = []
class Watched(pycrfsuite.Trainer):
    def on_iteration(self, log, info):
        losses.append(info["loss"])
trainer = Watched(algorithm="lbfgs", verbose=True)
for rows, tags, times in given["sentences"]:
    for _ in range(times):
        trainer.append(rows, tags)
trainer.set_params(given["settings"])
standard, sys.stdout = sys.stdout, open("/dev/null", "w")
with tempfile.NamedTemporaryFile() as model:
    trainer.train(model.name)
    tagger = pycrfsuite.Tagger()
    tagger.open(model.name)
    info = tagger.info()
sys.stdout = standard
print("objective", -losses[-1])
for attribute in ("bias", "suffix=ga", "upper=True", "word=Aldra", "^"):
    print(attribute, [info.state_features.get((attribute, tag)) for tag in given["tags"]])
for tag in given["tags"]:
    print(tag, [info.transitions.get((tag, after)) for after in given["tags"]])
"""


def fixture() -> None:
    from tests.aggregation.algorithms.sequences.crf import sentences

    rows = sentences.attributes()
    for row in rows:
        row[0].append("^")
    given = {
        "sentences": list(zip(rows, sentences.tags(), sentences.TIMES, strict=True)),
        "settings": settings(10_000),
        "tags": sentences.TAGS,
    }
    subprocess.run(
        [peer_python(PEER), "-c", FIXTURE], input=json.dumps(given), text=True, check=True
    )


if __name__ == "__main__":
    main()
