"""Go to…: what is found, what is not told, and what it costs."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from annotation.models import ANONYMOUS, Member
from annotation.models.pseudonyms import short_pseudonym
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_member,
    make_project,
    make_worker,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return make_project(slug="letters", name="Letters of the harbour office")


@pytest.fixture
def campaign(project):
    return make_campaign(project, slug="names", name="Names in old letters")


@pytest.fixture
def manager(client, project):
    user = make_member(project).user
    client.force_login(user)
    return user


def found(client, words="", **standing) -> list[tuple[str, str]]:
    answer = client.get("/manage/go.json", {"q": words, **standing})
    assert answer.status_code == 200
    return [(place["kind"], place["title"]) for place in answer.json()["places"]]


def test_a_few_letters_find_what_is_called_so_and_lead_there(client, manager, campaign):
    make_document(campaign.project, external_id="d-1", title="A letter of 4 May")
    make_document(campaign.project, external_id="letter-2", title="")
    make_enrollment(campaign, make_worker(external_id="letterpress"))
    assert found(client, "letter") == [
        ("campaign", "Names in old letters"),
        ("project", "Letters of the harbour office"),
        ("worker", "letterpress"),
        ("document", "A letter of 4 May"),
        ("document", "letter-2"),
    ]
    for place in client.get("/manage/go.json", {"q": "letter"}).json()["places"]:
        assert client.get(place["address"]).status_code == 200
    assert found(client, "nothing is called so") == []


def test_where_one_stands_comes_first(client, manager, campaign):
    other = make_campaign(make_project(slug="bills"), slug="bills-1", name="Names in bills")
    make_member(other.project, user=manager)
    assert found(client, "names", campaign="names")[0] == ("campaign", "Names in old letters")
    assert found(client, "names", campaign="bills-1")[0] == ("campaign", "Names in bills")
    assert found(client, "work", campaign="names") == [("section", "Workers")]
    assert ("section", "Documents") in found(client, "", project="letters")
    assert not [kind for kind, _ in found(client, "work") if kind == "section"]


def test_open_campaigns_come_before_closed_ones(client, manager, campaign):
    make_campaign(campaign.project, slug="late", name="Late letters", state="closed")
    assert [title for _, title in found(client, "letters")][:2] == [
        "Names in old letters", "Late letters"
    ]  # fmt: skip


def test_one_letter_finds_no_worker_and_no_document(client, manager, campaign):
    make_document(campaign.project, external_id="n-1")
    make_enrollment(campaign, make_worker(external_id="nora"))
    assert {kind for kind, _ in found(client, "n")} == {"campaign"}


def test_others_projects_are_not_told(client, manager, campaign):
    other = make_campaign(
        make_project(slug="secret", name="Secret"), slug="secret-1", name="Secret"
    )
    make_document(other.project, external_id="secret-d", title="Secret")
    make_enrollment(other, make_worker(external_id="secretive", display_name="Secret"))
    assert found(client, "secret") == []
    assert found(client, "", campaign="secret-1", project="secret") == found(client, "")
    client.force_login(User.objects.create(username="root", is_superuser=True))
    assert {kind for kind, _ in found(client, "secret")} == {
        "campaign", "project", "worker", "document"
    }  # fmt: skip


@pytest.mark.parametrize("role", [Member.Role.REVIEWER, Member.Role.VIEWER])
def test_ids_of_platforms_are_for_managers_alone(client, campaign, role):
    client.force_login(make_member(campaign.project, role).user)
    worker = make_enrollment(campaign, make_worker(external_id="5f8a1b2c3d"))
    named = make_enrollment(campaign, make_worker(external_id="x1", display_name="Nora of 5f8a"))
    assert found(client, "5f8a") == [("worker", "Nora of 5f8a")]
    assert named.worker.display_name == "Nora of 5f8a"
    assert found(client, short_pseudonym(worker), campaign="names") == [
        ("worker", short_pseudonym(worker))
    ]
    titles = {title for _, title in found(client, "", campaign="names")}
    assert ("Quality" in titles) == (role == Member.Role.REVIEWER)


def test_nobody_is_found_by_the_id_of_one_who_came_by_a_public_link(client, manager, campaign):
    make_enrollment(campaign, make_worker(external_id=f"{ANONYMOUS}abcdef"))
    assert found(client, ANONYMOUS[:4]) == []


def test_page_without_scripts_lists_the_same(client, manager, campaign):
    text = client.get("/manage/go/", {"q": "<old> old", "campaign": "names"}).content.decode()
    assert "&lt;old&gt; old" in text
    assert "Nothing that you may see is called so." in text
    text = client.get("/manage/go/", {"q": "old", "campaign": "names"}).content.decode()
    assert '<a href="/manage/campaigns/names/"><bdi>Names in old letters</bdi></a>' in text
    assert '<input type="hidden" name="campaign" value="names">' in text


def test_number_of_queries_does_not_grow(client, manager, campaign, django_assert_max_num_queries):
    for number in range(12):
        make_document(campaign.project, external_id=f"letter-{number}")
        make_enrollment(campaign, make_worker(external_id=f"letter-{number}"))
        make_campaign(campaign.project, name=f"Letter {number}")
    with django_assert_max_num_queries(9):  # session, user, and seven
        assert len(found(client, "letter", campaign="names")) == 8 + 1 + 6 + 6


def test_what_no_name_can_hold_finds_nothing(client, manager, campaign):
    assert found(client, "\0") == found(client, "")
    assert found(client, "%_'\"\\") == []
