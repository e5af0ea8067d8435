"""The organiser's half: periods, and a plan before money is spent."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Demand, Job
from evaluation.actions.asking import forecast
from evaluation.actions.submissions import submit
from evaluation.actions.validation import validate
from evaluation.models import EvaluationPeriod, SamplingPlan
from tests.evaluation.files import born, born_text, lines
from tests.evaluation.made import make_evaluated_project, make_period, make_team
from tests.factories import make_campaign, make_document, make_member
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    project = make_evaluated_project()
    for number in range(12):
        make_document(project, born_text(number), external_id=f"d{number:03}")
    return project


@pytest.fixture
def manager(project):
    client = Client()
    client.force_login(make_member(project).user)
    return client


def test_period_is_set_up_changed_and_followed_by_the_next(project, manager):
    campaign = make_campaign(project, interface="relation")
    here = f"/manage/projects/{project.slug}/evaluation/"
    given = {
        "name": "Spring", "opens_at": "2026-11-01T08:00", "closes_at": "2026-12-01T08:00",
        "metrics": ["instance", "relation"], "match": "exact", "campaign": campaign.slug,
    }  # fmt: skip
    early = manager.post(f"{here}periods/", given | {"closes_at": "2026-10-01T08:00"})
    assert (early.status_code, "Choose a later end." in early.text) == (422, True)
    made = manager.post(f"{here}periods/", given)
    period = EvaluationPeriod.objects.get()
    assert made.url == f"{here}{period.key}/"
    assert (period.campaign, period.documents.count()) == (campaign, 12)
    assert period.metrics == ["instance", "relation"]
    again = manager.post(f"{here}periods/", given)
    assert "There is a period" in again.text
    later = make_document(project, born_text(99))
    assert later not in period.documents.all()  # the corpus was fixed
    manager.post(f"{here}periods/", given | {"name": "Autumn", "follows": str(period.key)})
    autumn = EvaluationPeriod.objects.get(name="Autumn")
    assert (autumn.follows, later in autumn.documents.all()) == (period, True)
    changed = manager.post(
        f"{made.url}change/", {"opens_at": "2026-11-02T08:00", "is_public": "on"}
    )
    assert changed.status_code == 302
    period.refresh_from_db()
    assert (period.opens_at.day, period.closes_at, period.campaign) == (2, None, None)
    assert period.is_public
    shown = manager.get(made.url).text
    assert "No campaign is chosen" in shown
    manager.post(f"{made.url}release/")
    period.refresh_from_db()
    assert period.labels_released_at <= timezone.now()
    assert manager.post(f"{made.url}score/").status_code == 302
    assert Job.objects.queued().filter(kind="evaluate_submissions").exists()


def test_a_campaign_for_claims_is_created_where_there_is_none_and_opened_by_the_first_plan(
    project, manager
):
    period = make_period(project, list(project.documents.all()))
    here = f"/manage/projects/{project.slug}/evaluation/{period.key}/"
    assert "Create campaign for claims" in manager.get(here).text
    poor = manager.post(f"{here}campaign/", {"answers": "3", "pay": "much"})
    assert (poor.status_code, "Write an amount" in poor.text) == (422, True)
    for _ in range(2):  # pressed twice
        manager.post(f"{here}campaign/", {"answers": "3", "pay": "0.07"})
    period.refresh_from_db()
    campaign = project.campaigns.get()
    assert period.campaign == campaign
    assert (campaign.interface, campaign.redundancy, campaign.pay_mills) == ("relation", 3, 70)
    assert "Create campaign for claims" not in manager.get(here).text
    content = lines(*map(born, range(12)))
    validate(submit(period, make_team(project), "falcon", "falcon.jsonl", content))
    forecast(period)
    asked = {"metrics": "instance", "width": "0.04", "case": "most"}
    assert manager.post(f"{here}plan/", asked).status_code == 302
    do_jobs()
    campaign.refresh_from_db()
    assert campaign.state == "open"
    assert Demand.objects.filter(campaign=campaign).count() == 12


def test_plan_shows_claims_and_money_and_one_press_makes_the_tasks(project, manager):
    campaign = make_campaign(project, interface="relation", redundancy=2, pay_mills=50)
    period = make_period(project, list(project.documents.all()), campaign=campaign)
    page = f"/manage/projects/{project.slug}/evaluation/{period.key}/plan/"
    assert "Nothing to plan yet" in manager.get(page).text
    content = lines(*map(born, range(12)))
    validate(submit(period, make_team(project), "falcon", "falcon.jsonl", content))
    forecast(period)
    shown = manager.get(page, {"metrics": "instance", "width": "0.04", "case": "most"}).text
    assert "± .04 takes" in shown
    for address in (
        page,
        page.replace("/plan/", "/recall/"),
        f"/manage/projects/{project.slug}/evaluation/",
        f"/manage/teams/{project.teams.get().key}/",
    ):
        ids = re.findall(r'\sid="([^"]+)"', manager.get(address).text)
        assert len(ids) == len(set(ids))  # a label leads to its own field
    assert "1.20" in shown  # 12 claims, two answers of $.05
    assert "Set the campaign to three." in shown
    campaign.budget_mills = 500
    campaign.save()
    wanted = {"metrics": "instance", "width": "0.04", "case": "most"}
    poor = manager.post(page, wanted)
    assert (poor.status_code, "has 0.50 left" in poor.text) == (422, True)
    assert not SamplingPlan.objects.exists()
    campaign.budget_mills = 5_000
    campaign.save()
    pressed = manager.post(page, wanted)
    assert pressed.status_code == 302
    do_jobs()
    plan = SamplingPlan.objects.get()
    assert (plan.state, plan.made, Demand.objects.count()) == ("asked", 12, 12)
    assert "12 claims drawn" in manager.get(page).text
    submit(period, make_team(project), "heron", "heron.jsonl", content)
    assert "have come or gone" not in manager.get(page).text  # it is not valid yet
    do_jobs()
    assert "judged, or asked for, already" not in manager.get(page).text
