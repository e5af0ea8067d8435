"""The demonstration's labelling loop: three rounds that are over, and one at work."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from annotation.actions import integrity
from annotation.models import Campaign, Response
from demonstration import access, loop, shift
from demonstration.sentences import sentences
from selection.actions.loops import life
from selection.actions.loops.life import pause_loop
from selection.models import LabellingLoop
from tests.demonstration.breaking import breaking_at

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _smaller(monkeypatch, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(life, "LEAST_SAMPLE", 12)
    for name, value in {"START": 8, "BATCH": 6, "BUDGET_MILLS": 2_000}.items():
        monkeypatch.setattr(loop, name, value)


@pytest.fixture
def manager():
    return User.objects.create_user("anna")


def steps() -> Any:
    return list(LabellingLoop.objects.get().rounds.values_list("number", "step"))


THREE = [(1, "done"), (2, "done"), (3, "done"), (4, "labelling")]


def test_three_rounds_are_over_and_a_fourth_waits_for_people(manager):
    told: list[str] = []
    loop.run_loop(manager, told.append)
    assert steps() == THREE
    now = timezone.now()
    for row in LabellingLoop.objects.get().rounds.filter(step="done"):
        assert 0 < row.low <= row.metric <= row.high <= 1
        assert row.next_low <= row.next_metric <= row.next_high
        assert row.published_at < row.done_at < now
    assert len(told) == loop.ROUNDS
    (line,) = access.loop_lines("http://here")  # kept beside the other links
    key = LabellingLoop.objects.get().key
    assert line.split()[-1] == f"http://here/manage/projects/{loop.PROJECT}/loops/{key}/"
    campaign = Campaign.objects.get(slug=loop.CAMPAIGN)
    assert integrity.check_campaign(campaign) == []
    assert campaign.demands.ready().count() == loop.BATCH
    given = Response.objects.filter(assignment__task__campaign=campaign)
    assert given.count() == 12 + 8 + 6 + 6
    assert given.values("assignment__worker").distinct().count() == len(loop.CROWD)


def test_again_it_adds_nothing_and_leaves_what_people_did(manager):
    loop.run_loop(manager, str)
    pause_loop(LabellingLoop.objects.get())
    loop.run_loop(manager, str)
    assert (steps(), LabellingLoop.objects.get().state) == (THREE, "paused")
    LabellingLoop.objects.all().delete()
    assert access.loop_lines("http://here") == []
    loop.run_loop(manager, str)
    assert not LabellingLoop.objects.exists()


@pytest.mark.parametrize("number", [2, 5])
def test_a_start_that_was_broken_off_is_made_up_for(manager, monkeypatch, number):
    with monkeypatch.context() as patch:
        patch.setattr(shift, "work", breaking_at(number, shift.work))
        with pytest.raises(RuntimeError, match="half way"):
            loop.run_loop(manager, str)
    loop.run_loop(manager, str)
    assert steps() == THREE


def test_sentences_are_about_people_or_things():
    every = list(sentences())
    assert len(every) > 300
    assert len({one.name for one in every}) == len(every)
    people = {one.text: one.people for one in every}
    assert any(text.startswith("The shipyard") and not said for text, said in people.items())
    assert 0.2 < sum(people.values()) / len(people) < 0.6
