"""A manager invites somebody by a link, which lets one person in, once."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from annotation.actions.invitations import accept_as, invite
from annotation.actions.secrets import SecretRefused, digest_of
from annotation.models import AuditEntry, Member, ProjectInvitation
from tests.factories import make_member, make_project

pytestmark = pytest.mark.django_db
PEOPLE = "/manage/projects/letters/people/"
INVITE = "/manage/projects/letters/invitations/"
PASSWORD = "kestrel-over-the-moor"


@pytest.fixture
def project(client):
    project = make_project(slug="letters", name="Letters of the harbour")
    client.force_login(make_member(project, user=User.objects.create_user("anna")).user)
    return project


def invited(client, **fields):
    """The page that shows the link, and the link's address and secret."""
    shown = client.post(INVITE, {"role": "reviewer", "days": 3, "note": "Bert of Hull"} | fields)
    address, secret = re.search(r'value="http[^"]+(/invitations/([^"/]+)/)"', shown.text).groups()
    return shown, address, secret


def test_somebody_sets_a_password_by_the_link_and_is_a_member(client, project):
    _, address, secret = invited(client)
    row = ProjectInvitation.objects.get()
    assert row.secret_digest == digest_of(secret)
    assert timedelta(days=2) < row.expires_at - timezone.now() <= timedelta(days=3)
    listed = client.get(PEOPLE).text
    assert "Bert of Hull" in listed
    assert f"{row.expires_at:%H:%M}" in listed
    assert secret not in listed

    stranger = Client()
    told = stranger.get(address).text
    assert "Letters of the harbour" in told
    assert "reads everything, known answers included" in told
    weak = stranger.post(address, {"username": "bert", "password": "123"})
    assert (weak.status_code, User.objects.filter(username="bert").exists()) == (422, False)
    joined = stranger.post(address, {"username": "bert", "password": PASSWORD})
    assert joined.url == "/manage/projects/letters/"
    assert stranger.get(joined.url).status_code == 200
    assert Member.objects.get(user__username="bert").role == "reviewer"
    assert Client().get(address).status_code == 404
    assert "Bert of Hull" not in client.get(PEOPLE).text

    told = list(AuditEntry.objects.order_by("pk").values_list("action", "subject"))
    assert told == [("invite", "Bert of Hull"), ("join by invitation", "bert")]
    assert secret not in str(list(AuditEntry.objects.values()))


def test_who_has_an_account_joins_with_it_once(client, project):
    _, address, _ = invited(client, role="viewer")
    bo = Client()
    bo.force_login(User.objects.create_user("bo"))
    assert "Join as bo" in bo.get(address).text
    assert bo.post(address).url == "/manage/projects/letters/"
    _, again, _ = invited(client)
    assert bo.post(again).url == "/"
    assert Member.objects.get(user__username="bo").role == "viewer"
    assert ProjectInvitation.objects.pending(timezone.now()).count() == 1  # it was not used up


def test_revoked_or_past_it_lets_nobody_in(client, project):
    _, address, secret = invited(client)
    key = ProjectInvitation.objects.get().key
    client.post(f"{INVITE}{key}/revoke/")
    assert Client().get(address).status_code == 404
    with pytest.raises(SecretRefused):
        accept_as(secret, User.objects.create_user("bo"))
    client.post(f"{INVITE}{key}/revoke/")  # says nothing more
    assert AuditEntry.objects.filter(action="revoke invitation").count() == 1
    _, past = invite(project, "viewer", now=timezone.now() - timedelta(days=15))
    assert Client().get(f"/invitations/{past}/").status_code == 404


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"role": "owner"}, "owner is not one of the available choices"),
        ({"days": 91}, "less than or equal to 90"),
        ({"days": ""}, "This field is required"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(client, project, fields, sentence):
    answer = client.post(INVITE, {"role": "viewer", "days": 3} | fields)
    assert (answer.status_code, sentence in answer.text) == (422, True)
    assert not ProjectInvitation.objects.exists()


def test_link_is_mailed_where_there_is_a_server_and_shown_in_any_case(
    client, project, settings, mailoutbox
):
    assert "Mail it to" not in client.get(PEOPLE).text
    settings.EMAIL_HOST = "mail.example"
    project.name = "Letters\nBcc: everybody@example.org"
    project.save()
    _, address, _ = invited(client, email="bert@example.org", note="")
    (mail,) = mailoutbox
    assert (mail.to, address in mail.body) == (["bert@example.org"], True)
    assert mail.bcc == []
    assert "\n" not in mail.subject
    assert "bert@example.org" in client.get(PEOPLE).text


def test_mail_that_can_not_be_sent_leaves_the_link(client, project, settings):
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    shown, address, _ = invited(client, email="bert@example.org")
    assert "The mail to bert@example.org was not sent (Connection refused)." in shown.text
    assert Client().get(address).status_code == 200


def test_another_project_s_invitation_is_not_revoked(client, project):
    made, secret = invite(make_project(), "viewer")
    client.post(f"{INVITE}{made.key}/revoke/")
    assert Client().get(f"/invitations/{secret}/").status_code == 200


def test_many_invitations_cost_no_more_queries(client, project, django_assert_max_num_queries):
    manager = Member.objects.get().user
    for _ in range(4):
        invite(project, "viewer", user=manager)
    with django_assert_max_num_queries(8):
        client.get(PEOPLE)
