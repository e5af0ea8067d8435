"""The page of webhooks, and the same by a program."""

import json
import re

import pytest
from django.test import Client

from annotation.actions.api_tokens import create_api_token
from annotation.actions.webhooks import create_webhook, tell
from annotation.models import Webhook, WebhookDelivery
from tests.factories import make_member, make_project

pytestmark = pytest.mark.django_db
PAGE = "/manage/projects/letters/webhooks/"
API = "/api/projects/letters/webhooks/"
URL = "https://receiver.example/in"


@pytest.fixture
def project(client):
    project = make_project(slug="letters")
    client.force_login(make_member(project).user)
    return project


def test_page_shows_the_secret_once_and_the_log_and_sends_again(client, project):
    shown = client.post(PAGE, {"url": URL, "events": ["job.done"]}).text
    secret = re.search(r'id="given" value="([^"]+)"', shown)[1]
    hook = Webhook.objects.get()
    tell(project.pk, "job.done", job="x")
    tell(project.pk, "job.failed", job="x")
    delivery = WebhookDelivery.objects.get()
    WebhookDelivery.objects.update(state="failed", attempts=7, problem="The receiver said 500.")
    page = client.get(PAGE).text
    assert (URL in page, secret in page) == (True, False)
    assert "The receiver said 500." in page
    client.post(f"{PAGE}{hook.key}/{delivery.key}/again/")
    delivery.refresh_from_db()
    assert (delivery.state, delivery.attempts) == ("waiting", 0)
    client.post(f"{PAGE}{hook.key}/delete/")
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"url": "http://receiver.example/"}, "begins with https://"),
        ({"url": "https://192.168.0.1/"}, "inside"),
        ({"url": "https://a:b@receiver.example/"}, "password"),
        ({"events": []}, "Choose at least one event."),
    ],
)
def test_what_is_wrong_stands_beside_its_field(client, project, fields, sentence):
    reply = client.post(PAGE, {"url": URL, "events": ["job.done"]} | fields)
    assert (reply.status_code, sentence in reply.text) == (422, True)
    assert not Webhook.objects.exists()


def test_program_makes_reads_and_deletes_them(project):
    _, token = create_api_token(make_member(project).user, "x", ["read", "write"])
    asks = Client(headers={"Authorization": f"Bearer {token}"})

    def send(**body):
        return asks.post(API, json.dumps(body), content_type="application/json")

    made = send(url=URL).json()
    assert made["events"] == Webhook.Event.values
    assert made["secret"] not in asks.get(API).content.decode()
    assert send(url="https://[::1]/").json()["errors"][0]["field"] == "url"
    assert send(url=URL, events="job.done").status_code == 400
    tell(project.pk, "job.done", job="x")
    log = f"{API}{made['key']}/deliveries/"
    (row,) = asks.get(log, {"state": "waiting"}).json()["results"]
    assert (row["event"], row["body"]["job"]) == ("job.done", "x")
    assert asks.post(f"{log}{row['key']}/again/").status_code == 202
    other, _ = create_webhook(make_project(), URL, ["job.done"])
    for key in (other.key, "00000000-0000-0000-0000-000000000000"):
        assert asks.get(f"{API}{key}/deliveries/").status_code == 404
        assert asks.delete(f"{API}{key}/").status_code == 404
    assert asks.delete(f"{API}{made['key']}/").status_code == 204
