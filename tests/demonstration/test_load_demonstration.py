import stat
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import transaction
from django.db.models import Sum
from django.urls import reverse
from django.utils import timezone

from aggregation.models import AggregationRun
from annotation.actions import integrity
from annotation.actions.tokens import read_link
from annotation.models import (
    Appeal,
    Assignment,
    Campaign,
    Demand,
    Document,
    Enrollment,
    Entity,
    Job,
    Member,
    NightStep,
    Response,
    Rollup,
    Tally,
)
from demonstration import access, choices, load, shift
from demonstration.management.commands import load_demonstration
from selection.models import WorkerFlag
from tests.demonstration.breaking import breaking_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def chained(monkeypatch):
    """How often the chain was asked for; tests.demonstration.test_chain_runs runs it, test_loop the
    loop."""
    asked = []
    monkeypatch.setattr(load_demonstration, "run_loop", lambda *what: None)
    monkeypatch.setattr(load_demonstration, "run_chain", lambda *what: asked.append(what))
    return asked


@pytest.fixture
def data_dir(settings, tmp_path, chained):
    settings.DATA_DIR = tmp_path / "data"
    return settings.DATA_DIR


def printed(capsys, **options: str) -> dict[str, str]:
    call_command("load_demonstration", **options)
    lines = capsys.readouterr().out.splitlines()
    assert not [line for line in lines if line.startswith("[")]  # how far a job has come
    return {line[:18].strip(): line[18:] for line in lines if line[17:18] == " "}


@pytest.mark.slow
def test_it_leaves_a_campaign_that_has_something_of_everything(data_dir, capsys):
    links = printed(capsys, at="http://127.0.0.1:9000/")

    campaign = Campaign.objects.get(slug=load.CAMPAIGN)
    assert campaign.state == "open"
    assert Campaign.objects.get(slug=load.DRAFT).state == "draft"
    assert Document.objects.visible().count() == 42
    assert Enrollment.objects.filter(campaign=campaign, submitted__gt=0).count() == 12
    assert Response.objects.filter(assignment__task__campaign__interface="choice").count() > 20
    states = set(Assignment.objects.values_list("state", flat=True))
    assert states == {"submitted", "returned", "leased"}
    assert Demand.objects.filter(kind=Demand.Kind.PLAIN, ready=True).exists()
    assert Response.objects.filter(gold_score__isnull=False).exists()  # who gets gold is drawn
    assert integrity.check_campaign(campaign) == []
    runs = AggregationRun.objects.values_list("campaign__interface", "method", "state")
    jobs = dict(Job.objects.values_list("kind", "state"))
    assert jobs.pop("import_gold") == "failed"
    assert set(jobs.values()) == {"done"}
    assert sorted(jobs) == [
        "check_gold", "export_annotations", "flag_workers", "forecast_campaign",
        "preview_selection",
    ]  # fmt: skip
    asking = Appeal.objects.filter(answered_at=None, enrollment__campaign=campaign)
    assert {one.rejection is None for one in asking} == {True, False}
    assert WorkerFlag.objects.standing().filter(enrollment__campaign=campaign).exists()
    assert Assignment.objects.filter(task__campaign=campaign, reported_at__isnull=False).exists()
    assert set(Campaign.objects.values_list("state", flat=True)) == {"draft", "open", "paused"}
    assert sorted(runs) == [
        ("choice", "dawid-skene", "complete"), ("choice", "majority", "complete"),
        ("entity", "bsc-seq", "complete"), ("entity", "dawid-skene", "complete"),
        ("entity", "mv-token", "complete"),
    ]  # fmt: skip
    night = NightStep.objects.of_last_night()  # of which the overview and the jobs' page tell
    assert night.filter(campaign=campaign, error="", ended_at__isnull=False).exists()
    for tally in Tally.objects.select_related("campaign").exclude(campaign__state="draft"):
        counted = Demand.objects.filter(campaign=tally.campaign, kind=Demand.Kind.PLAIN)
        assert tally.received == counted.aggregate(n=Sum("received"))["n"] >= 10, tally

    link = links["Worker's link"]
    assert link.startswith("http://127.0.0.1:9000/join/")
    assert read_link(link.split("/")[-2]).campaign == campaign.slug
    file = data_dir / "demonstration.txt"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert link in file.read_text()

    assert links["Manager's log-in"] == "http://127.0.0.1:9000/login/"
    page = reverse("manage:campaign", args=[campaign.slug])
    assert links["Demonstration"] == f"http://127.0.0.1:9000{page}"
    manager = User.objects.get(username=links["Name"])
    assert manager.check_password(links["Password"])
    assert manager.memberships.get().role == "manager"
    assert not manager.is_staff
    assert not manager.get_all_permissions()
    roles = Member.objects.values_list("role", flat=True)
    assert sorted(roles) == ["manager", "reviewer", "viewer"]
    others = User.objects.exclude(pk=manager.pk)
    assert not any(other.has_usable_password() for other in others)


