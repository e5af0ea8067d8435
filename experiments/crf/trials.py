"""The experiments of Rodrigues, Pereira and Ribeiro, *Sequence labeling with multiple annotators*,
Machine Learning 95 (2014), section 4, and what they come to.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import CrowdSequences
from aggregation.algorithms.measures.spans import GOLD, PREDICTED, RIGHT, score_labels
from aggregation.algorithms.sequences.crf.tagger import Tagger
from experiments.crf.annotators import (
    FLIPS,
    VARIANCES,
    annotators_f1,
    flipped_tags,
    noisy_tags,
    of_everybody,
    of_one_a_document,
    of_one_each,
)
from experiments.crf.contenders import COMPARED, CONTENDERS, GOLD_FIELD, Case, gold_tagger
from experiments.crf.corpus import Corpus, Half
from experiments.crf.significance import paired_p, residuals, share_p, standard_error

Floats = NDArray[np.float64]
TRAIN, TEST = "train", "test"
# Of each share (precision, recall, F1), which counts are its part and its whole.
SHARES = (((RIGHT,), (PREDICTED,)), ((RIGHT,), (GOLD,)), ((RIGHT, RIGHT), (PREDICTED, GOLD)))


@dataclass(frozen=True, slots=True)
class Experiment:
    """`title` in words; whether texts are labelled `repeated`ly, whether something is `drawn` anew
    in each repeat, and whether it is of a `real` crowd."""

    title: str
    repeated: bool
    drawn: bool
    real: bool


EXPERIMENTS = {
    "noise": Experiment(
        "Annotators simulated by Gaussian noise on the weights of a CRF of the truth; each labels "
        "all texts", repeated=True, drawn=True, real=False,
    ),
    "noise-single": Experiment(
        "Annotators simulated by Gaussian noise on the weights of a CRF of the truth; each labels "
        "documents of their own", repeated=False, drawn=True, real=False,
    ),
    "flips": Experiment(
        "Annotators simulated by flipping inside and outside of tokens; each labels all texts",
        repeated=True, drawn=True, real=False,
    ),
    "crowd": Experiment("The real crowd", repeated=True, drawn=False, real=True),
    "crowd-single": Experiment(
        "The real crowd, of whom one at random labels each document",
        repeated=False, drawn=True, real=True,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TrialPlan:
    """What to run. `variances` are those of the simulated annotators' noise; `settings_of` methods
    are those that are not to be as usual."""

    name: str
    methods: tuple[str, ...] = tuple(CONTENDERS)
    repeats: int = 3
    seed: int = 0
    variances: tuple[float, ...] = VARIANCES
    settings_of: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def experiment(self) -> Experiment:
        return EXPERIMENTS[self.name]

    @property
    def n_runs(self) -> int:
        """Where nothing is drawn all repeats would be the same."""
        return self.repeats if self.experiment.drawn else 1

    @property
    def settings(self) -> tuple[float, ...]:
        """Of each simulated annotator: their variance, or how often they flip."""
        if self.experiment.real:
            return ()
        return FLIPS if self.name == "flips" else self.variances

    def absences(self, corpus: Corpus) -> dict[str, str]:
        """The methods that don't apply, and why."""
        reasons = {
            name: CONTENDERS[name].absence(
                repeated=self.experiment.repeated,
                complete=self.experiment.repeated and not self.experiment.real,
                n_types=corpus.n_types,
            )
            for name in self.methods
        }
        return {name: reason for name, reason in reasons.items() if reason}


@dataclass(frozen=True, slots=True, eq=False)
class Trials:
    """
    Attributes
    ----------
    methods : those that apply
    counts : for "train" and "test" an array of shape (n_runs, n_methods, n_documents, 5)
        The columns of `spans.SpanCounts`, over all types.
    true_f1 : array of shape (n_runs, n_annotators)
        Of each annotator against the truth, in per cent; NaN of one who labelled nothing.
    found_f1 : array of shape (n_runs, n_methods, n_annotators)
        The same against what the method takes for the truth.
    seconds : array of shape (n_runs, n_methods)
        Of CPU, for learning and tagging.
    by_document : whether documents, not runs, say how sure the figures are
    notes : what methods said of their fits, such as that another one stood in
    """

    methods: tuple[str, ...]
    counts: Mapping[str, Floats]
    true_f1: Floats
    found_f1: Floats
    seconds: Floats
    by_document: bool
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def n_runs(self) -> int:
        return len(self.seconds)

    def shares(self, half: str, method: str) -> Floats:
        """Precision, recall and F1 in per cent, shape (n_runs, 3); 0 of nothing."""
        sums = self._of(half, method).sum(axis=1)
        fit = np.zeros((self.n_runs, len(SHARES)))
        for i, (part, whole) in enumerate(SHARES):
            above, below = sums[:, part].sum(axis=1), sums[:, whole].sum(axis=1)
            np.divide(100.0 * above, below, out=fit[:, i], where=below > 0)
        return fit

    def error(self, half: str, method: str) -> Floats:
        """The standard error of the mean of `shares`, shape (3,); NaN of a single run, unless
        documents take the place of runs."""
        if not self.by_document:
            return standard_error(self.shares(half, method))
        return standard_error(
            np.stack([100.0 * residuals(*pair) for pair in self._parts(half, method)], axis=1)
        )

    def p_value(self, half: str, method: str) -> float:
        """Of the paired t-test of F1 against CRF-MA's; NaN without one."""
        if method == COMPARED or COMPARED not in self.methods:
            return float("nan")
        if not self.by_document:
            return paired_p(self.shares(half, COMPARED)[:, 2], self.shares(half, method)[:, 2])
        return share_p(self._parts(half, COMPARED)[2], self._parts(half, method)[2])

    def rmse(self, method: str) -> Floats:
        """Of the annotators' F1 as the method finds them, in points, shape (n_runs,)."""
        off = self.found_f1[:, self.methods.index(method)] - self.true_f1
        known = np.isfinite(off)
        squares = np.where(known, off, 0.0) ** 2
        return np.asarray(np.sqrt(squares.sum(axis=1) / np.maximum(known.sum(axis=1), 1)))

    def _of(self, half: str, method: str) -> Floats:
        return self.counts[half][:, self.methods.index(method)]

    def _parts(self, half: str, method: str) -> list[tuple[Floats, Floats]]:
        """Part and whole of each share by document, in the only run."""
        (counts,) = self._of(half, method)
        return [
            (counts[:, part].sum(axis=1), counts[:, whole].sum(axis=1)) for part, whole in SHARES
        ]


