"""A choice's picture: missing and asked for again, in full size, of an answer that was given."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import Assignment, Event
from tests.annotation.commands.test_import_choices import png
from tests.browser.accessible import violations
from tests.browser.choice_page import (
    HELD,
    after,
    answers,
    chosen,
    expect_end,
    expect_shown,
    make_choices,
    open_choice,
    rest,
    show_picture,
)
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import button

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PICTURE = {"image": {"file": "x.png", "alt": "A street", "width": 4, "height": 3}}


def lose_picture(page: Page) -> None:
    page.route("**/pictures/x.png", lambda route: route.fulfill(status=200, body="no picture"))


def failure(page: Page) -> Locator:
    """What stands in the place of a picture that can't be loaded."""
    return page.get_by_role("alert").filter(has_text="picture")


def test_each_attempt_that_fails_is_told_and_leaves_the_button_where_it_is(page):
    lose_picture(page)
    open_choice(page, make_choices(PICTURE))
    again = button(page, "Load it again")
    expect(failure(page)).to_contain_text("The picture can’t be loaded. Load it again, report")
    for number in (2, 3):
        with page.expect_request("**/pictures/x.png"):
            again.press("Enter")
        said = f"Attempt {number}: the picture still can’t be loaded. Check your connection. Load"
        expect(failure(page)).to_contain_text(said)
        expect(again).to_be_focused()
    page.keyboard.press("1")
    expect(page.locator("[data-part=message]")).to_contain_text("Check your connection")
    keep_screenshot(page)
    page.unroute("**/pictures/x.png")
    show_picture(page)
    again.press("Enter")
    expect(page.get_by_role("img", name="A street")).to_be_visible()
    expect(page.locator(".choice-task")).to_be_focused()


def test_while_it_is_asked_for_again_the_frame_stays_and_says_so(page):
    lose_picture(page)
    open_choice(page, make_choices(PICTURE))
    expect(failure(page)).to_contain_text("can’t be loaded")
    page.unroute("**/pictures/x.png")
    page.route("**/pictures/x.png", lambda route: None)  # it never comes
    button(page, "Load it again").click()
    expect(failure(page)).to_contain_text("The picture is asked for once more.")
    expect(button(page, "Report the task")).to_be_visible()
    page.keyboard.press("1")
    expect(page.locator("[data-part=message]")).to_contain_text("still on its way")


