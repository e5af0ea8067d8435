"""Lists of more than a thousand rows are shown by the page, each page by as many queries."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import AuditEntry, Webhook, WebhookDelivery
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


@pytest.mark.parametrize(
    ("make", "row"),
    [
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
