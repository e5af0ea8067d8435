"""What the demonstration leaves beside campaigns that are there already."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from annotation.actions import integrity
from annotation.actions.rollups import update_rollups
from annotation.models import Campaign, Demand, Response, Rollup
from annotation.queries.first_page import first_page
from demonstration import choices, load
from tests.factories import make_campaign, make_response, make_task

RIGHT = [(text, choices.CHOICES[right]) for text, right in choices.NOTES]

pytestmark = pytest.mark.django_db


def test_its_answers_are_counted_where_another_campaign_was_counted_just_now(monkeypatch):
    monkeypatch.setattr(load, "ANSWERS", 15)
    other = make_campaign()
    make_response(make_task(other), answer={"tags": ["O"] * 7})
    update_rollups()

    load.load(User.objects.create_user("anna"))
    campaign = Campaign.objects.get(slug=load.CAMPAIGN)

    assert Rollup.objects.filter(campaign=campaign, hour__lt=timezone.now() - load.DAYS / 2)
    assert integrity.check_campaign(campaign) == []
    shown = first_page(campaign).example
    assert shown is not None  # and nobody has to practise for it
    assert shown.draws_itself
    assert not campaign.training_size
    assert Campaign.objects.count() == 5


def test_notes_are_judged_by_a_crowd_and_some_are_left(monkeypatch):
    monkeypatch.setattr(load, "ANSWERS", 1)
    load.load(User.objects.create_user("anna"))

    ferry = Campaign.objects.get(slug=choices.CAMPAIGN)
    assert integrity.check_campaign(ferry) == []
    answers = Response.objects.filter(assignment__task__campaign=ferry)
    right = [
        answer.answer["choice"] == dict(RIGHT)[answer.assignment.task.payload["text"]]
        for answer in answers.select_related("assignment__task")
    ]
    assert len(right) == choices.ANSWERS // 4 * 4
    assert 0.6 < sum(right) / len(right) < 1
    assert Demand.objects.filter(campaign=ferry, ready=True).exists()
    replies = Campaign.objects.get(slug=choices.PAUSED)
    assert (replies.state, replies.tally.received) == ("paused", 2 * choices.EACH[choices.PAUSED])
    assert integrity.check_campaign(replies) == []
