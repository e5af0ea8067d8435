"""A manager makes a choice campaign on the page."""

from __future__ import annotations

import pytest

from annotation.models import Campaign, GoldQuestion
from tests.factories import make_document, make_member, make_project, make_task

pytestmark = pytest.mark.django_db

PAGE = "/manage/projects/letters/campaigns/new/?interface=choice"
FIELDS = {
    "name": "Moods", "question": "Is it praise?", "choices": "Yes\r\n No, never \r\n\r\n",
    "redundancy": 3, "pay": "0", "currency": "USD", "gold_every": 0, "training_size": 0,
    "exam_size": 0, "tries": 2, "pass_score": "0.7", "lease_minutes": 30,
    "skip_limit": 10, "spread": "complete", "doubts": "counted",
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


def test_the_ends_of_a_scale_have_words(send):
    send(scale_min="1", scale_max="5", scale_low="curt", scale_high="kind")
    ends = {"low": "curt", "high": "kind"}
    assert Campaign.objects.get().options["scale"] == {"min": 1, "max": 5, "step": 1, **ends}


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
        ({"scale_low": "curt"}, "scale_min", "missing"),
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
    assert 'href="?interface=entity"' in page
    assert 'name="coreference"' not in page
    page = client.get(PAGE.partition("?")[0]).content.decode()
    assert 'href="?interface=choice"' in page
    assert 'name="choices"' not in page


# --- Editing ------------------------------------------------------------------------------------

EDIT = "/manage/campaigns/moods/edit/"


@pytest.fixture
def edit(client, send):
    send(scale_min="1", scale_max="5")

    def sent(**fields):
        form = client.get(EDIT).context["form"]
        shown = {name: form[name].value() for name in form.fields}
        shown = {name: value for name, value in shown.items() if value is not None}
        return client.post(EDIT, shown | fields, follow=True)

    return sent


def test_draft_that_is_saved_as_it_stands_is_as_it_was(edit):
    before = Campaign.objects.values().get()
    assert "Nothing has changed." in edit().content.decode()
    assert Campaign.objects.values().get() == before


def test_what_is_asked_and_answered_can_be_changed_in_a_draft(edit):
    edit(question="Is it blame?", choices="Yes\r\nNo\r\nBoth", scale_min="", scale_max="",
         scale_step="")  # fmt: skip
    assert Campaign.objects.get().options == {
        "question": "Is it blame?", "choices": ["Yes", "No", "Both"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "field", "message"),
    [
        ({"choices": "Yes"}, "choices", "Give at least 2 choices."),
        ({"scale_max": "0"}, "scale_max", "Raise its end"),
        ({"choices": "", "scale_min": "", "scale_max": "", "scale_step": ""}, "choices",
         "There is nothing to choose."),
    ],
)  # fmt: skip
def test_a_mistake_in_an_edit_is_told_beside_its_field(edit, fields, field, message):
    before = Campaign.objects.values().get()
    reply = edit(**fields)
    assert reply.status_code == 422
    assert message in str(reply.context["form"].errors[field])
    assert Campaign.objects.values().get() == before


@pytest.mark.parametrize(
    ("gold", "fields", "field", "message"),
    [
        ({"choice": "Yes", "value": 3}, {"choices": "Good\nBad"}, "choices", "is &#x27;Yes&#x27;"),
        ({"choice": "Yes", "value": 3}, {"scale_min": "4"}, "scale_min", "is &#x27;3&#x27;"),
    ],
)
def test_known_answers_stay_possible(edit, gold, fields, field, message):
    task = make_task(Campaign.objects.get(), kind=2)
    GoldQuestion.objects.create(task=task, answer={"unsure": False, "note": ""} | gold)
    reply = edit(**fields)
    assert reply.status_code == 422
    assert message in str(reply.context["form"].errors[field])
    assert Campaign.objects.get().options["choices"] == ["Yes", "No, never"]
    edit(choices="Yes\nNo", question="Praise?")
    assert Campaign.objects.get().options["choices"] == ["Yes", "No"]


def test_what_is_asked_stays_once_it_is_open(client, edit):
    Campaign.objects.update(state="open")
    fields = set(client.get(EDIT).context["form"].fields)
    assert not {"question", "choices", "scale_min"} & fields
    edit(question="Other?")
    assert Campaign.objects.get().options["question"] == "Is it praise?"
