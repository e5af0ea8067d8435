"""Where a choice and its answers stand: on paper, all in sight, and nothing moves."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.choice_page import make_choices, open_choice, rest
from tests.browser.screenshots import keep_screenshot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SEEN = {"choices": ["A street", "A harbour", "A house", "Nothing of these"]}
PICTURE = {"image": {"file": "x.png", "alt": "A street"}}  # of no known size
PAIR = {
    "pair": [
        {"title": "Premise", "text": "The steamer struck the ledge; nine were taken off at dawn."},
        {"title": "Claim", "text": "Nine were saved."},
    ]
}
PARTS = (".choice-question", ".choice-stimulus", ".choice-option", ".choice-rest", ".choice-held")
PLACES = """(parts) => parts.map((part) => {
  const each = [...document.querySelectorAll(part)].map((one) => one.getBoundingClientRect());
  return each.map(({ x, y, width, height }) => [x, y + scrollY, width, height].map(Math.round));
})"""


def places(page: Page) -> Any:
    return page.evaluate(PLACES, PARTS)


def bar_top(page: Page) -> float:
    return page.locator("[data-part=bar]").bounding_box()["y"]


def bottom(page: Page, part: str) -> float:
    box = page.locator(part).last.bounding_box()
    return box["y"] + box["height"]


def picture(width: int, height: int) -> bytes:
    """A picture of any size."""
    drawn = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"/>'
    return drawn.encode()


def open_picture(page: Page, width: int, height: int) -> None:
    """Its places are the same before it has come and after."""
    waiting: list[Any] = []
    page.route("**/x.png", lambda route: waiting.append(route))
    open_choice(page, make_choices(PICTURE, options=SEEN))
    before = places(page)
    waiting[0].fulfill(body=picture(width, height), content_type="image/svg+xml")
    page.wait_for_function("document.querySelector('.choice-picture').naturalWidth > 0")
    assert places(page) == before


@pytest.mark.parametrize("size", [(1200, 1500), (900, 1600), (1600, 900)])
def test_on_a_phone_a_picture_gets_what_the_answers_and_the_bar_leave(phone, size):
    open_picture(phone, *size)
    assert bottom(phone, "[data-press=unsure]") < bar_top(phone)
    assert phone.locator(".choice-stimulus").bounding_box()["height"] >= 0.3 * 844
    assert phone.evaluate("document.documentElement.scrollHeight <= innerHeight")
    keep_screenshot(phone)


def test_three_answers_stand_in_one_column_below_a_picture_as_below_a_text(phone):
    phone.route("**/x.png", lambda route: None)
    three = {"choices": ["Yes", "No", "Partly"]}
    open_choice(phone, make_choices(PICTURE, options=three))
    assert len({place[0] for place in places(phone)[2][:3]}) == 1
    assert bottom(phone, "[data-press=unsure]") < bar_top(phone)


@pytest.mark.parametrize("size", [(600, 200), (600, 1800)])
def test_what_leads_to_the_full_size_stands_right_under_the_picture(page, size):
    page.set_viewport_size({"width": 768, "height": 1024})
    open_picture(page, *size)
    caption = page.locator(".choice-figure figcaption").bounding_box()
    assert 0 <= caption["y"] - bottom(page, ".choice-picture") < 16


def test_many_answers_leave_a_picture_at_least_three_tenths_of_the_window(phone):
    names = [f"Answer number {n} of them" for n in range(12)]
    phone.route("**/x.png", lambda route: None)  # it never comes
    open_choice(phone, make_choices(PICTURE, options={"choices": names}))
    assert phone.locator(".choice-stimulus").bounding_box()["height"] >= 0.3 * 844
    assert phone.evaluate("document.documentElement.scrollHeight > innerHeight")


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (844, 390)])
def test_beside_the_answers_a_picture_has_the_height_of_the_window_and_its_middle(page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_picture(page, 900, 1600)
    shown = page.locator(".choice-picture").bounding_box()
    paper = page.locator(".choice-stimulus").bounding_box()
    assert shown["height"] > (0.7 if size[1] > 500 else 0.6) * size[1]  # low: less what is told
    assert shown["x"] + shown["width"] / 2 == pytest.approx(paper["x"] + paper["width"] / 2, abs=1)
    answer = page.locator(".choice-option").first.bounding_box()
    assert answer["x"] > paper["x"] + paper["width"]
    keep_screenshot(page)


@pytest.mark.parametrize("width", [390, 768, 1280, 1920])
def test_a_short_pair_lies_on_paper_above_its_question_and_no_note_moves_it(page, width):
    height = {390: 844, 768: 1024, 1280: 800, 1920: 1080}[width]
    page.set_viewport_size({"width": width, "height": height})
    open_choice(page, make_choices(PAIR))
    question = page.locator(".choice-question").bounding_box()["y"]
    assert bottom(page, ".choice-pair > .sheet") < question
    paper, first = page.locator(".choice-pair > .sheet").first, places(page)
    expect(paper).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    above = paper.bounding_box()["y"] - page.locator("[data-part=head]").bounding_box()["height"]
    assert (above > 40) == (width > 390)
    page.keyboard.press("n")
    for before, after in zip(first, places(page), strict=True):
        assert after == [pytest.approx(place, abs=1) for place in before]
    keep_screenshot(page)


LONG_PAIR = {"pair": [{"title": "Story", "text": "They walked on. " * 60}, *PAIR["pair"][1:]]}


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (768, 1024), (390, 844)])
def test_a_long_pair_scrolls_within_its_paper_and_leaves_its_answers_in_sight(page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_choice(page, make_choices(LONG_PAIR))
    more = page.get_by_role("button", name="More below")
    expect(more).to_be_visible()
    assert bottom(page, ".choice-pair") <= more.bounding_box()["y"]  # it covers no word
    assert bottom(page, ".choice-stimulus") < page.locator(".choice-question").bounding_box()["y"]
    assert bottom(page, "[data-press=unsure]") < bar_top(page)
    keep_screenshot(page)


@pytest.mark.parametrize("size", [(1280, 800), (1280, 560), (844, 390), (390, 560)])
def test_more_below_stands_on_a_strip_under_which_the_text_goes_and_over_no_word(page, size):
    """Also where something is said above the bar; and nothing moves when it goes."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_choice(page, make_choices("A long text that goes on. " * 300))
    strip, text = page.locator(".choice-more"), page.locator(".choice-text")
    expect(strip).to_be_visible()
    expect(strip).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    over, below = strip.bounding_box(), text.bounding_box()
    assert over["x"] <= below["x"]
    assert below["x"] + below["width"] <= over["x"] + over["width"]
    window_ends = bar_top(page) if size[1] > 416 else size[1]
    assert over["y"] + over["height"] >= window_ends - 2
    if size[0] > 960:  # else an answer leads to the end of the text
        rest(page)
        page.keyboard.press("2")
        said = page.locator("[data-part=message]")
        expect(said).to_contain_text("not seen the end")
        button = strip.locator("button").bounding_box()
        assert button["y"] + button["height"] <= said.bounding_box()["y"]
    keep_screenshot(page)
    height = "document.documentElement.scrollHeight"
    before = page.evaluate(height)
    page.locator(".choice-end").evaluate("end => end.scrollIntoView({ block: 'center' })")
    expect(strip).to_be_hidden()
    assert page.evaluate(height) == pytest.approx(before, abs=1)


