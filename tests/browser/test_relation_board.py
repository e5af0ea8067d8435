"""Many relations to choose from: a board that needs no scroll, and the filter beside it."""

from __future__ import annotations

import itertools
import re

import pytest
from playwright.sync_api import expect

from annotation.actions.tokens import campaign_link
from annotation.interfaces.schema import check_schema
from annotation.models import Project
from config import catalogues
from tests.browser import relation_page
from tests.browser.accessible import violations
from tests.browser.entity_page import expect_all_done, message, submit, token
from tests.browser.practice_page import LAPTOP, PHONE, fits
from tests.browser.relation_page import (
    STORY,
    ada_and_london,
    answer,
    chosen,
    make_pairs,
    open_pair,
    press,
    relations_of,
    settle,
)
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import expect_kept

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_many_relations_are_a_board_without_a_scroll_that_filters_as_one_types(page):
    groups = {"Work": 7, "Ownership": 6, "Membership": 4, "Dealings": 5, "Dispute": 3}
    relations = [
        {"name": f"{group}:{i}", "subject": ["PER"], "object": ["GPE"], "group": group,
         "button": f"has done {group.lower()} {i} for"}
        for group, number in groups.items() for i in range(number)
    ]  # fmt: skip
    schema = check_schema({**relation_page.SCHEMA, "relation_types": relations})
    page.set_viewport_size(LAPTOP)
    campaign = make_pairs(schema=schema)
    open_pair(page, campaign)
    assert page.get_by_role("radio").count() == 27
    assert page.evaluate("document.documentElement.scrollHeight") == LAPTOP["height"]
    bar = page.locator("[data-part=bar]").bounding_box()
    for radio in page.get_by_role("radio").all():
        box = radio.bounding_box()
        assert box["y"] + box["height"] <= bar["y"]
    assert violations(page) == []
    caps = page.locator("[role=radio] > .key").all_inner_texts()
    assert len(set(caps)) == 27
    press(page, "/")
    page.keyboard.type("dispute")
    expect(page.locator(".board [role=radio]:visible")).to_have_count(3)
    press(page, "Enter")
    assert chosen(page) == ["Ada Lovelace has done dispute 0 for London"]
    expect(page.locator("token-text")).to_be_focused()
    page.set_viewport_size(PHONE)
    assert fits(page)
    expect(answer(page, "No relation")).to_be_in_viewport(ratio=1)  # pinned
    page.evaluate("scrollTo(0, 100)")
    pins, below = (page.locator(each).bounding_box() for each in (".pins", "[data-part=bar]"))
    assert abs(below["y"] - pins["y"] - pins["height"]) < 2  # and no row shows between
    keep_screenshot(page)
    press(page, "Enter")
    expect_all_done(page)


def test_what_is_typed_may_be_the_name_of_a_group(page):
    schema = relations_of(25)
    for relation in schema["relation_types"][20:]:
        relation["group"] = "Law"
    open_pair(page, make_pairs(ada_and_london(), schema=schema))
    press(page, "/")
    page.keyboard.type("law")
    expect(page.locator(".board [role=radio]:visible")).to_have_count(5)
    expect(page.locator(".is-next")).to_have_text(re.compile("is 20 to"))  # Enter takes it
    mark = "one => getComputedStyle(one, '::after').visibility"
    assert page.locator(".is-next").evaluate(mark) == "visible"
    told = page.locator(".ask").get_by_role("status")
    expect(told).to_have_text("Enter takes “Ada Lovelace is 20 to London”. 4 more")
    page.keyboard.type("x")
    expect(told).to_have_text("No relation has “lawx” in it.")
    assert told.bounding_box()["width"] > 100  # the eye sees nothing else
    press(page, "Backspace")
    assert told.bounding_box()["width"] <= 1
    assert violations(page) == []
    press(page, "Enter")
    expect(page.locator(".is-next")).to_have_count(0)
    expect(told).to_be_empty()
    assert chosen(page) == ["Ada Lovelace is 20 to London"]


