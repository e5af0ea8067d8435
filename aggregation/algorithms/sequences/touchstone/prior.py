"""What a text says of its tags, learnt from other documents.

A conditional random field that was trained on a sentence believes what it was told of it, faults
and all. One that was trained on other documents has to go by what the words are like. So the
documents are dealt into folds, and each fold is judged by a field that was trained on the others
(cross-fitting: Chernozhukov et al., *Double/debiased machine learning*, Econometrics Journal 21
(2018), who need it for the same reason).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.sequences.chains import Chains
from aggregation.algorithms.sequences.crf.design import Design
from aggregation.algorithms.sequences.crf.features import Features
from aggregation.algorithms.sequences.crf.model import LinearChainCRF
from aggregation.algorithms.sequences.crf.objective import Targets
from aggregation.algorithms.sequences.crf.text import Text
from aggregation.algorithms.sequences.potentials import Moves, Potentials
from aggregation.algorithms.sequences.states import States, illegal_moves
from aggregation.algorithms.sequences.tokens import tokens_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class TextPrior:
    """The prior over the states of a text, and the posterior r that goes with it.

    The fields know of tags alone: a state has the scores and the moves of its tag.

    `scores`, shape (n_tokens, n_tags): what the fields say of each token, scaled, in nats.
    `log_shares`, shape (n_states,): ln of each subtype's share of its state, which is for others
    to set.

    Which documents are in one fold is chance, and a few points of F1 hang on it. So documents can
    be dealt several times: each is then judged by one field of each deal, by the mean of what they
    say (in logarithms).

    Parameters
    ----------
    text : Text
    counted : bool array of shape (n_sequences,)
        From which sequences it learns: those of which somebody has labelled something.
    states : States
    features : Features
        What the fields see of the text.
    folds : int
        Into how many the documents are dealt, at random.
    deals : int
        How often.
    sigma2 : float
        Variance of the Gaussian prior on the fields' weights.
    scale : float
        Factor of the fields' scores where they meet what workers say.
    seed : int
    """

    scores: Floats
    log_shares: Floats

    def __init__(
        self,
        text: Text,
        counted: NDArray[np.bool_],
        states: States,
        *,
        features: Features,
        folds: int,
        deals: int,
        sigma2: float,
        scale: float,
        seed: int,
    ):
        self._states, self._sigma2, self._scale = states, sigma2, scale
        self.log_shares = np.zeros(len(states))
        self._starts, self._features = text.starts, features.fit_transform(text)
        rng = np.random.default_rng(seed)
        document = text.document_of_sequence()
        some = np.bincount(document, counted, minlength=text.n_documents) > 0
        dealt = np.stack([_dealt(some, folds, rng) for _ in range(deals)])
        fold = dealt[:, document]  # (deals, n_sequences)
        self._fields = [
            [_Field(self._features, text.starts, of_deal == k, counted) for k in range(folds)]
            for of_deal in fold
        ]
        # Sequences that the same fields judge.
        together, cell = np.unique(fold, axis=1, return_inverse=True)
        self._cells = [
            _Cell(text.starts, cell.ravel() == i, counted, column.tolist())
            for i, column in enumerate(together.T)
        ]

    def believe(self, evidence: Floats, moves: Floats, firsts: Floats) -> Floats:
        """r of another prior, of `moves` (n_base, n_base) and `firsts` (n_base,) in nats, and of
        `evidence` (n_tokens, n_base) in nats: of states without subtypes. It is what the fields
        learn from before there are any."""
        r = np.empty(evidence.shape)
        whole = States(self._states.tags, end=self._states.end is not None)
        for cell in self._cells:
            r[cell.tokens] = cell.believe(evidence[cell.tokens], moves, firsts, whole)
        return r

    def train(self, r: Floats, steps: int) -> None:
        """Fit each field to the posterior `r` of the tags of the other folds, from where it was, by
        `steps` steps of L-BFGS, and judge its fold by it."""
        share = self._scale / len(self._fields)
        self.scores = np.zeros(r.shape)
        for deal, fields in enumerate(self._fields):
            for fold, field in enumerate(fields):
                others = [cell for cell in self._cells if cell.folds[deal] != fold]
                crf = LinearChainCRF(sigma2=self._sigma2, legal=1, max_iter=steps, tol=0.0)
                field.crf = crf.fit(
                    self._features, _targets(r, others, field.others), self._starts,
                    tags=self._states.tags, warm=field.crf, design=field.design,
                )  # fmt: skip
                self.scores[field.tokens] += share * crf.scores(self._features)[field.tokens]

    def infer(self, worker_evidence: Floats) -> Floats:
        """r of what the fields say and what workers do; `worker_evidence`, (n_tokens, n_states), is
        in nats."""
        r = np.empty(worker_evidence.shape)
        for cell, evidence, moves, firsts in self._evidence_by_cell(worker_evidence):
            r[cell.tokens] = cell.believe(evidence, moves, firsts, self._states)
        return r

    def decode(self, worker_evidence: Floats) -> Ints:
        """The most probable tags of each sequence as a whole, shape (n_tokens,)."""
        path = np.empty(len(worker_evidence), dtype=np.int64)
        for cell, evidence, moves, firsts in self._evidence_by_cell(worker_evidence):
            path[cell.tokens] = cell.chains.best_paths(evidence, moves, firsts)
        return self._states.tag[path]

    def potentials(self, worker_evidence: Floats) -> Potentials:
        """The chain that `infer` makes r of."""
        moves = tuple(
            Moves(cell.sequences, between, firsts)
            for cell, (between, firsts) in zip(self._cells, self.chain_priors(), strict=True)
        )
        emission = self.scores_of_states() + worker_evidence
        return Potentials(self._starts, self._states.tag, self._states.tags, emission, moves)

    def scores_of_states(self) -> Floats:
        """What the fields say of each token, (n_tokens, n_states), in nats."""
        return np.asarray(self.scores[:, self._states.tag] + self.log_shares)

    def targets(self, r: Floats, counted: NDArray[np.bool_]) -> Targets:
        """All that is expected now, with the tags' `r` as it was last inferred."""
        return _targets(r, self._cells, counted)

    def cells(self) -> list[Ints]:
        """The sequences of each cell, which have one prior over moves."""
        return [cell.sequences for cell in self._cells]

    def chain_priors(self) -> list[tuple[Floats, Floats]]:
        """Of each cell what the fields say of moves (n_states, n_states) and of first states
        (n_states,), in nats; -inf for what an end forbids."""
        states, found = self._states, []
        tag, base = states.tag, states.base
        legal = ~illegal_moves(states.tags)[np.ix_(tag, tag)]
        barred = states.forbidden[np.ix_(base, base)] & legal
        for cell in self._cells:
            crfs = [fields[k].crf for fields, k in zip(self._fields, cell.folds, strict=True)]
            moves = self._scale * np.mean([crf.moves_ for crf in crfs if crf], axis=0)
            firsts = self._scale * np.mean([crf.firsts_ for crf in crfs if crf], axis=0)[tag]
            if states.end is not None:
                firsts[states.end] = -np.inf
            found.append((np.where(barred, -np.inf, moves[np.ix_(tag, tag)]), firsts))
        return found

    def _evidence_by_cell(
        self, worker_evidence: Floats
    ) -> Iterator[tuple[_Cell, Floats, Floats, Floats]]:
        """Each cell with the evidence of its tokens, the moves and the first states; in nats."""
        evidence = self.scores_of_states() + worker_evidence
        for cell, (moves, firsts) in zip(self._cells, self.chain_priors(), strict=True):
            yield cell, evidence[cell.tokens], moves, firsts


