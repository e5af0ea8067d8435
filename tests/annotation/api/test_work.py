"""A worker's day over HTTP."""

from __future__ import annotations

import gzip
import json
import uuid
from datetime import timedelta

import pytest
from django.core import signing
from django.test import Client
from django.utils import timezone

from annotation.actions import tokens
from annotation.actions.campaigns import set_instructions
from annotation.actions.completion import Ending, code_of
from annotation.models import Assignment, Campaign, Demand, Enrollment, Event, GoldQuestion
from annotation.models import Response as Answer
from annotation.text.aliases import alias
from tests.annotation.api.worker import Worker
from tests.factories import make_campaign, make_document, make_task

pytestmark = pytest.mark.django_db

ADA = {"mentions": [{"id": "m1", "start": 0, "end": 2, "type": "PER"}]}


@pytest.fixture
def campaign():
    campaign = make_campaign(redundancy=2, pay_mills=20, budget_mills=10_000)
    set_instructions(campaign, "Mark every name.")
    return campaign


@pytest.fixture
def worker(campaign):
    return Worker(tokens.campaign_link(campaign))


def test_it_works(campaign, worker):
    task = make_task(campaign)
    lease = worker.next()["assignment"]
    assert lease["task"] == alias(task.external_id, task.campaign.secret)
    assert "".join(lease["page"]["tokens"][:2]) == "AdaLovelace"

    draft = worker.act(lease["key"], "draft", {"answer": ADA}, method="put")
    assert draft.status_code == 200
    assert worker.next()["assignment"]["draft"] == ADA

    reply = worker.act(lease["key"], "submit", {"answer": ADA, "seconds": 3.5}).json()
    assert reply["counted"]
    assert reply["next"]["reason"] == "nothing_left"
    assert reply["next"]["progress"]["earned_mills"] == 20
    assert Answer.objects.get().answer["mentions"][0]["end"] == len("Ada Lovelace")


def test_joining_tells_the_instructions_and_nothing_of_gold_or_budget(campaign, worker):
    told = worker.joined.json()["campaign"]
    assert told["instructions"] == "Mark every name."
    assert told["pay_mills"] == 20
    assert not {"budget_mills", "gold_every", "training_size", "pass_score"} & told.keys()


def test_a_public_link_makes_a_worker_each_time_and_finds_a_known_device(campaign):
    link, device = tokens.campaign_link(campaign), str(uuid.uuid4())
    for _ in range(2):
        Worker(link)
        Worker(link, device=device)
    assert Enrollment.objects.count() == 3


def test_a_personal_link_is_one_worker_wherever_it_is_opened(campaign):
    link = tokens.campaign_link(campaign, "ann@panel")
    Worker(link)
    Worker(link)
    assert Enrollment.objects.get().worker.external_id == "ann@panel"


@pytest.mark.parametrize("link", ["", "nonsense", "a:b:c", "eyJjIjoieCJ9:1xUcAG:c2lnbmVk"])
def test_a_link_that_was_not_signed_here_is_refused(campaign, link):
    assert Worker(link).joined.status_code == 400


def test_a_draft_campaign_can_t_be_joined_and_a_closed_one_says_so(campaign):
    for state, words in (("draft", "not open yet"), ("closed", "is closed")):
        Campaign.objects.update(state=state)
        refused = Worker(tokens.campaign_link(campaign)).joined
        assert refused.status_code == 403
        assert words in refused.json()["detail"]


def test_workers_of_an_excluded_campaign_are_told_why(campaign):
    other = make_campaign(campaign.project)
    campaign.excludes.add(other)
    Worker(tokens.campaign_link(other, "ann"))
    refused = Worker(tokens.campaign_link(campaign, "ann")).joined
    assert refused.status_code == 403
    assert "can’t join this one" in refused.json()["detail"]


def test_an_assigned_campaign_takes_nobody_who_was_not_invited():
    campaign = make_campaign(assignment="assigned")
    assert "by invitation" in Worker(tokens.campaign_link(campaign)).joined.json()["detail"]


# --- Who may -------------------------------------------------------------------------------------


def paths(key):
    return [
        ("post", "next/", {}),
        ("put", f"assignments/{key}/draft/", {"answer": {}}),
        ("get", f"assignments/{key}/draft/", None),
        ("post", f"assignments/{key}/submit/", {"answer": ADA}),
        ("post", f"assignments/{key}/return/", {"reason": "hard"}),
        ("post", f"assignments/{key}/events/",
         {"events": [{"number": 1, "at": timezone.now().isoformat(), "kind": "opened"}]}),
        ("post", "finish/", {}),
    ]  # fmt: skip


