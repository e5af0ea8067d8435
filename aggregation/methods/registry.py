"""The methods by name, what each takes, and the checking of its parameters."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import (
    CRFMA,
    GLAD,
    IBCC,
    MACE,
    Aggregator,
    BSCacc,
    BSCcm,
    BSCcv,
    BSCmace,
    BSCseq,
    CorrelationClustering,
    CRFConc,
    CrowdClusters,
    CrowdLabels,
    CrowdSequences,
    DawidSkene,
    GoldCounts,
    HierarchicalDawidSkene,
    HMMCrowd,
    MajorityVote,
    MultiCRF,
    MultiCRFMax,
    MVseg,
    MVseq,
    MVtoken,
    OneCoin,
    Pool,
    Restorable,
    Touchstone,
    Wawa,
    WeightedMajority,
    ZeroBasedSkill,
)
from aggregation.interfaces import words_of

UNUSABLE = {  # what some methods can't use, and how that is said
    "gold": "takes no gold: it learns nothing from known answers",
    "warm": "can't begin from an earlier fit",
    "pool": "works in one process: leave out --jobs",
}
# Votes: what a task has depends on its own answers alone.
VOTES = frozenset({"majority", "mv-token", "mv-seq", "mv-seg"})
LARGEST = 1e15  # of a parameter; below it each whole number is a float of its own
Parameters = dict[str, int | float | str]


@dataclass(frozen=True, slots=True)
class Method:
    """`takes` is "labels" (each token a unit of its own), "sequences" or "clusters". With `trains`
    a fit has a `tagger_`, which tags new texts."""

    make: type[Any]
    takes: str
    trains: bool = False

    def fit(
        self,
        parameters: Parameters,
        labels: CrowdLabels | None,
        sequences: CrowdSequences | None,
        clusters: CrowdClusters | None = None,
        *,
        seed: int = 0,
        gold: NDArray[np.signedinteger[Any]] | None = None,
        warm: Aggregator | None = None,
        pool: Pool | None = None,
        gold_counts: GoldCounts | None = None,
    ) -> Aggregator:
        """`gold` clamps units (-1: not known), `warm` is an earlier fit to begin from, `pool`
        where shards live, `gold_counts` how workers did on gold, for a method whose `start` is
        "gold". Raises ValueError where the method can't use what is given."""
        data = {"labels": labels, "sequences": sequences, "clusters": clusters}[self.takes]
        settings = {"gold": gold, "warm": warm, "pool": pool}
        options = {name: value for name, value in settings.items() if value is not None}
        self.check_can_use(*options)
        begun = {} if gold_counts is None else {"gold_counts": gold_counts}
        fitted: Aggregator = self.made(parameters, seed).fit(data, **options, **begun)
        return fitted

    def made(self, parameters: Parameters, seed: int = 0) -> Any:
        """Before its fit."""
        seeded = {"seed": seed} if self.is_seeded else {}
        return self.make(**parameters, **seeded)

    def check_can_use(self, *options: str) -> None:
        """Raises ValueError for the first of "gold", "warm" and "pool" that it can't use."""
        for name in options:
            if name not in self.can_use:
                raise ValueError(f"'{name_of(self)}' {UNUSABLE[name]}.")

    @property
    def can_use(self) -> frozenset[str]:
        """Of "gold", "warm" and "pool", what `fit` takes."""
        return frozenset(inspect.signature(self.make.fit).parameters) & UNUSABLE.keys()

    @property
    def follows(self) -> str:
        """How answers that come after a run find their way into its consensus: "fit", they are
        judged with what the run has learnt; "vote", they are counted; "", by a new run alone."""
        if issubclass(self.make, Restorable):
            return "fit"
        return "vote" if name_of(self) in VOTES else ""

    @property
    def foresees(self) -> bool:
        """Whether it tells how probable labels are that it has not seen."""
        return hasattr(self.make, "label_likelihood")

    def restored(self, parameters: Parameters, state: Mapping[str, NDArray[Any]]) -> Restorable:
        """A fit from its `state()`. Raises ValueError where it is none of these parameters."""
        if self.follows != "fit":
            raise ValueError("it learns nothing that is kept")
        made: Restorable = self.make.restore(state, **parameters)
        return made

    @property
    def is_seeded(self) -> bool:
        """Whether it draws random numbers."""
        return "seed" in inspect.signature(self.make).parameters

    def defaults(self) -> Parameters:
        """The seed is no setting: it is given apart."""
        found = inspect.signature(self.make).parameters.values()
        return {
            parameter.name: parameter.default for parameter in found if parameter.name != "seed"
        }