class _Field:
    """A conditional random field that judges a fold and is trained on the others."""

    crf: LinearChainCRF | None = None

    def __init__(
        self, features: csr_array, starts: Ints, own: NDArray[np.bool_], counted: NDArray[np.bool_]
    ):
        self.others = counted & ~own  # sequences
        self.design = Design(features, starts, self.others)
        self.tokens, _ = tokens_of(starts, own)


class _Cell:
    """Sequences that the same fields judge. `folds`: which of each deal."""

    sequences: Ints
    firsts: Floats  # expected counts of those that are counted, as in `Targets`
    pairs: Floats

    def __init__(
        self, starts: Ints, own: NDArray[np.bool_], counted: NDArray[np.bool_], folds: list[int]
    ):
        self.folds, self.sequences = folds, np.flatnonzero(own)
        self.tokens, own_starts = tokens_of(starts, own)
        self.chains, self._counted = Chains(own_starts), counted[own].astype(np.float64)

    def believe(self, evidence: Floats, moves: Floats, firsts: Floats, states: States) -> Floats:
        found = self.chains.beliefs(evidence, moves, firsts, weights=self._counted)
        self.firsts, self.pairs = states.by_tag(found.firsts), states.moves_by_tag(found.pairs)
        return found.marginals


def _dealt(learnt_from: NDArray[np.bool_], folds: int, rng: np.random.Generator) -> Ints:
    """The fold of each document, at random; those that are learnt from are spread evenly."""
    order = rng.permutation(len(learnt_from))
    order = order[np.argsort(~learnt_from[order], kind="stable")]
    fold = np.empty(len(order), dtype=np.int64)
    fold[order] = np.arange(len(order)) % folds
    return fold


def _targets(r: Floats, cells: Sequence[_Cell], counted: NDArray[np.bool_]) -> Targets:
    """What is expected of these cells, which hold the `counted` sequences."""
    return Targets(
        r,
        np.sum([cell.firsts for cell in cells], axis=0),
        np.sum([cell.pairs for cell in cells], axis=0),
        counted.astype(np.float64),
    )
