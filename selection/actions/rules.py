"""What selection does by itself each night, as a manager has set it."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from annotation.actions import audit
from annotation.models import Campaign
from selection.models import NightlySelection


def keep_each_night(campaign: Campaign, most: int | None, *, user: Any = None) -> bool:
    """Keep at most so many workers each night; None: a person selects, or nobody. Whether that is
    a change."""
    with transaction.atomic():
        before = NightlySelection.objects.filter(campaign=campaign).first()
        was = before.keep_workers if before else None
        if was == most:
            return False
        if most is None:
            NightlySelection.objects.filter(campaign=campaign).delete()
        else:
            NightlySelection.objects.update_or_create(
                campaign=campaign, defaults={"keep_workers": most}
            )
        audit.record(
            campaign.project, "edit nightly selection", campaign.slug, user=user,
            before={"keep_workers": was}, after={"keep_workers": most},
        )  # fmt: skip
    return True
