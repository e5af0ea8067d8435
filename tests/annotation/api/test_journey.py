"""A worker's rights over HTTP; and that nothing tells hidden gold from other work."""

from __future__ import annotations

import re

import pytest
from django.core import signing
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.dateparse import parse_datetime

from annotation.actions import consent, gold, rejections, tokens
from annotation.actions.workers import set_state
from annotation.models import Appeal, Assignment, Consent, Demand, Enrollment, GoldQuestion
from annotation.models import Worker as EnrolledWorker
from tests.annotation.api.worker import Worker
from tests.factories import GOLD_NEXT, make_campaign, make_project, make_task

pytestmark = pytest.mark.django_db

ADA = {"mentions": [{"id": "m1", "start": 0, "end": 2, "type": "PER"}]}
KNOWN = {
    "mentions": [{"id": "m1", "start": 0, "end": 12, "type": "PER", "entity": None}],
    "entities": [],
    "unlabelled": [],
}


@pytest.fixture
def campaign():
    return make_campaign(redundancy=2, pay_mills=20, budget_mills=10_000)


@pytest.fixture
def worker(campaign):
    return Worker(tokens.campaign_link(campaign))


def make_gold(campaign, kind, **fields):
    task = make_task(campaign, kind=kind, **fields)
    GoldQuestion.objects.create(task=task, answer=KNOWN, explanation="**Ada** is a <b>person</b>.")
    return task


def work(campaign, worker, number):
    for _ in range(number):
        make_task(campaign)
    for _ in range(number):
        submit(worker, worker.next()["assignment"]["key"])


def submit(worker, key, answer=ADA):
    return worker.act(key, "submit", {"answer": answer, "seconds": 2}).json()


# --- Gold ----------------------------------------------------------------------------------------

VARYING = re.compile(
    rb'"(?:key|task|name|leased_at|expires_at|submitted_at|completion_code)":"[^"]*"'
)


def plainly(reply) -> bytes:
    """The body without what names this one assignment: keys, names of tasks, times."""
    return VARYING.sub(b"", reply.content)


def shape(queries) -> list[str]:
    """The statements without their values, and without the savepoints of the test."""
    told = (re.sub(r"'[^']*'|\b\d+\b", "?", query["sql"]) for query in queries)
    return [sql for sql in told if "SAVEPOINT" not in sql]


def one_cycle(kind):
    """Two tasks of a kind, by a worker who has answered one: all bytes, and the statements."""
    campaign = make_campaign(redundancy=1, pay_mills=20, gold_every=4)
    for number in range(3):
        make_gold(campaign, Demand.Kind.HIDDEN, external_id=f"gold-{number}")
        make_task(campaign, external_id=f"task-{number}")
    worker = Worker(tokens.campaign_link(campaign))
    submit(worker, worker.next()["assignment"]["key"])
    ahead = {} if kind == Demand.Kind.PLAIN else GOLD_NEXT["ahead"]
    Assignment.objects.filter(enrollment__campaign=campaign, state="leased").delete()
    Demand.objects.filter(campaign=campaign, leased=1).update(leased=0, open=1, ready=True)
    Enrollment.objects.filter(campaign=campaign).update(ahead=ahead, cursor=-1)
    claimed = worker.call("post", "next/")
    lease = claimed.json()["assignment"]
    given = Assignment.objects.get(key=lease["key"])
    assert given.task.demand.kind == kind
    Enrollment.objects.filter(campaign=campaign).update(ahead={}, cursor=-1)
    path = f"assignments/{lease['key']}"
    draft = worker.call("put", f"{path}/draft/", {"answer": ADA})
    with CaptureQueriesContext(
        connection,
    ) as asked:
        sent = worker.call("post", f"{path}/submit/", {"answer": ADA, "seconds": 2})
    again = worker.call("post", f"{path}/submit/", {"answer": ADA, "seconds": 2})
    seen = worker.http.get(f"/api/work/{path}/", headers=worker.headers)
    past = worker.http.get("/api/work/history/", headers=worker.headers)
    stopped = worker.call("post", "finish/")
    replies = (claimed, draft, sent, again, seen, past, stopped)
    assert all(reply.status_code == 200 for reply in replies)
    return [plainly(reply) for reply in replies], shape(asked.captured_queries)


def test_hidden_gold_is_alike_to_the_byte_and_asks_the_database_the_same():
    plain, plain_asked = one_cycle(Demand.Kind.PLAIN)
    gold, gold_asked = one_cycle(Demand.Kind.HIDDEN)
    assert plain == gold
    assert plain_asked == gold_asked  # what takes the time of an answer


# --- Practice ------------------------------------------------------------------------------------


