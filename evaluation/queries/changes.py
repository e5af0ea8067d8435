"""Why the scores of a snapshot are others than those before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluation.models import ScoreSnapshot, Submission

ADDED, REPLACED, WITHDRAWN = "system.added", "system.replaced", "system.withdrawn"
LABELS, DOCUMENTS = "labels", "documents"


def changes_since(
    last: ScoreSnapshot, rows: Sequence[Submission], judged: int, documents: int = 0
) -> list[dict[str, Any]]:
    """Codes with what they are of; sentences are made where they are shown. One query."""
    before = {
        one.system_id: one
        for one in Submission.objects.filter(scores__snapshot=last)
        .select_related("system")
        .distinct()
    }
    found: list[dict[str, Any]] = []
    for row in rows:
        old = before.pop(row.system_id, None)
        if old is None:
            found.append({"code": ADDED, "system": row.system.name})
        elif old.pk != row.pk:
            found.append({"code": REPLACED, "system": row.system.name, "version": row.version})
    found += [{"code": WITHDRAWN, "system": old.system.name} for old in before.values()]
    if judged > last.judged:
        found.append({"code": LABELS, "number": judged - last.judged})
    if documents != last.exhaustive_documents:
        found.append({"code": DOCUMENTS, "number": documents - last.exhaustive_documents})
    return found
