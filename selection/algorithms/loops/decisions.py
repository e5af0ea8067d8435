"""What a model decides on documents that are watched from round to round: a model is stable when
its decisions are (Bloodgood and Vijay-Shanker, 2009, *stop sets*)."""

from __future__ import annotations

import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
WATCHED = 2_000  # documents


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """
    Attributes
    ----------
    documents : ids, ascending
    starts : array of shape (n_documents + 1,)
        Where the units of each document (its tokens; itself) begin.
    said : array of shape (n_units,)
        Numbers of `classes`.
    """

    documents: Integers
    starts: Integers
    said: Integers
    classes: tuple[str, ...]

    def to_bytes(self) -> bytes:
        file = io.BytesIO()
        names = "\n".join(self.classes).encode()
        np.savez_compressed(
            file, documents=self.documents, starts=self.starts,
            said=self.said.astype(np.int16), classes=np.frombuffer(names, dtype=np.uint8),
        )  # fmt: skip
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        with np.load(io.BytesIO(bytes(data)), allow_pickle=False) as file:
            names = file["classes"].tobytes().decode()
            return cls(
                file["documents"], file["starts"], file["said"].astype(np.int64),
                tuple(names.split("\n")),
            )  # fmt: skip

    def changed(self, before: Decisions, *, without: Collection[int] = ()) -> tuple[int, int]:
        """How many decisions differ from those of `before`, and how many were compared: of the
        documents that both know, but those `without` (what was learnt from meanwhile)."""
        theirs = {number: i for i, number in enumerate(before.documents.tolist())}
        place = {name: i for i, name in enumerate(self.classes)}
        known = np.array([place.get(name, -1) for name in before.classes], dtype=np.int64)
        differ = compared = 0
        for i, number in enumerate(self.documents.tolist()):
            j = theirs.get(number)
            if j is None or number in without:
                continue
            mine = self.said[self.starts[i] : self.starts[i + 1]]
            old = known[before.said[before.starts[j] : before.starts[j + 1]]]
            if len(mine) == len(old):
                differ += int((mine != old).sum())
                compared += len(mine)
        return differ, compared


def decisions_of(
    said: Any, documents: Sequence[int], starts: Integers | None, classes: Sequence[str]
) -> Decisions:
    """`starts` None: each document is one unit."""
    every = np.asarray(documents, dtype=np.int64)
    edges = np.arange(len(every) + 1) if starts is None else np.asarray(starts, dtype=np.int64)
    return Decisions(every, edges, np.asarray(said, dtype=np.int64), tuple(classes))