def test_the_end_of_a_text_that_scrolls_within_its_paper_was_seen_once_it_is_scrolled_to(page):
    campaign = make_choices(LONG_PAIR)
    open_choice(page, campaign)
    rest(page)
    page.keyboard.press("1")
    expect(page.locator("[data-part=message]")).to_contain_text("not seen the end")
    paper = page.locator(".choice-pair > .sheet").first
    for _ in range(9):
        page.keyboard.press("PageDown")
    at_its_end = "one => one.scrollTop + one.clientHeight >= one.scrollHeight - 1"
    assert paper.evaluate(at_its_end)
    expect(page.get_by_role("button", name="More below")).to_be_hidden()
    expect(page.locator("[data-part=message]")).to_be_empty()
    assert page.evaluate("scrollY") == 0
    page.keyboard.press("Home")
    assert paper.evaluate("one => one.scrollTop") == 0
    page.keyboard.press("End")
    assert paper.evaluate(at_its_end)


def test_on_a_phone_answers_stand_above_the_bar_and_a_note_moves_none(phone):
    open_choice(phone, make_choices())
    first = places(phone)
    kept_for_what_is_told = 60  # px
    assert bar_top(phone) - bottom(phone, ".choice-first") < 48 + kept_for_what_is_told
    phone.get_by_role("button", name="Add a note").tap()
    assert places(phone) == first


def test_on_a_laptop_text_has_paper_down_to_the_bar(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    open_choice(page, make_choices())
    assert bar_top(page) - bottom(page, ".choice-stimulus") < 48
    first = places(page)
    page.keyboard.press("n")
    assert places(page) == first
