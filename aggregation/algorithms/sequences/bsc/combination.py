"""What the five Bayesian sequence combinations have in common."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aggregation.algorithms.categorical.ibcc import SMALLEST
from aggregation.algorithms.data import CrowdSequences, checked_gold
from aggregation.algorithms.estimators import SequenceEstimator
from aggregation.algorithms.fitted_state import (
    State,
    check_tags,
    check_workers,
    not_negative,
    numbers,
    packed_names,
    unpacked_names,
)
from aggregation.algorithms.measures.heldout import label_likelihood
from aggregation.algorithms.reliability import Hits, Reliability, reliability_of
from aggregation.algorithms.results import Diagnostics
from aggregation.algorithms.sequences.bsc.annotators import (
    Annotators,
    Prior,
    Spammer,
)
from aggregation.algorithms.sequences.bsc.dirichlet import Dirichlets
from aggregation.algorithms.sequences.bsc.parameters import Parameters
from aggregation.algorithms.sequences.bsc.priors import state_transition_prior
from aggregation.algorithms.sequences.bsc.shard import SequenceShard, Statistics, Tables, shards_of
from aggregation.algorithms.sequences.potentials import Potentials
from aggregation.algorithms.sequences.states import States
from aggregation.algorithms.settings import (
    check_at_least,
    check_choice,
)
from aggregation.algorithms.shards import LocalPool, Pool, joined, total

Floats = NDArray[np.float64]

# The settings of the model and its prior, all numbers; the others are of the search.
PRIOR = ("beta", "diagonal", "factor", "nu", "forbidden", "text", "transitions")
SPLIT_AFTER = 2  # iterations, before which there are no subtypes


class SequenceCombination(SequenceEstimator):
    """What the five have in common; see `BSCseq` for the settings and attributes. The defaults are
    its own; the others name theirs where they differ."""

    annotators: type[Annotators]
    span_temperature = 1.0  # see `span_confidences`; those of seq and cm are stated
    _of_prior: tuple[str, ...] = PRIOR

    posterior_: Floats
    transition_: Floats
    lower_bound_: list[float]
    reliability_: Reliability
    diagnostics_: Diagnostics
    _path: NDArray[np.int64]
    _state: Parameters
    _tags: tuple[str, ...]
    _vocabulary: tuple[str, ...]

    # Those of BSCseq alone; the others have tags for states, and count each label in full.
    end: int = 0
    subtypes: int = 0
    cap: float = 0.0
    epsilon: float = 0.0
    kappa: float = 1.0

    def __init__(
        self,
        *,
        beta: float = 1.0,
        diagonal: float = 1.0,
        factor: float = 10.0,
        nu: float = 1.0,
        forbidden: float = 0.1,
        text: int = 1,
        transitions: int = 1,
        max_iter: int = 20,
        tol: float = 1e-4,
    ):
        check_at_least(SMALLEST, beta=beta, factor=factor, nu=nu, forbidden=forbidden)
        # The others add it to `factor`, so it can be 0.
        check_at_least(SMALLEST if self.annotators is Spammer else 0, diagonal=diagonal)
        check_at_least(0, tol=tol)
        check_choice((0, 1), text=text, transitions=transitions)
        check_at_least(1, max_iter=max_iter)
        self.beta, self.diagonal, self.factor, self.nu = beta, diagonal, factor, nu
        self.forbidden, self.text, self.transitions = forbidden, text, transitions
        self.max_iter, self.tol = max_iter, tol

    def fit(
        self,
        sequences: CrowdSequences,
        *,
        gold: ArrayLike | None = None,
        warm: Self | None = None,
        pool: Pool | None = None,
    ) -> Self:
        """Estimate everything from `sequences`.

        Parameters
        ----------
        gold : integer array of shape (n_tokens,), or None
            The tag of each token whose truth is known, -1 for the others. Known tokens keep their
            tag in each E-step, and so count in each M-step.
        warm : fitted object of this class, or None
            Start from its parameters, not from Dawid and Skene. It must know the same tags;
            workers keep their numbers, and those it does not know get the prior. Words are matched
            as they are written; those it does not know say nothing in the first step.
        pool : Pool, or None for this process
            Sequences are dealt out to its parts; the result is the same but for rounding.
        """
        began = time.perf_counter()
        self._refuse(sequences, warm)
        known = checked_gold(gold, sequences.token_labels())
        pool = LocalPool() if pool is None else pool
        states = self._states(sequences.tags)
        begun = states if warm is not None else self._states(sequences.tags, whole=True)
        parts = pool.open(self._part(begun), shards_of(sequences, known, pool, start=warm is None))
        annotators = None
        if warm is None:
            statistics = total(parts.each("first"))
        else:
            state = warm._state.for_workers(sequences.n_workers)
            annotators = state.annotators
            tables = state.expected_logs().for_words(warm._vocabulary, sequences.vocabulary)
            statistics = total(parts.each("step", tables))
        self.lower_bound_, converged = [], False
        while not converged and len(self.lower_bound_) < self.max_iter:
            state = self._m_step(statistics, sequences, begun, annotators)
            annotators, tables = state.annotators, state.expected_logs()
            statistics = total(parts.each("step", tables))
            self.lower_bound_.append(statistics.log_evidence - state.divergence(tables))
            converged = statistics.change < self.tol
            if len(begun) < len(states) and len(self.lower_bound_) == SPLIT_AFTER < self.max_iter:
                statistics, converged = total(parts.each("split", states)), False
                begun, annotators = states, None
        self._state, self._tags, self._vocabulary = state, sequences.tags, sequences.vocabulary
        self.transition_ = state.transition()
        self.posterior_ = joined(parts.each("posterior"), sequences.n_tokens)
        self._path = joined(parts.each("decode", tables), sequences.n_tokens)
        self.reliability_ = self._reliability(sequences, total(parts.each("hits")))
        self.diagnostics_ = Diagnostics(
            objective=tuple(self.lower_bound_),
            converged=converged,
            iterations=len(self.lower_bound_),
            seconds=time.perf_counter() - began,
        )
        return self

    def predict(self) -> NDArray[np.int64]:
        """The most probable tags of each sequence as a whole (Viterbi), shape (n_tokens,).

        By the expected logarithms that r stands on too. Without a transition model each token for
        itself.
        """
        return self._path.copy()

    def infer(self, sequences: CrowdSequences, *, gold: ArrayLike | None = None) -> Floats:
        """r of other sequences, shape (n_tokens, n_tags): one E-step with what was estimated.

        The tags are those of the fit. Workers keep their numbers; those after the last of the fit
        have the prior. Words are matched as they are written; those that were not in the fit say
        nothing. `gold` is as in `fit`.
        """
        part, state = self._opened(sequences, gold)
        part.step(state.expected_logs().for_words(self._vocabulary, sequences.vocabulary))
        return part.posterior()

    def judge(
        self, sequences: CrowdSequences, *, gold: ArrayLike | None = None
    ) -> tuple[Floats, NDArray[np.int64]]:
        """What `infer` gives, and the tags as `predict` chooses them: the most probable ones of
        each of these sequences as a whole."""
        part, state = self._opened(sequences, gold)
        tables = state.expected_logs().for_words(self._vocabulary, sequences.vocabulary)
        part.step(tables)
        return part.posterior(), part.decode(tables)

    def potentials(self, sequences: CrowdSequences, *, gold: ArrayLike | None = None) -> Potentials:
        """The chain that r is made of, for these sequences; arguments as in `infer`."""
        part, state = self._opened(sequences, gold)
        return part.potentials(
            state.expected_logs().for_words(self._vocabulary, sequences.vocabulary)
        )

    def label_likelihood(self, sequences: CrowdSequences) -> Floats:
        """ln P(label) of each label of `sequences`, shape (n_labels,), in nats.

        `sequences` are those of the fit, with labels that it need not have seen: workers keep
        their numbers. What the fit believes of the tags, and of the worker, is all that counts:
        ln sum_j r_nj E A_j(c_n | c_(n-1)), where c_(n-1) is among these labels too.
        """
        if not hasattr(self, "posterior_"):
            raise ValueError("there is nothing to judge labels by before a fit")
        annotators = self._state.annotators
        check_tags(self._tags, sequences)
        check_workers(annotators.n_workers, sequences)
        return label_likelihood(
            self.posterior_, annotators.for_workers(sequences.n_workers).mean(), sequences
        )

    def expected_logs(self) -> Tables:
        """E ln of all that was estimated: of the annotators, the words and the transitions."""
        return self._state.expected_logs()

    def annotators_mean(self) -> Floats:
        """E A, shape (n_workers, said, true) or (n_workers, previously said, said, true)."""
        return self._state.annotators.mean()

    def _opened(
        self, sequences: CrowdSequences, gold: ArrayLike | None
    ) -> tuple[SequenceShard, Parameters]:
        """Sequences that were not fitted on, and the parameters for their workers."""
        if not hasattr(self, "_state"):
            raise ValueError("there is nothing to infer with before a fit")
        self._refuse(sequences, None)
        check_tags(self._tags, sequences)
        check_workers(self._state.annotators.n_workers, sequences)
        part: SequenceShard = self._part(self._state.states)(
            sequences, checked_gold(gold, sequences.token_labels()), None
        )
        return part, self._state.for_workers(sequences.n_workers)

    def state(self) -> State:
        """What `restore` needs: the expected counts of all parameters, and the settings that are
        the prior to which they were added; the tags, the words."""
        state: State = {
            "moves": self._state.moves.counts,
            "tokens": self._state.tokens,
            "prior": self._settings_of_prior(),
        }
        if self._state.words is not None:
            state["words"] = self._state.words.counts
        state |= {f"worker_{name}": a for name, a in self._state.annotators.state().items()}
        words = self._vocabulary if "words" in state else ()  # without a text model none counts
        for name, strings in (("tags", self._tags), ("vocabulary", words)):
            state |= {f"{name}_{part}": a for part, a in packed_names(strings).items()}
        return state

    @classmethod
    def restore(cls, state: Mapping[str, NDArray[Any]], **settings: Any) -> Self:
        """A fit that can `infer`, and be `warm`; `settings` are those of the constructor.

        Those of the model and its prior must be what they were, or the posterior would be none
        that was ever fitted; `max_iter` and `tol` may be others.
        """
        fitted = cls(**settings)
        names = [f"{name}_{part}" for name in ("tags", "vocabulary") for part in ("bytes", "ends")]
        if missing := [name for name in names if name not in state]:
            raise ValueError(f"the state has no '{missing[0]}'")
        arrays = [np.asarray(state[name]) for name in names]
        tags, vocabulary = unpacked_names(*arrays[:2]), unpacked_names(*arrays[2:])
        axes = {"moves": "sb", "tokens": "j"} | ({"words": "vt"} if fitted.text else {})
        found = numbers(state, prior="p", **axes)
        not_negative(found)
        fitted._refuse_other_prior(found["prior"])
        if not tags:
            raise ValueError("the state has no tags")
        states = fitted._states(tags)
        rows = states.n_base if fitted.transitions else 1
        if (
            found["moves"].shape != (rows, states.n_base)
            or len(found["tokens"]) != len(states)
            or (fitted.text and found["words"].shape != (len(vocabulary), len(tags)))
        ):
            raise ValueError("the counts of the state do not fit its tags and words")
        workers = {name.removeprefix("worker_"): np.asarray(a) for name, a in state.items()}
        annotators = cls.annotators.restored(workers, states, fitted._prior())
        fitted._tags, fitted._vocabulary = tags, vocabulary
        fitted._state = fitted._state_of(
            annotators, found["moves"], found.get("words"), states, found["tokens"]
        )
        fitted.transition_ = fitted._state.transition()
        return fitted

    def _settings_of_prior(self) -> Floats:
        return np.array([getattr(self, name) for name in self._of_prior], dtype=np.float64)

    def _refuse_other_prior(self, kept: Floats) -> None:
        """`kept`, as `_settings_of_prior`, may have been in single precision."""
        ours = self._settings_of_prior()
        if len(kept) != len(ours):
            raise ValueError(
                f"the state was fitted with {len(kept)} settings of the prior, but this one has "
                f"{len(ours)}"
            )
        other = np.flatnonzero(~np.isclose(kept, ours, rtol=1e-6, atol=0.0))
        if other.size:
            i = int(other[0])
            raise ValueError(
                f"the state was fitted with {self._of_prior[i]}={kept[i]:g}, but this one has "
                f"{ours[i]:g}"
            )

    def _refuse(self, sequences: CrowdSequences, warm: Self | None) -> None:
        if self.text and sequences.words is None:
            raise ValueError(
                "the text model needs the words of the tokens, but the sequences have none: "
                "pass words and vocabulary to CrowdSequences, or text=0"
            )
        if warm is None:
            return
        if type(warm) is not type(self):
            raise ValueError(
                f"a fit of {type(self).__name__} can't start from one of {type(warm).__name__}"
            )
        if not hasattr(warm, "_state"):
            raise ValueError("warm has not been fitted")
        if warm._tags != sequences.tags:
            raise ValueError(
                f"warm knows the tags {', '.join(warm._tags)}, but the sequences have "
                f"{', '.join(sequences.tags)}"
            )
        for name in ("transitions", "end", "subtypes"):
            if (theirs := getattr(warm, name)) != (ours := getattr(self, name)):
                raise ValueError(f"warm has {name}={theirs}, but this one {ours}")
        if warm._state.annotators.n_workers > sequences.n_workers:
            raise ValueError(
                f"warm knows {warm._state.annotators.n_workers} workers, but the sequences have "
                f"{sequences.n_workers}"
            )

    def _part(self, states: States) -> Callable[..., SequenceShard]:
        return partial(
            SequenceShard,
            sequential=self.annotators.sequential,
            text=bool(self.text),
            transitions=bool(self.transitions),
            states=states,
        )

    def _states(self, tags: tuple[str, ...], *, whole: bool = False) -> States:
        """With subtypes, but not where each state is to be `whole`. Where tags don't follow each
        other there is no first one after a span."""
        moves = bool(self.transitions)
        split = bool(self.subtypes) and not whole
        return States(tags, end=bool(self.end) and moves, subtypes=split and moves)

    def _m_step(
        self,
        statistics: Statistics,
        sequences: CrowdSequences,
        states: States,
        before: Annotators | None,
    ) -> Parameters:
        said = (sequences.n_classes,) * (2 if self.annotators.sequential else 1)
        counts = statistics.labels.reshape(sequences.n_workers, *said, len(states))
        annotators = self.annotators.of(counts, states, self._prior(), before)
        return self._state_of(
            annotators, statistics.moves, statistics.words, states, statistics.tokens
        )

    def _prior(self) -> Prior:
        return Prior(self.diagonal, self.factor, self.forbidden, self.cap, self.epsilon)

    def _state_of(
        self,
        annotators: Annotators,
        moves: Floats,
        words: Floats | None,
        states: States,
        tokens: Floats,
    ) -> Parameters:
        """With the expected counts `moves`, `words` and `tokens`."""
        prior = np.full((1, states.n_tags), self.beta)
        if self.transitions:
            prior = state_transition_prior(states, self.beta, self.forbidden)
        said = None
        if words is not None:
            said = Dirichlets(np.full((len(words), 1), self.nu), words, axis=0)
        of_moves = Dirichlets(prior, moves, axis=1)
        return Parameters(annotators, of_moves, said, states, tokens, self.kappa)

    def _reliability(self, sequences: CrowdSequences, hits: Hits) -> Reliability:
        return reliability_of(
            hits,
            sequences.judged(),
            self._state.annotators.confusion(),
            **self._state.annotators.parameters(),
        )
