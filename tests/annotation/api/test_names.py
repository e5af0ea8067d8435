"""A worker of an open campaign reads none of the manager's names: they may tell gold."""

import json

import pytest

from annotation.actions import tokens
from annotation.actions.links import invite
from annotation.interfaces import interface
from annotation.models import Allotment, Demand, GoldQuestion, Response
from annotation.models.materials import MATERIAL_COLUMNS, material_of
from annotation.text.aliases import alias
from tests.annotation.api.worker import Worker
from tests.factories import make_campaign, make_document, make_project, make_task

pytestmark = pytest.mark.django_db

NAME = "gold-07"  # of each document and task
SCHEMA = {
    "entity_types": [{"name": "PER"}, {"name": "LOC"}],
    "relation_types": [{"name": "born_in", "subject": ["PER"], "object": ["LOC"]}],
}
MENTIONS = {"subject": {"start": 0, "end": 12, "type": "PER"},
            "object": {"start": 25, "end": 31, "type": "LOC"}}  # fmt: skip


def cards(number):
    return [
        {"id": f"{NAME}-{number}:{i}-{i + 1}", "name": "Ada", "sentence": [], "type": "PER",
         "document_title": f"{NAME}-{number}", "document": f"{NAME}-{number}"}
        for i in range(2)
    ]  # fmt: skip


OPTIONS = {"choice": {"choices": ["a", "b"], "question": "Which?"}}
PAYLOADS = {
    "entity": lambda number: {},
    "choice": lambda number: {"text": "Which is it?"},
    "relation": lambda number: MENTIONS,
    "linking": lambda number: {"mentions": cards(number)},
}


def answer_to(kind, page):
    if kind == "entity":
        return {"mentions": []}
    if kind == "choice":
        return {"choice": "a"}
    if kind == "relation":
        return {"relation": "none"}
    return {"clusters": [{"link": None, "mentions": [card["id"] for card in page["mentions"]]}],
            "unsure": [], "undecided": []}  # fmt: skip


def campaign_of(kind, **fields):
    project = make_project(schema=SCHEMA)
    campaign = make_campaign(
        project, interface=kind, options=OPTIONS.get(kind, {}), redundancy=2, **fields
    )
    for number, task_kind in enumerate((Demand.Kind.PLAIN, Demand.Kind.TRAINING)):
        document = make_document(project, external_id=f"{NAME}-{number}")
        task = make_task(
            campaign, document, kind=task_kind, payload=PAYLOADS[kind](number),
            external_id=f"{NAME}-{number}",
        )  # fmt: skip
        if task_kind:
            row = type(task).objects.values(*MATERIAL_COLUMNS).get(pk=task.pk)
            answer = interface(kind).check(answer_to(kind, task.payload), material_of(row))
            GoldQuestion.objects.create(task=task, answer=answer)
    return campaign


@pytest.mark.parametrize("kind", PAYLOADS)
def test_no_reply_holds_a_name_of_the_manager_s(kind):
    campaign = campaign_of(kind, training_size=1)
    worker = Worker(tokens.campaign_link(campaign), next=True)
    replies = [worker.joined]
    for _ in range(2):  # practice, with its feedback, then work
        lease = worker.next()["assignment"]
        answer = answer_to(kind, lease["page"])
        replies += [
            worker.call("post", "next/"),
            worker.act(lease["key"], "draft", {"answer": answer}, method="put"),
            worker.call("post", "next/"),
            worker.act(lease["key"], "submit", {"answer": answer, "seconds": 2.0}),
            worker.call("get", f"assignments/{lease['key']}/"),
            worker.call("get", "history/"),
        ]
    replies.append(worker.call("post", "finish/"))

    assert [reply.status_code for reply in replies] == [200] * len(replies)
    assert Response.objects.count() == 2
    assert NAME not in json.dumps([reply.json() for reply in replies])
    if kind == "linking":  # what is stored has the names, whatever the page was told
        mentions = Response.objects.get(assignment__task__external_id=f"{NAME}-0").answer
        assert mentions["clusters"][0]["mentions"] == [card["id"] for card in cards(0)]


def test_where_a_list_says_who_does_what_tasks_go_by_name():
    campaign = campaign_of("entity", assignment="assigned")
    worker = Worker(tokens.campaign_link(campaign))
    assert worker.joined.status_code == 403  # by invitation
    enrollment = invite(campaign, ["ann"])["ann"]
    Allotment.objects.create(
        enrollment=enrollment, task=campaign.tasks.get(external_id=f"{NAME}-0")
    )
    worker = Worker(tokens.campaign_link(campaign, "ann"))
    assert worker.next()["assignment"]["task"] == f"{NAME}-0"


def test_an_alias_is_of_its_campaign_and_without_a_key_the_name():
    assert alias("d1", "one key") == alias("d1", "one key")
    assert len({alias("d1", "one key"), alias("d2", "one key"), alias("d1", "another")}) == 3
    assert alias("d1", "") == "d1"