def test_a_stranger_a_manager_and_a_forged_token_get_nowhere(campaign, worker, admin_client):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    for method, path, body in paths(key):
        for http, headers in (
            (Client(), {}),
            (admin_client, {}),
            (Client(), {"Authorization": "Worker forged"}),
            (Client(), {"Authorization": "Worker"}),
            (Client(), {"Authorization": f"Worker {signing.dumps('x', salt='other')}"}),
        ):
            reply = getattr(http, method)(
                f"/api/work/{path}", body, content_type="application/json", headers=headers
            )
            assert reply.status_code == 401, (method, path)


def test_another_worker_of_the_campaign_can_t_touch_the_assignment(campaign, worker):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    stranger = Worker(tokens.campaign_link(campaign))
    for method, path, body in paths(key)[1:-1]:
        assert stranger.call(method, path, body).status_code == 404, path
    assert not Answer.objects.exists()


def test_a_token_of_one_campaign_opens_no_other(campaign, worker):
    other = make_campaign(campaign.project)
    make_task(other)
    assert worker.next()["assignment"] is None


def test_an_expired_token_says_what_to_do(campaign, worker, time_machine):
    time_machine.move_to(timezone.now() + timedelta(days=31))
    reply = worker.call("post", "next/")
    assert reply.status_code == 401
    assert "Open your link again" in reply.json()["detail"]


# --- Bad bodies ----------------------------------------------------------------------------------


def test_a_wrong_answer_names_its_field(campaign, worker):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    body = {"answer": {"mentions": [{"id": "m1", "start": 3, "end": 99, "type": "PER"}]}}
    reply = worker.act(key, "submit", body)
    assert reply.status_code == 400
    assert reply.json()["errors"] == [
        {
            "field": "mentions[0].end",
            "code": "span.outside_words",
            "message": "Mention 3–99 lies outside the document, which has 7 words. Remove it and "
            "mark it again.",
        }
    ]


@pytest.mark.parametrize(
    ("verb", "body", "field"),
    [
        ("submit", {}, "answer"),
        ("submit", {"answer": ADA, "seconds": -1}, "seconds"),
        ("submit", {"answer": ADA, "seconds": "long"}, "seconds"),
        ("return", {}, "reason"),
        ("events", {"events": []}, "events"),
        ("events", {"events": [{"number": 1, "at": "now", "kind": "x"}]}, "events[0].at"),
    ],
)
def test_a_wrong_body_names_its_field(campaign, worker, verb, body, field):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    reply = worker.act(key, verb, body)
    assert reply.status_code == 400
    assert [error["field"] for error in reply.json()["errors"]] == [field]


@pytest.mark.parametrize(
    "body",
    ["{", "[" * 100_000, '{"answer": NaN}', '"\ud800"'.encode("utf-8", "surrogatepass"), b"\xff"],
)
def test_a_body_that_is_no_json_is_refused_in_words(campaign, worker, body):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    reply = worker.http.post(
        f"/api/work/assignments/{key}/submit/", body, content_type="application/json",
        headers=worker.headers,
    )  # fmt: skip
    assert reply.status_code == 400
    assert reply.json()["detail"]


def nested(depth):
    value = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("depth", [101, 500])
def test_what_could_not_be_read_again_is_not_stored(campaign, worker, depth):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    assert worker.act(key, "draft", {"answer": nested(depth)}, method="put").status_code == 400
    event = {"number": 1, "at": timezone.now().isoformat(), "kind": "x", "data": nested(depth)}
    assert worker.act(key, "events", {"events": [event]}).status_code == 400
    assert worker.act(key, "draft", {"answer": nested(99)}, method="put").status_code == 200
    assert worker.next()["assignment"]["key"] == key


