"""How fast answers come and what they cost, drawn from rolled-up hours and the stored forecast."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime

from django.utils import timezone

from annotation.actions.pace import DAY, HOUR, start_of_hour
from annotation.models import Campaign, CampaignForecast, Rollup
from dashboard.charts import (
    GAP,
    Bar,
    Chart,
    Label,
    Limit,
    Point,
    Scale,
    Tick,
    band_path,
    bar_chart,
    count_scale,
    count_ticks,
    line_path,
)
from dashboard.templatetags.figures import money, whole

HOURS, DAYS = 24, 14  # of the charts
MOST_DAYS_TO_COME = 14  # that are drawn
YOUNG = 2 * DAY  # a campaign that is drawn by the hour

Hours = list[tuple[datetime, int, int]]  # when each began, its counted answers, its gold and late


@dataclass(frozen=True, slots=True)
class Pace:
    chart: Chart
    spend: Chart | None  # None: nobody is paid
    today: tuple[int, ...]  # answers an hour, the last 24
    last_answer: datetime | None  # the hour of it; None: none within the days of the chart


def pace(campaign: Campaign, expected: CampaignForecast | None, now: datetime) -> Pace:
    """One query."""
    since = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    since = since - (DAYS - 1) * DAY
    rows = Rollup.objects.filter(campaign=campaign, hour__gte=since).order_by("hour")
    hours = [
        (hour, answers, gold + late)
        for hour, answers, gold, late in rows.values_list("hour", "answers", "gold", "late")
    ]
    young = campaign.opened_at is not None and now - campaign.opened_at < YOUNG
    is_open = campaign.state == Campaign.State.OPEN
    coming = expected if is_open else None
    return Pace(
        chart=_by_hour(hours, now) if young else _by_day(hours, since, coming, now),
        spend=_spend(campaign, hours, since, expected, now) if campaign.pay_mills else None,
        today=tuple(value for _, value in _last_hours(hours, now)),
        last_answer=max((hour for hour, answers, _ in hours if answers), default=None),
    )


def _last_hours(hours: Hours, now: datetime) -> list[tuple[datetime, int]]:
    counts = {hour: answers for hour, answers, _ in hours}
    last = start_of_hour(now)
    shown = [last - n * HOUR for n in reversed(range(HOURS))]
    return [(hour, counts.get(hour, 0)) for hour in shown]


def _by_hour(hours: Hours, now: datetime) -> Chart:
    points = [
        (f"{timezone.localtime(hour):%a %H:%M}", answers)
        for hour, answers in _last_hours(hours, now)
    ]
    note = "answers an hour, the last 24 hours"
    return bar_chart("Pace", "Hour", points, note=note, explanation="pace")


def _by_day(
    hours: Hours, since: datetime, expected: CampaignForecast | None, now: datetime
) -> Chart:
    """What came, and what is to come at last week's pace."""
    days = _counts_by_day([(hour, answers) for hour, answers, _ in hours], since)
    chart = bar_chart(
        "Pace", "Day", [(_named(day), answers) for day, answers in days.items()],
        note="answers a day", explanation="pace",
    )  # fmt: skip
    if expected is None or expected.pace is None or expected.likely is None:
        return chart
    low, high = expected.pace_low or 0.0, expected.pace_high or expected.pace
    today = timezone.localdate(now)
    ahead = min((timezone.localdate(expected.likely) - today).days, MOST_DAYS_TO_COME)
    if ahead < 1:
        return chart
    most = max(days.values(), default=0)
    scale, values = count_scale(max(most, expected.pace, min(high, 1.5 * max(most, expected.pace))))
    width = 100 / (DAYS + ahead)
    bars = [
        Bar(
            x=round((i + GAP / 2) * width, 2),
            y=scale.down(value),
            width=round((1 - GAP) * width, 2),
            height=round(scale.right(value), 2),
            title=f"{_named(day)}: {whole(value)}{', forecast' if i >= DAYS else ''}",
            to_come=i >= DAYS,
        )
        for i, (day, value) in enumerate(
            [*days.items(), *((today + n * DAY, expected.pace) for n in range(1, ahead + 1))]
        )
    ]
    end = scale.down(expected.pace)
    return replace(
        chart,
        label=f"{chart.label}; {whole(expected.pace)} a day to come, {whole(low)} to {whole(high)}",
        rows=(
            *chart.rows,
            ("a day to come, forecast", f"{whole(expected.pace)} ({whole(low)}–{whole(high)})"),
        ),
        margin="right",
        up=count_ticks(scale, values),
        across=(
            Tick(0, _named(since.date()), "start"),
            Tick(round(DAYS * width, 2), "today", "end"),
        ),
        bars=tuple(bars),
        labels=(
            Label(100, end, f"{whole(expected.pace)} a day", tone="a", dy="-.1em"),
            Label(100, end, f"{whole(low)}–{whole(high)}", dy="1.1em"),
        ),
        now=round(DAYS * width, 2),
    )


