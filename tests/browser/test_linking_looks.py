"""What stands where on the linking page: the tools, the bar's last button, a card's sheet."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.linking_page import NAMESAKES, card, choice, make_cards, open_cards, open_queue
from tests.browser.practice_page import LAPTOP
from tests.browser.screenshots import keep_screenshot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def box(place: Locator) -> dict[str, float]:
    found = place.bounding_box()
    assert found is not None
    return found


def padding(page: Page, act: str) -> str:
    button = page.locator(f"[data-part=bar] [data-act={act}]")
    return button.evaluate("button => getComputedStyle(button).paddingInline")


def test_all_piles_stays_at_the_edge_and_the_last_button_is_like_those_beside_it(page):
    page.set_viewport_size(LAPTOP)
    open_queue(page, make_cards(*NAMESAKES))
    every = page.get_by_role("button", name="All piles")
    early = page.get_by_role("button", name="Submit early")
    before = box(every)
    edge = box(page.locator(".linking-tools"))
    assert before["x"] + before["width"] == pytest.approx(edge["x"] + edge["width"], abs=1)
    assert box(early)["x"] < before["x"]
    assert padding(page, "submit") == padding(page, "report")  # Later
    page.keyboard.press("n")
    page.keyboard.press("Home")
    assert padding(page, "submit") == padding(page, "report")  # Next undecided
    page.keyboard.press("Enter")
    for _ in range(4):
        page.keyboard.press("n")
    expect(early).to_be_hidden()
    assert box(every) == before
    # All that scrolls by itself cuts off what lies outside it.
    page.keyboard.press("Tab")
    summary = page.locator(".queue-finished summary")
    summary.focus()
    expect(summary).to_be_focused()
    ring = summary.evaluate("part => parseFloat(getComputedStyle(part).outlineOffset)")
    assert ring < 0
    keep_screenshot(page)


def test_on_a_phone_all_piles_say_the_question_as_small_and_a_sheet_cuts_nothing(phone):
    open_queue(phone, make_cards(*NAMESAKES))
    question = phone.locator(".linking-question")
    size = question.evaluate("part => getComputedStyle(part).font")
    phone.get_by_role("button", name="All piles").tap()
    expect(phone.locator("[data-card]").first).to_be_visible()
    assert question.evaluate("part => getComputedStyle(part).font") == size
    card(phone, "Tobias Quill").tap()
    keep = choice(phone, "Keep this pile in focus")
    expect(keep).to_be_visible()
    keep_screenshot(phone)
    notes = phone.locator("mark-menu .soft", has_text="To the Vessa Courier")
    assert notes.count() == 2
    for note in notes.all():
        assert note.evaluate("part => part.scrollWidth <= part.clientWidth")
    side = choice(phone, "Side by side").locator("bdi")
    assert box(keep.locator("bdi"))["height"] == box(side)["height"]  # one line


def test_in_all_piles_of_a_laptop_the_tools_stay_at_the_edge(page):
    page.set_viewport_size(LAPTOP)
    open_cards(page, make_cards(*NAMESAKES))
    one = page.get_by_role("button", name="One card at a time")
    before = box(one)
    for _ in range(5):
        page.keyboard.press("n")
    expect(page.get_by_role("button", name="Submit early")).to_be_hidden()
    assert box(one)["x"] == before["x"]
