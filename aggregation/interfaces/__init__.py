"""What differs between the interfaces when their answers are aggregated. One module each.

An entry is its module, which offers WORDS and the functions of `entries.Entry`, and one line in
REGISTRY. Pages read the words, so a module imports numerics inside its functions alone.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Words:
    """What can be aggregated, and what pages, commands and files call it: nouns in the singular.

    Attributes
    ----------
    takes : what a method can take to be one for this interface
        Of "labels", "sequences" and "clusters".
    unit : what an F1 or an accuracy is over
    judgment : what has a confidence of its own
    judged : what a worker is right or wrong about
    source : what comes with gold
    disputed : expected errors of a task from which on a person should decide
    per_token : bool
        Whether the stored probabilities are those of each token of the document.
    """

    takes: tuple[str, ...] = ()
    unit: str = "task"
    judgment: str = "task"
    judged: str = "task"
    source: str = "document"
    disputed: float = 0.5
    per_token: bool = False

    @property
    def takes_classes(self) -> bool:
        """Whether an answer is one class, so that a vote is a rival."""
        return "labels" in self.takes and not self.per_token

    @property
    def comparable(self) -> bool:
        """Whether there are several methods, which can be held against each other."""
        return bool({"labels", "sequences"} & {*self.takes})


REGISTRY = {
    "entity": "aggregation.interfaces.entity",
    "relation": "aggregation.interfaces.relation",
    "linking": "aggregation.interfaces.linking",
    "choice": "aggregation.interfaces.choice",
}
NOTHING = Words()  # of an interface whose answers nobody can aggregate yet


def module_of(kind: str) -> Any:
    """None where there is none."""
    return importlib.import_module(REGISTRY[kind]) if kind in REGISTRY else None


def words_of(kind: str) -> Words:
    module = module_of(kind)
    words: Words = module.WORDS if module else NOTHING
    return words
