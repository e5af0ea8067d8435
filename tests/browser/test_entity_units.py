"""What a click or a tap on one word takes: a figure with its sign, a whole time or date."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Campaign
from annotation.text.tokeniser import tokens_of
from tests.browser.entity_page import (
    choice,
    drag,
    expect_mentions,
    make_story,
    marked,
    menu,
    open_task,
    token,
)  # fmt: skip
from tests.browser.test_entity_palette import palette

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEXT = "On 1996-08-22, at 10:30, Ada paid $700 (or 50%, or US$ 4.1) to Bob, 15 % off."


def make_figures() -> Campaign:
    """With tokens as an import makes them."""
    campaign = make_story(TEXT)
    document = campaign.tasks.get().document
    document.tokens = tokens_of(document.text, "words")
    document.sentences = [[0, len(document.tokens)]]
    document.save()
    return campaign


def place(word: str) -> int:
    """The number of a token."""
    return next(
        i for i, (start, end) in enumerate(tokens_of(TEXT, "words")) if TEXT[start:end] == word
    )


def expect_selected(page: Page, words: str) -> None:
    expect(menu(page).locator(".mark-menu-title")).to_have_text(f"“{words}”")


def test_a_click_takes_a_figure_with_its_sign_and_a_whole_date(page):
    open_task(page, make_figures())
    for word, unit in (("$", "$700"), ("700", "$700"), ("50", "50%"), ("30", "10:30"),
                       ("4.1", "US$ 4.1"), ("US", "US$ 4.1"), ("15", "15 %"), ("08", "1996-08-22"),
                       ("Ada", "Ada")):  # fmt: skip
        token(page, place(word)).click()
        expect_selected(page, unit)
    token(page, place("08")).click()
    page.keyboard.press("Shift+ArrowLeft")  # its end, token by token
    expect_selected(page, "1996-08-")
    drag(page, place("08"), place("22"))  # as it was drawn
    expect_selected(page, "08-22")
    token(page, place("700")).click()
    choice(page, "ORG").click()
    token(page, place("$")).click()  # in the mention it means that
    choice(page, "Remove").click()
    expect_mentions(page, [])


def test_the_caret_box_stands_around_no_part_of_what_is_selected(page):
    open_task(page, make_figures())
    outline = "getComputedStyle(document.querySelector('.caret')).outlineStyle"
    page.keyboard.press("ArrowRight")  # from a key on it is seen
    page.wait_for_function(f"{outline} !== 'none'")
    token(page, place("700")).click()
    expect_selected(page, "$700")
    page.wait_for_function(f"{outline} === 'none'")
    token(page, place("Ada")).click()
    expect_selected(page, "Ada")
    page.wait_for_function(f"{outline} !== 'none'")
    token(page, place("700")).click()
    page.wait_for_function(f"{outline} === 'none'")
    page.keyboard.press("Escape")
    page.wait_for_function(f"{outline} !== 'none'")


def test_a_click_takes_no_part_of_what_is_marked(page):
    open_task(page, make_figures())
    drag(page, place("08"), place("22"))
    choice(page, "PER").click()
    token(page, place("1996")).click()
    expect_selected(page, "1996")
    choice(page, "ORG").click()
    expect_mentions(page, [("1996", "ORG"), ("08-22", "PER")])


def test_two_taps_take_whole_units_and_within_one_as_little_as_they_say(phone):
    open_task(phone, make_figures())
    token(phone, place("700")).tap()
    expect_selected(phone, "$700")
    token(phone, place("50")).tap()
    expect_selected(phone, "$700 (or 50%")
    token(phone, place("1996")).tap()
    expect_selected(phone, "1996-08-22")
    token(phone, place("1996")).tap()
    expect_selected(phone, "1996")


def test_with_the_pen_too_but_a_stop_alone_is_most_likely_a_slip(page):
    open_task(page, make_figures())
    palette(page, "PER").click()
    expect(palette(page, "PER")).to_have_attribute("aria-pressed", "true")
    token(page, place("700")).click()
    expect_mentions(page, [("$700", "PER")])
    for stop in (",", "("):
        token(page, place(stop)).click()
        expect(page.locator("edge-handles")).to_be_hidden()  # it is no longer about $700
        expect(menu(page)).to_be_hidden()
        assert marked(page) == [("$700", "PER")]
    expect(palette(page, "PER")).to_have_attribute("aria-pressed", "true")
    token(page, place("Bob")).click()
    expect_mentions(page, [("$700", "PER"), ("Bob", "PER")])
    page.keyboard.press("Escape")
    expect(palette(page, "PER")).to_have_attribute("aria-pressed", "false")
    token(page, place("(")).click()  # who means it
    expect_selected(page, "(")


def test_a_tap_with_the_pen_on_a_stop_marks_and_opens_nothing(phone):
    open_task(phone, make_figures())
    palette(phone, "PER").tap()
    expect(palette(phone, "PER")).to_have_attribute("aria-pressed", "true")
    token(phone, place(".")).tap()
    token(phone, place("Bob")).tap()
    expect_mentions(phone, [("Bob", "PER")])
    token(phone, place(".")).tap()
    expect(phone.locator("edge-handles")).to_be_hidden()
    expect(menu(phone)).to_be_hidden()
    assert marked(phone) == [("Bob", "PER")]
