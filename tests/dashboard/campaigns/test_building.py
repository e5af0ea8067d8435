"""Relation and linking campaigns out of an entity campaign, by pages."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from aggregation.actions.runs import aggregate
from aggregation.knowledge.linking_tasks import LARGEST_BLOCK
from annotation.actions.projects import set_schema
from annotation.actions.tokens import worker_token
from annotation.models import AuditEntry, Campaign, Job
from dashboard.campaigns import building_forms
from tests.aggregation.crowds import tagged_task
from tests.dashboard import CAMPAIGN_BAR
from tests.factories import (
    SCHEMA,
    make_campaign,
    make_enrollment,
    make_member,
    make_project,
)
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
KNOWS = {"name": "knows", "subject": ["PER"], "object": ["PER"], "symmetric": True}
FIELDS = {
    "name": "Who knows whom", "slug": "", "instructions": "Choose.", "consent": "",
    "content_warning": "", "redundancy": "3", "pay": "0.02", "currency": "USD", "budget": "",
    "lease_minutes": "30", "skip_limit": "10", "spread": "complete",
    "doubts": "counted",
}  # fmt: skip
BLOCKS = {"block_size": "30", "threshold": "0.3", "most_blocks": "3"}


@pytest.fixture
def source():
    project = make_project(slug="letters")
    set_schema(project, SCHEMA | {"relation_types": [KNOWS]})
    campaign = make_campaign(project, slug="names", name="Names", pay_mills=55)
    for _ in range(2):
        tagged_task(campaign, NAMES, NAMES)
    aggregate(campaign, "mv-token")
    return campaign


@pytest.fixture
def manager(client, source):
    user = make_member(source.project).user
    client.force_login(user)
    return user


def words(answer) -> str:
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def make(client, interface, **fields):
    address = f"/manage/campaigns/names/next/{interface}/"
    return done(client, client.post(address, FIELDS | BLOCKS | fields))


def done(client, answer):
    """The page of the job that was asked for, when it is done; else the form."""
    if answer.status_code != 302:
        return answer
    do_jobs()
    return client.get(answer.url)


def test_relation_campaign_is_made_with_its_tasks(client, manager, source):
    text = words(make(client, "relation"))
    made = Campaign.objects.get(interface="relation")
    assert (made.slug, made.state, made.pay_mills) == ("who-knows-whom", "draft", 20)
    assert made.options["from"] == "names"
    assert made.tasks.count() == 2
    assert "has 2 new tasks from 2 documents." in text
    assert "Open it:" not in text
    text = words(client.get("/manage/campaigns/who-knows-whom/tasks/"))
    assert 'Made from <a href="/manage/campaigns/names/">' in text
    text = words(client.get("/manage/campaigns/who-knows-whom/"))
    assert "Nothing is missing: the campaign can be opened." in text
    text = words(client.get("/manage/campaigns/who-knows-whom/settings/"))
    assert "build tasks" in text  # among the last changes
    assert AuditEntry.objects.get(action="build tasks").user == manager


def test_linking_campaign_is_made_with_its_tasks(client, manager, source):
    text = words(
        make(
            client, "linking", name="Who is who", block_size="12", alone="on", types=["PER", "LOC"]
        )
    )
    made = Campaign.objects.get(interface="linking")
    assert ">2 documents, " in text
    assert "--alone" not in text
    assert made.tasks.exists()
    job = Job.objects.get()
    assert (job.kind, job.campaign) == ("build_linking_tasks", made)
    assert job.parameters == {
        "campaign": "names", "block-size": 12, "type": ["PER", "LOC"], "alone": True,
    }  # fmt: skip


def test_form_proposes_what_the_campaign_before_has(client, manager, source):
    Campaign.objects.filter(pk=source.pk).update(content_warning="War.")
    form = client.get("/manage/campaigns/names/next/relation/").context["form"]
    assert form["name"].value() == "Relations: Names"
    assert (form["pay"].value(), form["content_warning"].value()) == ("0.055", "War.")


def test_campaign_pages_lead_on(client, manager, source):
    text = words(client.get("/manage/campaigns/names/results/"))
    assert 'href="/manage/campaigns/names/next/relation/"' in text
    assert 'href="/manage/campaigns/names/next/linking/"' in text
    assert 'href="/manage/projects/letters/knowledge/"' in text


@pytest.mark.parametrize(
    ("interface", "fields", "told"),
    [
        ("relation", {"name": ""}, "Give the campaign a name."),
        ("relation", {"slug": "names"}, "Another campaign has this short name."),
        ("linking", {"block_size": "61"}, "Write a whole number from 4 to 60."),
        ("linking", {"threshold": "0"}, "Write a share above 0 and up to 1"),
        ("linking", {"types": ["DOG"]}, "Choose types of the schema."),
        ("linking", {"threshold": "nan"}, "Write a share above 0 and up to 1"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_made(
    client, manager, source, interface, fields, told
):
    answer = make(client, interface, **fields)
    assert answer.status_code == 422
    assert told in words(answer)
    assert Campaign.objects.count() == 1
    assert not Job.objects.exists()


def test_what_is_lacking_before_is_told(client, manager, source):
    other = make_campaign(source.project, slug="second")
    address = "/manage/campaigns/second/next/linking/"
    assert f"./run manage aggregate --campaign {other.slug}" in words(client.get(address))
    assert client.post(address, FIELDS | BLOCKS).status_code == 422
    source.project.schema = SCHEMA | {"relation_types": []}
    source.project.save()
    assert "Import relation types" in words(client.get("/manage/campaigns/names/next/relation/"))
    assert Campaign.objects.count() == 2


def test_what_the_command_refuses_is_told_and_the_draft_stays(client, manager, source):
    source.project.schema = SCHEMA | {"relation_types": []}
    source.project.save()
    text = words(make(client, "relation"))
    assert "has no relation types" in text
    page = words(client.get("/manage/campaigns/who-knows-whom/tasks/"))
    assert "Make tasks" in page
    assert not AuditEntry.objects.filter(action="build tasks").exists()


# --- Tasks again --------------------------------------------------------------------------------


def test_tasks_that_are_new_are_added(client, manager, source):
    make(client, "relation")
    address = "/manage/campaigns/who-knows-whom/tasks/add/"
    tagged_task(source, NAMES, NAMES)
    aggregate(source, "mv-token")
    page = client.get(address)
    assert page.context["form"]["source"].value() == "names"
    text = words(done(client, client.post(address, {"source": "names"})))
    assert "1 new task from 3 documents; 2 pairs of 3 had one already." in text
    assert Campaign.objects.get(interface="relation").tasks.count() == 3


def test_only_entity_campaigns_of_the_project_can_be_chosen(client, manager, source):
    make(client, "relation")
    other = make_campaign()
    answer = client.post(
        "/manage/campaigns/who-knows-whom/tasks/add/", {"source": other.slug}, follow=True
    )
    assert answer.status_code == 422
    assert "Choose an entity campaign of this project." in words(answer)


def test_closed_campaign_takes_no_tasks(client, manager, source):
    make(client, "relation")
    Campaign.objects.filter(interface="relation").update(state="closed")
    text = words(client.get("/manage/campaigns/who-knows-whom/tasks/add/", follow=True))
    assert "The campaign is closed: it takes no more tasks." in text
    assert "Add the tasks that are new" not in text


def test_page_and_command_have_the_same_bounds():
    assert building_forms.LARGEST_BLOCK == LARGEST_BLOCK


# --- Who may ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "visitor", ["reviewer", "viewer", "other manager", "stranger", "worker", "nobody"]
)
def test_managers_alone_make_campaigns_and_tasks(client, source, visitor):
    relation = make_campaign(source.project, slug="pairs", interface="relation", state="draft")
    if visitor in ("reviewer", "viewer"):
        client.force_login(make_member(source.project, visitor).user)
    elif visitor == "other manager":
        client.force_login(make_member(make_project()).user)
    elif visitor == "stranger":
        client.force_login(User.objects.create_user("stranger"))
    elif visitor == "worker":
        token = worker_token(make_enrollment(relation))
        client.defaults["HTTP_AUTHORIZATION"] = f"Worker {token}"
    for address in (
        "/manage/campaigns/names/next/relation/", "/manage/campaigns/names/next/linking/",
        "/manage/campaigns/pairs/tasks/add/",
    ):  # fmt: skip
        for answer in (client.get(address), client.post(address, FIELDS | {"source": "names"})):
            if visitor in ("worker", "nobody"):
                assert answer.url == f"/login/?next={address}"
            else:
                assert answer.status_code == 404
    assert not Job.objects.exists()
    assert Campaign.objects.count() == 2


@pytest.mark.parametrize(
    "address",
    ["names/next/choice/", "names/next/entity/", "names/tasks/add/", "pairs/next/linking/"],
)
def test_other_interfaces_have_no_such_page(client, manager, source, address):
    make_campaign(source.project, slug="pairs", interface="relation")
    assert client.get(f"/manage/campaigns/{address}").status_code == 404


def test_number_of_queries_does_not_grow(client, manager, source, django_assert_max_num_queries):
    make_campaign(source.project, slug="pairs", interface="relation")
    for _ in range(9):
        make_campaign(source.project)
    for address in ("names/next/linking/", "pairs/tasks/add/"):
        with django_assert_max_num_queries(7 + CAMPAIGN_BAR):
            assert client.get(f"/manage/campaigns/{address}").status_code == 200
