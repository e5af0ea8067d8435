"""Intervals of workers by refits, stored with the run that is served."""

import pytest
from django.core.management import CommandError, call_command

from aggregation.actions.refits import CannotRefit, refit_workers
from aggregation.actions.runs import aggregate
from aggregation.models import WorkerReliability
from annotation.models import Job
from tests.aggregation.crowds import choice_campaign, choice_task, make_workers, tagged_task
from tests.factories import make_campaign, make_member
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    campaign, workers = choice_campaign(), make_workers(3)
    for names in ("yes yes no", "no no no", "maybe yes yes", "no no maybe", "yes yes yes"):
        choice_task(campaign, *names.split(), workers=workers)
    return campaign


def ends(run):
    rows = WorkerReliability.objects.filter(run=run).order_by("worker")
    return [(row.accuracy, row.low, row.high) for row in rows]


def test_a_job_measures_the_workers_and_pages_call_it_accuracy(client, campaign):
    run = aggregate(campaign, "dawid-skene")
    before = ends(run)
    client.force_login(make_member(campaign.project, "manager").user)
    page = f"/manage/campaigns/{campaign.slug}/results/"
    text = client.get(page).content.decode()
    assert "Measure accuracies</button>" in text
    assert "agreement with the labels, no accuracy" in text
    client.post(f"/manage/campaigns/{campaign.slug}/jobs/refit_workers/")
    do_jobs()
    job = Job.objects.get(kind="refit_workers")
    assert job.state == Job.State.DONE, job.error
    assert job.result["lines"] == [
        "The accuracies of 3 workers have intervals by 80 refits of dawid-skene"
    ]
    run.refresh_from_db()
    assert run.facts.refits == 80
    after = ends(run)
    for (accuracy, *of_one_fit), (same, low, high) in zip(before, after, strict=True):
        assert accuracy == same
        assert [low, high] != of_one_fit
        assert 0 <= low <= same <= high <= 1
    text = client.get(page).content.decode()
    assert "Measure accuracies</button>" not in text
    assert "accuracy, by 80 refits" in text
    worker = campaign.enrollments.first()
    text = client.get(f"/manage/campaigns/{campaign.slug}/workers/{worker.key}/").content.decode()
    assert "an accuracy: by 80 refits" in text


def test_what_cannot_be_measured_says_why(campaign):
    with pytest.raises(CannotRefit, match="no complete run yet"):
        refit_workers(campaign)
    aggregate(campaign, "majority")
    with pytest.raises(CannotRefit, match="The run that is served is one of majority"):
        refit_workers(campaign)
    run = aggregate(campaign, "dawid-skene")
    choice_task(campaign, "yes", "no", workers=make_workers(2))  # came later: it is left out
    refit_workers(campaign, refits=40)
    choice_task(campaign, gold="yes", workers=[])
    with pytest.raises(CannotRefit, match="has changed since"):
        refit_workers(campaign)
    assert len(ends(run)) == 3
    with pytest.raises(CommandError, match="--refits must be 40 or more"):
        call_command("refit_workers", campaign=campaign.slug, refits=2)


def test_of_words_intervals_stay_agreement_with_the_consensus(client):
    campaign, workers = make_campaign(), make_workers(2)
    tags = "B-PER I-PER O B-PER O B-LOC O O O"
    tagged_task(campaign, tags, tags, workers=workers)
    aggregate(campaign, "dawid-skene")
    with pytest.raises(CannotRefit, match="choices and relations"):
        refit_workers(campaign)
    client.force_login(make_member(campaign.project, "manager").user)
    text = client.get(f"/manage/campaigns/{campaign.slug}/results/").content.decode()
    assert "Measure accuracies</button>" not in text
