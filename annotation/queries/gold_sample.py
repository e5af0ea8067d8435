"""Tasks drawn at random, whose answers a manager is asked for: they tell how good labels are."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterator
from typing import Any

from annotation.formats import jsonl, tables
from annotation.formats.gold import COLUMNS
from annotation.interfaces import categorical, task_name
from annotation.models import Campaign, Task

ASKED = 20
CHECK, RANDOM = "check", "random"


def gold_sample(campaign: Campaign, number: int = ASKED) -> list[Task]:
    """So many plain tasks whose answer is not known, drawn at random, in an order of their own: the
    same until answers come in, and the next ones then. Two queries."""
    tasks = campaign.tasks.plain().filter(gold_question=None)
    known = Task.objects.gold_for(campaign.interface).filter(campaign=campaign)
    left = tasks.exclude(pk__in=known.values("pk")).values_list("pk", flat=True)
    drawn = heapq.nsmallest(number, left.iterator(), key=lambda pk: _lot(campaign, pk))
    rows = Task.objects.select_related("document", "campaign").in_bulk(drawn)
    return [rows[pk] for pk in drawn]


def written(campaign: Campaign, tasks: list[Task]) -> Iterator[str]:
    """A file to be filled in and imported as gold: a table where an answer is one class."""
    if categorical(campaign.interface) is not None:
        yield tables.csv_row(COLUMNS)
        for task in tasks:
            yield tables.csv_row([task.external_id, _document(task), _text(task), "", RANDOM])
        return
    for task in tasks:
        yield jsonl.write({
            "task": task.external_id, "document": _document(task), "text": _text(task),
            "answer": None, "gold": CHECK, "drawn": RANDOM,
        })  # fmt: skip


def _lot(campaign: Campaign, pk: int) -> bytes:
    return hashlib.blake2b(f"{campaign.secret}:{pk}".encode(), digest_size=8).digest()


def _document(task: Task) -> str:
    return task.document.external_id if task.document else ""


def _text(task: Task) -> str:
    payload: dict[str, Any] = task.payload
    own = str(task_name(task.campaign.interface, payload)) or str(payload.get("text") or "")
    return own or (task.document.text if task.document else "")
