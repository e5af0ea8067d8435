from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import Sum
from django.utils import timezone

from annotation.actions import integrity
from annotation.actions.campaigns import open_campaign
from annotation.actions.rollups import update_rollups, wrong_hours
from annotation.models import Assignment, Campaign, Demand, Enrollment, Response, Rollup, Tally
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_task,
)

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def respond(task, at: datetime, state: str = "submitted") -> Response:
    """A response with the time at which it came; a stored one can't be moved."""
    enrollment = make_enrollment(task.campaign)
    assignment = Assignment.objects.create(
        task=task, worker=enrollment.worker, enrollment=enrollment, state=state,
        leased_at=at, expires_at=at, submitted_at=at,
    )  # fmt: skip
    return Response.objects.create(
        assignment=assignment, answer={"tags": []}, judgments=b"", received_at=at
    )


def hours(campaign: Campaign) -> list[tuple[int, int, int, int]]:
    rows = Rollup.objects.filter(campaign=campaign).order_by("hour")
    return [(row.hour.hour, row.answers, row.gold, row.late) for row in rows]


def test_answers_gold_and_late_ones_are_counted_by_the_hour():
    campaign = make_campaign()
    plain, gold = make_task(campaign), make_task(campaign, kind=Demand.Kind.HIDDEN)
    respond(plain, NOON)
    respond(plain, NOON + timedelta(minutes=59, seconds=59))
    respond(plain, NOON + timedelta(minutes=1), state="late")
    respond(gold, NOON)
    respond(plain, NOON + timedelta(hours=3))
    update_rollups(NOON + timedelta(hours=4))
    assert hours(campaign) == [(12, 2, 1, 1), (15, 1, 0, 0)]


def test_campaigns_are_kept_apart():
    one, other = make_campaign(), make_campaign()
    respond(make_task(one), NOON)
    respond(make_task(other), NOON)
    update_rollups()
    assert hours(one) == hours(other) == [(12, 1, 0, 0)]


def test_counting_again_changes_nothing():
    campaign = make_campaign()
    respond(make_task(campaign), NOON)
    for minutes in (0, 1, 2):
        update_rollups(NOON + timedelta(minutes=minutes))
    assert hours(campaign) == [(12, 1, 0, 0)]


def test_answer_that_was_committed_late_is_still_counted():
    """It was received before noon; its transaction ended when noon had been counted already."""
    campaign = make_campaign()
    task = make_task(campaign)
    respond(task, NOON + timedelta(seconds=1))
    update_rollups(NOON + timedelta(seconds=2))
    respond(task, NOON - timedelta(seconds=1))
    update_rollups(NOON + timedelta(minutes=1))
    assert hours(campaign) == [(11, 1, 0, 0), (12, 1, 0, 0)]


def test_settled_hours_are_not_read_again(django_assert_max_num_queries):
    campaign = make_campaign()
    task = make_task(campaign)
    for hour in range(30):
        respond(task, NOON + timedelta(hours=hour))
    now = NOON + timedelta(hours=29, minutes=30)
    update_rollups(now)
    with django_assert_max_num_queries(9):
        update_rollups(now + timedelta(minutes=1))
    assert Rollup.objects.aggregate(total=Sum("answers"))["total"] == 30


def test_demands_are_added_up():
    campaign = make_campaign()
    make_task(campaign, demand={"wanted": 3, "open": 0, "received": 3, "ready": False})
    make_task(campaign, demand={"wanted": 3, "open": 1, "leased": 1, "received": 1})
    make_task(campaign, kind=Demand.Kind.HIDDEN)
    update_rollups()
    tally = Tally.objects.get(campaign=campaign)
    assert (tally.tasks, tally.complete, tally.wanted, tally.received, tally.gold) == (
        2,
        1,
        6,
        4,
        1,
    )


def test_demands_are_added_up_again_when_something_may_have_changed():
    campaign = make_campaign(state="paused")
    task = make_task(campaign)
    start = timezone.now()
    update_rollups(start)

    def received_at(now: datetime) -> int:
        update_rollups(now)
        return Tally.objects.get(campaign=campaign).received

    def receive() -> None:
        Demand.objects.filter(task=task).update(
            received=Demand.objects.get(task=task).received + 1,
            open=Demand.objects.get(task=task).open - 1,
            ready=Demand.objects.get(task=task).open > 1,
        )

    receive()
    minute = timedelta(minutes=1)
    assert received_at(start + minute) == 0  # nothing says that it changed
    enrollment = make_enrollment(campaign, seen_at=start + minute)
    assert received_at(start + 2 * minute) == 1  # somebody was at work
    Enrollment.objects.filter(pk=enrollment.pk).update(seen_at=start - timedelta(hours=1))
    receive()
    Campaign.objects.filter(pk=campaign.pk).update(epoch=1)
    assert received_at(start + 3 * minute) == 2  # slots were changed in bulk
    receive()
    Campaign.objects.filter(pk=campaign.pk).update(state="open")
    assert received_at(start + timedelta(hours=2)) == 3  # an open one, each hour


