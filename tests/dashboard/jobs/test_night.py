"""When the night last ran and what failed, for whoever may put it right."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

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
