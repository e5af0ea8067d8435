"""A project's jobs: what is at work, what came of it, who stops them and who sees them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from annotation.actions import jobs
from annotation.models import Job
from dashboard.jobs import queries
from tests.factories import make_campaign, make_member, make_project
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db

PAGE = "/manage/projects/letters/jobs/"


@pytest.fixture(autouse=True)
def _own_kinds(settings, tmp_path):
    settings.JOB_KINDS = [*settings.JOB_KINDS, "tests.job_kinds"]
    settings.DATA_DIR = tmp_path


@pytest.fixture
def campaign():
    return make_campaign(make_project(slug="letters"), slug="names", name="Names of old")


@pytest.fixture
def manager(client, campaign):
    user = make_member(campaign.project).user
    client.force_login(user)
    return user


def words(answer) -> str:
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def page_of(job) -> str:
    return f"{PAGE}{job.key}/"


def test_jobs_at_work_waiting_and_done_stand_in_their_order(client, manager, campaign):
    assert "Nothing waits, and nothing is at work." in words(client.get(PAGE))
    jobs.enqueue("check_gold", campaign=campaign, user=manager)
    do_jobs()
    working = jobs.enqueue("aggregate", campaign=campaign, user=manager)
    jobs.claim()
    Job.objects.filter(pk=working.pk).update(done=30, total=120, sentence="answers and tasks")
    jobs.enqueue("flag_workers", campaign=campaign)
    text = words(client.get(PAGE))
    assert "data-changes" in text
    order = ["Run aggregation", "30 of 120 answers and tasks", "Flag workers", "Finished",
             "Check gold questions", "0 gold questions, none suspicious."]  # fmt: skip
    assert [text.index(told) for told in order] == sorted(text.index(told) for told in order)
    assert 'max="120"' in text
    assert f"by <bdi>{manager.username}</bdi>" in text


def test_page_of_a_job_tells_its_progress_then_what_came_of_it(client, manager, campaign):
    job = jobs.enqueue("check_gold", campaign=campaign, user=manager)
    text = words(client.get(page_of(job)))
    assert "data-changes" in text
    assert "It begins when the jobs before it are done" in text
    do_jobs()
    text = words(client.get(page_of(job)))
    assert "data-changes" not in text
    assert "names: 0 gold questions, none suspicious." in text
    assert 'href="/manage/campaigns/names/gold/"' in text
    assert "Stop job" not in text


@pytest.mark.parametrize(
    ("kind", "words_of_it"),
    [("open_campaign", "goes on where it was soon."), ("check_gold", "begins anew soon.")],
)
def test_job_whose_process_was_killed_says_how_it_goes_on(
    client, manager, campaign, kind, words_of_it
):
    job = jobs.enqueue(kind, campaign=campaign)
    jobs.take_again(jobs.claim(), "Its process was killed.", most=3)
    assert f"It was interrupted, and {words_of_it}" in words(client.get(page_of(job)))


def test_failure_is_told_in_words_and_can_be_tried_again(client, manager, campaign):
    job = jobs.enqueue("refuse", campaign=campaign, user=manager)
    do_jobs()
    assert "Line 3: expected an object; found a list." in words(client.get(page_of(job)))
    answer = client.post(f"{page_of(job)}again/")
    again = Job.objects.latest("pk")
    assert again.pk != job.pk
    assert answer.url == page_of(again)
    assert (again.kind, again.campaign, again.asked_by) == ("refuse", campaign, manager)
    assert client.post(f"{page_of(again)}again/").url == page_of(again)  # it waits still
    assert Job.objects.count() == 2


def test_failures_need_a_manager_until_they_are_tried_again(client, manager, campaign):
    needed = (
        '“Refuse” has failed.<span class="sub" dir="auto">Line 3: expected an object; found a list.'
    )
    home, project = "/manage/campaigns/names/", "/manage/projects/letters/"
    of_campaign = jobs.enqueue("refuse", campaign=campaign)
    jobs.enqueue("refuse", campaign=make_campaign())
    do_jobs()
    assert needed in words(client.get(home))
    assert page_of(of_campaign) in words(client.get(home))
    assert f"Names of old: {needed}" in words(client.get(project))
    jobs.enqueue("refuse", project=campaign.project)
    do_jobs()
    assert needed in words(client.get(project))
    jobs.enqueue("refuse", campaign=campaign)
    assert needed not in words(client.get(home))
    do_jobs()
    Job.objects.update(ended_at=timezone.now() - queries.TOLD)
    assert needed not in words(client.get(home))
    client.force_login(make_member(campaign.project, "reviewer").user)
    assert needed not in words(client.get(project))


def test_failure_of_the_loop_s_own_job_needs_a_superuser_until_it_is_tried_again(
    client, manager, campaign, settings
):
    settings.WORK_JOBS = ["refuse"]
    needed = "“Refuse” has failed."
    project = "/manage/projects/letters/"
    jobs.enqueue("refuse")
    do_jobs()
    assert needed not in words(client.get(project))
    manager.is_superuser = True
    manager.save()
    assert needed in words(client.get(project))
    jobs.enqueue("refuse")
    assert needed not in words(client.get(project))


def test_job_that_waits_is_stopped_at_once_and_one_at_work_is_told(client, manager, campaign):
    waiting = jobs.enqueue("check_gold", campaign=campaign)
    assert client.post(f"{page_of(waiting)}stop/").url == page_of(waiting)
    assert "Run job again" in words(client.get(page_of(waiting)))
    working = jobs.enqueue("aggregate", campaign=campaign)
    jobs.claim()
    client.post(f"{page_of(working)}stop/")
    text = words(client.get(page_of(working)))
    assert "stopping" in text
    assert "Stop job" not in text
    working.refresh_from_db()
    assert working.stop_asked_at
    client.post(f"{page_of(waiting)}stop/")
    assert "The job has ended already." in words(client.get(PAGE))


def test_jobs_that_nobody_does_say_so(client, manager, campaign):
    job = jobs.enqueue("check_gold", campaign=campaign)
    assert "No worker process is running, so jobs wait." not in words(client.get(PAGE))
    early = timezone.now() - timedelta(minutes=2)
    Job.objects.update(due_at=early, created_at=early)
    for address in (PAGE, page_of(job)):
        assert "No worker process is running, so jobs wait." in words(client.get(address))
    jobs.enqueue("flag_workers", campaign=campaign)
    jobs.claim()
    for address in (PAGE, page_of(job)):
        assert "No worker process is running, so jobs wait." not in words(client.get(address))


def test_buttons_start_the_campaigns_jobs(client, manager, campaign):
    for kind in ("score_gold", "flag_workers", "adjust_redundancy", "aggregate", "compare_methods"):
        client.post(f"/manage/campaigns/names/jobs/{kind}/")
        job = Job.objects.latest("pk")
        assert (job.kind, job.campaign, job.asked_by) == (kind, campaign, manager)
    assert client.post("/manage/campaigns/names/jobs/export_knowledge_base/").status_code == 404
    assert client.get("/manage/campaigns/names/jobs/aggregate/").url == "/manage/campaigns/names/"
    assert Job.objects.count() == 5


def test_file_is_read_from_the_jobs_own_folder_alone(client, manager, campaign, tmp_path):
    (tmp_path / "secret_key").write_text("sesame")
    job = Job.objects.create(
        kind="export_knowledge_base", project=campaign.project, state="done", digest="x",
        result={"file": "../../secret_key"}, ended_at=timezone.now(),
    )  # fmt: skip
    assert client.get(f"{page_of(job)}file/").status_code == 404
    jobs.folder_of(job).mkdir(parents=True)
    (jobs.folder_of(job) / "secret_key").write_text("mine")
    assert client.get(f"{page_of(job)}file/").getvalue() == b"mine"


@pytest.mark.parametrize(
    ("visitor", "file", "other"),
    [("reviewer", 200, 404), ("viewer", 404, 404), ("other", 404, 404)],
)
def test_reviewers_see_what_they_may_ask_for_and_nobody_else_sees_any(
    client, campaign, visitor, file, other
):
    if visitor == "other":
        client.force_login(make_member(make_project()).user)
    else:
        client.force_login(make_member(campaign.project, visitor).user)
    mine = jobs.enqueue("export_knowledge_base", project=campaign.project)
    paid = jobs.enqueue("select_workers", campaign=campaign)
    assert client.get(page_of(mine)).status_code == file
    assert client.get(page_of(paid)).status_code == other
    listed = client.get(PAGE)
    assert listed.status_code == file
    assert "Select workers" not in words(listed)
    assert client.post(f"{page_of(mine)}stop/").status_code == 404
    assert Job.objects.unfinished().count() == 2


def test_older_jobs_stand_on_further_pages(client, manager, campaign, monkeypatch):
    monkeypatch.setattr(queries, "ENDED", 2)
    for number in range(3):
        jobs.enqueue("refuse", {"number": number}, campaign=campaign)
    do_jobs()
    assert words(client.get(PAGE)).count("state-failed") == 2
    text = words(client.get(PAGE, {"page": "2"}))
    assert text.count("state-failed") == 1
    assert 'rel="next"' not in text
    assert client.get(PAGE, {"page": "x"}).status_code == 200


def test_number_of_queries_does_not_grow(client, campaign, django_assert_max_num_queries):
    client.force_login(User.objects.create_superuser("root"))
    for number in range(3):
        jobs.enqueue("refuse", {"number": number}, campaign=make_campaign(campaign.project))
        do_jobs()
        jobs.enqueue("aggregate", {"seed": number}, campaign=make_campaign(campaign.project))
        with django_assert_max_num_queries(9):
            client.get(PAGE)


def test_job_that_its_loop_left_at_work_asks_who_does_the_jobs(client, manager, campaign):
    job = jobs.enqueue("aggregate", campaign=campaign, user=manager)
    jobs.claim()
    assert "No worker process is running, so jobs wait." not in words(client.get(PAGE))
    Job.objects.update(beat_at=timezone.now() - 2 * jobs.STALE)
    for address in (PAGE, page_of(job)):
        assert "No worker process is running, so jobs wait." in words(client.get(address))
    jobs.enqueue("check_gold")  # the loop is at another's job: it comes to this one
    jobs.claim()
    assert "No worker process is running, so jobs wait." not in words(client.get(PAGE))


def test_of_very_many_that_wait_the_first_stand_on_the_page(client, manager, campaign):
    Job.objects.bulk_create(
        Job(kind="aggregate", digest=str(number), project=campaign.project, campaign=campaign)
        for number in range(queries.UNFINISHED + 1)
    )
    text = words(client.get(PAGE))
    assert text.count("Stop<span") == queries.UNFINISHED
    assert "More wait: these are the first." in text


def test_failed_jobs_and_one_s_own_can_be_picked_out(client, manager, campaign):
    jobs.enqueue("refuse", campaign=campaign, user=manager)
    do_jobs()
    jobs.enqueue("check_gold", campaign=campaign)
    do_jobs()
    every, failed, mine = (
        words(client.get(PAGE, {"show": show})) for show in ("", "failed", "mine")
    )
    assert 'class="count warn">1<' in every
    for page, told in ((every, True), (failed, False), (mine, False)):
        assert ("0 gold questions, none suspicious." in page) == told
        assert "Run again" in page
    assert "Jobs an hour" in every
    assert words(client.get(PAGE, {"show": "nonsense"})).count("<tr>") == every.count("<tr>")