def test_opened_campaign_is_counted_at_once():
    campaign = make_campaign(state="draft")
    make_document(campaign.project)
    open_campaign(campaign)
    assert Tally.objects.get(campaign=campaign).wanted == 3


def test_history_that_was_loaded_is_counted_though_another_campaign_was_counted_later():
    other, loaded = make_campaign(), make_campaign()
    respond(make_task(other), NOON + timedelta(days=9))
    update_rollups(NOON + timedelta(days=9, minutes=30))
    task = make_task(loaded)
    respond(task, NOON)
    respond(task, NOON + timedelta(days=2))
    now = NOON + timedelta(days=9, minutes=31)
    update_rollups(now, since=NOON + timedelta(minutes=10))
    assert hours(loaded) == [(12, 1, 0, 0), (12, 1, 0, 0)]
    assert hours(other) == [(12, 1, 0, 0)]
    assert hour_differences(loaded) == []


def test_since_leaves_out_nothing_that_would_be_counted_without_it():
    campaign = make_campaign()
    respond(make_task(campaign), NOON)
    update_rollups(since=NOON + timedelta(hours=5))
    assert hours(campaign) == [(12, 1, 0, 0)]


# --- The hours in check_integrity ----------------------------------------------------------------


def hour_differences(campaign: Campaign, *, repair: bool = False) -> list[tuple[int, int]]:
    """(stored, counted) of each hour; the counters of these campaigns are nobody's concern."""
    return [
        (difference.stored, difference.counted)
        for difference in integrity.check_campaign(campaign, repair=repair)
        if difference.what.startswith("Responses rolled up from")
    ]


def test_integrity_names_and_mends_an_hour_that_is_wrong():
    campaign = make_campaign()
    respond(make_task(campaign), NOON)
    update_rollups()
    assert hour_differences(campaign) == []

    Rollup.objects.update(answers=7)
    assert hour_differences(campaign) == [(7, 1)]
    assert hour_differences(campaign, repair=True) == [(7, 1)]
    assert hour_differences(campaign) == []


def test_integrity_finds_hours_that_are_missing_or_made_up():
    campaign = make_campaign()
    respond(make_task(campaign), NOON)
    update_rollups()
    Rollup.objects.filter(campaign=campaign).update(hour=NOON + timedelta(hours=2))
    assert hour_differences(campaign, repair=True) == [(0, 1), (1, 0)]
    assert hour_differences(campaign) == []


def test_answers_that_were_taken_for_gold_are_a_difference():
    campaign = make_campaign()
    respond(make_task(campaign), NOON)
    update_rollups()
    Rollup.objects.update(answers=0, gold=1)
    assert hour_differences(campaign, repair=True) == [(1, 1)]
    assert hours(campaign) == [(12, 1, 0, 0)]


def test_hour_that_goes_on_is_no_difference():
    campaign = make_campaign()
    task = make_task(campaign)
    respond(task, timezone.now())
    update_rollups()
    respond(task, timezone.now())
    assert hour_differences(campaign) == []


def test_hours_of_one_campaign_are_checked_in_three_queries(django_assert_num_queries):
    campaigns = [make_campaign() for _ in range(3)]
    tasks = [make_task(campaign) for campaign in campaigns]
    for hour in range(10):
        for task in tasks:
            respond(task, NOON + timedelta(hours=hour, minutes=hour))
    update_rollups()
    Rollup.objects.filter(campaign=campaigns[1], hour=NOON).update(late=1)
    Rollup.objects.filter(campaign=campaigns[1], hour=NOON + timedelta(hours=4)).delete()
    found = []
    for campaign in campaigns:
        with django_assert_num_queries(3):
            found.append([(row.hour, stored) for row, stored in wrong_hours(campaign)])
    assert found == [[], [(NOON, 2), (NOON + timedelta(hours=4), 0)], []]
