"""What is wrong with the judged claims of a submission: by relation, by types, and in sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Any

from django.db.models import Max

from annotation.models import Document
from evaluation.models import ClaimPart, PartLabel, Submission, SubmissionClaim

WRONG = 0.5  # of probability; what is less likely is an error
SHOWN = 12
VAGUE = 0.8  # an interval so wide says nothing
RELATION, NAME, TYPE, LINK = "wrong relation", "mention cut wrong", "wrong type", "wrong link"
KINDS: dict[str, str] = {
    ClaimPart.Part.RELATION: RELATION,
    ClaimPart.Part.SUBJECT: NAME, ClaimPart.Part.OBJECT: NAME,
    ClaimPart.Part.SUBJECT_TYPE: TYPE, ClaimPart.Part.OBJECT_TYPE: TYPE,
    ClaimPart.Part.SUBJECT_LINK: LINK, ClaimPart.Part.OBJECT_LINK: LINK,
}  # fmt: skip
ORDER = (NAME, RELATION, TYPE, LINK)  # what is told of a claim with several


@dataclass(frozen=True, slots=True)
class Group:
    """Judged claims that have something in common. `value` is weighted by the draws, and None where
    none was judged; without an interval all of them were. `recall` is {"true", "value", "low",
    "high"}, by the documents annotated in full; None where these have none."""

    name: str
    claims: int | None  # in all; None: not counted
    judged: int
    value: float | None
    low: float | None
    high: float | None
    recall: Mapping[str, Any] | None = None

    @property
    def recall_is_vague(self) -> bool:
        """Whether its interval holds nearly everything."""
        told = self.recall or {}
        low, high = told.get("low"), told.get("high")
        return low is not None and high is not None and high - low >= VAGUE


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    type: str = ""  # of a mention


@dataclass(frozen=True, slots=True)
class Example:
    kind: str
    relation: str
    subject: str
    object: str
    document: str
    pieces: tuple[Piece, ...]
    answers: int
    probability: float  # that it is true

    @property
    def wrong(self) -> float:
        return 1 - self.probability


@dataclass(slots=True)
class Errors:
    judged: int = 0
    wrong: int = 0
    kinds: list[tuple[str, int]] = field(default_factory=list)
    relations: list[Group] = field(default_factory=list)
    types: list[Group] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Judged:
    row: SubmissionClaim
    inclusion: float
    correct: float
    kinds: tuple[str, ...]
    surest: float
    answers: int


def errors_of(
    submission: Submission, level: float, *, examples: bool = True,
    recalls: Sequence[Mapping[str, Any]] = (),
) -> Errors:  # fmt: skip
    """Three queries, whatever was judged. `recalls` are those of its score (SystemScore)."""
    judged = _judged(submission)
    found = Errors(judged=len(judged), wrong=sum(one.correct < WRONG for one in judged))
    found.kinds = Counter(kind for one in judged for kind in one.kinds).most_common()
    in_all = submission.report.get("relations", {})
    found.relations = _with_recall(
        _groups(judged, lambda one: one.row.claim.relation, level, in_all), recalls, in_all
    )
    found.types = _groups(
        judged, lambda one: f"{one.row.subject_type} → {one.row.object_type}", level, {}
    )
    if examples:
        wrong = sorted((one for one in judged if one.kinds), key=lambda one: one.surest)
        found.examples = _examples(_mixed(wrong))
    return found


def _judged(submission: Submission) -> list[_Judged]:
    labels: dict[int, dict[tuple[str, str], tuple[float, int]]] = {}
    told = (
        PartLabel.objects.filter(part__claim__made_by__submission=submission)
        .order_by("instructions__number", "pk")
        .values_list("part__claim", "part__part", "part__value", "probability", "answers")
    )
    for claim, part, value, probability, answers in told:
        labels.setdefault(claim, {})[part, value] = probability, answers  # the newest
    rows = (
        SubmissionClaim.objects.filter(
            submission=submission, claim__in=list(labels),
            claim__document__import_run__state="complete",
        )
        .select_related("claim")
        .annotate(inclusion=Max("claim__draws__probability"))
        .order_by("pk")
    )  # fmt: skip
    found = []
    for row in rows:
        mine = _of(row, labels[row.claim_id])
        if ClaimPart.Part.RELATION not in mine:
            continue
        wrong = {KINDS[part]: p for part, (p, _) in mine.items() if p < WRONG}
        found.append(
            _Judged(
                row, row.inclusion or 1.0,
                min(mine[part][0] for part in ClaimPart.BASE if part in mine),
                tuple(kind for kind in ORDER if kind in wrong),
                min(wrong.values(), default=1.0), mine[ClaimPart.Part.RELATION][1],
            )
        )  # fmt: skip
    return found


def _of(
    row: SubmissionClaim, labels: dict[tuple[str, str], tuple[float, int]]
) -> dict[str, tuple[float, int]]:
    """What was judged of the claim as this submission puts it."""
    values: dict[str, str] = {
        ClaimPart.Part.SUBJECT_TYPE: row.subject_type, ClaimPart.Part.OBJECT_TYPE: row.object_type,
        ClaimPart.Part.SUBJECT_LINK: row.subject_link, ClaimPart.Part.OBJECT_LINK: row.object_link,
    }  # fmt: skip
    return {part: said for (part, value), said in labels.items() if values.get(part, "") == value}


def _groups(
    judged: Sequence[_Judged],
    name_of: Callable[[_Judged], str],
    level: float,
    in_all: dict[str, int],
) -> list[Group]:
    groups: dict[str, list[_Judged]] = {}
    for one in judged:
        groups.setdefault(name_of(one), []).append(one)
    found = [
        Group(name, in_all.get(name), len(rows), *precision(rows, level, in_all.get(name)))
        for name, rows in groups.items()
    ]
    return sorted(found, key=lambda one: (-one.judged, one.name))


def _with_recall(
    groups: Sequence[Group], recalls: Sequence[Mapping[str, Any]], in_all: Mapping[str, int]
) -> list[Group]:
    """And those relations of which nothing was judged, but something is claimed or true."""
    of = {one["relation"]: one for one in recalls}
    found = [replace(one, recall=of.get(one.name)) for one in groups]
    rest = sorted({*in_all, *of} - {one.name for one in found})
    found += [Group(name, in_all.get(name, 0), 0, None, None, None, of.get(name)) for name in rest]
    return sorted(found, key=lambda one: (-one.judged, -(one.claims or 0)))


def precision(
    rows: Iterable[_Judged], level: float, claims: int | None = None
) -> tuple[float, float | None, float | None]:
    """Weighted by one over the probability of the draw, with Wilson's interval for as many
    judgments as the weights leave; no interval where nothing was left to chance. Of so many
    `claims`: a single one that was likely to be drawn tells little of others that were not."""
    rows = list(rows)
    weights = [1 / one.inclusion for one in rows]
    total = sum(weights)
    value = sum(w * one.correct for w, one in zip(weights, rows, strict=True)) / total
    left = sum(w * w * (1 - one.inclusion) for w, one in zip(weights, rows, strict=True))
    if claims:
        apart = max(1 - len(rows) / claims, 0)
        left = max(left, apart * sum(w * w for w in weights))
    if left <= 0:
        return value, None, None
    n, z2 = total**2 / left, NormalDist().inv_cdf((1 + level) / 2) ** 2
    middle = (value + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (value * (1 - value) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return value, max(middle - half, 0.0), min(middle + half, 1.0)


def _mixed(wrong: Sequence[_Judged]) -> list[_Judged]:
    """The surest of each kind in turn, so that all kinds are seen."""
    of_kind = {kind: [one for one in wrong if one.kinds[0] == kind] for kind in ORDER}
    longest = max(map(len, of_kind.values()), default=0)
    turns = (rows[i] for i in range(longest) for rows in of_kind.values() if i < len(rows))
    return [one for _, one in zip(range(SHOWN), turns, strict=False)]


def _examples(chosen: Sequence[_Judged]) -> list[Example]:
    documents = Document.objects.only("external_id", "text", "tokens", "sentences").in_bulk(
        {one.row.claim.document_id for one in chosen}
    )
    found = []
    for one in chosen:
        claim = one.row.claim
        document = documents[claim.document_id]
        text = document.text
        found.append(
            Example(
                one.kinds[0], claim.relation, text[claim.subject_start : claim.subject_end],
                text[claim.object_start : claim.object_end], document.external_id,
                pieces_of(document, one.row), one.answers, one.surest,
            )
        )  # fmt: skip
    return found


def pieces_of(document: Document, row: SubmissionClaim) -> tuple[Piece, ...]:
    """The sentences that hold both names, cut where these begin and end."""
    claim = row.claim
    sides = sorted(
        [
            (claim.subject_start, claim.subject_end, row.subject_type),
            (claim.object_start, claim.object_end, row.object_type),
        ]
    )
    first, last = sides[0][0], max(end for _, end, _ in sides)
    spans = [
        (document.tokens[a][0], document.tokens[b - 1][1]) for a, b in document.sentences if a < b
    ]
    begin = max((start for start, _ in spans if start <= first), default=0)
    end = min((stop for _, stop in spans if stop >= last), default=len(document.text))
    pieces, at = [], begin
    for start, stop, kind in sides:
        start = max(start, at)  # names that cross
        if start < stop:
            pieces += [Piece(document.text[at:start]), Piece(document.text[start:stop], kind)]
            at = stop
    return tuple(piece for piece in (*pieces, Piece(document.text[at:end])) if piece.text)
