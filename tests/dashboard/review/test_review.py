"""Review: what waits for a person, and one decision after the other."""

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from aggregation.actions.decisions import decide
from aggregation.actions.runs import aggregate
from aggregation.models import Adjudication, Consensus
from annotation.models import Assignment, Campaign, GoldQuestion, Response
from evaluation.arrays.labels import probability_of
from evaluation.models import Claim, ClaimPart
from tests.aggregation.crowds import (
    choice,
    choice_campaign,
    choice_task,
    make_workers,
    tagged_task,
)
from tests.factories import (
    make_campaign,
    make_document,
    make_member,
    make_response,
    make_task,
    make_worker,
)

pytestmark = pytest.mark.django_db

FIRST = "B-PER I-PER O O O B-LOC O O O"
SECOND = "O B-PER O O O O O O O"
PAGE = "/manage/campaigns/names/review/"


def fields(page, choice):
    """What the button that is number `choice` sends."""
    names = dict(re.findall(r'name="(task|version|at|gold)" value="([^"]*)"', page))
    return names | {"choice": re.findall(r'name="choice" value="(\w+)"', page)[choice]}


@pytest.fixture
def anna(client):
    def login(campaign, role="reviewer"):
        user = make_member(campaign.project, role).user
        client.force_login(user)
        return user

    return login


def names_campaign(tasks=1):
    campaign, workers = make_campaign(slug="names", redundancy=2), make_workers(2)
    for _ in range(tasks):
        tagged_task(campaign, FIRST, SECOND, workers=workers)
    aggregate(campaign, "mv-token")
    Consensus.objects.update(expected_errors=1.5)
    return campaign


def choices_campaign(tasks=2):
    campaign, workers = choice_campaign(), make_workers(3)
    campaign.slug, campaign.redundancy = "names", 3
    campaign.save()
    made = [choice_task(campaign, "yes", "yes", "no", workers=workers) for _ in range(tasks)]
    aggregate(campaign, "majority")
    return campaign, made


def test_names_are_decided_by_a_button_each(client, anna):
    campaign = names_campaign()
    anna(campaign)
    page = client.get(PAGE).content.decode()
    assert "decision 1 of 2" in page
    assert "no name here" in page
    sent = client.post(PAGE + "decide/", fields(page, 1))
    assert sent.status_code == 302
    row = Adjudication.objects.get()
    assert (row.parts, row.is_complete) == ([[0, 2]], False)
    page = client.get(sent.url).content.decode()
    assert "decision 2 of 2" in page
    sent = client.post(PAGE + "decide/", fields(page, 0))
    assert parse_qs(urlsplit(sent.url).query) == {"last": [row.task.external_id]}
    row.refresh_from_db()
    assert row.is_complete
    # Much may still be expected to be wrong elsewhere in the text: a person has seen it.
    Consensus.objects.update(expected_errors=1.5)
    tasks = client.get("/manage/campaigns/names/tasks/").content.decode()
    assert "state-disputed" not in tasks
    assert "disputed task" not in tasks
    page = client.get(sent.url).content.decode()
    assert "Nothing is left to decide" in page
    assert 'value="undo"' in page
    undone = {"task": row.task.external_id, "version": row.version, "verb": "undo"}
    client.post(PAGE + "decide/", undone)
    row.refresh_from_db()
    assert row.parts == [[0, 2]]


def test_a_name_is_cut_by_hand(client, anna):
    campaign = names_campaign()
    anna(campaign)
    page = client.get(PAGE).content.decode()
    words = page.split('name="first"')[1].split("</select>")[0]
    assert re.findall(r'value="(\d+)"', words) == ["0", "1", "2", "3", "4"]  # another name is at 5
    sent = {"choice": "cut", "type": "LOC"}
    for first, last, told in (
        ("3", "1", "The last word stands before the first one."),
        ("1", "5", "Choose the first word"),
        ("one", "2", "Choose the first word"),
    ):
        refused = client.post(
            PAGE + "decide/", fields(page, 0) | sent | {"first": first, "last": last}
        )
        assert refused.status_code == 422
        assert told in refused.content.decode()
    assert not Adjudication.objects.exists()
    client.post(PAGE + "decide/", fields(page, 0) | sent | {"first": "1", "last": "3"})
    row = Adjudication.objects.get()
    assert (row.parts, row.is_complete) == ([[0, 4]], False)
    tokens = row.task.document.tokens
    now = Consensus.objects.get().answer["mentions"]
    assert next((one["start"], one["end"], one["type"]) for one in now) == (
        tokens[1][0], tokens[3][1], "LOC",
    )  # fmt: skip
    page = client.get(PAGE + f"?task={row.task.external_id}&at=0-4").content.decode()
    assert re.search(r"LOC</small></mark>.{,200} · decided by", page, re.S)


