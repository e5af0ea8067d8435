import re
import uuid
from io import StringIO

import pytest
from django.core.management import call_command

from aggregation.actions.refresh import refresh
from aggregation.actions.runs import aggregate
from aggregation.methods.words import METHOD_WORDS
from aggregation.models import AggregationRun
from annotation.models import AuditEntry, Demand, GoldQuestion
from dashboard.results import views
from tests.aggregation.crowds import (
    choice,
    choice_campaign,
    choice_task,
    make_workers,
    tagged_task,
)
from tests.dashboard import CAMPAIGN_BAR
from tests.factories import make_campaign, make_member, make_response, make_task

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
FEWER = "B-PER I-PER O O O B-LOC O O O"


@pytest.fixture
def campaign():
    campaign, workers = make_campaign(), make_workers(3)
    for _ in range(4):
        tagged_task(campaign, NAMES, FEWER, NAMES, workers=workers, gold=NAMES)
    return campaign


def signed_in(client, campaign, role="manager"):
    client.force_login(make_member(campaign.project, role).user)


def page(client, campaign, run, status=200, **query):
    answer = client.get(f"/manage/campaigns/{campaign.slug}/runs/{run.key}/", query)
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def test_it_shows_how_good_the_run_is_and_how_it_was_made(client, campaign):
    run = aggregate(campaign, "bsc-seq", seed=5)
    signed_in(client, campaign)
    text = page(client, campaign, run)
    for words in (
        "how each worker begins", "Against gold", "F1 of spans", "Cross entropy", "Calibration",
        "Over 8 sentences of 4 documents with gold", "Says (across)", "factor", "Seed</dt><dd>5<",
        "share right against confidence claimed, 12 spans, 95 %",  # the unit of the diagram
        "20, its limit" if not run.diagnostics["converged"] else "converged",
        run.input_digest[:16], str(run.key),
    ):  # fmt: skip
        assert words in text


def test_every_worker_has_a_row(client, campaign, monkeypatch):
    run = aggregate(campaign, "dawid-skene")
    signed_in(client, campaign)
    assert page(client, campaign, run).count('class="heat-map"') == 3
    monkeypatch.setattr(views, "ROWS", 2)
    text = page(client, campaign, run)
    assert text.count('class="heat-map"') == 2
    assert "1 to 2 of 3" in text
    assert "?from=3" in text
    assert page(client, campaign, run, **{"from": "3"}).count('class="heat-map"') == 1
    page(client, campaign, run, **{"from": "many"})


@pytest.mark.parametrize(
    ("role", "gold", "ids"),
    [("manager", True, True), ("reviewer", True, False), ("viewer", False, False)],
)
def test_roles_see_no_more_than_they_need(client, campaign, role, gold, ids):
    run = aggregate(campaign, "bsc-seq")
    signed_in(client, campaign, role)
    text = page(client, campaign, run)
    worker = run.reliabilities.first().worker
    assert ("Against gold" in text) == gold
    assert (f"{worker.external_id}</bdi>" in text) == ids


def test_strangers_and_visitors_see_nothing(client, campaign):
    run = aggregate(campaign, "mv-token")
    page(client, campaign, run, status=302)
    signed_in(client, make_campaign())
    page(client, campaign, run, status=404)


def test_a_run_of_another_campaign_is_not_found(client, campaign):
    other = make_campaign(campaign.project)
    tagged_task(other, NAMES)
    run = aggregate(other, "mv-token")
    signed_in(client, campaign)
    page(client, campaign, run, status=404)
    page(client, campaign, AggregationRun(key=uuid.uuid4()), status=404)


def test_a_failed_run_says_why(client, campaign):
    run = AggregationRun.objects.create(
        campaign=campaign, method="bsc-seq", state="failed", error="out of paper"
    )
    signed_in(client, campaign)
    assert "out of paper" in page(client, campaign, run)


@pytest.mark.parametrize("method", ["crf-ma", "touchstone"])
def test_methods_of_the_text_break_no_page(client, campaign, method):
    """One has no table of what workers say; the other may be another method in truth."""
    run = aggregate(campaign, method)
    signed_in(client, campaign)
    text = page(client, campaign, run)
    assert METHOD_WORDS[method] in text
    assert "Against gold" in text
    assert ("stood in for touchstone" in text) == (method == "touchstone")
    assert run.reliabilities.count() == 3
    worker = run.reliabilities.first().worker.enrollments.get()
    document = campaign.tasks.first().document
    for rest in (
        f"campaigns/{campaign.slug}/", f"campaigns/{campaign.slug}/workers/",
        f"campaigns/{campaign.slug}/workers/{worker.key}/",
        f"projects/{campaign.project.slug}/documents/{document.external_id}/",
    ):  # fmt: skip
        assert client.get(f"/manage/{rest}").status_code == 200, rest


def test_a_note_stands_on_both_pages(client, campaign):
    run = aggregate(campaign, "mv-token")
    run.diagnostics["note"] = "Too <little>: another one stood in."
    run.save(update_fields=["diagnostics"])
    signed_in(client, campaign, "viewer")
    told = "Too &lt;little&gt;: another one stood in."
    assert told in page(client, campaign, run)
    assert told in client.get(f"/manage/campaigns/{campaign.slug}/results/").content.decode()


