"""What a submission claims, as columns that grow while it is read: no object for a claim is kept.

Entities and fills are numbers of 64 bits, hashes of what tells them apart: a link of the knowledge
base, else the canonical mention; of dates and titles what they say.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.formats.directions import Directions
from annotation.text.folding import fold
from evaluation.algorithms.sampling import Keys, mixed
from evaluation.formats.issues import Report

LARGEST = 2**31 - 1
WIDTH = 13  # numbers of a claim in Columns.rows
COUNTED = ("document", "spans", "relation", "key", "entity", "fill")  # what scores are made of
DETAILED = ("confidence", "lines", "types", "links")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in MONTHS)
DATES = (
    re.compile(r"(?P<y>\d{4})(?:-(?P<m>\d{1,2})(?:-(?P<d>\d{1,2}))?)?"),
    re.compile(rf"(?:(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.? )?(?P<n>{MONTH})\.?,? (?P<y>\d{{4}})"),
    re.compile(rf"(?P<n>{MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})"),
)


class Interned(dict[str, int]):
    """Names by their order of appearance."""

    def __missing__(self, name: str) -> int:
        number = self[name] = len(self)
        return number


def hashes(names: Iterable[str]) -> Keys:
    """64 bits of each name, the same on every machine."""
    digests = [blake2b(name.encode(errors="surrogatepass"), digest_size=8) for name in names]
    return np.frombuffer(b"".join(one.digest() for one in digests), dtype="<u8").astype(np.uint64)


def joined(*parts: Any) -> Keys:
    """One key of several columns of whole numbers, order mattering."""
    state: Keys = np.zeros(len(parts[0]), dtype=np.uint64)
    for part in parts:
        column = np.asarray(part)
        if column.dtype != np.uint64:
            column = column.astype(np.int64).view(np.uint64)
        state = mixed(state ^ column)
    return state


def string_value(kind: str, text: str) -> str:
    """What a date or a title says: 3 March 2014 and 2014-03-03 are one date."""
    folded = fold(text)
    if kind == "DATE":
        for form in DATES:
            if found := form.fullmatch(folded):
                parts = found.groupdict()
                month = parts.get("m") or ""
                if name := parts.get("n"):
                    month = str(next(i for i, m in enumerate(MONTHS, 1) if m[:3] == name[:3]))
                day = parts.get("d") or ""
                pieces = [parts["y"], month.zfill(2) if month else "", day.zfill(2) if day else ""]
                return "date:" + "-".join(piece for piece in pieces if piece)
    return f"{kind.lower()}:{folded}"


@dataclass(frozen=True, slots=True, eq=False)
class Submission:
    """A system's claims. Columns of shape (n_claims,), in the order of the file; each claim once.

    Attributes
    ----------
    key : 64 bits that tell the claim (document, spans, relation) from all others
    document : numbers of `documents`
    entity, fill : 64 bits each; a fill is told apart within its entity
    confidence : NaN where none was given
    types, links : arrays of shape (n_claims, 2)
        Of subject and object, numbers of `type_names` and `link_names`; a link may be -1.
    provenance : array of shape (n_spans, 2)
        The spans of claim i are those from provenance_starts[i] to provenance_starts[i + 1] - 1.
    """

    name: str
    documents: tuple[str, ...]
    document: NDArray[np.int64]
    spans: NDArray[np.int64]  # (n_claims, 4): subject start and end, object start and end
    relation: NDArray[np.int64]
    key: Keys
    entity: Keys
    fill: Keys
    confidence: NDArray[np.float64]
    lines: NDArray[np.int64]
    type_names: tuple[str, ...]
    types: NDArray[np.int64]
    link_names: tuple[str, ...]
    links: NDArray[np.int64]
    provenance: NDArray[np.int64]
    provenance_starts: NDArray[np.int64]

    def kept(self, chosen: NDArray[np.int64]) -> Submission:
        """With these claims alone, in this order."""
        columns = {name: getattr(self, name)[chosen] for name in COUNTED}
        if len(self.lines) or not len(self.key):  # else it was loaded without its details
            spans, starts = _chosen_spans(self.provenance, self.provenance_starts, chosen)
            columns |= {name: getattr(self, name)[chosen] for name in DETAILED}
            columns |= {"provenance": spans, "provenance_starts": starts}
        return replace(self, **columns)


@dataclass(slots=True)
class Columns:
    """`add` gets a claim the way the system has it, and turns it the way it is counted."""

    directions: Directions
    report: Report
    documents: Interned = field(default_factory=Interned)
    types: Interned = field(default_factory=Interned)
    links: Interned = field(default_factory=Interned)
    # Of each claim: line, document, four ends of spans, relation, provenance (a hash, and where it
    # ends), two types, two links.
    rows: array[int] = field(default_factory=lambda: array("q"))
    provenance: array[int] = field(default_factory=lambda: array("q"))  # ends of spans
    entities: array[int] = field(default_factory=lambda: array("Q"))  # subject's, object's
    confidence: array[float] = field(default_factory=lambda: array("d"))

    def add(
        self, line: int, document: int, relation: int, turned: bool,
        spans: tuple[int, int, int, int], subject: int, object_: int, evidence: tuple[int, ...],
        confidence: float, types: tuple[str, str], links: tuple[str | None, str | None],
    ) -> None:  # fmt: skip
        """`subject` and `object_` are keys of their entities, `evidence` the ends of the spans of
        the provenance, one after the other."""
        a, b, c, d = spans
        if self.directions.symmetric[relation]:
            turned = (a, b) > (c, d)
        self.provenance.extend(evidence)
        ends = len(self.provenance) // 2
        kinds = self.types[types[0]], self.types[types[1]]
        one, other = (self.links[link] if link else -1 for link in links)
        told = hash(evidence)
        if turned:
            self.rows.extend(
                (line, document, c, d, a, b, relation, told, ends, *kinds[::-1], other, one)
            )
            self.entities.extend((object_, subject))
        else:
            self.rows.extend((line, document, a, b, c, d, relation, told, ends, *kinds, one, other))
            self.entities.extend((subject, object_))
        self.confidence.append(confidence)

    def whole(self, name: str) -> Submission:
        """Each claim once: of equal ones the first line."""
        names = tuple(self.documents)
        rows = _view(self.rows, np.int64).reshape(-1, WIDTH)
        line, document, spans, relation = rows[:, 0], rows[:, 1], rows[:, 2:6], rows[:, 6]
        key = claim_keys(hashes(names), document, spans, relation, self.directions)
        entities = _view(self.entities, np.uint64).reshape(-1, 2)
        confidence = _view(self.confidence, np.float64)
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        self._tell_duplicates(first[inverse], line, relation, rows[:, 7], confidence)
        kept = np.sort(first)
        if not len(kept):
            self.report.add("empty-submission", 0)
        starts = np.concatenate(([0], rows[:, 8]))
        every = _view(self.provenance, np.int64).reshape(-1, 2)
        provenance, provenance_starts = _chosen_spans(every, starts, kept)
        return Submission(
            name, names, document[kept], spans[kept], relation[kept], key[kept],
            entities[kept, 0], joined(relation[kept], entities[kept, 1]), confidence[kept],
            line[kept], tuple(self.types), rows[kept, 9:11], tuple(self.links), rows[kept, 11:13],
            provenance, provenance_starts,
        )  # fmt: skip

    def _tell_duplicates(
        self, first: NDArray[np.int64], line: NDArray[np.int64], relation: NDArray[np.int64],
        evidence: NDArray[np.int64], confidence: NDArray[np.float64],
    ) -> None:  # fmt: skip
        same_sure = (confidence == confidence[first]) | (
            np.isnan(confidence) & np.isnan(confidence[first])
        )
        same = (evidence == evidence[first]) & same_sure
        for i in np.flatnonzero(first != np.arange(len(first))):
            code = "duplicate" if same[i] else "inconsistent-relation"
            name = self.directions.names[relation[i]]
            self.report.add(code, int(line[i]), "relation", f"{name}, line {line[first[i]]}")


def claim_keys(
    document_hashes: Keys, document: NDArray[np.int64], spans: NDArray[np.int64],
    relation: NDArray[np.int64], directions: Directions,
) -> Keys:  # fmt: skip
    """The same for the same claim, whatever the system, the file and the machine."""
    of_document = document_hashes[document] if len(document) else np.zeros(0, dtype=np.uint64)
    of_relation = hashes(directions.names)[relation]
    return joined(of_document, *spans.T, of_relation)


def _chosen_spans(
    spans: NDArray[np.int64], starts: NDArray[np.int64], chosen: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The spans of the chosen claims, and where each one's begin."""
    counts = np.diff(starts)[chosen]
    begins = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    place = np.arange(begins[-1]) + np.repeat(starts[chosen] - begins[:-1], counts)
    return spans[place], begins


def _view(column: Any, kind: Any) -> NDArray[Any]:
    """The same memory as an array."""
    return np.frombuffer(column, dtype=kind) if len(column) else np.zeros(0, dtype=kind)
