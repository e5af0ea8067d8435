"""A manager makes a choice campaign on the page."""

from __future__ import annotations

import pytest

from annotation.models import Campaign
from tests.factories import make_document, make_member, make_project

pytestmark = pytest.mark.django_db

PAGE = "/manage/projects/letters/campaigns/new/?interface=choice"
FIELDS = {
    "name": "Moods", "question": "Is it praise?", "choices": "Yes\r\n No, never \r\n\r\n",
    "redundancy": 3, "pay": "0", "currency": "USD", "gold_every": 0, "training_size": 0,
    "pass_score": "0.7", "lease_minutes": 30, "skip_limit": 10, "spread": "complete",
}  # fmt: skip


@pytest.fixture
def send(client):
    project = make_project(slug="letters")
    make_document(project)
    client.force_login(make_member(project).user)
    return lambda **fields: client.post(PAGE, FIELDS | fields)


def test_it_works(send):
    assert send().status_code == 302
    campaign = Campaign.objects.get()
    assert (campaign.interface, campaign.slug) == ("choice", "moods")
    assert campaign.options == {"question": "Is it praise?", "choices": ["Yes", "No, never"]}


def test_a_scale_is_enough(send):
    assert send(choices="", scale_min="1", scale_max="5", scale_step="0.5").status_code == 302
    assert Campaign.objects.get().options["scale"] == {"min": 1, "max": 5, "step": 0.5}


@pytest.mark.parametrize(
    ("fields", "field", "message"),
    [
        ({"choices": ""}, "choices", "There is nothing to choose."),
        ({"choices": "Yes"}, "choices", "Give at least 2 choices."),
        ({"choices": "Yes\nYes"}, "choices", "stands here twice"),
        ({"choices": "Yes\nunsure"}, "choices", "always offered"),
        ({"scale_min": "1"}, "scale_max", "missing"),
        ({"scale_min": "5", "scale_max": "1"}, "scale_max", "Raise its end"),
        ({"scale_min": "a"}, "scale_min", "Write a number"),
        ({"question": "?" * 1_001}, "question", "at most 1000 characters"),
    ],
)
def test_a_mistake_is_told_beside_its_field(send, fields, field, message):
    reply = send(**fields)
    assert reply.status_code == 422
    assert message in str(reply.context["form"].errors[field])
    assert not Campaign.objects.exists()


def test_both_kinds_lead_to_each_other(client, send):
    page = client.get(PAGE).content.decode()
    assert 'href="?"' in page
    assert 'name="coreference"' not in page
    page = client.get(PAGE.partition("?")[0]).content.decode()
    assert 'href="?interface=choice"' in page
    assert 'name="choices"' not in page