def test_a_run_of_choices_names_mistakes(client):
    campaign, workers = choice_campaign(), make_workers(3)
    for i in range(20):
        choice_task(campaign, "yes", "yes", "no" if i % 2 else "yes", workers=workers, gold="yes")
        choice_task(campaign, "no", "no", "no", workers=workers, gold="no")
    run = aggregate(campaign, "dawid-skene")
    signed_in(client, campaign)
    text = page(client, campaign, run)
    assert "says no where it is yes" in text
    assert "Accuracy" in text
    assert "Tasks judged" in text


def test_queries_do_not_grow_with_workers(client, campaign, django_assert_max_num_queries):
    run = aggregate(campaign, "bsc-seq")
    signed_in(client, campaign)
    with django_assert_max_num_queries(8 + CAMPAIGN_BAR):
        page(client, campaign, run)


def test_answers_added_since_are_told(client, campaign):
    run = aggregate(campaign, "bsc-seq")  # 12 answers
    signed_in(client, campaign)
    assert "Since then" not in page(client, campaign, run)
    make_response(campaign.tasks.first(), None, {"tags": NAMES.split()})
    refresh(campaign)
    assert "Since then 1 answer to 1 task has been added" in page(client, campaign, run)


@pytest.mark.parametrize(("role", "told"), [("manager", True), ("viewer", False)])
def test_who_may_not_see_gold_sees_no_consensus_that_was_told_it(client, role, told):
    """A task of which one word has gold: after learning from it, the consensus is the gold."""
    campaign, workers = make_campaign(), make_workers(2)
    nothing = "O O O O O O O O O"
    task = tagged_task(campaign, nothing, nothing, workers=workers, gold=NAMES)
    aggregate(campaign, "mv-token")
    aggregate(campaign, "dawid-skene", clamp_gold=True)
    signed_in(client, campaign, role)
    project = campaign.project.slug
    document = f"/manage/projects/{project}/documents/{task.document.external_id}/"
    text = client.get(document).content.decode()
    assert ("Babbage" in text and "dawid-skene" in text) == told
    listed = client.get(f"/manage/projects/{project}/documents/").content.decode()
    assert "mv-token" in text or told
    assert listed
    run = AggregationRun.objects.get(method="dawid-skene")
    assert "learned from gold" in page(client, campaign, run)


@pytest.mark.parametrize("role", ["manager", "viewer"])
def test_a_run_that_began_with_gold_says_so_in_words_to_everybody(client, role):
    campaign, workers = choice_campaign(), make_workers(2)
    choice_task(campaign, "yes", "no", workers=workers)
    question = make_task(campaign, kind=Demand.Kind.HIDDEN)
    GoldQuestion.objects.create(task=question, answer=choice("maybe"))
    make_response(question, workers[0], choice("maybe"))
    run = aggregate(campaign, "dawid-skene", parameters={"start": "gold"})
    signed_in(client, campaign, role)
    told = page(client, campaign, run)
    assert "began with what workers have shown in 1 answer to hidden gold" in told
    assert not run.consensus.filter(task=question).exists()
    assert "began with" not in page(client, campaign, aggregate(campaign, "dawid-skene"))


def test_what_failed_may_tell_of_gold(client, campaign):
    AggregationRun.objects.create(
        campaign=campaign,
        method="bsc-seq",
        state="failed",
        error="Gold of task 'letter 1' has 3 tags",
    )
    signed_in(client, campaign, "viewer")
    text = client.get(f"/manage/campaigns/{campaign.slug}/results/").content.decode()
    assert "failed" in text
    assert "letter 1" not in text


# --- Kept -----------------------------------------------------------------------------------------


def test_a_run_is_pinned_and_unpinned(client, campaign):
    run = aggregate(campaign, "mv-token")
    signed_in(client, campaign)
    address = f"/manage/campaigns/{campaign.slug}/runs/{run.key}/pin/"
    for pinned, button, words in (
        ("1", "Unpin run", "Pinned: the run is kept."),
        ("0", "Pin run", "Unpinned: the run is kept no longer than the others."),
    ):
        answer = client.post(address, {"pinned": pinned}, follow=True)
        text = answer.content.decode()
        assert words in text
        assert f">{button}</button>" in text
        run.refresh_from_db()
        assert bool(run.pinned_at) == (pinned == "1")
    entries = AuditEntry.objects.order_by("pk").values_list("action", "after")
    assert [*entries][-2:] == [
        ("pin run", {"run": str(run.key)}),
        ("unpin run", {"run": str(run.key)}),
    ]


def test_a_run_that_is_being_deleted_cannot_be_pinned(client, campaign):
    run = aggregate(campaign, "mv-token")
    AggregationRun.objects.update(state="pruned")
    signed_in(client, campaign)
    answer = client.post(f"/manage/campaigns/{campaign.slug}/runs/{run.key}/pin/", follow=True)
    assert "being deleted" in answer.content.decode()
    run.refresh_from_db()
    assert run.pinned_at is None


def test_the_page_says_how_to_make_the_run_again(client, campaign):
    run = aggregate(campaign, "mv-token")
    signed_in(client, campaign)
    shown = page(client, campaign, run)
    command = re.search(r"manage (aggregate --campaign [^<]+)<", shown)[1]
    call_command(*command.split(), stdout=StringIO(), stderr=StringIO())
    again = AggregationRun.objects.latest("pk")
    assert again.as_of == run.facts.live.until
    assert "It was made again from the answers received by" in page(client, campaign, again)

    client.logout()
    signed_in(client, campaign, "viewer")
    assert "Pin run" not in page(client, campaign, run)
