"""What a run has learnt as bytes, to be kept with the run and taken up for answers that come later:
the arrays of a method's `state()`, and which workers they are about, as .npz."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import Restorable
from aggregation.methods.registry import METHODS, Parameters

LARGEST = 32 * 2**20  # bytes that are kept with a run
WORKERS = "workers"


class Unreadable(Exception):
    """What was kept can't be taken up by this version."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """`workers` are the row ids, in the order of the fit's numbers."""

    fitted: Restorable
    workers: NDArray[np.int64]


def packed(fit: Fit) -> bytes | None:
    """In double precision, in single where that is too much; None where that is too much too."""
    arrays: dict[str, NDArray[Any]] = {f"fit_{n}": a for n, a in fit.fitted.state().items()}
    arrays[WORKERS] = fit.workers
    if _size(arrays) > LARGEST:
        arrays = {n: a.astype(np.float32) if a.dtype == float else a for n, a in arrays.items()}
    if _size(arrays) > LARGEST:
        return None
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type] # the stubs know of no names but allow_pickle
    return file.getvalue()


def unpacked(method: str, parameters: Mapping[str, Any], data: bytes) -> Fit:
    """Raises Unreadable where `data` are not what `packed` made for this method."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = dict(file)
        workers = arrays.pop(WORKERS)
        state = {name.removeprefix("fit_"): array for name, array in arrays.items()}
        settings: Parameters = dict(parameters)
        return Fit(METHODS[method].restored(settings, state), workers.astype(np.int64))
    except (ValueError, TypeError, KeyError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise Unreadable(f"What {method} has learnt can't be read: {error}") from error


def _size(arrays: Mapping[str, NDArray[Any]]) -> int:
    return sum(array.nbytes for array in arrays.values())
