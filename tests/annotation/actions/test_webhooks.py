"""Events are told to addresses outside: signed, tried again, and never to addresses inside."""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
import threading
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import jobs, outside, webhooks
from annotation.actions.campaigns import close_campaign, pause_campaign
from annotation.actions.outside import CannotReach, is_public
from annotation.models import AuditEntry, Job, WebhookDelivery
from config.management.commands.work import ask_for_deliveries
from tests.factories import make_campaign, make_project
from tests.jobs import do_jobs
from tests.receivers import make_certificate, receiver

pytestmark = pytest.mark.django_db
STATES = WebhookDelivery.State


@pytest.fixture
def private(settings):
    settings.WEBHOOKS_PRIVATE = True


@pytest.fixture
def campaign():
    return make_campaign(make_project(slug="letters"), slug="names")


def test_event_is_signed_and_names_what_happened(private, campaign, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    with receiver() as (url, got):
        hook, secret = webhooks.create_webhook(campaign.project, url, ["campaign.paused"])
        pause_campaign(campaign)
        close_campaign(campaign)  # nobody asked to be told
        assert got == []  # nothing is sent by what happens
        ask_for_deliveries()
        ask_for_deliveries()
        assert [job.kind for job in do_jobs()] == ["send_webhooks"]
    ((path, headers, body),) = got
    delivery = WebhookDelivery.objects.get()
    told = json.loads(body)
    assert path == "/in?x=1"
    assert told == {
        "event": "campaign.paused", "at": told["at"], "project": "letters", "campaign": "names",
        "id": str(delivery.key),
    }  # fmt: skip
    assert headers["Touchstone-Event"] == "campaign.paused"
    assert headers["Touchstone-Delivery"] == str(delivery.key)
    moment, signed = (one.split("=", 1)[1] for one in headers["Touchstone-Signature"].split(","))
    meant = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    assert signed == meant
    assert abs(int(moment) - timezone.now().timestamp()) < 60
    assert (delivery.state, delivery.status, delivery.attempts) == (STATES.SENT, 204, 1)
    ask_for_deliveries()
    assert not Job.objects.queued().exists()
    rows = [*AuditEntry.objects.values(), *WebhookDelivery.objects.values(), *Job.objects.values()]
    assert secret not in str(rows)
    assert secret not in str(vars(hook))
    assert "/in" not in str(list(AuditEntry.objects.values()))  # an address may be a secret


def test_earlier_key_signs_too_until_it_counts_no_more(campaign, settings):
    settings.WEBHOOKS_PRIVATE = True
    hook, secret = webhooks.create_webhook(campaign.project, "http://a.example/", ["job.done"])
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another" * 9
    assert webhooks.secrets_of(hook)[1] == secret != webhooks.secrets_of(hook)[0]


@pytest.mark.parametrize("status", [500, 302])
def test_what_is_not_taken_is_tried_again_later_and_in_the_end_has_failed(
    private, campaign, status
):
    with receiver(status, [("Location", "http://127.0.0.1:1/")]) as (url, got):
        webhooks.create_webhook(campaign.project, url, ["campaign.paused", "campaign.closed"])
        pause_campaign(campaign)
        close_campaign(campaign)
        before = timezone.now()
        assert webhooks.send_due() == (0, 1)  # the second waits for a minute, too
        assert len(got) == 1  # and no redirect was followed
        assert not WebhookDelivery.objects.due(before + timedelta(seconds=50)).exists()
        first = WebhookDelivery.objects.get(event="campaign.paused")
        assert (first.status, first.state) == (status, STATES.WAITING)
        assert str(status) in first.problem
        WebhookDelivery.objects.filter(event="campaign.closed").delete()
        pauses = []
        for _ in webhooks.PAUSES:
            WebhookDelivery.objects.update(due_at=timezone.now())
            webhooks.send_due()
            first.refresh_from_db()
            pauses.append(first.due_at - timezone.now())
        assert first.state == STATES.FAILED
        assert pauses[:-1] == sorted(pauses[:-1])
        assert webhooks.send_due() == (0, 0)
        webhooks.send_again(first)
        assert webhooks.send_due() == (0, 1)
        assert len(got) == len(webhooks.PAUSES) + 2


def test_job_s_and_run_s_events_hold_no_results(private, campaign, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    events = ["job.failed", "job.done", "job.stopped"]
    webhooks.create_webhook(campaign.project, "http://a.example/", events)
    job = jobs.enqueue(
        "import_gold", {"folder": "x", "file": "the-answer.jsonl"}, campaign=campaign
    )
    do_jobs()
    told = WebhookDelivery.objects.get()
    assert told.event == "job.failed"
    assert told.body.keys() == {"event", "at", "project", "job", "kind", "campaign"}
    assert (told.body["job"], told.body["campaign"]) == (str(job.key), "names")
    waiting = jobs.enqueue("score_gold", campaign=campaign)
    jobs.stop(waiting)
    jobs.enqueue("night")  # of no project
    assert [row.event for row in WebhookDelivery.objects.all()] == ["job.stopped", "job.failed"]


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0",
        "100.64.0.1", "224.0.0.1", "255.255.255.255", "240.0.0.1", "192.0.2.1", "198.18.0.1",
        "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:7f00:1::", "::127.0.0.1",
        "2001:db8::1",
    ],
)  # fmt: skip
def test_address_inside_is_told_from_one_of_the_internet(address):
    assert not is_public(address)


