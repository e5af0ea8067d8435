"""The tasks of a campaign: the least sure first, the reported, the unfinished; names as a strip."""

import pytest
from django.utils import timezone

from aggregation.actions.runs import aggregate
from annotation.models import Assignment, Demand
from dashboard.campaigns.task_list import expected_wrong
from tests.aggregation.crowds import tagged_task
from tests.factories import make_campaign, make_member, make_task

pytestmark = pytest.mark.django_db
NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
FEWER = "B-PER I-PER O O O B-LOC O O O"


@pytest.fixture
def campaign():
    return make_campaign(opened_at=timezone.now())


def page(client, campaign, role="manager", query="") -> str:
    client.force_login(make_member(campaign.project, role).user)
    answer = client.get(f"/manage/campaigns/{campaign.slug}/tasks/{query}")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_least_sure_come_first_each_name_a_tick(client, campaign):
    sure = tagged_task(campaign, NAMES, NAMES, NAMES)
    doubted = tagged_task(campaign, NAMES, FEWER, NAMES)
    aggregate(campaign, "mv-token")
    text = page(client, campaign)
    first, second = (text.index(f"documents/{one.external_id}/") for one in (doubted, sure))
    assert first < second
    assert text.count('<rect class="type-') == 6
    assert "0.3 <span" in text[first:second]  # of three names one has two votes of three
    assert "0.0 <span" in text[second:]


def test_reported_and_unfinished_are_picked_out(client, campaign):
    done = make_task(campaign, demand={"wanted": 1, "open": 0, "received": 1, "ready": False})
    broken = tagged_task(campaign, NAMES)
    Assignment.objects.filter(task=broken).update(reported_at=timezone.now())
    text = page(client, campaign, query="?show=reported")
    assert f"documents/{broken.external_id}/" in text
    assert "1 report<" in text
    assert f"documents/{done.external_id}/" not in text
    Demand.objects.filter(task=broken).update(wanted=2, open=1, leased=0, received=1, ready=True)
    text = page(client, campaign, query="?show=unfinished")
    assert f"documents/{broken.external_id}/" in text
    assert f"documents/{done.external_id}/" not in text
    assert "Least sure first" in page(client, campaign, query="?show=nonsense&page=x")


def test_gold_tasks_are_for_those_who_see_gold(client, campaign):
    gold = tagged_task(campaign, NAMES)
    Demand.objects.filter(task=gold).update(kind=Demand.Kind.HIDDEN)
    Assignment.objects.filter(task=gold).update(reported_at=timezone.now())
    tagged_task(campaign, NAMES)
    aggregate(campaign, "mv-token")
    for query in ("", "?show=reported"):
        link = f"documents/{gold.external_id}/"
        assert link not in page(client, campaign, "viewer", query)
    assert f"documents/{gold.external_id}/" in page(client, campaign, query="?show=reported")


def test_number_of_queries_does_not_grow(client, campaign, django_assert_num_queries):
    client.force_login(make_member(campaign.project).user)
    address = f"/manage/campaigns/{campaign.slug}/tasks/"
    for _ in range(6):
        tagged_task(campaign, NAMES, FEWER)
    aggregate(campaign, "mv-token")
    with django_assert_num_queries(9):  # session, user, campaign, role, runs, 4 of the list
        client.get(address)


def test_expected_wrong_names_have_an_interval():
    found = expected_wrong([0.5] * 4)
    assert (found.mean, found.names) == (2.0, 4)
    assert found.low == pytest.approx(2 - 1.645)
    assert expected_wrong([1.0]).high == 0.0
