"""Lists of more than a thousand rows are shown by the page, each page by as many queries."""

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import AuditEntry, Campaign, ImportRun, Member, Webhook, WebhookDelivery
from evaluation.models import Submission
from tests.evaluation.made import make_evaluated_project, make_period, make_system, make_team
from tests.factories import make_member

pytestmark = pytest.mark.django_db
NUMBER = 1_020
PER_PAGE = 50


def webhook_events(project, number):
    hook = Webhook.objects.create(project=project, url="https://receiver.example/", events=[])
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(webhook=hook, event=f"row-{n}-", body={}) for n in range(number)
    )
    return f"/manage/projects/{project.slug}/webhooks/"


def submissions(project, number):
    period, system = make_period(project), make_system(make_team(project))
    Submission.objects.bulk_create(
        Submission(
            period=period, system=system, version=n + 1, bytes=1, file_name="f",
            submitted_by=None, state="refused", digest="",
        )
        for n in range(number)
    )  # fmt: skip
    return f"/manage/projects/{project.slug}/evaluation/{period.key}/"


def changes(project, number):
    AuditEntry.objects.bulk_create(
        AuditEntry(project=project, action="invite", subject=f"row-{n}-") for n in range(number)
    )
    return f"/manage/projects/{project.slug}/record/"


def campaigns(project, number):
    Campaign.objects.bulk_create(
        Campaign(project=project, slug=f"row-{n}-", name="C", interface="entity")
        for n in range(number)
    )  # fmt: skip
    return f"/manage/projects/{project.slug}/"


@pytest.mark.parametrize(
    ("make", "row"),
    [
        (campaigns, r"campaigns/row-(\d+)-/\"><bdi>C</bdi></a><span"),
        (webhook_events, r"row-(\d+)-"),
        (submissions, r"version (\d+)<"),
        (changes, r"row-(\d+)-"),
    ],
)
def test_a_thousand_rows_are_shown_by_the_page(client, make, row):
    project = make_evaluated_project()
    client.force_login(make_member(project).user)
    address = make(project, NUMBER)
    newest, counts, seen = address, [], []
    for _ in range(3):
        with CaptureQueriesContext(connection) as queries:
            page = client.get(address).text
        counts.append(len(queries))
        seen.append({int(number) for number in re.findall(row, page)})
        address = newest + re.search(r'rel="next" href="(\?before=\d+)"', page)[1]
    assert counts[1:] == [counts[1]] * 2
    assert [len(one) for one in seen] == [PER_PAGE] * 3
    assert len(set.union(*seen)) == 3 * PER_PAGE
    assert max(seen[2]) < min(seen[1]) < min(seen[0])
    last = client.get(f"{newest}?before={int(address.rpartition('=')[2]) - NUMBER + 160}").text
    assert 'rel="next"' not in last
    assert len(set(re.findall(row, last))) == 10


def test_many_imports_and_campaigns_leave_both_lists_of_a_project_in_reach(client):
    project = make_evaluated_project()
    client.force_login(make_member(project).user)
    campaigns(project, NUMBER)
    Campaign.objects.filter(slug__endswith="0-").update(archived_at=timezone.now())
    ImportRun.objects.bulk_create(
        ImportRun(project=project, file_name=f"file-{n}-", format="jsonl", state="complete")
        for n in range(25)
    )
    address, seen = f"/manage/projects/{project.slug}/", []
    for _ in range(3):
        page = client.get(address).text
        seen.append(re.findall(r"<bdi>file-(\d+)-</bdi>", page))
        assert page.count("Older campaigns") == 1
        older = re.search(r'"(\?imports=\d+)"', page)
        address = f"/manage/projects/{project.slug}/{older[1] if older else ''}"
    assert [len(one) for one in seen] == [10, 10, 5]
    assert page.count("row-") < 220
    assert "Show all archived campaigns" in page


def test_the_start_page_shows_the_newest_campaigns_of_each_project(client):
    project, other = make_evaluated_project(), make_evaluated_project()
    user = make_member(project).user
    Member.objects.create(project=other, user=user, role="viewer")
    client.force_login(user)
    campaigns(project, NUMBER)
    page = client.get("/").text
    assert len(set(re.findall(r"campaigns/(row-\d+-)/", page))) == PER_PAGE
    assert f"row-{NUMBER - 1}-" in page
    assert page.count("The newest 50 are shown.") == 1
    with CaptureQueriesContext(connection) as queries:
        client.get("/?q=C")
    assert len(queries) < 25


def test_the_people_of_a_project_are_shown_a_hundred_a_page(client):
    project = make_evaluated_project()
    client.force_login(make_member(project).user)
    users = User.objects.bulk_create(User(username=f"row-{n}-") for n in range(NUMBER))
    Member.objects.bulk_create(Member(project=project, user=user, role="viewer") for user in users)
    address, seen = f"/manage/projects/{project.slug}/people/", set()
    for number in range(1, 12):
        page = client.get(f"{address}?page={number}").text
        found = set(re.findall(r"<bdi>row-(\d+)-</bdi>", page))
        assert 0 < len(found) <= 100
        assert not found & seen
        seen |= found
    assert len(seen) == NUMBER
    assert "The next ones" not in page
