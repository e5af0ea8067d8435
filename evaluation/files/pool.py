"""The submissions of all systems as one pool of claims."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from aggregation.files.data import Stage
from annotation.formats.directions import Directions
from annotation.formats.records import FormatError
from annotation.formats.relations import RELATION_TYPES, read_relation_types
from annotation.sentences import shown
from evaluation.algorithms.metrics import (
    instance_metric,
    macro_metric,
    mixture,
    stratified_metric,
)
from evaluation.algorithms.predictions import Floats, Predictions, Whole
from evaluation.algorithms.sampling import Keys
from evaluation.formats.columns import Interned, Submission
from evaluation.formats.corpus import Corpus
from evaluation.formats.errors import BadFile
from evaluation.formats.issues import Issue, Report
from evaluation.formats.matching import EXACT, RULES, Matching
from evaluation.formats.submissions import read_submission, system_name

INSTANCE, RELATION, ENTITY, STRATIFIED = "instance", "relation", "entity", "stratified"
METRICS = {
    INSTANCE: "each claim counts alike",
    RELATION: "each relation counts alike, and within it each claim",
    ENTITY: "each subject counts alike, and within it each claim",
    STRATIFIED: "each subject, within it each fill, within that each mention",
}
Told = Callable[[str, Issue], None]


def silent(name: str, total: int | None) -> AbstractContextManager[Callable[[int], None]]:
    return nullcontext(lambda number: None)


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Arrays without a note have the shape (n_claims,), in the order of `keys`.

    Attributes
    ----------
    keys : 64 bits that tell each claim from all others; they rise
    documents : names, of which `document` has the numbers
    spans : array of shape (n_claims, 4)
    entity, fill : arrays of shape (n_predictions,)
        64 bits each; only the metrics that need them make numbers of them.
    """

    systems: tuple[str, ...]
    predictions: Predictions
    keys: Keys
    documents: tuple[str, ...]
    document: Whole
    spans: Whole
    relation: Whole
    entity: Keys
    fill: Keys
    reports: tuple[Report, ...]
    matching: Matching | None = None  # None: of claims that are numbers alone

    def metric(self, name: str) -> Floats:
        if name == INSTANCE:
            return instance_metric(self.predictions)
        if name == RELATION:
            return macro_metric(self.predictions, self.relation[self.predictions.claim])
        if name == ENTITY:
            return macro_metric(self.predictions, _numbers(self.entity))
        return stratified_metric(self.predictions, _numbers(self.entity), _numbers(self.fill))

    def mixed(self, names: Sequence[str]) -> Floats:
        return mixture([self.metric(name) for name in names])

    @property
    def version(self) -> str:
        """The same for the same claims of the same systems: scores of two pools don't compare."""
        digest = blake2b("\n".join(self.systems).encode(), digest_size=6)
        for part in (self.keys, self.predictions.starts, self.predictions.claim):
            digest.update(np.ascontiguousarray(part).tobytes())
        return digest.hexdigest()

    def place(self, keys: Keys) -> Whole:
        """The claim with each key, -1 where the pool has none."""
        if not len(self.keys):
            return np.full(len(keys), -1)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, at, -1)


def check_metrics(names: Sequence[str]) -> list[str]:
    for name in names:
        if name not in METRICS:
            raise BadFile("evaluation.metric", name=shown(name), known=list(METRICS))
    return list(dict.fromkeys(names)) or [INSTANCE]


def check_match(rule: str) -> None:
    if rule not in RULES:
        raise BadFile("evaluation.match", name=shown(rule), known=list(RULES))


def read_directions(path: str | os.PathLike[str] | None) -> Directions:
    try:
        return Directions(read_relation_types(RELATION_TYPES if path is None else path))
    except FormatError as error:
        raise BadFile.of(error.problem) from error


def read_pool(
    paths: Sequence[str],
    directions: Directions,
    *,
    corpus: Corpus | None = None,
    match: str = EXACT,
    stage: Stage = silent,
    told: Told = lambda name, issue: None,
) -> Pool:
    """Raises BadFile where a file can't be read; lines that are not valid go to the reports."""
    names = [system_name(path) for path in paths]
    if twice := next((name for i, name in enumerate(names) if name in names[:i]), None):
        raise BadFile("evaluation.same_name", name=twice)
    submissions, reports = [], []
    for path, name in zip(paths, names, strict=True):
        report = Report(name, lambda issue, name=name: told(name, issue))  # type: ignore[misc]
        total = os.path.getsize(path) if os.path.isfile(path) else None
        try:
            with stage(f"reading {name}, in bytes", total) as advance:
                submissions.append(
                    read_submission(path, directions, report, corpus=corpus, advance=advance)
                )
        except FormatError as error:
            raise BadFile.of(error.problem) from error
        reports.append(report)
    matching = Matching(match, submissions, directions)
    merged = [matching.merged(one) for one in submissions]
    return replace(pooled(merged, reports), matching=matching)


def pooled(submissions: Sequence[Submission], reports: Sequence[Report] = ()) -> Pool:
    nothing = np.zeros(0, dtype=np.uint64)
    keys, first = np.unique(
        np.concatenate([nothing, *(one.key for one in submissions)]), return_index=True
    )
    claims, entities, fills = [], [], []
    for one in submissions:
        claim = np.searchsorted(keys, one.key)
        order = np.argsort(claim, kind="stable")  # quick where the keys came in order
        claims.append(claim[order])
        entities.append(one.entity[order])
        fills.append(one.fill[order])
    names = Interned()
    columns: list[NDArray[np.int64]] = []
    for one in submissions:
        known = np.array([names[name] for name in one.documents], dtype=np.int64)
        columns.append(
            np.column_stack([known[one.document], one.spans, one.relation])
            if len(one.key)
            else np.zeros((0, 6), dtype=np.int64)
        )
    table = np.concatenate([np.zeros((0, 6), dtype=np.int64), *columns])[first]
    starts = np.concatenate(([0], np.cumsum([len(one) for one in claims]))).astype(np.int64)
    claim = np.concatenate([np.zeros(0, dtype=np.int64), *claims]).astype(np.int64)
    return Pool(
        tuple(one.name for one in submissions),
        Predictions(claim, starts, len(keys)),
        keys,
        tuple(names),
        table[:, 0],
        table[:, 1:5],
        table[:, 5],
        np.concatenate([nothing, *entities]),
        np.concatenate([nothing, *fills]),
        tuple(reports),
    )


def _numbers(keys: Keys) -> Whole:
    return np.unique(keys, return_inverse=True)[1].astype(np.int64)
