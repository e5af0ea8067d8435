"""The piles beside a card, as rows and as tiles."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.entity_page import message
from tests.browser.linking_page import (
    LONG,
    NAMESAKES,
    harbour_cards,
    make_cards,
    open_queue,
    pile_row,
    piles,
    queued,
    rows,
    same,
)
from tests.browser.practice_page import LAPTOP
from tests.browser.screenshots import keep_screenshot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ROW_NAMES = "rows => rows.map((row) => row.querySelector('.queue-row-name').textContent)"


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
    if size[1] < 480:
        expect(page.locator(".queue-name")).to_have_css("font-size", "22px")  # its looks come late
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


def test_only_a_whole_name_is_marked_and_a_decided_card_stays_until_a_row_is_chosen(page):
    open_queue(page, make_cards(*NAMESAKES))
    # "Tobias Lanner" beside "Tobias": a part of the name.
    expect(page.locator(".queue-rows h3").first).to_have_text("Similar names")
    expect(page.locator(".queue-list [aria-current]")).to_have_count(0)
    expect(same(page)).to_have_class(re.compile("queue-decides"))
    # Which of several of that name it is.
    expect(same(page)).to_contain_text("Same as “Tobias” (To the Vessa Courier)")
    expect(rows(page).first).to_contain_text("both have “Tobias”")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".queue-rows h3").first).to_have_text("Likely the same")
    expect(page.locator(".queue-list [aria-current]")).to_have_count(1)
    expect(same(page)).to_have_class("button")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("s")
    expect(message(page)).to_contain_text("Cards 1 and 2 are decided.")
    page.keyboard.press("Home")
    before = piles(page)
    expect(same(page)).to_be_hidden()
    page.keyboard.press("s")
    expect(message(page)).to_have_text("This card is decided. To move it, choose another pile.")
    assert piles(page) == before
    expect(queued(page)).to_have_text("Tobias Lanner")
    state = page.locator(".queue-state")  # by its name, as wherever it is told
    expect(state).to_contain_text("It lies on the pile “Tobias Lanner”: 2 cards.")
    expect(state).to_contain_text("To move it, choose another pile.")
    pile_row(page, "Tobias Quill").click()
    expect(message(page)).to_contain_text("“Tobias Lanner” added to “Tobias Quill”.")


def test_a_row_says_what_is_not_decided_and_shows_the_sentence_that_fits_best(page):
    open_queue(page, make_cards(*NAMESAKES))
    expect(rows(page).first).to_contain_text("not decided yet")
    page.keyboard.press("s")  # Lanner and the first Tobias
    expect(queued(page)).to_have_text("Tobias")
    wrong = pile_row(page, "Tobias Lanner")
    expect(wrong).to_contain_text("same name · on 1 of 2 cards · To the Vessa Courier")
    expect(wrong).to_contain_text("Tobias came home late.")
    page.keyboard.press("n")
    expect(queued(page)).to_have_text("Tobias Quill")
    # Both piles have a "Tobias"; one has nothing else, and lies in the same document.
    assert rows(page).evaluate_all(ROW_NAMES)[:2] == ["Tobias", "Tobias Lanner"]


@pytest.mark.parametrize("how", ["key", "row"])
def test_who_always_takes_the_uppermost_row_of_the_name_gets_one_pile(page, how):
    """Though single cards of the same document are left, and one of the pile has a longer name."""
    names = ("Netherlands", "Netherlands", "The Netherlands", *["Netherlands"] * 9)
    cards = [(name, f"{name} agreed.", f"Letter {i // 4}") for i, name in enumerate(names)]
    open_queue(page, make_cards(*cards))
    page.keyboard.press("End")
    expect(queued(page)).to_have_text("The Netherlands")
    while page.locator(".linking-task[data-open]").count():
        if how == "key":
            page.keyboard.press("s")
        else:
            rows(page).first.click()
    page.keyboard.press("g")
    (pile,) = piles(page)
    assert pile.count("Netherlands") == 12


def test_one_pile_has_one_name_wherever_it_is_named(page):
    """On its row, on the button of S, in what is said of it, and where a card lies on it."""
    page.set_viewport_size(LAPTOP)
    open_queue(page, make_cards(*harbour_cards()))
    pattern = r"(“[^”]+”) \((The Harbour Sun, \d+ May)\)"
    compared = 0
    for _ in range(12):
        page.keyboard.press("s")
        expect(same(page)).to_be_visible()
        found = re.search(pattern, same(page).inner_text())
        if found is None:  # no other card has the name
            continue
        expect(rows(page).first).to_contain_text(found[2])
        page.keyboard.press("s")
        expect(message(page)).to_contain_text(f"added to {found[0]}.")
        page.keyboard.press("ArrowLeft")
        state = page.locator(".queue-state")
        expect(state).to_contain_text(f"It lies on the pile {found[1]}")
        assert re.search(pattern, state.inner_text() + found[0])[0] == found[0]
        page.keyboard.press("ArrowRight")
        compared += 1
    assert compared > 5


def test_on_a_phone_each_row_is_the_button(page):
    page.set_viewport_size({"width": 390, "height": 844})
    open_queue(page, make_cards(*NAMESAKES))
    expect(same(page)).to_be_hidden()
    first, bar = rows(page).first.bounding_box(), page.locator("[data-part=bar]").bounding_box()
    assert first["y"] + first["height"] < bar["y"]
    # It says what a tap does, and that the card is undecided.
    does = rows(page).first.locator(".queue-row-does").first
    expect(does).to_have_text("Same as ")
    expect(does).to_have_css("position", "static")
    mark = rows(page).first.locator(".queue-row-size")
    expect(mark).to_have_text("not decided yet")  # no box, which would be for a tick
    assert mark.bounding_box()["height"] < 25  # a line
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    rows(page).first.click()
    expect(message(page)).to_contain_text("“Tobias Lanner” added to “Tobias” (")


@pytest.mark.parametrize(
    ("name", "is_beside"),
    [("Donaudampfschifffahrtsgesellschaft", False), ("Tobias Ed Quill", True)],
)
def test_beside_a_word_that_needs_the_row_its_size_takes_a_line_of_its_own(page, name, is_beside):
    page.set_viewport_size({"width": 390, "height": 844})
    told = ("{} was seen.", "The Harbour Sun")
    open_queue(page, make_cards(*((name, told[0].format(name), told[1]) for _ in range(3))))
    row = rows(page).first
    named, size = row.locator(".queue-row-name"), row.locator(".queue-row-size")
    longest = max(name.split(), key=len)
    pieces = named.evaluate(
        """(named, word) => {
          const range = document.createRange(), text = named.firstChild;
          const from = text.data.indexOf(word);
          range.setStart(text, from);
          range.setEnd(text, from + word.length);
          return range.getClientRects().length;
        }""",
        longest,
    )
    assert pieces == 1  # it is not broken
    assert (edges(size)[1] < edges(named)[3]) == is_beside
    assert edges(size)[3] <= edges(row.locator("small"))[1] + 1
    assert edges(size)[2] <= edges(row)[2]
    keep_screenshot(page)
