"""Walking the manager's pages: logged in, on a phone in the dark, and looked at on each page."""

from __future__ import annotations

import re

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Page, TimeoutError, expect

from annotation.models import Campaign
from tests.browser.accessible import violations
from tests.factories import make_member

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 800}
PASSWORD = "a long pass word"


def log_in_at_once(page: Page, user: User) -> None:
    """By the cookie of a session. What a form of two pages does instead, other tests try."""
    client = Client()
    client.force_login(user)
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": client.session.session_key}
    page.context.add_cookies([{**cookie, "domain": "localhost", "path": "/"}])


def log_in(page: Page, campaign: Campaign) -> None:
    """As a manager of the campaign, whose page is there then."""
    user = make_member(campaign.project).user
    user.set_password(PASSWORD)
    user.save()
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    page.goto(f"/login/?next=/manage/campaigns/{campaign.slug}/")
    page.get_by_label("Username").fill(user.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    at(page, campaign.name)


def at(page: Page, heading: str) -> None:
    """On this page, or in this section of a campaign or project. It has no fault that axe knows
    and fits both windows, and ends in the window in which it began."""
    expect(
        page.locator("h1, h2").filter(has_text=re.compile(f"^\\s*{re.escape(heading)}\\s*$")).first
    ).to_be_visible()
    assert violations(page) == []
    before = page.viewport_size
    for size in (LAPTOP, PHONE, before):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size


def go_to_section(page: Page, name: str) -> None:
    """A section of the project or campaign, which stands under More where there is no room."""
    sections = page.get_by_role("navigation", name="Sections")
    section = sections.get_by_role("link", name=name)
    more = sections.get_by_text("More")
    for _ in range(30):  # a busy machine may have drawn neither yet
        try:
            # A click that waited for the answer and was given up would ask for the page once more.
            section.click(timeout=1_000, no_wait_after=True)
        except TimeoutError:
            if more.is_visible():
                more.click()
        else:
            expect(sections.locator("[aria-current]").filter(has_text=name)).to_be_attached()
            return
    raise AssertionError(f"no section {name} to be clicked")
