"""The record of changes, with filters."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from aggregation.models import AggregationRun
from annotation.actions import audit
from annotation.models import AuditEntry
from dashboard.record.queries import ROWS
from tests.factories import make_campaign, make_member, make_project

pytestmark = pytest.mark.django_db

PAGE = "/manage/projects/papers/record/"


@pytest.fixture
def project(client):
    made = make_project(slug="papers")
    anna = make_member(made).user
    client.force_login(anna)
    audit.record(made, "open campaign", "first-names", user=anna, after={"state": "open"})
    audit.record(
        made, "set budget", "money", before={"mills": None}, after={"mills": 5000, "pay_mills": 12}
    )
    sound = make_campaign(made, name="People of the sound", slug="sound")
    run = AggregationRun.objects.create(campaign=sound, method="bsc-seq")
    audit.record(made, "pin run", "sound", after={"run": str(run.key)})
    audit.record(made, "pause worker", "worker-of-names", after={"reason": "too quick"})
    audit.record(make_project(), "open campaign", "of another project")
    return made


def test_changes_of_the_project_alone(client, project):
    page = client.get(PAGE).content.decode()
    assert "first-names" in page
    assert "state: open" in page
    assert "a command" in page
    assert "amount: –" in page
    assert "amount: 5.00; pay: 0.012" in page
    assert "mills" not in page
    assert "of another project" not in page
    assert '/manage/campaigns/sound/"><bdi>People of the sound</bdi>' in page
    run = AggregationRun.objects.get()
    assert "run: bsc-seq of " in page
    assert str(run.key) not in page


@pytest.mark.parametrize(
    ("query", "shown", "left_out"),
    [
        ("by=-", "worker-of-names", "first-names"),
        ("action=open campaign", "first-names", "worker-of-names"),
        ("subject=FIRST", "first-names", "worker-of-names"),
        ("subject=people of", "People of the sound", "first-names"),
        ("until=2001-01-01", "No change is like that", "first-names"),
    ],
)
def test_filters(client, project, query, shown, left_out):
    changes = client.get(f"{PAGE}?{query}").content.decode().split('id="changes-title"')[1]
    assert shown in changes
    assert left_out not in changes


def test_a_filter_that_can_not_be(client, project):
    refused = client.get(f"{PAGE}?since=2026-02-01&until=2026-01-01")
    assert refused.status_code == 422
    assert "is before" in refused.content.decode()


def test_pages_and_their_queries(client, project):
    counts = []
    for number in (1, 2 * ROWS):
        for turn in range(number):
            audit.record(project, "invite", f"turn {turn}", user=project.members.get().user)
        with CaptureQueriesContext(connection) as queries:
            page = client.get(PAGE).content.decode()
        counts.append(len(queries))
    assert counts[1] <= counts[0]
    last = AuditEntry.objects.filter(project=project).order_by("-pk")[ROWS - 1].pk
    assert f"before={last}" in page
    older = client.get(f"{PAGE}?before={last}").content.decode()
    assert "turn 0" in older
    assert f"turn {2 * ROWS - 1}" not in older
