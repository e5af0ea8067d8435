import random
from datetime import UTC, datetime, timedelta

import pytest

from annotation.actions import rollups
from annotation.actions.forecasts import expected_cost, store_forecasts
from annotation.actions.pace import NoForecast, recent_blocks
from annotation.models import CampaignForecast, Rollup, Tally
from dashboard.campaigns.pace import pace
from tests.factories import make_campaign, make_enrollment, make_task

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


def foretold(campaign, received: int, wanted: int) -> CampaignForecast:
    tally = Tally.objects.create(
        campaign=campaign, tasks=1, complete=0, wanted=wanted, received=received, gold=0, epoch=0,
        counted_at=NOW,
    )  # fmt: skip
    store_forecasts([tally])
    return CampaignForecast.objects.get(campaign=campaign)


@pytest.mark.django_db
def test_charts_come_from_one_query(django_assert_num_queries):
    campaign = make_campaign(opened_at=NOW - 6 * DAY, pay_mills=100, budget_mills=20_000)
    for day in range(6):
        rolled_up(campaign, NOW.replace(minute=0) - day * DAY - HOUR, 10)
    rolled_up(campaign, NOW.replace(minute=0), 3)
    make_enrollment(campaign, submitted=70, earned_mills=6_930)
    expected = foretold(campaign, received=63, wanted=123)
    with django_assert_num_queries(1):
        found = pace(campaign, expected, NOW)
    past = [bar for bar in found.chart.bars if not bar.to_come]
    assert (len(past), len(found.chart.bars)) == (14, 20)  # six days to come
    assert [cells[1] for cells in found.chart.rows[-4:-1]] == ["10", "10", "13"]
    assert found.chart.rows[-2][0] == "10 Mar"
    expected.pace = 12.5  # and rounded as the page rounds it
    assert "13 a day" in [label.text for label in pace(campaign, expected, NOW).chart.labels]
    assert found.last_answer == NOW.replace(minute=0)
    assert found.today[-2:] == (10, 3)
    assert dict(found.spend.rows)["earned so far"] == "6.93"
    assert dict(found.spend.rows)["budget"] == "20.00"


@pytest.mark.django_db
def test_young_campaign_is_drawn_by_the_hour():
    campaign = make_campaign(opened_at=NOW - DAY)
    rolled_up(campaign, NOW.replace(minute=0), 3)
    found = pace(campaign, None, NOW)
    assert len(found.chart.bars) == 24
    assert [cells[1] for cells in found.chart.rows[-2:]] == ["0", "3"]


@pytest.mark.django_db
def test_days_are_those_of_the_servers_time_zone(settings):
    settings.TIME_ZONE = "Asia/Tokyo"
    campaign = make_campaign(opened_at=NOW - 3 * DAY)
    rolled_up(campaign, datetime(2026, 3, 9, 20, tzinfo=UTC), 4)  # in Tokyo the 10th, 5 o'clock
    found = pace(campaign, None, NOW)
    assert [cells[1] for cells in found.chart.rows[-2:]] == ["0", "4"]


@pytest.mark.django_db
def test_forecast_is_stored_with_the_count_and_follows_it():
    campaign = make_campaign(opened_at=NOW - 6 * DAY, pay_mills=100)
    for day in range(6):
        rolled_up(campaign, NOW.replace(minute=0) - day * DAY - HOUR, 10)
    found = foretold(campaign, received=60, wanted=120)
    assert found.likely == NOW.replace(minute=0) + 6 * DAY
    assert found.soonest < found.likely < found.latest
    assert found.pace == pytest.approx(10)
    assert found.pace_low < 10 < found.pace_high
    assert (found.cost_low_mills, found.cost_mills, found.cost_high_mills) == (6_000,) * 3
    make_task(campaign, demand={"wanted": 200, "open": 140, "received": 60})
    rollups.tally([campaign], NOW)
    again = CampaignForecast.objects.get()
    assert again.likely > found.likely


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
    found = foretold(campaign, 5, wanted)
    assert (found.reason, found.likely) == (why, None)
    assert (found.cost_mills is None) is (why is NoForecast.EARLY)


def test_cost_holds_what_comes_beside_the_answers_that_count():
    """Simulated: of each counted answer 0 to 2 others are paid; the interval holds the sum in
    some 19 of 20 cases."""
    rng, held = random.Random(5), 0
    for _ in range(400):
        share = rng.choice([0.1, 0.3])
        beside = [sum(rng.random() < share for _ in range(2)) / 2 > 0.4 for _ in range(300)]
        so_far, to_come = sum(beside[:100]), sum(beside[100:])
        low, likely, high = expected_cost((100 + so_far) * 50, 100, 200, 50)
        assert low <= likely <= high
        held += low <= (300 + so_far + to_come) * 50 <= high
    assert 0.93 <= held / 400 <= 1.0
    assert expected_cost(5_175, 345, 0, 15) == (5_175,) * 3  # what is over, to the mill
