"""Doubt is data: one key marks what one is at, or the whole answer, as unsure."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Response
from tests.browser.accessible import violations
from tests.browser.each_interface import KINDS
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import message, tried_page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PARTS = {"entity": "m", "linking": "m"}  # what a part's name begins with, where there are parts


@pytest.fixture
def page(browser, live_server) -> Iterator[Page]:
    with tried_page(browser, live_server.url) as page:
        page.clock.install()
        yield page


@pytest.mark.parametrize(
    ("name", "width"), [("entity", 1280), ("relation", 1280), ("linking", 390), ("choice", 390)]
)
def test_what_is_unsure_goes_with_the_answer(page, name, width):
    kind = KINDS[name]
    page.set_viewport_size({"width": width, "height": 844})
    kind.open(page, kind.make())
    first, second = kind.steps
    first(page)
    if name == "linking":
        second(page)
    unsure = page.locator("[data-act=doubt]")
    expect(unsure).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("&")
    expect(unsure).to_have_text("Unsure: 1&")
    expect(message(page)).to_contain_text("is marked as unsure.")
    page.get_by_label("Why, if you like").fill("It may be a ship.")
    page.clock.run_for(2_000)
    keep_screenshot(page)
    # A draft keeps it.
    page.reload()
    kind.expect_ready(page)
    expect(unsure).to_have_text("Unsure: 1&")
    page.clock.resume()  # axe sets timers
    assert violations(page) == []
    page.locator("[data-act=submit]").click()
    kind.expect_second(page)
    expect(unsure).to_have_text("Unsure&")
    (doubt,) = Response.objects.get().answer["doubts"]
    assert doubt["note"] == "It may be a ship."
    assert (doubt["at"] or "").startswith(PARTS.get(name, ""))
    assert (doubt["at"] is None) == (name not in PARTS)
