"""The two names of a pair where the text is longer than its window: one is in sight, and something
leads to the other."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import violations
from tests.browser.entity_page import expect_all_done, message
from tests.browser.page_time import stop_clock
from tests.browser.practice_page import LAPTOP, PHONE, fits
from tests.browser.relation_page import (
    ada_and_london,
    charles_and_cambridge,
    evidence,
    make_far,
    make_pairs,
    open_pair,
    press,
    relations_of,
    rest,
    settle,
    span,
    to_verify,
)
from tests.browser.screenshots import keep_screenshot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SUBJECT, OBJECT = ('[data-mention="subject"]', '[data-mention="object"]')


def heights(page: Page, name: str) -> list[float]:
    """How far below the edge of the text's window a name stands, and how high that is."""
    view, mark = page.locator(".passage").bounding_box(), page.locator(name).bounding_box()
    return [mark["y"] - view["y"], view["height"]]


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
@pytest.mark.parametrize("words", [30, 45, 60, 75, 150])
def test_however_far_apart_the_names_are_the_first_is_seen_with_its_type(page, size, words):
    page.set_viewport_size(size)
    open_pair(page, make_far(words, schema=relations_of(25)))
    settle(page)
    first, high = heights(page, SUBJECT)
    second, _ = heights(page, OBJECT)
    assert first > 16  # the type above it takes so much
    if second > high - 30:  # both have no room: the first is in the first line
        assert first < 30


def test_a_sign_at_the_edge_of_the_text_or_the_question_leads_to_a_name_out_of_sight(page):
    page.set_viewport_size(LAPTOP)
    campaign = make_far(400, after=160)
    open_pair(page, campaign)
    subject, obj = page.locator(SUBJECT), page.locator(OBJECT)
    signs = page.locator(".passage-sign")
    above, below = page.locator(".passage-signs:not(.is-below)"), page.locator(".is-below")
    expect(signs).to_have_text(["London"])
    expect(below).to_have_text("London")
    assert violations(page) == []
    press(page, "Tab", "Enter")  # and nothing is submitted
    expect(obj).to_be_in_viewport(ratio=1)
    expect(subject).not_to_be_in_viewport()
    settle(page)
    assert heights(page, OBJECT)[0] > 16
    expect(signs).to_have_text(["Ada Lovelace"])
    expect(above).to_have_text("Ada Lovelace")
    expect(page.locator("token-text")).to_be_focused()
    press(page, "Shift+ArrowRight", "e")  # from the name on
    assert evidence(page) == ["London ."]
    signs.click()
    expect(subject).to_be_in_viewport(ratio=1)
    expect(signs).to_have_text(["London"])
    page.locator("h3 .side-object").click()
    expect(obj).to_be_in_viewport(ratio=1)
    expect(message(page)).to_be_empty()
    # Jumped over, and never in sight.
    passage = page.locator(".passage")
    settle(page)
    passage.evaluate("one => { one.scrollTop = 0; }")
    expect(below).to_have_text("London")
    passage.evaluate("one => { one.scrollTop = one.scrollHeight; }")
    expect(above.locator("button")).to_have_count(2)
    # A sign that goes leaves the focus to the text.
    signs.first.focus()
    page.locator("h3 .side-subject").click()
    expect(signs).to_have_text(["London"])
    expect(page.locator("token-text")).to_be_focused()
    press(page, "1", "Enter")
    expect_all_done(page)


def test_on_a_phone_that_is_turned_signs_lead_to_names_and_the_question_is_near(phone):
    open_pair(phone, make_far(600, after=300))
    signs = phone.locator(".passage-sign")
    expect(signs).to_have_text(["London"])
    phone.set_viewport_size({"width": 844, "height": 390})
    expect(signs.last).to_have_text("London")
    settle(phone)
    # How far the text was scrolled decides whether the first name is in sight now.
    top, high = heights(phone, SUBJECT)
    expect(signs).to_have_text(["London"] if 0 < top < high else ["Ada Lovelace", "London"])
    assert phone.locator("h3.question-ask").bounding_box()["y"] < 390
    phone.set_viewport_size(PHONE)
    expect(signs.last).to_have_text("London")


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_signs_have_a_line_of_the_window_for_themselves_and_tell_of_a_name_below_them(page, size):
    page.set_viewport_size(size)
    open_pair(page, make_far(400, after=160))
    passage, signs = page.locator(".passage"), page.locator(".passage-sign")
    expect(signs).to_have_text(["London"])
    room, view = page.locator(".is-below").bounding_box(), passage.bounding_box()
    assert room["width"] >= view["width"] - 2  # no half of a line beside them
    assert abs(room["y"] + room["height"] - view["y"] - view["height"]) <= 1
    signs.click()
    expect(signs).to_have_text(["Ada Lovelace"])
    settle(page)
    lowest = page.locator(".passage-signs:not(.is-below)").bounding_box()["height"]
    assert heights(page, OBJECT)[0] >= lowest + 11  # its type stands above it
    keep_screenshot(page)
    line = "parseFloat(one.style.getPropertyValue('--text-line'))"
    passage.evaluate(f"one => one.scrollBy(0, {line})")
    expect(signs).to_have_text(["Ada Lovelace", "London"])
    keep_screenshot(page)


