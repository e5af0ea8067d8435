"""A worker walks through every address there is, right and wrong: no reply holds an id."""

from __future__ import annotations

import pytest

from annotation.actions import tokens
from annotation.api.urls import urlpatterns
from annotation.interfaces import Material, interface
from annotation.models import Assignment, Demand, Enrollment, GoldQuestion, Response
from tests.annotation.api.worker import Worker
from tests.factories import make_campaign, make_document, make_project, make_task

pytestmark = pytest.mark.django_db

TELLING = "GOLD"  # stands in every id, and in nothing else
INTERFACES = ("entity", "relation", "linking", "choice")
OPTIONS = {"choice": {"choices": ["Yes", "No"]}}
KNOWN = {
    "entity": {"mentions": [], "entities": [], "unlabelled": []},
    "relation": {"relation": "none"},
    "choice": {"choice": "Yes"},
}
WRONG = {"mentions": 5, "relation": "x", "clusters": [{"link": None, "mentions": ["x"]}]}
KINDS = (Demand.Kind.TRAINING, Demand.Kind.EXAM, Demand.Kind.PLAIN, Demand.Kind.HIDDEN)


def payload_of(kind, documents):
    if kind == "relation":
        span = {"start": 0, "end": 12, "type": "PER"}
        return {"subject": span, "object": {"start": 25, "end": 31, "type": "LOC"}}
    if kind != "linking":
        return {}
    return {
        "mentions": [
            {
                "id": f"{document.external_id}:0-{place}", "name": "Ada Lovelace", "type": "PER",
                "sentence": document.text, "document": document.external_id,
                "document_title": document.title or document.external_id,
            }
            for place, document in enumerate(documents)
        ]
    }  # fmt: skip


def made(kind, **fields):
    """A campaign with a task of every kind, all of whose ids tell what they are."""
    project = make_project()
    campaign = make_campaign(
        project, interface=kind, options=OPTIONS.get(kind, {}), redundancy=1, **fields
    )
    documents = []
    for number in range(6):
        name = f"{TELLING}-{number}"
        title = name if number % 2 else ""  # no title, or one that is the id again
        documents.append(make_document(project, external_id=name, title=title))
    for number, demand in enumerate((*KINDS, Demand.Kind.PLAIN)):
        task = make_task(
            campaign, documents[number], kind=demand, external_id=f"{TELLING}-task-{number}",
            payload=payload_of(kind, documents[number:]),
        )  # fmt: skip
        if demand:
            material = Material(
                schema=project.schema, options=campaign.options, payload=task.payload,
                text=task.document.text, tokens=task.document.tokens,
                sentences=task.document.sentences,
            )  # fmt: skip
            known = KNOWN.get(kind) or alone([card["id"] for card in task.payload["mentions"]])
            answer = interface(kind).check(known, material)
            GoldQuestion.objects.create(task=task, answer=answer, explanation="So it is.")
    return campaign


def alone(cards):
    return {"clusters": [{"link": None, "mentions": [card]} for card in cards]}


def answer_to(kind, page):
    if kind != "linking":
        return KNOWN[kind]
    first, *rest = [card["id"] for card in page["mentions"]]
    return {
        "clusters": [{"link": None, "mentions": [first, *rest[:1]]}],
        "unsure": rest[1:2],
        "undecided": rest[2:],
    }


