"""What holds for whatever the server sends: the headers, and pages for what goes wrong."""

import pytest
from django.test import Client, override_settings
from django.urls import path

from annotation.actions.tokens import campaign_link
from config import urls
from tests.factories import make_campaign, make_member, make_project

pytestmark = pytest.mark.django_db


def broken(request):
    raise RuntimeError("broken on purpose")


urlpatterns = [*urls.urlpatterns, path("broken/", broken)]


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/join/x/",
        "/nothing/",
        "/login/",
        "/admin/login/",
        "/api/docs/",
        "/manage/new-project/",
    ],
)
def test_policy_allows_no_inline_script_or_style_and_no_other_host(client, address):
    policy = client.get(address).headers["Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["frame-ancestors"] == "'none'"
    for kind in ("script-src", "style-src", "connect-src", "form-action"):
        assert rules[kind] == "'self'"
    assert "unsafe" not in policy
    assert "http" not in policy


def test_own_pages_hold_no_inline_script_or_style(client):
    for address in ("/", f"/join/{campaign_link(make_campaign())}/", "/nothing/"):
        page = client.get(address).content.decode()
        assert "<script>" not in page
        assert "<style" not in page
        assert " style=" not in page
        assert " onclick=" not in page


def test_managers_pages_hold_no_inline_script_or_style(client):
    project = make_project(slug="letters")
    client.force_login(make_member(project).user)
    paths = ("", "labels/", "people/", "import/", "campaigns/new/")
    addresses = [f"/manage/projects/letters/{path}" for path in paths]
    addresses += [f"/manage/campaigns/{make_campaign(project).slug}/edit/"]
    for address in ("/manage/new-project/", "/password/", *addresses):
        answer = client.get(address)
        assert answer.status_code == 200
        page = answer.content.decode()
        assert "<script>" not in page
        assert "<style" not in page
        assert " style=" not in page
        assert " onclick=" not in page


def test_missing_page_leads_back(client):
    answer = client.get("/nothing/")
    assert answer.status_code == 404
    assert "There is nothing at this address" in answer.content.decode()
    assert 'href="/"' in answer.content.decode()


@override_settings(ROOT_URLCONF=__name__)
def test_broken_page_is_told_as_one_and_tells_nothing_of_the_cause(client):
    client.raise_request_exception = False
    answer = client.get("/broken/")
    assert answer.status_code == 500
    assert "Something broke on the server" in answer.content.decode()
    assert "on purpose" not in answer.content.decode()


def test_form_without_its_token_is_told_with_the_way_out():
    answer = Client(enforce_csrf_checks=True).post("/logout/")
    assert answer.status_code == 403
    assert "This form has expired" in answer.content.decode()


def test_unknown_host_is_refused(client):
    answer = client.get("/", headers={"host": "elsewhere.example"})
    assert answer.status_code == 400
    assert "This request can't be read" in " ".join(
        answer.content.decode().replace("&#x27;", "'").split()
    )
