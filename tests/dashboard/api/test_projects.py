"""What members of a project, and others, may read and do."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.actions import assignments, tokens
from annotation.actions.rollups import update_rollups
from annotation.models import AuditEntry, Campaign
from dashboard.campaigns import opening
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_member,
    make_project,
    make_task,
)
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return make_project()


@pytest.fixture
def campaign(project):
    campaign = make_campaign(project, state="draft")
    make_document(project)
    return campaign


def as_member(project, role):
    client = Client()
    client.force_login(make_member(project, role).user)
    return client


def test_members_read_their_projects_alone(project, campaign):
    make_project()
    for role in ("manager", "reviewer", "viewer"):
        rows = as_member(project, role).get("/api/projects/").json()["results"]
        assert [row["slug"] for row in rows] == [project.slug]
        assert [row["slug"] for row in rows[0]["campaigns"]] == [campaign.slug]


COUNTS = ("tasks", "complete", "wanted", "open", "leased", "received")


def counts_of(campaign):
    reply = as_member(campaign.project, "viewer").get(f"/api/campaigns/{campaign.slug}/")
    return tuple(reply.json()[name] for name in COUNTS)


def test_a_campaign_tells_its_counts_to_members(project):
    campaign = make_campaign(project, redundancy=2)
    make_task(campaign, demand={"open": 0, "received": 2, "ready": False})
    make_task(campaign)
    make_task(campaign, kind=1)
    make_task(make_campaign(project))
    assignments.claim_next(make_enrollment(campaign).key)
    update_rollups()
    assert counts_of(campaign) == (2, 1, 4, 1, 1, 2)


def test_what_is_open_is_never_less_than_nothing(project):
    campaign = make_campaign(project, redundancy=1)
    make_task(campaign)
    update_rollups()
    make_task(campaign)  # the tally is older
    for _ in range(2):
        assignments.claim_next(make_enrollment(campaign).key)
    assert counts_of(campaign) == (1, 0, 1, 0, 2, 0)


def test_a_draft_has_no_counts(campaign):
    make_task(campaign)
    assert counts_of(campaign) == (0, 0, 0, 0, 0, 0)


def test_no_table_of_tasks_is_read_through_for_the_counts(project, django_assert_max_num_queries):
    campaign = make_campaign(project)
    make_task(campaign)
    update_rollups()
    viewer = as_member(project, "viewer")
    with django_assert_max_num_queries(5) as queries:  # session, user, campaign, and two counts
        viewer.get(f"/api/campaigns/{campaign.slug}/")
    read = [query["sql"] for query in queries.captured_queries if "_demand" in query["sql"]]
    assert len(read) == 1
    assert "'leased'" in read[0]  # of those few alone


def test_campaign_with_many_tasks_is_opened_by_a_job(project, campaign, monkeypatch):
    monkeypatch.setattr(opening, "OPENED_HERE", 0)
    manager = as_member(project, "manager")
    reply = manager.post(f"/api/campaigns/{campaign.slug}/open/")
    assert (reply.status_code, reply.json()["state"]) == (202, "draft")
    (job,) = do_jobs()
    assert reply.json()["job"] == str(job.key)
    assert manager.get(f"/api/campaigns/{campaign.slug}/").json()["state"] == "open"


def test_only_a_manager_changes_the_state(project, campaign):
    path = f"/api/campaigns/{campaign.slug}/open/"
    for role in ("reviewer", "viewer"):
        assert as_member(project, role).post(path).status_code == 404
    assert as_member(make_project(), "manager").post(path).status_code == 404
    assert Campaign.objects.get().state == "draft"

    manager = as_member(project, "manager")
    assert manager.post(path).json() == {"state": "open", "tasks_made": 1}
    assert manager.post(f"/api/campaigns/{campaign.slug}/pause/").json()["state"] == "paused"
    assert manager.post(path).json()["state"] == "open"
    assert manager.post(f"/api/campaigns/{campaign.slug}/close/").json()["state"] == "closed"
    reply = manager.post(path)
    assert reply.status_code == 409
    assert "is closed" in reply.json()["detail"]
    assert AuditEntry.objects.filter(user__isnull=False).count() == 4


def test_a_site_administrator_may_do_what_a_manager_may(campaign, admin_client):
    assert admin_client.get("/api/projects/").json()["results"]
    assert admin_client.post(f"/api/campaigns/{campaign.slug}/open/").status_code == 200


@pytest.mark.parametrize("token", [False, True])
def test_a_stranger_and_a_worker_read_nothing(project, token):
    campaign = make_campaign(project)
    headers = {}
    if token:
        joined = Client().post(
            "/api/work/join/", {"link": tokens.campaign_link(campaign)},
            content_type="application/json",
        )  # fmt: skip
        headers = {"Authorization": f"Worker {joined.json()['token']}"}
    http = Client()
    for method, path in (
        ("get", "/api/projects/"),
        ("get", f"/api/campaigns/{campaign.slug}/"),
        ("post", f"/api/campaigns/{campaign.slug}/close/"),
    ):
        assert getattr(http, method)(path, headers=headers).status_code == 401, path
    assert Campaign.objects.get().state == "open"


def test_changing_the_state_needs_the_csrf_token(project, campaign):
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_member(project).user)
    assert client.post(f"/api/campaigns/{campaign.slug}/open/").status_code == 403


def test_a_page_that_is_not_there_is_refused_in_the_common_shape(admin_client):
    reply = admin_client.get("/api/campaigns/gone/")
    assert reply.status_code == 404
    assert reply.json().keys() == {"detail", "errors"}


def test_gold_is_not_counted_among_the_answers(project):
    campaign = make_campaign(project)
    make_task(campaign, demand={"wanted": 1})
    make_enrollment(campaign, submitted=5)
    update_rollups()
    row = as_member(project, "viewer").get("/api/projects/").json()["results"][0]["campaigns"][0]
    assert (row["answers"], row["wanted"]) == (0, 1)


def test_what_stands_in_the_way_of_opening_is_said(project):
    campaign = make_campaign(project, state="draft")
    reply = as_member(project, "manager").post(f"/api/campaigns/{campaign.slug}/open/")
    assert reply.status_code == 409
    assert "import documents first" in reply.json()["detail"]


def test_the_list_of_projects_costs_the_same_for_any_number(
    admin_client, django_assert_max_num_queries
):
    for _ in range(4):
        campaign = make_campaign()
        make_task(campaign)
    with django_assert_max_num_queries(6):
        assert len(admin_client.get("/api/projects/").json()["results"]) == 4