def test_who_scrolls_while_a_name_is_brought_into_sight_is_not_taken_back(page):
    """As on a phone whose frames are slow: here they wait for the clock."""
    page.set_viewport_size(LAPTOP)
    page.clock.install()
    open_pair(page, make_far(400, after=160))
    passage = page.locator(".passage")
    expect(page.locator(".passage-sign")).to_have_text("London")
    stop_clock(page)
    page.locator("h3 .side-object").click()
    expect(page.locator(OBJECT)).to_be_in_viewport(ratio=1)
    passage.hover()
    page.mouse.wheel(0, 90)
    expect(page.locator(".passage-sign")).to_have_count(2)
    stood = passage.evaluate("one => one.scrollTop")
    page.clock.run_for(1_000)
    assert passage.evaluate("one => one.scrollTop") == stood


def test_signs_of_two_long_names_share_the_edge_in_the_order_of_the_question(phone):
    names = ("Theodoros Konstantinidis", "Alexandroupolitis-Papadopoulos Brotherhood")
    text = f"{'It rained . ' * 40}{names[1]} pleased {names[0]} . {'It went on . ' * 80}"
    pair = {"subject": span(text, names[0], "PER"), "object": span(text, names[1], "ORG")}
    open_pair(phone, make_pairs(pair, text=text))
    settle(phone)
    phone.locator(".passage").evaluate("one => { one.scrollTop = 0; }")
    signs = phone.locator(".passage-sign")
    expect(signs).to_have_text(names)
    edge = phone.locator(".passage").bounding_box()
    keep_screenshot(phone)
    for sign in signs.all():
        box = sign.bounding_box()
        assert edge["x"] <= box["x"]
        assert box["x"] + box["width"] <= edge["x"] + edge["width"]


def test_who_looks_back_is_led_to_a_name_out_of_sight_and_changes_nothing(page):
    page.set_viewport_size(LAPTOP)
    open_pair(page, make_far(400))
    press(page, "1", "Enter")
    expect_all_done(page)
    page.get_by_role("button", name="My work").click()
    page.get_by_role("button", name="Look at your answer").click()
    sign = page.locator(".passage-sign")
    expect(sign).to_have_text(["London"])
    sign.click()
    expect(page.locator(OBJECT)).to_be_in_viewport(ratio=1)
    expect(sign).to_have_text(["Ada Lovelace"])


def test_a_claim_about_names_far_from_each_other_has_the_sign_too(phone):
    words = "rain fell and " * 300
    text = f"Ada Lovelace heard {words} left London ."
    open_pair(phone, make_pairs(to_verify(text), text=text))
    sign = phone.locator(".passage-sign")
    expect(sign).to_have_text("London")
    sign.tap()
    expect(phone.locator(OBJECT)).to_be_in_viewport(ratio=1)
    expect(sign).to_have_text("Ada Lovelace")
    assert fits(phone)
    keep_screenshot(phone)


def test_a_table_stays_as_it_is_from_pair_to_pair(page):
    text = "Ada Lovelace\tLondon\t1833\nCharles Babbage\tCambridge University\t1840"
    open_pair(page, make_pairs(ada_and_london(text), charles_and_cambridge(text), text=text))
    expect(page.locator(".row-columns")).to_have_count(2)
    shown = page.locator("token-text").text_content()
    assert "Ada Lovelace   " in shown  # blanks are drawn before a tab
    page.evaluate("window.text = document.querySelector('token-text')")
    rest(page)
    press(page, "n", "Enter")
    expect(page.get_by_role("heading", name="How is Charles Babbage related")).to_be_visible()
    assert page.evaluate("window.text === document.querySelector('token-text')")
