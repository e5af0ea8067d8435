"""Pages about campaigns whose consensus is neither tags nor a choice."""

from __future__ import annotations

import pytest

from aggregation.actions.runs import aggregate
from annotation.models import Campaign, GoldQuestion
from tests.aggregation.actions.test_linking import block, linking_campaign, piled, sort
from tests.aggregation.actions.test_relations import pair, related, relation_campaign
from tests.aggregation.crowds import make_workers

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(client, django_user_model):
    client.force_login(django_user_model.objects.create_superuser("root"))
    return client


def linking() -> Campaign:
    campaign, workers = linking_campaign(), make_workers(3)
    for names in ("a b c", "c d e"):
        task = block(campaign, names)
        first, second, third = names.split()
        GoldQuestion.objects.create(
            task=task, answer=piled(f"{first} {third} | {second}"), drawn="random"
        )
        sort(task, workers, *[f"{first} {third}=Q1 | {second}"] * 3)
    return campaign


def relation() -> Campaign:
    campaign, workers = relation_campaign(), make_workers(3)
    pair(campaign, workers, *[related("founded", subject_ok=True)] * 3, gold="founded")
    pair(campaign, workers, "none", "none", "works_for", gold="none")
    return campaign


@pytest.mark.parametrize(
    ("make", "method", "words"),
    [
        (
            linking,
            "correlation-clustering",
            ["F1 of pairs", "B³ F1", "CEAF-e F1", "6 mentions of 2 tasks with gold",
             "alpha of pairs"],
        ),
        (relation, "dawid-skene", ["Accuracy", "2 tasks of 2 documents with gold"]),
    ],
)  # fmt: skip
def test_the_run_page_tells_its_scores(root, make, method, words):
    campaign = make()
    run = aggregate(campaign, method)
    page = root.get(f"/manage/campaigns/{campaign.slug}/runs/{run.key}/").content.decode()
    for word in words:
        assert word in page


@pytest.mark.parametrize("make", [linking, relation])
def test_campaign_project_and_document_pages_stand(root, make):
    campaign = make()
    aggregate(campaign, "majority" if make is relation else "correlation-clustering")
    document = campaign.tasks.first().document
    for path in (
        f"/manage/campaigns/{campaign.slug}/",
        f"/manage/projects/{campaign.project.slug}/",
        f"/manage/projects/{campaign.project.slug}/documents/",
        f"/manage/projects/{campaign.project.slug}/documents/{document.external_id}/",
    ):
        assert root.get(path).status_code == 200, path


@pytest.mark.parametrize("make", [linking, relation])
def test_the_campaign_page_asks_for_an_aggregation(root, make):
    campaign = make()
    page = root.get(f"/manage/campaigns/{campaign.slug}/").content.decode()
    assert "There is no method" not in page