def walk(worker, kind, link):
    """Every address of a worker's, through practice, exam, work and hidden gold; all replies."""
    replies = [worker.joined, worker.http.get(f"/join/{link}/")]

    def call(*asked):
        replies.append(worker.call(*asked))
        return replies[-1]

    call("post", "try/", {"link": link})
    following, keys = call("post", "next/").json(), []
    call("post", "next/", {"task": f"{TELLING}-task-2"})  # names are no way to ask either
    while lease := following["assignment"]:
        path, keys = f"assignments/{lease['key']}", [*keys, lease["key"]]
        answer = answer_to(kind, lease["page"])
        call("put", f"{path}/draft/", {"answer": answer})
        call("post", "next/")  # with the draft
        call("post", f"{path}/submit/", {"answer": WRONG})
        event = {"number": 0, "at": "2026-01-01T00:00:00Z", "kind": "opened"}
        call("post", f"{path}/events/", {"events": [event]})
        if len(keys) == 1 + len(KINDS):
            call("post", f"{path}/return/", {"reason": "It is cut."})
            following = call("post", "next/").json()
            continue
        following = call("post", f"{path}/submit/", {"answer": answer, "seconds": 3}).json()["next"]
        call("post", f"{path}/submit/", {"answer": answer})  # again
        call("put", f"{path}/correction/", {"answer": WRONG})
        call("put", f"{path}/correction/", {"answer": answer})
    for key in keys:
        call("get", f"assignments/{key}/")
    for verb, path in (
        ("get", "history/"), ("get", "entities/?q=ada"), ("post", "finish/"), ("post", "phrase/"),
    ):  # fmt: skip
        call(verb, path)
    call("post", "consent/", {"version": 1})
    Enrollment.objects.update(state="paused", state_reason="Too fast.")
    call("post", "appeal/", {"text": "Please look again."})
    call("post", "next/")
    call("get", "history/")
    return replies


@pytest.mark.parametrize("kind", INTERFACES)
def test_no_reply_to_a_worker_holds_an_id_of_the_manager_s(kind):
    campaign = made(kind, training_size=1, exam_size=1, gold_every=2, pass_score=0, skip_limit=5)
    link = tokens.campaign_link(campaign)
    worker = Worker(link)
    replies = walk(worker, kind, link)
    for reply in replies:
        assert TELLING not in reply.content.decode(), reply.request["PATH_INFO"]
    given = Assignment.objects.filter(state="submitted")
    assert set(given.values_list("task__demand__kind", flat=True)) == set(KINDS)
    rows = worker.call("get", "history/").json()["rows"]
    assert all(row["name"] and row["task"] for row in rows)
    refused = [reply for reply in replies if reply.status_code == 400]
    assert refused  # what was wrong is told without the ids that would have been right


def test_every_address_of_a_worker_s_is_walked():
    """A new one belongs into `walk`."""
    assert {each.name for each in urlpatterns} == {
        "join", "next", "draft", "submit", "return", "events", "entities", "consent", "appeal",
        "history", "phrase", "finish", "handed-in", "correction", "try",
    }  # fmt: skip


def test_answers_are_stored_with_the_manager_s_ids():
    campaign = made("linking")
    Demand.objects.exclude(kind=Demand.Kind.PLAIN).delete()
    worker = Worker(tokens.campaign_link(campaign))
    lease = worker.next()["assignment"]
    task = Assignment.objects.get(key=lease["key"]).task
    known = [card["id"] for card in task.payload["mentions"]]
    seen = [card["id"] for card in lease["page"]["mentions"]]
    assert not set(seen) & set(known)
    draft = answer_to("linking", lease["page"])
    worker.act(lease["key"], "draft", {"answer": draft}, "put")
    assert worker.next()["assignment"]["draft"] == draft
    assert worker.act(lease["key"], "submit", {"answer": draft}).status_code == 200
    answer = Response.objects.get().answer
    assert answer["clusters"] == [{"link": None, "mentions": known[:2]}]
    assert (answer["unsure"], answer["undecided"]) == (known[2:3], known[3:])
    told = worker.call("get", f"assignments/{lease['key']}/").json()
    assert told["answer"]["clusters"] == [{"link": None, "mentions": seen[:2]}]


@pytest.mark.parametrize(
    "answer", [None, 5, {"clusters": 5}, {"clusters": [5, {"mentions": 5}, {}]}, {"unsure": [[]]}]
)
def test_an_answer_of_no_known_form_is_refused_and_no_failure(answer):
    worker = Worker(tokens.campaign_link(made("linking")))
    key = worker.next()["assignment"]["key"]
    assert worker.act(key, "submit", {"answer": answer}).status_code == 400
    assert worker.act(key, "draft", {"answer": answer}, "put").status_code in (200, 400)
    assert "assignment" in worker.next()