def _spend(
    campaign: Campaign,
    hours: Hours,
    since: datetime,
    expected: CampaignForecast | None,
    now: datetime,
) -> Chart | None:
    """What was earned until when, back from today's sum by the answers of each day."""
    if expected is None:
        return None
    paid = _counts_by_day([(hour, answers + beside) for hour, answers, beside in hours], since)
    sums, total = [], expected.earned_mills
    for answers in reversed(paid.values()):
        sums.append(total)
        total = max(0, total - answers * campaign.pay_mills)
    sums.reverse()
    is_coming = campaign.state == Campaign.State.OPEN and expected.likely is not None
    cost = expected.cost_mills if is_coming else None
    low, high = expected.cost_low_mills or cost or 0, expected.cost_high_mills or cost or 0
    today = timezone.localdate(now)
    ahead = 0
    if is_coming and expected.likely is not None:
        ahead = min(max((timezone.localdate(expected.likely) - today).days, 1), MOST_DAYS_TO_COME)
    over = Scale(0, DAYS - 1 + ahead)
    scale, values = count_scale(max(expected.earned_mills, high, campaign.budget_mills or 0) / 1000)
    places = [(over.right(i), scale.down(mills / 1000)) for i, mills in enumerate(sums)]
    here = places[-1]
    paths = [line_path(places)]
    rows = [("earned so far", money(expected.earned_mills))]
    labels = [Label(*here, money(expected.earned_mills), "end", "strong", dx=-8, dy="-.3em")]
    if cost is not None:
        top, end, base = (scale.down(mills / 1000) for mills in (high, cost, low))
        paths.insert(0, band_path([here, (100, top)], [here, (100, base)]))
        paths.append(line_path([here, (100, end)], is_dashed=True))
        rows.append(("in all, forecast", f"{money(cost)} ({money(low)}–{money(high)})"))
        labels.append(Label(100, end, money(cost), tone="a", dy=".5em"))
        labels.append(Label(100, end, f"{money(low)}–{money(high)}", dy="1.7em"))
    if campaign.budget_mills is not None:
        rows.append(("budget", money(campaign.budget_mills)))
    names = list(paid)
    return Chart(
        title="Spend",
        label=f"Earned by workers so far: {money(expected.earned_mills)} {campaign.currency}",
        note=campaign.currency,
        explanation="cost",
        columns=("", campaign.currency),
        rows=tuple(rows),
        margin="right left-48" if values[-1] >= 1_000 else "right",
        across=(
            Tick(0, _named(names[0]), "start"),
            Tick(over.right(DAYS - 1), "today", "end" if not ahead else "middle"),
        ),
        up=count_ticks(scale, values),
        paths=tuple(paths),
        points=(Point(*here, money(expected.earned_mills)),),
        limits=(Limit(scale.down(campaign.budget_mills / 1000), "budget", is_warning=True),)
        if campaign.budget_mills is not None
        else (),
        labels=tuple(labels),
        now=over.right(DAYS - 1) if ahead else None,
    )


def _counts_by_day(hours: list[tuple[datetime, int]], since: datetime) -> dict[date, int]:
    first = timezone.localdate(since)
    counts = {first + n * DAY: 0 for n in range(DAYS)}
    for hour, answers in hours:
        day = timezone.localdate(hour)
        counts[day] = counts.get(day, 0) + answers
    return counts


def _named(day: date) -> str:
    return f"{day.day} {day:%b}"
