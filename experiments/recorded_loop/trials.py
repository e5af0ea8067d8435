"""One way round after the other: choose articles, reveal what workers said of them, infer labels,
learn a tagger, score both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import BSCseq, CrowdSequences, HMMCrowd
from aggregation.algorithms.measures.spans import score_labels
from aggregation.algorithms.sequences.span_confidences import SpanConfidences
from aggregation.algorithms.sequences.tokens import tokens_of
from aggregation.methods.words import default_for_spans
from experiments.recorded_loop.recording import Integers, Recording
from selection.algorithms import (
    DiverseUncertainty,
    DocumentTags,
    EntityTagger,
    FacilityLocation,
    Labelled,
    Picker,
    Pool,
    Random,
    Uncertainty,
)
from selection.algorithms.learners.scoring import span_counts

Floats = NDArray[np.float64]

RANDOM, ALL = "random", "all"
METHODS = {"hmm-crowd": HMMCrowd, "bsc-seq": BSCseq}
# With start_size=1 of 3 times as many uncertain articles as are wanted at first, and fewer later:
# of 16 times as many, the usual number, a pool of 150 has none.
WIDTH = 16.0
ITERATIONS = 50  # of a tagger's fit: with 100 its F1 is the same to .001, in three times the time


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """What is known after a round.

    Attributes
    ----------
    budget : articles of average length, answers of average number; 0: all
    labels : array of shape (n_chosen, 5)
        The columns of `spans.SpanCounts`: what was inferred of each chosen article beside gold.
    tagger : array of shape (n_scored, 5)
        The same of the tagger on the articles that are only scored.
    """

    seed: int
    method: str
    budget: float
    articles: int
    answers: int
    words: int
    labels: Floats
    tagger: Floats


def picker_of(name: str, pool: Pool, tagger: EntityTagger, seed: int) -> Picker:
    """What a loop picks by, once the random articles of its start are labelled."""
    start = Random(pool, seed=seed)
    pickers: dict[str, Callable[[], Picker]] = {
        RANDOM: lambda: start,
        "facility-location": lambda: FacilityLocation(pool, seed=seed),
        "diverse-uncertainty": lambda: DiverseUncertainty(
            pool, learner=tagger, start_size=1, width=WIDTH, seed=seed
        ),
        "uncertainty": lambda: Uncertainty(pool, learner=tagger, start=start),
    }
    return pickers[name]()


PICKERS = (RANDOM, "facility-location", "diverse-uncertainty", "uncertainty")


def run_loop(
    recording: Recording,
    method: str,
    budgets: Sequence[float],
    seed: int,
    *,
    iterations: int = ITERATIONS,
    advance: Callable[[int], None] = lambda number: None,
) -> Iterator[Point]:
    """A point for each of the rising `budgets`: what they are spent on by the picker."""
    pool = recording.pool()
    tagger = EntityTagger(tags=recording.crowd.tags, max_iter=iterations)
    picker, start = picker_of(method, pool, tagger, seed), Random(pool, seed=seed)
    chosen = np.zeros(0, dtype=np.int64)
    known = Labelled()
    for budget in budgets:
        free = np.setdiff1d(recording.free, chosen)
        left = budget - float(pool.cost[chosen].sum())
        choose = picker if len(chosen) else start
        found = choose.pick(known, chosen[:0], free, left)
        chosen = np.concatenate((chosen, found.items))
        posterior, labels = inferred(recording, chosen)
        targets = DocumentTags(posterior, recording.examples.token_starts())[chosen]
        known = Labelled(chosen, targets)
        yield _point(recording, method, budget, seed, chosen, targets, labels, tagger)
        advance(1)


def run_all(recording: Recording, *, iterations: int = ITERATIONS) -> Point:
    tagger = EntityTagger(tags=recording.crowd.tags, max_iter=iterations)
    posterior, labels = inferred(recording, recording.free)
    targets = DocumentTags(posterior, recording.examples.token_starts())[recording.free]
    return _point(recording, ALL, 0, 0, recording.free, targets, labels, tagger)


def _point(
    recording: Recording,
    method: str,
    budget: float,
    seed: int,
    chosen: Integers,
    targets: DocumentTags,
    labels: Floats,
    tagger: EntityTagger,
) -> Point:
    examples = recording.examples
    fitted = tagger.fit(examples[chosen], targets)
    scored = recording.scored
    counts = span_counts(fitted, examples[scored], recording.gold_of(scored), recording.tags)
    return Point(
        seed=seed,
        method=method,
        budget=budget,
        articles=len(chosen),
        answers=int(recording.answers[chosen].sum()),
        words=int(recording.words[chosen].sum()),
        labels=labels,
        tagger=counts,
    )


def inferred(recording: Recording, chosen: Integers) -> tuple[Floats, Floats]:
    """P(tag) of all tokens, NaN of what nobody judged, from the answers to the chosen articles
    alone; and of each of these articles how the most probable tags compare with gold."""
    crowd, starts = recording.crowd, recording.examples.token_starts()
    tokens, edges = tokens_of(starts, chosen)
    place = np.full(crowd.n_tokens, -1)
    place[tokens] = np.arange(len(tokens))
    kept = place[crowd.token] >= 0
    text = recording.examples[chosen].text
    revealed = CrowdSequences(
        place[crowd.token[kept]],
        crowd.worker[kept],
        crowd.label[kept],
        starts=text.starts,
        n_workers=crowd.n_workers,
        tags=crowd.tags,
        words=text.words,
        vocabulary=text.vocabulary,
        documents=text.documents,
    )
    fitted: Any = _method(revealed).fit(revealed)
    sure = SpanConfidences.of(fitted, revealed)  # tempered, as a campaign's run stores it
    posterior = np.full((crowd.n_tokens, len(crowd.tags)), np.nan)
    judged = revealed.token_labels().labelled()
    posterior[tokens[judged]] = sure.posterior[judged]
    article = np.repeat(np.arange(len(chosen)), np.diff(edges))
    counts = score_labels(
        fitted.predict(), recording.gold[tokens], recording.tags, text.starts, groups=article
    ).counts.sum(axis=1)
    return posterior, counts


def _method(revealed: CrowdSequences) -> Any:
    """By the rule of a campaign that asks for more answers where there is doubt: without the method
    that learns from the texts too, which takes minutes."""
    words = revealed.n_labels
    workers = max(len(np.unique(revealed.worker)), 1)
    return METHODS[default_for_spans(words / workers, words=words, adaptive=True).method]()
