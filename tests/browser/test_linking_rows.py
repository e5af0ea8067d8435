"""The piles beside a card, as rows and as tiles."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.linking_page import LONG, harbour_cards, make_cards, open_queue
from tests.browser.screenshots import keep_screenshot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def edges(place):
    """Of an element in px: left, top, right, bottom."""
    return place.evaluate("it => { const { left, top, right, bottom } = it.getBoundingClientRect();"
                          "return [left, top, right, bottom]; }")  # fmt: skip


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_the_tiles_of_finished_piles_are_buttons_apart_from_each_other(page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_queue(page, make_cards(*harbour_cards(30)))
    for key in ["&", "Enter", *"nnsn"]:  # the first is doubted
        page.keyboard.press(key)
    page.locator(".queue-finished summary").click()
    tiles = page.locator(".queue-finished .queue-row")
    expect(tiles.first).to_have_css("border-bottom-width", "1px")
    (_, top, right, bottom), beside, below = (edges(tiles.nth(i)) for i in range(3))
    assert beside[0] - right >= 4
    assert (beside[1], beside[3]) == (top, bottom)  # as high as each other, whatever they say
    assert below[1] - bottom >= 4
    assert top - edges(page.locator(".queue-finished summary"))[3] >= 4
    keep_screenshot(page)


def test_a_tile_tells_its_name_from_its_doubt_and_breaks_between_them(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    open_queue(page, make_cards(*harbour_cards(30)))
    for key in ["&", "Enter", *"nnsn"]:
        page.keyboard.press(key)
    page.locator(".queue-finished summary").click()
    tile = page.locator(".queue-finished .queue-row", has_text="Unsure ?")
    name, doubt, size = (tile.locator(it) for it in [".queue-row-name", "small", ".queue-row-size"])
    assert edges(doubt)[0] - edges(name)[2] >= 3
    assert edges(size)[1] > edges(doubt)[1]  # the tile is too narrow for all three
    assert edges(size)[0] == edges(name)[0]


SAID = "It was told for years on both shores, by those who had been there and by others, that "


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (768, 1024), (1280, 800), (1920, 1080)])
def test_the_sentence_of_a_row_fills_it_and_shows_the_name(page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    early = ("Tobias Lanner", SAID + LONG.format("Tobias Lanner"), "Letter 1")
    late = ("Tobias Lanner", f"{SAID}the boats of the harbour had been lost by Tobias Lanner.", "2")
    open_queue(page, make_cards(early, late, ("Tobias Lanner", "Tobias Lanner.", "3")))
    if page.locator(".queue-name + p", has_text=SAID).count():
        page.keyboard.press("n")
        expect(page.locator(".queue-row-size").first).to_contain_text("1 card")
    for row in page.locator(".queue-row-sentence").all():
        left, _, right, _ = edges(row)
        _, _, end, _ = edges(row.locator("mark"))
        assert end <= right
        words = row.evaluate(
            "it => { const all = new Range(); all.selectNodeContents(it);"
            " return all.getBoundingClientRect().width; }"
        )
        if row.inner_text() != "Tobias Lanner.":
            assert words >= 0.75 * (right - left)
    keep_screenshot(page)


def test_a_doubt_is_said_where_no_narrow_row_cuts_it(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    title = "The Harbour Sun and Courier of the Islands, 15 May"
    open_queue(page, make_cards(*[("Tobias Lanner", LONG.format("Tobias Lanner"), title)] * 3))
    for key in ["&", "Enter", "n"]:
        page.keyboard.press(key)
    expect(page.locator(".queue-row small", has_text="Unsure ?")).to_have_text(
        re.compile("^Unsure")
    )
