"""The record of each night: its steps, and what failed."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from annotation.models import Campaign, NightStep
from annotation.text.storable import storable

KEPT = timedelta(days=30)
BROKEN_OFF = "Its process ended before it was done. The machine may be short of memory."


def begin_night() -> datetime:
    """Its name in the record. Nights of a month ago are forgotten. Call it under the lock."""
    night = timezone.now()
    end_broken_off()
    NightStep.objects.filter(night__lt=night - KEPT).delete()
    return night


def begin_step(night: datetime, step: str, campaign: Campaign | None = None) -> NightStep:
    return NightStep.objects.create(
        night=night, step=step[:200], campaign=campaign, started_at=timezone.now()
    )


def end_step(row: NightStep, error: str = "") -> None:
    row.ended_at, row.error = timezone.now(), storable(error)
    row.save(update_fields=["ended_at", "error"])


def end_broken_off() -> int:
    """The steps that have begun and not ended have failed: for whoever holds the lock "night", or
    has seen that nobody does. How many."""
    begun = NightStep.objects.filter(ended_at=None)
    return begun.update(ended_at=timezone.now(), error=BROKEN_OFF)


def broken_off() -> set[str]:
    """Steps of the last night that ended their process."""
    rows = NightStep.objects.of_last_night().filter(error=BROKEN_OFF)
    return set(rows.values_list("step", flat=True))
