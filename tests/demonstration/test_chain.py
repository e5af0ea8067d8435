"""The crowd of the chain, before anything is aggregated."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from annotation.actions import integrity
from annotation.models import Campaign, Document, Entity
from demonstration import chain, shift
from tests.demonstration.breaking import breaking_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(tmp_path) -> Campaign:
    chain.set_up(User.objects.create_user("anna"), tmp_path, timezone.now())
    return Campaign.objects.select_related("project").get(slug=chain.ENTITIES)


def test_the_files_are_what_the_project_is_made_of(campaign, tmp_path):
    papers = [json.loads(line) for line in (tmp_path / chain.PAPERS).read_text().splitlines()]
    assert Document.objects.visible().count() == len(papers)
    entries = (tmp_path / chain.ENTRIES).read_text().splitlines()
    assert Entity.objects.count() == len(entries)
    assert len(campaign.project.schema["relation_types"]) == 25
    assert set(Campaign.objects.values_list("state", flat=True)) == {"draft"}


def break_at(number: int, campaign: Campaign, monkeypatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(shift, "work", breaking_at(number, shift.work))
        with pytest.raises(RuntimeError, match="half way"):
            chain.work(campaign, timezone.now())


def test_work_that_breaks_at_its_first_worker_leaves_nothing_behind(campaign, monkeypatch):
    break_at(1, campaign, monkeypatch)

    campaign.refresh_from_db()
    assert campaign.state == "draft"
    assert not campaign.tasks.exists()
    assert chain.may_work(campaign)


def test_work_that_breaks_later_goes_on(campaign, monkeypatch):
    break_at(3, campaign, monkeypatch)

    campaign = Campaign.objects.select_related("project").get(pk=campaign.pk)
    assert campaign.enrollments.filter(submitted__gt=0).count() == 2
    assert chain.may_work(campaign)
    assert not chain.is_worked(campaign)
    answers = chain.work(campaign, timezone.now())
    assert chain.is_worked(campaign)
    assert integrity.check_campaign(campaign) == []
    assert campaign.tally.received == campaign.tally.wanted == answers == 72


def test_what_a_manager_has_opened_is_left_alone(campaign):
    chain.publish_tasks(campaign)
    chain.allot(campaign, chain._dealt(campaign))
    chain.open_campaign(campaign)
    assert not chain.may_work(campaign)


def test_each_task_is_dealt_to_three_and_the_load_is_even(campaign):
    chain.publish_tasks(campaign)
    pairs = chain._dealt(campaign)
    tasks = [task for _, task in pairs]
    assert {tasks.count(task) for task in tasks} == {chain.REDUNDANCY}
    assert len(set(pairs)) == len(pairs)
    load = [sum(name == worker for worker, _ in pairs) for name in chain.CROWD]
    assert max(load) - min(load) <= 1
