"""The manager's pages about workers: requests, one worker; and the way to a knowledge base."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from aggregation.actions.runs import aggregate
from annotation.actions import appeals, assignments, rejections
from annotation.actions.campaigns import set_consent
from annotation.actions.projects import set_schema
from annotation.actions.workers import set_state
from annotation.models import Appeal, Campaign, Enrollment, Payment
from tests.aggregation.crowds import tagged_task
from tests.browser.manage_page import at, go_to_section, log_in
from tests.factories import (
    SCHEMA,
    make_campaign,
    make_document,
    make_enrollment,
    make_project,
    make_task,
    make_worker,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
NOTHING = {"mentions": [], "entities": []}
ADA = {
    "mentions": [{"id": "m1", "start": 0, "end": 2, "type": "PER", "entity": "e1"}],
    "entities": [{"id": "e1", "canonical": "m1", "link": None, "value": None}],
}


@pytest.fixture
def campaign() -> Campaign:
    project = make_project(slug="letters", name="Letters of the harbour office")
    knows = {"name": "knows", "subject": ["PER"], "object": ["PER"], "symmetric": True}
    set_schema(project, SCHEMA | {"relation_types": [knows]})
    return make_campaign(
        project, slug="names", name="Names in old letters", pay_mills=60, budget_mills=30_000,
        training_size=3, exam_size=2, gold_every=9,
    )  # fmt: skip


@pytest.fixture
def worker(campaign) -> Enrollment:
    """Has answered, was rejected, is paused, and has asked for a review of both."""
    found = make_enrollment(
        campaign, make_worker(external_id="5f8a1b2c3d4e5f6a7b8c9d0e"), training_seen=3,
        training_score_sum=2.4, exam_seen=2, exam_score_sum=1.5, gold_seen=8, gold_score_sum=6,
        tries=1,
    )  # fmt: skip
    for title in ("A letter of 4 May", "A bill for rope", "On the new ferry"):
        document = make_document(campaign.project, title=title)
        make_task(campaign, document)
    for answer in (ADA, NOTHING, ADA):
        lease = assignments.claim_next(found.key).assignment
        assignments.submit(found.key, lease.key, answer, 41.0)
    lease.refresh_from_db()
    rejections.reject(lease, "Only the first name is marked, and the text has four.")
    appeals.appeal(found.key, "The others are ships. Ships are not to be marked.", lease.key)
    set_state(found, "paused", "Answers came in seconds and miss most names.")
    appeals.appeal(found.key, "I have read these letters before, for another study of yours.")
    return found


def test_requests_are_answered_and_a_worker_is_looked_after(page, campaign, worker):
    log_in(page, campaign)
    page.get_by_role("link", name="Read requests").click()
    at(page, "Requests of workers")
    rejection = page.get_by_role("region").filter(has_text="Ships are not to be marked")
    rejection.get_by_label("Your answer").fill("You are right, thank you.")
    rejection.get_by_role("button", name="Withdraw rejection").click()
    expect(page.get_by_role("status")).to_contain_text("the answer is paid")
    pause = page.get_by_role("region").filter(has_text="for another study")
    pause.get_by_label("Your answer").fill("Two seconds are too few for a letter.")
    pause.get_by_role("button", name="Decline request").click()
    expect(page.get_by_text("No request waits for an answer.")).to_be_visible()
    at(page, "Requests of workers")
    assert sorted(Appeal.objects.values_list("granted", flat=True)) == [False, True]
    assert not Payment.objects.filter(state="rejected").exists()

    page.get_by_role("link", name="5f8a1b2c3d4e5f6a7b8c9d0e").first.click()
    at(page, "5f8a1b2c3d4e5f6a7b8c9d0e")
    page.get_by_label("What the worker reads").fill("Welcome back. Take your time.")
    page.get_by_role("button", name="Let worker back in").click()
    expect(page.get_by_role("status")).to_contain_text("Back in")
    answer = page.get_by_role("listitem").filter(has_text="A bill for rope")
    answer.get_by_text("Reject…").click()
    answer.get_by_label("Why it is not paid").fill("Nothing is marked.")
    at(page, "5f8a1b2c3d4e5f6a7b8c9d0e")
    answer.get_by_role("button", name="Reject answer", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("it is not paid")
    at(page, "5f8a1b2c3d4e5f6a7b8c9d0e")
    page.get_by_role("button", name="Withdraw rejection").click()
    expect(page.get_by_text("A rejection was taken back").first).to_be_visible()
    page.get_by_label("What the worker reads").fill("We pause everyone over the holidays.")
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("status")).to_contain_text("The worker reads your reason.")
    worker.refresh_from_db()
    assert worker.state == "paused"


def test_the_way_to_a_knowledge_base_meets_no_barrier(page, campaign):
    tagged_task(campaign, NAMES, NAMES)
    aggregate(campaign, "mv-token")
    set_consent(campaign, "We keep your answers. **Write to us** at any time.")
    make_campaign(
        campaign.project, slug="moods", name="Moods", state="draft", interface="choice",
        options={"choices": ["Glad", "Sad"], "question": "How does the writer feel?"},
    )  # fmt: skip
    make_campaign(campaign.project, slug="pairs", interface="relation", state="draft",
                  name="Who knows whom")  # fmt: skip
    log_in(page, campaign)
    page.goto("/manage/campaigns/names/settings/")
    page.get_by_text("What workers agree to", exact=False).last.click()
    at(page, "Links for workers")
    go_to_section(page, "Money")
    at(page, "Cost by worker")
    go_to_section(page, "Results")
    page.get_by_role("link", name="to a knowledge base").click()
    at(page, "From mentions to a knowledge base")
    page.get_by_role("link", name="relations", exact=True).click()
    at(page, "Relations between the names")
    page.goto("/manage/campaigns/names/next/linking/")
    at(page, "Who is who across documents")
    page.goto("/manage/campaigns/pairs/tasks/")
    page.get_by_role("link", name="Make tasks").click()
    at(page, "Tasks of Who knows whom")
    page.goto("/manage/campaigns/names/edit/")
    expect(page.get_by_text("Version 1 stands")).to_be_visible()
    at(page, "Edit Names in old letters")
    page.goto("/manage/campaigns/moods/edit/")
    page.get_by_role("textbox", name="Answers").fill("Glad\nSad\nNeither")
    at(page, "Edit Moods")
    page.get_by_role("button", name="Save").click()
    at(page, "Moods")
    moods = Campaign.objects.get(slug="moods")
    assert moods.options["choices"] == ["Glad", "Sad", "Neither"]
