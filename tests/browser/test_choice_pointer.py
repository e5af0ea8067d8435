"""A choice by mouse and by touch: press, press again, press another, take back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.actions import rejections
from annotation.actions.tokens import campaign_link
from annotation.models import Assignment, Campaign, Correction, Demand
from tests.browser.choice_page import (
    HELD,
    after,
    answers,
    chosen,
    expect_end,
    expect_shown,
    held,
    make_choices,
    open_choice,
    option,
    rest,
)
from tests.browser.practice_page import practise
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import button, expect_kept, message
from tests.factories import make_document, make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_click_answers_and_a_double_click_is_one(page):
    campaign = make_choices("One.", "Two.")
    open_choice(page, campaign)
    option(page, "Green").dblclick()
    expect(held(page)).to_contain_text("Green. Going on")
    option(page, "Blue").click()
    expect(option(page, "Green")).to_have_attribute("aria-pressed", "false")
    after(page, HELD)
    expect_shown(page, "Two.")
    rest(page)
    option(page, "Red").click()
    button(page, "Submit").click()
    expect_end(page)
    assert chosen(campaign) == ["Blue", "Red"]


def test_a_pointer_that_is_left_behind_points_at_nothing(page):
    campaign = make_choices("One.", "Two.")
    open_choice(page, campaign)
    option(page, "Green").click()
    after(page, HELD)
    expect_shown(page, "Two.")
    rest(page)
    page.clock.resume()  # the browser looks anew at what lies under the pointer
    page.wait_for_timeout(300)
    plain = look_of(option(page, "Red"))
    assert look_of(option(page, "Green")) == plain
    page.mouse.move(*middle_of(option(page, "Green")), steps=2)
    page.mouse.move(*middle_of(option(page, "Blue")), steps=2)
    assert look_of(option(page, "Blue")) != plain


def look_of(place: Locator) -> str:
    return place.evaluate("element => getComputedStyle(element).backgroundColor")


def middle_of(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_what_is_told_of_the_answer_before_goes_once_the_page_is_scrolled(phone):
    long = "The ferry leaves at three. " * 60
    phone.set_viewport_size({"width": 390, "height": 560})  # where it covers what is below it
    open_choice(phone, make_choices("One.", long))
    rest(phone)
    option(phone, "Green").tap()
    after(phone, HELD)
    told = phone.locator("[data-part=message]")
    expect(told).to_contain_text("Handed in: Green.")
    phone.evaluate("scrollBy(0, 300)")
    expect(told).to_have_text("")
    phone.evaluate("scrollTo(0, 0)")
    phone.keyboard.press("Control+z")  # with keys what scrolls has the focus, which stays there
    told.get_by_role("button").focus()
    phone.keyboard.press("PageDown")
    expect(told).to_have_text("")
    expect(phone.locator(".choice-task")).to_be_focused()


def test_a_press_too_soon_is_told_where_nothing_was_handed_in_before_too(page):
    open_choice(page, make_choices("One.", "Two."))
    button(page, "Skip").click()
    page.get_by_label("I don’t understand what is shown.").check()
    page.get_by_role("dialog").get_by_role("button", name="Skip").click()
    expect_shown(page, "Two.")
    option(page, "Red").click()
    expect(message(page)).to_contain_text("That was too soon for this task")
    expect(page.locator(".choice-option[aria-pressed=true]")).to_have_count(0)


def test_what_was_handed_in_is_told_and_a_correction_never_goes_out_by_itself(page):
    campaign = make_choices("One.", "Two.")
    open_choice(page, campaign)
    option(page, "Green").click()
    after(page, HELD)
    expect_shown(page, "Two.")
    expect(message(page)).to_contain_text("Handed in: Green.")
    option(page, "Red").click()  # meant for the task before
    expect(message(page)).to_contain_text("The task before is handed in: Green.")
    expect(page.locator(".choice-option[aria-pressed=true]")).to_have_count(0)
    for key in ("Control+z", "1", "Control+z", "Control+z"):  # too late: it has gone out
        rest(page)
        page.keyboard.press(key)
    expect(message(page)).to_contain_text("Green has gone out already.")
    button(page, "See it in My work").click()
    mine = page.get_by_role("dialog", name="My work")
    expect(mine).to_contain_text("Can be corrected, once, until you submit the next task.")
    mine.get_by_role("button", name="Correct it").click()
    expect(page.get_by_role("heading", name="Correct your answer")).to_be_visible()
    expect(page.get_by_label("Go on after each answer")).to_have_count(0)
    rest(page)
    expect(held(page)).to_be_empty()  # there is nothing to send yet
    option(page, "Blue").click()
    expect(held(page)).to_have_text("Blue. Enter sends the correction.")
    option(page, "Blue").click()  # nor does it where it is pressed once more
    after(page, 10 * HELD)
    assert not Correction.objects.exists()
    page.keyboard.press("Enter")
    expect(page.locator("[data-part=message]")).to_have_text("Your correction counts from now on.")
    assert Correction.objects.get().answer["choice"] == "Blue"


@pytest.mark.parametrize("name", ["Green", "Green as the leaves of a tree in the month of May"])
def test_on_a_phone_more_below_stands_above_what_is_told_of_the_answer_before(phone, name):
    options = {"choices": ["Red", name], "question": "Which colour is it?"}
    open_choice(phone, make_choices("A leaf.", "A long text. " * 150, options=options))
    more = button(phone, "More below")
    rest(phone)
    option(phone, name).tap()
    after(phone, HELD)
    expect(more).to_be_in_viewport(ratio=1)
    expect(message(phone)).to_contain_text("Handed in: Green")
    sign, said = more.bounding_box(), message(phone).bounding_box()
    assert sign["y"] + sign["height"] < said["y"]
    keep_screenshot(phone)


def test_rejections_are_told_with_the_next_task_once_the_sum_is_the_less_for_them(page):
    campaign = make_choices("One.", "Two.", "Three.", "Four.", "Five.")
    campaign.pay_mills = 40
    campaign.save()
    open_choice(page, campaign)

    def answer(following: str) -> None:
        rest(page)
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        expect_shown(page, following)

    answer("Two.")
    answer("Three.")
    expect(message(page)).to_contain_text("Handed in: Red.")
    for handed_in in Assignment.objects.filter(state="submitted"):
        rejections.reject(handed_in, "It is no colour.")
    answer("Four.")
    expect(message(page)).to_have_text("2 answers of yours were rejected. See why in My work")
    keep_screenshot(page)
    answer("Five.")
    expect(message(page)).to_contain_text("Handed in: Red.")  # it was told
    page.reload()
    expect_shown(page, "Five.")
    expect(message(page)).to_be_empty()


def test_an_answer_that_was_refused_is_not_told_as_handed_in(phone):
    """Of the task after it, which came by Skip."""
    open_choice(phone, make_choices("One.", "Two."))
    refusal = {"detail": "The answer can’t be taken as it is.", "errors": []}
    phone.route("**/submit/", lambda route: route.fulfill(status=400, json=refusal), times=1)
    option(phone, "Green").tap()
    after(phone, HELD)
    expect(message(phone)).to_contain_text("can’t be taken")
    phone.keyboard.press(">")
    dialog = phone.get_by_role("dialog", name="Skip this task")
    dialog.get_by_label("I don’t understand what is shown.").check()
    dialog.get_by_role("button", name="Skip").click()
    expect_shown(phone, "Two.")
    phone.keyboard.press("Control+z")
    expect(message(phone)).to_have_text("There is nothing to undo.")


def test_after_the_test_nothing_is_said_of_its_last_answer(page):
    campaign = practise(make_choices("One."), {"choice": "Green"})
    Demand.objects.update(kind=Demand.Kind.EXAM)
    Campaign.objects.update(training_size=0, exam_size=1)
    make_task(campaign, make_document(campaign.project, "Two."))
    page.clock.install()
    page.goto(f"/join/{campaign_link(campaign)}/")
    button(page, "Go on").click()
    expect_shown(page, "One.")
    after(page, HELD)
    option(page, "Green").click()
    after(page, HELD)
    expect(page.get_by_role("heading", name="You are in")).to_be_focused()
    after(page, HELD)
    button(page, "Go on").click()
    expect_shown(page, "Two.")
    expect(page.locator("[data-part=message]")).to_be_empty()


def test_an_answer_waits_as_long_as_the_end_of_the_text_was_never_in_view(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    many = {"choices": [f"Answer {n}" for n in range(1, 26)], "question": "Which of them all? " * 4}
    campaign = make_choices("A long text. " * 1_200, "Two.", options=many)
    open_choice(page, campaign)
    expect(page.locator(".choice-more")).to_be_in_viewport()
    for _ in range(2):  # the same once more sends nothing unread either
        page.keyboard.press("2")
        expect(message(page)).to_contain_text("not seen the end of the text")
        after(page, 10 * HELD)
    expect(page.locator(".choice-first")).to_be_hidden()  # it goes out later only if it is read
    expect(held(page)).to_have_text("Answer 2. Enter hands it in.")
    keep_screenshot(page)
    page.mouse.wheel(0, 20_000)
    expect(page.locator(".choice-more")).to_be_hidden()
    expect(message(page)).to_have_text("")  # it is no longer so
    list = page.locator(".choice-options")
    expect(list).to_have_class(re.compile("has-more"))
    list.evaluate("one => { one.scrollTop = one.scrollHeight; }")
    expect(list).not_to_have_class(re.compile("has-more"))
    list.evaluate("one => { one.scrollTop = 0; }")
    for part in (".choice-question", ".choice-option >> nth=0", ".choice-pace", ".choice-held"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    below = page.locator("[data-part=head]").bounding_box()["height"]
    assert page.locator(".choice-question").bounding_box()["y"] >= below
    option(page, "Answer 3").click()
    expect(held(page)).to_contain_text("Going on")
    boxes = [page.locator(each).bounding_box() for each in (".choice-rest", ".choice-held")]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    keep_screenshot(page)
    after(page, HELD)
    expect_shown(page, "Two.")
    rest(page)
    page.keyboard.press("p")  # an answer further down comes into sight
    expect(page.locator(".choice-option[aria-pressed=true]")).to_be_in_viewport(ratio=1)
    expect(held(page)).to_contain_text("Going on")
    keep_screenshot(page)


def test_more_below_leads_on_by_a_window_until_the_end_is_there(page):
    open_choice(page, make_choices("A long text. " * 500))
    more = button(page, "More below")
    expect(more).to_be_visible()
    page.keyboard.press("Tab")
    expect(more).to_be_focused()
    more.click()
    window = page.viewport_size["height"]
    assert 300 < page.evaluate("scrollY") < window - 100  # no line is passed over
    while more.is_visible():
        page.keyboard.press("Enter")
        page.wait_for_timeout(50)
    expect(page.locator(".choice-task")).to_be_focused()


def test_in_a_low_window_more_below_passes_no_line_over(page):
    page.set_viewport_size({"width": 1280, "height": 400})
    open_choice(page, make_choices("A long text. " * 500))
    page.evaluate("scrollTo(0, 1000)")  # the head is out of sight
    button(page, "More below").evaluate("one => one.click()")
    assert 1100 < page.evaluate("scrollY") < 1400


def test_submit_leads_to_the_answers_that_are_out_of_sight(page):
    page.set_viewport_size({"width": 390, "height": 560})  # too low for a paper that scrolls
    open_choice(page, make_choices("A text that is longer than a phone. " * 60))
    expect(option(page, "Red")).not_to_be_in_viewport()
    expect(page.locator("[data-act=skip] .wide")).to_be_in_viewport(ratio=1)  # an icon has a word
    button(page, "Submit").click()
    expect(page.locator("[data-part=message]")).to_contain_text("Nothing is chosen yet.")
    expect(option(page, "Blue")).to_be_in_viewport(ratio=1)


def test_of_many_answers_the_line_covers_none_that_is_chosen_and_stays_while_it_waits(phone):
    campaign = make_choices("One.", "Two.", options={"choices": [f"Room {n}" for n in range(25)]})
    open_choice(phone, campaign)
    last = option(phone, "Room 23")
    above_the_bar = "[button, document.querySelector('[data-part=bar]')]"
    last.evaluate(f"""button => {{
      const [one, bar] = {above_the_bar}.map((each) => each.getBoundingClientRect());
      scrollBy(0, one.bottom + 4 - bar.top);
    }}""")
    x, y = middle_of(last)
    phone.touchscreen.tap(x, y)
    expect(held(phone)).to_contain_text("Room 23. Going on")
    assert middle_of(last) == (x, y)
    line, chosen_one = held(phone).bounding_box(), last.bounding_box()
    assert line["y"] + line["height"] <= chosen_one["y"] + 1
    keep_screenshot(phone)
    last.click()  # once more, and nothing lies over it
    expect_shown(phone, "Two.")
    assert chosen(campaign) == ["Room 23"]
    rest(phone)
    option(phone, "Room 3").tap()
    phone.locator(".choice-question").tap()
    expect(held(phone)).to_have_text("Room 3. Submit hands it in.")
    expect(held(phone)).to_be_in_viewport(ratio=1)
    keep_screenshot(phone)
    expect_kept(phone)
    phone.reload()
    expect(held(phone)).to_contain_text("Room 3.")
    expect(held(phone)).to_be_in_viewport(ratio=1)


def read_on(page: Page) -> None:
    """To the end of a text that scrolls within its paper."""
    more = button(page, "More below")
    expect(more).to_be_visible()
    page.locator(".choice-text").evaluate("text => text.scrollTo(0, text.scrollHeight)")
    expect(more).to_be_hidden()


def test_a_finger_does_it_all(browser, live_server):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    context = browser.new_context(base_url=live_server.url, reduced_motion="reduce", **phone)
    page = context.new_page()
    one, two = ("A text that is longer than a phone. " * 30 + which for which in ("One.", "Two."))
    campaign = make_choices(one, two, options={"choices": ["Red", "Green"], "scale": None})
    open_choice(page, campaign)
    for target in page.locator(".choice-panel :is(button, label):visible").all():
        box = target.bounding_box()
        assert box["height"] >= 44, target.inner_text()
    read_on(page)
    option(page, "Red").tap()
    button(page, "Undo").first.tap()
    expect(page.locator(".choice-panel [aria-pressed=true]")).to_have_count(0)
    after(page, 10 * HELD)
    button(page, "Add a note").tap()
    page.get_by_role("textbox", name="Note").fill("It is both.")
    option(page, "Can’t tell").tap()
    after(page, HELD)
    expect_shown(page, two)
    assert page.evaluate("scrollY") == 0  # a long text begins where it begins
    rest(page)
    read_on(page)
    expect(page.get_by_role("textbox", name="Note")).to_be_hidden()
    option(page, "Green").tap()
    button(page, "Submit").tap()
    expect_end(page)
    context.close()
    first, second = answers(campaign)
    assert (first["unsure"], first["note"]) == (True, "It is both.")
    assert (second["choice"], second["note"]) == ("Green", "")
