import io
import logging

import pytest
from django.test import Client

from annotation.actions.tokens import campaign_link
from annotation.views import work
from config.logs import HideLinks
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def console(monkeypatch):
    """What the handler of the settings writes."""
    written = io.StringIO()
    [handler] = [h for h in logging.getLogger().handlers if getattr(h, "filters", None)]
    assert any(isinstance(each, HideLinks) for each in handler.filters)
    before = handler.setStream(written)
    yield written
    handler.setStream(before)


def test_no_link_is_logged_when_its_page_fails_or_is_refused(console, monkeypatch):
    link = campaign_link(make_campaign(), "anna")
    browser = Client(raise_request_exception=False, enforce_csrf_checks=True)
    monkeypatch.setattr(work, "_context", lambda campaign: 1 / 0)
    assert browser.get(f"/join/{link}/").status_code == 500
    assert browser.post(f"/join/{link}/").status_code == 403
    text = console.getvalue()
    assert link not in text
    assert text.count("/join/…/") == 2
    assert "ZeroDivisionError" in text


def test_other_lines_stay_as_they_are(console):
    logging.getLogger("touchstone.work").error("%s of %d", "one", 2)
    assert console.getvalue().endswith("ERROR touchstone.work: one of 2\n")


def test_no_invitation_is_logged_when_its_page_is_refused(console):
    browser = Client(enforce_csrf_checks=True)
    assert browser.post("/invitations/a-kestrel-s-secret/").status_code == 403
    assert "/invitations/…/" in console.getvalue()
    assert "kestrel" not in console.getvalue()


def test_the_page_of_a_link_tells_its_address_to_nobody(client):
    page = client.get(f"/join/{campaign_link(make_campaign(), 'anna')}/")
    assert page["Referrer-Policy"] == "strict-origin"