def run_trials(
    plan: TrialPlan, corpus: Corpus, advance: Callable[[int], None] = lambda number: None
) -> Trials:
    """Each run has a seed of its own, so that more runs leave the first ones as they were."""
    absent = plan.absences(corpus)
    methods = tuple(name for name in plan.methods if name not in absent)
    if not methods:
        reasons = "; ".join(f"{CONTENDERS[name].title}: {why}" for name, why in absent.items())
        raise ValueError(f"None of the methods applies to '{plan.name}' ({reasons}).")
    for name, settings in plan.settings_of.items():
        CONTENDERS[name].made(settings, plan.seed)  # what is wrong with them is told at once
    began = time.process_time()
    gold = gold_tagger(corpus.train, corpus.tags)
    seconds_of_gold = time.process_time() - began
    counts: dict[str, list[Floats]] = {TRAIN: [], TEST: []}
    true_f1, found_f1, seconds = [], [], []
    notes: dict[str, dict[str, None]] = {}  # each once, in order
    for run in range(plan.n_runs):
        rng = np.random.default_rng([plan.seed, run])
        crowd = _crowd(plan, corpus, gold, rng)
        case = Case(corpus.train, crowd, gold, plan.seed + run)
        true_f1.append(annotators_f1(crowd, corpus.train.gold))
        rows = list(_outcomes(plan, methods, case, corpus, advance))
        for half in counts:
            counts[half].append(np.stack([row.counts[half] for row in rows]))
        found_f1.append(np.stack([row.found_f1 for row in rows]))
        seconds.append([row.seconds for row in rows])
        for name, row in zip(methods, rows, strict=True):
            if row.note:
                notes.setdefault(name, {})[row.note] = None
    spent = np.array(seconds)
    if GOLD_FIELD in methods:
        spent[0, methods.index(GOLD_FIELD)] += seconds_of_gold
    return Trials(
        methods,
        {half: np.stack(fit) for half, fit in counts.items()},
        np.stack(true_f1),
        np.stack(found_f1),
        spent,
        by_document=not plan.experiment.drawn,
        notes={name: tuple(said) for name, said in notes.items()},
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Outcome:
    """Of one method in one run."""

    counts: Mapping[str, Floats]
    found_f1: Floats
    seconds: float
    note: str


def _outcomes(
    plan: TrialPlan,
    methods: Sequence[str],
    case: Case,
    corpus: Corpus,
    advance: Callable[[int], None],
) -> Iterator[_Outcome]:
    for name in methods:
        began = time.process_time()
        contender = CONTENDERS[name]
        method = contender.made(plan.settings_of.get(name, {}), case.seed)
        fit = contender.fit(case, method)
        unseen = fit.tagger.tag(corpus.test.text)
        seconds = time.process_time() - began
        yield _Outcome(
            {
                TRAIN: _counts(corpus.train, fit.tags, corpus.tags),
                TEST: _counts(corpus.test, unseen, corpus.tags),
            },
            annotators_f1(case.crowd, fit.tags),
            seconds,
            fit.note,
        )
        advance(1)


def _counts(half: Half, fit: NDArray[np.int64], tags: Sequence[str]) -> Floats:
    """Shape (n_documents, 5)."""
    scored = score_labels(fit, half.gold, tags, half.text.starts, groups=half.document)
    return np.asarray(scored.counts.sum(axis=1))


def _crowd(
    plan: TrialPlan, corpus: Corpus, gold: Tagger, rng: np.random.Generator
) -> CrowdSequences:
    half, tags = corpus.train, corpus.tags
    if plan.experiment.real:
        if corpus.crowd is None:
            raise ValueError(f"'{plan.name}' is of a real crowd. Name its file with --data.")
        return of_one_a_document(half, corpus.crowd, rng) if plan.experiment.drawn else corpus.crowd
    if plan.name == "flips":
        said = flipped_tags(half, tags, plan.settings, rng)
    else:
        said = noisy_tags(gold, half.text, plan.settings, rng)
    everybody = plan.experiment.repeated
    return of_everybody(half, said, tags) if everybody else of_one_each(half, said, tags, rng)
