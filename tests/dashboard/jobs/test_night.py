"""When the night last ran and what failed, for whoever may put it right."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine
from django.contrib.auth.models import User
from django.utils import timezone

from annotation.actions.night import begin_night, begin_step, end_step
from annotation.models import Campaign
from tests.factories import make_campaign, make_member, make_project

pytestmark = pytest.mark.django_db

PROJECT = "/manage/projects/letters/"
WHY = "There is no method 'best'."


@pytest.fixture
def campaign():
    return make_campaign(make_project(slug="letters"), slug="names")


def words(client, address: str) -> str:
    return " ".join(client.get(address).content.decode().replace("&#x27;", "'").split())


def pages(client) -> list[str]:
    return [
        words(client, address)
        for address in ("/manage/campaigns/names/", PROJECT, f"{PROJECT}jobs/")
    ]


def make_night(campaign: Campaign) -> None:
    night = begin_night()
    end_step(begin_step(night, "score_gold"))
    end_step(begin_step(night, "aggregate --campaign=names", campaign), WHY)
    other = make_campaign(slug="others")
    end_step(begin_step(night, "aggregate --campaign=others", other), "Not for you.")
    end_step(begin_step(night, "check_integrity"), "3 numbers are not what their rows say.")


def test_before_the_first_night_it_is_said_when_it_comes(client, campaign, settings):
    client.force_login(make_member(campaign.project).user)
    text = words(client, f"{PROJECT}jobs/")
    assert "The night's steps have not run yet." in text
    assert "It runs each night at 3:00." in text
    settings.NIGHT_HOUR = None
    assert "It is started by cron" in words(client, f"{PROJECT}jobs/")


def test_the_overview_says_what_the_last_night_did_and_when_the_next_comes(
    client, campaign, settings
):
    client.force_login(make_member(campaign.project).user)
    Campaign.objects.update(state="open", opened_at=timezone.now())
    with time_machine.travel(datetime(2026, 11, 20, 14, tzinfo=UTC), tick=False):
        text = words(client, "/manage/campaigns/names/")
        assert "The night’s steps have not run yet" in text
        assert "next Sat 21 Nov, 03:00" in text
    with time_machine.travel(datetime(2026, 11, 21, 3, tzinfo=UTC), tick=False):
        night = begin_night()
        end_step(begin_step(night, "check_gold", campaign))
        end_step(begin_step(night, "flag_workers --campaign=names", campaign), WHY)
        last = begin_step(night, "check_integrity")
        assert "The night goes on" in words(client, "/manage/campaigns/names/")
    with time_machine.travel(datetime(2026, 11, 21, 3, 4, tzinfo=UTC), tick=False):
        end_step(last)
        text = words(client, "/manage/campaigns/names/")
        assert '21 Nov, 03:00</time><span class="soft small">–03:04' in text
        assert "check gold questions; 1 step failed" in text
        assert "next Sun 22 Nov, 03:00" in text
        settings.NIGHT_HOUR = None
        assert "cron starts them" in words(client, "/manage/campaigns/names/")


def test_a_manager_reads_what_failed_of_their_campaigns(client, campaign):
    make_night(campaign)
    client.force_login(make_member(campaign.project).user)
    of_campaign, of_project, jobs = pages(client)
    assert "In the night “aggregate --campaign=names” has failed." in of_campaign
    assert WHY in of_campaign
    assert "Last night" in jobs
    assert WHY in jobs
    for text in (of_campaign, of_project, jobs):
        assert "Not for you." not in text
        assert "3 numbers" not in text


def test_superusers_read_what_failed_for_all(client, campaign):
    make_night(campaign)
    client.force_login(User.objects.create_superuser("root"))
    _, of_project, jobs = pages(client)
    assert "In the night “check_integrity” has failed." in of_project
    assert "3 numbers" in of_project
    assert "3 numbers" in jobs
    assert WHY in jobs


def test_others_read_nothing_of_it(client, campaign):
    make_night(campaign)
    client.force_login(make_member(campaign.project, "reviewer").user)
    for text in pages(client):
        assert WHY not in text
        assert "3 numbers" not in text


def test_the_next_night_takes_it_back(client, campaign):
    make_night(campaign)
    end_step(begin_step(begin_night(), "score_gold"))
    client.force_login(make_member(campaign.project).user)
    of_campaign, _, jobs = pages(client)
    assert WHY not in of_campaign
    assert "Nothing of yours failed." in jobs
