"""Marking by finger, on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotation.actions.tokens import campaign_link
from annotation.interfaces.schema import check_schema
from tests.browser.entity_page import (
    choice,
    expect_all_done,
    expect_entities,
    expect_mentions,
    make_story,
    menu,
    middle,
    open_task,
    sent,
    spans,
    submit,
    token,
)  # fmt: skip
from tests.browser.late_parts import expect_late_parts
from tests.browser.screenshots import keep_screenshot
from tests.browser.test_entity_palette import TYPES_25
from tests.browser.work_frame import no_network, saved

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_two_taps_select_a_range_and_a_third_marks_it(phone):
    campaign = make_story()
    open_task(phone, campaign)
    token(phone, 0).tap()
    token(phone, 1).tap()
    choice(phone, "PER").tap()
    expect_mentions(phone, [("Ada Lovelace", "PER")])
    submit(phone)
    expect_all_done(phone)
    assert [span[:3] for span in spans(sent(campaign)[0])] == [(0, 12, "PER")]


def test_tap_on_marked_words_opens_their_menu(phone):
    open_task(phone, make_story())
    token(phone, 0).tap()
    choice(phone, "PER").tap()
    token(phone, 0).tap()
    choice(phone, "Remove").tap()
    expect_mentions(phone, [])


@pytest.mark.parametrize("language", ["de", "ar"])
def test_rows_of_the_menu_have_one_height_and_nothing_sticks_out(phone, language):
    phone.goto(f"/join/{campaign_link(make_story())}/?language={language}")
    token(phone, 3).tap()
    token(phone, 4).tap()
    choice(phone, "PER").tap()
    token(phone, 8).tap()
    expect(choice(phone, "Charles Babbage")).to_be_in_viewport(ratio=1)
    rows = menu(phone).locator(".mark-menu-section:not(.mark-menu-row) > .is-noted:visible")
    sizes = rows.evaluate_all(
        "(items) => items.map((item) => [item.offsetHeight, item.scrollWidth - item.clientWidth])"
    )
    assert len(sizes) > 3
    assert len({tuple(size) for size in sizes}) == 1
    assert sizes[0][1] == 0
    keep_screenshot(phone)


def test_the_note_of_a_doubt_is_seen_and_reached_though_the_menu_was_open(phone):
    open_task(phone, make_story())
    token(phone, 3).tap()
    token(phone, 4).tap()
    choice(phone, "PER").tap()
    for _ in range(2):  # without a note, then to read and change it
        token(phone, 4).tap()
        choice(phone, "Unsure").tap()
        expect(menu(phone)).to_be_hidden()
        note = phone.get_by_label("Why are you unsure? (optional)")
        expect(note).to_be_in_viewport(ratio=1)
        note.tap()
        note.fill("It may be a ship.")
    keep_screenshot(phone)
    phone.get_by_role("button", name="No longer unsure").tap()
    expect(note).to_be_hidden()
    expect(phone.locator(".mention.unsure")).to_have_count(0)


def test_what_is_typed_after_a_touch_on_unsure_is_the_reason_until_something_else_is_touched(phone):
    open_task(phone, make_story())
    token(phone, 6).tap()
    choice(phone, "PER").tap()
    unsure, note = phone.locator("[data-act=doubt]"), phone.locator(".doubt-note")
    unsure.tap()
    expect(note).not_to_be_focused()  # a keyboard would come over the page
    phone.keyboard.type("log")
    expect(note).to_have_value("log")
    phone.keyboard.press("Enter")
    unsure.tap()
    phone.get_by_role("button", name="No longer unsure").tap()
    unsure.tap()
    expect(note).to_be_visible()
    token(phone, 6).tap()
    phone.keyboard.press("l")
    expect_mentions(phone, [("London", "LOC")])


def test_descriptions_of_types_have_two_lines_in_the_menu(phone):
    about = "A person or a family, but no title."
    kinds = [{"name": name, "description": about} for name in ("PER", "LOC", "ORG")]
    open_task(phone, make_story(schema=check_schema({"entity_types": kinds})))
    token(phone, 3).tap()
    notes = menu(phone).locator(".mark-menu-item .soft")
    expect(notes).to_have_count(3)
    cut = "all => all.filter((one) => one.scrollHeight > one.clientHeight + 1).length"
    assert notes.evaluate_all(cut) == 0
    expect(choice(phone, "Definitions")).to_be_hidden()
    wide = "all => all.filter((one) => one.scrollWidth > one.clientWidth).length"
    assert notes.evaluate_all(wide) == 0
    keep_screenshot(phone)


def test_names_of_types_are_level_however_much_is_said_of_them(phone):
    abouts = ("A person's full name", "A place", "A firm", "A sum with its currency")
    kinds = [{"name": f"KIND{i}", "description": about} for i, about in enumerate(abouts)]
    open_task(phone, make_story(schema=check_schema({"entity_types": kinds})))
    expect_late_parts(phone)
    token(phone, 3).tap()
    names = menu(phone).locator(".mark-menu-item.is-noted > bdi")
    expect(names).to_have_count(4)
    tops = names.evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert tops[0] == tops[1]
    assert tops[2] == tops[3]
    keep_screenshot(phone)


def test_five_types_above_one_name_are_seen_whole(phone):
    """Of a menu that has room for them."""
    about = "Who or what is told of here"
    kinds = [{"name": f"KIND{i}", "key": "bcdef"[i], "description": about} for i in range(5)]
    open_task(phone, make_story(schema=check_schema({"entity_types": kinds})))
    expect_late_parts(phone)
    token(phone, 6).tap()
    choice(phone, "KIND1").tap()
    token(phone, 0).tap()
    section = menu(phone).locator(".mark-menu-section").first
    expect(section).to_contain_text("KIND4")
    assert section.evaluate("e => e.scrollHeight <= e.clientHeight")


def test_definitions_that_are_cut_are_shown_in_full(phone):
    about = "A person or a family, by name, but no title, no role and nobody who is only called he."
    kinds = [{"name": name, "description": about} for name in ("PER", "LOC", "ORG")]
    open_task(phone, make_story(schema=check_schema({"entity_types": kinds})))
    token(phone, 3).tap()
    cut = "all => all.filter((one) => one.scrollHeight > one.clientHeight + 1).length"
    notes = menu(phone).locator(".mark-menu-item .soft")
    assert notes.evaluate_all(cut) == 3
    keep_screenshot(phone)
    choice(phone, "Definitions").tap()
    assert notes.evaluate_all(cut) == 0
    keep_screenshot(phone)


def test_coreference_is_one_tap_more(phone):
    open_task(phone, make_story())
    token(phone, 3).tap()
    token(phone, 4).tap()
    choice(phone, "PER").tap()
    token(phone, 8).tap()
    choice(phone, "Charles Babbage").tap()
    expect_entities(phone, ["Charles Babbage PER · 2 mentions"])


def test_handle_is_dragged_with_the_finger(phone):
    open_task(phone, make_story())
    token(phone, 3).tap()
    x, y = middle(phone, 4)
    expect(phone.locator(".grip-end")).to_be_visible()
    phone.evaluate(
        """([x, y]) => {
          const grip = document.querySelector(".grip-end");
          const from = grip.getBoundingClientRect();
          const fire = (kind, x, y) => grip.dispatchEvent(new PointerEvent(kind, {
            pointerId: 7, pointerType: "touch", clientX: x, clientY: y, bubbles: true,
            cancelable: true, isPrimary: true,
          }));
          let held = null;
          grip.setPointerCapture = (id) => { held = id; };
          grip.hasPointerCapture = (id) => held === id;
          fire("pointerdown", from.x + 20, from.y + 20);
          fire("pointermove", x, y + 24);
          fire("pointerup", x, y + 24);
        }""",
        [x, y],
    )
    expect(menu(phone)).to_contain_text("“Charles Babbage”")


def test_on_a_phone_the_text_has_all_of_the_width(phone):
    open_task(phone, make_story())
    box = phone.locator(".entity-sheet").bounding_box()
    assert (box["x"], box["width"]) == (0, 390)


def test_what_a_finger_has_to_hit_is_large_enough(phone):
    open_task(phone, make_story())
    token(phone, 0).tap()
    token(phone, 1).tap()
    expect(phone.locator(".grip")).to_have_count(2)
    expect(phone.locator(".grip-end")).to_have_css("position", "absolute")  # its looks come late
    for control in [*menu(phone).get_by_role("button").all(), *phone.locator(".grip").all()]:
        box = control.bounding_box()
        assert box["height"] >= 44, control
        assert box["width"] >= 44, control


def test_menu_leaves_the_words_that_it_is_about_in_sight(phone):
    open_task(phone, make_story("word " * 400))
    token(phone, 399).scroll_into_view_if_needed()
    # A finger comes down when the page lies still: what comes of the scrolling is drawn.
    phone.evaluate("() => new Promise((drawn) => requestIdleCallback(drawn))")
    token(phone, 399).tap()
    expect(menu(phone)).to_be_visible()
    words, box = token(phone, 399).bounding_box(), menu(phone).bounding_box()
    assert words["y"] + words["height"] <= box["y"]


def test_page_stays_where_it_is_when_a_name_is_marked(phone):
    open_task(phone, make_story("Ada wrote to Bob . " * 120))
    token(phone, 0).tap()
    choice(phone, "PER").tap()
    assert phone.evaluate("window.scrollY") == 0


def test_the_frame_of_a_name_at_the_edge_of_the_text_is_whole(phone):
    open_task(phone, make_story())
    token(phone, 0).tap()
    choice(phone, "PER").tap()
    mark = phone.locator(".mention").first
    phone.locator(".row").first.evaluate("""row => {
      row.style.gridTemplateColumns = "0 auto";
      row.parentElement.style.marginInlineStart = "8px";
    }""")
    box = mark.bounding_box()
    edge = phone.locator(".row-block").first.bounding_box()
    assert box["x"] == edge["x"]
    beside = {"x": box["x"] - 2, "y": box["y"] + 4, "width": 2, "height": box["height"] - 8}
    chosen = phone.screenshot(clip=beside)
    mark.evaluate("one => one.classList.remove('chosen')")
    assert phone.screenshot(clip=beside) != chosen


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("width", [390, 360, 800])
def test_a_lost_network_moves_neither_types_nor_buttons(phone, width, language):
    schema = {"entity_types": [{"name": name} for name in TYPES_25]}
    phone.set_viewport_size({"width": width, "height": 844})
    campaign = make_story(schema=check_schema(schema))
    phone.goto(f"/join/{campaign_link(campaign)}/?language={language}")
    expect(token(phone, 0)).to_be_visible()
    expect_late_parts(phone)
    bar = phone.locator("[data-part=bar]")
    places = "all => all.map((one) => JSON.stringify(one.getBoundingClientRect()))"
    pressed = bar.locator("button:visible")
    before = pressed.evaluate_all(places)
    types, height = phone.locator(".palette").bounding_box(), bar.bounding_box()["height"]
    assert (types["x"], types["width"]) == (0, width)  # from edge to edge
    no_network(phone, "**/draft/")
    token(phone, 0).tap()
    choice(phone, TYPES_25[0]).tap()
    expect(saved(phone)).to_have_attribute("data-kind", "waiting")
    line = saved(phone).bounding_box()
    keep_screenshot(phone)
    assert line["y"] + line["height"] <= types["y"]
    assert bar.bounding_box()["height"] >= height + line["height"]
    phone.keyboard.press("Control+z")
    expect_mentions(phone, [])  # and so Redo is lit up, and no more
    assert pressed.evaluate_all(places) == before
