"""Simpson and Gurevych, *A Bayesian approach for sequence tagging with crowds*, EMNLP 2019."""

from __future__ import annotations

from functools import partialmethod

from aggregation.algorithms.sequences.bsc.annotators import (
    Accuracy,
    ConfusionMatrix,
    ConfusionVector,
    Spammer,
)
from aggregation.algorithms.sequences.bsc.combination import PRIOR, SequenceCombination
from aggregation.algorithms.sequences.bsc.sequential import Sequential
from aggregation.algorithms.settings import (
    check_above_to,
    check_at_least,
    check_choice,
    check_from_to,
)


class BSCacc(SequenceCombination):
    """Bayesian sequence combination with one accuracy for each worker (`Accuracy`).

    Settings and attributes as in `BSCseq`.
    """

    annotators = Accuracy

    __init__ = partialmethod(SequenceCombination.__init__, nu=0.1)


class BSCmace(SequenceCombination):
    """Bayesian sequence combination with MACE's model of spam (`Spammer`).

    Settings and attributes as in `BSCseq`.
    """

    annotators = Spammer

    __init__ = partialmethod(SequenceCombination.__init__, diagonal=10.0)


class BSCcv(SequenceCombination):
    """Bayesian sequence combination with an accuracy for each true tag (`ConfusionVector`).

    Settings and attributes as in `BSCseq`.
    """

    annotators = ConfusionVector

    __init__ = partialmethod(SequenceCombination.__init__, diagonal=10.0, nu=0.5)


class BSCcm(SequenceCombination):
    """Bayesian sequence combination with a confusion matrix for each worker (`ConfusionMatrix`).

    Settings and attributes as in `BSCseq`.
    """

    annotators = ConfusionMatrix
    span_temperature = 3.3

    __init__ = partialmethod(SequenceCombination.__init__, diagonal=100.0)


class BSCseq(SequenceCombination):
    """Bayesian sequence combination with a confusion matrix for each worker and label given before.

    Tags t follow each other by T, words x follow from tags by rho, and what worker k says, c,
    follows from the tag and from what they said of the token before:

        t_n | t_(n-1) = j ~ T_j,       T_j ~ Dir(beta); the tag before a sequence is O
        x_n | t_n = j     ~ rho_j,     rho_j ~ Dir(nu)
        c_n | c_(n-1) = m, t_n = j ~ A^k_jm

    By variational Bayes, with r_nj = q(t_n = j) and s_ij = sum_n q(t_(n-1) = i, t_n = j). One
    iteration updates the Dirichlet distributions from r and s, takes expected logarithms, and
    finds r and s anew by forward-backward with exp(E ln) for the probabilities. It ends with that,
    so tags agree with parameters. It starts from Dawid and Skene's r.

    Two things differ from the paper, and `end=0, cap=0` takes them back. t_n is a state, which is
    the tag, but O comes as two: E where a span has just ended, and O elsewhere (`states`). And what
    a worker said counts as `cap` labels at most for each row of their table (`bsc.sequential`).
    Without these long spans grow together in large sets, the more the more iterations there are.

    Parameters
    ----------
    beta : float
        Pseudo-count of each move from tag to tag; illegal ones get next to nothing.
    diagonal, factor : float
        Pseudo-counts of what a worker says: `factor` is spread over the wrong tags, and the right
        one gets factor + diagonal. See `bsc.priors` and, for each model, `bsc.annotators`.
    nu : float
        Pseudo-count of each word for each tag.
    forbidden : float
        Pseudo-count of each illegal move, of tags and (`BSCseq`) of what a worker says.
    text, transitions : 0 or 1
        0 leaves out the model of words, or that of transitions: tags are drawn independently from
        one distribution then.
    end : 0 or 1
        Whether the first O after a span is a state of its own. Without transitions it is none.
    cap : float
        How many labels a row of a worker's table counts for at most; 0 for all of them.
    subtypes : 0 or 1
        Whether B-x comes as sure, missed and confused, and O as plain and tempting, from the third
        iteration on. For large crowds, whose workers err together.
    kappa : float
        What the annotators count for, against text and transitions.
    epsilon : float
        How probable it is that a label follows the prior alone, whatever the worker's row says.
    max_iter : int
    tol : float
        Stop when no r changes by as much as this. 20 iterations seldom get there; more change the
        tags little.

    Attributes
    ----------
    posterior_ : array of shape (n_tokens, n_tags)
        r. Rows sum to 1.
    transition_ : array of shape (n_tags, n_tags)
        Expected T; all rows alike without a model of transitions.
    lower_bound_ : list of float
        Of the log-evidence, in nats, after each E-step. It never decreases with `end=0, cap=0`;
        otherwise the prior is made anew, or the posterior widened, in each iteration. With `kappa`,
        `epsilon` or subtypes it is no bound, and good for nothing but comparison.
    reliability_ : Reliability
        Accuracy is over the labels given: the mean of r at what was said. Confusion and parameters
        are the worker model's; the class in `bsc.annotators` names them.
    diagnostics_ : Diagnostics
    """

    annotators = Sequential
    span_temperature = 2.5
    _of_prior = (*PRIOR, "end", "cap", "subtypes", "kappa", "epsilon")

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
        end: int = 1,
        cap: float = 2000.0,
        subtypes: int = 0,
        kappa: float = 1.0,
        epsilon: float = 0.0,
        max_iter: int = 20,
        tol: float = 1e-4,
    ):
        super().__init__(
            beta=beta, diagonal=diagonal, factor=factor, nu=nu, forbidden=forbidden, text=text,
            transitions=transitions, max_iter=max_iter, tol=tol,
        )  # fmt: skip
        check_choice((0, 1), end=end, subtypes=subtypes)
        check_at_least(0, cap=cap)
        check_above_to(0, 1, kappa=kappa)
        check_from_to(0, 0.5, epsilon=epsilon)
        self.end, self.cap, self.subtypes = end, cap, subtypes
        self.kappa, self.epsilon = kappa, epsilon
