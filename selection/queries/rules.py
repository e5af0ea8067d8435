"""What selection does by itself each night."""

from __future__ import annotations

from annotation.models import Campaign
from selection.models import NightlySelection


def kept_each_night(campaign: Campaign) -> int | None:
    """At most so many workers; None: nobody is selected by night. One query."""
    rows = NightlySelection.objects.filter(campaign=campaign)
    return rows.values_list("keep_workers", flat=True).first()
