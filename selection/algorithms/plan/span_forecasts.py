"""How good the spans of a whole campaign will be, by a pilot in which some documents have gold.

Nothing is simulated: with r = 1 … R answers of each document, drawn among the R that there are, the
pilot is aggregated, and F(r) is the F1 of its documents with gold. Their number, not that of the
answers, is what leaves a doubt, so the interval is that of a ratio over documents
(`measures.intervals.ratio_interval`). Beyond R

    logit F(r) = a + b / r,  b <= 0, by least squares over r = 1 … R,

whose step from R on is added to F(R) with half of itself as its standard error.

*Adaptive*, for as many answers as the pilot has: each document begins with the `least` in an order
by lot, and one whose spans' expected F1 is less than `wanted` gets its next one, after which all is
aggregated anew. Expected F1 is a campaign's (`sequences.span_confidences`): weights are divided by
the temperature that the pilot's gold teaches, with the answers that there are by then. Its F1 and
its number of answers are told of the pilot's documents, so that nothing is assumed of how sure a
method may be. A pilot learns where to stop from few names, and a campaign from all: both numbers
have a doubt for that, which falls as the root of the names in the pilot's gold (set by simulation).

The whole campaign has more answers of each worker than its pilot, and what is learnt from them is
better. Half of the pilot's documents tell by how much: with an error that falls as the root of the
number of documents n, F gains (1 - sqrt(n / N)) / (sqrt(2) - 1) times what it gained from n / 2 to
n, as far as that is above 0; half of it is a doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, ndtri

from aggregation.algorithms import Aggregator, CrowdSequences, score_labels
from aggregation.algorithms.measures.heldout import with_labels
from aggregation.algorithms.measures.intervals import f1_interval
from aggregation.algorithms.measures.spans import GOLD, PREDICTED, RIGHT
from aggregation.algorithms.sequences.span_confidences import judged_spans, temperature_of
from aggregation.algorithms.sequences.tokens import sequences_of
from selection.algorithms.plan.campaigns import NEVER, StoppingRule
from selection.algorithms.plan.results import AdaptivePoint, Forecast, Point

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


Tagging = Callable[[CrowdSequences], Aggregator]
DRAWS = 4  # of r answers a document
LEVEL = 0.9
EDGE = 0.01  # of an F1, before its logit
STEP_DOUBT = 0.5  # of what lies beyond the pilot, the part that is its standard error
MOST_GAIN = 0.08  # of F1, from more answers of the same workers
# Of where documents stop, learnt from one name of gold: a standard error of the logit of F1, and of
# the mean number of answers as a share of it.
F1_DOUBT, ANSWERS_DOUBT = 6.5, 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Pilot:
    """`document`, shape (n_tokens,), is the document of each token, from 0; `gold` its tag in
    `known_tags` (those of the answers first), -1 where it is not known."""

    answers: CrowdSequences
    document: Integers
    gold: Integers
    known_tags: Sequence[str]

    @property
    def n_documents(self) -> int:
        return int(self.document.max(initial=-1)) + 1

    def counted(self) -> NDArray[np.bool_]:
        """Tokens of sentences that somebody labelled, shape (n_tokens,)."""
        sentence = self.answers.sequence_of_token()
        some = np.bincount(sentence[self.answers.token], minlength=self.answers.n_sequences) > 0
        return np.asarray(some[sentence])

    def some(self, kept: NDArray[np.bool_]) -> Pilot:
        """Of the documents `kept`, shape (n_documents,), alone, numbered anew."""
        mine = kept[self.document]
        cut, _ = sequences_of(self.answers, mine)
        place = np.cumsum(kept) - 1
        return Pilot(cut, place[self.document[mine]], self.gold[mine], self.known_tags)

    def checked(self) -> NDArray[np.bool_]:
        """Documents of which gold knows all tokens, shape (n_documents,)."""
        unknown = np.bincount(self.document, self.gold < 0, minlength=self.n_documents)
        some = np.bincount(self.document, minlength=self.n_documents) > 0
        return some & (unknown == 0)


def forecast_spans(
    pilot: Pilot,
    tagging: Tagging,
    *,
    total: int,
    answers: Sequence[int],
    stopping: StoppingRule | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    level: float = LEVEL,
) -> Forecast:
    """F1 of strict spans over `total` documents at each number of `answers`; with `stopping` also
    where documents stop, for the numbers that the pilot has.

    Raises ValueError where fewer than two documents have gold: answers alone say nothing of what
    all workers miss.
    """
    checked = pilot.checked()
    if checked.sum() < 2:
        raise ValueError(
            f"{int(checked.sum())} documents of the pilot have gold of all their words, but it "
            "takes 2, and 20 for a useful forecast"
        )
    rng = np.random.default_rng(seed)
    whose = _answers(pilot)
    given = np.bincount(whose.document, minlength=pilot.n_documents)
    each = float(given[given > 0].mean())
    most = max(round(each), 1)
    counts = {r: _counts(rng, pilot, whose, tagging, r, draws if r < most else 1, checked)
              for r in range(1, most + 1)}  # fmt: skip
    gain = _gain(rng, pilot, tagging, total, counts[most], checked)
    slope = _slope([_f1(counts[r]) for r in counts])
    points = []
    for number in sorted(set(answers)):
        rows = counts[min(number, most)]
        beyond = slope * (1 / number - 1 / most) if number > most else 0.0
        points.append(_point(rows, number, beyond, gain, level))
    adaptive: tuple[AdaptivePoint, ...] = ()
    if stopping is not None:
        numbers = [one for one in sorted(set(answers)) if stopping.least < one <= most]
        found = stopped_documents(rng, pilot, tagging, stopping, max(numbers, default=0), draws)
        adaptive = tuple(_adaptive_point(found[one], one, gain, level, total) for one in numbers)
    return Forecast(
        "F1", total, int((given > 0).sum()), each, int(checked.sum()), level, tuple(points),
        *(stopping or NEVER), adaptive,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _Answers:
    """Who answered which document; `of_label` is the answer of each label."""

    document: Integers
    of_label: Integers


def _answers(pilot: Pilot) -> _Answers:
    labels = pilot.answers
    key = pilot.document[labels.token] * np.int64(labels.n_workers) + labels.worker
    known, of_label = np.unique(key, return_inverse=True)
    return _Answers(known // labels.n_workers, of_label)


def _counts(
    rng: np.random.Generator,
    pilot: Pilot,
    whose: _Answers,
    tagging: Tagging,
    r: int,
    draws: int,
    scored: NDArray[np.bool_],
) -> Floats:
    """Right, found and true spans of each scored document, with r answers each, the mean over
    draws."""
    found = []
    for _ in range(draws):
        part = with_labels(pilot.answers, (_ranks(rng, whose) < r)[whose.of_label])
        found.append(_scored(pilot, part, tagging(part).predict(), scored))
    return np.asarray(np.mean(found, axis=0))


def _ranks(rng: np.random.Generator, whose: _Answers) -> Integers:
    """The place of each answer among those of its document, by lot."""
    order = np.lexsort((rng.random(len(whose.document)), whose.document))
    rank = np.empty(len(order), dtype=np.int64)
    first = np.searchsorted(whose.document[order], whose.document[order])
    rank[order] = np.arange(len(order)) - first
    return rank


def _scored(
    pilot: Pilot, part: CrowdSequences, tags: Integers, scored: NDArray[np.bool_]
) -> Floats:
    """Right, found and true spans of each scored document."""
    labelled = _labelled(part)
    outside = part.n_classes - 1
    counted = scored[pilot.document] & pilot.counted()
    counts = score_labels(
        np.where(counted & labelled, tags, outside),
        np.where(counted, pilot.gold, outside),
        pilot.known_tags,
        part.starts,
        groups=pilot.document,
    ).counts.sum(axis=1)
    return np.asarray(counts[scored][:, [RIGHT, PREDICTED, GOLD]])


def _labelled(part: CrowdSequences) -> NDArray[np.bool_]:
    found = np.zeros(part.n_tokens, dtype=bool)
    found[part.token] = True
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Stopped:
    """`rows` are right, found and true spans of each document that is scored, the mean over draws;
    `given` how many answers each document got, shape (draws, n_documents)."""

    rows: Floats
    given: Floats

    @property
    def f1(self) -> float:
        return _f1(self.rows)


def stopped_documents(
    rng: np.random.Generator,
    pilot: Pilot,
    tagging: Tagging,
    stopping: StoppingRule,
    most: int,
    draws: int,
    truth: Integers | None = None,
) -> dict[int, Stopped]:
    """With at most each number of answers, from one more than the least to `most`. A document with
    fewer than that of its own has all it can get. Where `truth` is given it is scored by this; the
    temperature is learnt from the pilot's gold."""
    whose = _answers(pilot)
    scoring = pilot if truth is None else replace(pilot, gold=truth)
    checked = scoring.checked()
    has = np.bincount(whose.document, minlength=pilot.n_documents)
    rows: dict[int, list[Floats]] = {}
    used: dict[int, list[Integers]] = {}
    for _ in range(draws if most > stopping.least else 0):
        rank = _ranks(rng, whose)
        given = np.minimum(has, stopping.least)
        for number in range(stopping.least, most + 1):
            part = with_labels(pilot.answers, (rank < given[whose.document])[whose.of_label])
            fitted = tagging(part)
            tags = fitted.predict()
            if number > stopping.least:
                rows.setdefault(number, []).append(_scored(scoring, part, tags, checked))
                used.setdefault(number, []).append(given)
            given = np.minimum(given + (_sure(pilot, part, fitted, tags) < stopping.wanted), has)
    some = has > 0
    return {
        number: Stopped(
            np.asarray(np.mean(rows[number], axis=0)), np.stack(used[number])[:, some].astype(float)
        )
        for number in rows
    }


