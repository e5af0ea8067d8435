"""The relation page on a phone: what can be seen of it at once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from annotation.actions.tokens import campaign_link
from annotation.interfaces.schema import check_schema
from annotation.models import Campaign
from tests.browser.accessible import violations
from tests.browser.entity_page import message, submit
from tests.browser.relation_page import (
    READ,
    STORY,
    ada_and_london,
    make_pairs,
    relations_of,
    settle,
    span,
)
from tests.browser.screenshots import keep_screenshot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LARGE, SMALL = {"width": 390, "height": 844}, {"width": 360, "height": 640}
SIZES = pytest.mark.parametrize("size", [LARGE, SMALL], ids=["large", "small"])
LANGUAGES = ("en", "de", "es", "fr", "ar")
# Rows of the board of which neither edge lies under something else.
IN_SIGHT = """all => all.filter((one) => {
  const { left, top, bottom } = one.getBoundingClientRect();
  return [top + 2, bottom - 3].every((y) => one.contains(document.elementFromPoint(left + 60, y)));
}).length"""


def open_in(page: Page, campaign, language: str) -> None:
    page.goto(f"/join/{campaign_link(campaign)}/?language={language}")
    expect(page.locator("token-text")).to_be_focused()


@SIZES
def test_the_bar_is_one_row_with_its_words_in_each_language_and_cuts_nothing(phone, size):
    campaign = make_pairs()
    phone.set_viewport_size(size)
    for language in LANGUAGES:
        open_in(phone, campaign, language)
        buttons = phone.locator("[data-part=bar] button:visible")
        told = buttons.evaluate_all(
            "all => all.map((one) => [one.getBoundingClientRect().top,"
            " one.scrollWidth > one.clientWidth])"
        )
        assert len(told) == 6, language
        assert len({top for top, _ in told}) == 1, language
        assert not any(is_cut for _, is_cut in told), language
        for act in ("doubt", "skip", "report"):
            word = phone.locator(f"[data-act={act}] .wide")
            expect(word).to_be_in_viewport(ratio=1)
            assert word.bounding_box()["width"] > 9, (language, act)  # 1 px where it is only heard
        keep_screenshot(phone)


def make_many() -> Campaign:
    """A pair in a longer text, with 25 relations to choose from."""
    text = "It rained all the day . " * 9 + STORY + "And so it went on . " * 9
    return make_pairs(ada_and_london(text), text=text, schema=relations_of(25))


@SIZES
@pytest.mark.parametrize("language", ["en", "de"])
def test_three_of_many_relations_are_in_sight(phone, size, language):
    phone.set_viewport_size(size)
    open_in(phone, make_many(), language)
    assert phone.locator(".board .answer").evaluate_all(IN_SIGHT) >= 3
    expect(phone.locator(".pins .answer")).to_have_count(2)
    keep_screenshot(phone)


@SIZES
def test_what_was_filtered_or_pressed_is_seen_among_all_again(phone, size):
    phone.set_viewport_size(size)
    open_in(phone, make_many(), "en")
    chosen = phone.locator(".board [role=radio][aria-checked=true]")
    phone.keyboard.press("/")
    phone.keyboard.type("is 23")
    phone.keyboard.press("Enter")
    expect(chosen).to_contain_text("is 23 to")
    assert chosen.evaluate_all(IN_SIGHT) == 1
    keep_screenshot(phone)
    phone.keyboard.press("1")
    expect(chosen).to_contain_text("is 1 to")
    assert chosen.evaluate_all(IN_SIGHT) == 1


def test_of_many_relations_the_chosen_one_is_told_while_it_is_out_of_sight(phone):
    open_in(phone, make_many(), "en")
    line, pins = phone.locator(".chosen-line"), phone.locator(".pins .answer")
    expect(line).to_be_hidden()
    before = pins.first.bounding_box()
    chosen = phone.locator(".board .answer", has_text="is 23 to")
    chosen.tap()
    expect(line).to_be_hidden()
    phone.evaluate("scrollTo(0, 0)")
    expect(line).to_be_visible()
    expect(line).to_contain_text("is 23 to")
    assert line.bounding_box()["height"] >= 44
    assert pins.first.bounding_box() == before
    assert violations(phone) == []
    keep_screenshot(phone)
    line.tap()
    expect(line).to_be_hidden()
    assert chosen.evaluate_all(IN_SIGHT) == 1
    phone.evaluate("scrollTo(0, 0)")
    expect(line).to_be_visible()
    pins.first.tap()  # none of the many
    expect(line).to_be_hidden()
    # At the end of the list it lies over none of them.
    phone.locator(".board .answer", has_text="is 1 to").tap()
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(line).to_be_visible()
    last = phone.locator(".board .answer").last.bounding_box()
    assert last["y"] + last["height"] <= line.bounding_box()["y"]


def test_what_is_said_hides_none_of_the_answers_that_stay(phone):
    open_in(phone, make_many(), "en")
    phone.wait_for_timeout(READ)
    submit(phone)
    expect(message(phone)).to_contain_text("“Can’t tell” counts as one.")
    expect(phone.locator(".pins")).to_have_css("--said", re.compile(r"[1-9]\d*px"))
    pins = phone.locator(".pins").bounding_box()
    assert pins["y"] + pins["height"] <= message(phone).bounding_box()["y"] + 1


def test_the_filter_stands_above_what_it_filters_however_low_the_window_is(page):
    page.set_viewport_size({"width": 640, "height": 400})  # as at 200 % on a laptop
    open_in(page, make_many(), "en")
    field, board = page.locator(".relation-filter"), page.locator(".board")
    assert field.bounding_box()["y"] < board.bounding_box()["y"]


def test_the_text_takes_the_room_above_the_bar_and_cuts_no_line(phone):
    text = "It rained all the day . " * 9 + STORY + "And so it went on . " * 9
    open_in(phone, make_pairs(ada_and_london(text), text=text), "en")
    view = phone.locator(".passage")
    settle(phone)
    ask, bar = phone.locator(".ask").bounding_box(), phone.locator("[data-part=bar]").bounding_box()
    left = bar["y"] - ask["y"] - ask["height"]
    assert 0 <= left < 80  # less than two lines
    assert view.bounding_box()["height"] > 280
    cut = """one => {
      const line = parseFloat(getComputedStyle(one.querySelector(".row-text")).lineHeight);
      return [one.scrollTop % line, (one.clientHeight - 16) % line];
    }"""
    above, below = view.evaluate(cut)
    assert 3 < above < 9
    assert below < 8


def test_nothing_moves_once_the_task_is_shown(phone):
    phone.add_init_script(
        """window.seen = new Set();
        (function look() {
          const text = document.querySelector(".passage");
          if (text) seen.add(`${text.offsetHeight} px high, ${text.scrollTop} px scrolled`);
          requestAnimationFrame(look);
        })();"""
    )
    text = STORY + "And so it went on . " * 9
    open_in(phone, make_pairs(ada_and_london(text), text=text), "en")
    settle(phone)
    assert len(phone.evaluate("[...seen]")) == 1


@pytest.mark.parametrize("before", range(4))
def test_a_text_is_not_scrolled_by_a_few_pixels(phone, before):
    text = "So it was . " * before + STORY + "And so it went on . " * 3
    open_in(phone, make_pairs(ada_and_london(text), text=text), "en")
    more = phone.locator(".passage").evaluate("one => one.scrollHeight - one.clientHeight")
    assert more == 0 or more > 24


def test_a_second_line_of_an_answer_begins_below_its_words(phone):
    named = {"name": "r", "subject": ["PER"], "object": ["GPE"]}
    sentence = "{subject} holds or held a part of all the shares in {object}"
    schema = relations_of(1) | {"relation_types": [named | {"sentence": sentence}]}
    open_in(phone, make_pairs(schema=check_schema(schema)), "en")
    first, second = phone.locator(".board .answer b").evaluate(
        """one => {
          const words = one.firstChild;
          const lines = new Map(); // height → where the first letter of the line begins
          for (let i = 1; i < words.length - 1; i += 1) { // between the blanks
            const range = new Range();
            range.setStart(words, i);
            range.setEnd(words, i + 1);
            const { top, left } = range.getBoundingClientRect();
            if (!lines.has(top)) lines.set(top, left);
          }
          return [...lines.values()];
        }"""
    )
    assert abs(first - second) < 2
    keep_screenshot(phone)


def test_a_name_s_frame_leaves_a_blank_beside_it(phone):
    """The frame is drawn outside the name, and takes of the blank."""
    open_in(phone, make_pairs(), "en")
    edges = "one => { const { left, right } = one.getBoundingClientRect(); return [left, right]; }"
    word = phone.locator("[data-token]", has_text="was").first.evaluate(edges)
    name = phone.locator('[data-mention="subject"]').evaluate(edges)
    frame = 2.5
    assert word[0] - name[1] - frame >= 4


@pytest.mark.parametrize("lines", ["1.8", "1.5"], ids=["usual", "tight"])
def test_the_type_above_a_name_stays_clear_of_the_name_in_the_line_above(phone, lines):
    text = "In spring the young Ada Lovelace went to the port, and left London for a while ."
    sides = {"subject": span(text, "Ada Lovelace", "PER"), "object": span(text, "London", "GPE")}
    open_in(phone, make_pairs(sides, text=text), "en")
    phone.evaluate(f"document.documentElement.style.setProperty('--text-lines', '{lines}')")
    upper, lower = phone.locator(".passage .mention").evaluate_all(
        """all => all.map((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          const { bottom: above, height } = getComputedStyle(one, "::before");
          return { bottom: bottom + 2.5, label: bottom - parseFloat(above) - parseFloat(height) };
        })"""
    )
    assert 0 < lower["label"] - upper["bottom"] < 12  # they are in lines next to each other
    keep_screenshot(phone)
