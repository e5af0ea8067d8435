"""When a page that refreshes itself is made anew, and when it is told that nothing has changed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import appeals
from annotation.actions.jobs import enqueue
from annotation.actions.workers import set_state
from annotation.models import Campaign, Enrollment, Tally
from dashboard.live import AFRESH, campaign_state
from selection.models import WorkerFlag
from tests.factories import make_campaign, make_enrollment, make_member

pytestmark = pytest.mark.django_db

NOW = timezone.now().replace(minute=0, second=30)


@pytest.fixture
def campaign():
    found = make_campaign()
    make_enrollment(found, submitted=3)
    return found


def state(campaign, now=NOW) -> str:
    return campaign_state(Campaign.objects.select_related("tally").get(pk=campaign.pk), now)


def ask(client, campaign, known="", what="workers/"):
    headers = {"If-None-Match": f'"{known}"'} if known else {}
    return client.get(f"/manage/campaigns/{campaign.slug}/{what}", headers=headers)


def answers_more(campaign):
    Enrollment.objects.update(submitted=4)


def pause(campaign):
    set_state(Enrollment.objects.get(), "paused", "We are full.")


def appeal(campaign):
    Enrollment.objects.update(state="paused")
    appeals.appeal(Enrollment.objects.get().key, "Why?")


def flag(campaign):
    WorkerFlag.objects.create(enrollment=Enrollment.objects.get(), kind="fast", evidence={}, at=NOW)


def count(campaign):
    Tally.objects.create(
        campaign=campaign, tasks=9, complete=3, wanted=27, received=9, gold=0, epoch=0,
        counted_at=NOW,
    )  # fmt: skip


def job(campaign):
    enqueue("aggregate", campaign=campaign)


@pytest.mark.parametrize("change", [answers_more, pause, appeal, flag, count, job])
def test_state_is_another_after_each_change_and_the_same_without_one(campaign, change):
    before = state(campaign)
    assert state(campaign) == before
    change(campaign)
    assert state(campaign) != before


def test_times_pass_on_an_open_campaign_alone(campaign):
    later = NOW + timedelta(seconds=AFRESH)
    assert state(campaign, later) != state(campaign)
    Campaign.objects.update(state="closed")
    assert state(campaign, later) == state(campaign)


def test_what_happens_in_another_project_changes_nothing(campaign):
    before = state(campaign)
    other = make_campaign()
    make_enrollment(other, submitted=3)
    enqueue("aggregate", campaign=other)
    assert state(campaign) == before


@pytest.mark.parametrize("what", ["", "workers/", "quality/"])
def test_page_that_is_known_is_not_sent_again(
    client, campaign, what, django_assert_max_num_queries
):
    client.force_login(make_member(campaign.project).user)
    page = ask(client, campaign, what=what)
    known = page.content.decode().partition('data-state="')[2].partition('"')[0]
    assert known
    with django_assert_max_num_queries(11):  # session, user, campaign, role, and the state's seven
        again = ask(client, campaign, known, what)
    assert (again.status_code, again.content) == (304, b"")
    answers_more(campaign)
    assert ask(client, campaign, known, what).status_code == 200


def test_stranger_is_told_nothing_by_a_known_state(client, campaign):
    client.force_login(make_member(make_campaign().project).user)
    assert ask(client, campaign, state(campaign)).status_code == 404
