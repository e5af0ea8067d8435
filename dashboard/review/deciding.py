"""A decision for one of the candidates that a place of a task has, by pages and programs alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aggregation.actions import decisions
from aggregation.models import Adjudication
from aggregation.queries.runs import latest_run
from annotation.interfaces.spans import Span
from annotation.models import Campaign, Task
from dashboard.review.candidates import Dispute
from dashboard.review.cuts import widened
from dashboard.review.queries import Review, review


@dataclass(frozen=True, slots=True)
class Decided:
    row: Adjudication
    following: str  # the next place that is open; "" where there is none
    gold: Task | None  # the question that was made of it


def decide_at(
    campaign: Campaign,
    task: Task,
    *,
    at: str,
    choice: str,
    version: int,
    gold: bool,
    user: Any,
    cut: Any = None,
) -> Decided | None:
    """`at` names the place, `choice` the candidate by its digest, or "cut" for the name that `cut`
    describes. None where either is no longer what it was. Raises decisions.CannotDecide, NoCut."""
    run = latest_run(campaign)
    found = review(campaign, run, task, part=at) if run else None
    dispute = found.dispute if found else None
    if found is None or dispute is None or dispute.id != at:
        return None
    following = found.open_after(found.at)
    if following == found.at:
        following = None
    part, value = _chosen(found, dispute, choice, cut)
    if value is None:
        return None
    if part is None:
        row = decisions.decide(task, value, version=version, user=user)
    else:
        row = decisions.decide_part(
            task, part, value, version=version, is_complete=following is None, user=user
        )
    made = None
    if gold and row.is_complete and row.gold_id is None:
        made = decisions.make_gold(row, user=user)
    return Decided(row, found.disputes[following].id if following is not None else "", made)


def _chosen(found: Review, dispute: Dispute, choice: str, cut: Any) -> tuple[Span | None, Any]:
    """What is decided, of which part; None where the choice is no longer among the candidates."""
    if cut is not None and choice == "cut" and dispute.part and found.words:
        name = found.words.name_of(cut)
        return widened(dispute.part, name), [name]
    return dispute.part, next(
        (one.value for one in dispute.candidates if one.digest == choice), None
    )