METHODS = {
    "majority": Method(MajorityVote, "labels"),
    "weighted-majority": Method(WeightedMajority, "labels"),
    "wawa": Method(Wawa, "labels"),
    "zbs": Method(ZeroBasedSkill, "labels"),
    "one-coin": Method(OneCoin, "labels"),
    "dawid-skene": Method(DawidSkene, "labels"),
    "hierarchical-dawid-skene": Method(HierarchicalDawidSkene, "labels"),
    "ibcc": Method(IBCC, "labels"),
    "mace": Method(MACE, "labels"),
    "glad": Method(GLAD, "labels"),
    "mv-token": Method(MVtoken, "sequences"),
    "mv-seq": Method(MVseq, "sequences"),
    "mv-seg": Method(MVseg, "sequences"),
    "hmm-crowd": Method(HMMCrowd, "sequences"),
    "bsc-acc": Method(BSCacc, "sequences"),
    "bsc-mace": Method(BSCmace, "sequences"),
    "bsc-cv": Method(BSCcv, "sequences"),
    "bsc-cm": Method(BSCcm, "sequences"),
    "bsc-seq": Method(BSCseq, "sequences"),
    "crf-ma": Method(CRFMA, "sequences", trains=True),
    "crf-conc": Method(CRFConc, "sequences", trains=True),
    "multi-crf": Method(MultiCRF, "sequences", trains=True),
    "multi-crf-max": Method(MultiCRFMax, "sequences", trains=True),
    "touchstone": Method(Touchstone, "sequences", trains=True),
    "correlation-clustering": Method(CorrelationClustering, "clusters"),
}


def name_of(method: Method) -> str:
    return next(name for name, known in METHODS.items() if known is method)


def methods_for(interface: str) -> list[str]:
    """The methods that can take the answers of its campaigns."""
    takes = words_of(interface).takes
    return [name for name, method in METHODS.items() if method.takes in takes]


def method_for(interface: str, name: str) -> Method:
    """Raises ValueError with what is possible."""
    possible = methods_for(interface)
    if name in possible:
        return METHODS[name]
    if not possible:
        raise ValueError(f"There is no method for {interface} campaigns yet.")
    trouble = (
        f"'{name}' is not for {interface} campaigns"
        if name in METHODS
        else f"There is no method '{name}'"
    )
    raise ValueError(f"{trouble}. Use {either(possible)}.")


def checked_parameters(name: str, settings: Mapping[str, Any]) -> Parameters:
    """All parameters of a method, the defaults for those not given. Raises ValueError."""
    parameters = METHODS[name].defaults()
    for key, value in settings.items():
        if key not in parameters:
            takes = f"It takes {', '.join(parameters)}" if parameters else "It takes none"
            raise ValueError(f"'{name}' has no parameter '{key}'. {takes}.")
        parameters[key] = typed_parameter(key, value, parameters[key])
    METHODS[name].make(**parameters)  # refuses values out of range
    return parameters


def typed_parameter(key: str, value: Any, default: int | float | str) -> int | float | str:
    """The value as the default's kind. Raises ValueError."""
    if isinstance(default, str):
        return str(value)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not abs(value) < LARGEST:
        raise ValueError(f"Parameter '{key}' must be a number such as {default}, but is '{value}'.")
    if isinstance(default, float):
        return float(value)
    if value != int(value):
        raise ValueError(f"Parameter '{key}' must be a whole number, but is {value}.")
    return int(value)


def either(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
