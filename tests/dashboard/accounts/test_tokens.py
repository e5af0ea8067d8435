"""A person's own tokens: shown once, digested, with scopes and an end."""

import io
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from annotation.actions.api_tokens import create_api_token
from annotation.models import ApiToken, AuditEntry
from tests.evaluation.made import make_evaluated_project, make_period, make_submitter, make_team
from tests.factories import make_campaign, make_member

pytestmark = pytest.mark.django_db
PAGE = "/manage/tokens/"


@pytest.fixture
def campaign(client):
    campaign = make_campaign(slug="names")
    client.force_login(make_member(campaign.project).user)
    return campaign


def program(secret):
    return Client(headers={"Authorization": f"Bearer {secret}"}, enforce_csrf_checks=True)


def made(client, **fields):
    shown = client.post(PAGE, {"name": "nightly run", "scopes": ["read"], "days": 30} | fields)
    return re.search(r'id="given" value="([^"]+)"', shown.text)[1]


def test_token_is_shown_once_works_as_far_as_its_scopes_and_is_revoked(client, campaign):
    secret = made(client)
    row = ApiToken.objects.get()
    assert secret not in str(ApiToken.objects.values().get())
    assert secret not in str(list(AuditEntry.objects.values()))
    page = client.get(PAGE).text
    assert secret not in page
    assert ("nightly run" in page, "never" in page) == (True, True)

    asks = program(secret)
    assert asks.get("/api/campaigns/names/").json()["state"] == "open"
    refused = asks.post("/api/campaigns/names/pause/")
    assert refused.status_code == 403
    assert refused.json()["detail"] == (
        "The token “nightly run” may read. This takes one that may write."
    )
    writes = program(made(client, scopes=["write"]))
    assert writes.post("/api/campaigns/names/pause/").json()["state"] == "paused"
    assert writes.get("/api/campaigns/names/").status_code == 403
    assert "never" not in client.get(PAGE).text
    assert asks.get(PAGE).status_code == 302  # pages take no token

    client.post(f"{PAGE}{row.key}/revoke/")
    gone = asks.get("/api/campaigns/names/")
    assert (gone.status_code, gone["WWW-Authenticate"]) == (401, "Bearer")
    assert "has been revoked" in gone.json()["detail"]


def test_token_ends_with_its_time_and_with_its_account(campaign):
    user = make_member(campaign.project).user
    _, secret = create_api_token(user, "nightly", ["read"])
    assert program(secret).get("/api/projects/").status_code == 200
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert program(secret).get("/api/projects/").status_code == 401
    ApiToken.objects.update(expires_at=timezone.now() + timedelta(days=1))
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert program(secret).get("/api/projects/").status_code == 401


@pytest.mark.parametrize(
    "sent", ["Bearer", "Bearer a b", "Bearer \xff\xfe", "Token x", "Basic eDp5"]
)
def test_what_is_no_token_lets_nobody_in(sent):
    reply = Client(headers={"Authorization": sent}).get("/api/projects/")
    assert reply.status_code == 401
    assert reply.json().keys() == {"detail", "errors"}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": " "}, "Give the token a name"),
        ({"scopes": []}, "Choose at least one thing"),
        ({"scopes": ["everything"]}, "everything is not one of the available choices"),
        ({"days": 9999}, "less than or equal to 365"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(client, campaign, fields, sentence):
    reply = client.post(PAGE, {"name": "x", "scopes": ["read"], "days": 30} | fields)
    assert (reply.status_code, sentence in reply.text) == (422, True)
    assert not ApiToken.objects.exists()


def test_nobody_sees_or_revokes_another_s(client, campaign):
    token, _ = create_api_token(User.objects.create_user("bo"), "somebody else's", ["read"])
    assert "somebody else" not in client.get(PAGE).text
    client.post(f"{PAGE}{token.key}/revoke/")
    assert ApiToken.objects.live(timezone.now()).count() == 1


def test_command_prints_a_token_and_nothing_else(campaign):
    User.objects.create_user("mary")
    out = io.StringIO()
    call_command("create_api_token", "mary", "--name=cron", "--scope=read", stdout=out)
    assert program(out.getvalue().strip()).get("/api/projects/").json()["results"] == []
    for wrong in (["nobody", "--name=x"], ["mary", "--name= "], ["mary", "--name=x", "--days=0"]):
        with pytest.raises(CommandError):
            call_command("create_api_token", *wrong)


def test_member_of_a_team_submits_with_a_token_that_may_evaluate(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    project = make_evaluated_project()
    period, team, other = make_period(project), make_team(project), make_team(project)
    user = make_submitter(team)
    asks = program(create_api_token(user, "nightly", ["evaluate"])[1])

    def send(**more):
        file = SimpleUploadedFile("falcon.jsonl", b"{}")
        given = {"period": period.key, "system": "falcon", "file": file}
        return asks.post("/api/submissions/", given | more)

    assert send(team=other.key).status_code == 404
    assert send().status_code == 201
    assert len(asks.get("/api/submissions/").json()["results"]) == 1
    other.members.create(user=user)
    told = send()
    assert (told.status_code, told.json()["errors"][0]["field"]) == (400, "team")
    assert send(team=team.key).status_code == 201
