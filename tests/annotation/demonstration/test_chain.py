"""The crowd of the chain, before anything is aggregated."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from annotation.demonstration import chain, shift
from annotation.models import Campaign, Document, Entity

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


def test_work_that_breaks_leaves_nothing_behind(campaign, monkeypatch):
    def broken(*args: Any, **options: Any) -> int:
        raise RuntimeError("half way")

    monkeypatch.setattr(shift, "work", broken)
    with pytest.raises(RuntimeError, match="half way"):
        chain.work(campaign, timezone.now())

    campaign.refresh_from_db()
    assert campaign.state == "draft"
    assert not campaign.tasks.exists()
    assert not chain.has_answers(campaign)


def test_each_task_is_dealt_to_three_and_the_load_is_even(campaign):
    chain.publish_tasks(campaign)
    pairs = chain._dealt(campaign)
    tasks = [task for _, task in pairs]
    assert {tasks.count(task) for task in tasks} == {chain.REDUNDANCY}
    assert len(set(pairs)) == len(pairs)
    load = [sum(name == worker for worker, _ in pairs) for name in chain.CROWD]
    assert max(load) - min(load) <= 1
