"""The submitter's half: a team joins, submits by page and by program, and reads its report."""

import json
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evaluation.actions.periods import release_labels
from evaluation.actions.submissions import submit
from evaluation.actions.teams import accept_as, create_token, invite_to_team, revoke_token
from evaluation.actions.validation import validate
from evaluation.models import Submission, Team, TeamInvitation, UploadToken
from tests.evaluation.files import TEXT, claim, lines
from tests.evaluation.made import (
    make_evaluated_project,
    make_period,
    make_submitter,
    make_team,
)
from tests.factories import make_document, make_member
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db
PASSWORD = "kestrel-over-the-moor"


@pytest.fixture
def period(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    project = make_evaluated_project()
    return make_period(project, [make_document(project, TEXT, external_id="d1")])


@pytest.fixture
def team(period):
    return make_team(period.project, name="Falconers")


def logged_in(user):
    client = Client()
    client.force_login(user)
    return client


def of(*claims, name="falcon.jsonl"):
    return SimpleUploadedFile(name, b"".join(lines(*claims)))


def test_manager_adds_a_team_whose_people_join_by_a_link_and_set_a_password(period):
    manager = logged_in(make_member(period.project).user)
    added = manager.post(
        f"/manage/projects/{period.project.slug}/evaluation/teams/", {"name": " Night  owls "}
    )
    team = Team.objects.get(name="Night owls")
    assert added.url == f"/manage/teams/{team.key}/"
    shown = manager.post(f"{added.url}invite/", {"note": "Ada"})
    link = re.search(r'value="(http[^"]+/invitations/([^"/]+)/)"', shown.text)
    assert link[2] not in str(list(TeamInvitation.objects.values()))
    assert link[2] not in manager.get(added.url).text
    address = f"/invitations/{link[2]}/"
    stranger = Client()
    assert "Night owls" in stranger.get(address).text
    weak = stranger.post(address, {"username": "ada", "password": "123"})
    assert (weak.status_code, User.objects.filter(username="ada").exists()) == (422, False)
    assert "too short" in weak.text
    joined = stranger.post(address, {"username": "ada", "password": PASSWORD})
    assert joined.url == added.url
    assert stranger.get(joined.url).status_code == 200
    assert User.objects.get(username="ada").check_password(PASSWORD)
    again = Client().get(address)
    assert (again.status_code, "has been used" in again.text) == (404, True)
    assert "ada" in manager.get(added.url).text
    manager.post(f"{added.url}people/ada/remove/")
    assert stranger.get(added.url).status_code == 404


def test_who_has_an_account_joins_with_it_and_a_revoked_invitation_takes_nobody_in(period, team):
    invitation, secret = invite_to_team(team)
    user = User.objects.create_user("bo")
    assert "Join as bo" in logged_in(user).get(f"/invitations/{secret}/").text
    assert logged_in(user).post(f"/invitations/{secret}/").url == f"/manage/teams/{team.key}/"
    invitation, secret = invite_to_team(team)
    manager = logged_in(make_member(period.project).user)
    manager.post(f"/manage/teams/{team.key}/revoke/invitation/{invitation.key}/")
    assert Client().get(f"/invitations/{secret}/").status_code == 404
    _, secret = invite_to_team(team, now=timezone.now() - timedelta(days=15))
    assert Client().get(f"/invitations/{secret}/").status_code == 404
    assert not team.members.exclude(user=user).exists()


def test_team_submits_by_page_and_reads_the_report_and_its_files(period, team):
    client = logged_in(make_submitter(team))
    page = f"/manage/teams/{team.key}/"
    given = {"period": period.key, "system": "falcon"}
    assert "<code>per:place_of_birth</code>" in client.get(page).text  # what may be claimed
    none = client.post(f"{page}submit/", given)
    assert (none.status_code, "Choose a file first." in none.text) == (422, True)
    sent = client.post(f"{page}submit/", given | {"file": of(claim(), "{", claim("x9"))})
    assert "waits to be validated" in client.get(sent.url).text
    do_jobs()
    shown = client.get(sent.url).text
    assert "Ada Lovelace was born in London" in shown
    for word in ("bad-json", "outside-corpus", "Write one object a line", "in 3 lines"):
        assert word in shown
    assert 'href="/manage/projects/' not in shown  # nothing else of the project
    notes = b"".join(client.get(f"{sent.url}files/annotated/").streaming_content)
    assert notes.startswith(b"\x1f\x8b")
    table = b"".join(client.get(f"{sent.url}files/issues/").streaming_content).decode()
    assert "outside-corpus" in table
    assert client.get(f"{sent.url}files/nothing/").status_code == 404
    assert "falcon" in client.get(page).text
    assert client.post(f"{sent.url}withdraw/").url == sent.url
    assert "withdrawn" in client.get(sent.url).text


def test_another_team_finds_nothing(period, team):
    row = validate(submit(period, team, "falcon", "falcon.jsonl", lines(claim())))
    other = logged_in(make_submitter(make_team(period.project)))
    for address in ("", "files/file/", "files/annotated/", "files/issues/"):
        assert other.get(f"/manage/submissions/{row.key}/{address}").status_code == 404
    assert other.post(f"/manage/submissions/{row.key}/withdraw/").status_code == 404
    assert other.get(f"/manage/teams/{team.key}/").status_code == 404
    given = {"period": period.key, "system": "falcon", "file": of(claim())}
    assert other.post(f"/manage/teams/{team.key}/submit/", given).status_code == 404
    _, secret = create_token(make_team(period.project), "nightly")
    program = Client(headers={"Authorization": f"Token {secret}"})
    assert program.get(f"/api/submissions/{row.key}/").status_code == 404
    assert program.get("/api/submissions/").json()["results"] == []
    row.refresh_from_db()
    assert row.withdrawn_at is None


def test_program_submits_with_a_token_that_is_hashed_and_revocable(period, team):
    manager = logged_in(make_member(period.project).user)
    shown = manager.post(f"/manage/teams/{team.key}/tokens/", {"name": "nightly"})
    secret = re.search(r'id="given" value="([^"]+)"', shown.text)[1]
    assert secret not in str(list(UploadToken.objects.values()))
    program = Client(headers={"Authorization": f"Token {secret}"})
    given = {"period": period.key, "system": "falcon", "file": of(claim())}
    made = program.post("/api/submissions/", given)
    assert made.status_code == 201
    key = made.json()["key"]
    assert made.json()["state"] == "received"
    again = program.post("/api/submissions/", given | {"file": of(claim())})
    assert again.json()["key"] == key
    do_jobs()
    told = program.get(f"/api/submissions/{key}/").json()
    assert (told["state"], told["claims"], told["issues"]) == ("valid", 1, {})
    assert [one["key"] for one in program.get("/api/submissions/").json()["results"]] == [key]
    assert "by program" in manager.get(f"/manage/teams/{team.key}/").text
    refused = program.post("/api/submissions/", {"period": "x", "system": ""})
    assert refused.status_code == 400
    assert {one["field"] for one in refused.json()["errors"]} == {"period", "system", "file"}
    elsewhere = make_period(make_evaluated_project())
    hidden = program.post("/api/submissions/", given | {"period": elsewhere.key, "file": of("{")})
    assert hidden.status_code == 404
    period.closes_at = timezone.now() - timedelta(minutes=1)
    period.save()
    late = program.post("/api/submissions/", given | {"file": of("{")})
    assert (late.status_code, "takes none any more" in late.json()["detail"]) == (409, True)
    assert revoke_token(team, UploadToken.objects.get().key)
    assert program.get("/api/submissions/").status_code == 401
    assert Submission.objects.count() == 1


def test_corpus_is_for_teams_from_the_opening_on_and_labels_from_their_release(period, team):
    client = logged_in(make_submitter(team))
    corpus = b"".join(client.get(f"/manage/periods/{period.key}/corpus.jsonl").streaming_content)
    assert [json.loads(line)["text"] for line in corpus.splitlines()] == [TEXT]
    assert client.get(f"/manage/periods/{period.key}/labels.jsonl").status_code == 404
    release_labels(period)
    labels = client.get(f"/manage/periods/{period.key}/labels.jsonl")
    assert b"".join(labels.streaming_content) == b""
    period.opens_at = timezone.now() + timedelta(days=1)
    period.save()
    assert client.get(f"/manage/periods/{period.key}/corpus.jsonl").status_code == 404
    assert period.name not in client.get(f"/manage/teams/{team.key}/").text
    viewer = logged_in(make_member(period.project, "viewer").user)
    assert viewer.get(f"/manage/periods/{period.key}/corpus.jsonl").status_code == 200
    assert viewer.get(f"/manage/periods/{period.key}/labels.jsonl").status_code == 404


def test_submitter_finds_their_teams_on_the_start_page(period, team):
    user = make_submitter(team)
    shown = logged_in(user).get("/").text
    assert f'href="/manage/teams/{team.key}/"' in shown
    other = User.objects.create_user("bo")
    assert "Falconers" not in logged_in(other).get("/").text
    _, secret = invite_to_team(team)
    accept_as(secret, other)
    assert "Falconers" in logged_in(other).get("/").text


def test_pages_ask_as_many_queries_however_many_submissions(
    period, team, django_assert_num_queries
):
    client = logged_in(make_submitter(team))
    manager = logged_in(make_member(period.project).user)
    project = f"/manage/projects/{period.project.slug}/evaluation/"
    submit(period, team, "falcon", "falcon.jsonl", lines(claim()))
    pages = (
        (client, f"/manage/teams/{team.key}/"), (manager, f"/manage/teams/{team.key}/"),
        (manager, project), (manager, f"{project}{period.key}/"),
    )  # fmt: skip
    before = []
    for who, page in pages:
        with CaptureQueriesContext(connection) as queries:
            assert who.get(page).status_code == 200
        before.append(len(queries))
    for name in ("heron", "owl", "wren"):
        submit(period, make_team(period.project), name, "x.jsonl", lines(claim()))
        submit(period, team, f"{name}-2", "x.jsonl", lines(claim()))
    for (who, page), number in zip(pages, before, strict=True):
        with django_assert_num_queries(number):
            who.get(page)
    assert max(before) <= 20
