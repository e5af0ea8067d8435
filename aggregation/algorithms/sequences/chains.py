"""Forward-backward and Viterbi over many sequences at once.

A chain is a sequence of tokens with one tag each. Its weight is the product of a weight for the
first tag, one for each move from tag to tag, and one for each token's own tag. All weights are
given as logarithms and need not be probabilities, nor need rows of moves sum to 1: this serves
hidden Markov models, their variational forms (exp of expected logarithms) and conditional random
fields. Rabiner, *A tutorial on hidden Markov models*, Proceedings of the IEEE 77 (1989), 257-286,
sections III A to C, with its scaling.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

# The scaled pass forgets a path that is 1e308 times less probable than another one at its token.
# That is right unless the other one dies out later, which shows as a step as improbable as this.
# Such sequences, a few in a thousand of real ones, are done again in logarithms.
DOUBTFUL = 1e-30
VANISHED = 1e-250
LEAST = 1e-300  # instead of 0 below a fraction line; what stands above it is 0 then


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What all paths together say.

    Attributes
    ----------
    marginals : array of shape (n_tokens, n_tags)
        P(tag of the token | all). Rows sum to 1. Where each path has the weight 0: even shares.
    firsts : array of shape (n_tags,)
        Expected number of sequences that begin with the tag.
    pairs : array of shape (n_tags, n_tags)
        Expected number of moves from tag (row) to tag (column), within sequences.
    log_evidence : array of shape (n_sequences,)
        ln of the sum of the weights of all paths, in nats; 0 for an empty sequence.
    """

    marginals: Floats
    firsts: Floats
    pairs: Floats
    log_evidence: Floats