def test_the_next_task_is_named_once_the_last_place_is_asked(client, anna):
    campaign = names_campaign(2)
    anna(campaign)
    page = client.get(PAGE).content.decode()
    assert "data-after" not in page  # the first of two places
    (task,) = set(re.findall(r'name="task" value="([^"]*)"', page))
    page = client.get(PAGE + f"?task={task}&at=5-6").content.decode()
    page = client.get(client.post(PAGE + "decide/", fields(page, 1)).url).content.decode()
    address = re.search(r'data-after="([^"]*)"', page)[1].replace("&amp;", "&")
    other = re.search(r"task=([^&]+)&last=", address)[1]
    assert other != task
    assert f'name="task" value="{other}"' in client.get(address).content.decode()


def test_claims_are_decided_as_a_whole_and_their_labels_know_it(client, anna):
    campaign = make_campaign(interface="relation", redundancy=3)
    payload = {
        "subject": {"start": 0, "end": 12, "type": "PER"},
        "object": {"start": 25, "end": 31, "type": "LOC"},
        "predicted": "per:born_in",
        "asks": ["relation", "subject_ok"],
    }
    task = make_task(campaign, make_document(campaign.project), payload=payload)
    for worker, relation in zip(make_workers(3), ("per:born_in", "none", "none"), strict=True):
        make_response(task, worker, {"relation": relation, "subject_ok": True})
    aggregate(campaign, "majority")
    Consensus.objects.update(expected_errors=1.0)
    anna(campaign)
    address = f"/manage/campaigns/{campaign.slug}/review/"
    page = client.get(address).content.decode()
    shown = re.findall(r'<span class="serif"><bdi>(.*?)</bdi>', page)
    assert shown == ["wrong: the relation", "all is true"]
    assert client.post(address + "decide/", fields(page, 1)).status_code == 302
    now = Consensus.objects.get(task=task)
    assert (now.answer["relation"], now.answer["subject_ok"]) == ("per:born_in", True)
    run = now.run
    part = ClaimPart(claim=Claim(relation="per:born_in"), part="relation")
    assert probability_of(part, now, run.classes) == 1.0
    part.claim.relation = "per:died_in"
    assert probability_of(part, now, run.classes) == 0.0


def test_a_choice_is_decided_and_made_gold_by_one_press(client, anna):
    campaign, tasks = choices_campaign()
    anna(campaign)
    page = client.get(PAGE).content.decode()
    client.post(PAGE + "decide/", fields(page, 1) | {"gold": "on"})
    assert Consensus.objects.get(task=tasks[0]).answer["choice"] == "no"
    assert GoldQuestion.objects.get().answer["choice"] == "no"


def test_whoever_comes_second_is_told_and_overwrites_nothing(client, anna):
    campaign, tasks = choices_campaign()
    ben = make_member(campaign.project, "manager").user
    anna(campaign)
    page = client.get(PAGE).content.decode()
    decide(
        tasks[0], {"choice": "yes", "unsure": False, "value": None, "note": ""}, version=0, user=ben
    )
    refused = client.post(PAGE + "decide/", fields(page, 1))
    assert refused.status_code == 409
    assert f"{ben.username} decided this task after you opened it" in refused.content.decode()
    assert Adjudication.objects.get().decided_by == ben
    again = client.post(PAGE + "decide/", fields(refused.content.decode(), 1))
    assert again.status_code == 302
    assert Adjudication.objects.get().answer["choice"] == "no"


def test_a_choice_that_is_gone_is_not_stored(client, anna):
    campaign, _ = choices_campaign()
    anna(campaign)
    page = client.get(PAGE).content.decode()
    refused = client.post(PAGE + "decide/", fields(page, 0) | {"choice": "0" * 16})
    assert refused.status_code == 409
    assert "Choose again" in refused.content.decode()
    assert not Adjudication.objects.exists()


def test_reports_and_doubts_come_before_equal_errors(client, anna):
    campaign, tasks = choices_campaign(3)
    Assignment.objects.filter(task=tasks[2]).update(reported_at=timezone.now() - timedelta(1))
    anna(campaign)
    queue = re.findall(r"task=([^\"&]+)\"", client.get(PAGE).content.decode().split("</ol>")[0])
    assert queue[0] == tasks[2].external_id
    assert len(queue) == 3


