"""The states of several workers at once, each decided for itself and kept in the record."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.actions import appeals, workers
from annotation.models import Campaign, Enrollment
from annotation.models.pseudonyms import public_name

OUT = {"pause": Enrollment.State.PAUSED, "block": Enrollment.State.BLOCKED}


@dataclass(slots=True)
class Moved:
    done: int = 0
    same: int = 0  # were in that state already
    refused: list[str] = field(default_factory=list)  # why, a sentence each


def set_states(
    campaign: Campaign, keys: Sequence[uuid.UUID], verb: str, reason: str, *, user: Any = None
) -> Moved:
    """`verb` is pause, block or admit. Each worker reads the reason; an open request of one who is
    let in is answered by it. Keys that are not of this campaign are passed over."""
    moved = Moved()
    rows = Enrollment.objects.filter(campaign=campaign, key__in=keys).select_related("worker")
    for row in rows.order_by("pk"):
        row.campaign = campaign
        if row.state == OUT.get(verb) or (verb == "admit" and not appeals.is_out(row)):
            moved.same += 1
            continue
        try:
            if verb == "admit":
                appeals.let_in(row, reason, user=user)
            else:
                workers.set_state(row, OUT[verb], reason, user=user)
        except (appeals.CannotAppeal, appeals.AnsweredAlready) as error:
            moved.refused.append(f"{public_name(row)}: {error}")
        else:
            moved.done += 1
    return moved