@pytest.mark.slow
def test_its_history_lies_in_the_days_before_and_every_page_shows_something(client):
    now = timezone.now()
    manager, _ = access.manager(Path("nowhere"))
    load.load(manager, now)
    campaign = Campaign.objects.get(slug=load.CAMPAIGN)

    received = Response.objects.values_list("received_at", flat=True)
    assert {now - moment > timedelta(0) for moment in received} == {True}
    assert len({moment.date() for moment in received}) >= 5
    answers = Rollup.objects.filter(campaign=campaign).aggregate(total=Sum("answers"))["total"]
    # How many of what the simulated crowd gives is gold, a draw decides.
    assert answers == Tally.objects.get(campaign=campaign).received > 55
    names = Response.objects.filter(assignment__task__campaign=campaign)
    linked = [entity["link"] for row in names for entity in row.answer["entities"]]
    assert set(filter(None, linked)) <= set(Entity.objects.values_list("key", flat=True))
    assert any(linked)  # how many are without an entry, a draw decides, too
    assert Entity.objects.count() > 40

    client.force_login(manager)
    page = client.get(f"/manage/campaigns/{campaign.slug}/").text
    assert "1 worker is paused" in page
    assert "within the budget" in page  # the forecast


def test_second_load_changes_nothing_but_the_links(data_dir, capsys, monkeypatch):
    monkeypatch.setattr(load, "ANSWERS", 15)
    first = printed(capsys)
    before = [model.objects.count() for model in (Response, Assignment, AggregationRun, User)]

    second = printed(capsys, at="http://127.0.0.1:9001")

    assert [m.objects.count() for m in (Response, Assignment, AggregationRun, User)] == before
    assert second["Password"] == first["Password"]
    assert second["Projects"] == "http://127.0.0.1:9001/"
    assert "http://127.0.0.1:9001/" in (data_dir / "demonstration.txt").read_text()


def test_each_start_asks_for_what_the_chain_lacks(data_dir, capsys, monkeypatch, chained):
    monkeypatch.setattr(load, "load", lambda manager: None)
    printed(capsys)
    printed(capsys)
    manager = User.objects.get(username="demonstration")
    assert [what[:2] for what in chained] == 2 * [(manager, data_dir / "demonstration")]


def test_password_is_not_made_again_where_the_file_is_gone(data_dir, capsys, monkeypatch):
    monkeypatch.setattr(load, "load", lambda manager: None)
    first = printed(capsys)
    (data_dir / "demonstration.txt").unlink()
    again = printed(capsys)
    assert "changepassword demonstration" in again["Password"]
    assert User.objects.get(username="demonstration").check_password(first["Password"])


@pytest.mark.parametrize("number", [1, 3, 7, 9])
def test_load_that_breaks_goes_on_with_the_next_start(data_dir, monkeypatch, capsys, number):
    monkeypatch.setattr(load, "ANSWERS", 15)
    with monkeypatch.context() as patch:
        patch.setattr(shift, "work", breaking_at(number, shift.work))
        with pytest.raises(RuntimeError, match="half way"):
            call_command("load_demonstration")
    assert not load.is_complete()
    password = printed(capsys)["Password"]
    assert User.objects.get(username="demonstration").check_password(password)
    assert load.is_complete()
    for campaign, answers in ((load.CAMPAIGN, 15), (choices.CAMPAIGN, choices.ANSWERS // 4 * 4)):
        row = Campaign.objects.get(slug=campaign)
        assert integrity.check_campaign(row) == []
        given = Assignment.objects.filter(task__campaign=row, state="submitted")
        assert given.count() == answers
    assert Campaign.objects.filter(slug=load.DRAFT).exists()


@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_more_than_one_workers_answers(data_dir, monkeypatch):
    """On SQLite a transaction that writes keeps all others waiting."""
    monkeypatch.setattr(load, "ANSWERS", 15)
    real, asked, committed = shift.work, [], []

    def work(*arguments: Any, **options: Any) -> int:
        assert len(committed) == len(asked)
        asked.append(arguments)
        transaction.on_commit(lambda: committed.append(arguments))
        return real(*arguments, **options)

    monkeypatch.setattr(shift, "work", work)
    load.load(User.objects.create_user("anna"))
    assert len(committed) > 5


@pytest.mark.parametrize("gone", ["removed", "paused", "closed"])
def test_what_a_manager_has_taken_away_is_not_loaded_again(data_dir, monkeypatch, capsys, gone):
    monkeypatch.setattr(load, "ANSWERS", 2)
    load.load(User.objects.create_user("anna"))
    campaigns = Campaign.objects.filter(slug__in=(load.CAMPAIGN, load.DRAFT))
    campaigns.filter(slug=load.DRAFT).delete()
    if gone == "removed":
        campaigns.update(slug="removed")
    else:
        campaigns.update(state=gone)
    links = printed(capsys)
    assert not Campaign.objects.filter(slug=load.DRAFT).exists()
    assert ("Demonstration" in links) == (gone != "removed")


def test_steps_go_into_a_file_where_one_is_named(data_dir, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(load, "ANSWERS", 2)
    monkeypatch.setattr(
        load_demonstration, "run_chain", lambda manager, folder, tell: tell("A step.")
    )
    log = tmp_path / "steps.log"
    call_command("load_demonstration", log=log)
    said = capsys.readouterr().out
    assert log.read_text() == "A step.\n"
    assert "A step." not in said
    assert said.index("Password") < said.index("is being loaded") < said.index("Worker's link")
