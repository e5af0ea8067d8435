"""The entity page in every state, for every reader: axe, zoom, direction, motion, weight."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from annotation.actions.knowledge import import_knowledge_base
from annotation.actions.tokens import campaign_link
from config import catalogues
from tests.browser.accessible import violations
from tests.browser.entity_page import (
    choice,
    drag,
    expect_all_done,
    expect_mentions,
    make_story,
    menu,
    message,
    open_task,
    sent,
    submit,
    token,
)  # fmt: skip
from tests.browser.late_parts import expect_late_parts
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import expect_kept

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
ARABIC = "كتبت مريم حداد إلى بلدية طرابلس في آذار"


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.fixture
def knowledge(tmp_path):
    """A knowledge base for a campaign's project."""

    def fill(campaign):
        rows = [
            {"key": "Q7259", "name": "Ada Lovelace", "type": "PER", "description": "Mathematician"},
            {"key": "Q46633", "name": "Charles Babbage", "type": "PER", "aliases": ["C. Babbage"]},
        ]
        path = tmp_path / "entries.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        import_knowledge_base(campaign.project, path)

    return fill


@pytest.mark.parametrize(
    ("size", "scheme"), [(LAPTOP, "light"), (PHONE, "dark")], ids=["laptop", "phone"]
)
def test_axe_finds_nothing_in_any_state(page, size, scheme, knowledge):
    campaign = make_story()
    knowledge(campaign)
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    open_task(page, campaign)
    assert violations(page) == []  # nothing marked
    drag(page, 0, 1)
    expect(menu(page)).to_be_visible()
    assert violations(page) == []  # words selected
    choice(page, "PER").click()
    token(page, 10).click()
    choice(page, "Ada Lovelace").click()
    assert violations(page) == []  # an entity with two mentions
    token(page, 10).click()
    assert violations(page) == []  # a mention chosen, its entity in focus
    page.keyboard.press("/")
    expect(page.get_by_role("option", name="Ada Lovelace")).to_be_visible()
    assert violations(page) == []  # the search
    assert fits(page)


def test_name_is_linked_as_one_types(page, knowledge):
    campaign = make_story()
    knowledge(campaign)
    open_task(page, campaign)
    token(page, 8).click()
    choice(page, "PER").click()
    token(page, 8).click()
    choice(page, "Link…").click()
    search = page.locator("main").get_by_role("combobox")
    expect(search).to_have_value("Babbage")
    search.fill("c. bab")
    page.get_by_role("option", name="Charles Babbage").click()
    expect(page.locator(".entity-link")).to_contain_text("Charles Babbage")
    submit(page)
    expect_all_done(page)
    assert sent(campaign)[0]["entities"][0]["link"] == "Q46633"


