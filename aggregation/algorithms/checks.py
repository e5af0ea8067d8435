"""Arrays that a caller gave, checked; what is wrong is told as ValueError."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

UNKNOWN = -1  # gold of a unit whose class is not known; a word that is not in the vocabulary


def checked_indices(values: ArrayLike, name: str, size: int) -> NDArray[np.int32]:
    """`values` as a read-only int32 array of numbers from 0 to size - 1."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name} has the shape {array.shape}, but must have 1 dimension")
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{name} holds {array.dtype}, but must hold integers")
    if array.size:
        low, high = int(array.min()), int(array.max())
        if low < 0:
            raise ValueError(
                f"{name} holds {low}, but must be at least 0; what was not judged is left out"
            )
        if high >= size:
            raise ValueError(f"{name} holds {high}, but there are {size}, numbered from 0")
    kept = array.astype(np.int32, copy=False).view()
    kept.flags.writeable = False
    return kept


def check_lengths(**arrays: NDArray[np.int32]) -> None:
    if len({len(array) for array in arrays.values()}) > 1:
        lengths = ", ".join(f"{len(array)} in {name}" for name, array in arrays.items())
        raise ValueError(f"the arrays must be of one length, but there are {lengths}")


def checked_weights(weight: ArrayLike, n_labels: int) -> NDArray[np.float64]:
    """`weight` as floats above 0, shape (n_labels,)."""
    array = np.asarray(weight, dtype=np.float64)
    if array.shape != (n_labels,):
        raise ValueError(f"weight has the shape {array.shape}, but there are {n_labels} labels")
    wrong = ~(np.isfinite(array) & (array > 0))
    if wrong.any():
        raise ValueError(f"weight holds {array[wrong][0]}, but must be above 0")
    return array


def checked_starts(
    starts: ArrayLike, name: str = "starts", noun: str = "sequences"
) -> NDArray[np.int64]:
    """A read-only copy, shape (n + 1,): numbers from 0 on that do not fall, as in CSR."""
    array = np.array(starts, dtype=np.int64)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} has the shape {array.shape}, but must be (n_{noun} + 1,)")
    if array[0] != 0:
        raise ValueError(f"{name} must begin with 0, but begins with {array[0]}")
    falling = np.flatnonzero(np.diff(array) < 0)
    if falling.size:
        i = int(falling[0])
        raise ValueError(
            f"{name} must not fall, but {name}[{i}] is {array[i]} and {name}[{i + 1}] is "
            f"{array[i + 1]}"
        )
    array.flags.writeable = False
    return array


def checked_documents(documents: ArrayLike | None, n_sequences: int) -> NDArray[np.int64]:
    """Where documents start, counted in sequences, shape (n_documents + 1,). None: each sequence
    is one."""
    if documents is None:
        documents = np.arange(n_sequences + 1)
    array = checked_starts(documents, "documents", "documents")
    if array[-1] != n_sequences:
        raise ValueError(
            f"documents must end with the number of sequences, {n_sequences}, but end with "
            f"{array[-1]}"
        )
    return array


def checked_words(
    words: ArrayLike, vocabulary: tuple[str, ...], n_tokens: int
) -> NDArray[np.int32]:
    """A read-only view, or a copy where they are no int32."""
    array = np.asarray(words)
    if array.shape != (n_tokens,):
        raise ValueError(f"words has the shape {array.shape}, but there are {n_tokens} tokens")
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"words holds {array.dtype}, but must hold integers")
    if array.size and not UNKNOWN <= array.min() <= array.max() < len(vocabulary):
        raise ValueError(
            f"words run from {array.min()} to {array.max()}, but there are {len(vocabulary)}, "
            f"numbered from 0; {UNKNOWN} is none of them"
        )
    if len(set(vocabulary)) < len(vocabulary):
        raise ValueError(
            f"vocabulary has {len(vocabulary)} words, but only {len(set(vocabulary))} different"
        )
    kept = array.astype(np.int32, copy=False).view()
    kept.flags.writeable = False
    return kept
