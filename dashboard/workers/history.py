"""How many answers workers gave on each of the last days."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import date, datetime, timedelta

from django.db.models import Count
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotation.models import Assignment

DAYS = 8  # today is the last

Days = tuple[int, ...]


def answers_by_day(enrollments: Collection[int], now: datetime) -> dict[int, Days]:
    """Enrollment → answers handed in on each day, where there is any. One query, of the assignments
    of these workers alone."""
    today = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    since = today - timedelta(days=DAYS - 1)
    rows = (
        Assignment.objects.handed_in()
        .filter(enrollment__in=enrollments, submitted_at__gte=since)
        .order_by()
        .values_list("enrollment", TruncDate("submitted_at"))
        .annotate(Count("pk"))
    )
    found: dict[int, list[int]] = defaultdict(lambda: [0] * DAYS)
    for enrollment, day, number in rows:
        place = (day - since.date()).days
        if 0 <= place < DAYS:
            found[enrollment][place] = number
    return {enrollment: tuple(days) for enrollment, days in found.items()}


def day_words(days: Days, today: date) -> str:
    """For those who hear the drawing: what came, the newest last."""
    told = [
        f"{number:,} on {today - timedelta(days=DAYS - 1 - place):%a %-d %b}"
        for place, number in enumerate(days)
        if number
    ]
    return f"Answers in {DAYS} days: {', '.join(told) or 'none'}"
