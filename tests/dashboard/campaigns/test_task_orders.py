"""Several tasks are chosen: what it means is told before one more answer is asked for."""

from __future__ import annotations

import pytest

from annotation.models import AuditEntry, Campaign, Demand
from tests.factories import make_campaign, make_member, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(client):
    campaign = make_campaign(
        redundancy=2, max_redundancy=3, pay_mills=50, budget_mills=60, committed_mills=20
    )
    client.force_login(make_member(campaign.project).user)
    return campaign


def send(client, campaign: Campaign, verb: str, *tasks, **more):
    names = [getattr(task, "external_id", task) for task in tasks]
    return client.post(
        f"/manage/campaigns/{campaign.slug}/tasks/order/?show=disputed",
        {"task": names, "verb": verb} | more,
    )


def demand(task) -> Demand:
    return Demand.objects.get(task=task)


def test_one_more_answer_is_asked_for_once_it_is_confirmed(client, campaign):
    full = make_task(campaign, demand={"wanted": 3})
    done = make_task(campaign, demand={"open": 0, "received": 2, "ready": False})
    gold = make_task(campaign, kind=Demand.Kind.HIDDEN)
    text = " ".join(
        send(client, campaign, "more", full, done, gold, "nobody").content.decode().split()
    )
    assert "1 of 2 chosen tasks" in text
    assert "5 + 1" in text
    assert "0.05" in text
    assert "The budget does not hold all of these answers" in text  # 40 mills are left of it
    assert demand(done).wanted == 2

    answer = send(client, campaign, "more", full, done, gold, sure="5")
    assert answer.url == f"/manage/campaigns/{campaign.slug}/tasks/?show=disputed"
    assert (demand(done).wanted, demand(done).open, demand(done).ready) == (3, 1, True)
    assert (demand(full).wanted, demand(gold).wanted) == (3, 1)
    entry = AuditEntry.objects.get(action="order tasks")
    assert entry.after == {"verb": "more", "tasks": 1}

    # Sent twice, it is not done twice: it is asked about anew.
    again = send(client, campaign, "more", full, done, gold, sure="5")
    assert again.status_code == 422
    assert "These tasks have changed meanwhile" in again.content.decode()
    assert demand(done).wanted == 3


def test_tasks_come_first_in_turn_again_or_no_more(client, campaign):
    task, other = make_task(campaign), make_task(campaign, demand={"rank": 2**62})
    send(client, campaign, "first", task, sure="2")
    assert demand(task).rank < demand(other).rank
    page = client.get(f"/manage/campaigns/{campaign.slug}/tasks/").content.decode()
    assert "given out first" in page
    send(client, campaign, "usual", task, sure="2")
    assert demand(task).priority == 0
    text = send(client, campaign, "stop", task).content.decode()
    assert "Answers that are not asked for any more</dt><dd>2<" in text
    send(client, campaign, "stop", task, sure="2")
    assert (demand(task).wanted, demand(task).open) == (0, 0)
    assert demand(other).open == 2


@pytest.mark.parametrize(
    ("fields", "verb", "tasks", "told"),
    [
        ({}, "more", [], "Tick the tasks that it is about."),
        ({}, "more", ["nobody"], "Tick the tasks that it is about."),
        ({}, "more", [str(n) for n in range(201)], "Tick 200 tasks at most."),
        ({}, "erase", ["a\0b"], "Choose what is to be done: Ask for one more answer, "),
        ({"state": "closed"}, "more", ["a"], "is closed"),
        ({"assignment": "assigned"}, "more", ["a"], "A list says who does what"),
    ],
)
def test_what_can_not_be_asked_is_told(client, campaign, fields, verb, tasks, told):
    Campaign.objects.filter(pk=campaign.pk).update(**fields)
    answer = send(client, campaign, verb, *tasks)
    assert answer.status_code == 302
    assert told in client.get(answer.url).content.decode()
    assert not AuditEntry.objects.exists()
