"""Judgments that are left out, since the worker was unsure of them and the campaign says so.

The answer stays one that counts: it fills a place of its task, and says nothing of these units. So
the number of a task's answers stays what `actions.changes` compares it with.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from numpy.typing import NDArray

from annotation.interfaces import Material, doubted_units
from annotation.interfaces.doubts import doubted_in
from annotation.interfaces.judgments import UNDECIDED
from annotation.models import Campaign
from annotation.querysets.assignments import ResponseQuerySet, standing

READ = 500  # answers with their documents fetched at a time

Places = slice | list[int]
ALL = slice(None)


def left_out(
    campaign: Campaign, counted: ResponseQuerySet, vector: str, until: datetime | None
) -> dict[int, Places]:
    """Response → the places of its `vector` that say nothing, for those of `counted` that have
    some. No query where doubts count as the rest does, else one."""
    if not campaign.leaves_out_doubts:
        return {}
    found: dict[int, Places] = {}
    rows = counted.perhaps_doubted().values_list(
        "pk", standing("answer", until), "assignment__task__document__tokens",
        "assignment__task__payload",
    )  # fmt: skip
    for response, answer, tokens, payload in rows.iterator(chunk_size=READ):
        doubted = doubted_in(answer)
        if None in doubted:
            found[response] = ALL
        elif doubted:
            material = Material(tokens=tokens or [], payload=payload)
            units = doubted_units(campaign.interface, answer, material)
            found[response] = units.get(vector, [])
    return found


def without(values: NDArray[Any], places: Places | None) -> NDArray[Any]:
    """The vector of an answer, of which these places say nothing."""
    if places is None:
        return values
    values = values.copy()
    values[places] = UNDECIDED
    return values
