import stat

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from aggregation.models import AggregationRun
from annotation.actions import integrity
from annotation.actions.tokens import read_link
from annotation.demonstration import load
from annotation.models import Assignment, Campaign, Demand, Document, Enrollment, Response

pytestmark = pytest.mark.django_db


@pytest.fixture
def data_dir(settings, tmp_path):
    settings.DATA_DIR = tmp_path / "data"
    return settings.DATA_DIR


def printed(capsys, **options: str) -> dict[str, str]:
    call_command("load_demonstration", **options)
    lines = capsys.readouterr().out.splitlines()
    return {line[:18].strip(): line[18:] for line in lines if line[17:18] == " "}


@pytest.mark.slow
def test_it_leaves_a_campaign_that_has_something_of_everything(data_dir, capsys):
    links = printed(capsys, at="http://127.0.0.1:9000/")

    campaign = Campaign.objects.get()
    assert campaign.state == "open"
    assert Document.objects.visible().count() == 40
    assert Enrollment.objects.filter(submitted__gt=0).count() == 12
    states = set(Assignment.objects.values_list("state", flat=True))
    assert states == {"submitted", "returned", "leased"}
    assert Demand.objects.filter(kind=Demand.Kind.PLAIN, ready=True).exists()
    assert Response.objects.filter(gold_score__isnull=False).count() >= 5
    assert integrity.check_campaign(campaign) == []
    runs = AggregationRun.objects.values_list("method", "state")
    assert sorted(runs) == [("dawid-skene", "complete"), ("mv-token", "complete")]

    link = links["Worker's link"]
    assert link.startswith("http://127.0.0.1:9000/join/")
    assert read_link(link.split("/")[-2]).campaign == campaign.slug
    file = data_dir / "demonstration.txt"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert link in file.read_text()

    manager = User.objects.get()
    assert manager.check_password(links["Password"])
    assert manager.memberships.get().role == "manager"
    assert manager.has_perm("annotation.view_response")
    assert not manager.has_perm("annotation.change_campaign")


def test_second_load_changes_nothing_but_the_links(data_dir, capsys, monkeypatch):
    monkeypatch.setattr(load, "ANSWERS", 15)
    first = printed(capsys)
    before = [model.objects.count() for model in (Response, Assignment, AggregationRun, User)]

    second = printed(capsys, at="http://127.0.0.1:9001")

    assert [m.objects.count() for m in (Response, Assignment, AggregationRun, User)] == before
    assert second["Password"] == first["Password"]
    assert second["Projects"] == "http://127.0.0.1:9001/"
    assert "http://127.0.0.1:9001/" in (data_dir / "demonstration.txt").read_text()


def test_password_is_not_made_again_where_the_file_is_gone(data_dir, capsys, monkeypatch):
    monkeypatch.setattr(load, "load", lambda manager: None)
    first = printed(capsys)
    (data_dir / "demonstration.txt").unlink()
    again = printed(capsys)
    assert "changepassword demonstration" in again["Password"]
    assert User.objects.get().check_password(first["Password"])


def test_load_that_breaks_leaves_nothing_behind(data_dir, monkeypatch):
    def broken(campaign):
        raise RuntimeError("half way")

    monkeypatch.setattr(load, "_work", broken)
    with pytest.raises(RuntimeError, match="half way"):
        call_command("load_demonstration")
    assert not Campaign.objects.exists()
    assert not Document.objects.exists()
