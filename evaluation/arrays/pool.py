"""All submissions of a period that stand, as one pool of claims; and what was judged of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotation.formats.directions import Directions
from annotation.models import Document
from evaluation.algorithms.predictions import Floats, Whole
from evaluation.algorithms.sampling import Keys
from evaluation.arrays.columns import load_columns
from evaluation.arrays.imputation import Imputed
from evaluation.files.labels import Labels
from evaluation.files.pool import Pool, pooled
from evaluation.formats.columns import Submission as Claims
from evaluation.formats.columns import hashes
from evaluation.formats.matching import EXACT, Matching
from evaluation.models import Claim, ClaimPart, EvaluationPeriod, PartLabel, Submission

NAME = "the labels of the period"


@dataclass(frozen=True, slots=True, eq=False)
class StandingPool:
    """`submissions` and `claims` go with the pool's systems."""

    submissions: tuple[Submission, ...]
    claims: tuple[Claims, ...]
    pool: Pool
    directions: Directions


def load_pool(
    period: EvaluationPeriod, submissions: Sequence[Submission] | None = None, *,
    details: bool = False,
) -> StandingPool:  # fmt: skip
    """Of the current submissions, if no others are given. What is claimed of a document that was
    removed since counts for nobody."""
    if submissions is None:
        rows = Submission.objects.current().filter(period=period).select_related("system")
        submissions = list(rows.order_by("system__name", "pk"))
    directions = Directions(period.project.schema["relation_types"])
    there = frozenset(corpus_of(period))
    loaded = []
    for row in submissions:
        name, names = row.system.name, directions.names
        loaded.append(_in_corpus(load_columns(row.columns, name, names, details=details), there))
    matching = Matching(period.match, loaded, directions)
    merged = [matching.merged(one) for one in loaded]
    pool = replace(pooled(merged), matching=matching)
    return StandingPool(tuple(submissions), tuple(merged), pool, directions)


def corpus_of(period: EvaluationPeriod) -> dict[str, int]:
    """Name → row of its documents that are there. One query."""
    chosen = period.documents.through.objects.filter(evaluationperiod=period).values("document")
    rows = Document.objects.visible().filter(pk__in=chosen)
    return dict(rows.values_list("external_id", "pk"))


def _in_corpus(claims: Claims, there: frozenset[str]) -> Claims:
    known = np.array([name in there for name in claims.documents], dtype=bool)
    if known.all():
        return claims
    return claims.kept(np.flatnonzero(known[claims.document]))


@dataclass(frozen=True, slots=True, eq=False)
class DrawnRows:
    """Drawn claims that are rows, with the keys by which the pool knows them."""

    claims: Whole
    key: Keys
    numbers: Floats
    inclusion: Floats


def drawn_rows(period: EvaluationPeriod, pool: Pool, directions: Directions) -> DrawnRows:
    """One query."""
    rows = list(
        Claim.objects.in_corpus()
        .filter(period=period)
        .drawn()
        .order_by("pk")
        .values_list(
            "pk", "document_name", "relation", "subject_start", "subject_end", "object_start",
            "object_end", "number", "inclusion",
        )
    )  # fmt: skip
    relation_of = {name: i for i, name in enumerate(directions.names)}
    rows = [row for row in rows if row[2] in relation_of]  # the schema may have lost one
    names = sorted({row[1] for row in rows})
    number = {name: i for i, name in enumerate(names)}
    document = np.array([number[row[1]] for row in rows], dtype=np.int64)
    spans = np.array([row[3:7] for row in rows], dtype=np.int64).reshape(-1, 4)
    relation = np.array([relation_of[row[2]] for row in rows], dtype=np.int64)
    matching = pool.matching or Matching(EXACT, (), directions)
    key = matching.keys(names, document, spans, relation) if rows else hashes([])
    return DrawnRows(
        np.array([row[0] for row in rows], dtype=np.int64), key,
        np.array([row[7] for row in rows], dtype=np.float64),
        np.array([row[8] for row in rows], dtype=np.float64),
    )  # fmt: skip


def load_labels(
    period: EvaluationPeriod, pool: Pool, directions: Directions, told: Imputed | None = None
) -> Labels:
    """Of each drawn claim the probability of its draw and, where it was judged, that it is correct:
    the least sure of the relation and the two names. Two queries. Of claims that match each other,
    the judged one that was likeliest to be drawn.

    `told` is what is drawn of the relations that were judged, in place of their consensus."""
    rows, judged = drawn_rows(period, pool, directions), labels_of(period, told)
    correct = np.array([judged.get(claim, np.nan) for claim in rows.claims.tolist()])
    order = np.lexsort((-rows.inclusion, np.isnan(correct)))
    kept = np.sort(order[np.unique(rows.key[order], return_index=True)[1]])
    shared = None
    if told is not None:
        claims = rows.claims[kept].tolist()
        shared = shared_of(claims, correct[kept].tolist(), told)
    return Labels(
        NAME, rows.key[kept], rows.inclusion[kept], rows.numbers[kept], correct[kept], shared
    )


def shared_of(claims: Sequence[int], correct: Sequence[float], told: Imputed) -> Floats | None:
    """A column for each claim: 0 where something else of it is less sure than the relation."""
    if not told.shared:
        return None
    found = np.zeros((len(next(iter(told.shared.values()))), len(claims)))
    for i, (claim, probability) in enumerate(zip(claims, correct, strict=True)):
        if probability == told.correct.get(claim):
            found[:, i] = told.shared[claim]
    return found


def labels_of(period: EvaluationPeriod, told: Imputed | None = None) -> dict[int, float]:
    """Claim → the probability that it is correct, of those whose relation was judged. Of each part
    the newest version of the instructions counts. One query."""
    rows = (
        PartLabel.objects.filter(part__claim__period=period, part__part__in=ClaimPart.BASE)
        .order_by("instructions__number", "pk")
        .values_list("part__claim", "part__part", "probability")
    )
    newest = {(claim, part): probability for claim, part, probability in rows}
    found: dict[int, float] = {}
    relation = ClaimPart.Part.RELATION.value
    imputed = told.correct if told is not None else {}
    for (claim, part), probability in newest.items():
        if part == relation:
            probability = imputed.get(claim, probability)
        if (claim, relation) in newest:
            found[claim] = min(found.get(claim, 1.0), probability)
    return found
