"""Search in the knowledge base over HTTP: who may, and what is said of a wrong query."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from annotation.actions import tokens
from annotation.actions.knowledge.rows import folded_names
from annotation.models import Campaign, Enrollment, Entity, EntityName
from annotation.models import Worker as Person
from tests.annotation.api.worker import Worker
from tests.factories import make_campaign, make_member, make_project, make_task

pytestmark = pytest.mark.django_db


def make_entity(project, key, name, *aliases, **fields):
    entity = Entity.objects.create(
        project=project, key=key, name=name, aliases=list(aliases), **fields
    )
    for folded, number in folded_names(name, aliases).items():
        EntityName.objects.create(entity=entity, number=number, project=project, folded=folded)
    return entity


@pytest.fixture
def campaign():
    return make_campaign()


@pytest.fixture
def worker(campaign):
    return Worker(tokens.campaign_link(campaign))


def test_it_works(campaign, worker):
    make_entity(
        campaign.project, "Q7259", "Ada Lovelace", "Ada Byron",
        description="English mathematician", url="https://kb.example/Q7259", type="PER",
    )  # fmt: skip
    assert worker.find(q="ada b").json() == {
        "results": [
            {
                "key": "Q7259",
                "name": "Ada Lovelace",
                "description": "English mathematician",
                "type": "PER",
                "url": "https://kb.example/Q7259",
                "alias": "Ada Byron",
                "sentence": "",
                "document": "",
            }
        ],
        "more": False,
    }


def test_eight_are_given_and_more_is_told(campaign, worker):
    for number in range(12):
        make_entity(campaign.project, f"Q{number}", f"Ada {number:02}")
    reply = worker.find(q="ada").json()
    assert ([entry["key"] for entry in reply["results"]], reply["more"]) == (
        [f"Q{number}" for number in range(8)], True,
    )  # fmt: skip


def test_keys_are_looked_up(campaign, worker):
    make_entity(campaign.project, "Q1", "Ada", "Augusta")
    make_entity(campaign.project, "Q2", "Grace")
    reply = worker.find(key=["Q2", "Q9", "Q1"]).json()
    assert [(entry["key"], entry["alias"]) for entry in reply["results"]] == [
        ("Q2", None), ("Q1", None),
    ]  # fmt: skip
    assert reply["more"] is False


def test_only_the_project_of_the_campaign_is_searched(campaign, worker):
    make_entity(make_project(), "Q1", "Ada")
    assert worker.find(q="ada").json()["results"] == []
    assert worker.find(key="Q1").json()["results"] == []


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({}, "q"),
        ({"q": ""}, "q"),
        ({"q": "  "}, "q"),
        ({"q": "x" * 101}, "q"),
        ({"q": "a\0b"}, "q"),
        ({"q": "ada", "key": "Q1"}, "q"),
        ({"key": ""}, "key[0]"),
        ({"key": "Q" * 201}, "key[0]"),
        ({"key": ["Q1"] * 51}, "key"),
    ],
)
def test_a_query_that_can_t_be_run_names_its_field(worker, query, field):
    reply = worker.find(**query)
    assert reply.status_code == 400
    assert {error["field"] for error in reply.json()["errors"]} == {field}
    assert all(error["message"] for error in reply.json()["errors"])


@pytest.mark.parametrize(
    "q", ["%", "_", "\\", "'", '"', "🙂", "\u202e", "x" * 100, "ſ", "(((", "a b"]
)
def test_any_text_of_a_name_can_be_searched(worker, q):
    assert worker.find(q=q).status_code == 200


def test_nobody_but_a_worker_of_the_project_searches(campaign, worker, admin_client):
    make_entity(campaign.project, "Q1", "Ada")
    refused = [
        (Client(), {}),
        (admin_client, {}),
        (Client(), {"Authorization": "Worker forged"}),
    ]
    for role in ("manager", "reviewer", "viewer"):
        member = Client()
        member.force_login(make_member(campaign.project, role).user)
        refused.append((member, {}))
    for http, headers in refused:
        assert http.get("/api/work/entities/", {"q": "ada"}, headers=headers).status_code == 401
    stranger = Worker(tokens.campaign_link(make_campaign()))
    assert stranger.find(q="ada").json()["results"] == []


def test_a_worker_who_was_blocked_searches_no_more(campaign, worker):
    make_entity(campaign.project, "Q1", "Ada")
    Enrollment.objects.update(state="blocked")
    assert worker.find(q="ada").status_code == 403
    Enrollment.objects.update(state="qualified")
    Person.objects.update(blocked_at=timezone.now())
    assert worker.find(q="ada").status_code == 403


def change(campaign, **fields):
    Campaign.objects.filter(pk=campaign.pk).update(**fields)


def test_a_closed_campaign_is_searched_no_more(campaign, worker):
    make_task(campaign)
    worker.next()
    change(campaign, state="closed")
    reply = worker.find(q="ada")
    assert (reply.status_code, reply.json()["detail"]) == (
        403, "This campaign is closed. Thank you for your work.",
    )  # fmt: skip


@pytest.mark.parametrize("state", ["paused", "blocked"])
def test_a_paused_campaign_is_searched_for_the_task_that_a_worker_holds(campaign, worker, state):
    change(campaign, state="paused")
    assert worker.find(q="ada").status_code == 403
    change(campaign, state="open")
    make_task(campaign)
    worker.next()
    change(campaign, state="paused")
    assert worker.find(q="ada").status_code == 200
    Enrollment.objects.update(state=state)
    assert worker.find(q="ada").status_code == (403 if state == "blocked" else 200)


def test_a_worker_who_was_paused_searches_for_the_task_that_they_hold(campaign, worker):
    Enrollment.objects.update(state="paused")
    assert worker.find(q="ada").status_code == 403
    Enrollment.objects.update(state="qualified")
    make_task(campaign)
    worker.next()
    Enrollment.objects.update(state="paused")
    assert worker.find(key="Q1").status_code == 200


@pytest.mark.parametrize(("linking", "status"), [(False, 403), (True, 200), (None, 200)])
def test_a_campaign_without_links_has_nothing_to_search(campaign, worker, linking, status):
    change(campaign, options={} if linking is None else {"linking": linking})
    for query in ({"q": "ada"}, {"key": "Q1"}):
        reply = worker.find(**query)
        assert reply.status_code == status
    if status == 403:
        assert "Names are not linked in this campaign" in reply.json()["detail"]


def test_a_session_whose_campaign_is_gone_is_over(worker):
    Campaign.objects.all().delete()
    assert worker.find(q="ada").status_code == 401


def test_a_search_costs_the_same_for_any_number_of_entries(
    campaign, worker, django_assert_max_num_queries
):
    for number in range(30):
        make_entity(campaign.project, f"Q{number}", f"Ada {number}", "Alias")
    with django_assert_max_num_queries(4):
        worker.find(q="ada")
    with django_assert_max_num_queries(2):
        worker.find(key=[f"Q{number}" for number in range(30)])
