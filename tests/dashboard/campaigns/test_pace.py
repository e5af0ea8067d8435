from datetime import UTC, datetime, timedelta

import pytest

from annotation.models import Rollup, Tally
from annotation.queries.pace import NoForecast, recent_blocks
from dashboard.campaigns.pace import pace
from tests.factories import make_campaign

NOW = datetime(2026, 3, 10, 12, 20, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def test_blocks_are_hours_while_a_campaign_is_young():
    opened = NOW - 5 * HOUR
    hours = [(NOW.replace(minute=0) - n * HOUR, n) for n in range(6)]
    assert recent_blocks(hours, opened, NOW) == ([1, 2, 3, 4, 5], HOUR)


def test_hour_that_goes_on_is_left_out():
    counts, _ = recent_blocks([(NOW.replace(minute=0), 99)], NOW - 4 * HOUR, NOW)
    assert counts == [0, 0, 0, 0]


def test_blocks_are_days_from_the_third_on_and_end_with_the_last_hour():
    end = NOW.replace(minute=0)
    hours = [(end - HOUR, 5), (end - 24 * HOUR, 7), (end - 25 * HOUR, 11), (end - 60 * DAY, 1)]
    assert recent_blocks(hours, NOW - 4 * DAY, NOW) == ([12, 11, 0, 0], DAY)


def test_no_more_than_a_week_counts():
    assert recent_blocks([], NOW - 40 * DAY, NOW) == ([0] * 7, DAY)


def test_campaign_that_has_just_opened_has_no_block():
    assert recent_blocks([], NOW, NOW) == ([], HOUR)


def rolled_up(campaign, hour: datetime, answers: int) -> None:
    Rollup.objects.create(
        campaign=campaign, hour=hour, answers=answers, gold=0, late=0, counted_at=NOW
    )


def tallied(campaign, received: int, wanted: int) -> Tally:
    return Tally.objects.create(
        campaign=campaign, tasks=1, complete=0, wanted=wanted, received=received, gold=0, epoch=0,
        counted_at=NOW,
    )  # fmt: skip


@pytest.mark.django_db
def test_charts_and_forecast_come_from_one_query(django_assert_num_queries):
    campaign = make_campaign(opened_at=NOW - 6 * DAY)
    for day in range(6):
        rolled_up(campaign, NOW.replace(minute=0) - day * DAY - HOUR, 10)
    rolled_up(campaign, NOW.replace(minute=0), 3)
    tally = tallied(campaign, received=63, wanted=123)
    with django_assert_num_queries(1):
        found = pace(campaign, tally, NOW)
    assert len(found.by_hour.bars) == 24
    assert [cells[1] for cells in found.by_hour.rows[-2:]] == ["10", "3"]
    assert len(found.by_day.bars) == 14
    assert [cells[1] for cells in found.by_day.rows[-3:]] == ["10", "10", "13"]
    assert found.by_day.rows[-1][0] == "Tue 10 Mar"
    assert found.forecast.likely == 6 * DAY
    assert found.last_answer == NOW.replace(minute=0)


@pytest.mark.django_db
def test_days_are_those_of_the_servers_time_zone(settings):
    settings.TIME_ZONE = "Asia/Tokyo"
    campaign = make_campaign(opened_at=NOW - DAY)
    rolled_up(campaign, datetime(2026, 3, 9, 20, tzinfo=UTC), 4)  # in Tokyo the 10th, 5 o'clock
    found = pace(campaign, None, NOW)
    assert [cells[1] for cells in found.by_day.rows[-2:]] == ["0", "4"]


@pytest.mark.django_db
def test_campaign_that_is_paused_or_not_counted_has_no_forecast():
    paused = make_campaign(opened_at=NOW - 3 * DAY, state="paused")
    assert pace(paused, tallied(paused, 1, 10), NOW).forecast is None
    assert pace(make_campaign(opened_at=NOW), None, NOW).forecast is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("opened", "answers", "wanted", "why"),
    [
        (2 * HOUR, 5, 100, NoForecast.EARLY),
        (9 * DAY, 0, 100, NoForecast.SILENT),
        (9 * DAY, 5, 1_000_000, NoForecast.FAR),
    ],
)
def test_what_can_not_be_foretold_is_told_apart(opened, answers, wanted, why):
    campaign = make_campaign(opened_at=NOW - opened)
    rolled_up(campaign, NOW.replace(minute=0) - HOUR, answers)
    assert pace(campaign, tallied(campaign, 5, wanted), NOW).forecast is why
