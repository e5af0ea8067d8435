"""The relation page by keys alone in a narrow window, or zoomed: the keys are shown, and what has
the focus is covered by nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotation.actions.tokens import campaign_link
from tests.browser.entity_page import message
from tests.browser.late_parts import expect_looks
from tests.browser.practice_page import PHONE
from tests.browser.relation_page import (
    ada_and_london,
    answer,
    make_pairs,
    open_pair,
    press,
    relations_of,
    to_verify,
)
from tests.browser.screenshots import keep_screenshot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

RING = 4  # px around what has the focus
KEYS = "all => all.filter((one) => one.checkVisibility()).map((one) => one.textContent)"
PLACES = """all => all.map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
})"""
# Whether the corners of what has the focus, with its ring, lie over all that stays.
IS_CLEAR = f"""() => {{
  const {{ left, right, top, bottom }} = document.activeElement.getBoundingClientRect();
  const stays = ".work-head, .passage, .pins, .work-bar, .work-message, .chosen-line";
  const over = [...document.querySelectorAll(stays)]
    .filter((one) => one.checkVisibility() && !one.contains(document.activeElement))
    .map((one) => one.getBoundingClientRect());
  return over.every((one) => one.bottom <= top - {RING} || one.top >= bottom + {RING} ||
    one.right <= left || one.left >= right);
}}"""


@pytest.mark.parametrize("claim", [None, to_verify()], ids=["pair", "claim"])
def test_a_narrow_page_shows_the_key_of_each_answer_or_the_mark_in_its_place(page, claim):
    page.set_viewport_size(PHONE)
    open_pair(page, make_pairs(*[claim] if claim else []))
    keys = ["Y", "N", "U"] if claim else ["1", "2", "3", "4", "N", "U"]
    radios = page.locator(".question [role=radio]")
    assert radios.locator(".key").evaluate_all(KEYS) == keys
    before = radios.evaluate_all(PLACES)
    press(page, "n")
    left = [key for key in keys if key != "N"]
    shown = radios.locator(".key").evaluate_all(
        "all => all.filter((one) => getComputedStyle(one).visibility === 'visible')"
        ".map((one) => one.textContent)"
    )
    assert shown == left
    assert radios.evaluate_all(PLACES) == before
    keep_screenshot(page)


def test_the_offer_above_the_bar_of_a_narrow_page_shows_its_key(page):
    page.set_viewport_size(PHONE)
    open_pair(page, make_pairs())
    press(page, "1", "Shift+ArrowRight")
    expect(message(page).locator(".key")).to_be_visible()
    expect(message(page).locator(".key")).to_have_text("E")


def test_a_finger_is_shown_no_keys(phone):
    phone.goto(f"/join/{campaign_link(make_pairs())}/")
    expect(answer(phone, "was born in")).to_be_visible()
    assert phone.locator("[role=radio] .key").evaluate_all(KEYS) == []


def test_no_answer_of_a_narrow_board_is_covered_while_arrows_walk_them(page):
    """Neither by what is said, nor by the line about the one that is chosen."""
    page.set_viewport_size(PHONE)
    open_pair(page, make_pairs(ada_and_london(), schema=relations_of(25)))
    press(page, "Control+z")
    expect(message(page)).to_have_text("There is nothing to undo.")
    expect_looks(page)
    answer(page, "is 0 to").focus()
    for _ in range(24):
        press(page, "ArrowDown")
        assert page.evaluate(IS_CLEAR)
    keep_screenshot(page)
    answer(page, "is 0 to").focus()
    press(page, "Space")
    for _ in range(12):
        press(page, "ArrowDown")
    expect(page.locator(".chosen-line")).to_be_visible()
    assert page.evaluate(IS_CLEAR)


def test_the_key_of_an_answer_that_stays_in_sight_scrolls_no_board(page):
    page.set_viewport_size(PHONE)
    open_pair(page, make_pairs(ada_and_london(), schema=relations_of(25)))
    press(page, "n")
    expect(answer(page, "No relation")).to_be_checked()
    assert page.evaluate("scrollY") == 0
    press(page, "s")  # the last of 25 comes into sight
    assert page.evaluate("scrollY") > 0
    expect(answer(page, "is 24 to")).to_be_in_viewport()


@pytest.mark.parametrize("width", [390, 1280])
def test_tab_comes_to_the_filter_before_the_answers_below_it(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    open_pair(page, make_pairs(ada_and_london(), schema=relations_of(25)))
    press(page, "Tab")
    expect(page.get_by_label("Filter relations")).to_be_focused()
    press(page, "Tab")
    expect(answer(page, "is 0 to")).to_be_focused()


def test_the_verdict_that_tab_comes_to_is_seen_with_the_words_of_its_row(page):
    page.set_viewport_size(PHONE)
    open_pair(page, make_pairs(to_verify()))
    press(page, "n")
    expect_looks(page)
    for keys in (["Tab"] * 7, ["Shift+Tab"] * 5):
        for key in keys:
            press(page, key)
            assert page.evaluate(IS_CLEAR)
            covered = page.evaluate(
                """() => {
                  const row = document.activeElement.closest(".claim");
                  const words = row?.querySelector(".question-ask");
                  const text = document.querySelector(".passage").getBoundingClientRect();
                  return words ? words.getBoundingClientRect().top < text.bottom : false;
                }"""
            )
            assert not covered
    keep_screenshot(page)