class Chains:
    """Sequences of tokens, put in order for passes over them.

    The longest sequences come first, so that those that reach their t-th token stand side by side
    and one step serves them all. A pass takes as many steps as the longest sequence has tokens;
    a few very long ones among many short ones are the slow case.

    Parameters
    ----------
    starts : integer array of shape (n_sequences + 1,)
        Sequence s holds the tokens starts[s] to starts[s + 1] - 1. Empty ones are allowed.

    Attributes
    ----------
    order : array of shape (n_tokens,)
        Token of each place in the passes: all first tokens, then all second ones, and so on.
    """

    def __init__(self, starts: ArrayLike):
        self.starts = np.asarray(starts, dtype=np.int64)
        length = np.diff(self.starts)
        self._by_length = np.argsort(-length, kind="stable")
        # Column edge[t] + i is the t-th token of the i-th longest sequence.
        alive = len(length) - np.cumsum(np.bincount(length, minlength=1))[:-1]
        edge = np.concatenate(([0], np.cumsum(alive)))
        self._edge: list[int] = edge.tolist()
        time = np.repeat(np.arange(len(alive)), alive)
        self._rank = np.arange(len(time)) - edge[time]
        self.order = self.starts[self._by_length[self._rank]] + time

    @property
    def n_tokens(self) -> int:
        return len(self.order)

    @property
    def n_sequences(self) -> int:
        return len(self.starts) - 1

    def beliefs(
        self, emission: Floats, transition: Floats, first: Floats, weights: Floats | None = None
    ) -> Beliefs:
        """Forward-backward.

        Parameters
        ----------
        emission : array of shape (n_tokens, n_tags)
            ln of the weight of each tag of each token; -inf is allowed.
        transition : array of shape (n_tags, n_tags)
            ln of the weight of a move from tag (row) to tag (column).
        first : array of shape (n_tags,)
            ln of the weight of the first tag.
        weights : array of shape (n_sequences,), or None for 1
            How often each sequence counts in `firsts` and `pairs`.
        """
        self._check(emission, transition, first)
        if weights is not None and weights.shape != (self.n_sequences,):
            raise ValueError(
                f"weights has the shape {weights.shape}, but there are {self.n_sequences} sequences"
            )
        own = np.ascontiguousarray(emission[self.order].T)
        return self._of_tokens(self.beliefs_in_order(own, transition, first, weights))

    def beliefs_in_order(
        self, own: Floats, transition: Floats, first: Floats, weights: Floats | None = None
    ) -> Beliefs:
        """The same for who keeps tokens in `order`, in half the time: `own` is the emission of
        shape (n_tags, n_tokens), and so are the marginals. Nothing is checked.
        """
        share = self._sorted(weights)
        beliefs, doubtful = self._scaled(own, transition, first, share)
        if not doubtful.any():
            return beliefs
        length = np.diff(self.starts)[self._by_length[doubtful]]
        again = Chains(np.concatenate(([0], np.cumsum(length))))
        column = doubtful[self._rank]
        exact = again._in_logs(own[:, column], transition, first, share[doubtful])
        beliefs.marginals[:, column] = exact.marginals
        beliefs.log_evidence[self._by_length[doubtful]] = exact.log_evidence
        return Beliefs(
            beliefs.marginals,
            beliefs.firsts + exact.firsts,
            beliefs.pairs + exact.pairs,
            beliefs.log_evidence,
        )

    def beliefs_in_logs(
        self, emission: Floats, transition: Floats, first: Floats, weights: Floats | None = None
    ) -> Beliefs:
        """The same as `beliefs`, some 20 times slower, but whatever the weights are."""
        own = emission[self.order].T
        return self._of_tokens(self._in_logs(own, transition, first, self._sorted(weights)))

    def _in_logs(self, own: Floats, transition: Floats, first: Floats, share: Floats) -> Beliefs:
        """Arguments as of `_scaled`."""
        n_tags = len(own)
        forward, backward = self._log_messages(own, transition, first)
        steps = list(pairwise(self._edge))
        with np.errstate(invalid="ignore"):  # -inf less -inf, in `_shares`
            pairs = np.zeros((n_tags, n_tags))
            for t in range(len(steps) - 1, 0, -1):
                a, b = steps[t]
                here = slice(steps[t - 1][0], steps[t - 1][0] + b - a)
                through = transition[:, :, None] + (own[:, a:b] + backward[:, a:b])[None]
                through += forward[:, here][:, None, :]  # (from, to, sequence)
                pairs += (
                    _shares(through.reshape(n_tags * n_tags, -1), empty=0.0) @ share[: b - a]
                ).reshape(pairs.shape)
            both = forward + backward
            n_begun = steps[0][1] if steps else 0
            firsts = _shares(both[:, :n_begun], empty=0.0) @ share[:n_begun]
            log_evidence = np.zeros(self.n_sequences)
            log_evidence[self._by_length[:n_begun]] = _log_sum(both[:, :n_begun])
            marginals = _shares(both, empty=1.0 / n_tags)
        return Beliefs(marginals, firsts, pairs, log_evidence)

    def messages(
        self, emission: Floats, transition: Floats, first: Floats
    ) -> tuple[Floats, Floats]:
        """ln of the weight of all ways to each tag of each token, its own weight among it, and of
        all that can follow, both of shape (n_tokens, n_tags); arguments as in `beliefs`."""
        self._check(emission, transition, first)
        found = []
        for message in self._log_messages(emission[self.order].T, transition, first):
            of_tokens = np.empty(emission.shape)
            of_tokens[self.order] = message.T
            found.append(of_tokens)
        return found[0], found[1]

    def _log_messages(
        self, own: Floats, transition: Floats, first: Floats
    ) -> tuple[Floats, Floats]:
        """`messages` of tokens in `order`, shape (n_tags, n_tokens)."""
        forward, backward = np.empty(own.shape), np.zeros(own.shape)
        steps = list(pairwise(self._edge))
        with np.errstate(invalid="ignore"):  # -inf less -inf, in `_log_sum`
            for t, (a, b) in enumerate(steps):
                if t == 0:
                    forward[:, a:b] = first[:, None] + own[:, a:b]
                    continue
                before = forward[:, steps[t - 1][0] : steps[t - 1][0] + b - a]
                moved = _log_sum(before[:, None, :] + transition[:, :, None])
                forward[:, a:b] = moved + own[:, a:b]
            for t in range(len(steps) - 1, 0, -1):
                a, b = steps[t]
                here = slice(steps[t - 1][0], steps[t - 1][0] + b - a)
                ahead = own[:, a:b] + backward[:, a:b]
                backward[:, here] = _log_sum(transition.T[:, :, None] + ahead[:, None, :])
        return forward, backward

    def best_paths(self, emission: Floats, transition: Floats, first: Floats) -> NDArray[np.int64]:
        """Viterbi: the path of most weight, shape (n_tokens,); arguments as in `beliefs`.

        Of equals the lowest tag, decided from the last token to the first.
        """
        self._check(emission, transition, first)
        n_tags = emission.shape[1]
        path = np.zeros(self.n_tokens, dtype=np.int64)
        if self.n_tokens == 0:
            return path
        own = np.ascontiguousarray(emission[self.order].T)
        came_from = np.zeros(own.shape, dtype=np.min_scalar_type(n_tags))
        steps = list(pairwise(self._edge))
        a, b = steps[0]
        own[:, a:b] += first[:, None]
        for t in range(1, len(steps)):
            a, b = steps[t]
            before = own[:, steps[t - 1][0] : steps[t - 1][0] + b - a]
            best = before[0] + transition[0][:, None]
            origin = came_from[:, a:b]
            for tag in range(1, n_tags):
                weight = before[tag] + transition[tag][:, None]
                better = weight > best
                origin[better] = tag
                np.maximum(best, weight, out=best)
            own[:, a:b] += best
        # Sequences that end at a step choose for themselves, the others follow.
        chosen = np.empty(0, dtype=np.int64)
        column = np.empty(self.n_tokens, dtype=np.int64)
        for t in range(len(steps) - 1, -1, -1):
            a, b = steps[t]
            followers = len(chosen)
            if t + 1 < len(steps):
                at = steps[t + 1][0]
                chosen = came_from[chosen, at + np.arange(followers)].astype(np.int64)
            ending = own[:, a + followers : b].argmax(axis=0)
            chosen = np.concatenate((chosen, ending))
            column[a:b] = chosen
        path[self.order] = column
        return path

    def first_tokens(self) -> NDArray[np.int64]:
        """The first token of each sequence that has one."""
        return self.order[: self._edge[1]] if len(self._edge) > 1 else self.order

    def _scaled(
        self, own: Floats, transition: Floats, first: Floats, share: Floats
    ) -> tuple[Beliefs, NDArray[np.bool_]]:
        """Forward-backward with scaling, and for which sequences it is not good enough: these are
        left out of the sums. `own` and the marginals have the shape (n_tags, n_tokens), and tokens
        are in `order`; `share` is of the sequences from the longest to the shortest, and so is
        what is doubtful.
        """
        n_tags = len(own)
        top = _finite(own.max(axis=0)) if own.size else np.zeros(own.shape[1])
        u = own - top
        np.exp(u, out=u)
        first_top, move_top = _finite(first.max()), _finite(transition.max())
        move = np.exp(transition - move_top)

        steps = list(pairwise(self._edge))
        alpha, scale = np.empty(u.shape), np.empty(u.shape[1])
        turned = np.ascontiguousarray(move.T)
        for t, (a, b) in enumerate(steps):
            now = alpha[:, a:b]
            if t == 0:
                np.multiply(np.exp(first - first_top)[:, None], u[:, a:b], out=now)
            else:
                before = steps[t - 1][0]
                np.matmul(turned, alpha[:, before : before + b - a], out=now)
                now *= u[:, a:b]
            sums = now.sum(axis=0)
            scale[a:b] = sums
            now /= np.maximum(sums, LEAST)

        # beta is kept with sum 1 at each token, which only changes `total` below.
        beta = np.full(u.shape, 1.0 / n_tags)
        for t in range(len(steps) - 1, 0, -1):
            a, b = steps[t]
            before = steps[t - 1][0]
            u[:, a:b] *= beta[:, a:b]
            now = beta[:, before : before + b - a]
            now[:] = move @ u[:, a:b]
            now /= np.maximum(now.sum(axis=0), LEAST)
        posterior = np.multiply(alpha, beta, out=beta)
        total = posterior.sum(axis=0)
        posterior /= np.maximum(total, LEAST)

        fine = (scale > DOUBTFUL) & (total > VANISHED)
        bad = np.zeros(self.n_sequences, dtype=bool)
        if not fine.all():
            bad[self._rank[~fine]] = True
            fine = ~bad[self._rank]
        total *= scale
        u *= np.divide(share[self._rank], total, out=np.zeros(len(total)), where=fine)
        pairs = np.zeros((n_tags, n_tags))
        for t in range(1, len(steps)):
            a, b = steps[t]
            before = steps[t - 1][0]
            pairs += alpha[:, before : before + b - a] @ u[:, a:b].T
        pairs *= move
        begun = steps[0][1] if steps else 0
        firsts = posterior[:, :begun] @ (share * ~bad)[:begun]

        top += np.log(np.maximum(scale, LEAST))
        top[:begun] += first_top
        top[begun:] += move_top
        log_evidence = np.bincount(
            self._by_length[self._rank], weights=top, minlength=self.n_sequences
        ).astype(np.float64)
        return Beliefs(posterior, firsts, pairs, log_evidence), bad

    def _sorted(self, weights: Floats | None) -> Floats:
        """Of the sequences from the longest to the shortest."""
        return np.ones(self.n_sequences) if weights is None else weights[self._by_length]

    def _of_tokens(self, beliefs: Beliefs) -> Beliefs:
        marginals = np.empty(beliefs.marginals.shape[::-1])
        marginals[self.order] = beliefs.marginals.T
        return Beliefs(marginals, beliefs.firsts, beliefs.pairs, beliefs.log_evidence)

    def _check(self, emission: Floats, transition: Floats, first: Floats) -> None:
        n_tags = emission.shape[1]
        if len(emission) != self.n_tokens:
            raise ValueError(
                f"there are weights for {len(emission)} tokens, but {self.n_tokens} tokens"
            )
        if transition.shape != (n_tags, n_tags) or first.shape != (n_tags,):
            raise ValueError(
                f"tokens have {n_tags} tags, but transition has the shape {transition.shape} and "
                f"first the shape {first.shape}"
            )


