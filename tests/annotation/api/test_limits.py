"""How often one address may join, and one worker may do each thing."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
import time_machine
from rest_framework.throttling import SimpleRateThrottle

from annotation.actions import links, tokens
from annotation.api.throttles import WorkerRateThrottle, client_address
from annotation.models import Enrollment
from annotation.models import Worker as WorkerRow
from tests.annotation.api.worker import Worker
from tests.factories import make_campaign, make_task

pytestmark = pytest.mark.django_db

NOTHING = {"answer": {"mentions": []}}
SCOPES = ("next", "draft", "submit", "return", "finish", "events", "search")


@pytest.fixture
def campaign():
    campaign = make_campaign(redundancy=1)
    for _ in range(9):
        make_task(campaign)
    return campaign


@pytest.fixture
def limit(monkeypatch):
    def limit(**rates):
        monkeypatch.setattr(
            SimpleRateThrottle, "THROTTLE_RATES", SimpleRateThrottle.THROTTLE_RATES | rates
        )

    return limit


def test_joining_is_limited_for_an_address(campaign, limit):
    limit(join="2/min")
    link = tokens.campaign_link(campaign)
    assert [Worker(link).joined.status_code for _ in range(3)] == [200, 200, 429]


@pytest.mark.parametrize(
    ("remote", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:7:8:9:a:b:c", "2001:db8:7:8::"),
        ("2001:db8:7:8::1", "2001:db8:7:8::"),
        ("2001:db8:7:9::1", "2001:db8:7:9::"),
        ("fe80::1%eth0", "fe80::"),
        ("", None),
        ("unknown", None),
    ],
)
def test_address_is_counted_by_the_64_of_ipv6(rf, remote, counted):
    assert client_address(rf.get("/", REMOTE_ADDR=remote)) == counted


@pytest.mark.parametrize(
    ("proxies", "forwarded", "counted"),
    [
        (0, "198.51.100.1", "192.0.2.1"),  # without a proxy of ours, a header is anybody's
        (1, None, "192.0.2.1"),
        (1, "198.51.100.1", "198.51.100.1"),
        (1, "203.0.113.9, 198.51.100.1", "198.51.100.1"),  # the first was made up
        (1, "198.51.100.1, 2001:db8:7:8:9::1", "2001:db8:7:8::"),
        (1, "unknown", None),
    ],
)
def test_address_that_a_proxy_tells_is_the_last_one(rf, settings, proxies, forwarded, counted):
    settings.REST_FRAMEWORK = settings.REST_FRAMEWORK | {"NUM_PROXIES": proxies}
    headers = {"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {}
    headers |= {"HTTP_FORWARDED": "for=10.1.1.1", "HTTP_X_REAL_IP": "10.1.1.1"}
    assert client_address(rf.get("/", REMOTE_ADDR="192.0.2.1", **headers)) == counted


def test_rates_of_addresses_count_a_64_as_one(campaign, limit, client):
    limit(join="2/min", phrase="1/min")
    link = tokens.campaign_link(campaign)

    def join(address, **body):
        body = {"link": link, "device": f"{len(body)}" * 32} | body
        return client.post(
            "/api/work/join/", body, content_type="application/json", REMOTE_ADDR=address
        ).status_code

    assert [join(f"2001:db8:7:8::{number}") for number in (1, 2, 3)] == [200, 200, 429]
    assert join("2001:db8:7:9::1", phrase="a b c d e") == 403
    assert join("2001:db8:7:9::2", phrase="a b c d e") == 429


@pytest.fixture
def joins(client):
    """Each call is a browser that joins, from the address given; the reply."""

    def join(link, address="192.0.2.1", **body):
        return client.post(
            "/api/work/join/", {"link": link, "next": True} | body,
            content_type="application/json", REMOTE_ADDR=address,
        )  # fmt: skip

    return join


def test_an_address_brings_sixty_new_workers_an_hour(campaign, joins):
    """61 joins in 15 seconds leased the whole budget."""
    link, devices = tokens.campaign_link(campaign), [uuid.uuid4().hex for _ in range(61)]
    with time_machine.travel("2026-11-21 10:00Z", tick=False) as travel:
        for device in devices[:60]:
            assert joins(link, device=device).status_code == 200
        travel.shift(timedelta(minutes=2, seconds=30))
        before = Enrollment.objects.count(), WorkerRow.objects.count()
        refused = joins(link, device=devices[60])
        assert refused.status_code == 429
        assert refused.headers["Retry-After"] == "3450"
        assert refused.json() == {
            "detail": "Too many people have joined from your network in a short time. Try again "
            "in 58 minutes. Whoever has joined before can go on.",
            "errors": [],
        }
        assert (Enrollment.objects.count(), WorkerRow.objects.count()) == before
        # Who is known comes back, another network joins, and whom a link names is not counted.
        assert joins(link, device=devices[3]).status_code == 200
        assert joins(link, "198.51.100.7", device=devices[60]).status_code == 200
        assert joins(tokens.campaign_link(campaign, "ann")).status_code == 200
        travel.shift(timedelta(seconds=3450))
        assert joins(link).status_code == 200


def test_only_new_workers_of_public_links_are_counted(campaign, joins, limit, client):
    limit(enroll="1/hour")
    link, device = tokens.campaign_link(campaign), uuid.uuid4().hex
    first = joins(link, device=device)
    headers = {"Authorization": f"Worker {first.json()['token']}"}
    phrase = client.post("/api/work/phrase/", headers=headers)
    assert joins(link).status_code == 429
    assert joins(link, device=device).status_code == 200
    assert joins(link, phrase=phrase.json()["phrase"]).status_code == 200
    for name in ("ann", "bob", "ann"):
        assert joins(tokens.campaign_link(campaign, name)).status_code == 200
    assigned = make_campaign(campaign.project, assignment="assigned")
    invited = links.invite(assigned, ["cleo", "dan"])
    for name in invited:
        assert joins(tokens.campaign_link(assigned, name)).status_code == 200
    # The same people in another campaign are new there.
    assert joins(tokens.campaign_link(make_campaign()), device=device).status_code == 429


def test_new_workers_of_a_64_count_as_one_address(campaign, joins, limit):
    limit(enroll="2/hour")
    link = tokens.campaign_link(campaign)
    addresses = [f"2001:db8:7:8::{number}" for number in (1, 2, 3)]
    assert [joins(link, address).status_code for address in addresses] == [200, 200, 429]


def test_who_may_not_join_is_not_counted(campaign, joins, limit):
    limit(enroll="1/hour")
    closed = make_campaign(state="closed")
    assert joins(tokens.campaign_link(closed)).status_code == 403
    assert joins(tokens.campaign_link(campaign)).status_code == 200


def act(worker, scope):
    if scope == "search":
        return worker.find(q="ada")
    if scope in ("next", "finish"):
        return worker.call("post", f"{scope}/")
    key = worker.next()["assignment"]["key"]
    if scope == "return":
        return worker.act(key, scope, {"reason": "It is cut.", "broken": True})
    body = {"events": [{"number": 1, "at": "2026-11-21T10:00:00Z", "kind": "opened"}]}
    body = body if scope == "events" else NOTHING
    return worker.act(key, scope, body, method="put" if scope == "draft" else "post")


@pytest.mark.parametrize("scope", SCOPES)
def test_each_worker_has_a_limit_of_their_own_for_each_thing(campaign, limit, scope):
    limit(**{scope: "2/min"})
    link = tokens.campaign_link(campaign)
    ann, bob = Worker(link), Worker(link)
    done = 204 if scope == "return" else 200
    assert [act(ann, scope).status_code for _ in range(3)] == [done, done, 429]
    assert act(bob, scope).status_code == done
    other = "draft" if scope == "search" else "search"
    assert act(ann, other).status_code == 200


def test_who_is_too_quick_is_told_when_to_come_back(campaign, limit, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(WorkerRateThrottle, "timer", lambda self: now[0])
    limit(search="3/min")
    worker = Worker(tokens.campaign_link(campaign))
    assert [worker.find(q="a").status_code for _ in range(3)] == [200] * 3
    refused = worker.find(q="a")
    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "20"
    assert refused.json() == {
        "detail": "That was too much at once. Wait 20 seconds, then send it again.",
        "errors": [],
    }
    now[0] += 19
    assert worker.find(q="a").headers["Retry-After"] == "1"
    now[0] += 1
    assert [worker.find(q="a").status_code for _ in range(2)] == [200, 429]
    now[0] += 60
    assert [worker.find(q="a").status_code for _ in range(4)] == [200, 200, 200, 429]


def test_one_choice_a_second_for_ten_minutes_is_never_too_much(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(WorkerRateThrottle, "timer", lambda self: now[0])
    worker = Worker(tokens.campaign_link(make_campaign()))
    for _ in range(600 // 10):  # ten at a time: a queue that waited for the network
        for _ in range(10):
            assert worker.find(q="a").status_code == 200
        now[0] += 10


def test_the_limits_are_generous_by_default():
    rates = SimpleRateThrottle.THROTTLE_RATES
    throttle = WorkerRateThrottle()
    for scope in SCOPES:
        number, seconds = throttle.parse_rate(rates[scope])
        assert number / seconds >= 4