def test_practice_gives_feedback_again_where_the_reply_was_lost():
    campaign = make_campaign(training_size=1, tries=1)
    make_gold(campaign, Demand.Kind.TRAINING)
    make_task(campaign)
    worker = Worker(tokens.campaign_link(campaign))
    first = worker.next()
    assert first["progress"]["stage"] == {
        "kind": "training", "seen": 0, "of": 1, "try": 1, "tries": 1,
    }  # fmt: skip
    key = first["assignment"]["key"]
    reply = submit(worker, key)
    feedback = reply["feedback"]
    assert feedback["passed"] is True
    told = "<p><strong>Ada</strong> is a &lt;b&gt;person&lt;/b&gt;.</p>\n"  # as instructions are
    assert feedback["explanation"] == told
    assert feedback["right"]["mentions"][0]["end"] == 2  # the page's token numbers
    assert feedback["given"] == feedback["right"] | {"mentions": feedback["given"]["mentions"]}
    assert reply["next"]["milestone"]["kind"] == "qualified"
    assert reply["next"]["progress"]["stage"] is None
    again = submit(worker, key)
    assert again["duplicate"]
    assert again["feedback"] == feedback
    seen = worker.http.get(f"/api/work/assignments/{key}/", headers=worker.headers).json()
    assert seen["feedback"] == feedback
    row = worker.http.get("/api/work/history/", headers=worker.headers).json()["rows"][0]
    assert (row["kind"], row["score"]) == ("training", 1.0)


def test_a_practice_answer_is_told_by_what_is_known_now():
    campaign = make_campaign(training_size=1, tries=1)
    task = make_gold(campaign, Demand.Kind.TRAINING)
    worker = Worker(tokens.campaign_link(campaign))
    key = worker.next()["assignment"]["key"]
    assert submit(worker, key)["feedback"]["passed"] is True
    gold.correct_gold(task.gold_question, KNOWN | {"mentions": []})

    def told():
        again = submit(worker, key)
        seen = worker.http.get(f"/api/work/assignments/{key}/", headers=worker.headers).json()
        row = worker.http.get("/api/work/history/", headers=worker.headers).json()["rows"][0]
        assert again["feedback"] == seen["feedback"]
        return again["training_score"], seen["feedback"], row["score"]

    score, feedback, past = told()
    assert (score, feedback["score"], past) == (0, 0, 0)
    assert feedback["passed"] is False
    assert [each["kind"] for each in feedback["findings"]] == ["extra"]
    gold.retire_gold(task.gold_question, "It is wrong.")
    assert told()[1:] == (None, None)


# --- Rights --------------------------------------------------------------------------------------


def test_consent_comes_before_the_first_task(campaign, worker):
    make_task(campaign)
    consent.set_consent(campaign, "We keep your answers.")
    told = Worker(tokens.campaign_link(campaign)).joined.json()["campaign"]
    assert told["consent"] == {"version": 1, "text": "We keep your answers."}
    asked = worker.next()
    assert (asked["reason"], asked["consent"], asked["assignment"]) == ("consent", 1, None)
    refused = worker.call("post", "consent/", {"version": 2})
    assert (refused.status_code, refused.json()["state"]) == (409, "consent")
    reply = worker.call("post", "consent/", {"version": 1}).json()
    assert reply["assignment"] is not None
    assert Consent.objects.count() == 1


def test_a_paused_worker_asks_and_reads_the_answer(campaign, worker):
    enrollment = Enrollment.objects.get()
    set_state(enrollment, "paused", "Too fast.")
    told = worker.next()
    assert (told["reason"], told["can_appeal"], told["appeal"]) == ("paused", True, None)
    made = worker.call("post", "appeal/", {"text": "I was careful."})
    assert made.status_code == 201
    assert made.json()["reason"] == "Too fast."
    again = worker.call("post", "appeal/", {"text": "Please."})
    assert again.status_code == 409
    told = worker.next()
    assert (told["can_appeal"], told["appeal"]["text"]) == (False, "I was careful.")
    assert worker.call("post", "appeal/", {"text": "a\x00b"}).status_code == 400
    assert worker.call("post", "appeal/", {"text": " "}).status_code == 400


def test_the_past_is_told_in_pages_with_rejections_and_what_came_of_them(campaign, worker):
    work(campaign, worker, 3)
    newest = Assignment.objects.order_by("-pk").first()
    rejections.reject(newest, "It is empty.")
    asked = worker.call("post", "appeal/", {"text": "No!", "assignment": str(newest.key)})
    assert asked.json()["about"] == "rejection"
    past = worker.http.get("/api/work/history/", headers=worker.headers).json()
    row = past["rows"][0]
    assert (row["key"], row["paid"]) == (str(newest.key), "rejected")
    assert row["rejection"]["reason"] == "It is empty."
    assert (row["appeal"]["text"], row["can_appeal"]) == ("No!", False)
    assert row["seconds"] == 2
    older = worker.http.get(
        "/api/work/history/", {"before": row["key"]}, headers=worker.headers
    ).json()
    assert [row["key"] for row in older["rows"]] == [row["key"] for row in past["rows"][1:]]
    assert not past["more"]


