"""A submission's claims as columns in a file: no row for each of a hundred thousand.

Kept as small as they fit, and read one by one, so that a hundred systems are scored in seconds.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.formats.output import replaced_bytes
from evaluation.formats.columns import DETAILED, Submission

KEPT = {
    "document": np.int32, "spans": np.int32, "relation": np.int16, "key": np.uint64,
    "entity": np.uint64, "fill": np.uint64, "confidence": np.float32, "lines": np.int32,
    "types": np.int16, "links": np.int32, "provenance": np.int32, "provenance_starts": np.int64,
}  # fmt: skip
NAMES = ("documents", "type_names", "link_names")
DETAILS = (*DETAILED, "provenance", "provenance_starts")


def save_columns(path: Path, submission: Submission, relations: Sequence[str]) -> None:
    """Whole or not at all. `relations` are the names that the column has the numbers of."""
    columns = {name: getattr(submission, name).astype(kind) for name, kind in KEPT.items()}
    names = {name: _packed(getattr(submission, name)) for name in NAMES}
    names["relations"] = _packed(relations)
    with replaced_bytes(path) as file:
        np.savez(file, allow_pickle=False, **columns, **names)


def load_columns(
    path: Path, name: str, relations: Sequence[str], *, details: bool = True
) -> Submission:
    """With relations numbered as in `relations`, whatever the schema was when it was validated;
    claims of one that is there no more are left out. Without `details` those columns and names are
    empty that no score needs."""
    with np.load(path, allow_pickle=False) as stored:
        found: dict[str, Any] = {
            one: _widened(stored[one]) if details or one not in DETAILS else _none(one)
            for one in KEPT
        }
        for one in NAMES:
            wanted = details or one == "documents"
            found[one] = _unpacked(stored[one]) if wanted else ()
        before = _unpacked(stored["relations"])
    claims = Submission(name=name, **found)
    return claims if before == tuple(relations) else _renumbered(claims, before, relations)


def _renumbered(claims: Submission, before: Sequence[str], relations: Sequence[str]) -> Submission:
    number = {relation: i for i, relation in enumerate(relations)}
    now = np.array([number.get(relation, -1) for relation in before], dtype=np.int64)
    moved = replace(claims, relation=now[claims.relation])
    return moved.kept(np.flatnonzero(moved.relation >= 0))


def _widened(column: NDArray[Any]) -> NDArray[Any]:
    if column.dtype == np.uint64:
        return column
    return column.astype(np.float64 if column.dtype.kind == "f" else np.int64)


def _none(name: str) -> NDArray[Any]:
    if name == "confidence":
        return np.zeros(0)
    shape = (0, 2) if name in ("types", "links", "provenance") else (0,)
    return np.zeros(shape, dtype=np.int64)


def _packed(names: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(list(names)).encode(), dtype=np.uint8)


def _unpacked(column: NDArray[np.uint8]) -> tuple[str, ...]:
    return tuple(json.loads(column.tobytes()))
