"""One key answers a choice and goes on; until it is sent it can be taken back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotation.models import Event
from tests.browser.choice_page import (
    COLOURS,
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
from tests.browser.work_frame import expect_kept, requests_to_api

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_one_key_answers_and_goes_on_with_one_request(page):
    campaign = make_choices()
    open_choice(page, campaign)
    asked = requests_to_api(page)
    expect_shown(page, "The sky.")
    page.keyboard.press("3")
    expect(held(page)).to_contain_text("Blue. Going on")
    after(page, HELD)
    expect_shown(page, "A leaf.")
    assert asked == ["assignments/…/submit/"]
    page.keyboard.press("1")  # before it can have been read
    expect(held(page)).to_have_text("")
    rest(page)
    page.keyboard.press("2")
    page.keyboard.press("2")  # pressed twice it is meant, and sent at once
    expect_shown(page, "Blood.")
    rest(page)
    page.keyboard.press("u")
    page.keyboard.press("Enter")
    expect_end(page)
    assert chosen(campaign) == ["Blue", "Green", None]
    assert answers(campaign)[2]["unsure"] is True
    kinds = list(Event.objects.filter(kind="chosen").values_list("data__choice", flat=True))
    assert kinds == ["Blue", "Green", None]


def test_that_an_answer_goes_on_by_itself_is_told_before_the_first_one_alone(page):
    open_choice(page, make_choices())
    told = page.get_by_text("What you choose is handed in a moment later; until then Ctrl Z takes")
    expect(told).to_be_visible()
    box = page.get_by_label("Go on after each answer")
    box.uncheck()
    expect(told).to_be_hidden()  # it would not be true
    box.check()
    rest(page)
    page.keyboard.press("3")
    after(page, HELD)
    expect_shown(page, "A leaf.")
    expect(told).to_have_count(0)
    page.reload()
    expect_shown(page, "A leaf.")
    expect(told).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1280])
def test_of_many_choices_the_way_back_is_in_sight(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    names = [f"Subject {number}" for number in range(25)]
    open_choice(page, make_choices(options={"choices": names}))
    rest(page)
    page.keyboard.press("2")
    expect(held(page)).to_contain_text("Subject 1. Going on")
    undo = held(page).get_by_role("button")
    expect(undo).to_be_in_viewport(ratio=1)
    undo.click()  # nothing lies over it
    expect(held(page)).to_have_text("")


def test_in_a_low_window_whose_bar_stands_below_the_way_back_is_at_its_edge(page):
    page.set_viewport_size({"width": 640, "height": 400})  # 1280 × 800 at 200 %
    open_choice(page, make_choices(options={"choices": [f"Subject {n}" for n in range(25)]}))
    page.keyboard.press("2")
    expect(held(page)).to_contain_text("Subject 1. Going on")
    line = held(page).bounding_box()
    assert line["y"] + line["height"] == pytest.approx(400, abs=1)


@pytest.mark.parametrize("width", [390, 1280])
def test_many_short_choices_stand_in_two_columns_and_a_note_leads_back_to_them(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    names = [f"Subject {number}" for number in range(25)]
    open_choice(page, make_choices(options={"choices": names}))
    options = page.locator(".choice-options > button").all()[:3]
    one, two, three = (each.bounding_box() for each in options)
    assert one["y"] == two["y"] < three["y"]
    assert one["x"] == three["x"] < two["x"]
    if width == 390:
        return  # all of the page is scrolled
    page.keyboard.press("n")
    page.keyboard.press("Escape")
    expect(option(page, "Subject 0")).to_be_in_viewport(ratio=1)


def test_an_answer_that_is_out_of_sight_is_shown_before_it_goes_out(page):
    page.set_viewport_size({"width": 1280, "height": 560})  # too low for papers that scroll
    pair = {"pair": [
        {"title": "Premise", "text": "The ferry leaves at three. " * 120},
        {"title": "Claim", "text": "It leaves at four."},
    ]}  # fmt: skip
    campaign = make_choices(pair, pair)
    open_choice(page, campaign)
    page.mouse.wheel(0, 20_000)  # all of the text is read
    expect(page.locator(".choice-more")).to_be_hidden()
    page.mouse.wheel(0, -20_000)
    expect(option(page, "Green")).not_to_be_in_viewport()
    page.keyboard.press("2")
    expect(option(page, "Green")).to_be_in_viewport(ratio=1)
    expect(held(page)).to_contain_text("Green. Going on")
    expect(held(page).get_by_role("button")).to_be_in_viewport(ratio=1)
    after(page, HELD)
    expect(page.locator("[data-part=pay]")).to_contain_text("1 of 2")
    assert chosen(campaign) == ["Green"]


def test_the_page_that_scrolls_by_itself_stops_no_rhythm(page):
    page.set_viewport_size({"width": 640, "height": 400})  # 1280 × 800 at 200 %
    text = "A man works. " * 20
    pair = {"pair": [{"title": side, "text": text} for side in ("Premise", "Claim")]}
    scale = {"min": 1, "max": 5, "step": 1}
    campaign = make_choices(pair, pair, options=COLOURS | {"scale": scale})
    open_choice(page, campaign)
    for number, keys in enumerate(("c3", "a5")):
        rest(page)
        expect(option(page, "Blue")).not_to_be_in_viewport()
        for key in keys:
            page.keyboard.press(key)
        expect(held(page)).to_contain_text("Going on")
        expect(page.locator(".choice-scale [aria-pressed=true]")).to_be_in_viewport(ratio=1)
        after(page, HELD)
        if number == 0:
            expect(page.locator("[data-part=pay]")).to_contain_text("1 of 2")
    expect_end(page)
    given = [(each["choice"], each["value"]) for each in answers(campaign)]
    assert given == [("Blue", 3), ("Red", 5)]


def test_while_an_answer_is_long_under_way_nothing_is_said_to_go_on(page):
    campaign = make_choices()
    open_choice(page, campaign)
    rest(page)
    under_way = []
    page.route("**/submit/", lambda route: under_way.append(route))  # no answer comes yet
    page.keyboard.press("1")
    expect(held(page)).to_contain_text("Red. Going on")
    after(page, HELD)
    expect(page.locator("[data-task]")).to_have_attribute("inert", "")
    expect(held(page)).to_contain_text("Going on")
    after(page, 1_000)
    expect(held(page)).to_have_text("")
    expect(option(page, "Red")).to_have_attribute("aria-pressed", "true")
    while not under_way:
        page.evaluate("0")  # lets the driver hear of it
    under_way[0].continue_()
    expect_shown(page, "A leaf.")
    assert chosen(campaign) == ["Red"]


def test_an_answer_is_changed_or_taken_back_before_it_goes_out(page):
    campaign = make_choices()
    open_choice(page, campaign)
    page.keyboard.press("1")
    after(page, HELD - 1)
    page.keyboard.press("2")  # a slip: the moment begins anew
    after(page, HELD - 1)
    page.keyboard.press("Control+z")
    expect(option(page, "Red")).to_have_attribute("aria-pressed", "true")
    after(page, 10 * HELD)  # what is taken back waits for the worker
    expect(held(page)).to_have_text("Red. Enter hands it in.")
    page.keyboard.press("Control+z")
    expect(page.locator(".choice-panel [aria-pressed=true]")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    after(page, 2_000)
    page.keyboard.press("Enter")  # nothing chosen is never sent
    expect(page.locator("[data-part=message]")).to_contain_text("Nothing is chosen yet")
    page.keyboard.press("Control+Shift+z")
    page.keyboard.press("Control+Shift+z")
    expect(option(page, "Green")).to_have_attribute("aria-pressed", "true")
    with page.expect_response("**/draft/"):  # after the answer it would be refused
        after(page, 10 * HELD)
    assert answers(campaign) == []
    page.keyboard.press("Enter")
    expect_shown(page, "A leaf.")
    assert chosen(campaign) == ["Green"]


def test_whatever_else_is_done_stops_the_clock(page):
    campaign = make_choices()
    open_choice(page, campaign)
    for key in ("Shift", "Tab"):
        page.keyboard.press("1")
        page.keyboard.press(key)
        expect(held(page)).to_have_text("Red. Enter hands it in.")
        page.keyboard.press("2")
    page.mouse.click(5, 400)
    expect(held(page)).to_have_text("Green. Enter hands it in.")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("From answer to answer")
    page.keyboard.press("1")  # in a dialog it means nothing
    page.keyboard.press("Escape")
    expect(held(page)).to_have_text("Green. Enter hands it in.")
    after(page, 10 * HELD)
    expect_shown(page, "The sky.")
    assert answers(campaign) == []


def test_arrows_and_a_note_need_no_mouse(page):
    campaign = make_choices("One.", "Two.")
    open_choice(page, campaign)
    page.keyboard.press("ArrowDown")  # nothing is there to scroll
    expect(option(page, "Red")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(option(page, "Green")).to_be_focused()
    page.keyboard.press("n")
    page.keyboard.type("1: it is grey")  # letters and digits are the note's
    page.keyboard.press("Escape")
    expect(page.locator(".choice-task")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-press=note]")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    after(page, HELD)
    expect_shown(page, "Two.")
    rest(page)
    page.keyboard.press("n")
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-part=message]")).to_contain_text("Nothing is chosen")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    expect(held(page)).to_contain_text("Green. Going on")
    after(page, HELD)
    expect_end(page)
    first, second = answers(campaign)
    assert (first["unsure"], first["note"]) == (True, "1: it is grey")
    assert (second["choice"], second["note"]) == ("Green", "")


@pytest.mark.parametrize("how", ["key", "pointer"])
def test_a_note_stops_the_clock_and_says_which_keys_hand_in_there(page, how):
    campaign = make_choices()
    open_choice(page, campaign)
    page.keyboard.press("u")
    expect(held(page)).to_contain_text("Can’t tell. Going on")
    note = page.locator("[data-press=note]")
    if how == "key":
        page.keyboard.press("n")
    else:  # it is pressed, and only released when the moment would be over
        box = note.bounding_box()
        page.mouse.move(box["x"] + 5, box["y"] + 5)
        page.mouse.down()
        after(page, HELD)
        page.mouse.up()
    field = page.get_by_label("Note about this task")
    expect(field).to_be_focused()
    expect(held(page)).to_have_text("Can’t tell. Ctrl Enter hands it in.")
    expect(page.locator(".choice-note")).to_contain_text("Esc leaves the note")
    after(page, 10 * HELD)
    page.keyboard.type("1 blurred")
    expect_shown(page, "The sky.")
    expect(field).to_have_value("1 blurred")
    page.keyboard.press("Escape")
    expect(held(page)).to_have_text("Can’t tell. Enter hands it in.")
    page.keyboard.press("n")
    expect(held(page)).to_contain_text("Ctrl Enter hands it in")
    page.keyboard.press("Control+Enter")
    expect_shown(page, "A leaf.")
    (answer,) = answers(campaign)
    assert (answer["unsure"], answer["note"]) == (True, "1 blurred")


def test_an_answer_that_waits_beside_its_note_waits_when_it_is_changed_too(page):
    campaign = make_choices()
    open_choice(page, campaign)
    page.keyboard.press("1")
    page.keyboard.press("n")
    page.keyboard.type("Red as a rose.")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    expect(held(page)).to_have_text("Green. Enter hands it in.")
    after(page, 10 * HELD)
    expect_shown(page, "The sky.")
    page.keyboard.press("2")  # once more, it is meant
    expect_shown(page, "A leaf.")
    assert chosen(campaign) == ["Green"]


def test_who_submits_by_hand_is_never_hurried_and_keys_can_be_changed(page):
    campaign = make_choices("One.", "Two.")
    open_choice(page, campaign)
    page.get_by_label("Go on after each answer").uncheck()
    page.keyboard.press("2")  # the focus is on the box still
    after(page, 10 * HELD)
    expect(held(page)).to_have_text("Green. Enter hands it in.")
    page.keyboard.press("Enter")
    expect_shown(page, "Two.")
    rest(page)
    expect(page.get_by_label("Go on after each answer")).not_to_be_checked()
    page.keyboard.press("?")
    page.get_by_role("button", name="change the key of Red").click()
    page.keyboard.press("q")
    page.keyboard.press("Escape")
    expect(option(page, "Red").locator(".key")).to_have_text("Q")
    page.keyboard.press("q")
    expect_kept(page)
    page.reload()
    expect(option(page, "Red")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect_end(page)
    assert chosen(campaign) == ["Green", "Red"]


def test_choices_and_a_scale_go_on_once_both_are_given(page):
    both = {"choices": ["Good", "Bad"], "scale": {"min": 1, "max": 5, "step": 1}}
    campaign = make_choices("One.", "Two.", options=both)
    open_choice(page, campaign)
    page.keyboard.press("b")
    after(page, 10 * HELD)
    expect(held(page)).to_contain_text("Bad. Choose a value on the scale too")
    page.keyboard.press("2")  # a value, and not the second answer
    expect(held(page)).to_contain_text("Bad, 2. Going on")
    after(page, HELD)
    expect_shown(page, "Two.")
    rest(page)
    page.keyboard.press("2")
    expect(held(page)).to_have_text("2. Choose an answer too, or “Can’t tell”.")
    page.keyboard.press("u")
    after(page, HELD)
    expect_end(page)
    first, second = answers(campaign)
    assert (first["choice"], first["value"]) == ("Bad", 2)
    assert second["unsure"] is True


def test_up_and_down_stay_in_the_column_of_an_answer(page):
    """Of many answers that stand in two."""
    trees = ["Alder", "Birch", "Cedar", "Durian", "Elm", "Fir", "Ginkgo"]
    open_choice(page, make_choices("One.", options={"choices": trees}))
    for key, name in (
        ("Right", "Alder"), ("Down", "Cedar"), ("Right", "Durian"), ("Down", "Fir"),
        ("Down", "Can’t tell"), ("Up", "Ginkgo"), ("Up", "Elm"), ("Left", "Durian"),
    ):  # fmt: skip
        page.keyboard.press(f"Arrow{key}")
        expect(option(page, name)).to_be_focused()


def test_a_long_scale_is_a_slider_that_waits_for_enter(page):
    both = {"choices": ["Good", "Bad"], "scale": {"min": 0, "max": 100, "step": 5}}
    campaign = make_choices("One.", options=both)
    open_choice(page, campaign)
    expect(page.get_by_label("Go on after each answer")).to_have_count(0)
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("output")).to_have_text("55")
    after(page, 10 * HELD)
    page.keyboard.press("Control+z")
    expect(page.locator("output")).to_have_text("–")
    page.keyboard.press("End")
    page.keyboard.press("1")  # what is chosen after it waits too
    after(page, 10 * HELD)
    expect(held(page)).to_have_text("Good, 100. Enter hands it in.")
    page.keyboard.press("Enter")
    expect_end(page)
    assert answers(campaign)[0]["value"] == 100


def test_a_slider_takes_the_value_that_it_stands_at(page):
    """Before one is chosen it stands in the middle."""
    open_choice(page, make_choices("One.", options={"scale": {"min": 0, "max": 100, "step": 5}}))
    slider, value = page.get_by_role("slider"), page.locator("output")
    page.keyboard.press("ArrowRight")  # leads to it, as it does to the first answer
    expect(slider).to_be_focused()
    for take in (slider.click, lambda: slider.press("Enter"), lambda: slider.press("Space")):
        take()
        expect(value).to_have_text("50")
        page.keyboard.press("Control+z")
        expect(value).to_have_text("–")
