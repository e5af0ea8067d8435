"""Back at a card that is decided: where it can go, and what its going leaves behind."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Correction
from tests.browser.entity_page import message, submit
from tests.browser.linking_page import (
    NAMESAKES,
    card,
    drag,
    make_cards,
    open_cards,
    open_queue,
    pile_row,
    piles,
    queued,
)
from tests.browser.screenshots import keep_screenshot
from tests.factories import make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FOUR = tuple((name, f"{name} was there.", "Letter") for name in ("Ada", "Bo", "Cy", "Di"))


def place(page: Page):
    return page.locator("[data-part=place]")


@pytest.mark.parametrize("how", ["drag", "keys"])
def test_a_card_that_was_put_on_a_pile_of_its_own_goes_back_to_that(page, how):
    open_cards(page, make_cards(*FOUR))
    card(page, "Ada").click()
    page.keyboard.press("n")
    expect(place(page)).to_have_text("1 of 4 cards")
    drag(page, card(page, "Bo"), card(page, "Ada"))
    expect(place(page)).to_have_text("2 of 4 cards")
    if how == "drag":
        drag(page, card(page, "Bo"), card(page, "Cy"))
    else:
        card(page, "Bo").click()
        page.keyboard.press("n")
    expect(message(page)).not_to_contain_text("undecided")
    left = {"drag": "3 of 4 cards", "keys": "2 of 4 cards"}[how]
    expect(place(page)).to_have_text(left)
    expect(card(page, "Ada").locator(".card-state")).to_have_text("on a pile of its own")
    # Undo and a reload know it too.
    with page.expect_response("**/draft/"):  # by then it is kept on the device too
        page.keyboard.press("Control+z")
    page.reload()
    expect(page.locator("[data-card]").first).to_be_visible()
    assert "= Ada, Bo" in piles(page)
    card(page, "Bo").click()
    page.keyboard.press("u")
    expect(message(page)).not_to_contain_text("undecided")
    expect(place(page)).to_have_text("2 of 4 cards")
    expect(card(page, "Ada").locator(".card-state")).to_have_text("on a pile of its own")


def test_in_a_correction_every_card_that_was_decided_stays_so(page):
    campaign = make_cards(*FOUR)
    make_task(campaign, payload=campaign.tasks.get().payload)
    open_cards(page, campaign)
    drag(page, card(page, "Bo"), card(page, "Ada"))
    for name in ("Cy", "Di"):
        card(page, name).click()
        page.keyboard.press("n")
    submit(page)
    expect(place(page)).to_have_text("0 of 4 cards")
    page.locator("[data-part=my-work]").click()
    page.locator("dialog li button").last.click()
    expect(page.locator("[data-part=feedback-title]")).to_be_visible()
    expect(place(page)).to_have_text("4 of 4 cards")
    card(page, "Bo").click()
    page.keyboard.press("n")
    expect(message(page)).not_to_contain_text("undecided")
    expect(place(page)).to_have_text("4 of 4 cards")
    # The button is called so too.
    page.keyboard.press("g")
    page.keyboard.press("u")
    expect(message(page)).to_contain_text("All cards are decided. Send the correction.")
    page.keyboard.press("Control+z")
    page.get_by_role("button", name="Send the correction").click()
    expect(message(page)).to_contain_text("Your correction counts")
    answer = Correction.objects.get().answer
    assert [len(pile["mentions"]) for pile in answer["clusters"]] == [1, 1, 1, 1]
    assert answer["undecided"] == []


@pytest.mark.parametrize("width", [1280, 390])
def test_a_decided_card_has_the_finished_piles_before_it_with_their_keys(page, width):
    page.set_viewport_size({"width": width, "height": 844})
    open_queue(page, make_cards(*NAMESAKES, *FOUR))
    finished = page.locator(".queue-finished")
    while queued(page).inner_text() != "Ada":
        page.keyboard.press("n")
    for _ in "nn":  # Ada and Bo
        page.keyboard.press("n")
    expect(finished).to_be_visible()
    expect(finished).not_to_have_attribute("open", "")
    expect(finished.locator("summary")).to_contain_text("Finished")
    page.keyboard.press("ArrowLeft")  # back to Bo
    expect(queued(page)).to_have_text("Bo")
    expect(page.locator(".queue-state")).to_contain_text("To move it, choose another pile.")
    expect(pile_row(page, "Ada")).to_be_visible()
    # All but the card's own, which the page says.
    expect(finished.locator("summary")).to_have_text(
        re.compile("^Other finished: 6 piles · 6 cards$")
    )
    keep_screenshot(page)
    # Folded by the worker it stays so, as long as they are there.
    finished.locator("summary").click()
    page.keyboard.press("&")
    expect(page.get_by_label("Why are you unsure? (optional)")).to_be_focused()
    page.keyboard.press("Enter")
    expect(finished).not_to_have_attribute("open", "")
    page.keyboard.press("Home")
    expect(finished).to_have_attribute("open", "")
    page.keyboard.press("Enter")  # to what is undecided
    expect(queued(page)).to_have_text("Cy")
    expect(finished).not_to_have_attribute("open", "")
    page.keyboard.press("ArrowLeft")
    key = pile_row(page, "Ada").locator(".key").text_content()
    page.keyboard.press(key)
    expect(message(page)).to_contain_text("“Bo” added to “Ada”.")


@pytest.mark.parametrize("key", ["n", "u"])
def test_finished_piles_are_the_other_ones_only_beside_one_that_is_finished(page, key):
    open_queue(page, make_cards(*FOUR[:1], *NAMESAKES[:3]))
    summary = page.locator(".queue-finished summary")
    while queued(page).inner_text() != "Ada":
        page.keyboard.press("Enter")
    page.keyboard.press("n")
    expect(queued(page)).not_to_have_text("Ada")
    first = queued(page).inner_text()
    page.keyboard.press(key)  # others are like this one
    expect(queued(page)).not_to_have_text(first)
    while queued(page).inner_text() != first:
        page.keyboard.press("ArrowLeft")
    expect(page.locator(".queue-state")).to_be_visible()
    expect(summary).to_have_text(re.compile("^Finished: 1 pile · 1 card$"))


def test_among_all_piles_a_pile_that_is_not_there_is_answered_in_words_for_them(page):
    open_cards(page, make_cards(*FOUR))
    page.keyboard.press("s")
    expect(message(page)).to_have_text(
        "No pile has a similar name. For somebody or something new, choose “New pile”."
    )
    page.keyboard.press("g")  # the device remembers how cards are shown
    open_cards(page, make_cards(*NAMESAKES))
    page.keyboard.press("9")
    expect(message(page)).to_have_text("There is no such pile. Choose from the menu.")
