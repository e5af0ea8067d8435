"""The methods by name, what each takes, and the checking of its parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from aggregation.algorithms import (
    Aggregator,
    CrowdLabels,
    CrowdSequences,
    DawidSkene,
    MajorityVote,
    MVseg,
    MVseq,
    MVtoken,
)

LARGEST = 1e15  # of a parameter; below it each whole number is a float of its own
Parameters = dict[str, int | float | str]


@dataclass(frozen=True, slots=True)
class Method:
    """`takes` is "labels" (each token a unit of its own) or "sequences"."""

    make: Callable[..., Any]
    interfaces: tuple[str, ...]
    takes: str

    def fit(
        self, parameters: Parameters, labels: CrowdLabels, sequences: CrowdSequences | None
    ) -> Aggregator:
        data = labels if self.takes == "labels" else sequences
        fitted: Aggregator = self.make(**parameters).fit(data)
        return fitted

    def defaults(self) -> Parameters:
        found = inspect.signature(self.make).parameters.values()
        return {parameter.name: parameter.default for parameter in found}


METHODS = {
    "majority": Method(MajorityVote, ("choice",), "labels"),
    "dawid-skene": Method(DawidSkene, ("choice", "entity"), "labels"),
    "mv-token": Method(MVtoken, ("entity",), "sequences"),
    "mv-seq": Method(MVseq, ("entity",), "sequences"),
    "mv-seg": Method(MVseg, ("entity",), "sequences"),
}


def method_for(interface: str, name: str) -> Method:
    """Raises ValueError with what is possible."""
    possible = [key for key, method in METHODS.items() if interface in method.interfaces]
    if name in possible:
        return METHODS[name]
    if not possible:
        raise ValueError(f"There is no method for {interface} campaigns yet.")
    trouble = (
        f"'{name}' is not for {interface} campaigns"
        if name in METHODS
        else f"There is no method '{name}'"
    )
    raise ValueError(f"{trouble}. Use {_either(possible)}.")


def checked_parameters(name: str, given: Mapping[str, Any]) -> Parameters:
    """All parameters of a method, the defaults for those not given. Raises ValueError."""
    parameters = METHODS[name].defaults()
    for key, value in given.items():
        if key not in parameters:
            takes = f"It takes {', '.join(parameters)}" if parameters else "It takes none"
            raise ValueError(f"'{name}' has no parameter '{key}'. {takes}.")
        parameters[key] = _typed(key, value, parameters[key])
    METHODS[name].make(**parameters)  # refuses values out of range
    return parameters


def _typed(key: str, value: Any, default: int | float | str) -> int | float | str:
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


def _either(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