def _sure(pilot: Pilot, part: CrowdSequences, fitted: Aggregator, tags: Integers) -> Floats:
    """The expected F1 of each document, shape (n_documents,), as a campaign's tasks are judged."""
    temperature = temperature_of(fitted, part, pilot.gold)
    _, spans = judged_spans(fitted, part, tags, None, temperature)
    return spans.expected(pilot.document, pilot.n_documents).f1()


def _gain(
    rng: np.random.Generator,
    pilot: Pilot,
    tagging: Tagging,
    total: int,
    rows: Floats,
    checked: NDArray[np.bool_],
) -> float:
    """What F1 gains from the pilot to the whole campaign. Each half of the documents is looked at
    by itself, and scored where it has gold."""
    n = pilot.n_documents
    half = rng.permutation(n) < n // 2
    parts = [pilot.some(part) for part in (half, ~half) if (checked & part).any()]
    halves = np.concatenate([
        _counts(rng, part, _answers(part), tagging, part.answers.n_workers, 1, part.checked())
        for part in parts
    ])  # fmt: skip
    more = max(_f1(rows) - _f1(halves), 0.0)
    whole = np.sqrt(min(n / max(total, n), 1.0))
    return float(min(more * (1 - whole) / (np.sqrt(2) - 1), MOST_GAIN))


