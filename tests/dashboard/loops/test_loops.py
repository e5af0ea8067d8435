"""The managers' pages of labelling loops."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Campaign, Job
from selection.actions.loops import measuring
from selection.actions.loops.advance import advance
from selection.models import LabellingLoop, LoopRound
from tests.factories import make_member, make_project
from tests.jobs import do_jobs
from tests.selection.loops import label, make_draft, make_loop, make_texts, small

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures(small.__name__, "folder")]

__all__ = ["small"]


@pytest.fixture
def folder(settings, tmp_path, monkeypatch):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(measuring, "REHEARSALS", 3)


def address(loop, name="loop", *more):
    return reverse(f"manage:{name}", args=[loop.project.slug, loop.key, *more])


def page(client, loop, name="loop", *more):
    return client.get(address(loop, name, *more)).content.decode()


@pytest.fixture
def manager(client):
    def log_in(project):
        client.force_login(make_member(project).user)
        return client

    return log_in


def test_a_loop_before_its_first_round(manager):
    loop = make_loop()
    told = page(manager(loop.project), loop)
    assert "not measured yet" in told
    assert "Nothing is picked yet" in told
    assert "facility-location, 6 documents" in told


def test_curve_forecast_and_what_was_picked(manager, django_assert_max_num_queries):
    loop = make_loop()
    client = manager(loop.project)
    for _ in range(2):
        advance(loop)
        label(loop.campaign)
    advance(loop)
    LabellingLoop.objects.update(goal=0.9, least_gain=0.005, most_changed=0.01)
    LoopRound.objects.filter(number=2).update(
        metric=0.812, low=0.78, high=0.84, next_metric=0.831, next_low=0.82, next_high=0.85,
        next_picked=300, next_mills=24_000,
    )  # fmt: skip
    told = page(client, loop)
    assert "300 more documents, about 24.00 USD, macro F1 .81 → .83, 90 % .82–.85" in told
    assert "+.019" in told  # the gain
    assert "What the money buys" in told
    assert "goal .90" in told
    assert "at least" in told
    assert "Decisions stable" in told
    assert "Picked for round 3, and why" in told
    assert "errors in it" in told
    assert "0 of 4 documents labelled" in told
    first = page(client, loop, "loop-picked", 1)
    assert "drawn at random, to measure the model by, are not among them" in first
    with django_assert_max_num_queries(14):
        page(client, loop)


def test_what_a_round_has_picked_is_paged(manager, monkeypatch):
    loop = make_loop()
    client = manager(loop.project)
    advance(loop)
    monkeypatch.setattr("dashboard.loops.views.ROWS", 4)
    items = loop.rounds.get().items.filter(use="training").order_by("rank")
    names = list(items.values_list("external_id", flat=True))
    assert len(names) == 6
    picked = address(loop, "loop-picked", 1)
    first, second, beyond = (client.get(picked, {"from": start}) for start in (1, 5, 10**9))
    assert [pick.item.external_id for pick in first.context["picks"]] == names[:4]
    assert [pick.item.external_id for pick in second.context["picks"]] == names[4:]
    assert "1 to 4 of 6" in first.text
    assert "?from=5" in first.text
    assert "?from=1" in second.text
    assert "Next" not in second.text
    assert not beyond.context["picks"]


def test_queries_do_not_grow_with_rounds(manager, django_assert_num_queries):
    loop = make_loop()
    client = manager(loop.project)
    advance(loop)
    label(loop.campaign)
    advance(loop)
    with CaptureQueriesContext(
        connection,
    ) as one:
        page(client, loop)
    label(loop.campaign)
    advance(loop)
    with django_assert_num_queries(len(one)):
        page(client, loop)


def test_a_manager_sets_one_up(manager):
    project = make_project()
    make_texts(project, 24)
    campaign = make_draft(project)
    client = manager(project)
    there = reverse("manage:loops", args=[project.slug])
    fields = {
        "campaign": campaign.slug, "budget_mills": "0.8", "start": "random", "start_size": "4",
        "picker": "uncertainty", "batch_size": "3", "evaluation": "sample", "learner": "bernoulli",
    }  # fmt: skip
    refused = client.post(there, fields | {"budget_mills": "0.05"})
    assert refused.status_code == 422
    assert "cost 0.09" in refused.content.decode()
    assert client.post(there, fields).status_code == 302
    loop = LabellingLoop.objects.get()
    assert (loop.picker, loop.batch_size, loop.budget.mills) == ("uncertainty", 3, 800)
    (job,) = do_jobs()
    assert job.state == Job.State.DONE
    assert Campaign.objects.get().state == "open"
    assert loop.name in client.get(there).content.decode()


def test_pause_change_resume_stop(manager):
    loop = make_loop()
    client = manager(loop.project)
    advance(loop)
    client.post(address(loop, "loop-state"), {"verb": "pause"})
    assert LabellingLoop.objects.get().state == "paused"
    assert "Resume loop" in page(client, loop)
    fields = {
        "picker": "coverage", "batch_size": "7", "learner": "logistic", "budget_mills": "1",
        "goal": ".85",
    }  # fmt: skip
    client.post(address(loop, "change-loop"), fields)
    loop.refresh_from_db()
    assert (loop.picker, loop.batch_size, loop.goal) == ("coverage", 7, 0.85)
    refused = client.post(address(loop, "change-loop"), fields | {"batch_size": "0"})
    assert refused.status_code == 422
    assert "Nothing is changed yet" in refused.content.decode()
    client.post(address(loop, "loop-state"), {"verb": "resume"})
    assert client.post(address(loop, "advance-loop")).status_code == 302
    assert Job.objects.get().parameters == {"loop": str(loop.key)}
    client.post(address(loop, "loop-state"), {"verb": "stop"})
    told = page(client, loop)
    assert "Stop loop" not in told


def test_what_keeps_a_loop_from_going_on_is_told(manager):
    loop = make_loop()
    advance(loop)
    Campaign.objects.update(state="paused")
    advance(loop)
    assert "Open it, and the loop goes on where it was" in page(manager(loop.project), loop)
    LabellingLoop.objects.update(state="finished", ended_by="budget", ended_at=loop.created_at)
    assert "what is left does not pay for another document" in page(manager(loop.project), loop)


def test_a_loop_over_names_can_suggest(manager):
    loop = make_loop(learner="multinomial")
    client = manager(loop.project)
    told = "Show workers what the model finds"
    assert told not in page(client, loop)
    project = make_project()
    make_texts(project, 40)
    names = make_draft(project, interface="entity", options={})
    over = make_loop(0, project=project, campaign=names, learner="")
    client = manager(project)
    changed = {
        "picker": "uncertainty", "batch_size": 5, "learner": "crf", "budget_mills": "2",
        "suggests": "on",
    }  # fmt: skip
    assert told in page(client, over)
    assert client.post(address(over, "change-loop"), changed).status_code == 302
    over.refresh_from_db()
    assert over.suggests
    assert "checked" in page(client, over).partition(told)[0][-300:]