def test_a_body_that_is_too_large_is_refused_in_the_common_shape(campaign, worker, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1024
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    reply = worker.act(key, "draft", {"answer": "x" * 2000}, method="put")
    assert reply.status_code == 413
    assert reply.json().keys() == {"detail", "errors"}


@pytest.mark.parametrize("answer", ["a\0b", "\ud800", ["deep", {"x\0": 1}]])
def test_a_draft_that_no_database_can_keep_is_refused(campaign, worker, answer):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    reply = worker.act(key, "draft", {"answer": answer}, method="put")
    assert reply.status_code == 400
    assert reply.json()["errors"][0]["field"] == "answer"


# --- What is not told ----------------------------------------------------------------------------


def test_hidden_gold_looks_like_any_other_task():
    campaign = make_campaign(gold_every=1)
    gold = make_task(campaign, kind=Demand.Kind.HIDDEN)
    GoldQuestion.objects.create(
        task=gold, answer={"mentions": [], "entities": [], "unlabelled": []}, explanation="secret"
    )
    make_task(campaign)
    worker = Worker(tokens.campaign_link(campaign))
    first = worker.next()
    assert first["assignment"]["task"] == alias(gold.external_id, campaign.secret)
    reply = worker.act(first["assignment"]["key"], "submit", {"answer": ADA}).json()
    second = reply["next"]
    assert first.keys() == second.keys()
    assert first["assignment"].keys() == second["assignment"].keys()
    assert first["assignment"]["page"].keys() == second["assignment"]["page"].keys()
    assert reply["training_score"] is None
    assert "gold" not in str(first) + str(reply)
    assert "secret" not in str(first) + str(reply)


def test_row_numbers_stay_inside(campaign, worker):
    task = make_task(campaign, external_id="name-of-task")
    Assignment.objects.all().delete()
    lease = worker.next()["assignment"]
    assert set(lease) == {
        "key", "task", "interface", "leased_at", "expires_at", "instructions", "draft", "page"
    }  # fmt: skip
    assert lease["task"] == alias(task.external_id, task.campaign.secret)


# --- Giving back, events -------------------------------------------------------------------------


def test_a_task_is_given_back_with_a_reason(campaign, worker):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    assert worker.act(key, "return", {"reason": "The text is cut."}).status_code == 204
    assert Assignment.objects.get().return_reason == "The text is cut."
    assert worker.act(key, "submit", {"answer": ADA}).status_code == 409


def test_events_come_in_batches(campaign, worker):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    events = [
        {"number": n, "at": timezone.now().isoformat(), "kind": "span-added", "data": {"n": n}}
        for n in range(5)
    ]
    for _ in range(2):  # sent again, they are taken again, and there once
        assert worker.act(key, "events", {"events": events}).json() == {"taken": 5}
    assert Event.objects.count() == 5


def test_too_many_reports_are_refused_in_words(worker, campaign):
    Campaign.objects.update(skip_limit=0)
    for _ in range(4):
        make_task(campaign)
        key = worker.next()["assignment"]["key"]
        reply = worker.act(key, "return", {"reason": "It is cut.", "broken": True})
    assert reply.status_code == 409
    assert reply.json()["detail"] == (
        "You have reported 3 tasks as broken and skipped 0 tasks, which is the limit here. "
        "Answer this one as well as you can, or stop."
    )


@pytest.mark.parametrize(
    ("seconds", "stored"),
    [
        ("0.5", 0.5),
        ("86400", 86_400),
        ("86400.5", 86_400),
        ('"90000"', 86_400),
        ("1e999", 86_400),
        ("9" * 400, 86_400),
    ],
)
def test_no_answer_is_lost_for_its_seconds(campaign, worker, seconds, stored):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    body = f'{{"answer": {json.dumps(ADA)}, "seconds": {seconds}}}'
    reply = worker.act(key, "submit", body)
    assert reply.status_code == 200
    assert Answer.objects.get().seconds == stored
    assert reply.json()["next"]["progress"]["seconds"] == stored


def test_asking_for_a_task_costs_at_most_six_queries(
    campaign, worker, django_assert_max_num_queries
):
    make_task(campaign)
    with django_assert_max_num_queries(6 + 2):  # and the savepoint inside the test's transaction
        worker.next()


def test_the_reply_to_a_submit_costs_at_most_twelve_queries(
    campaign, worker, django_assert_max_num_queries, django_capture_on_commit_callbacks
):
    for _ in range(5):
        make_task(campaign)
    page = worker.next()
    with django_capture_on_commit_callbacks(execute=True):  # the labels are remembered
        reply = worker.act(page["assignment"]["key"], "submit", {"answer": ADA}).json()
    key = reply["next"]["assignment"]["key"]
    with django_assert_max_num_queries(12 + 2):  # and the savepoint inside the test's transaction
        assert worker.act(key, "submit", {"answer": ADA}).status_code == 200


# --- Joining with the first task, and stopping ---------------------------------------------------


def test_joining_can_bring_the_first_task(campaign):
    task = make_task(campaign)
    make_task(campaign)
    link = tokens.campaign_link(campaign, "ann")
    first = Worker(link, next=True).joined.json()
    assert first["next"]["assignment"]["task"] == alias(task.external_id, campaign.secret)
    assert (first["available"], first["available_more"]) == (2, False)
    again = Worker(link, next=True).joined.json()
    assert again["next"]["assignment"]["key"] == first["next"]["assignment"]["key"]
    assert again["available"] == 2


def test_joining_gives_out_nothing_where_nothing_is_asked_for(campaign):
    make_task(campaign)
    joined = Worker(tokens.campaign_link(campaign)).joined.json()
    assert joined.keys() == {"token", "campaign", "available", "available_more"}
    assert joined["available"] == 1
    assert not Assignment.objects.exists()


def test_joining_with_a_task_costs_the_same_for_any_number_of_tasks(
    django_assert_max_num_queries,
):
    campaign = make_campaign(redundancy=1, gold_every=3, pay_mills=20, budget_mills=10_000)
    for number in range(20):
        make_task(campaign, kind=Demand.Kind.HIDDEN if number < 5 else Demand.Kind.PLAIN)
    link = tokens.campaign_link(campaign)
    with django_assert_max_num_queries(26):  # with five savepoints of the test's own transaction
        Worker(link, next=True)


def test_who_stops_gets_their_code_and_keeps_their_task(campaign, worker):
    make_task(campaign)
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    stopped = worker.call("post", "finish/").json()
    assert stopped["completion_code"] is None
    assert stopped["progress"]["submitted"] == 0

    following = worker.act(key, "submit", {"answer": ADA}).json()["next"]
    assert following["completion_code"] is None  # there is a task still
    stopped = worker.call("post", "finish/").json()
    code = code_of(Enrollment.objects.get(), Ending.STOPPED)
    assert (stopped["completion_code"], stopped["ending"]) == (code, "stopped")
    assert stopped["progress"]["submitted"] == 1
    assert worker.next()["assignment"]["key"] == following["assignment"]["key"]

    last = worker.act(following["assignment"]["key"], "submit", {"answer": ADA}).json()["next"]
    assert last["assignment"] is None
    assert last["ending"] == "completed"
    assert last["completion_code"] == code_of(Enrollment.objects.get()) != code


def test_who_did_nothing_gets_no_code_at_the_end(campaign, worker):
    assert worker.next()["completion_code"] is None


def test_stopping_is_two_queries(campaign, worker, django_assert_num_queries):
    with django_assert_num_queries(2):
        worker.call("post", "finish/")


# --- Events that come with an answer -------------------------------------------------------------


def events_of(*numbers, kind="span-added"):
    at = timezone.now().isoformat()
    return [{"number": number, "at": at, "kind": kind, "data": {}} for number in numbers]


def test_events_come_with_the_answer_and_are_kept_once(campaign, worker):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    worker.act(key, "events", {"events": events_of(0, 1, kind="first")})
    body = {"answer": ADA, "events": events_of(1, 2, 3)}
    assert worker.act(key, "submit", body).json()["events_taken"] == 3  # 1 was there already
    again = worker.act(key, "submit", body).json()  # the reply was lost, say
    assert (again["duplicate"], again["events_taken"]) == (True, 3)
    worker.act(key, "events", {"events": events_of(3, 4)})
    rows = Event.objects.order_by("number").values_list("number", "kind")
    assert list(rows) == [
        (0, "first"), (1, "first"), (2, "span-added"), (3, "span-added"), (4, "span-added")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("events", "taken"),
    [
        (None, 0),
        ({}, 0),
        ("x", 0),
        ([], 0),
        ([None, 1, [], {"number": 1}], 0),
        ([{"number": -1, "at": "now", "kind": "!"}, *events_of(7)], 1),
        ([*events_of(7), {**events_of(8)[0], "data": "\ud800"}], 1),
        (events_of(*range(600)), 500),
    ],
)
def test_no_answer_is_lost_for_its_events(campaign, worker, events, taken):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    reply = worker.act(key, "submit", {"answer": ADA, "events": events})
    assert reply.status_code == 200
    assert reply.json()["events_taken"] == Event.objects.count() == taken
    assert Answer.objects.exists()


def test_an_answer_that_is_refused_leaves_no_events(campaign, worker):
    make_task(campaign)
    key = worker.next()["assignment"]["key"]
    reply = worker.act(key, "submit", {"answer": {"mentions": 1}, "events": events_of(1)})
    assert reply.status_code == 400
    assert not Event.objects.exists()


def test_a_submit_with_events_costs_at_most_twelve_queries_also_where_money_is_fetched(
    campaign, worker, django_assert_max_num_queries, django_capture_on_commit_callbacks
):
    for _ in range(8):
        make_task(campaign)
    key = worker.next()["assignment"]["key"]
    with django_capture_on_commit_callbacks(execute=True):  # the labels are remembered
        key = worker.act(key, "submit", {"answer": ADA}).json()["next"]["assignment"]["key"]
    spent = []
    for _ in range(5):
        body = {"answer": ADA, "events": events_of(*range(20))}
        before = Campaign.objects.get().committed_mills
        with django_assert_max_num_queries(12 + 2):  # and the savepoint of the test's transaction
            key = worker.act(key, "submit", body).json()["next"]["assignment"]["key"]
        spent.append(Campaign.objects.get().committed_mills - before)
    assert any(spent)


# --- On the wire ---------------------------------------------------------------------------------


def test_replies_are_compressed_for_who_can_read_it(campaign, worker):
    make_task(campaign, make_document(campaign.project, "Ada met Bob . " * 50))
    plain = worker.call("post", "next/")
    worker.headers["Accept-Encoding"] = "gzip"
    packed = worker.call("post", "next/")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 3
