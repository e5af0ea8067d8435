"""How sure the spans of a consensus are: the probability that words and type of each are right.

It follows from the fit's chain (`potentials`), all of whose weights are divided by one number, the
temperature T. Workers err together, so that without it everything is taken for surer than it is;
and the answers can't tell by how much. So T is stated, for each method, from one crowd whose truth
is known (`span_temperature` of a method), and each document with gold teaches it: T is the one of
a geometric row of TEMPERATURES with the least

    Σ_documents (mean of −ln max(p_T[gold], 1e-6) over its tokens)  +  (ln T − ln T₀)² / (2 · .7²)

where T₀ is the stated one. A value that was fitted to gold looks good on the same gold, so what is
shown of it comes from folds: each document is judged with the T of the other folds (`checked`).
Gold must not have been clamped in the fit that T is learnt from: it would be sure of it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.categorical.confidences import Calibrated
from aggregation.algorithms.categorical.dawid_skene import DawidSkene
from aggregation.algorithms.data import UNKNOWN, CrowdSequences
from aggregation.algorithms.fitted_state import Restorable
from aggregation.algorithms.measures.calibration import Calibration, calibration_of
from aggregation.algorithms.measures.certainty import SMALL, Expected
from aggregation.algorithms.measures.spans import find_spans, tag_parts
from aggregation.algorithms.results import Aggregator
from aggregation.algorithms.sequences.potentials import Potentials
from aggregation.algorithms.sequences.tokens import first_tokens

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TEMPERATURES: Floats = np.geomspace(0.5, 16.0, 51)
TOKEN_TEMPERATURE = 1.9  # stated for Dawid and Skene, token by token
UNTEMPERED = 1.0  # of methods for which nothing was measured
SPREAD = 0.7  # standard deviation of ln T about the stated one
CLIP = 1e-6
PIECE = 2**18  # labels of sequences that are looked at at a time
FOLDS = 5
LEAST_FOR_FOLDS = 10  # documents with gold; with fewer each is a fold
LEAST_CHECK = 5  # documents with gold; with fewer nothing counts as checked


@runtime_checkable
class Chained(Protocol):
    """A method whose fit is a chain over each sequence."""

    span_temperature: float

    def potentials(self, sequences: CrowdSequences, *, gold: Ints | None = None) -> Potentials:
        """Those of the sequences of the fit; `gold` is what was clamped."""


@dataclass(frozen=True, slots=True)
class Spans:
    """The spans of a tagging, in the order of their first tokens.

    Attributes
    ----------
    start, end, kind : arrays of shape (n_spans,)
        `end` is the first token after it; `kind` numbers the types by name.
    sure : array of shape (n_spans,)
        P(the span's words and its type are right).
    begun : array of shape (n_tokens,)
        P(a true span begins here); their sum is how many true spans there are.
    """

    start: Ints
    end: Ints
    kind: Ints
    sure: Floats
    begun: Floats

    def expected(self, task: Ints, n_tasks: int) -> Expected:
        """Expected counts of tasks; `task`, shape (n_tokens,), numbers the task of each token."""
        of = task[self.start]
        nothing = np.log(np.maximum(1.0 - self.begun, SMALL))
        return Expected(
            right=np.bincount(of, self.sure, n_tasks).astype(np.float64),
            predicted=np.bincount(of, minlength=n_tasks).astype(np.float64),
            true=np.bincount(task, self.begun, n_tasks).astype(np.float64),
            nothing=np.exp(np.bincount(task, nothing, n_tasks).astype(np.float64)),
        )

    def hits(self, true: set[tuple[int, int, int]], kept: NDArray[np.bool_]) -> list[bool]:
        """Of each that is kept, whether it is one of the true ones."""
        places = zip(self.start.tolist(), self.end.tolist(), self.kind.tolist(), strict=True)
        return [place in true for place, keep in zip(places, kept, strict=True) if keep]

    def expected_f1(self) -> float | None:
        """2 Σ sure / (spans found + spans there are); None where there are none of either."""
        both = len(self.start) + float(self.begun.sum())
        return 2.0 * float(self.sure.sum()) / both if both > 0 else None


@dataclass(frozen=True, slots=True)
class SpanCheck:
    """Spans of documents with gold, as folds judge them that had no part in T.

    Attributes
    ----------
    spans : Calibration
        Of the spans that were found.
    entities, others : Calibration
        Of the words whose tag is part of a span, and of those outside.
    expected_f1, f1 : float or None
        Of all these documents together.
    before : Calibration or None
        Of the spans with the stated T, which no gold has taught; None where only a file is known.
    """

    spans: Calibration
    entities: Calibration
    others: Calibration
    expected_f1: float | None
    f1: float | None
    before: Calibration | None = None


@dataclass(frozen=True, slots=True)
class SpanConfidences:
    """Attributes
    ----------
    posterior : array of shape (n_tokens, n_tags)
        P(tag), tempered. Rows sum to 1. What was chosen need not be the most probable: tags are
        chosen for a sequence as a whole.
    spans : Spans
        Those that the method chose, of tokens that somebody judged or that were clamped.
    temperature, stated : float
        What was used, and what would have been used without gold.
    documents : int
        With gold from which T was learnt.
    checked : SpanCheck or None
        None without gold.
    """

    posterior: Floats
    spans: Spans
    temperature: float
    stated: float
    documents: int
    checked: SpanCheck | None

    @property
    def is_checked(self) -> bool:
        return self.documents >= LEAST_CHECK

    @classmethod
    def of(
        cls,
        fitted: Aggregator,
        sequences: CrowdSequences,
        *,
        gold: Ints | None = None,
        told: Ints | None = None,
        unclamped: Aggregator | None = None,
        seed: int = 0,
    ) -> SpanConfidences:
        """`fitted` is a fit of `sequences`; `gold`, shape (n_tokens,), the tags that T may be
        learnt from, -1 for the others, and `told` what was clamped in the fit. Then T is learnt
        from `unclamped`, a fit without, and from nothing where there is none."""
        judged = _judged(sequences, told)
        stated = stated_temperature(fitted)
        teacher = fitted if told is None or not (told != UNKNOWN).any() else unclamped
        temperature, documents, checked = stated, 0, None
        if gold is not None and teacher is not None:
            learnt = _Lesson.of(teacher, sequences, gold, judged, stated)
            if learnt is not None:
                temperature, documents = learnt.temperature(), len(learnt.losses)
                checked = learnt.checked(seed)
        spans, posterior = _spans_of(fitted, sequences, told, temperature, judged)
        return cls(posterior, spans, temperature, stated, documents, checked)

    def sentence(self) -> str:
        """For people: whether gold says so too; and where the stated T counts, whose it is."""
        if self.is_checked:
            return f"Confidences are calibrated on {self.documents:,} documents with gold."
        if self.stated == UNTEMPERED:
            return "Confidences are not checked against gold."
        taught = f" and {self.documents:,} with gold" if self.documents else " alone"
        return (
            "Confidences are not checked against gold: how sure a span is was set on news "
            f"articles{taught} (T = {self.temperature:.1f})."
        )


@dataclass(slots=True)
class CalibratedSpans(Calibrated):
    """A fit with the tempered posterior, and its spans."""

    spans: Spans

    @classmethod
    def with_spans(cls, fitted: Aggregator, posterior: Floats, spans: Spans) -> CalibratedSpans:
        return cls(posterior, fitted.reliability_, fitted.diagnostics_, fitted.predict(), spans)


def judged_spans(
    fitted: Aggregator | Restorable,
    sequences: CrowdSequences,
    chosen: Ints,
    gold: Ints | None,
    temperature: float,
) -> tuple[Floats, Spans]:
    """Posterior and spans of sequences that came after the fit, with the temperature of its run;
    `chosen` are their tags as the fit chooses them."""
    if isinstance(fitted, Chained):
        potentials = fitted.potentials(sequences, gold=gold)
    elif isinstance(fitted, Restorable):  # token by token
        posterior = fitted.infer(sequences.token_labels(), gold=gold)
        potentials = Potentials.apart(posterior, sequences.starts, sequences.tags)
    else:
        potentials = potentials_of(fitted, sequences)
    spans, tempered = _spans(potentials.tempered(temperature), chosen, _judged(sequences, gold))
    return tempered, spans


def _judged(sequences: CrowdSequences, told: Ints | None) -> NDArray[np.bool_]:
    """Of which tokens something is known."""
    found = sequences.token_labels().labelled()
    return found if told is None else found | (told != UNKNOWN)


def stated_temperature(fitted: Aggregator) -> float:
    """What is used without gold; UNTEMPERED where nothing was measured."""
    if isinstance(fitted, DawidSkene):
        return TOKEN_TEMPERATURE
    return float(getattr(fitted, "span_temperature", UNTEMPERED))


def temperature_of(fitted: Aggregator, sequences: CrowdSequences, gold: Ints | None) -> float:
    """T alone, of a fit of `sequences` in which nothing was clamped."""
    stated = stated_temperature(fitted)
    if gold is None:
        return stated
    learnt = _Lesson.of(fitted, sequences, gold, _judged(sequences, None), stated)
    return stated if learnt is None else learnt.temperature()


def potentials_of(
    fitted: Aggregator, sequences: CrowdSequences, told: Ints | None = None
) -> Potentials:
    """Of a fit of these sequences. Where it is no chain, its tokens know nothing of each other."""
    if isinstance(fitted, Chained):
        return fitted.potentials(sequences, gold=told)
    return Potentials.apart(fitted.posterior_, sequences.starts, sequences.tags)


def _spans_of(
    fitted: Aggregator,
    sequences: CrowdSequences,
    told: Ints | None,
    temperature: float,
    judged: NDArray[np.bool_],
) -> tuple[Spans, Floats]:
    """Of the sequences of the fit. Where they are many, and the fit can tell of some sequences by
    themselves, it is done in pieces, for messages take several times as much memory as the
    posterior; and then the fit's own, which is as large, is let go: the tempered one takes its
    place."""
    chosen = fitted.predict()
    n_pieces = -(-sequences.n_labels // PIECE)
    if n_pieces < 2 or not (isinstance(fitted, Chained) and isinstance(fitted, Restorable)):
        potentials = potentials_of(fitted, sequences, told).tempered(temperature)
        return _spans(potentials, chosen, judged)
    posterior = fitted.posterior_
    found, first = [], 0
    for piece in sequences.shards(n_pieces):
        own = slice(first, first + piece.n_tokens)
        potentials = fitted.potentials(piece, gold=None if told is None else told[own])
        spans, posterior[own] = _spans(potentials.tempered(temperature), chosen[own], judged[own])
        found.append(replace(spans, start=spans.start + first, end=spans.end + first))
        first = own.stop
    names = [field.name for field in fields(Spans)]
    return Spans(*(np.concatenate([getattr(one, n) for one in found]) for n in names)), posterior


def _spans(potentials: Potentials, chosen: Ints, judged: NDArray[np.bool_]) -> tuple[Spans, Floats]:
    """What nobody judged is outside all spans."""
    tags = potentials.tags
    path = np.where(judged, chosen, len(tags) - 1)
    start, end, kind = find_spans(path, tags, first_tokens(potentials.starts, len(path)))
    sure, posterior = potentials.spans(start, end, kind)
    begun = np.where(judged, posterior[:, tag_parts(tags)[0]].sum(axis=1), 0.0)
    return Spans(start, end, kind, sure, begun), posterior


@dataclass(frozen=True, slots=True)
class _Lesson:
    """Documents with gold.

    `losses`, shape (n_documents, n_temperatures): mean of −ln p(gold) over the tokens of each.
    `document`, shape (n_tokens,), is the document of each token of theirs, by its place in
    `losses`; `gold`, `chosen` and `judged` are of these tokens too.
    """

    potentials: Potentials
    losses: Floats
    document: Ints
    gold: Ints
    chosen: Ints
    judged: NDArray[np.bool_]
    stated: float

    @classmethod
    def of(
        cls,
        fitted: Aggregator,
        sequences: CrowdSequences,
        gold: Ints,
        judged: NDArray[np.bool_],
        stated: float,
    ) -> _Lesson | None:
        """None without gold. Gold of tags that nobody gave teaches nothing here."""
        of_sequence = sequences.document_of_sequence()
        of_token = of_sequence[sequences.sequence_of_token()]
        told = (gold >= 0) & (gold < sequences.n_classes) & judged
        taught = np.flatnonzero(np.bincount(of_token, told, sequences.n_documents) > 0)
        if not taught.size:
            return None
        own = np.flatnonzero(np.isin(of_sequence, taught))
        kept = np.isin(of_token, taught)
        document = np.searchsorted(taught, of_token[kept])
        potentials = potentials_of(fitted, sequences).of(own)
        truth, counts = np.where(told, gold, UNKNOWN)[kept], told[kept]
        losses = np.empty((len(taught), len(TEMPERATURES)))
        size = np.bincount(document[counts], minlength=len(taught))
        for i, temperature in enumerate(TEMPERATURES):
            p = potentials.tempered(temperature).posterior()[counts, truth[counts]]
            nats = -np.log(np.maximum(p, CLIP))
            losses[:, i] = np.bincount(document[counts], nats, len(taught)) / size
        return cls(
            potentials,
            losses,
            document,
            truth,
            fitted.predict()[kept],
            judged[kept],
            stated,
        )

    def temperature(self, without: NDArray[np.bool_] | None = None) -> float:
        """By all documents, or those that are not left out."""
        losses = self.losses if without is None else self.losses[~without]
        far = np.log(TEMPERATURES / self.stated) / SPREAD
        return float(TEMPERATURES[int((losses.sum(axis=0) + far**2 / 2).argmin())])

    def checked(self, seed: int) -> SpanCheck:
        """Only gold of whole sequences says whether a span is right."""
        n, tags = len(self.losses), self.potentials.tags
        fold = np.arange(n) % (n if n < LEAST_FOR_FOLDS else FOLDS)
        fold = np.random.default_rng(seed).permutation(fold)
        starts = self.potentials.starts
        sequence = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        unknown = np.bincount(sequence, self.gold < 0, len(starts) - 1) > 0
        first = first_tokens(starts, len(self.gold))
        truth = np.where(self.gold < 0, len(tags) - 1, self.gold)
        true = set(zip(*(a.tolist() for a in find_spans(truth, tags, first)), strict=True))
        known = self.judged & ~unknown[sequence]
        sure, right, begun, found = [], [], 0.0, 0
        words, hits = np.zeros(len(self.gold)), self.chosen == self.gold
        by_fold = {k: self.temperature(fold == k) for k in np.unique(fold).tolist()}
        for k, temperature in by_fold.items():
            own = fold[self.document] == k
            spans, posterior = _spans(
                self.potentials.tempered(temperature), self.chosen, self.judged & own
            )
            inside = known[spans.start] & own[spans.start]
            sure += spans.sure[inside].tolist()
            right += spans.hits(true, inside)
            begun += float(spans.begun[known & own].sum())
            found += int(inside.sum())
            words[own] = posterior[own, self.chosen[own]]
        untaught, _ = _spans(self.potentials.tempered(self.stated), self.chosen, self.judged)
        counted = known[untaught.start]
        n_true = sum(bool(known[place[0]]) for place in true)
        entity = known & (self.chosen < len(tags) - 1)
        other = known & (self.chosen == len(tags) - 1)
        return SpanCheck(
            spans=calibration_of(sure, right),
            entities=calibration_of(words[entity], hits[entity]),
            others=calibration_of(words[other], hits[other]),
            expected_f1=2 * sum(sure) / (found + begun) if found + begun > 0 else None,
            f1=2 * sum(right) / (found + n_true) if found + n_true else None,
            before=calibration_of(untaught.sure[counted], untaught.hits(true, counted)),
        )
