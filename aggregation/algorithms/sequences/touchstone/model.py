"""Tags of a crowd, put together with a model of each annotator and one of the text that is learnt
on the way: Touchstone's own method.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property, partial
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.categorical.dawid_skene import DawidSkene
from aggregation.algorithms.data import UNKNOWN, CrowdSequences, checked_gold
from aggregation.algorithms.estimators import SequenceEstimator
from aggregation.algorithms.fitted_state import check_tags
from aggregation.algorithms.measures.heldout import label_likelihood
from aggregation.algorithms.reliability import Reliability, reliability_of
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.sequences.bsc.annotators import Prior
from aggregation.algorithms.sequences.bsc.model import BSCseq
from aggregation.algorithms.sequences.bsc.sequential import Sequential
from aggregation.algorithms.sequences.bsc.shard import TokenLabels, hits_of
from aggregation.algorithms.sequences.crf.features import Features
from aggregation.algorithms.sequences.crf.model import LinearChainCRF
from aggregation.algorithms.sequences.crf.objective import Targets
from aggregation.algorithms.sequences.crf.tagger import Tagger
from aggregation.algorithms.sequences.crf.text import Text
from aggregation.algorithms.sequences.crf_ma import CRFMA
from aggregation.algorithms.sequences.potentials import Potentials
from aggregation.algorithms.sequences.span_confidences import TOKEN_TEMPERATURE
from aggregation.algorithms.sequences.states import States
from aggregation.algorithms.sequences.touchstone.predictability import (
    LEAST_KAPPA,
    Predictability,
    floor_of_kappa,
    most_predictable,
)
from aggregation.algorithms.sequences.touchstone.prior import TextPrior
from aggregation.algorithms.sequences.touchstone.stand_ins import (
    StandIn,
    for_single_answers,
    has_single_answers,
    labels_each,
    simpler,
    too_little,
)
from aggregation.algorithms.settings import check_above, check_at_least, check_choice

Floats = NDArray[np.float64]

FEATURES = {"window": 1, "outer": 1, "bigrams": 1, "document": 1, "minimum": 2}
START_ITERATIONS = 2  # of BSC-seq, before there is a field
STEPS = 8  # of L-BFGS a round: with 30 in the first one, fields learn the first guess by heart
LAST_ITERATIONS = 4  # of E- and M-step at the end, where fields stay as they are
FORBIDDEN = 0.1  # pseudo-count of illegal labels, as in BSC-seq
TAGGER_STEPS = 60
OWN_TEMPERATURE = 2.3  # see `span_confidences`
# Below so many labels of a worker, on average, their tables are too unsure for kappa to be found
# by them: it stays 1. (40 articles with five answers, some 820 labels each, three draws: F1 77.2
# with a search, 78.1 without.)
KAPPA_EACH = 3_000
# From so many labels of a worker on, on average, there are subtypes. They take up what workers do
# wrong together, which kappa is otherwise for: it is not searched for then.
SUBTYPES_EACH = 6_000
# And from so many workers on: what five have in common is chance. (Five noisy copies, 19,000
# labels each, three draws: F1 91.7 with subtypes, 93.9 without; 47 workers gain .7, 60 gain 7.4.)
SUBTYPES_WORKERS = 10
KAPPA_OF_SUBTYPES = 0.7


class Touchstone(SequenceEstimator):
    """BSC-seq's model of the annotators, with conditional random fields for the prior over tags.

    BSC-seq takes the true tags for a Markov chain and the words for independent draws. Here what
    the text says comes from a linear-chain conditional random field (CRF), which sees affixes,
    shapes, neighbours, and where else in the document the word stands. It has no gold to learn
    from, so it learns from r, the posterior of the tags, while r is being inferred:

        r ∝ exp( scale · score_θ(t | x) + kappa · Σ_k Σ_n E ln A^k(c_n | c_{n−1}, t_n) )

    where t_n is a state: a tag, but O comes as two, as in BSC-seq, and in large crowds B-x and O as
    several (`states`). θ was fitted to r of *other* documents (`touchstone.prior`) and A^k is
    annotator k's model (`bsc.sequential`; Simpson and Gurevych 2019). A round:

        1. θ_f = argmax Σ_{i not in f} (E_r[score_θ] − ln Z_θ) − |θ|² / (2 sigma2), for each fold f,
           by a few steps of L-BFGS from where it was;
        2. twice: r by forward-backward from the above; A from the counts that r expects.

    It begins with Dawid and Skene's r and two iterations of BSC-seq, ends with four more of step 2,
    and decodes by Viterbi. What is illegal in BIO is forbidden to the fields (-30): else they learn
    from r's doubts that nothing is sure to begin a span, and recall falls from round to round.

    Where there is too little to learn from it is another method, and `diagnostics_.note` says so:
    BSC-seq (without text where the words are not known), or, with fewer labels than fill its
    tables, Dawid and Skene for each token. Where tokens have one label each it is CRF-MA: how a
    worker errs shows only beside others.

    Parameters
    ----------
    kappa : float
        How much the annotators count against the text. They err together, so what each adds is
        less than if they were independent. 0: found on the way, in each round, as what foretells
        each answer best from the others and the text (`touchstone.predictability`), in steps of a
        tenth from 1 down to the first at or above `floor_of_kappa`: foresight alone goes too low.
        With subtypes it is .7, and below 3,000 labels of a worker, on average, 1.
    scale : float
        The same of the text: cross-fitted fields are less sure than they should be.
    sigma2 : float
        Variance of the Gaussian prior on each field's weights.
    diagonal, factor : float
        Pseudo-counts of what a worker says, as in BSC-seq.
    folds, deals : int
        Into how many folds the documents are dealt, and how often; see `TextPrior`.
    rounds : int
    end : 0 or 1
        Whether the first O after a span is a state of its own.
    subtypes : "auto", "on" or "off"
        Whether B-x comes as sure, missed and confused, and O as plain and tempting. "auto": from
        6,000 labels of a worker on, on average.
    seed : int
        For the folds.

    Attributes
    ----------
    posterior_ : array of shape (n_tokens, n_tags)
        r, with the annotators tempered by `tempered_`, or it would be too sure. Rows sum to 1.
    reliability_ : Reliability
        As in BSC-seq.
    method_ : str
        "touchstone", "bsc-seq", "dawid-skene" or "crf-ma": what it was in the end.
    kappa_ : float
        The one that tags were chosen with, in the last round. Not where another method stood in.
    tempered_ : float
        That of `posterior_`: what foretells answers best, and at most `kappa_`. As `kappa_` it is
        not there where another method stood in.
    predictability_ : float
        Mean ln p(answer | the other answers, the text) of a label, in nats, by workers' tables
        that have seen the answer too: good to compare values of kappa in one fit, not to compare
        fits. `nan` where another method stood in.
    tagger_ : crf.Tagger
        A field fitted to all of r (where another method stood in, to its tags), that tags other
        texts. It is fitted when it is first asked for.
    diagnostics_ : Diagnostics
        It has converged when no r changed by .01 or more in the last iteration. There is no one
        number that it maximises, so `objective` is empty.
    """

    span_temperature: float = OWN_TEMPERATURE  # that of the method that stood in, where one did
    posterior_: Floats
    reliability_: Reliability
    diagnostics_: Diagnostics
    method_: str
    kappa_: float
    tempered_: float
    predictability_: float
    _path: NDArray[np.int64]
    _annotators: Sequential
    _foreseen: Floats | None  # workers' tables; CRF-MA has none
    _targets: Targets
    _potentials: Potentials | None  # None where tokens know nothing of each other
    _states: States
    _r: Floats  # of states
    _token_labels: TokenLabels
    _prior: TextPrior
    _predictability: Predictability
    _sequences: CrowdSequences
    _counted: NDArray[np.bool_]

    def __init__(
        self,
        *,
        kappa: float = 0.0,
        scale: float = 1.3,
        sigma2: float = 0.3,
        diagonal: float = 1.0,
        factor: float = 10.0,
        folds: int = 3,
        deals: int = 2,
        rounds: int = 8,
        end: int = 1,
        subtypes: str = "auto",
        seed: int = 0,
    ):
        check_above(0, scale=scale, sigma2=sigma2, factor=factor)
        check_at_least(0, kappa=kappa, diagonal=diagonal)
        check_at_least(2, folds=folds)
        check_at_least(1, deals=deals, rounds=rounds)
        check_choice((0, 1), end=end)
        check_choice(("auto", "on", "off"), subtypes=subtypes)
        self.kappa, self.scale, self.sigma2 = kappa, scale, sigma2
        self.diagonal, self.factor = diagonal, factor
        self.folds, self.deals, self.rounds, self.seed = folds, deals, rounds, seed
        self.end, self.subtypes = end, subtypes

    def fit(self, sequences: CrowdSequences, *, gold: ArrayLike | None = None) -> Self:
        """Estimate everything from `sequences`.

        Parameters
        ----------
        gold : integer array of shape (n_tokens,), or None
            The tag of each token whose truth is known, -1 for the others. Known tokens keep their
            tag in each E-step, and so count in each M-step.
        """
        began = time.perf_counter()
        for of_the_last_fit in ("tagger_", "kappa_", "tempered_"):
            self.__dict__.pop(of_the_last_fit, None)
        known = checked_gold(gold, sequences.token_labels())
        judged = known != UNKNOWN
        judged[sequences.token] = True
        self._sequences = sequences
        sequence = sequences.sequence_of_token()
        self._counted = np.bincount(sequence, judged, minlength=sequences.n_sequences) > 0
        if has_single_answers(sequences):
            return self._stand_in(for_single_answers(sequences, self.seed), known)
        if why := too_little(sequences, judged, self._counted, self.folds):
            other = simpler(sequences, known, diagonal=self.diagonal, factor=self.factor, why=why)
            return self._stand_in(other, known)
        self._begin(sequences, known)
        given = self.kappa or self._states.has_subtypes
        seeks, least = (
            not given and labels_each(sequences) >= KAPPA_EACH,
            floor_of_kappa(sequences),
        )
        change = np.inf
        for number in range(self.rounds):
            self._prior.train(self._states.by_tag(self._r), STEPS)
            last = number == self.rounds - 1
            for iteration in range(1 + LAST_ITERATIONS if last else 2):
                self._learn_annotators()
                if seeks and iteration == 0:
                    self.kappa_ = self._tempered(self.kappa_, least)
                worker_evidence = self._worker_evidence(self.kappa_)
                before, self._r = self._r, self._prior.infer(worker_evidence)
                change = float(np.abs(self._r - before).max(initial=0.0))
        self.posterior_ = self._states.by_tag(self._r)
        self._path = self._prior.decode(worker_evidence)
        self._potentials = self._prior.potentials(worker_evidence)
        self.span_temperature = OWN_TEMPERATURE
        self.method_ = "touchstone"
        self._finish()
        self.diagnostics_ = Diagnostics(
            objective=(),
            converged=change < 0.01,
            iterations=self.rounds,
            seconds=time.perf_counter() - began,
            note=f"kappa was found to be {self.kappa_:g}." if seeks else "",
        )
        return self

    def label_likelihood(self, sequences: CrowdSequences) -> Floats:
        """ln P(label) of each label of `sequences`, shape (n_labels,), in nats.

        `sequences` are those of the fit, with labels that it need not have seen; see
        `heldout.label_likelihood`.
        """
        if not hasattr(self, "method_"):
            raise ValueError("there is nothing to judge labels by before a fit")
        if self.method_ == "crf-ma":
            raise ValueError(
                "crf-ma stood in for touchstone, and it has no table of a worker to foretell "
                "labels by"
            )
        check_tags(self._sequences.tags, sequences)
        assert self._foreseen is not None
        if sequences.n_workers != len(self._foreseen):
            raise ValueError(
                f"the fit has {len(self._foreseen)} workers, but there are {sequences.n_workers}"
            )
        return label_likelihood(self.posterior_, self._foreseen, sequences)

    def potentials(self, sequences: CrowdSequences, *, gold: ArrayLike | None = None) -> Potentials:
        """The chain that tags were chosen by: those of the fit, with what was clamped in it."""
        if self._potentials is None:
            return Potentials.apart(self.posterior_, sequences.starts, sequences.tags)
        return self._potentials

    @cached_property
    def tagger_(self) -> Tagger:
        """See the attributes."""
        if not hasattr(self, "posterior_"):
            raise ValueError("there is no tagger before a fit")
        tagger = Tagger(
            Features(**FEATURES),
            LinearChainCRF(sigma2=self.sigma2, legal=1, max_iter=TAGGER_STEPS),
        )
        text = Text.of_sequences(self._sequences)
        return tagger.fit(text, self._targets, self._sequences.tags)

    def _stand_in(self, other: StandIn, known: NDArray[np.int64]) -> Self:
        sequences, model = self._sequences, other.model
        self.method_, self._foreseen = other.method, other.foreseen
        self._path = model.predict()
        self._potentials, self.span_temperature = None, 1.0
        if isinstance(model, BSCseq):
            self._potentials = model.potentials(sequences, gold=known)
            self.span_temperature = model.span_temperature
        elif isinstance(model, DawidSkene):
            self.span_temperature = TOKEN_TEMPERATURE
        self._targets = Targets.of_tags(
            self._path, sequences.starts, sequences.n_classes, self._counted
        )
        self.posterior_, self.reliability_ = model.posterior_, model.reliability_
        self.predictability_ = np.nan
        self.diagnostics_ = other.diagnostics()
        if isinstance(model, CRFMA):  # which can't be told what is known
            judged = np.flatnonzero(known != UNKNOWN)
            self.posterior_[judged] = np.eye(sequences.n_classes)[known[judged]]
            self._path[judged] = known[judged]
        return self

    def _begin(self, sequences: CrowdSequences, known: NDArray[np.int64]) -> None:
        """Everything that a round needs: r, and what is expected of each fold."""
        self._token_labels = TokenLabels(sequences, known, sequential=True)
        each = labels_each(sequences)
        many = each >= SUBTYPES_EACH and sequences.n_workers >= SUBTYPES_WORKERS
        split = self.subtypes == "on" or (self.subtypes == "auto" and many)
        self._states = States(sequences.tags, end=bool(self.end), subtypes=split)
        self._prior = TextPrior(
            Text.of_sequences(sequences),
            self._counted,
            self._states,
            features=Features(**FEATURES),
            folds=self.folds,
            deals=self.deals,
            sigma2=self.sigma2,
            scale=self.scale,
            seed=self.seed,
        )
        self._predictability = Predictability(sequences, self._prior.cells())
        self.kappa_ = self.kappa or (KAPPA_OF_SUBTYPES if split else 1.0)
        start = BSCseq(
            diagonal=self.diagonal,
            factor=self.factor,
            end=self.end,
            cap=0.0,
            max_iter=START_ITERATIONS,
        )
        tables = start.fit(sequences, gold=known).expected_logs()
        assert tables.words is not None
        assert sequences.words is not None
        whole = States(sequences.tags, end=bool(self.end))
        evidence = self._token_labels.add_to(
            tables.words[sequences.words][:, whole.tag], self.kappa_ * tables.labels, whole
        )
        firsts = tables.moves[whole.outside].copy()  # of O, after which a sequence begins
        if whole.end is not None:
            firsts[whole.end] = -np.inf
        r = self._prior.believe(evidence, tables.moves, firsts)
        self._r = self._states.with_subtypes(r, sequences.token_labels().votes())

    def _learn_annotators(self) -> None:
        sequences, n_tags = self._sequences, self._sequences.n_classes
        counts = self._token_labels.counts(self._r)
        self._annotators = Sequential.of(
            counts.reshape(sequences.n_workers, n_tags, n_tags, len(self._states)),
            self._states,
            Prior(self.diagonal, self.factor, FORBIDDEN),
        )
        if self._states.has_subtypes:
            self._prior.log_shares = self._states.log_shares(self._token_labels.labelled @ self._r)

    def _worker_evidence(self, kappa: float) -> Floats:
        """What workers say of each token, (n_tokens, n_states) in nats, by their models of now."""
        n_states = len(self._states)
        table = kappa * self._annotators.expected_log().reshape(-1, n_states)
        evidence = np.zeros((self._sequences.n_tokens, n_states))
        return self._token_labels.add_to(evidence, table, self._states)

    def _tempered(self, kappa: float, least: float = LEAST_KAPPA) -> float:
        return most_predictable(self._foresees(), kappa, least)

    def _foresees(self) -> Callable[[float], float]:
        """The mean ln p(answer | others, text) of a label as a function of kappa."""
        n_states = len(self._states)
        return partial(
            self._predictability.of,
            worker_evidence=self._worker_evidence(1.0),
            table=self._annotators.expected_log().reshape(-1, n_states),
            mean=np.log(self._annotators.mean_of_states().reshape(-1, n_states)),
            scores=self._prior.scores_of_states(),
            priors=self._prior.chain_priors(),
        )

    def _finish(self) -> None:
        """Keep what is asked for later, and leave what the rounds alone needed."""
        self._targets = self._prior.targets(self.posterior_, self._counted)
        self.predictability_ = self._foresees()(self.kappa_)
        self.tempered_ = min(self.kappa_, self._tempered(min(self.kappa_, 1.0)))
        if self.tempered_ < self.kappa_:
            self._r = self._prior.infer(self._worker_evidence(self.tempered_))
            self.posterior_ = self._states.by_tag(self._r)
        self._foreseen = self._annotators.mean()
        self.reliability_ = reliability_of(
            hits_of(self._sequences, self.posterior_),
            self._sequences.judged(),
            self._annotators.confusion(),
            **self._annotators.parameters(),
        )
        del self._prior, self._token_labels, self._predictability, self._r
