"""What the demonstration leaves beside campaigns that are there already."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from annotation.actions import integrity
from annotation.actions.rollups import update_rollups
from annotation.demonstration import load
from annotation.models import Campaign, Rollup
from tests.factories import make_campaign, make_response, make_task

pytestmark = pytest.mark.django_db


def test_its_answers_are_counted_where_another_campaign_was_counted_just_now(monkeypatch):
    monkeypatch.setattr(load, "ANSWERS", 15)
    other = make_campaign()
    make_response(make_task(other), answer={"tags": ["O"] * 7})
    update_rollups()

    campaign = load.load(User.objects.create_user("anna"))

    assert Rollup.objects.filter(campaign=campaign, hour__lt=timezone.now() - load.DAYS / 2)
    assert integrity.check_campaign(campaign) == []
    assert Campaign.objects.count() == 3