def test_arrows_move_what_enter_takes_of_the_filter(page):
    page.set_viewport_size({"width": 1280, "height": 400})
    open_pair(page, make_pairs(ada_and_london(), schema=relations_of(25)))
    answer(page, "is 7 to").click()
    press(page, "/")
    expect(page.locator(".question .key").first).not_to_be_visible()  # a letter would be typed
    page.keyboard.type("is 1")  # 1, and 10 to 19, in three groups
    taken, told = page.locator(".is-next"), page.locator(".ask").get_by_role("status")
    shown = page.locator(".board [role=radio]:not([hidden], [aria-checked=true])")
    for row in shown.all()[1:]:
        press(page, "ArrowDown")
        expect(taken).to_have_count(1)
        expect(taken).to_have_text(row.text_content())
        expect(taken).to_be_in_viewport(ratio=1)
    press(page, "ArrowDown")
    expect(taken).to_have_text(re.compile("is 19 to"))  # the last
    press(page, "ArrowUp")
    expect(told).to_have_text("Enter takes “Ada Lovelace is 18 to London”. 10 more")
    looks = (
        "one => ['backgroundColor', 'borderInlineStartWidth'].map((k) => getComputedStyle(one)[k])"
    )
    shown.nth(3).hover()
    kept = page.locator(".board [aria-checked=true]")
    seen = [tuple(one.evaluate(looks)) for one in (taken, shown.nth(3), kept, shown.nth(4))]
    assert len(set(seen)) == 4
    below = kept.bounding_box()["y"] - shown.first.bounding_box()["y"]
    assert below > shown.first.bounding_box()["height"] + 4  # it stands apart
    keep_screenshot(page)
    page.keyboard.type("2")
    expect(taken).to_have_text(re.compile("is 12 to"))
    press(page, "Backspace", "ArrowDown", "Enter")
    assert chosen(page) == ["Ada Lovelace is 10 to London"]


