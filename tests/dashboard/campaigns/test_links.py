from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import links
from annotation.actions.tokens import read_link
from annotation.models import CampaignLink
from tests.factories import make_campaign, make_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return make_campaign()


@pytest.fixture
def manager(client, campaign):
    user = make_member(campaign.project, "manager").user
    client.force_login(user)
    return user


def page(client, campaign, query="") -> str:
    return " ".join(client.get(f"/manage/campaigns/{campaign.slug}/settings/{query}").text.split())


def section(client, campaign, query="") -> str:
    return page(client, campaign, query).split('id="link"', 1)[1].split("</section>", 1)[0]


def add(client, campaign, **fields):
    return client.post(f"/manage/campaigns/{campaign.slug}/links/", fields, follow=True)


def end(client, campaign, number):
    return client.post(f"/manage/campaigns/{campaign.slug}/links/{number}/end/", follow=True)


def test_new_link_adds_one_for_everyone_with_its_note_and_its_end(client, manager, campaign):
    answer = add(client, campaign, note="Course of Monday", ends_at="2099-01-31T18:00")
    assert answer.status_code == 200
    link = CampaignLink.objects.get(number=2)
    assert (link.note, link.worker) == ("Course of Monday", None)
    assert link.ends_at.isoformat() == "2099-01-31T18:00:00+00:00"
    text = section(client, campaign)
    assert "For <bdi>Course of Monday</bdi>" in text
    assert ">31 Jan 2099, 18:00</time>" in text
    shown = [part.split("/", 1)[0] for part in text.split("/join/")[1:]]
    assert [read_link(token).number for token in shown] == [1, 2]
    assert "new link" in page(client, campaign).split("Last changes", 1)[1]


def test_new_link_for_one_worker_opens_as_that_worker(client, manager, campaign):
    add(client, campaign, worker="anna")
    text = section(client, campaign)
    token = text.split("/join/")[2].split("/", 1)[0]
    assert (read_link(token).worker, read_link(token).number) == ("anna", 2)
    assert 'For <bdi>anna</bdi> <span class="soft">alone</span>' in text


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"ends_at": "2001-01-01T00:00"}, "This time has passed. Choose a later one, or none."),
        ({"ends_at": "soon"}, "Write a day and a time, such as 2027-01-31 18:00."),
        ({"worker": "a" * 201}, "at most 200 characters"),
        ({"note": "\0"}, "Null characters are not allowed"),
    ],
)
def test_new_link_that_is_wrong_is_told_and_nothing_is_made(
    client, manager, campaign, fields, told
):
    answer = add(client, campaign, **fields)
    assert answer.status_code == 422
    assert told in answer.text
    assert "<details open>" in answer.text
    assert CampaignLink.objects.count() == 1


def test_end_link_ends_one_and_says_by_whom(client, manager, campaign):
    links.create_link(campaign, note="Leaflets")
    answer = end(client, campaign, 2)
    assert "The link for Leaflets has ended. Whoever has joined goes on." in answer.text
    text = section(client, campaign)
    assert text.count("/join/") == 1
    assert "Links that have ended" in text
    assert f"by <bdi>{manager.get_username()}</bdi>" in text
    assert "Link 2 was ended already." in end(client, campaign, 2).text
    assert "has no link number 99" in end(client, campaign, 99).text


def test_a_link_that_its_time_has_ended_stands_with_the_others_that_have(client, manager, campaign):
    CampaignLink.objects.update(ends_at=timezone.now() - timedelta(hours=1))
    text = section(client, campaign)
    assert "Each link has ended: nobody new can join." in text
    assert "/join/" not in text


def test_an_assigned_campaign_shows_the_link_of_each_worker(client):
    own = make_campaign(assignment="assigned")
    client.force_login(make_member(own.project, "manager").user)
    assert "Nobody is on the list yet." in section(client, own)
    links.invite(own, ["anna", "bob"])
    text = section(client, own)
    assert [read_link(part.split("/", 1)[0]).worker for part in text.split("/join/")[1:]] == [
        "anna", "bob"
    ]  # fmt: skip
    refused = add(client, own, note="for everyone")
    assert refused.status_code == 422
    assert "Name the worker whom it is for." in refused.text


def test_more_links_than_a_page_holds_stand_on_the_next(client):
    own = make_campaign(assignment="assigned")
    client.force_login(make_member(own.project, "manager").user)
    links.invite(own, [f"worker {n}" for n in range(51)])
    text = section(client, own)
    assert text.count("/join/") == 50
    assert 'href="?links=2#link"' in text
    text = section(client, own, "?links=2")
    assert (text.count("/join/"), text.count("For <bdi>worker ")) == (1, 1)
    assert 'rel="next"' not in text
    assert "Nobody is on the list" not in section(client, own, "?links=3")


@pytest.mark.parametrize("role", ["reviewer", "viewer", None])
def test_links_are_for_managers_alone(client, campaign, role):
    user = make_member(
        campaign.project if role else make_campaign().project, role or "manager"
    ).user
    client.force_login(user)
    if role:
        assert "/join/" not in page(client, campaign)
    assert add(client, campaign).status_code == 404
    assert end(client, campaign, 1).status_code == 404
    assert CampaignLink.objects.filter(campaign=campaign, ended_at=None).count() == 1


def test_the_addresses_of_the_forms_lead_back_to_the_page(client, manager, campaign):
    for what in ("links/", "links/1/end/"):
        answer = client.get(f"/manage/campaigns/{campaign.slug}/{what}")
        assert answer.headers["Location"] == f"/manage/campaigns/{campaign.slug}/settings/#link"
    assert not CampaignLink.objects.exclude(ended_at=None).exists()