def test_no_entry_is_said_on_purpose_and_never_by_enter_alone(page, knowledge):
    campaign = make_story()
    knowledge(campaign)
    open_task(page, campaign)
    page.keyboard.press("p")
    page.keyboard.press("/")
    expect(page.get_by_role("option", name="Ada Lovelace")).to_be_visible()
    search = page.locator("entry-search")
    page.keyboard.type("Xenia")
    expect(search.get_by_role("status")).to_have_text(
        "Nothing found for “Xenia”. Try a part of the name."
    )
    expect(search.get_by_role("option").locator(".key")).to_have_text(["↓", "Enter"])
    page.keyboard.type("!")
    page.keyboard.press("Enter")  # before the answer
    told = "Nothing is chosen. The arrow key ↓ leads to “No entry”, and Enter takes it."
    expect(search.get_by_role("status")).to_have_text(told)
    page.keyboard.press("Enter")
    expect(search.get_by_role("status")).to_have_text(told)
    expect(search.get_by_role("option")).to_have_text(["No entry↓Enter"])
    expect(search.locator("[aria-selected]")).to_have_count(0)
    keep_screenshot(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(message(page)).to_contain_text("“Ada” has no entry.")
    expect(page.locator(".entity-link")).to_contain_text("No entry")


def test_search_by_keyboard_has_a_way_out_and_no_entry(page, knowledge):
    campaign = make_story()
    knowledge(campaign)
    open_task(page, campaign)
    page.keyboard.press("p")
    page.keyboard.press("/")
    expect(page.get_by_role("option", name="Ada Lovelace")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("token-text")).to_be_focused()
    page.keyboard.press("/")
    expect(page.get_by_role("option", name="Ada Lovelace")).to_be_visible()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(message(page)).to_contain_text("“Ada” has no entry.")
    expect(page.locator("token-text")).to_be_focused()


def test_enter_takes_no_entry_of_an_earlier_query(page, knowledge):
    campaign = make_story()
    knowledge(campaign)
    open_task(page, campaign)
    page.keyboard.press("p")
    page.keyboard.press("/")
    expect(page.get_by_role("option", name="Ada Lovelace")).to_be_visible()
    page.keyboard.type("c. bab")
    page.keyboard.press("Enter")  # before the answer
    expect(message(page)).to_contain_text("linked to “Charles Babbage”")


def test_links_of_a_kept_draft_are_called_by_name(page, knowledge):
    campaign = make_story()
    knowledge(campaign)
    open_task(page, campaign)
    page.keyboard.press("p")
    page.keyboard.press("/")
    page.get_by_role("option", name="Ada Lovelace").click()
    expect_kept(page)
    page.reload()
    expect(page.locator(".entity-link")).to_contain_text("Ada Lovelace")


def test_without_a_knowledge_base_nothing_speaks_of_links(page):
    open_task(page, make_story())
    page.keyboard.press("p")
    token(page, 0).click()
    expect(menu(page)).to_be_visible()
    expect(menu(page)).not_to_contain_text("Link")
    expect(page.locator("entity-list")).not_to_contain_text("Link")


def test_a_list_that_is_defined_before_it_is_shown_keeps_what_stood_there(page):
    open_task(page, make_story())
    expect_late_parts(page)
    kept = page.evaluate(
        "() => { const list = document.createElement('entity-list'); list.append('Marked');"
        " document.body.append(list); const { innerHTML } = list; list.remove(); return innerHTML }"
    )
    assert kept == "Marked"


def test_text_from_right_to_left_is_laid_out_and_walked_so(page):
    open_task(page, make_story(ARABIC, text_direction="rtl", language="ar"))
    first, second = token(page, 0).bounding_box(), token(page, 1).bounding_box()
    assert first["x"] > second["x"]
    leads = page.get_by_role("button", name="Next name")
    # Nothing tells where one may be: the script has no capitals.
    expect(leads).to_have_attribute("aria-disabled", "true")
    for key in ("ArrowLeft", "Shift+ArrowLeft", "p"):
        page.keyboard.press(key)
    expect_mentions(page, [("مريم حداد", "PER")])
    expect(leads).to_have_attribute("aria-disabled", "false")  # it may stand there once more


def test_around_a_text_from_right_to_left_the_page_keeps_its_own_direction(page):
    open_task(page, make_story(ARABIC, text_direction="rtl", language="ar"))
    right = "one => Math.round(one.getBoundingClientRect().right)"
    row = page.locator(".row-text")
    assert page.locator(".entity-hint bdi").evaluate(right) == row.evaluate(right)
    token(page, 1).click()
    expect(menu(page)).to_have_css("direction", "ltr")


def test_four_times_as_large_it_still_fits_and_works(page):
    page.set_viewport_size({"width": 320, "height": 256})  # 1280 × 1024 at 400 %
    open_task(page, make_story())
    assert fits(page)
    token(page, 0).click()
    choice(page, "PER").click()
    expect_mentions(page, [("Ada", "PER")])
    assert fits(page)


def test_names_and_types_of_any_length_stay_inside(page):
    long = "Donaudampfschifffahrtsgesellschaftskapitän" * 6
    page.set_viewport_size(PHONE)
    open_task(page, make_story(f"{long} met Ada ."))
    token(page, 0).click()
    choice(page, "PER").click()
    assert fits(page)


def test_on_a_phone_nothing_is_left_below_the_bar(page):
    page.set_viewport_size(PHONE)
    open_task(page, make_story(" ".join(f"Ada{i} met Bob ." for i in range(10))))
    for number in range(0, 40, 4):
        token(page, number).click()
        choice(page, "PER").click()
    expect(page.locator(".entity-name")).to_have_count(10)
    bar = page.locator("[data-part=bar]")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert page.evaluate("scrollY") > 0
    assert bar.evaluate("bar => Math.round(bar.getBoundingClientRect().bottom)") == PHONE["height"]


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "ar"])
def test_on_a_phone_the_bar_is_one_row_in_each_language(page, language):
    page.set_viewport_size(PHONE)
    page.goto(f"/join/{campaign_link(make_story())}/?language={language}")
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(token(page, 0)).to_be_visible()
    tops = page.locator(".work-bar :is(.button, .button-quiet):visible").evaluate_all(
        "buttons => buttons.map((button) => button.getBoundingClientRect().top)"
    )
    assert len(tops) == 6
    assert len(set(tops)) == 1