def test_addresses_of_the_internet_are_public():
    assert is_public("93.184.215.14")
    assert is_public("2606:2800:21f:cb07:6820:80da:af6b:8b2c")


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "https://127.0.0.1/", "https://[::1]/", "https://10.0.0.1:8443/x",
        "https://[::ffff:127.0.0.1]/", "https://anna:word@example.org/", "https://",
        "ftp://example.org/", "https://example.org:99999/", "https://exa mple.org/", "javascript:x",
        "https://example.org/\r\nX: y", "https://example.org\\@127.0.0.1/", "//example.org/",
        "https://example.org/#x", "https://" + "a" * 70 + ".org/",
    ],
)  # fmt: skip
def test_address_that_can_not_be_meant_is_refused_at_once(campaign, url):
    with pytest.raises(CannotReach):
        webhooks.create_webhook(campaign.project, url, ["job.done"])
    assert not campaign.project.webhooks.exists()


def test_name_that_leads_inside_is_not_asked(campaign, monkeypatch):
    """However it was when the webhook was made: looked up at each sending, and checked then."""
    asked = []
    monkeypatch.setattr(socket, "create_connection", lambda *args, **more: asked.append(args))
    rows = [(0, 0, 0, "", ("93.184.215.14", 443)), (0, 0, 0, "", ("127.0.0.1", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **more: rows)
    webhooks.create_webhook(campaign.project, "https://rebound.example/", ["campaign.paused"])
    pause_campaign(campaign)
    assert webhooks.send_due() == (0, 1)
    assert asked == []
    assert "inside" in WebhookDelivery.objects.get().problem


def test_connection_goes_to_the_address_that_was_checked(monkeypatch):
    """A second look-up, which could have another answer, never happens."""
    looked_up, asked = [], []

    def look_up(host, *args, **more):
        looked_up.append(host)
        return [(0, 0, 0, "", ("93.184.215.14", 443))]

    def connect(address, **more):
        asked.append(address)
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(CannotReach, match="Connection refused"):
        outside.post("https://example.org/in", b"{}", {})
    assert (looked_up, asked) == (["example.org"], [("93.184.215.14", 443)])


def test_receiver_proves_the_name_that_was_typed(private, campaign, monkeypatch, tmp_path):
    """Though the connection goes to an address, and also where addresses inside are allowed."""
    real = socket.getaddrinfo

    def look_up(host, *args, **more):
        return real("127.0.0.1" if host.endswith(".example") else host, *args, **more)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    certificate, authority = make_certificate(tmp_path, "receiver.example")
    deliveries = WebhookDelivery.objects.order_by("pk")
    with receiver(tls=certificate) as (url, got):
        for host in ("receiver.example", "another.example"):
            address = url.replace("127.0.0.1", host)
            webhooks.create_webhook(campaign.project, address, ["campaign.paused"])
        pause_campaign(campaign)
        assert webhooks.send_due() == (0, 2)  # nobody has said that the authority is to be trusted
        assert got == []
        monkeypatch.setenv("SSL_CERT_FILE", str(authority))
        for one in deliveries:
            webhooks.send_again(one)
        assert webhooks.send_due() == (1, 1)
        port = url.rpartition(":")[2].partition("/")[0]
        assert [headers["Host"] for _, headers, _ in got] == [f"receiver.example:{port}"]
        with pytest.raises(CannotReach):  # no TLS at all
            outside.post(url.replace("https:", "http:"), b"{}", {}, private=True)
    proven, other = deliveries.all()  # read anew
    assert (proven.state, proven.status, proven.problem) == (STATES.SENT, 204, "")
    assert (other.state, other.status) == (STATES.WAITING, None)
    assert other.problem == "The receiver's certificate does not prove its name."


def test_receiver_that_drips_is_cut_off_in_time():
    listener = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def drip():
        client, _ = listener.accept()
        client.sendall(b"HTTP/1.1 200 OK\r\n")
        while not ended.wait(0.02):
            try:
                client.sendall(b"X: y\r\n"[:1])
            except OSError:
                break
        client.close()

    thread = threading.Thread(target=drip)
    thread.start()
    try:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        with pytest.raises(CannotReach, match="took more than"):
            outside.post(url, b"{}", {}, private=True, seconds=0.3)
    finally:
        ended.set()
        thread.join()
        listener.close()


def test_what_was_told_long_ago_is_cleared(private, campaign, settings):
    hook, _ = webhooks.create_webhook(campaign.project, "http://a.example/", ["job.done"])
    old = timezone.now() - timedelta(days=settings.JOB_DAYS + 1)
    for state in STATES.values:
        row = hook.deliveries.create(event="job.done", body={}, state=state)
        WebhookDelivery.objects.filter(pk=row.pk).update(created_at=old)
    assert webhooks.clear_deliveries(timezone.now()) == 2
    assert WebhookDelivery.objects.get().state == STATES.WAITING
