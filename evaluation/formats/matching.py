"""When two mentions are one: where they stand at the same place, end alike, or share words.

The same rule for systems, judgments and annotated documents, so that precision and recall count
the same claims. Mentions that systems found are put into groups first; whoever annotated or judged
later is matched to these groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.formats.directions import Directions
from evaluation.algorithms.sampling import Keys
from evaluation.formats.columns import LARGEST, Submission, claim_keys, hashes

EXACT, HEAD, OVERLAP = "exact", "head", "overlap"
RULES = {
    EXACT: "the same first and last character",
    HEAD: "the same last character: the last word is the head of an English name",
    OVERLAP: "at least one character in common; of a chain of such mentions all are one",
}
Whole = NDArray[np.int64]


class Matching:
    """`submissions` are what is matched to; only `overlap` looks at them."""

    def __init__(self, rule: str, submissions: Sequence[Submission], directions: Directions):
        self.rule, self.directions = rule, directions
        # Groups, ordered by document and place; those of a document don't overlap.
        self._documents: Keys = np.zeros(0, dtype=np.uint64)
        self._first: Whole = np.zeros(0, dtype=np.int64)
        self._last = self._first
        if rule == OVERLAP:
            self._group(submissions)

    def _group(self, submissions: Sequence[Submission]) -> None:
        mentions = [
            (np.tile(hashes(one.documents)[one.document], 2),
             np.concatenate([one.spans[:, :2], one.spans[:, 2:]]))
            for one in submissions if len(one.key)
        ]  # fmt: skip
        if not mentions:
            return
        self._documents, row = np.unique(
            np.concatenate([keys for keys, _ in mentions]), return_inverse=True
        )
        spans = np.concatenate([part for _, part in mentions])
        # Documents one behind the other on one line, so that they can be sorted and searched.
        first, last = self._on_line(row, spans[:, 0]), self._on_line(row, spans[:, 1])
        order = np.argsort(first, kind="stable")
        first, last = first[order], np.maximum.accumulate(last[order])
        begins = np.concatenate(([True], first[1:] >= last[:-1]))
        ends = np.concatenate((np.flatnonzero(begins)[1:] - 1, [len(first) - 1]))
        self._first, self._last = first[begins], last[ends]

    @staticmethod
    def _on_line(row: Any, place: Whole) -> Whole:
        found: Whole = row.astype(np.int64) * (LARGEST + 1) + place
        return found

    def spans(self, documents: Keys, spans: Whole) -> Whole:
        """What stands for the four ends of each claim, shape (n_claims, 4); `documents` are the
        hashes of their names."""
        if self.rule == EXACT:
            return spans
        if self.rule == HEAD:
            return spans[:, [1, 1, 3, 3]]
        return np.column_stack(
            [self._grouped(documents, spans[:, 0:2]), self._grouped(documents, spans[:, 2:4])]
        )

    def _grouped(self, documents: Keys, span: Whole) -> Whole:
        """The ends of the group that has most characters in common, or its own where none has."""
        if not len(self._first) or not len(span):
            return span
        row = np.minimum(np.searchsorted(self._documents, documents), len(self._documents) - 1)
        known = self._documents[row] == documents
        first, last = self._on_line(row, span[:, 0]), self._on_line(row, span[:, 1])
        begin = np.searchsorted(self._last, first, side="right")
        end = np.searchsorted(self._first, last, side="left")  # the groups from begin to end - 1
        touched = known & (end > begin)
        chosen = np.minimum(begin, len(self._first) - 1)
        for i in np.flatnonzero(touched & (end - begin > 1)):
            groups = np.arange(begin[i], end[i])
            common = np.minimum(self._last[groups], last[i]) - np.maximum(
                self._first[groups], first[i]
            )
            chosen[i] = groups[np.argmax(common)]
        base = self._on_line(row, np.zeros(len(row), dtype=np.int64))
        ends = np.column_stack([self._first[chosen] - base, self._last[chosen] - base])
        return np.where(touched[:, None], ends, span)

    def keys(self, names: Sequence[str], document: Whole, spans: Whole, relation: Whole) -> Keys:
        """Of claims: the same for those that match."""
        of_name = hashes(names)
        by_document = of_name[document] if len(document) else of_name[:0]
        return claim_keys(
            of_name, document, self.spans(by_document, spans), relation, self.directions
        )

    def merged(self, submission: Submission) -> Submission:
        """With each claim once; of those that match the first."""
        if self.rule == EXACT:
            return submission
        one = submission
        key = self.keys(one.documents, one.document, one.spans, one.relation)
        kept = np.sort(np.unique(key, return_index=True)[1])
        return replace(one, key=key).kept(kept)