def apart(emission: Floats) -> tuple[Floats, float]:
    """Tokens that know nothing of each other: marginals, and ln of the evidence of all.

    `emission` as in `Chains.beliefs`, with the logarithms of the tags' prevalences added.
    """
    if not emission.size:
        return emission.copy(), 0.0
    u = np.ascontiguousarray(emission.T)
    log_evidence = _log_sum(u)
    return _shares(u, empty=1.0 / len(u)).T.copy(), float(log_evidence.sum())


def _log_sum(logs: Floats) -> Floats:
    """ln of the sum of exp over the first axis; -inf where all are."""
    top = _finite(logs.max(axis=0))
    with np.errstate(divide="ignore"):  # log(0) = -inf is the right answer here
        return np.asarray(np.log(np.exp(logs - top).sum(axis=0)) + top)


def _shares(logs: Floats, *, empty: float) -> Floats:
    """exp of `logs`, divided by its sum over the first axis; `empty` where the sum is 0."""
    shares = np.exp(logs - _finite(logs.max(axis=0)))
    total = shares.sum(axis=0)
    return np.asarray(np.where(total > 0, shares / np.maximum(total, LEAST), empty))


def _finite(top: Floats) -> Floats:
    """`top` with 0 instead of -inf: what can be subtracted."""
    return np.where(top == -np.inf, 0.0, top)