def test_types_differ_by_pattern_and_not_by_colour_alone(page):
    open_task(page, make_story())
    for number, name in ((0, "PER"), (2, "LOC"), (4, "ORG")):
        token(page, number).click()
        choice(page, name).click()
    styles = page.locator("mark.mention").evaluate_all(
        "marks => marks.map((mark) => getComputedStyle(mark).textDecorationStyle)"
    )
    assert len(set(styles)) == 3


def test_a_task_is_one_request(page):
    open_task(page, make_story("One Ada .", "Two Ada ."))
    page.keyboard.press("p")
    expect_late_parts(page)
    seen = []
    page.on("request", lambda request: seen.append((request.method, request.url.split("/")[-2])))
    page.keyboard.press("Enter")
    expect(token(page, 0)).to_have_text("Two")
    assert [each for each in seen if each[1] != "draft"] == [("POST", "submit")]


def test_work_comes_back_after_a_reload(page):
    open_task(page, make_story())
    drag(page, 0, 1)
    choice(page, "PER").click()
    expect_kept(page)
    page.reload()
    expect(page.locator("mark.mention")).to_have_text("Ada Lovelace")
    listed = page.locator("entity-list .entity-name")
    expect(listed).to_have_text(re.compile(r"^Ada Lovelace\s+PER$"), use_inner_text=True)


def test_a_reload_leads_back_to_where_one_stood(page):
    lines = [f"Line {number} tells of Ada ." for number in range(200)]
    open_task(page, make_story("\n".join(lines)))
    token(page, 604).click()
    with page.expect_response("**/draft/"):  # by then the steps are kept on the device too
        page.keyboard.press("p")
    page.reload()
    expect(page.locator("mark.mention")).to_have_text("Ada")
    expect(token(page, 604)).to_be_in_viewport()
    expect(page.locator(".caret")).to_have_attribute("data-token", "604")
    # Who went on reading comes back to what they read.
    token(page, 900).scroll_into_view_if_needed()
    page.wait_for_function("scrollY > 3000")
    page.reload()
    expect(token(page, 900)).to_be_in_viewport()


def test_text_without_a_word_can_be_sent(page):
    campaign = make_story(" ")
    page.clock.install()
    page.goto(f"/join/{campaign_link(campaign)}/")
    expect(page.locator("token-text")).to_be_visible()
    submit(page)
    expect(message(page)).to_contain_text("Nothing is marked.")
    page.clock.run_for(1_000)
    submit(page)
    expect_all_done(page)


@pytest.mark.parametrize("language", ["en", *catalogues.languages()])
def test_the_bar_is_a_row_in_which_skip_and_report_have_their_words(page, language):
    campaign = make_story()
    for width in (1280, 1600):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"/join/{campaign_link(campaign)}/?language={language}")
        expect(token(page, 0)).to_be_visible()
        bar = page.locator("[data-part=bar]")
        for act in ("skip", "report"):
            words = bar.locator(f"[data-act={act}] .wide")
            assert words.bounding_box()["width"] > 20, (act, width)
        assert bar.bounding_box()["height"] < 70
        keep_screenshot(page)
