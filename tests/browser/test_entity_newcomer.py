"""What somebody new does on the entity page: it must neither lose nor hide what they did."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from annotation.actions.knowledge import import_knowledge_base
from annotation.interfaces.schema import check_schema
from annotation.models import Campaign
from tests.browser.entity_page import (
    choice,
    drag,
    expect_all_done,
    expect_mentions,
    make_story,
    marked,
    menu,
    message,
    open_task,
    sent,
    submit,
    token,
)  # fmt: skip
from tests.browser.late_parts import expect_late_parts
from tests.browser.screenshots import keep_screenshot
from tests.browser.test_entity_palette import TYPES_25

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PARAGRAPHS = "\n".join("Ada wrote a very long letter to London . " * 24 for _ in range(2))
EDGE = """() => Math.min(...["bar", "message"].map((name) =>
  document.querySelector(`[data-part=${name}]`).getBoundingClientRect().top || innerHeight))"""


def link_to(campaign: Campaign, tmp_path) -> None:
    path = tmp_path / "entries.jsonl"
    path.write_text(json.dumps({"key": "Q7259", "name": "Ada Lovelace", "type": "PER"}) + "\n")
    import_knowledge_base(campaign.project, path)


def test_enter_after_a_click_in_the_bar_submits(page):
    campaign = make_story()
    open_task(page, campaign)
    token(page, 0).click()
    page.keyboard.press("p")
    page.get_by_role("button", name="Unsure").click()
    expect(page.get_by_label("Why are you unsure? (optional)")).to_be_focused()
    page.keyboard.press("Enter")  # back in the text
    page.get_by_role("button", name="Undo").click()  # the mark
    page.get_by_role("button", name="Unsure").click()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect_all_done(page)
    assert [doubt["at"] for doubt in sent(campaign)[0]["doubts"]] == ["m1"]


def test_a_paragraph_is_read_when_its_end_was_in_view(phone):
    phone.clock.install()
    campaign = make_story(PARAGRAPHS)
    open_task(phone, campaign)
    below = phone.locator(".more-below")
    phone.clock.run_for(400)
    for word in (0, 6):
        token(phone, word).tap()
        choice(phone, "PER").tap()
    expect(below).to_have_css("position", "absolute")  # its looks come late
    phone.clock.run_for(1_000)  # three looks
    keep_screenshot(phone)
    expect(below).to_be_in_viewport(ratio=1)
    bar, box = phone.locator("[data-part=bar]").bounding_box(), below.bounding_box()
    assert bar is not None
    assert box is not None
    assert box["y"] >= bar["y"]  # and so over no word
    below.tap()  # nor does it let a tap through to the type that lies below it
    phone.wait_for_function("scrollY > 300")
    expect(phone.locator(".entity-strip [aria-pressed=true]")).to_have_count(0)
    phone.evaluate("scrollTo(0, 0)")
    submit(phone)
    expect(message(phone)).to_contain_text("Paragraphs 1–2 were never fully in view,")
    phone.wait_for_load_state("networkidle")  # nothing is read while something goes out
    expect(phone.locator("[inert]")).to_have_count(0)
    for step in (*range(9), *range(9)):
        phone.evaluate("share => scrollTo(0, share * document.body.scrollHeight)", step / 8)
        phone.clock.run_for(1_000)
    expect(below).to_be_hidden()
    submit(phone)
    expect_all_done(phone)
    assert sent(campaign)[0]["unlabelled"] == []


@pytest.mark.parametrize(("before", "after"), [(2, -2), (-2, 3), (2, 3)])
def test_a_drag_over_one_word_may_slip_past_its_edges(page, before, after):
    """By so many pixels before its first letter and after its last."""
    open_task(page, make_story())
    box = token(page, 6).bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] - before, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] + after, y, steps=6)
    page.mouse.up()
    expect(menu(page)).to_contain_text("“London”")


def test_a_word_that_was_found_is_not_covered_by_what_is_said_of_it(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    open_task(page, make_story("\n".join(f"Ada met Bob on day{day} ." for day in range(10, 70))))
    expect_late_parts(page)
    page.keyboard.press("f")
    page.keyboard.type("day45")
    expect(message(page)).to_have_text("Found: “day45”")
    box = page.locator(".token", has_text="day45").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= page.evaluate(EDGE)


def test_a_click_beside_the_words_releases_the_name_that_was_marked_last(page):
    open_task(page, make_story())
    drag(page, 0, 1)
    page.keyboard.press("p")
    box = token(page, 6).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] + 2, box["y"] + box["height"] / 2)
    page.keyboard.press("l")
    assert ("Ada Lovelace", "PER") in marked(page)


@pytest.mark.parametrize("lines", [1, 11, 12], ids=["above", "near the bar", "at the bar"])
def test_the_menu_of_a_name_ends_above_the_bar_and_what_is_said_there(page, lines, tmp_path):
    campaign = make_story("\n".join(["word " * 4] * lines + ["Ada"]))
    link_to(campaign, tmp_path)
    page.set_viewport_size({"width": 1280, "height": 800})
    open_task(page, campaign)
    last = token(page, lines * 4)
    last.click()
    page.keyboard.press("p")
    expect(message(page)).to_contain_text("marked as PER")
    last.click()
    expect(menu(page)).to_be_visible()
    keep_screenshot(page)
    edge, box = page.evaluate(EDGE), menu(page).bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= edge
    for name in ("Link…", "Remove", "Unsure"):
        expect(choice(page, name)).to_be_in_viewport(ratio=1)


def test_three_names_to_be_the_same_as_are_in_sight_wherever_the_menu_opens(page):
    kinds = [{"name": name, "description": f"What is a {name}."} for name in TYPES_25[:8]]
    lines = ["Ada and Bob and Carl and Dora ."] * 14
    page.set_viewport_size({"width": 1280, "height": 720})
    open_task(page, make_story("\n".join(lines), schema=check_schema({"entity_types": kinds})))
    for word in (0, 2, 4, 6):
        token(page, word).click()
        page.keyboard.press("p")
    for line in range(1, 12, 2):
        page.keyboard.press("Escape")
        token(page, 8 * line).click()
        for name in ("Ada", "Dora", "Carl"):
            expect(choice(page, name)).to_be_in_viewport(ratio=1)
        if line == 7:
            keep_screenshot(page)


def test_what_is_unsure_says_so_in_the_text_and_in_the_list(page):
    open_task(page, make_story())
    token(page, 0).click()
    page.keyboard.press("p")
    token(page, 0).click()
    choice(page, "Unsure").click()
    expect(choice(page, "Unsure")).to_have_attribute("aria-pressed", "true")
    label = "getComputedStyle(document.querySelector('mark.mention'), '::after').content"
    assert page.evaluate(label) == '"\u200cPER\u00a0?"'  # never torn at the end of a line
    expect(page.locator("entity-list")).to_contain_text("Unsure ?")
    keep_screenshot(page)
    choice(page, "Unsure").click()
    assert page.evaluate(label) == '"\u200cPER\u200c"'


def test_names_without_a_link_are_asked_about_once(page, tmp_path):
    campaign = make_story()
    link_to(campaign, tmp_path)
    open_task(page, campaign)
    for word in (0, 6):
        token(page, word).click()
        page.keyboard.press("p")
    expect(page.locator(".entity-link")).to_have_text(["Not linked", re.compile("Not linked")])
    keep_screenshot(page)
    page.keyboard.press("Enter")
    expect(message(page)).to_contain_text("2 names are not linked.")
    token(page, 0).click()
    choice(page, "Link…").click()
    search = page.locator("entry-search")
    search.get_by_role("button", name="Close").click()
    expect(search).to_be_hidden()
    token(page, 0).click()
    choice(page, "Link…").click()
    page.set_viewport_size({"width": 390, "height": 844})
    keep_screenshot(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("option", name="No entry").click()
    expect(page.locator(".entity-link").first).to_contain_text("No entry")
    submit(page)
    expect(message(page)).to_contain_text("1 name is not linked.")
    page.wait_for_timeout(900)  # what is pressed at once is no answer
    submit(page)
    expect_all_done(page)
    assert set(sent(campaign)[0]) == {"mentions", "entities", "unlabelled"}


def test_all_types_stay_in_sight_beside_many_names(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    open_task(page, make_story(" ".join(f"Name{i} and" for i in range(30))))
    for i in range(14):
        token(page, 2 * i).click()
        page.keyboard.press("p")
    keep_screenshot(page)
    palette = page.locator("type-palette")
    assert palette.evaluate("one => one.scrollHeight - one.clientHeight") == 0
    heading = page.locator("entity-list h2")
    page.locator(".entity-listed").evaluate("one => one.scrollTo(0, 200)")
    expect(heading).to_be_in_viewport(ratio=1)
    assert page.locator(".entity-listed").evaluate("one => one.scrollTop") > 0


def test_how_to_mark_is_said_until_something_is_marked_and_the_caret_comes_with_a_key(page):
    open_task(page, make_story())
    hint = page.get_by_text("Click a word, or drag over several, then choose what it is.")
    expect(hint).to_be_visible()
    keep_screenshot(page)
    outline = "getComputedStyle(document.querySelector('.caret')).outlineStyle"
    assert page.evaluate(outline) == "none"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(outline) == "solid"
    page.keyboard.press("p")
    expect(hint).to_be_hidden()


def test_how_to_mark_is_said_above_the_bar_where_the_text_is_long(phone):
    campaign = make_story(PARAGRAPHS)
    open_task(phone, campaign)
    expect(message(phone)).to_have_text(re.compile("^Tap a word, or the first and the last"))
    keep_screenshot(phone)
    phone.reload()
    expect(token(phone, 0)).to_be_visible()
    expect(message(phone)).to_be_empty()  # once


def test_the_pen_tells_a_finger_what_a_finger_can_do(phone):
    open_task(phone, make_story())
    expect_late_parts(phone)
    phone.locator(".palette-type").first.tap()
    expect(message(phone)).to_contain_text("Tap PER again to stop.")
    keep_screenshot(phone)
    phone.locator(".palette-type").first.tap()
    expect(message(phone)).to_have_text("Tapping selects words again.")


def test_on_a_phone_help_has_no_keys_and_the_menu_its_words_in_line(phone):
    open_task(phone, make_story())
    phone.get_by_role("button", name="Menu").tap()
    items = phone.locator("#menu")
    left = """all => all.map((one) => {
      const range = document.createRange();
      range.selectNodeContents(one.querySelector(".wide") ?? one);
      return Math.round(range.getBoundingClientRect().left);
    })"""
    assert len(set(items.locator("button:visible").evaluate_all(left))) == 1
    items.get_by_role("button", name="Help").tap()
    help = phone.get_by_role("dialog", name="Help")
    expect(help).to_contain_text("A person's name.")
    expect(help.locator("summary")).to_be_hidden()
    phone.set_viewport_size({"width": 800, "height": 1000})  # a tablet may have a keyboard
    expect(help.locator(".keys-list").first).to_be_hidden()
    help.locator("summary").tap()
    expect(help.locator(".keys-list").first).to_be_visible()


@pytest.mark.parametrize(
    ("language", "enter", "shift"),
    [("en", "Enter", "Shift"), ("de", "Enter", "Umschalt"), ("es", "Intro", "Mayús"),
     ("fr", "Entrée", "Maj"), ("ar", "Enter", "Shift")],
)  # fmt: skip
def test_keys_are_called_as_on_the_keyboards_of_the_language(page, language, enter, shift):
    page.context.set_extra_http_headers({"Accept-Language": language})
    open_task(page, make_story())
    expect(page.locator("[data-act=submit] .key")).to_have_text(enter)
    page.keyboard.press("?")
    caps = page.locator(".keys-list .key")
    expect(caps.filter(has_text=re.compile(f"^{shift}$")).first).to_be_visible()


def test_names_are_taken_without_titles_and_offered_in_no_longer_name(page):
    text = "Left Port Lund with Dr Falk , and in Lund were Port Lund and Lund ."
    open_task(page, make_story(text))
    expect_late_parts(page)
    page.keyboard.press("Tab")
    expect(menu(page)).to_contain_text("“Port Lund”")
    page.keyboard.press("Tab")
    expect(menu(page)).to_contain_text("“Falk”")
    page.keyboard.press("Tab")
    expect(menu(page)).to_contain_text("“Lund”")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")  # Esc has closed the menu, and is no way out
    expect(menu(page)).to_contain_text("“Lund”")
    token(page, 9).click()
    page.keyboard.press("l")
    expect(page.get_by_role("button", name="Mark 1 more “Lund”")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "ar"])
def test_submit_stands_beside_the_other_buttons_in_every_language(page, language):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.context.set_extra_http_headers({"Accept-Language": language})
    open_task(page, make_story())
    expect_late_parts(page)
    page.keyboard.press("&")
    expect(page.locator("[data-act=doubt]")).to_have_attribute("aria-pressed", "true")
    keep_screenshot(page)
    tops = page.locator("[data-part=bar] button:visible").evaluate_all(
        "all => all.map((one) => Math.round(one.getBoundingClientRect().top))"
    )
    assert max(tops) - min(tops) < 8


def test_the_same_words_are_marked_after_an_undo_too(page):
    campaign = make_story("Ada met Bob . Ada wrote . Ada left .")
    open_task(page, campaign)
    token(page, 0).click()
    page.keyboard.press("p")
    expect(message(page)).to_contain_text("Mark 2 more")
    page.keyboard.press("+")
    expect_mentions(page, [("Ada", "PER")] * 3)
    page.keyboard.press("Control+z")
    expect_mentions(page, [("Ada", "PER")])
    token(page, 0).click()
    page.keyboard.press("+")
    expect_mentions(page, [("Ada", "PER")] * 3)


def test_who_has_read_on_is_asked_again_of_names_that_are_not_finished(page):
    page.set_viewport_size({"width": 1280, "height": 600})
    page.clock.install()
    lines = [f"In May of the year {1900 + i} nothing was heard of them ." for i in range(40)]
    kinds = [{"name": "DATE", "value": "date", "key": "d"}]
    campaign = make_story("\n".join(lines), schema=check_schema({"entity_types": kinds}))
    open_task(page, campaign)
    page.clock.run_for(1_400)
    token(page, 1).click()
    page.keyboard.press("d")
    page.get_by_role("button", name="Later").click()
    submit(page)
    expect(message(page)).to_contain_text("never in view")
    expect(message(page)).to_contain_text("has no date yet")
    page.get_by_role("button", name="Read on").click()
    for _ in range(12):
        page.mouse.wheel(0, 200)
        page.clock.run_for(700)
    submit(page)
    expect(message(page)).to_contain_text("has no date yet")
    expect(page.get_by_role("button", name="Show where")).to_be_visible()
    page.clock.run_for(2_000)
    submit(page)
    expect_all_done(page)
    assert sent(campaign)[0]["unlabelled"] == []
