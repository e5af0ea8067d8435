"""Texts of a campaign that are kept as versions: what a worker read, or agreed to, stays known."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from annotation.models import Campaign


def set_text(campaign: Campaign, name: str, versions: Any, text: str) -> Any:
    """The version that the campaign's field `name` has from now on: a new one of `versions`, the
    last where that says the same, None of a blank text."""
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=campaign.pk)
        last = versions.order_by("-number").first()
        if not text.strip():
            version = None
        elif last is not None and last.text == text:
            version = last
        else:
            version = versions.create(number=last.number + 1 if last else 1, text=text)
        setattr(campaign, name, version)
        Campaign.objects.filter(pk=campaign.pk).update(**{name: version})
    return version
