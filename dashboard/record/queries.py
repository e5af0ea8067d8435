"""Rows of the record, the newest first, a page at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from itertools import chain
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from annotation.models import AuditEntry, Project
from dashboard.record.forms import COMMANDS
from dashboard.record.names import OF_CAMPAIGN, Named, campaigns_named, in_names, things_named
from dashboard.templatetags.figures import money

MILLS = "mills"
ROWS = 50
LONGEST = 300  # characters of what was before and after
READ = 4 * LONGEST  # of them, before names take the places of keys


@dataclass(frozen=True, slots=True)
class Row:
    at: datetime
    by: str  # "" for a command
    action: str
    subject: str
    address: str  # of the page of the subject; "" where there is none
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


def chosen_entries(
    project: Project, chosen: Mapping[str, Any], campaigns: Mapping[str, Named]
) -> QuerySet[AuditEntry]:
    """Those that a form has picked. A campaign is found by its name, too."""
    entries = AuditEntry.objects.filter(project=project).select_related("user")
    if by := chosen.get("by"):
        entries = entries.filter(user=None) if by == COMMANDS else entries.filter(user__username=by)
    if action := chosen.get("action"):
        entries = entries.filter(action=action)
    if subject := chosen.get("subject"):
        words = subject.casefold()
        slugs = [slug for slug, one in campaigns.items() if words in one.name.casefold()]
        of_campaign = Q(subject__in=slugs, action__in=OF_CAMPAIGN)
        entries = entries.filter(Q(subject__icontains=subject) | of_campaign)
    if since := chosen.get("since"):
        entries = entries.filter(at__gte=_midnight(since))
    if until := chosen.get("until"):
        entries = entries.filter(at__lt=_midnight(until + timedelta(days=1)))
    return entries


def record(project: Project, chosen: Mapping[str, Any], before: int | None) -> RecordPage:
    """Two queries, and five more where keys stand on the page."""
    campaigns = campaigns_named(project)
    entries = chosen_entries(project, chosen, campaigns)
    if before is not None:
        entries = entries.filter(pk__lt=before)
    found = list(entries.order_by("-pk")[: ROWS + 1])
    shown = found[:ROWS]
    changes = [(_told(entry.before), _told(entry.after)) for entry in shown]
    things = things_named(
        project, chain((entry.subject for entry in shown), chain.from_iterable(changes))
    )
    rows = []
    for entry, told in zip(shown, changes, strict=True):
        named = things.get(entry.subject)
        if entry.action in OF_CAMPAIGN:
            named = campaigns.get(entry.subject)
        was, became = (_clipped(in_names(one, things), LONGEST) for one in told)
        rows.append(
            Row(
                entry.at, entry.user.get_username() if entry.user else "", entry.action,
                named.name if named else in_names(entry.subject, things),
                named.address if named else "", was, became,
            )
        )  # fmt: skip
    return RecordPage(rows, found[ROWS - 1].pk if len(found) > ROWS else None)


def _midnight(day: Any) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _told(value: Mapping[str, Any]) -> str:
    if not value:
        return ""
    return _clipped("; ".join(_part(name, one) for name, one in value.items()), READ)


def _clipped(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _part(name: str, value: Any) -> str:
    """Money as an amount: mills are the database's alone."""
    if name == MILLS or name.endswith(f"_{MILLS}"):
        words = name.removesuffix(MILLS).replace("_", " ").strip() or "amount"
        return f"{words}: {money(value)}"
    if value is None or value == "":
        return f"{name}: –"
    if isinstance(value, bool):
        return f"{name}: {'yes' if value else 'no'}"
    return f"{name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
