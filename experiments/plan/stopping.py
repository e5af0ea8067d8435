"""Forecasts of campaigns for names in texts whose documents stop where they are sure enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import Aggregator, BSCseq, CrowdSequences, HMMCrowd
from aggregation.files.readers import LabelFile, format_of_name
from experiments.plan.recorded import known_documents
from experiments.plan.trials import GOLD, PILOT, Trial
from selection.algorithms.plan.campaigns import StoppingRule
from selection.algorithms.plan.span_forecasts import (
    Pilot,
    Tagging,
    forecast_spans,
    stopped_documents,
)

Integers = NDArray[np.int64]
Random = np.random.Generator

TAGS = ("B-PER", "I-PER", "O")
LENGTH = 10  # words of a sentence, two of which are a name
SENTENCES, FIRST, KNOWN, WORKERS = 200, 40, 25, 12
LEAST_ERROR, MOST_ERROR = 0.1, 0.35  # share of names that a worker misses, and begins late
KINDS = 100  # of words that are names, that begin a sentence, and of all others
VOCABULARY = tuple(f"{start}{i}" for start in ("Name", "First", "other") for i in range(KINDS))
HARD = 0.2  # of the sentences of every second campaign: workers err there twice as often
LEAST = 2  # answers before a document may stop


def _hmm(part: CrowdSequences) -> Aggregator:
    return HMMCrowd().fit(part)


def _bsc(part: CrowdSequences) -> Aggregator:
    return BSCseq().fit(part)


METHODS: dict[str, Tagging] = {"HMM-Crowd": _hmm, "BSC-seq": _bsc}


def sentences(seed: int, wanted: float) -> Iterator[Trial]:
    """A simulated campaign, forecast by its first documents. F1 is of all, the pilot's too."""
    rng = np.random.default_rng([seed, 77])
    whole = _campaign(rng, hard=seed % 2 * HARD)
    told = np.where(whole.document < KNOWN, whole.gold, -1)
    kind = "sentences, some hard" if seed % 2 else "sentences"
    yield from _trials(kind, whole, told, np.arange(SENTENCES) < FIRST, _hmm, wanted, seed)


def recorded_documents(
    paths: Sequence[Path], orders: int, wanted: float, *, gold: int = GOLD
) -> Iterator[list[Trial]]:
    """An order of a method at a time: a fifth of the documents is the pilot, and F1 is of those
    with gold that it did not use. Raises BadFile, OSError."""
    for path in paths:
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        for each in (file for file in files if format_of_name(file)):
            with LabelFile(str(each)) as file:
                data = file.read(gold=True, repeated="last")
            if data.sequences is None:
                continue
            whole, name = known_documents(data), each.name.split(".")[0]
            for method, tagging in METHODS.items():
                for order in range(orders):
                    kind = f"{name}, {method}"
                    yield list(_in_order(kind, whole, tagging, wanted, order, gold))


def _in_order(
    kind: str, whole: Pilot, tagging: Tagging, wanted: float, order: int, gold: int
) -> Iterator[Trial]:
    rng = np.random.default_rng([order, whole.n_documents])
    first = rng.permutation(whole.n_documents)[: whole.n_documents // PILOT]
    checked = rng.choice(first, min(gold, len(first)), replace=False)
    known = np.isin(whole.document, checked)
    told = np.where(known, whole.gold, -1)
    in_pilot = np.isin(np.arange(whole.n_documents), first)
    truth = np.where(known, -1, whole.gold)
    yield from _trials(kind, whole, told, in_pilot, tagging, wanted, order, truth)


def _trials(
    kind: str,
    whole: Pilot,
    told: Integers,
    in_pilot: NDArray[np.bool_],
    tagging: Tagging,
    wanted: float,
    seed: int,
    truth: Integers | None = None,
) -> Iterator[Trial]:
    """With at most as many answers as a document has: F1, and answers a task."""
    sequences, rule = whole.answers, StoppingRule(LEAST, wanted)
    given = np.unique(whole.document[sequences.token] * sequences.n_workers + sequences.worker)
    most = round(len(given) / whole.n_documents)
    campaign = Pilot(sequences, whole.document, told, whole.known_tags)
    found = forecast_spans(
        campaign.some(in_pilot), tagging, total=whole.n_documents, answers=[most], stopping=rule,
        seed=seed,
    )  # fmt: skip
    if not found.adaptive:
        return
    (point,) = found.adaptive
    rng = np.random.default_rng([seed, 78])
    scored = whole.gold if truth is None else truth
    played = stopped_documents(rng, campaign, tagging, rule, most, 1, scored)[most]
    number, each = point.most, float(played.given.mean())
    yield Trial(f"{kind}: F1", number, played.f1, point.mean, point.low, point.high)
    yield Trial(f"{kind}: answers a task", number, each, point.answers, point.fewest, point.highest)


def _words(rng: Random, gold: Integers) -> Integers:
    """The word of each token: of names, of the first of each sentence, and of all others."""
    part = np.where(gold == TAGS.index("O"), 2, 0)
    part[:, 0] = np.minimum(part[:, 0], 1)
    return np.asarray(part * KINDS + rng.integers(KINDS, size=gold.shape)).ravel()


def _campaign(rng: Random, hard: float) -> Pilot:
    """Sentences with a name of two words; a worker misses it or begins it late. Names are written
    with capitals, as is what begins a sentence."""
    answers, error = int(rng.integers(3, 6)), rng.uniform(LEAST_ERROR, MOST_ERROR)
    gold = np.full((SENTENCES, LENGTH), TAGS.index("O"))
    rows = []
    for d in range(SENTENCES):
        at = rng.integers(LENGTH - 2)
        gold[d, at], gold[d, at + 1] = 0, 1
        errs = min(error * (2 if rng.random() < hard else 1), 0.6)
        for worker in rng.choice(WORKERS, answers, replace=False):
            said = gold[d].copy()
            if rng.random() < errs:
                said[at : at + 2] = TAGS.index("O")
            elif rng.random() < errs:
                said[at : at + 2] = TAGS.index("O"), 0
            rows += [(LENGTH * d + i, worker, tag) for i, tag in enumerate(said)]
    token, worker, label = np.array(rows).T
    starts = np.arange(SENTENCES + 1) * LENGTH
    crowd = CrowdSequences(
        token, worker, label, starts=starts, n_workers=WORKERS, tags=TAGS,
        words=_words(rng, gold), vocabulary=VOCABULARY,
    )  # fmt: skip
    return Pilot(crowd, np.repeat(np.arange(SENTENCES), LENGTH), gold.ravel(), TAGS)
