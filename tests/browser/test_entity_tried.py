"""What newcomers stopped at who tried the entity page: nothing moves, hides or goes on unsaid."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.entity_page import choice, drag, make_story, message, open_task, token

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_the_type_of_a_mark_that_ends_in_figures_stands_behind_it_in_arabic(page):
    open_task(page, make_story("وصلت في 1887", text_direction="rtl", language="ar"))
    token(page, 2).click()
    press(page, "p")
    mark = page.locator("mark.mention")
    isolation = mark.evaluate("one => getComputedStyle(one, '::after').unicodeBidi")
    assert isolation == "isolate"


def test_no_type_moves_when_another_is_held(page):
    page.set_viewport_size(LAPTOP)
    open_task(page, make_story())
    rows = page.locator(".palette-type")
    tops = "all => all.map((one) => one.getBoundingClientRect().top)"
    before = rows.evaluate_all(tops)
    rows.first.click()
    expect(rows.first).to_have_attribute("aria-pressed", "true")
    assert rows.evaluate_all(tops) == before


def test_what_is_offered_begins_where_its_message_does_on_a_phone(page):
    page.set_viewport_size(PHONE)
    open_task(page, make_story("Ada met Ada and Ada in the old town . " * 2))
    token(page, 0).click()
    choice(page, "PER").click()
    offer = page.locator("offer-buttons button").first
    expect(offer).to_be_visible()
    start = message(page).evaluate("""one => one.getBoundingClientRect().left
      + parseFloat(getComputedStyle(one).paddingLeft)""")
    assert offer.bounding_box()["x"] == start