def _f1(rows: Floats) -> float:
    right, found, true = rows.sum(axis=0)
    return float(2 * right / (found + true)) if found + true else 0.0


def _slope(f1: ArrayLike) -> float:
    """b of logit F(r) = a + b / r, at most 0; 0 of one r alone."""
    y = logit(np.clip(f1, EDGE, 1 - EDGE))
    if len(y) < 2:
        return 0.0
    x = 1 / np.arange(1, len(y) + 1)
    x = x - x.mean()
    return float(min((x * y).sum() / (x * x).sum(), 0.0))


def _point(
    rows: Floats, number: int, beyond: float, gain: float, level: float, stopping: float = 0.0
) -> Point:
    """`stopping` is a standard error of the logit, beside those of `beyond` and `gain`."""
    value = _f1(rows)
    right, found, true = rows.T
    low, high = f1_interval(right, found, true, level) or (0.0, 1.0)
    ends = np.clip([low, value, high], EDGE / 10, 1 - EDGE / 10)
    low, middle, high = logit(ends).tolist()
    step = float(logit(min(value + gain, 1 - EDGE / 10)) - middle) if gain else 0.0
    centre = middle + beyond + step
    spread = np.hypot(STEP_DOUBT * np.hypot(beyond, step), stopping)
    doubt = float(ndtri((1 + level) / 2)) * spread
    low = centre - np.hypot(middle - low, doubt)
    high = centre + np.hypot(high - middle, doubt)
    return Point(number, *(float(expit(end)) for end in (centre, low, high)))


def _adaptive_point(
    found: Stopped, number: int, gain: float, level: float, total: int
) -> AdaptivePoint:
    """The mean number of answers is doubted by the documents that the pilot happens to have, by the
    lot of its orders, and by what few names teach of where to stop."""
    few = 1 / np.sqrt(max(float(found.rows[:, 2].sum()), 1.0))
    quality = _point(found.rows, number, 0.0, gain, level, F1_DOUBT * few)
    draws, documents = found.given.shape
    mean = float(found.given.mean())
    left = max(1.0 - documents / total, 0.0)  # of the documents the others are not known
    variance = found.given.mean(axis=0).var(ddof=1) / documents * left
    variance += found.given.mean(axis=1).var(ddof=1) / draws if draws > 1 else 0.0
    variance += (ANSWERS_DOUBT * few * mean) ** 2
    wide = float(ndtri((1 + level) / 2) * np.sqrt(variance))
    fewest, highest = np.clip([mean - wide, mean + wide], found.given.min(), number).tolist()
    return AdaptivePoint(number, mean, fewest, highest, quality.mean, quality.low, quality.high)
