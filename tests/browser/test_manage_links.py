"""A manager adds a link, copies it and ends another."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from annotation.actions import links
from annotation.actions.tokens import read_link
from tests.browser.accessible import violations
from tests.browser.manage_page import LAPTOP, PHONE, log_in_at_once
from tests.factories import make_campaign, make_member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def look(page: Page) -> None:
    for size, scheme in ((PHONE, "dark"), (LAPTOP, "light")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        page.evaluate("document.querySelector('#link').scrollIntoView()")
        assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
        assert violations(page) == []


def test_a_link_is_added_and_another_ended(page):
    campaign = make_campaign(name="Names in old papers")
    links.create_link(campaign, note="Leaflets at the fair")
    log_in_at_once(page, make_member(campaign.project).user)
    page.goto(f"/manage/campaigns/{campaign.slug}/settings/")
    section = page.get_by_role("region", name="Links for workers")
    section.get_by_text("New link…").click()
    section.get_by_label("For one worker").fill("anna")
    section.get_by_label("Ends").fill("2099-01-31T18:00")
    look(page)
    section.get_by_role("button", name="Create link").click()
    expect(page.get_by_text("There is a new link for anna.")).to_be_visible()
    token = section.get_by_label("For anna").input_value().split("/")[-2]
    assert (read_link(token).worker, read_link(token).number) == ("anna", 3)

    row = section.get_by_role("listitem").filter(has_text="Leaflets")
    row.get_by_text("End link…").click()
    look(page)
    row.get_by_role("button", name="End link for Leaflets at the fair").click()
    expect(page.get_by_text("The link for Leaflets at the fair has ended.")).to_be_visible()
    section.get_by_text("Links that have ended").click()
    look(page)
    assert links.live_links(campaign).count() == 2
