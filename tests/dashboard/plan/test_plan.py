"""Plan: what the command `forecast` prints, computed by a job and drawn from its result."""

import re
from datetime import date
from functools import partial
from html import unescape
from io import StringIO
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from aggregation.models.facts import Share
from annotation.models import Campaign, CampaignForecast, Job, Tally
from dashboard.plan import views
from dashboard.templatetags.figures import share
from selection.files import forecast
from tests.aggregation.crowds import choice_campaign, choice_task, make_workers
from tests.factories import make_campaign, make_member
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db

PAGE = "/manage/campaigns/names/plan/"
MIX = {"mix": ".7:.85, .3:.6", "workers": "9", "tasks": "20", "wanted": ".95"}
SURE = {"wanted": ".9"}
F1 = Share("F1", 0.9, (0.82, 0.94))


@pytest.fixture(autouse=True)
def few_draws(monkeypatch):
    monkeypatch.setattr(forecast, "forecast_mix", partial(forecast.forecast_mix, draws=3))


@pytest.fixture
def campaign(client, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    made = choice_campaign()
    made.slug, made.redundancy, made.pay_mills = "names", 2, 50
    made.save()
    client.force_login(make_member(made.project).user)
    return made


def printed(*arguments):
    out = StringIO()
    call_command("forecast", *arguments, stdout=out)
    return out.getvalue().splitlines()


def shows_what_is_printed(page, lines):
    """Each way, its cost with an interval and its end stand on the page as in the command."""
    shown = " ".join(unescape(re.sub("<[^>]*>", " ", page)).split())
    rows = [re.split(r" {2,}", line.strip()) for line in lines[2:] if not line.endswith(".")]
    assert len(rows) > 4
    for name, right, interval, _, cost, *end in rows:
        low, high = (float(one) / 100 for one in interval.split("–"))
        name = name if "most" in name else f"{name} each"
        quality = f"{share(float(right) / 100)} {share(low)}–{share(high)}"
        assert re.search(rf"{name}( \(chosen\))? {re.escape(quality)} [\d.]+ ", shown), (
            name,
            quality,
        )
        assert cost.replace("(", "").replace(")", "") in shown
        for day in re.findall(r"\d{4}-\d\d-\d\d", "".join(end)):
            assert f"{date.fromisoformat(day):%-d %b}" in shown


def test_before_opening_by_a_stated_crowd(client, campaign):
    assert "Nothing is forecast yet" in client.get(PAGE).content.decode()
    assert client.post(PAGE + "forecast/", MIX).status_code == 302
    assert "waiting for its turn" in client.get(PAGE).content.decode()
    (job,) = do_jobs()
    assert job.state == "done", job.error
    classes = f"--classes={job.parameters['classes']}"
    crowd = ("--mix=.7:.85,.3:.6", "--workers=9", "--tasks=20", classes, "--wanted=.95")
    with CaptureQueriesContext(connection) as queries:
        page = client.get(PAGE).content.decode()
    assert len(queries) <= 12
    lines = printed(*crowd, "--campaign=names")
    assert job.result["lines"] == lines
    shows_what_is_printed(page, lines)
    mean = f"{job.result['forecast']['points'][1]['mean']:.2f}".removeprefix("0")
    assert f'class="figure">{mean}' in page
    assert "2.00" in page  # 20 tasks with 2 answers at 0.05
    assert "By a stated mix of workers" in page
    assert "no pace is measured yet" in page
    assert "from 2 answers on a task stops where it is sure to .95" in page
    Campaign.objects.filter(pk=campaign.pk).update(pay_mills=0)
    free = client.get(PAGE).content.decode()
    assert "workers are not paid" in free
    assert "0.00" not in free


def test_after_opening_by_the_answers(client, campaign, monkeypatch):
    workers = make_workers(3)
    for turn in range(12):
        choice_task(campaign, "yes", "yes", "no" if turn % 3 else "yes", workers=workers)
    client.post(PAGE + "forecast/", SURE)
    (job,) = do_jobs()
    assert job.state == "done", job.error
    assert job.result["forecast"]["pilot"] == 12
    CampaignForecast.objects.create(
        campaign=campaign, made_at=timezone.now(), earned_mills=2_000,
        pace=4.0, pace_low=2.0, pace_high=8.0,
    )  # fmt: skip
    Tally.objects.filter(campaign=campaign).delete()
    Tally.objects.create(
        campaign=campaign,
        tasks=12,
        received=36,
        wanted=24,
        complete=12,
        gold=0,
        epoch=1,
        counted_at=timezone.now(),
    )
    campaign.redundancy, campaign.max_redundancy, campaign.target_confidence = 2, 5, 0.9
    campaign.save()
    page = client.get(PAGE).content.decode()
    shows_what_is_printed(page, printed("--campaign=names", "--wanted=.9"))
    assert "at most 5 (chosen)" in " ".join(re.sub("<[^>]*>", " ", page).split())
    assert "not checked against gold" in page
    assert "On gold today" not in page
    run = SimpleNamespace(facts=SimpleNamespace(gold=SimpleNamespace(shares=(F1,))))
    monkeypatch.setattr(views, "latest_run", lambda campaign: run)
    page = client.get(PAGE).content.decode()  # beside what is forecast, what is measured
    assert "<dt>On gold today</dt><dd>.90 " in page
    assert ".82–.94, 95 %</span>" in page
    assert "unfinished tasks too" in page
    assert (
        client.get(f"/manage/projects/{campaign.project.slug}/jobs/{job.key}/").status_code == 200
    )


def test_what_can_not_be_read_is_told_and_kept(client, campaign):
    refused = client.post(PAGE + "forecast/", MIX | {"mix": "most are good"})
    assert refused.status_code == 422
    assert "Found “most are good”" in refused.content.decode()
    refused = client.post(PAGE + "forecast/", MIX | {"mix": ".7:.9"})
    assert "make 0.7 together" in refused.content.decode()
    assert not Job.objects.exists()


def test_a_forecast_that_failed_says_why(client, campaign):
    client.post(PAGE + "forecast/", SURE)
    do_jobs()
    assert "The last forecast failed" in client.get(PAGE).content.decode()


def test_names_are_forecast_by_a_mix_before_a_pilot(client, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    made = make_campaign(slug="names", state="draft", pay_mills=50)
    client.force_login(make_member(made.project).user)
    page = client.get(PAGE).content.decode()
    assert "Names in a document" in page
    client.post(PAGE + "forecast/", MIX | {"names": "3"})
    (job,) = do_jobs()
    assert job.state == "done", job.error
    assert job.result["forecast"]["measure"] == "F1"
    page = client.get(PAGE).content.decode()
    crowd = ("--mix=.7:.85,.3:.6", "--workers=9", "--tasks=20", "--names=3", "--wanted=.95")
    lines = printed(*crowd, "--campaign=names")
    assert job.result["lines"] == lines
    shows_what_is_printed(page, lines)


def test_closed_campaign_says_whether_its_forecasts_were_right(client, campaign, monkeypatch):
    measured = Share("accuracy", 0.86, (0.8, 0.9))
    monkeypatch.setattr(views, "_today", lambda campaign: measured)
    for mean in (0.7, 0.85):
        points = [{"answers": 2, "mean": mean, "low": mean - 0.05, "high": mean + 0.05}]
        points.append({"answers": 3, "mean": 0.9, "low": 0.88, "high": 0.92})
        found = {"measure": "right", "level": 0.9, "tasks": 5, "points": points, "pilot": {},
                 "checked": True}  # fmt: skip
        Job.objects.create(
            kind="forecast_campaign", project=campaign.project, campaign=campaign, state="done",
            ended_at=timezone.now(), result={"forecast": found, "about": []}, digest=f"{mean}",
        )  # fmt: skip
    Tally.objects.create(campaign=campaign, tasks=5, complete=5, wanted=10, received=10, gold=0,
                         epoch=campaign.epoch, counted_at=timezone.now())  # fmt: skip
    assert "Was the forecast right?" not in client.get(PAGE).text  # it is not over
    campaign.state = "closed"
    campaign.save()
    with CaptureQueriesContext(connection) as queries:
        told = client.get(PAGE).text.split("Was the forecast right?")[1]
    assert len(queries) <= 13
    assert ">.60 to 1</th>" in told
    newest, older = told.split("<tbody>")[1].split("</tbody>")[0].split("</tr>")[:2]
    assert "within the interval" in newest
    assert ".80–.90" in newest
    assert "outside of it" in older
    assert "a stated crowd" in older
    Tally.objects.update(received=9)  # closed before it was finished: nothing was foretold of that
    assert "Was the forecast right?" not in client.get(PAGE).text