def test_what_is_chosen_stays_in_sight_beside_the_filter_and_is_asked_about(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    open_pair(page, make_pairs(ada_and_london(), schema=relations_of(25)))
    board = page.locator(".board [role=radio]:visible")
    answer(page, "is 7 to").click()
    press(page, "/")
    page.keyboard.type("is 21")
    expect(board).to_have_count(2)
    assert chosen(page) == ["Ada Lovelace is 7 to London"]
    page.get_by_role("button", name="Submit").click()
    expect(message(page)).to_contain_text("is 7 to London” is chosen, and not what you typed")
    page.get_by_placeholder("Filter 25").fill("zzz")
    expect(page.get_by_text("No relation has “zzz” in it.")).to_be_in_viewport()
    expect(board).to_have_count(1)
    keep_screenshot(page)
    press(page, "Enter")  # nothing is found: nothing is chosen, and the field stays
    expect(page.get_by_placeholder("Filter 25")).to_have_value("zzz")
    press(page, "Escape", "Enter")
    expect_all_done(page)


def test_the_name_of_a_group_stands_above_its_first_row_whatever_is_typed(page):
    """A long group stands in parts, each in one column and with its name."""
    page.set_viewport_size({"width": 1280, "height": 800})
    schema = relations_of(25)
    for i, relation in enumerate(schema["relation_types"]):
        relation["group"] = "AABBBBBBBCCCCDDDDDDDDDDDD"[i]
    open_pair(page, make_pairs(ada_and_london(), schema=schema))
    for typed, shown in (("", 5), ("9", 2), ("is 1", 4)):
        page.get_by_placeholder("Filter 25").fill(typed)
        expect(page.locator(".board-group:visible")).to_have_count(shown)
        for group in page.locator(".board-group:visible").all():
            name = group.locator(".board-title").bounding_box()
            first = group.locator("[role=radio]:visible").first.bounding_box()
            last = group.locator("[role=radio]:visible").last
            assert first["x"] == name["x"] == last.bounding_box()["x"]
            assert 0 < first["y"] - name["y"] < 30
            assert last.evaluate("one => getComputedStyle(one).borderEndEndRadius") != "0px"
    expect(page.locator(".board-title").last).to_have_text("D …")
    keep_screenshot(page)


def test_an_answer_that_is_no_longer_offered_is_asked_for_whatever_is_typed(page):
    campaign = make_pairs(ada_and_london(), schema=relations_of(25))
    open_pair(page, campaign)
    answer(page, "is 24 to").click()
    expect_kept(page)
    Project.objects.update(schema=relations_of(24))
    page.reload()
    page.get_by_placeholder("Filter 24").fill("is 21")
    submit(page)
    expect(message(page)).to_contain_text("Choose an answer first.")


def test_a_board_of_uneven_groups_leaves_the_text_its_column(page):
    page.set_viewport_size(LAPTOP)
    schema = relations_of(25)
    for i, relation in enumerate(schema["relation_types"]):
        relation |= {"group": "Work" if i < 3 else ("Money" if i % 2 else "Words and deeds")}
        relation |= {"sentence": "{subject} chaired the board of {object}"}
    open_pair(page, make_pairs(ada_and_london(), schema=schema))
    expect(page.locator(".board.is-uneven")).to_be_visible()
    for width in (1100, 1280, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.locator("token-text").bounding_box()["width"] > width / 4


def test_on_a_board_the_mark_of_what_is_chosen_takes_no_room_from_the_words(page):
    page.set_viewport_size(LAPTOP)
    schema = relations_of(25)
    for relation in schema["relation_types"]:
        relation |= {"sentence": "{subject} is the mother of {object}", "group": ""}
    open_pair(page, make_pairs(ada_and_london(), schema=schema))
    words = page.locator(".board .answer-words").first
    assert words.bounding_box()["height"] < 30  # px, of one line
    press(page, "1")
    mark = "one => getComputedStyle(one, '::after').visibility"
    assert page.locator("[role=radio][aria-checked=true]").evaluate(mark) == "visible"


def test_evidence_moves_no_answer_and_the_newest_is_in_sight(page):
    page.set_viewport_size(LAPTOP)
    text = f"{STORY} " + "It rained all the day . " * 6
    open_pair(page, make_pairs(ada_and_london(text), text=text, schema=relations_of(25)))
    answer(page, "is 7 to").click()
    pins, board = page.locator(".pins"), page.locator(".board")
    before = pins.bounding_box(), board.bounding_box()
    for number in range(0, 18, 2):
        token(page, number).dblclick()
        expect(page.locator(".evidence-piece")).to_have_count(number // 2 + 1)
        newest = page.locator(".evidence-piece").last
        place, frame = newest.bounding_box(), page.locator(".evidence").bounding_box()
        assert place["y"] + place["height"] <= frame["y"] + frame["height"] + 1
        assert (pins.bounding_box(), board.bounding_box()) == before
    keep_screenshot(page)
    assert frame["y"] + frame["height"] <= board.bounding_box()["y"]


@pytest.mark.parametrize("language", ["en", *catalogues.languages()])
def test_filter_and_plain_answers_of_a_board_lie_beside_each_other(page, language):
    page.set_viewport_size({"width": 1280, "height": 800})
    campaign = make_pairs(ada_and_london(), schema=relations_of(25))
    page.goto(f"/join/{campaign_link(campaign)}/?language={language}")
    expect(page.locator(".relation-filter")).to_be_visible()
    boxes = page.evaluate(
        """[...document.querySelectorAll(".pins > .answer, .relation-filter")].map((one) => {
          const all = [one, ...one.children].map((each) => each.getBoundingClientRect());
          return [Math.min(...all.map(({ left }) => left)), Math.max(...all.map((b) => b.right))];
        })"""
    )
    for (_, end), (start, _) in itertools.pairwise(sorted(boxes)):
        assert start - end >= 4
    keep_screenshot(page)


def test_the_text_takes_what_room_the_answers_of_a_board_leave_it(page):
    page.set_viewport_size(LAPTOP)
    text = f"{STORY} " + "It rained all the day . " * 9
    schema = relations_of(12)
    for i, relation in enumerate(schema["relation_types"]):
        relation["group"] = "ABC"[i % 3]
    open_pair(page, make_pairs(ada_and_london(text), text=text, schema=schema))
    settle(page)
    assert page.locator(".passage").bounding_box()["height"] > LAPTOP["height"] * 0.35
    assert page.evaluate("document.documentElement.scrollHeight") == LAPTOP["height"]


@pytest.mark.parametrize("sizes", [(9, 9, 7), (3, 6, 4, 12), (25,)], ids=str)
def test_25_relations_need_no_scroll_on_a_laptop_however_they_are_grouped(page, sizes):
    page.set_viewport_size(LAPTOP)
    schema = relations_of(25)
    groups = [f"G{number}" for number, size in enumerate(sizes) for _ in range(size)]
    for relation, group in zip(schema["relation_types"], groups, strict=True):
        relation["group"] = group
    text = "It rained all the day . " * 9 + STORY
    open_pair(page, make_pairs(ada_and_london(text), text=text, schema=schema))
    bar = page.locator("[data-part=bar]").bounding_box()
    answers = page.locator(".board .answer").all()
    assert len(answers) == 25
    lowest = max(box["y"] + box["height"] for box in (one.bounding_box() for one in answers))
    assert lowest < bar["y"]
    keep_screenshot(page)
