"""A trained field with its features and the names of its tags: what tags new texts, and is stored.

It is stored as `array_files` are. Weights are stored in single precision, which halves the file and
moves probabilities by less than 1e-5. The same fit makes the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.array_files import ArrayFiles
from aggregation.algorithms.fitted_state import State, numbers, packed_names, unpacked_names
from aggregation.algorithms.sequences.crf.features import Features
from aggregation.algorithms.sequences.crf.model import FORBIDDEN, LinearChainCRF
from aggregation.algorithms.sequences.crf.objective import Targets
from aggregation.algorithms.sequences.crf.text import Text

Floats = NDArray[np.float64]

KEPT = ArrayFiles(
    format="touchstone-tagger",
    version=1,
    noun="tagger",
    written_by="give a file that aggregate_file --model has written (in Python, Tagger.save)",
)
SETTINGS = {"sigma2": float, "legal": int, "max_iter": int, "tol": float, "scaled": int}  # of crf


class Tagger:
    """Tags texts. What was trained on nothing can't be used or stored: that is a ValueError.

    Parameters
    ----------
    features : Features, or None for the usual ones
        `fit` fits them to its text.
    crf : LinearChainCRF, or None for one with its default settings

    Attributes
    ----------
    features, crf : as given; fitted
    tags : tuple of str
        Their names.
    """

    tags: tuple[str, ...]

    def __init__(self, features: Features | None = None, crf: LinearChainCRF | None = None):
        self.features = Features() if features is None else features
        self.crf = LinearChainCRF() if crf is None else crf

    @classmethod
    def of(cls, features: Features, crf: LinearChainCRF, tags: Sequence[str]) -> Self:
        """Of what was fitted elsewhere."""
        tagger = cls(features, crf)
        tagger.tags = tuple(tags)
        n_features, n_tags = crf.weights_.shape
        if (n_features, n_tags) != (features.n_features, len(tagger.tags)):
            raise ValueError(
                f"the field has weights for {n_features} features and {n_tags} tags, but there are "
                f"{features.n_features} features and {len(tagger.tags)} tags"
            )
        return tagger

    def fit(
        self, text: Text, targets: Targets, tags: Sequence[str], *, warm: Tagger | None = None
    ) -> Self:
        """Learn the features of `text`, and their weights.

        Parameters
        ----------
        targets : Targets
            What the tags of `text` are, or are expected to be.
        tags : names of the tags
        warm : fitted Tagger, or None
            Begin from its weights, those of new features with 0. It must have the same tags.
        """
        matrix = self.features.fit_transform(text)
        start = None if warm is None else warm._weights_for(self.features, tags)
        self.crf.fit(matrix, targets, text.starts, tags=tags, warm=start)
        self.tags = tuple(tags)
        return self

    def tag(self, text: Text) -> NDArray[np.int64]:
        """The most probable tags of each sequence as a whole (Viterbi), shape (n_tokens,)."""
        return self.crf.predict(self._features_of(text), text.starts)

    def marginals(self, text: Text) -> Floats:
        """P(tag | text) of each token, shape (n_tokens, n_tags)."""
        return self.crf.beliefs(self._features_of(text), text.starts).marginals

    def judge(self, text: Text) -> tuple[NDArray[np.int64], Floats]:
        """What `tag` and `marginals` give, in less time than both."""
        features = self._features_of(text)
        marginals = self.crf.beliefs(features, text.starts).marginals
        return self.crf.predict(features, text.starts), marginals

    def save(self, file: str | os.PathLike[str] | BinaryIO) -> None:
        """Store it at a path, whole or not at all, or in an open file."""
        KEPT.save(file, self._state())

    @classmethod
    def load(cls, file: str | os.PathLike[str] | BinaryIO) -> Self:
        """What `save` has stored, ready to tag.

        Raises OSError where the file can't be read, and ValueError where it is no tagger, is
        damaged, or is of a newer version.
        """
        return KEPT.load(file, cls._restored)

    def _state(self) -> State:
        self._check_trained()
        crf = self.crf
        return {
            "tags_bytes": packed_names(self.tags)["bytes"],
            "tags_ends": packed_names(self.tags)["ends"],
            "settings": np.array([getattr(crf, name) for name in SETTINGS], dtype=np.float64),
            "weights": crf.weights_.astype(np.float32),
            "firsts": crf.firsts_.astype(np.float32),
            "moves": crf.moves_.astype(np.float32),
            **{f"features_{name}": array for name, array in self.features.state().items()},
        }

    @classmethod
    def _restored(cls, state: Mapping[str, NDArray[Any]]) -> Self:
        found = numbers(state, settings=f"{len(SETTINGS)}", weights="fk", firsts="k", moves="kk")
        settings = zip(SETTINGS.items(), found["settings"].tolist(), strict=True)
        crf = LinearChainCRF(**{name: kind(value) for (name, kind), value in settings})
        crf.weights_, crf.firsts_, crf.moves_ = found["weights"], found["firsts"], found["moves"]
        tags = unpacked_names(state["tags_bytes"], state["tags_ends"])
        if len(set(tags)) != len(tags):
            raise ValueError("a tag is there twice")
        own = {
            name.removeprefix("features_"): array
            for name, array in state.items()
            if name.startswith("features_")
        }
        return cls.of(Features.restore(own), crf, tags)

    def _features_of(self, text: Text) -> Any:
        self._check_trained()
        return self.features.transform(text)

    def _weights_for(self, features: Features, tags: Sequence[str]) -> LinearChainCRF:
        """A field with the weights of this one, in the order of other features."""
        self._check_fitted()
        if tuple(tags) != self.tags:
            raise ValueError(
                f"warm knows the tags {', '.join(self.tags)}, but these are {', '.join(tags)}"
            )
        place = {name: i for i, name in enumerate(self.features.names)}
        row = np.array([place.get(name, -1) for name in features.names], dtype=np.int64)
        field = LinearChainCRF(legal=self.crf.legal)
        field.weights_ = np.where((row >= 0)[:, None], self.crf.weights_[row], 0.0)
        field.firsts_, field.moves_ = self.crf.firsts_, self.crf.moves_
        return field

    def _check_fitted(self) -> None:
        if not hasattr(self, "tags"):
            raise ValueError("the tagger was not fitted yet: call fit or load first")

    def _check_trained(self) -> None:
        """All tags are alike to a field without weights, and it would take the first one, a B-x,
        for each token."""
        self._check_fitted()
        crf = self.crf
        chain = np.append(crf.firsts_, crf.moves_)  # with what `legal` forbids, which is not learnt
        if len(self.tags) > 1 and not crf.weights_.any() and np.isin(chain, (0.0, FORBIDDEN)).all():
            raise ValueError(
                "the tagger has learnt nothing: nobody has labelled its texts, or all tags were "
                "said alike. Train it on more labels"
            )
