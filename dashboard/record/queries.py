"""Rows of the record, the newest first, a page at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from annotation.models import AuditEntry, Project
from dashboard.record.forms import COMMANDS
from dashboard.templatetags.figures import money

MILLS = "mills"
ROWS = 50
LONGEST = 300  # characters of what was before and after


@dataclass(frozen=True, slots=True)
class Row:
    at: datetime
    by: str  # "" for a command
    action: str
    subject: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RecordPage:
    rows: list[Row]
    older: int | None  # the row id before which the next page begins


def people_and_actions(project: Project) -> tuple[list[str], list[str]]:
    """Who and what the record of the project knows. Two queries."""
    entries = AuditEntry.objects.filter(project=project).order_by()
    people = entries.filter(user__isnull=False).values_list("user__username", flat=True).distinct()
    return sorted(people), sorted(entries.values_list("action", flat=True).distinct())


def record(project: Project, chosen: Mapping[str, Any], before: int | None) -> RecordPage:
    """One query."""
    entries: QuerySet = AuditEntry.objects.filter(project=project).select_related("user")
    if by := chosen.get("by"):
        entries = entries.filter(user=None) if by == COMMANDS else entries.filter(user__username=by)
    if action := chosen.get("action"):
        entries = entries.filter(action=action)
    if subject := chosen.get("subject"):
        entries = entries.filter(subject__icontains=subject)
    if since := chosen.get("since"):
        entries = entries.filter(at__gte=_midnight(since))
    if until := chosen.get("until"):
        entries = entries.filter(at__lt=_midnight(until + timedelta(days=1)))
    if before is not None:
        entries = entries.filter(pk__lt=before)
    found = list(entries.order_by("-pk")[: ROWS + 1])
    rows = [
        Row(
            entry.at, entry.user.get_username() if entry.user else "", entry.action,
            entry.subject, _told(entry.before), _told(entry.after),
        )
        for entry in found[:ROWS]
    ]  # fmt: skip
    return RecordPage(rows, found[ROWS - 1].pk if len(found) > ROWS else None)


def _midnight(day: Any) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _told(value: Mapping[str, Any]) -> str:
    if not value:
        return ""
    told = "; ".join(_part(name, one) for name, one in value.items())
    return told if len(told) <= LONGEST else f"{told[: LONGEST - 1]}…"


def _part(name: str, value: Any) -> str:
    """Money as an amount: mills are the database's alone."""
    if name == MILLS or name.endswith(f"_{MILLS}"):
        words = name.removesuffix(MILLS).replace("_", " ").strip() or "amount"
        return f"{words}: {money(value)}"
    return f"{name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
