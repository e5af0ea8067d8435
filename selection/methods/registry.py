"""Pickers and learners by name, and the checking of their settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.methods.registry import Parameters, either, typed_parameter
from selection.algorithms import (
    BernoulliNaiveBayes,
    Classifier,
    Committee,
    Coverage,
    DensityWeighted,
    DiverseUncertainty,
    ErrorDriven,
    FacilityLocation,
    GaussianNaiveBayes,
    Labelled,
    LogisticRegression,
    MultinomialNaiveBayes,
    Picker,
    Pool,
    Random,
    Similar,
    Uncertainty,
    choose_learner,
    mistaken,
)
from selection.methods.words import DEFAULT, LEARNER, PAIRS, PICKER_SETTINGS, START, STARTS

LEARNERS: dict[str, Callable[[], Classifier]] = {
    "logistic": LogisticRegression,
    "gaussian": GaussianNaiveBayes,
    "multinomial": MultinomialNaiveBayes,
    "bernoulli": BernoulliNaiveBayes,
}
BEST = "best"  # of the learners, by cross-validation on what is labelled


@dataclass(frozen=True, slots=True)
class PickerKind:
    """`learns` from labels. What it chooses, and its settings, say `words`."""

    make: Callable[..., Picker]
    learns: bool = False
    seeded: bool = False


PICKERS: dict[str, PickerKind] = {
    "random": PickerKind(Random, seeded=True),
    "coverage": PickerKind(Coverage, seeded=True),
    "facility-location": PickerKind(FacilityLocation, seeded=True),
    "uncertainty": PickerKind(Uncertainty, learns=True),
    "committee": PickerKind(Committee, learns=True),
    "errors": PickerKind(ErrorDriven, learns=True),
    "similar": PickerKind(Similar),
    "density": PickerKind(DensityWeighted, learns=True),
    DEFAULT: PickerKind(DiverseUncertainty, learns=True, seeded=True),
}


def checked_settings(name: str, given: Mapping[str, Any]) -> Parameters:
    """All settings of a picker, the defaults for those not given. Raises ValueError."""
    if name not in PICKERS:
        raise ValueError(f"There is no method '{name}'. Use {either(list(PICKERS))}.")
    settings: Parameters = dict(PICKER_SETTINGS[name])
    for key, value in given.items():
        if key not in settings:
            takes = f"It takes {', '.join(settings)}" if settings else "It takes none"
            raise ValueError(f"'{name}' has no parameter '{key}'. {takes}.")
        settings[key] = typed_parameter(key, value, settings[key])
    for key, choices in {"learner": (*LEARNERS, BEST), "start": STARTS}.items():
        if key in settings and settings[key] not in choices:
            raise ValueError(
                f"Parameter '{key}' must be {either(list(choices))}, but is '{settings[key]}'."
            )
    return settings


def pool_settings(settings: Parameters) -> dict[str, Any]:
    """Those of a picker's settings that the pool is made with."""
    found: dict[str, Any] = {key: settings[key] for key in PAIRS if key in settings}
    if not found.get("step"):
        found.pop("step", None)
    return found


def picker_of(
    name: str, pool: Pool, settings: Parameters, labelled: Labelled, seed: int,
    learners: Sequence[Any] = (),
) -> Picker:  # fmt: skip
    """The picker with its learner and its start, made of checked settings. `learners` of the
    caller's own take the place of those that the settings name, the first the place of the one."""
    kind = PICKERS[name]
    options: dict[str, Any] = {
        key: value for key, value in settings.items() if key not in (*PAIRS, *LEARNER, *START)
    }
    if "start" in settings:
        options["start"] = picker_of(str(settings["start"]), pool, {}, labelled, seed)
    if "learner" in settings and name != "errors":
        named = str(settings["learner"])
        options["learner"] = learners[0] if learners else learner_of(named, pool, labelled, seed)
    if kind.make is Committee:
        options["learners"] = learners or [
            make() for make in LEARNERS.values() if _suits(make, pool)
        ]
    if kind.seeded:
        options["seed"] = seed
    return kind.make(pool, **options)


def learner_of(name: str, pool: Pool, labelled: Labelled, seed: int) -> Classifier:
    """A new learner; "best" is the one that does best on what is labelled, as soon as that teaches
    anything."""
    if name != BEST:
        return LEARNERS[name]()
    if not labelled.teaches:
        return LogisticRegression()
    learners = {name: make() for name, make in LEARNERS.items()}
    examples = {sees: pool.examples(sees)[labelled.items] for sees in ("values", "vectors")}
    return learners[choose_learner(learners, examples, labelled.targets, seed=seed).name]


def errors_of(learner: Classifier, pool: Pool, labelled: Labelled, seed: int) -> NDArray[np.int64]:
    """The labelled items that the learner gets wrong where it has learnt from the others."""
    if not labelled.teaches:
        return np.zeros(0, dtype=np.int64)
    examples = pool.examples(learner.sees)[labelled.items]
    return labelled.items[mistaken(learner, examples, labelled.targets, seed=seed)]


def _suits(make: Callable[[], Classifier], pool: Pool) -> bool:
    """Counts are not below 0."""
    return make is not MultinomialNaiveBayes or not pool.n_items or pool.values.min() >= 0
