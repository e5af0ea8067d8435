"""What waits in each section, and jobs at work, stand in the frame of every page."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone

from aggregation.actions.runs import aggregate
from annotation.models import Appeal, Assignment, Campaign, Job
from dashboard.access import Permissions
from dashboard.waiting import in_campaign, in_project
from selection.models import WorkerFlag
from tests.aggregation.crowds import tagged_task
from tests.factories import make_campaign, make_enrollment, make_member

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
OTHER = "B-LOC O B-PER O O B-PER B-PER O O"
MANAGER, REVIEWER, VIEWER = map(Permissions, ("manager", "reviewer", "viewer"))


@pytest.fixture
def campaign():
    campaign = make_campaign(opened_at=timezone.now())
    broken = tagged_task(campaign, NAMES, OTHER, "O O O O O O O O O")
    tagged_task(campaign, NAMES, NAMES, NAMES)
    Assignment.objects.filter(task=broken).update(reported_at=timezone.now())  # by all three
    aggregate(campaign, "mv-token")
    flagged, paused = make_enrollment(campaign), make_enrollment(campaign, state="paused")
    for one in (flagged, paused):  # who is stopped needs no look any more
        WorkerFlag.objects.create(enrollment=one, kind="fast", evidence={}, at=timezone.now())
    Appeal.objects.create(enrollment=paused, about="Too fast.", text="Why?")
    for number, state in enumerate(("queued", "queued", "done", "failed")):
        Job.objects.create(
            kind="aggregate", digest=str(number), project=campaign.project, campaign=campaign,
            state=state, ended_at=timezone.now(),
        )  # fmt: skip
    return campaign


def told(waiting) -> dict[str, str]:
    return {section: count.words for section, count in waiting.sections.items()}


def test_each_section_says_what_a_person_decides(campaign, django_assert_num_queries):
    with django_assert_num_queries(2):
        found = in_campaign(campaign, MANAGER)
    assert told(found) == {
        "tasks": "1 disputed task, 1 reported task",
        "workers": "1 flagged worker, 1 request",
    }
    assert found.sections["tasks"].short == "2"
    assert found.jobs == 2
    with django_assert_num_queries(1):
        project = in_project(campaign.project, MANAGER, timezone.now())
    assert (told(project), project.jobs) == ({"jobs": "1 failed job"}, 2)


def test_nobody_is_told_what_they_do_not_decide(campaign):
    assert told(in_campaign(campaign, REVIEWER)).keys() == {"tasks"}
    assert not in_campaign(campaign, VIEWER).sections
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    campaign.refresh_from_db()
    assert told(in_campaign(campaign, MANAGER)) == {"workers": "1 request"}
    assert not in_campaign(campaign, REVIEWER).sections


def test_the_bar_shows_it_with_words_for_who_hears_the_page(client, campaign):
    client.force_login(make_member(campaign.project).user)
    page = client.get(f"/manage/campaigns/{campaign.slug}/results/").content.decode()
    tasks = re.search(r'<a href="[^"]*/tasks/">(.*?)</a>', page)
    assert "Tasks<span" in tasks[1]
    assert ">2</span>" in tasks[1]
    assert ": 1 disputed task, 1 reported task<" in tasks[1]
    jobs = rf'href="/manage/projects/{campaign.project.slug}/jobs/">.*2<span[^>]*> jobs<'
    assert re.search(jobs, page)
    assert "Copy worker link" in page
    client.force_login(make_member(campaign.project, "viewer").user)
    page = client.get(f"/manage/campaigns/{campaign.slug}/results/").content.decode()
    assert "Copy worker link" not in page
    assert 'class="count' not in page