def test_joining_tells_of_a_rejection_as_long_as_it_stands(campaign):
    link = tokens.campaign_link(campaign, "ann")
    work(campaign, Worker(link), 2)
    assert "rejected_at" not in Worker(link).joined.json()
    rejection = rejections.reject(Assignment.objects.latest("pk"), "It is empty.")
    rejection.refresh_from_db()
    assert parse_datetime(Worker(link).joined.json()["rejected_at"]) == rejection.at
    other = Worker(tokens.campaign_link(campaign, "bob"))
    assert "rejected_at" not in other.joined.json()
    rejections.overturn(rejection)
    assert "rejected_at" not in Worker(link).joined.json()


def test_the_past_costs_the_same_however_long_it_is(campaign, worker, django_assert_num_queries):
    work(campaign, worker, 4)
    for row in Assignment.objects.filter(state="submitted"):
        rejections.reject(row, "No.")
    with django_assert_num_queries(4):
        past = worker.http.get("/api/work/history/", headers=worker.headers).json()
    with django_assert_num_queries(3):  # the sums came with the first page
        older = {"before": past["rows"][1]["key"]}
        past = worker.http.get("/api/work/history/", older, headers=worker.headers).json()
    assert past["sums"] is None


PAIR = {
    "subject": {"start": 0, "end": 12, "type": "PER"},
    "object": {"start": 25, "end": 31, "type": "LOC"},
}
BORN = {"name": "born", "subject": ["PER"], "object": ["LOC"],
        "sentence": "{subject} was born in {object}"}  # fmt: skip


def test_a_pair_is_told_with_what_was_answered_in_a_fixed_number_of_queries(
    django_assert_num_queries,
):
    schema = {"entity_types": [{"name": "PER"}, {"name": "LOC"}], "relation_types": [BORN]}
    campaign = make_campaign(make_project(schema=schema), interface="relation", redundancy=1)
    worker = Worker(tokens.campaign_link(campaign))
    answers = ("born", "none", "unsure", "born")
    for _ in answers:
        make_task(campaign, payload=PAIR)
    for relation in answers:
        submit(worker, worker.next()["assignment"]["key"], {"relation": relation})
    with django_assert_num_queries(5):
        past = worker.http.get("/api/work/history/", headers=worker.headers).json()
    pair = "“Ada Lovelace” → “London”"
    assert [row["name"] for row in past["rows"]] == [
        f"{pair}: “was born in”", f"{pair}: “Can’t tell”", f"{pair}: “No relation”",
        f"{pair}: “was born in”",
    ]  # fmt: skip
    last = past["rows"][0]["key"]
    changed = worker.act(last, "correction", {"answer": {"relation": "none"}}, method="put")
    assert changed.status_code == 200
    past = worker.http.get("/api/work/history/", headers=worker.headers).json()
    assert past["rows"][0]["name"] == f"{pair}: “No relation”"  # it is what counts


def test_nobody_reads_anybody_elses_past(campaign, worker):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    submit(worker, key)
    rejections.reject(Assignment.objects.get(key=key), "No.")
    other = Worker(tokens.campaign_link(campaign))
    assert other.http.get("/api/work/history/", headers=other.headers).json()["rows"] == []
    path = f"/api/work/assignments/{key}/"
    assert other.http.get(path, headers=other.headers).status_code == 404
    body = {"text": "Mine!", "assignment": key}
    assert other.call("post", "appeal/", body).status_code == 409
    before = other.http.get("/api/work/history/", {"before": key}, headers=other.headers)
    assert before.json()["rows"] == []
    assert not Appeal.objects.exists()


def test_what_is_not_handed_in_is_not_shown(campaign, worker):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    assert (
        worker.http.get(f"/api/work/assignments/{key}/", headers=worker.headers).status_code == 404
    )


def test_a_stranger_a_manager_and_a_forged_token_get_nowhere(campaign, worker, admin_client):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    submit(worker, key)
    rejections.reject(Assignment.objects.get(key=key), "No.")
    consent.set_consent(campaign, "We keep your answers.")
    forged = {"Authorization": f"Worker {signing.dumps(key, salt='other')}"}
    for method, path, body in (
        ("get", "history/", None),
        ("get", f"assignments/{key}/", None),
        ("post", "consent/", {"version": 1}),
        ("post", "appeal/", {"text": "Mine!", "assignment": key}),
        ("post", "phrase/", {}),
    ):
        for http, headers in ((Client(), {}), (admin_client, {}), (Client(), forged)):
            reply = getattr(http, method)(
                f"/api/work/{path}", body, content_type="application/json", headers=headers
            )
            assert reply.status_code == 401, path
    assert not Consent.objects.exists()
    assert not Appeal.objects.exists()
    assert not EnrolledWorker.objects.exclude(phrase_digest="").exists()


def test_a_phrase_joins_from_another_device(campaign, worker):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    phrase = worker.call("post", "phrase/").json()["phrase"]
    link = tokens.campaign_link(campaign)
    elsewhere = Worker(link, phrase=phrase)
    assert elsewhere.next()["assignment"]["key"] == key
    refused = Worker(link, phrase="not a phrase")
    assert refused.joined.status_code == 403
    assert Enrollment.objects.count() == 1
