"""A task of cards from the first to the last, and what is asked on the way."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.entity_page import expect_all_done, message, sent
from tests.browser.linking_page import (
    asked,
    make_cards,
    open_cards,
    open_queue,
    pile_row,
    queued,
)
from tests.browser.work_frame import expect_kept

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("width", [1280, 390])
def test_one_card_after_the_other(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.clock.install()
    campaign = make_cards(pay_mills=100)
    open_queue(page, campaign)
    button = page.locator("[data-act=submit]")
    place = page.locator("[data-part=place]")
    expect(place).to_have_text("0 of 6 cards")
    expect(page.locator("[data-part=pay]")).to_have_text("Tasks: 0 of 1 · $0.10 a task")
    expect(button).to_have_text(re.compile("^Later"))
    assert page.evaluate("document.documentElement.scrollHeight") < 1_600  # no grid of cards
    # Enter looks at the next card; what it leaves comes again after the others.
    expect(queued(page)).to_have_text("Mr Gray")
    page.keyboard.press("Enter")
    expect(queued(page)).to_have_text("Freddie Gray")
    expect(place).to_have_text("0 of 6 cards")
    # The likeliest pile is S, and its row says why.
    row = page.locator(".queue-row").first
    expect(row).to_contain_text("Freddie Grey")
    expect(row).to_contain_text("both have “Freddie”")
    page.keyboard.press("s")
    expect(message(page)).to_have_text(
        "“Freddie Gray” added to “Freddie Grey”. Cards 2 and 3 are decided."
    )
    expect(place).to_have_text("2 of 6 cards")
    # A button, and a click on a row.
    expect(queued(page)).to_have_text("Baltimore City")
    page.get_by_role("button", name="New pile").click()
    expect(queued(page)).to_have_text("Baltimore")
    pile_row(page, "Baltimore City").click()
    expect(queued(page)).to_have_text("Ruth Okafor")
    # A pile that no undecided card is like is folded away.
    expect(page.locator(".queue-finished summary")).to_have_text("Finished: 1 pile · 2 cards")
    assert page.locator(".queue-cell").evaluate_all("all => all.map((each) => each.title)") == [
        "1: left for later", "2: decided", "3: decided", "4: decided", "5: decided", "6: undecided",
    ]  # fmt: skip
    # To hand in early asks once, with what is missing and what it brings; Enter leads back.
    page.get_by_role("button", name="Submit early").click()
    expect(asked(page)).to_contain_text("2 of 6 cards are still undecided and won’t count.")
    expect(asked(page)).to_contain_text("brings $0.067 of $0.10")
    page.clock.run_for(900)
    page.get_by_role("button", name="Submit early").click()  # no answer: it leads to the question
    expect(page.get_by_role("button", name="Go on deciding")).to_be_focused()
    page.keyboard.press("Enter")
    expect(asked(page)).to_have_count(0)
    expect(page.locator(".queue-card")).to_be_focused()
    expect(queued(page)).to_have_text("Ruth Okafor")  # which is undecided itself
    page.keyboard.press("Enter")
    expect(queued(page)).to_have_text("Mr Gray")
    expect(pile_row(page, "Freddie Gray")).to_contain_text("2 cards")
    expect(pile_row(page, "Freddie Gray")).to_contain_text("2 documents")
    # A draft keeps it; a digit is a row.
    page.clock.run_for(2_000)
    expect(page.locator("[data-part=bar] [data-part=saved]")).to_contain_text("Saved")
    expect_kept(page)
    page.reload()
    expect(place).to_have_text("4 of 6 cards")
    expect(queued(page)).to_have_text("Mr Gray")
    page.keyboard.press("1")
    expect(queued(page)).to_have_text("Ruth Okafor")
    # The last one has no later: what Enter does is asked first.
    expect(button).to_have_text(re.compile("^Submit"))
    page.keyboard.press("Enter")
    expect(asked(page)).to_contain_text("1 of 6 cards is still undecided and won’t count.")
    page.keyboard.press("u")
    expect(page.locator(".queue-card")).to_be_focused()
    expect(message(page)).to_contain_text("All cards are decided. Submit them.")
    expect(button).to_have_text(re.compile("^Submit"))
    page.keyboard.press("Enter")
    expect_all_done(page)
    assert sent(campaign) == [
        {
            "clusters": [
                {"link": None, "mentions": ["m0", "m2", "m3"]},
                {"link": None, "mentions": ["m1", "m4"]},
            ],
            "unsure": ["m5"],
            "undecided": [],
        }
    ]


def test_what_each_card_was_put_to_is_not_asked_about(page):
    campaign = make_cards()
    open_cards(page, campaign)
    for _ in range(6):
        page.keyboard.press("n")
    page.keyboard.press("Enter")
    expect_all_done(page)
    assert [len(each["mentions"]) for each in sent(campaign)[0]["clusters"]] == [1] * 6
    assert sent(campaign)[0]["undecided"] == []
