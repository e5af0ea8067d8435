"""A text with its conditional random field, trained again and again from where it was."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.data import CrowdSequences
from aggregation.algorithms.reliability import Reliability, reliability_of
from aggregation.algorithms.sequences.bsc.shard import hits_of
from aggregation.algorithms.sequences.chains import Beliefs, Chains
from aggregation.algorithms.sequences.crf.features import Features
from aggregation.algorithms.sequences.crf.model import LinearChainCRF
from aggregation.algorithms.sequences.crf.objective import Targets
from aggregation.algorithms.sequences.crf.tagger import Tagger
from aggregation.algorithms.sequences.crf.text import Text
from aggregation.algorithms.settings import check_above, check_at_least, check_choice

Floats = NDArray[np.float64]


class Learner:
    """Features are made once; each training begins with the weights of the one before.

    Attributes
    ----------
    features : fitted Features
    crf : LinearChainCRF
        From the first training on.
    scores : array of shape (n_tokens, n_tags)
        What the features of each token say of each tag, as the field has learnt it; 0 before.
    moves, firsts : arrays of shape (n_tags, n_tags) and (n_tags,)
    """

    features: Features
    crf: LinearChainCRF
    scores: Floats
    moves: Floats
    firsts: Floats

    def __init__(self, text: Text, tags: Sequence[str], *, minimum: int, sigma2: float, legal: int):
        self.features = Features(minimum=minimum)
        self._matrix = self.features.fit_transform(text)
        self._starts, self._tags = text.starts, tuple(tags)
        self._chains = Chains(text.starts)
        self._sigma2, self._legal = sigma2, legal
        n_tags = len(self._tags)
        self.scores = np.zeros((text.n_tokens, n_tags))
        self.moves, self.firsts = np.zeros((n_tags, n_tags)), np.zeros(n_tags)

    @property
    def n_tags(self) -> int:
        return len(self._tags)

    def train(self, targets: Targets, *, steps: int) -> None:
        """At most `steps` steps of L-BFGS; fewer where they gain nothing."""
        crf = LinearChainCRF(sigma2=self._sigma2, legal=self._legal, max_iter=steps)
        warm = getattr(self, "crf", None)
        self.crf = crf.fit(self._matrix, targets, self._starts, tags=self._tags, warm=warm)
        self.scores = self.crf.scores(self._matrix)
        self.moves, self.firsts = self.crf.moves_, self.crf.firsts_

    def beliefs(self, favour: Floats | float = 0.0, weights: Floats | None = None) -> Beliefs:
        """Of all tokens, with `favour` added to the scores; `log_evidence` is ln Z."""
        return self._chains.beliefs(self.scores + favour, self.moves, self.firsts, weights)

    def best_paths(self, favour: Floats | float = 0.0) -> NDArray[np.int64]:
        """Viterbi of the same, shape (n_tokens,)."""
        return self._chains.best_paths(self.scores + favour, self.moves, self.firsts)

    def tagger(self) -> Tagger:
        return Tagger.of(self.features, self.crf, self._tags)


def text_of(sequences: CrowdSequences, method: str) -> Text:
    """Raises ValueError where the words are not known."""
    if sequences.words is None:
        raise ValueError(
            f"{method} needs the words of the tokens, but the sequences have none: pass words and "
            "vocabulary to CrowdSequences"
        )
    return Text.of_sequences(sequences)


def reliability_by(
    sequences: CrowdSequences, posterior: Floats, **parameters: Floats
) -> Reliability:
    """How far the field agrees with each worker; a label is right with the posterior of the tag
    that it says."""
    judged = sequences.judged()
    return reliability_of(hits_of(sequences, posterior), judged, **parameters)


def check_training(**settings: float) -> None:
    """Raises ValueError for what all methods that train a field refuse; whole numbers other than
    `legal` must be at least 1."""
    settings = dict(settings)
    sigma2, legal = settings.pop("sigma2"), settings.pop("legal")
    check_above(0, sigma2=sigma2)  # 1e6 is next to no prior
    check_choice((0, 1), legal=legal)
    for name, value in settings.items():
        check_at_least(0 if name.endswith("tol") else 1, **{name: value})
