"""The minute's counting: answers by the hour, and what the demands of a campaign add up to.

Hours are recounted whole and put in the place of what stood there, so that counting twice, or
two processes at once, change nothing. An hour is settled once it is over for `OVERLAP`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce, TruncHour
from django.utils import timezone

from annotation.actions.forecasts import store_forecasts
from annotation.models import Campaign, Demand, Enrollment, Response, Rollup, Tally

HOUR = timedelta(hours=1)
# `received_at` is taken before a submit's transaction, which is seen when it has ended.
OVERLAP = timedelta(minutes=5)
RECOUNT_AFTER = HOUR  # of an open campaign, for what leaves no trace in answers or epoch
COUNTS = ("answers", "gold", "late")  # of a Rollup
SUMS = ("tasks", "complete", "wanted", "received", "gold")  # of a Tally

Counts = tuple[int, ...]  # answers, gold, late
NOTHING: Counts = (0, 0, 0)


def update_rollups(now: datetime | None = None, *, since: datetime | None = None) -> int:
    """Count what has come in since the last time; how many hours of campaigns were written.

    `since` is the beginning of a history that was loaded after it happened: its hours count as
    settled otherwise, where another campaign was counted later.
    """
    now, start = now or timezone.now(), _first_unsettled()
    if start is not None and since is not None:
        start = min(start, _hour_of(since))
    rows = [
        Rollup(campaign_id=campaign, hour=hour, counted_at=now, **_named(counts))
        for hour in _hours_from(start)
        for campaign, counts in _counted(_received_in(hour)).items()
    ]
    write_hours(rows)
    if stale := _stale(now):
        tally(stale, now)
    return len(rows)


def tally(campaigns: Iterable[Campaign], now: datetime | None = None) -> None:
    """Add up the demands of these campaigns anew, and what to expect by them: reads all of them
    once."""
    now, epochs = now or timezone.now(), {campaign.pk: campaign.epoch for campaign in campaigns}
    plain = Q(kind=Demand.Kind.PLAIN)
    sums = (
        Demand.objects.filter(campaign__in=epochs)
        .values("campaign")
        .annotate(
            tasks=Count("task", filter=plain),
            complete=Count("task", filter=plain & Q(open=0, leased=0, wanted__gt=0)),
            all_wanted=Coalesce(Sum("wanted", filter=plain), 0),
            all_received=Coalesce(Sum("received", filter=plain), 0),
            gold=Count("task", filter=~plain),
        )
        .values_list("campaign", "tasks", "complete", "all_wanted", "all_received", "gold")
    )
    found = {campaign: dict(zip(SUMS, numbers, strict=True)) for campaign, *numbers in sums}
    nothing = dict.fromkeys(SUMS, 0)
    tallies = [
        Tally(campaign_id=pk, epoch=epoch, counted_at=now, **found.get(pk, nothing))
        for pk, epoch in epochs.items()
    ]
    Tally.objects.bulk_create(
        tallies,
        update_conflicts=True,
        unique_fields=["campaign"],
        update_fields=[*SUMS, "epoch", "counted_at"],
    )
    store_forecasts(tallies)


def wrong_hours(campaign: Campaign) -> list[tuple[Rollup, int]]:
    """The settled hours whose numbers are not what their responses say, each as it should be, not
    saved, with the number of responses that stands there now. Three queries.

    Nothing changes a settled hour, so this needs no lock.
    """
    last = Rollup.objects.aggregate(at=Max("counted_at"))["at"]
    if last is None:
        return []
    settled = _hour_of(last - OVERLAP)
    rows = Rollup.objects.filter(campaign=campaign, hour__lt=settled)
    stored = {hour: tuple(counts) for hour, *counts in rows.values_list("hour", *COUNTS)}
    responses = Response.objects.filter(
        assignment__enrollment__campaign=campaign, received_at__lt=settled
    )
    counted = _counted(responses.annotate(of=TruncHour("received_at", tzinfo=UTC)))
    return [
        (Rollup(campaign=campaign, hour=hour, counted_at=last, **_named(right)), sum(stands))
        for hour in sorted(stored.keys() | counted.keys())
        if (right := counted.get(hour, NOTHING)) != (stands := stored.get(hour, NOTHING))
    ]


def _first_unsettled() -> datetime | None:
    """The hour to count from; None where nothing was ever counted."""
    last = Rollup.objects.order_by("-hour").values_list("counted_at", flat=True).first()
    return None if last is None else _hour_of(last - OVERLAP)


def _hours_from(start: datetime | None) -> Iterator[datetime]:
    """Every hour from `start` on (None: from the first) that holds a response of any campaign.

    One look-up in the index for each, so that a quiet month costs nothing.
    """
    while True:
        later = Response.objects.order_by("received_at")
        if start is not None:
            later = later.filter(received_at__gte=start)
        received_at = later.values_list("received_at", flat=True).first()
        if received_at is None:
            return
        hour = _hour_of(received_at)
        yield hour
        start = hour + HOUR


def _received_in(hour: datetime) -> QuerySet:
    """The responses of all campaigns, each `of` its own."""
    rows = Response.objects.filter(received_at__gte=hour, received_at__lt=hour + HOUR)
    return rows.annotate(of=F("assignment__enrollment__campaign"))


def _counted(responses: QuerySet) -> dict[Any, Counts]:
    """What the responses are `of` → their counts."""
    late, plain = Q(assignment__state="late"), Q(assignment__task__demand__kind=Demand.Kind.PLAIN)
    found = (
        responses.order_by()
        .values("of")
        .annotate(
            answers=Count("pk", filter=plain & ~late),
            gold=Count("pk", filter=~plain & ~late),
            late=Count("pk", filter=late),
        )
        .values_list("of", *COUNTS)
    )
    return {of: (answers, gold, late) for of, answers, gold, late in found}


def _stale(now: datetime) -> list[Campaign]:
    """Campaigns whose demands may have changed since they were added up."""
    seen = Enrollment.objects.filter(
        campaign=OuterRef("pk"), seen_at__gte=OuterRef("tally__counted_at") - Value(OVERLAP)
    )
    return list(
        Campaign.objects.published().filter(
            Q(tally=None)
            | Exists(seen)
            | ~Q(epoch=F("tally__epoch"))
            | Q(state=Campaign.State.OPEN, tally__counted_at__lt=now - RECOUNT_AFTER)
        )
    )


def write_hours(rows: Iterable[Rollup]) -> None:
    """Put these hours in the place of what stands there."""
    Rollup.objects.bulk_create(
        list(rows),
        update_conflicts=True,
        unique_fields=["campaign", "hour"],
        update_fields=[*COUNTS, "counted_at"],
        batch_size=500,
    )


def _named(counts: Counts) -> dict[str, int]:
    return dict(zip(COUNTS, counts, strict=True))


def _hour_of(moment: datetime) -> datetime:
    return moment.replace(minute=0, second=0, microsecond=0)