def test_a_reported_task_on_which_all_agree_is_decided_as_it_stands(client, anna):
    campaign, workers = make_campaign(slug="names", redundancy=2), make_workers(2)
    agreed = tagged_task(campaign, "O O O O O O O O O", "O O O O O O O O O", workers=workers)
    tagged_task(campaign, FIRST, SECOND, workers=workers)
    Assignment.objects.filter(task=agreed).update(reported_at=timezone.now())
    aggregate(campaign, "mv-token")
    anna(campaign)
    page = client.get(PAGE, {"task": agreed.external_id}).content.decode()
    assert "All agree" in page
    assert "A worker reports it as broken" in page
    assert "Cut it yourself" not in page
    client.post(PAGE + "decide/", fields(page, 0))
    decided = Adjudication.objects.get()
    assert decided.is_complete
    assert decided.answer["mentions"] == decided.answer["unlabelled"] == []
    assert f'task={agreed.external_id}"' not in client.get(PAGE).content.decode()


def test_a_doubt_alone_brings_a_task_into_the_queue(client, anna):
    campaign, workers = choice_campaign(), make_workers(3)
    campaign.slug, campaign.redundancy = "names", 3
    campaign.save()
    sure, doubted = (choice_task(campaign, "yes", "yes", "yes", workers=workers) for _ in "ab")
    answer = choice("yes") | {"doubts": [{"at": None, "note": "Is this irony?"}]}
    make_response(doubted, make_worker(), answer)
    aggregate(campaign, "majority")
    Consensus.objects.update(expected_errors=0.01)
    anna(campaign)
    queue = client.get(PAGE).content.decode().split("</ol>")[0]
    assert re.findall(r"task=([^\"&]+)\"", queue) == [doubted.external_id]
    assert "1 doubt" in queue
    plan = Response.objects.doubted().explain()
    assert "response_doubted" in plan or connection.vendor == "postgresql"
    assert sure.external_id not in queue


def test_piles_and_relations_are_decided_too(client, anna):
    for interface, answers in (("relation", relations()), ("linking", piles())):
        campaign, payload = answers[0]
        task = make_task(campaign, make_document(campaign.project), payload=payload)
        for worker, answer in zip(make_workers(3), answers[1:], strict=True):
            make_response(task, worker, answer)
        aggregate(campaign, "majority" if interface == "relation" else "correlation-clustering")
        Consensus.objects.update(expected_errors=1.0)
        anna(campaign)
        address = f"/manage/campaigns/{campaign.slug}/review/"
        page = client.get(address).content.decode()
        before = Consensus.objects.get(task=task).answer
        assert client.post(address + "decide/", fields(page, 1)).status_code == 302
        now = Consensus.objects.get(task=task)
        assert now.answer != before, interface
        assert now.answer == Adjudication.objects.get(task=task).answer
        aggregate(campaign, "majority" if interface == "relation" else "correlation-clustering")
        assert Consensus.objects.filter(task=task).latest("run").answer == now.answer, interface


def relations():
    campaign = make_campaign(interface="relation", redundancy=3)
    payload = {
        "subject": {"start": 0, "end": 12, "type": "PER"},
        "object": {"start": 25, "end": 31, "type": "LOC"},
    }
    return (campaign, payload), *({"relation": r} for r in ("per:born_in", "per:born_in", "none"))


def piles():
    campaign = make_campaign(interface="linking", redundancy=3)
    payload = {"mentions": [{"id": name, "name": name, "sentence": name} for name in "abc"]}
    one = {"clusters": [{"link": None, "mentions": ["a", "b", "c"]}], "unsure": []}
    two = {
        "clusters": [{"link": None, "mentions": ["a", "b"]}, {"link": None, "mentions": ["c"]}],
        "unsure": [],
    }
    return (campaign, payload), one, one, two


def test_queries_do_not_grow_with_the_queue(client, anna):
    counts = []
    for tasks in (2, 9):
        campaign, _ = choices_campaign(tasks)
        anna(campaign)
        client.get(PAGE)
        with CaptureQueriesContext(connection) as queries:
            client.get(PAGE)
        counts.append(len(queries))
        Campaign.objects.filter(pk=campaign.pk).update(slug=f"other-{tasks}")
    assert counts[0] == counts[1] <= 20
