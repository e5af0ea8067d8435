"""Rows of drawn claims, and of who makes them, from columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.actions.bulk import batches
from evaluation.algorithms.sampling import Keys
from evaluation.formats.columns import Submission as Claims
from evaluation.models import Claim, ClaimPart, EvaluationPeriod, Submission, SubmissionClaim

AT_ONCE = 500
LONGEST_VALUE = 200


def code_of(key: int) -> str:
    """How a key of columns stands in a row."""
    return f"{key:016x}"


def keys_of(codes: Iterable[str]) -> Keys:
    return np.array([int(code, 16) for code in codes], dtype=np.uint64)


def known_claims(period: EvaluationPeriod) -> dict[str, int]:
    """Code → row of each claim that was drawn for anybody. One query."""
    return dict(Claim.objects.filter(period=period).values_list("code", "pk"))


def save_claims_made(submission: Submission, claims: Claims, known: Mapping[str, int]) -> int:
    """That the submission makes claims that have rows, and how it puts them; how many these are.
    Those that stand there already stay."""
    at = rows_at(claims, keys_of(known))
    made = 0
    for batch in batches(at, AT_ONCE):
        rows = [
            SubmissionClaim(
                submission=submission, claim_id=known[code_of(int(claims.key[i]))],
                line=int(claims.lines[i]), confidence=_known(claims.confidence[i]),
                provenance=provenance_of(claims, i), **said_of(claims, i),
            )
            for i in batch
        ]  # fmt: skip
        made += len(SubmissionClaim.objects.bulk_create(rows, ignore_conflicts=True))
    return made


def save_parts(claims: Claims, known: Mapping[str, int], chosen: Keys) -> None:
    """Of drawn claims, what is to be judged: the relation, and the types and links as this
    submission has them. What another has said before is there already."""
    for batch in batches(rows_at(claims, chosen), AT_ONCE):
        rows: list[ClaimPart] = []
        for i in batch:
            claim = known[code_of(int(claims.key[i]))]
            rows += [ClaimPart(claim_id=claim, part=part) for part in ClaimPart.BASE]
            rows += [
                ClaimPart(claim_id=claim, part=f"{name}_ok", value=value)
                for name, value in said_of(claims, i).items()
                if value
            ]
        ClaimPart.objects.bulk_create(rows, ignore_conflicts=True)


def rows_at(claims: Claims, keys: Keys) -> list[int]:
    """Where the columns hold these keys."""
    found: NDArray[np.int64] = np.flatnonzero(np.isin(claims.key, keys))
    return [int(i) for i in found]


def said_of(claims: Claims, i: int) -> dict[str, str]:
    types = [claims.type_names[kind] for kind in claims.types[i]]
    links = [claims.link_names[link] if link >= 0 else "" for link in claims.links[i]]
    return {
        "subject_type": types[0], "object_type": types[1],
        "subject_link": links[0][:LONGEST_VALUE], "object_link": links[1][:LONGEST_VALUE],
    }  # fmt: skip


def provenance_of(claims: Claims, i: int) -> list[list[int]]:
    first, last = claims.provenance_starts[i : i + 2]
    spans: list[list[int]] = claims.provenance[first:last].tolist()
    return spans


def _known(confidence: Any) -> float | None:
    return None if np.isnan(confidence) else float(confidence)
