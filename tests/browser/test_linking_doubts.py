"""Doubt on the linking page: which pile it is of, where it is seen, and what becomes of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Response
from tests.browser.accessible import violations
from tests.browser.entity_page import expect_all_done, message, submit
from tests.browser.linking_page import (
    LONG,
    NAMESAKES,
    card,
    make_cards,
    open_cards,
    open_queue,
    pile_row,
    queued,
)
from tests.browser.screenshots import keep_screenshot
from tests.factories import make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MARK = "Unsure ?"


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


@pytest.mark.parametrize("width", [1280, 390])
def test_what_is_doubted_is_the_card_in_sight_or_by_a_button_the_pile_made_last(page, width):
    page.set_viewport_size({"width": width, "height": 844})
    open_queue(page, make_cards(*NAMESAKES))
    first = queued(page).inner_text()
    press(page, "n")
    expect(queued(page)).not_to_have_text(first)  # the page has gone on
    title = page.locator(".queue-text > .soft").inner_text()
    here = f"“{queued(page).inner_text()}” ({title})"
    unsure = page.locator("[data-act=doubt]")
    press(page, "&")
    expect(unsure).to_have_attribute("data-parts", "1")
    expect(message(page)).to_contain_text(f"{here} is marked as unsure.")
    expect(page.locator(".queue-state")).to_have_text("You are unsure of it.")
    expect(page.get_by_label("Why are you unsure? (optional)")).to_be_focused()
    keep_screenshot(page)
    page.keyboard.type("Father or son?")
    page.get_by_role("button", name=f"No, I meant “{first}”").click()
    expect(message(page)).to_contain_text(f"“{first}” is marked as unsure.")
    expect(message(page).get_by_role("textbox")).to_have_value("Father or son?")
    expect(unsure).to_have_attribute("data-parts", "1")
    expect(pile_row(page, first)).to_contain_text(MARK)
    expect(page.locator(".queue-row", has_text=MARK)).to_have_count(1)
    keep_screenshot(page)
    # Once the worker looked elsewhere nothing else is offered.
    press(page, "Enter", "ArrowRight", "ArrowLeft", "&")
    expect(message(page)).to_contain_text(f"{here} is marked as unsure.")
    expect(message(page).get_by_role("button")).to_have_count(0)
    press(page, "Enter", "n", "ArrowLeft")
    expect(page.locator(".queue-state")).to_contain_text("You are unsure of it.")  # decided, too


def test_of_two_of_one_name_it_is_said_which(page):
    open_queue(page, make_cards(*NAMESAKES))
    while queued(page).inner_text() != "Tobias":
        press(page, "ArrowRight")
    title = page.locator(".queue-text > .soft").inner_text()
    press(page, "&")
    expect(message(page)).to_contain_text(f"“Tobias” ({title}) is marked as unsure.")


def test_my_work_says_too_which_of_two_of_one_name_was_doubted(page):
    campaign = make_cards(*NAMESAKES)
    make_task(campaign, payload=campaign.tasks.get().payload)
    open_queue(page, campaign)
    while page.locator(".linking-task[data-open]").count():
        title = page.locator(".queue-text > .soft").inner_text()
        if queued(page).inner_text() == "Tobias":
            press(page, "&", "Enter", "n")
            break
        press(page, "n")
    while page.locator(".linking-task[data-open]").count():
        press(page, "n")
    submit(page)
    expect(page.locator("[data-part=place]")).to_contain_text("0 of")
    page.locator("[data-part=my-work]").click()
    page.locator("dialog li button", has_text="Look at your answer").click()
    doubt = page.locator(".feedback-doubts li")
    expect(doubt).to_have_text(f"“Tobias” ({title})")
    expect(doubt).to_have_css("list-style-type", "disc")  # no circle, which would be for a choice
    keep_screenshot(page)


def test_a_note_of_doubt_scrolls_nothing(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    many = [(f"Tobias {n}", LONG.format(f"Tobias {n}"), f"Letter {n}") for n in range(20)]
    open_cards(page, make_cards(*many))
    press(page, "&")
    expect(page.locator(".doubt-note")).to_be_focused()
    page.keyboard.type("Names alike")
    assert page.evaluate("scrollY") == 0
    press(page, "Enter")
    expect(page.locator("[data-card]").first).to_be_focused()
    assert page.evaluate("scrollY") == 0


def test_a_doubted_pile_is_told_wherever_piles_are_listed(page):
    open_queue(page, make_cards(*NAMESAKES))
    press(page, "&")
    expect(message(page)).to_contain_text("is marked as unsure.")
    press(page, "Enter", "s", "g")
    band = page.locator(".pile", has_text=MARK)
    expect(band).to_have_count(1)
    assert band.get_attribute("aria-label").endswith(MARK)
    assert violations(page) == []
    keep_screenshot(page)
    # A card alone says so too, and the menu beside the cards.
    card(page, "Ruth Okafor").click()
    press(page, "&")
    expect(card(page, "Ruth Okafor").locator(".card-state")).to_contain_text(MARK)
    press(page, "&")
    expect(card(page, "Ruth Okafor").locator(".card-state")).not_to_contain_text(MARK)


def test_the_focus_stays_where_a_mark_draws_the_rows_anew(page):
    open_queue(page, make_cards(*NAMESAKES))
    press(page, "s")
    page.locator(".queue-row").first.focus()
    press(page, "&")
    expect(message(page)).to_contain_text("is marked as unsure.")
    press(page, "Enter")
    expect(page.locator(".queue-card")).to_be_focused()


def test_a_pile_of_two_is_split_with_a_word_and_undo_brings_all_back(page):
    campaign = make_cards(*NAMESAKES)
    open_queue(page, campaign)
    unsure = page.locator("[data-act=doubt]")
    press(page, "s", "Home", "&")
    expect(message(page)).to_contain_text("is marked as unsure.")
    page.get_by_label("Why are you unsure? (optional)").fill("Father and son?")
    press(page, "Enter")
    pile = page.locator(".queue-state").inner_text()
    press(page, "n")
    expect(message(page)).to_contain_text("is undecided again.")
    keep_screenshot(page)
    press(page, "Control+z", "Home")
    expect(page.locator(".queue-state")).to_have_text(pile)
    expect(unsure).to_have_attribute("data-parts", "1")
    press(page, "Enter")  # to the first that is undecided
    while page.locator(".linking-task[data-open]").count():
        press(page, "n")
    submit(page)
    expect_all_done(page)
    (doubt,) = Response.objects.get().answer["doubts"]
    assert doubt["note"] == "Father and son?"
