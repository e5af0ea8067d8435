"""What somebody with a browser would try on a log-in: to be given its session, keep it, or lead
its owner elsewhere."""

from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

pytestmark = pytest.mark.django_db

PASSWORD, NEW = "a long pass word", "quite another word"


@pytest.fixture
def anna():
    return User.objects.create_user("anna", password=PASSWORD)


def log_in(client, path="/login/", **fields):
    return client.post(path, {"username": "anna", "password": PASSWORD} | fields)


def is_logged_in(client) -> bool:
    return client.get("/password/").status_code == 200


def with_session(key: str) -> Client:
    client = Client()
    client.cookies["sessionid"] = key
    return client


def test_session_that_was_laid_into_a_browser_is_not_the_one_that_is_logged_in(anna):
    made_up = with_session("0123456789abcdefghijklmnopqrstuv")
    log_in(made_up)
    assert is_logged_in(made_up)
    assert not is_logged_in(with_session("0123456789abcdefghijklmnopqrstuv"))

    visitor = Client()
    visitor.session["seen"] = "the page"  # a session of the server's own, from before
    visitor.session.save()
    before = visitor.cookies["sessionid"].value
    log_in(visitor)
    assert is_logged_in(visitor)
    assert visitor.cookies["sessionid"].value != before
    assert not is_logged_in(with_session(before))


def test_log_out_ends_the_session_on_the_server_too(client, anna):
    log_in(client)
    kept = client.cookies["sessionid"].value
    assert is_logged_in(with_session(kept))
    client.post("/logout/")
    assert not is_logged_in(with_session(kept))
    assert not Session.objects.exists()


def test_new_password_ends_the_other_sessions_and_not_the_own(client, anna):
    other = Client()
    log_in(client)
    log_in(other)
    before = client.cookies["sessionid"].value
    fields = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert client.post("/password/", fields).url == "/"
    assert is_logged_in(client)
    assert not is_logged_in(other)
    assert not is_logged_in(with_session(before))


def test_closed_account_s_sessions_end_at_once(client, anna):
    log_in(client)
    User.objects.update(is_active=False)
    assert not is_logged_in(client)


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example/",
        "///evil.example/",
        "/\\evil.example/",
        "\\\\evil.example/",
        "https:evil.example",
        "http:///evil.example/",
        "\t//evil.example/",
        "javascript:alert(1)",
        "data:text/html,x",
        "http://testserver@evil.example/",
        "http://testserver.evil.example/",
    ],
)
def test_no_form_leads_to_another_host(client, anna, elsewhere):
    asked = f"?next={quote(elsewhere, safe='')}"
    assert log_in(client, f"/login/{asked}").url == "/"
    assert client.get(f"/login/{asked}").url == "/"
    assert client.post(f"/logout/{asked}").url == "/"
    assert log_in(client, next=elsewhere).url == "/"
    assert client.post("/logout/", {"next": elsewhere}).url == "/"
    sent = client.get(f"/admin/login/{asked}").url
    assert sent.startswith("/login/?next=")
    assert log_in(client, sent).url == "/"


def test_log_in_and_log_out_take_no_form_of_another_site(anna):
    client = Client(enforce_csrf_checks=True)
    assert log_in(client).status_code == 403
    client.force_login(anna)
    assert client.post("/logout/").status_code == 403
    assert is_logged_in(client)
    foreign = {"HTTP_ORIGIN": "https://evil.example", "HTTP_REFERER": "https://evil.example/"}
    token = client.get("/password/").context["csrf_token"]
    for fields in ({}, {"csrfmiddlewaretoken": str(token)}):
        assert client.post("/logout/", fields, **foreign).status_code == 403
    assert is_logged_in(client)


def test_cookie_of_a_session_is_read_by_no_script_and_sent_by_no_other_site(client, anna):
    cookie = log_in(client).cookies["sessionid"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert not cookie["domain"]


def test_host_that_a_request_makes_up_is_nowhere_repeated(client, anna):
    headers = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Port": "81", "X-Original-URL": "/"}
    for address in ("/", "/login/", "/manage/new-project/", "/api/schema/", "/nothing/"):
        answer = client.get(address, headers=headers)
        assert "evil.example" not in answer.content.decode() + str(answer.headers)
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
    assert client.get("/", headers={"Host": "localhost.evil.example"}).status_code == 400
