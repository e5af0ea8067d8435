"""The record of each night: its steps, and what failed."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from annotation.models import Campaign, NightStep
from annotation.text.storable import storable

KEPT = timedelta(days=30)


def begin_night() -> datetime:
    """Its name in the record. Nights of a month ago are forgotten."""
    night = timezone.now()
    NightStep.objects.filter(night__lt=night - KEPT).delete()
    return night


def begin_step(night: datetime, step: str, campaign: Campaign | None = None) -> NightStep:
    return NightStep.objects.create(
        night=night, step=step[:200], campaign=campaign, started_at=timezone.now()
    )


def end_step(row: NightStep, error: str = "") -> None:
    row.ended_at, row.error = timezone.now(), storable(error)
    row.save(update_fields=["ended_at", "error"])
