"""What a fit has learnt as plain arrays, to be stored and taken up again.

A method that can be taken up again has

    state = fitted.state()                             # names → arrays
    again = DawidSkene.restore(state, **settings)      # can `infer`, and be `warm` for a new fit
    again.infer(labels)                                # posterior of new units; nothing is learnt

Arrays may come back from a store in single precision. Nothing else is believed: shapes have to
agree with each other, and numbers have to be numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms.data import CrowdLabels, CrowdSequences

Floats = NDArray[np.float64]
State = dict[str, NDArray[Any]]


@runtime_checkable
class Restorable(Protocol):
    """A method whose fit can be stored, and judge units that it was not fitted on."""

    def infer(self, data: Any, *, gold: Any = None) -> Floats:
        """The posterior of the units of `data`, shape (n_units, n_classes): one E-step with what
        was learnt. Workers have the numbers of the fit; those after its last have the prior."""

    def judge(self, data: Any, *, gold: Any = None) -> tuple[Floats, NDArray[np.int64]]:
        """What `infer` gives, and the class of each unit as `predict` chooses it."""

    def state(self) -> State: ...

    @classmethod
    def restore(cls, state: Mapping[str, NDArray[Any]], **settings: Any) -> Self:
        """Raises ValueError where the arrays are not those of a fit."""


def numbers(state: Mapping[str, NDArray[Any]], **axes: str) -> dict[str, Floats]:
    """The arrays of `state` as floats. `axes` has a letter for each axis of each array, such as
    confusion="wkk"; what has one letter has one length, and a digit is the length itself.

    Raises ValueError for arrays that are missing, have another shape, or hold no numbers.
    """
    lengths: dict[str, int] = {}
    found = {}
    for name, letters in axes.items():
        if name not in state:
            raise ValueError(f"the state has no '{name}'; it has {', '.join(state) or 'nothing'}")
        array = np.asarray(state[name])
        if array.dtype.kind not in "fiu":
            raise ValueError(f"'{name}' of the state holds {array.dtype}, but must hold numbers")
        if array.ndim != len(letters):
            raise ValueError(
                f"'{name}' of the state has the shape {array.shape}, but must have "
                f"{len(letters)} dimensions"
            )
        for letter, length in zip(letters, array.shape, strict=True):
            wanted = int(letter) if letter.isdigit() else lengths.setdefault(letter, length)
            if length != wanted:
                raise ValueError(
                    f"'{name}' of the state has the shape {array.shape}, but {length} should be "
                    f"{wanted}"
                )
        found[name] = array.astype(np.float64)
        if not np.isfinite(found[name]).all():
            raise ValueError(f"'{name}' of the state holds what is no number")
    if lengths.get("k") == 0:
        raise ValueError("the state has no classes")
    return found


def not_negative(arrays: Mapping[str, Floats]) -> None:
    for name, array in arrays.items():
        if (array < 0).any():
            raise ValueError(f"'{name}' of the state is below 0 in places")


def packed_names(names: Iterable[str]) -> State:
    """Strings as two arrays: their bytes, and where each ends. (An array of strings is as wide as
    the longest of them.)"""
    encoded = [name.encode("utf-8", "surrogatepass") for name in names]
    return {
        "bytes": np.frombuffer(b"".join(encoded), dtype=np.uint8),
        "ends": np.cumsum([len(part) for part in encoded], dtype=np.int64),
    }


def unpacked_names(data: NDArray[Any], ends: NDArray[Any]) -> tuple[str, ...]:
    """Raises ValueError where the arrays are not those of `packed_names`."""
    right = data.ndim == ends.ndim == 1 and data.dtype == np.uint8 and ends.dtype.kind in "iu"
    if not right or (np.diff(ends, prepend=0) < 0).any() or len(data) != (ends[-1:].sum()):
        raise ValueError("the names of the state can't be read")
    whole, names, begin = data.tobytes(), [], 0
    for end in ends.tolist():
        names.append(whole[begin:end].decode("utf-8", "surrogatepass"))
        begin = end
    return tuple(names)


def check_kind(warm: object, kind: type, learnt: str) -> None:
    """Raises ValueError where `warm` is no fitted `kind`, which has the attribute `learnt`."""
    if not isinstance(warm, kind):
        raise ValueError(f"warm is a {type(warm).__name__}, but must be a {kind.__name__}")
    if not hasattr(warm, learnt):
        raise ValueError("warm was not fitted yet")


def check_classes(n_classes: int, data: CrowdLabels) -> None:
    if n_classes != data.n_classes:
        raise ValueError(f"the fit has {n_classes} classes, but there are {data.n_classes}")


def check_workers(n_workers: int, data: CrowdLabels | CrowdSequences) -> None:
    if n_workers > data.n_workers:
        raise ValueError(
            f"the fit has {n_workers} workers, but there are {data.n_workers}: they keep their "
            "numbers, and new ones come after them"
        )


def check_tags(tags: Sequence[str], data: CrowdSequences) -> None:
    if tuple(tags) != data.tags:
        raise ValueError(
            f"the fit knows the tags {', '.join(tags)}, but the sequences have "
            f"{', '.join(data.tags)}"
        )


def most_probable(posterior: Floats) -> NDArray[np.int64]:
    """Of equals the lowest."""
    return np.asarray(posterior.argmax(axis=1), dtype=np.int64)