@pytest.mark.parametrize(
    "size", [(390, 844), (844, 390), (1280, 800)], ids=["phone", "turned", "laptop"]
)
def test_a_frame_stands_in_the_place_of_a_picture_that_is_missing(page, size):
    """Whole, with all of its buttons and the answers in sight, and without what enlarges."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    lose_picture(page)
    open_choice(page, make_choices(PICTURE))
    expect(failure(page)).to_be_visible()
    for name in ("Load it again", "Report the task"):
        expect(button(page, name)).to_be_in_viewport(ratio=1)
    expect(page.locator(".choice-picture")).to_be_hidden()
    expect(button(page, "Full size")).to_be_hidden()
    page.keyboard.press("+")
    expect(page.get_by_role("dialog")).to_have_count(0)
    paper, frame = (
        page.locator(part).bounding_box() for part in (".choice-stimulus", ".choice-failed")
    )
    assert paper["x"] < frame["x"]
    assert frame["x"] + frame["width"] < paper["x"] + paper["width"]
    assert paper["y"] < frame["y"]
    assert frame["y"] + frame["height"] < paper["y"] + paper["height"]
    expect(page.locator("[data-press=unsure]")).to_be_in_viewport(ratio=1)
    keep_screenshot(page)


def test_axe_finds_nothing_beside_a_slider_and_a_picture_that_is_not_there(page):
    lose_picture(page)
    options = {"scale": {"min": 0, "max": 100, "step": 5}}
    open_choice(page, make_choices(PICTURE, options=options))
    expect(page.get_by_role("alert")).to_contain_text("The picture can’t be loaded")
    page.clock.resume()
    assert violations(page) == []


def test_a_picture_that_is_not_there_is_told_loaded_again_and_reported(page):
    lose_picture(page)
    campaign = make_choices(PICTURE, PICTURE)
    open_choice(page, campaign)
    expect(page.get_by_role("alert")).to_contain_text("The picture can’t be loaded")
    page.keyboard.press("1")
    expect(page.locator("[data-part=message]")).to_contain_text("can’t be loaded")
    after(page, 10 * HELD)
    assert answers(campaign) == []
    show_picture(page)
    button(page, "Load it again").click()
    expect(page.get_by_role("img", name="A street")).to_be_visible()
    expect(page.get_by_role("alert")).to_be_hidden()
    rest(page)
    page.keyboard.press("1")
    page.unroute("**/pictures/x.png")
    lose_picture(page)
    after(page, HELD)
    button(page, "Report the task").click()
    page.get_by_label("Something is missing, cut off or unreadable.").check()
    page.get_by_role("dialog").get_by_role("button", name="Report").click()
    expect_end(page)
    assert chosen(campaign) == ["Red"]
    assert Assignment.objects.exclude(reported_at=None).count() == 1
    assert Event.objects.filter(kind="picture_failed").exists()


def test_a_picture_in_full_size_lies_over_the_page_and_is_closed_in_three_ways(page):
    show_picture(page)
    campaign = make_choices(PICTURE)
    open_choice(page, campaign)
    large = page.get_by_role("dialog", name="Picture in full size")
    expect(button(page, "Full size")).to_be_visible()  # it has come
    page.keyboard.press("1")
    page.keyboard.press("+")
    expect(large.get_by_role("img", name="A street")).to_be_visible()
    after(page, 10 * HELD)  # nothing goes out behind it
    page.clock.resume()  # axe sets timers
    assert violations(page) == []
    keep_screenshot(page)
    large.get_by_role("button", name="Close").click()
    expect(large).to_have_count(0)
    button(page, "Full size").click()
    page.keyboard.press("Escape")
    expect(large).to_have_count(0)
    button(page, "Full size").click()
    page.mouse.click(3, 3)
    expect(large).to_have_count(0)
    picture = page.locator(".choice-picture")
    expect(picture).to_have_css("cursor", "zoom-in")
    picture.click()
    expect(large).to_be_visible()
    page.keyboard.press("Escape")
    expect(large).to_have_count(0)
    assert answers(campaign) == []


@pytest.mark.parametrize("language", ["en", "ar"])
def test_of_a_picture_larger_than_the_window_the_place_that_was_tapped_is_shown(phone, language):
    page, large_one = phone, png(3000, 2000)
    page.route("**/x.png", lambda route: route.fulfill(body=large_one, content_type="image/png"))
    page.set_extra_http_headers({"Accept-Language": language})
    size = {"width": 3000, "height": 2000}
    open_choice(page, make_choices({"image": PICTURE["image"] | size}))
    expect(page.locator("html")).to_have_attribute("lang", language)
    seen = """sheet => {
      const [window, picture] = [sheet, sheet.querySelector("img")]
        .map((each) => each.getBoundingClientRect());
      return [
        Math.round(10 * (window.x + window.width / 2 - picture.x) / picture.width),
        Math.round(10 * (window.y + window.height / 2 - picture.y) / picture.height),
      ];
    }"""
    large, picture = page.locator(".choice-large"), page.locator(".choice-picture")
    page.locator("figcaption button").tap()
    assert large.evaluate(seen) == [5, 5]
    expect(large.get_by_role("button")).to_be_in_viewport(ratio=1)
    keep_screenshot(page)
    large.get_by_role("button").tap()
    box = picture.bounding_box()
    picture.tap(position={"x": 0.3 * box["width"], "y": 0.7 * box["height"]})
    assert large.evaluate(seen) == [3, 7]


def test_a_picture_of_an_answer_that_was_given_can_be_enlarged_too(page):
    show_picture(page)
    open_choice(page, make_choices(PICTURE, "Two."))
    expect(button(page, "Full size")).to_be_visible()
    rest(page)
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect_shown(page, "Two.")
    button(page, "My work").click()
    page.get_by_role("button", name="Look at your answer: ").click()
    expect(page.get_by_role("heading", name="Your answer")).to_be_focused()
    large = page.get_by_role("dialog", name="Picture in full size")
    page.locator(".choice-picture").click()
    expect(large.get_by_role("img", name="A street")).to_be_visible()
    large.get_by_role("button", name="Close").click()
    expect(large).to_have_count(0)
    button(page, "Full size").click()
    page.keyboard.press("Escape")  # of the picture, and not of the answer
    expect(large).to_have_count(0)
    expect(page.get_by_role("heading", name="Your answer")).to_be_visible()


def test_no_reason_that_is_offered_speaks_of_a_text(page):
    show_picture(page)
    open_choice(page, make_choices(PICTURE))
    for name in ("Skip", "Report"):
        button(page, name).click()
        offered = page.get_by_role("dialog").get_by_role("radio")
        expect(offered).to_have_count(4)
        assert not [words for words in offered.locator("..").all_inner_texts() if "text" in words]
        page.keyboard.press("Escape")
