"""What newcomers stopped at who tried the entity page: nothing moves, hides or goes on unsaid."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from annotation.actions.tokens import campaign_link
from annotation.interfaces.schema import check_schema
from tests.browser.each_interface import ARABIC, RIGHT_TO_LEFT
from tests.browser.entity_page import choice, make_story, menu, message, open_task, token
from tests.browser.late_parts import expect_late_parts
from tests.browser.page_time import wait_until
from tests.browser.test_entity_dates import DATES
from tests.browser.test_entity_newcomer import link_to
from tests.browser.test_entity_palette import TYPES_25

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_the_type_of_a_mark_that_ends_in_figures_stands_behind_it_in_arabic(page):
    open_task(page, make_story("وصلت في 1887", text_direction="rtl", language="ar"))
    token(page, 2).click()
    press(page, "p")
    mark = page.locator("mark.mention")
    isolation = mark.evaluate("one => getComputedStyle(one, '::after').unicodeBidi")
    assert isolation == "isolate"


@pytest.mark.parametrize("language", ["en", "ar"])
def test_numbers_and_rail_stand_on_the_text_s_sides_whatever_the_frame_s(page, language):
    page.set_viewport_size(PHONE)
    latin = make_story("Ada met Bob in Rome . " * 80)
    arabic = make_story(f"{ARABIC}\n" * 40, **RIGHT_TO_LEFT)
    for campaign, is_arabic in ((latin, False), (arabic, True)):
        page.goto(f"/join/{campaign_link(campaign)}/?language={language}")
        expect(token(page, 0)).to_be_visible()
        expect_late_parts(page)
        places = (".row-number", "[data-token='0']", "reading-rail")
        number, word, rail = (page.locator(at).first.bounding_box()["x"] for at in places)
        assert (number > word, rail < word) == (is_arabic, is_arabic)


@pytest.mark.parametrize("lines", [99, 1_000, 10_000])
@pytest.mark.parametrize("is_arabic", [False, True], ids=["latin", "arabic"])
def test_the_number_of_each_line_stands_whole_beside_its_text(page, lines, is_arabic):
    page.set_viewport_size(PHONE)
    word, options = ("ولدت", RIGHT_TO_LEFT) if is_arabic else ("Ada", {})
    open_task(page, make_story(f"{word} .\n" * lines, **options))
    for size, least in ((PHONE, 40), (LAPTOP, 0)):
        page.set_viewport_size(size)
        rows = page.locator("token-text").evaluate("""(text) =>
          [text.querySelector(".row"), [...text.querySelectorAll(".row")].at(-1)].map((row) => {
            const [number, words] = [...row.children].map((one) => one.getBoundingClientRect());
            const isTurned = getComputedStyle(row).direction === "rtl";
            const across = ({ left, right }) =>
              isTurned ? [innerWidth - right, innerWidth - left] : [left, right];
            return [number.height, ...across(number), across(words)[0]];
          })""")
        (height, _, _, begins), (last_height, left, right, last_begins) = rows
        assert last_height == height  # in one line
        assert last_begins == begins
        assert 0 < left < right <= begins + 0.1
        if lines < 100 and least:
            assert begins == least  # no wider than it was


def test_at_the_end_of_very_many_lines_the_rail_s_window_is_seen_whole(page):
    open_task(page, make_story("Ada .\n" * 1_500))
    expect_late_parts(page)
    page.keyboard.press("Control+End")
    page.wait_for_function("""() => {
      const window = document.querySelector(".rail-window");
      if (!window?.hasAttribute("y")) return false;
      const [y, height] = ["y", "height"].map((name) => Number(window.getAttribute(name)));
      const all = window.ownerSVGElement.viewBox.baseVal.height;
      return y > all / 2 && height >= 8 && y + height <= all;
    }""")


def test_a_hint_of_several_lines_begins_where_its_own_language_does(page):
    page.set_viewport_size(PHONE)
    open_task(page, make_story(ARABIC, **RIGHT_TO_LEFT))
    lines = page.locator(".entity-hint bdi").evaluate("""(words) => {
      const range = document.createRange();
      range.selectNodeContents(words);
      return [...range.getClientRects()].map(({ left }) => left);
    }""")
    assert len(lines) > 1
    assert len(set(lines)) == 1


LANGUAGES = ["en", "de", "es", "fr", "ar"]
WORDS_SEEN = """(all) => all.map((one) => one.querySelector(".wide"))
  .every(({ clientWidth, scrollWidth }) => clientWidth > 8 && scrollWidth <= clientWidth)"""


def rows_of_buttons(page):
    """In the bar, without the strip of types."""
    buttons = page.locator("[data-part=bar] :is(.button, .button-quiet):visible")
    return len(
        set(buttons.evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)"))
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_skip_and_report_have_words_in_one_row_of_buttons_on_a_tablet(page, language):
    page.goto(f"/join/{campaign_link(make_story())}/?language={language}")
    expect(token(page, 0)).to_be_visible()
    buttons = page.locator(":is([data-act=skip], [data-act=report], [data-act=doubt])")
    for width in (720, 768, 820, 900):
        page.set_viewport_size({"width": width, "height": 1024})
        assert buttons.evaluate_all(WORDS_SEEN), width
        expect(page.locator(".entity-strip .key").first).to_be_visible()
        assert rows_of_buttons(page) == 1, width


@pytest.mark.parametrize("language", LANGUAGES)
def test_undo_and_redo_have_words_where_there_is_room(page, language):
    page.goto(f"/join/{campaign_link(make_story())}/?language={language}")
    expect(token(page, 0)).to_be_visible()
    widths = (1536, 1600) if language in ("de", "es") else (1280, 1440)
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.locator(":is([data-act=undo], [data-act=redo])").evaluate_all(WORDS_SEEN), width
        assert rows_of_buttons(page) == 1, width


def test_no_type_moves_when_another_is_held(page):
    page.set_viewport_size(LAPTOP)
    open_task(page, make_story())
    rows = page.locator(".palette-type")
    tops = "all => all.map((one) => one.getBoundingClientRect().top)"
    before = rows.evaluate_all(tops)
    rows.first.click()
    expect(rows.first).to_have_attribute("aria-pressed", "true")
    assert rows.evaluate_all(tops) == before


def test_what_is_offered_begins_where_its_message_does_on_a_phone(page):
    page.set_viewport_size(PHONE)
    open_task(page, make_story("Ada met Ada and Ada in the old town . " * 2))
    token(page, 0).click()
    choice(page, "PER").click()
    offer = page.locator("offer-buttons button").first
    expect(offer).to_be_visible()
    start = message(page).evaluate("""one => one.getBoundingClientRect().left
      + parseFloat(getComputedStyle(one).paddingLeft)""")
    assert offer.bounding_box()["x"] == start


def test_selected_text_of_a_field_can_be_read_on_a_dark_page(page):
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    open_task(page, make_story("In 1996 she came .", schema=DATES))
    press(page, "ArrowRight", "t")
    field = page.locator("#date-typed")
    looks = """(one) => {
      const { color, backgroundColor } = getComputedStyle(one, "::selection");
      return [color, backgroundColor];
    }"""
    ink, ground = (
        sum(int(part) for part in re.findall(r"\d+", colour)[:3])
        for colour in field.evaluate(looks)
    )
    assert abs(ink - ground) > 300  # of 765


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_first_date_that_is_asked_for_scrolls_nothing_away(page, size):
    page.set_viewport_size(size)
    open_task(page, make_story("In the year 1996 Ada wrote to Bob . " * 40, schema=DATES))
    press(page, *["ArrowRight"] * 3, "t")
    expect(page.locator("date-form .date-label")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") == 0


def test_a_question_leads_to_what_it_is_about_and_closes_the_menu(page, tmp_path):
    campaign = make_story()
    link_to(campaign, tmp_path)
    open_task(page, campaign)
    for word in (0, 6):
        token(page, word).click()
        press(page, "p")
    press(page, "ArrowRight", "Space")
    expect(menu(page)).to_be_visible()
    press(page, "Control+Enter")
    expect(message(page)).to_contain_text("2 names are not linked.")
    expect(menu(page)).to_be_hidden()
    press(page, "]")
    expect(menu(page)).to_contain_text("“Ada” · PER")
    expect(message(page)).to_have_text("")
    press(page, "Control+Enter")
    page.get_by_role("button", name="Show where").click()
    press(page, "/")
    expect(page.locator("entry-search")).to_be_visible()


def test_undo_after_a_note_of_the_whole_answer_shows_what_takes_it_back(page):
    open_task(page, make_story())
    undo = page.locator("[data-act=undo]")
    press(page, "&")
    note = page.get_by_label("Why are you unsure? (optional)")
    expect(undo).to_have_attribute("aria-disabled", "false")
    note.fill("x")
    expect(undo).to_have_attribute("aria-disabled", "false")
    press(page, "Enter", "p", "Control+z")  # the name, which was the last act
    expect(message(page)).to_contain_text("Undone")
    press(page, "Escape", "Control+z")
    expect(note).to_have_value("x")
    page.get_by_role("button", name="No longer unsure").click()
    expect(message(page)).to_have_text("Your answer is no longer marked as unsure.")


def test_a_click_on_empty_paper_lets_go_of_the_name(page):
    open_task(page, make_story())
    token(page, 3).click()
    press(page, "p")
    expect(page.locator(".mention.chosen")).to_have_count(1)
    page.locator(".entity-text").click(position={"x": 20, "y": 120})
    expect(page.locator(".mention.chosen")).to_have_count(0)
    page.get_by_role("button", name="Unsure").click()
    expect(message(page)).to_contain_text("Your answer is marked as unsure.")


# All of a button within the box that scrolls it.
TYPES_IN_VIEW = """(all) => {
  const box = all[0].parentElement.getBoundingClientRect();
  const isIn = ({ top, bottom }) => top >= box.top && bottom <= Math.min(box.bottom, innerHeight);
  return all.filter((one) => isIn(one.getBoundingClientRect())).length;
}"""


def types_in_view(page: Page) -> int:
    types = menu(page).locator(".is-long [data-action=type]")
    expect(types).to_have_count(len(TYPES_25))
    return types.evaluate_all(TYPES_IN_VIEW)


def many_types(text: str):
    about = "A person or a family, by name, but no title, no role and nobody who is called he."
    kinds = [{"name": name, "description": about} for name in TYPES_25]
    return make_story(text, schema=check_schema({"entity_types": kinds}))


def test_wherever_a_word_stands_the_menu_of_many_types_shows_ten_and_three_to_be_the_same_as(page):
    page.set_viewport_size(LAPTOP)
    open_task(page, many_types("\n".join(f"Ada{i} met Bob{i} in Rome{i} ." for i in range(14))))
    expect_late_parts(page)
    for word in (0, 2, 4, 7):
        token(page, word).click()
        choice(page, "Person").click()
    for line in range(4, 14):
        token(page, 5 * line + 3).click()
        assert types_in_view(page) >= 10, line
        same = menu(page).get_by_role("group", name="Same as").get_by_role("button")
        assert [one.bounding_box()["y"] for one in same.all()[:3]] == [
            same.first.bounding_box()["y"]
        ] * 3
        expect(same.first).to_be_in_viewport(ratio=1)
        press(page, "Escape")


def test_on_a_phone_eight_of_many_types_stand_below_the_last_and_above_the_same(phone):
    open_task(phone, many_types("Ada Lovelace met Charles Babbage in London ."))
    for word, kind in ((0, "Money"), (3, "Person"), (6, "Place")):
        token(phone, word).tap()
        choice(phone, kind).last.tap()
    token(phone, 6).tap()
    expect(menu(phone).get_by_role("group", name="Last used")).to_be_in_viewport(ratio=1)
    expect(menu(phone).get_by_role("group", name="Same as")).to_be_in_viewport(ratio=1)
    expect(choice(phone, "Remove")).to_be_in_viewport(ratio=1)
    wait_until(phone, lambda: types_in_view(phone) >= 8)  # the looks of long menus come late
    choice(phone, "Definitions").tap()
    rows = menu(phone).locator(".is-long [data-action=type]")
    tall = "(all) => all.every((one) => one.scrollHeight <= one.clientHeight)"
    assert rows.evaluate_all(tall)  # none over the next


def test_the_types_that_were_marked_last_stand_first_for_a_finger(phone):
    schema = check_schema({"entity_types": [{"name": name} for name in TYPES_25]})
    open_task(phone, make_story(schema=schema))
    for word, kind in ((0, "Money"), (3, "Person")):
        token(phone, word).tap()
        choice(phone, kind).last.tap()
    token(phone, 8).tap()
    last = menu(phone).get_by_role("group", name="Last used").locator("bdi")
    expect(last).to_have_text(["Person", "Money"])
    all_types = menu(phone).get_by_role("group", name="Type").locator("bdi")
    expect(all_types.first).to_have_text("Person")


@pytest.mark.parametrize("size", [(640, 400), (844, 390), (320, 256)], ids=str)
def test_where_there_is_little_height_what_is_said_is_seen_and_hides_no_button(page, size):
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    open_task(page, make_story("word " * 400))
    press(page, "Enter")
    expect(message(page)).to_contain_text("never fully in view")
    expect(page.get_by_role("button", name="Submit anyway")).to_be_in_viewport(ratio=1)
    button = page.locator("[data-act=submit]")
    button.scroll_into_view_if_needed()
    said, box = message(page).bounding_box(), button.bounding_box()
    assert said["y"] + said["height"] <= box["y"]
