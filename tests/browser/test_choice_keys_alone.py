"""A choice by keys alone: where the focus is, what Enter means there, and what scrolls."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from annotation.actions.tokens import campaign_link
from tests.browser.choice_page import (
    HELD,
    after,
    chosen,
    expect_shown,
    held,
    make_choices,
    open_choice,
    option,
    rest,
)
from tests.browser.practice_page import PHONE, go_on, practise
from tests.browser.test_choice_layout import bar_top, bottom
from tests.browser.work_frame import button

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "They walked on. " * 120
LONG_PAIR = {"pair": [{"title": title, "text": LONG} for title in ("Story", "Claim")]}


def submit_by_hand(page: Page) -> None:
    page.get_by_label("Go on after each answer").uncheck()


def test_the_focus_goes_to_the_answer_that_a_key_has_chosen(page):
    """Enter would take the other one, where the line says that it hands in."""
    campaign = make_choices()
    open_choice(page, campaign)
    submit_by_hand(page)
    option(page, "Green").focus()
    page.keyboard.press("3")
    expect(option(page, "Blue")).to_be_focused()
    expect(held(page)).to_have_text("Blue. Enter hands it in.")
    page.keyboard.press("Enter")
    expect_shown(page, "A leaf.")
    assert chosen(campaign) == ["Blue"]


def test_what_hands_in_is_told_where_enter_means_something_else(page):
    campaign = make_choices()
    open_choice(page, campaign)
    submit_by_hand(page)
    page.keyboard.press("3")
    expect(held(page)).to_have_text("Blue. Enter hands it in.")
    for place in (option(page, "Green"), page.locator("[data-act=undo]")):
        place.focus()
        expect(held(page)).to_have_text("Blue. Ctrl Enter hands it in.")
    for place in (option(page, "Blue"), page.locator("[data-act=submit]")):
        place.focus()
        expect(held(page)).to_have_text("Blue. Enter hands it in.")
    option(page, "Green").focus()
    page.keyboard.press("Control+Enter")
    expect_shown(page, "A leaf.")
    assert chosen(campaign) == ["Blue"]


def test_keys_of_the_page_are_heard_on_the_tick_too(page):
    """Where the focus stays once it was pressed: what is written of a doubt would else be keys."""
    open_choice(page, make_choices())
    submit_by_hand(page)
    tick = page.get_by_label("Go on after each answer")
    expect(tick).to_be_focused()
    page.keyboard.press("&")
    expect(page.locator(".doubt-note")).to_be_focused()
    tick.focus()
    for key, name in ((">", "Skip this task"), ("!", "Report this task"), ("?", "Help")):
        page.keyboard.press(key)
        expect(page.get_by_role("heading", name=name)).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(tick).to_be_focused()


def test_below_a_dialog_a_key_chooses_nothing(page):
    """Past its last button Tab leaves it."""
    campaign = make_choices()
    open_choice(page, campaign)
    page.keyboard.press(">")
    expect(page.get_by_role("heading", name="Skip this task")).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("1")
    expect(held(page)).to_have_text("")
    expect(page.locator(".choice-panel [aria-pressed=true]")).to_have_count(0)
    after(page, 10 * HELD)
    assert chosen(campaign) == []


def test_the_menu_closes_once_tab_has_left_it(page):
    """It lies over the answers."""
    page.set_viewport_size({"width": 1280, "height": 800})
    open_choice(page, make_choices())
    menu = page.locator("[data-part=menu]")
    menu.press("Enter")
    expect(menu).to_have_attribute("aria-expanded", "true")
    button(page, "Help").focus()
    expect(menu).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Tab")
    expect(menu).to_have_attribute("aria-expanded", "false")


@pytest.mark.parametrize("place", ["More below", "Green"])
def test_a_paper_scrolls_wherever_the_focus_is(page, place):
    page.set_viewport_size(PHONE)
    open_choice(page, make_choices(LONG))
    page.get_by_role("button", name=place).focus()
    paper = page.locator(".choice-text")
    page.keyboard.press("PageDown")
    assert paper.evaluate("one => one.scrollTop") > 100
    page.keyboard.press("Home")
    assert paper.evaluate("one => one.scrollTop") == 0
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="More below")).to_be_hidden()


def test_whoever_goes_to_the_end_of_a_pair_at_once_is_led_back_to_the_end_that_they_passed(page):
    """Nothing is more below there."""
    page.set_viewport_size(PHONE)
    campaign = make_choices(LONG_PAIR)
    open_choice(page, campaign)
    rest(page)
    page.keyboard.press("End")
    more = page.locator(".choice-more > button")
    expect(more).to_have_text("More above ↑")
    page.keyboard.press("Home")
    expect(more).to_have_text("More below ↓")
    page.keyboard.press("End")
    expect(more).to_have_text("More above ↑")
    page.keyboard.press("2")
    expect(page.locator("[data-part=message]")).to_contain_text("not seen the end")
    more.press("Enter")
    expect(page.locator(".choice-end").first).to_be_in_viewport()
    expect(more).to_be_hidden()
    expect(held(page)).to_have_text("Green. Enter hands it in.")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All done for now")).to_be_visible()
    assert chosen(campaign) == ["Green"]


@pytest.mark.parametrize("size", [(390, 844), (844, 390)], ids=["phone", "turned"])
def test_tab_leads_to_no_answer_under_the_bar_or_at_the_edge(page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    names = [f"Subject number {n}" for n in range(30)]
    open_choice(page, make_choices("One.", options={"choices": names}))
    end = bar_top(page) if size[1] > 416 else size[1]
    for name in names:
        page.keyboard.press("Tab")
        place = option(page, name).first
        expect(place).to_be_focused()
        box = place.bounding_box()
        assert box["y"] + box["height"] + 4 <= end


def test_a_pair_that_fills_a_phone_shows_its_whole_ring(page):
    page.set_viewport_size(PHONE)
    open_choice(page, make_choices(LONG_PAIR))
    page.keyboard.press("Tab")
    paper = page.locator(".choice-pair")
    expect(paper).to_be_focused()
    expect(paper).to_have_css("outline-style", "solid")
    expect(paper).to_have_css("outline-offset", "-4px")


def test_in_a_narrow_window_with_a_mouse_answers_show_their_keys(page):
    """As one that is enlarged to 400 % is."""
    page.set_viewport_size(PHONE)
    open_choice(page, make_choices())
    for name, key in (("Red", "1"), ("Blue", "3"), ("Can’t tell", "U")):
        cap = option(page, name).locator(".key")
        expect(cap).to_have_text(key)
        expect(cap).to_be_visible()
    expect(page.locator("[data-press=note] .key")).to_be_visible()


def test_a_narrow_dialog_parts_no_key_from_its_button_and_no_reason_from_its_tick(page):
    page.set_viewport_size(PHONE)
    open_choice(page, make_choices())
    page.keyboard.press("!")
    cancel = page.get_by_role("dialog").get_by_role("button", name="Cancel")
    expect(cancel.locator(".key")).to_be_visible()
    assert cancel.bounding_box()["height"] < 1.8 * cancel.locator(".key").bounding_box()["height"]
    for reason in page.locator(".reasons div > label").all():
        expect(reason).to_have_css("display", "flex")  # a second line begins where the first does


def test_a_finger_is_shown_no_key_of_an_answer(phone):
    phone.goto(f"/join/{campaign_link(make_choices())}/")
    expect(option(phone, "Red")).to_be_visible()
    expect(option(phone, "Red").locator(".key")).to_be_hidden()


def test_the_ring_of_the_first_of_two_buttons_that_touch_is_whole(page):
    page.set_viewport_size(PHONE)
    open_choice(page, make_choices())
    page.keyboard.press("1")
    page.keyboard.press("2")
    undo = page.locator("[data-act=undo]")
    undo.focus()
    expect(undo).to_have_css("z-index", "1")


def test_paper_ends_above_the_bar_in_the_half_minute_and_below_what_practice_says(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    known = {"choice": "Blue", "value": None, "unsure": False, "note": ""}
    campaign = practise(make_choices("The sky."), known)
    page.clock.install()
    page.goto(f"/join/{campaign_link(campaign)}/")
    button(page, "Try it yourself").click()
    expect(page.get_by_role("heading", name="Try it: half a minute").first).to_be_visible()
    assert bottom(page, ".choice-stimulus") < bar_top(page)
    page.reload()
    button(page, "Start practice").click()
    expect(page.locator(".choice-task")).to_be_focused()
    page.clock.fast_forward(HELD)
    page.keyboard.press("1")
    page.clock.fast_forward(HELD)
    expect(page.locator("[data-part=feedback-title]")).to_have_text("Not right")
    assert bottom(page, ".choice-stimulus") < bar_top(page)
    go_on(page)


@pytest.mark.parametrize("place", ["Try it yourself", "I have worked here before"])
def test_on_the_first_page_of_a_phone_tab_leads_to_nothing_under_the_bar(page, place):
    page.set_viewport_size(PHONE)
    known = {"choice": "Blue", "value": None, "unsure": False, "note": ""}
    page.goto(f"/join/{campaign_link(practise(make_choices('The sky.'), known))}/")
    led = button(page, place)
    for _ in range(9):
        page.keyboard.press("Tab")
        if led.evaluate("one => one === document.activeElement"):
            break
    expect(led).to_be_focused()
    box, bar = (place.bounding_box() for place in (led, page.locator(".first-page > .work-bar")))
    assert box["y"] + box["height"] + 4 <= bar["y"]
