"""Labels in the browser: aggregated, compared and taken away, without a shell."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun, Consensus
from annotation.actions import jobs
from annotation.actions.rollups import update_rollups
from annotation.formats import jsonl
from annotation.models import Campaign, Demand, Enrollment, Job
from dashboard.results.next_run import next_run
from tests.aggregation.crowds import choice_campaign, choice_task, make_workers, tagged_task
from tests.factories import make_campaign, make_enrollment, make_member
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
PAGE = "/manage/campaigns/names/"


@pytest.fixture(autouse=True)
def _data(settings, tmp_path):
    settings.DATA_DIR = tmp_path


@pytest.fixture
def campaign():
    made = make_campaign(slug="names")
    for _ in range(3):
        tagged_task(made, NAMES, NAMES)
    Demand.objects.update(wanted=3, open=1, received=2)
    update_rollups()
    return made


@pytest.fixture
def manager(client, campaign):
    user = make_member(campaign.project).user
    client.force_login(user)
    return user


def words(answer) -> str:
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def download(client, what, format):
    """The address of the job, when it is over."""
    asked = client.post(f"{PAGE}download/", {"what": what, "format": format}).url
    do_jobs()
    return asked


def test_from_answers_to_a_file_by_pages_alone(client, manager, campaign):
    text = words(client.get(f"{PAGE}results/"))
    assert "The first aggregation comes by itself" in text
    assert "./run manage" not in text
    Enrollment.objects.filter(campaign=campaign).update(submitted=1)
    asked = client.post(f"{PAGE}jobs/aggregate/").url
    do_jobs()
    text = words(client.get(asked))
    assert "hmm-crowd was chosen: workers have labelled 9 words each, " in text
    assert "3 tasks, 6 answers" in text
    assert str(AggregationRun.objects.get().key) not in text.split("live-part")[1]
    assert f'href="{PAGE}results/"' in text
    assert "6 of 6 answers are in it." in words(client.get(f"{PAGE}results/"))
    for page in (PAGE, f"{PAGE}results/"):  # in one press
        assert 'name="what" value="sure"' in words(client.get(page))

    asked = download(client, "consensus", "jsonl")
    assert "3 consensus answers of 'names' were written to names-consensus-" in words(
        client.get(asked)
    )
    answer = client.get(f"{asked}file/")
    assert answer["Content-Disposition"].startswith('attachment; filename="names-consensus-')
    lines = [json.loads(line) for line in answer.getvalue().decode().splitlines()]
    assert [line["consensus"]["mentions"][0]["type"] for line in lines] == ["PER"] * 3


def test_a_run_brings_the_count_of_answers_up_to_date(client, manager, campaign):
    Demand.objects.update(received=1, open=2)  # another count than the page has
    client.post(f"{PAGE}jobs/aggregate/")
    do_jobs()
    assert "<b>3</b> of " in words(client.get(PAGE))


@pytest.mark.parametrize(
    ("what", "format", "begins"),
    [
        ("consensus", "csv", b"task,document,worker,"),
        ("responses", "csv", b"task,document,worker,"),
        ("responses", "conll", b"# "),
        ("gold", "jsonl", b""),
        ("workers", "csv", b"worker,state,"),
        ("workers", "jsonl", b'{"worker"'),
    ],
)
def test_each_kind_of_file(client, manager, campaign, what, format, begins):
    aggregate(campaign, "mv-token")
    make_enrollment(campaign)
    content = client.get(f"{download(client, what, format)}file/").getvalue()
    assert content.startswith(begins)
    assert bool(content) == bool(begins)


def test_methods_are_compared_side_by_side(client, manager, campaign):
    asked = client.post(f"{PAGE}jobs/compare_methods/").url
    do_jobs()
    page = words(client.get(asked))
    assert "Nothing was stored." in page
    assert '<th scope="col">method</th><th scope="col" class="num">same as hmm-crowd</th>' in page
    assert '<th scope="row">mv-token</th><td class="num">100.00</td>' in page
    assert "between workers: Krippendorff's alpha" in page
    assert not AggregationRun.objects.exists()


def test_what_can_not_be_written_is_told(client, manager, campaign):
    page = client.post(f"{PAGE}download/", {"what": "workers", "format": "conll"}, follow=True)
    assert "CoNLL holds no workers." in words(page)
    for chosen in ("workers", "conll"):  # and stays chosen
        assert f'value="{chosen}" selected' in words(page)
    page = client.post(f"{PAGE}download/", {"what": "x", "format": "csv"}, follow=True)
    assert "Choose what is to be written." in words(page)
    assert not Job.objects.exists()
    asked = download(client, "consensus", "jsonl")
    assert "has no complete run" in words(client.get(asked))


def test_a_confidence_leaves_tasks_out_and_says_beforehand_how_many(client, manager, campaign):
    run = aggregate(campaign, "mv-token")
    first, *others = Consensus.objects.filter(run__key=run.key)
    Consensus.objects.filter(pk=first.pk).update(confidence=0.65)
    Consensus.objects.filter(pk__in=[one.pk for one in others]).update(confidence=0.8)
    row = AggregationRun.objects.get()
    row.diagnostics |= {"confidence": [0, 0, 0, 0, 0, 0, 1, 0, 2, 0]}
    row.save()
    assert ".80: 2 of 3 tasks, 1 left out" in words(client.get(f"{PAGE}results/"))

    asked = client.post(
        f"{PAGE}download/", {"what": "consensus", "format": "jsonl", "at_least": "0.8"}
    ).url
    do_jobs()
    answer = client.get(f"{asked}file/")
    assert "names-consensus-from-0.8-" in answer["Content-Disposition"]
    lines = [json.loads(line) for line in answer.getvalue().decode().splitlines()]
    assert [line["confidence"] for line in lines] == [0.8, 0.8]

    sent = {"what": "responses", "format": "jsonl", "at_least": "0.8"}
    assert "Only a consensus has a confidence." in words(
        client.post(f"{PAGE}download/", sent, follow=True)
    )
    export = ["export_annotations", "--campaign=names"]
    with pytest.raises(CommandError, match="from 0 to 1, not 80"):
        call_command(*export, "--what=consensus", "--at-least=80")
    with pytest.raises(CommandError, match="Leave it out"):
        call_command(*export, "--what=gold", "--at-least=0.8")


def test_full_disk_is_told_without_the_servers_folders(
    client, manager, campaign, monkeypatch, tmp_path
):
    def fill(path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(jsonl, "write", fill)
    page = words(client.get(download(client, "workers", "jsonl")))
    assert "names-workers-" in page
    assert ".jsonl can't be written: No space left on device." in page
    assert str(tmp_path) not in page


def test_conll_is_offered_for_names_alone(client, manager, campaign):
    assert 'value="conll"' in words(client.get(f"{PAGE}results/"))
    other = choice_campaign()
    make_member(other.project, user=manager)
    assert 'value="conll"' not in words(client.get(f"/manage/campaigns/{other.slug}/"))
    client.post(f"/manage/campaigns/{other.slug}/download/", {"what": "gold", "format": "conll"})
    assert not Job.objects.exists()


def test_file_is_kept_for_some_days_and_then_its_job_too(client, manager, campaign, settings):
    aggregate(campaign, "mv-token")
    asked = download(client, "consensus", "jsonl")
    call_command("clear_jobs")
    assert client.get(f"{asked}file/").getvalue()
    waiting = jobs.enqueue("aggregate", campaign=campaign)
    jobs.folder_of(waiting).mkdir()
    ended = timezone.now() - timedelta(days=settings.JOB_FILE_DAYS, minutes=1)
    Job.objects.ended().update(ended_at=ended)
    call_command("clear_jobs")
    assert client.get(f"{asked}file/").status_code == 404
    assert "The file is not kept any more." in words(client.get(asked))
    assert jobs.folder_of(waiting).exists()
    Job.objects.ended().update(ended_at=timezone.now() - timedelta(days=settings.JOB_DAYS + 1))
    call_command("clear_jobs")
    assert list(Job.objects.all()) == [waiting]


def test_what_comes_next_by_itself_is_said(campaign):
    assert next_run(campaign, None, 0).startswith("The first aggregation comes by itself when ")
    assert next_run(Campaign(state="paused"), None, 0) == next_run(Campaign(), None, 0) == ""
    choices, workers = choice_campaign(), make_workers(2)
    for _ in range(12):
        choice_task(choices, "yes", "no", workers=workers)
    run = aggregate(choices, "dawid-skene")
    assert next_run(choices, run, 24) == (
        "24 of 24 answers are in it. New ones are added each minute; the next run comes by itself "
        "after 3 more answers."
    )
    assert next_run(choices, run, 26).endswith("after 1 more answer.")
    assert next_run(choices, run, 0) == next_run(choices, run, 24)  # the count is behind the run
    late = aggregate(choices, "weighted-majority")
    at = timezone.localtime(late.finished_at + timedelta(hours=1))
    assert f"The next run comes by itself at {at:%H:%M} if there are new ones" in next_run(
        choices, late, 24
    )
    with_gold = SimpleNamespace(facts=replace(run.facts, answers=29))
    assert "24 of 24 answers are in it, and 5 to gold" in next_run(choices, with_gold, 24)
    choices.state = Campaign.State.PAUSED
    assert next_run(choices, run, 24).endswith("else nothing more comes.")
