"""What an entry of `selection.interfaces` offers, as plain functions."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from annotation.interfaces.answers import Answer
from selection.interfaces import REGISTRY

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from selection.algorithms import StoredLearner


class Item(NamedTuple):
    """What a model sees of a task or of a document. Offsets are code points of `text`."""

    text: str = ""
    tokens: Sequence[Sequence[int]] = ()
    sentences: Sequence[Sequence[int]] = ()
    attributes: Mapping[str, Any] = {}
    payload: Mapping[str, Any] = {}


class Entry(Protocol):
    MEASURES: Sequence[str]
    """Names of what `shares` gives, the one first that models are compared by."""

    def classes(self, of_runs: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """What is learnt, from the classes of runs."""

    def learners(self, classes: tuple[str, ...]) -> dict[str, StoredLearner]:
        """By their names, the usual one first."""

    def load(self, path: Any) -> StoredLearner:
        """See `StoredLearner.load`."""

    def examples(self, items: Sequence[Item]) -> Any:
        """As learners see them."""

    def targets(self, examples: Any, posteriors: Sequence[NDArray[np.float64]]) -> Any:
        """As learners take them, from P(class) of the units of each item; NaN where nobody judged
        the unit."""

    def likely(self, targets: Any) -> NDArray[np.int64]:
        """The most probable class of each unit, -1 where nobody judged it."""

    def names(self, answer: Answer, item: Item) -> Sequence[str | None]:
        """The class of each unit by an answer; None where it is silent."""

    def counts(
        self, learner: Any, examples: Any, truth: NDArray[np.int64], names: Sequence[str]
    ) -> NDArray[np.float64]:
        """Of each item, (n_items, n_columns); `truth` are numbers of `names`, of which the
        learner's classes are the first, -1 where it is not known."""

    def shares(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The measures, from rows of sums of counts; for `bootstrap_interval`."""


def entry(kind: str) -> Entry:
    """Raises KeyError where the interface has none."""
    return cast(Entry, importlib.import_module(REGISTRY[kind]))
