"""The choice page in every state, for every reader: axe, zoom, direction, pictures, weight."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from annotation.actions.tokens import campaign_link
from tests.browser.accessible import violations
from tests.browser.choice_page import (
    HELD,
    after,
    answers,
    chosen,
    expect_end,
    held,
    make_choices,
    open_choice,
    option,
    rest,
    show_picture,
)
from tests.browser.page_checks import by_keys
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import come_back, expect_kept

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
PAIR = {"pair": [{"title": "Premise", "text": "A man works."}, {"title": "Claim", "text": "Yes."}]}
PICTURE = {"image": {"file": "x.png", "alt": "A street", "width": 4, "height": 3}}
LONG = "Donaudampfschifffahrtsgesellschaftskapitän" * 4
ARABIC = "كتبت مريم حداد إلى بلدية طرابلس في آذار"


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize(
    ("size", "scheme"), [(LAPTOP, "light"), (PHONE, "dark")], ids=["laptop", "phone"]
)
def test_axe_finds_nothing_in_any_state(page, size, scheme):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    show_picture(page)
    scale = {"min": 0, "max": 10, "step": 1, "low": "not at all", "high": "altogether"}
    options = {"choices": ["Good", LONG], "scale": scale}
    open_choice(page, make_choices(PAIR | PICTURE, options=options))
    page.get_by_label("Go on after each answer").uncheck()
    page.clock.resume()  # axe sets timers
    expect(page.locator("img")).to_have_js_property("complete", True)
    assert violations(page) == []  # nothing chosen
    page.keyboard.press("b")
    page.keyboard.press("n")
    assert violations(page) == []  # half an answer, and a note
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    expect(held(page)).to_contain_text("Enter hands it in.")
    assert violations(page) == []  # all is chosen
    assert fits(page)


def test_a_scale_has_a_heading_and_words_for_its_ends(page):
    scale = {"min": 1, "max": 5, "step": 1, "low": "very curt"}
    open_choice(page, make_choices(options={"choices": ["Good", "Bad"], "scale": scale}))
    expect(page.get_by_role("group", name="A value from 1 to 5")).to_be_visible()
    expect(page.locator(".choice-ends")).to_have_text("1: very curt")


def test_the_words_of_an_end_stand_under_it_however_wide_the_row_is(page):
    page.set_viewport_size(LAPTOP)
    scale = {"min": 1, "max": 5, "step": 1, "low": "curt", "high": "warm"}
    open_choice(page, make_choices(PAIR, options={"scale": scale}))
    ends = (page.locator(part) for part in (".choice-ends > :last-child", ".choice-scale"))
    words, row = (end.bounding_box() for end in ends)
    assert words["x"] + words["width"] == pytest.approx(row["x"] + row["width"], abs=1)


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_words_of_a_long_scale_stand_at_its_ends_in_two_lines_too(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    scale = {"min": 0, "max": 10, "step": 1, "low": "curt", "high": "warm"}
    open_choice(page, make_choices(options={"scale": scale}))
    first, last = (page.locator(f"[data-press='value:{n}']").bounding_box() for n in (0, 10))
    low, high = (page.get_by_text(words).bounding_box() for words in ("0: curt", "10: warm"))
    assert (first["y"] == last["y"]) == (width == 1280)
    assert low["x"] == pytest.approx(first["x"], abs=1)
    right = high["x"] + high["width"]
    assert right == pytest.approx(last["x"] + last["width"], abs=1)
    if width < 1280:
        assert low["y"] < first["y"] < last["y"] < high["y"]


def test_rings_are_not_cut_and_text_and_answers_stand_together(page):
    page.set_viewport_size(LAPTOP)
    open_choice(page, make_choices())
    assert by_keys(page) == []
    parts = (".choice-stimulus", ".choice-panel")
    shown, panel = (page.locator(part).bounding_box() for part in parts)
    assert panel["x"] - (shown["x"] + shown["width"]) < 60


def test_work_comes_back_after_a_reload_and_waits_there(page):
    campaign = make_choices("One.")
    open_choice(page, campaign)
    page.keyboard.press("n")
    page.keyboard.type("why")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    expect_kept(page)
    page.reload()
    expect(option(page, "Green")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("textbox", name="Note")).to_have_value("why")
    after(page, 10 * HELD)
    expect(held(page)).to_have_text("Green. Enter hands it in.")
    page.keyboard.press("Enter")
    expect_end(page)
    assert (answers(campaign)[0]["choice"], answers(campaign)[0]["note"]) == ("Green", "why")


def test_what_another_tab_chose_is_taken_up_and_not_sent_by_itself(page):
    campaign = make_choices("One.")
    open_choice(page, campaign)
    other = page.context.new_page()
    other.goto(f"/join/{campaign_link(campaign)}/")
    expect(other.locator(".choice-task")).to_be_focused()
    rest(other)
    other.get_by_label("Go on after each answer").uncheck()
    other.keyboard.press("2")
    expect(option(other, "Green")).to_have_attribute("aria-pressed", "true")
    come_back(page)
    expect(option(page, "Green")).to_have_attribute("aria-pressed", "true")
    after(page, 10 * HELD)
    assert answers(campaign) == []


def test_right_to_left_is_laid_out_and_walked_so(page):
    options = {"choices": ["إيجابي", "سلبي", "محايد"], "question": "ما موقف الكاتبة؟"}
    page.set_viewport_size({"width": 800, "height": 800})
    open_choice(page, make_choices(ARABIC, options=options, text_direction="rtl", language="ar"))
    first, second = (option(page, name).bounding_box() for name in options["choices"][:2])
    assert first["x"] > second["x"]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(option(page, "سلبي")).to_be_focused()
    assert page.locator(".choice-stimulus").get_attribute("lang") == "ar"


def test_on_an_arabic_page_the_box_is_flush_and_the_words_of_a_button_keep_off_its_edges(phone):
    campaign = make_choices()
    phone.goto(f"/join/{campaign_link(campaign)}/?language=ar")
    expect(phone.locator(".choice-task")).to_be_focused()
    pace, check = (
        phone.locator(part).bounding_box() for part in (".choice-pace", ".choice-pace input")
    )
    assert check["x"] + check["width"] == pytest.approx(pace["x"] + pace["width"], abs=0.5)
    unsure = phone.locator("[data-part=bar] [data-act=doubt]")
    words, button = unsure.locator(".wide").bounding_box(), unsure.bounding_box()
    room = (words["x"] - button["x"], button["x"] + button["width"] - words["x"] - words["width"])
    assert min(room) >= 4
    keep_screenshot(phone)


def test_on_an_arabic_page_answer_and_value_have_its_comma_between(page):
    scale = {"min": 1, "max": 5, "step": 1}
    campaign = make_choices(options={"choices": ["نعم", "لا"], "scale": scale})
    page.goto(f"/join/{campaign_link(campaign)}/?language=ar")
    option(page, "نعم").click()
    option(page, "4").click()
    expect(held(page).locator("strong")).to_have_text("نعم، 4")


def test_the_answers_stand_beside_what_they_are_about_where_there_is_room(page):
    page.set_viewport_size(LAPTOP)
    open_choice(page, make_choices())
    parts = (".choice-question", ".choice-stimulus", ".choice-options")
    question, shown, panel = (page.locator(part).bounding_box() for part in parts)
    assert shown["y"] <= question["y"] < panel["y"]
    assert shown["x"] < question["x"] == panel["x"]


def test_of_a_pair_the_short_text_stays_beside_the_long_one_and_a_note_is_whole(page):
    page.set_viewport_size(LAPTOP)
    long, claim = "They walked for hours. " * 350, "They came in time."
    pair = [{"title": "Story", "text": long}, {"title": "Claim", "text": claim}]
    open_choice(page, make_choices({"pair": pair}))
    page.mouse.wheel(0, 20_000)
    expect(option(page, "Red")).to_be_in_viewport(ratio=1)
    expect(page.get_by_text(claim)).to_be_in_viewport(ratio=1)
    keep_screenshot(page)
    page.keyboard.press("n")
    field, bar = page.locator(".choice-note textarea"), page.locator("[data-part=bar]")
    box = field.bounding_box()
    assert box["y"] + box["height"] <= bar.bounding_box()["y"]
    keep_screenshot(page)


def test_four_times_as_large_long_names_and_many_of_them_still_fit(page):
    page.set_viewport_size({"width": 320, "height": 256})  # 1280 × 1024 at 400 %
    names = [LONG, *(f"Number {i}" for i in range(2, 41))]
    campaign = make_choices(LONG, options={"choices": names, "question": LONG})
    open_choice(page, campaign)
    assert fits(page)
    expect(option(page, "Number 12").locator(".key")).to_have_text("C")
    page.keyboard.press("c")
    expect(option(page, "Number 12")).to_be_in_viewport()  # where it was not
    page.keyboard.press("c")
    expect_end(page)
    assert chosen(campaign) == ["Number 12"]
