"""The record of what was changed in a campaign, and by whom."""

from __future__ import annotations

from django.db.models import QuerySet

from annotation.models import AuditEntry, Campaign

# What it says of a campaign by its slug, which something else may have too.
CHANGED = (
    "create campaign", "edit campaign", "open campaign", "paused campaign", "closed campaign",
    "set budget", "repair counters", "build tasks", "new link", "end link",
    "serve method", "copy campaign", "archive campaign", "restore campaign",
)  # fmt: skip


def changes_of(campaign: Campaign) -> QuerySet[AuditEntry]:
    """The newest first, each with its person."""
    found = AuditEntry.objects.filter(
        project=campaign.project_id, subject=campaign.slug, action__in=CHANGED
    )
    return found.select_related("user").order_by("-pk")
