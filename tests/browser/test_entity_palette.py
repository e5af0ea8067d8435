"""Types held as a pen, and jumps to what may be a name."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.interfaces.schema import check_schema
from tests.browser.accessible import violations
from tests.browser.each_interface import ARABIC, RIGHT_TO_LEFT
from tests.browser.entity_page import (
    choice,
    drag,
    expect_all_done,
    expect_mentions,
    make_story,
    marked,
    menu,
    message,
    middle,
    open_task,
    sent,
    token,
)
from tests.browser.late_parts import expect_late_parts, held_back
from tests.browser.page_time import stop_clock
from tests.browser.practice_page import PHONE
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import button, tried_page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# 73 words and signs, ten names.
WRECK = (
    "On the fourth night of the month the steamer Dorn struck the ledge off Harrow Point and was "
    "lost . She had left Västervik under her master Henrik Falk , with pit props . Her owners , "
    "the Northern Sound Line , had been told of her compass by Falk in a letter , and by the mate "
    ", Aksel Bruun , who came from Kiel to Hamburg and went to Rouen ."
)
NAMES = [
    ("Dorn", "PER"), ("Harrow Point", "LOC"), ("Västervik", "LOC"), ("Henrik Falk", "PER"),
    ("Northern Sound Line", "ORG"), ("Falk", "PER"), ("Aksel Bruun", "PER"), ("Kiel", "LOC"),
    ("Hamburg", "LOC"), ("Rouen", "LOC"),
]  # fmt: skip
TYPES_25 = [
    "Person", "Group", "Facility", "Organisation", "State", "Place", "Product", "Event",
    "WorkOfArt", "Law", "Language", "Date", "Time", "Percent", "Money", "Quantity", "Ordinal",
    "Cardinal", "Disease", "Drug", "Gene", "JobTitle", "Vehicle", "Weapon", "Website",
]  # fmt: skip


def palette(page: Page, name: str) -> Locator:
    return page.locator(".palette-type").filter(has=page.locator(f'bdi:text-is("{name}")'))


def test_a_type_is_held_as_a_pen_and_marking_first_stays(page):
    open_task(page, make_story("Ada Lovelace met Charles Babbage in London ."))
    palette(page, "PER").click()
    expect(palette(page, "PER")).to_have_attribute("aria-pressed", "true")
    expect(message(page)).to_contain_text("Esc stops that.")
    drag(page, 0, 1)
    expect(menu(page)).to_be_hidden()
    token(page, 4).click()  # a tap takes the whole name
    expect_mentions(page, [("Ada Lovelace", "PER"), ("Charles Babbage", "PER")])
    expect(palette(page, "PER").locator(".palette-count")).to_have_text("2")
    page.keyboard.press("Shift+ArrowLeft")  # its edges can be moved at once
    assert marked(page)[1] == ("Charles", "PER")
    page.keyboard.press("Escape")
    expect(palette(page, "PER")).to_have_attribute("aria-pressed", "false")
    token(page, 6).click()
    expect(menu(page)).to_be_visible()
    palette(page, "LOC").click()
    assert marked(page)[-1] == ("London", "LOC")
    expect(palette(page, "LOC")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Escape")
    palette(page, "ORG").click()
    drag(page, 0, 1)  # a whole name: it changes
    assert marked(page)[0] == ("Ada Lovelace", "ORG")
    drag(page, 0, 0)  # a part of it: not
    token(page, 1).dblclick()
    assert marked(page)[0] == ("Ada Lovelace", "ORG")
    token(page, 6).click()  # whose menu opens
    expect(menu(page)).to_be_visible()
    palette(page, "ORG").click()  # is let go of, and changes nothing
    expect(palette(page, "ORG")).to_have_attribute("aria-pressed", "false")
    assert marked(page)[-1] == ("London", "LOC")


def test_taps_mark_with_the_strip_of_a_phone(browser, live_server):
    context = browser.new_context(
        base_url=live_server.url, has_touch=True, is_mobile=True,
        viewport={"width": 390, "height": 844},
    )  # fmt: skip
    page = context.new_page()
    open_task(page, make_story("Ada Lovelace met Charles Babbage in London ."))
    expect(page.locator(".entity-strip .palette-type")).to_have_count(3)
    bar, line = (page.locator(at).bounding_box() for at in ("[data-part=bar]", ".row-text"))
    assert bar["height"] < 130  # the types and one line of buttons
    assert line["x"] + line["width"] <= 390 - 16
    page.get_by_role("button", name="Menu").tap()
    expect(page.locator("#menu").get_by_role("button", name="Skip")).to_be_visible()
    page.get_by_role("button", name="Menu").tap()
    chips = "all => all.map((one) => JSON.stringify(one.getBoundingClientRect()))"
    before = page.locator(".palette-type").evaluate_all(chips)
    palette(page, "PER").tap()
    expect(palette(page, "PER")).to_have_attribute("aria-pressed", "true")
    assert page.locator(".palette-type").evaluate_all(chips) == before
    for word in (0, 3):
        token(page, word).tap()
    palette(page, "LOC").tap()
    token(page, 6).tap()
    expect_mentions(page, [
        ("Ada Lovelace", "PER"), ("Charles Babbage", "PER"), ("London", "LOC"),
    ])  # fmt: skip
    context.close()


def presses_by_arrows(words: list[str]) -> int:
    """Arrows to each name and, with Shift, along it; a letter for each; Enter. The caret begins on
    the first word, and stays on the last of a name."""
    *_, last = (i for i, word in enumerate(words) if word == NAMES[-1][0])
    return last + len(NAMES) + 1


def test_ten_names_in_73_words_take_thirty_presses_or_fewer(page):
    story = make_story(WRECK)
    open_task(page, story)
    assert len(WRECK.split()) == 73
    assert presses_by_arrows(WRECK.split()) == 82
    pressed = 0
    for name, kind in NAMES:
        while True:
            page.keyboard.press("Tab")
            pressed += 1
            expect(menu(page)).to_contain_text("“")  # what jumps comes with the first press
            if f"“{name}”" in menu(page).inner_text().splitlines()[0]:
                break
            assert pressed < 60
        page.keyboard.press(kind[0].lower())
        pressed += 1
    page.keyboard.press("Enter")
    expect_all_done(page)
    assert len(sent(story)[0]["mentions"]) == len(NAMES)
    assert pressed + 1 <= 23


@pytest.mark.parametrize("is_touched", [False, True], ids=["mouse", "touch"])
def test_with_the_pen_ten_names_in_73_words_take_fourteen_presses(browser, live_server, is_touched):
    """One for each type and each name, which is taken whole, and one to submit; 25 taps without."""
    shown = {"viewport": PHONE, "has_touch": True, "is_mobile": True} if is_touched else {}
    with tried_page(browser, live_server.url, **shown) as page:
        page.clock.install()
        story = make_story(WRECK)
        open_task(page, story)
        words, pressed = WRECK.split(), 0

        def press(target: Locator) -> None:
            nonlocal pressed
            target.evaluate("one => one.scrollIntoView({ block: 'center', inline: 'center' })")
            box = target.bounding_box()
            # Where a grip lies on the word the tap is for the word all the same.
            at = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            (page.touchscreen.tap if is_touched else page.mouse.click)(*at)
            pressed += 1

        for kind in ("PER", "LOC", "ORG"):
            press(palette(page, kind))
            expect(palette(page, kind)).to_have_attribute("aria-pressed", "true")
            after = 0
            for name in (name for name, of in NAMES if of == kind):
                first = words.index(name.split()[0], after)
                after = first + len(name.split())
                press(token(page, first))
        expect_mentions(page, NAMES)
        press(button(page, "Submit"))
        expect_all_done(page)
        assert pressed == 14
        assert len(sent(story)[0]["mentions"]) == len(NAMES)


def test_tab_leaves_the_text_after_the_last_name_and_after_esc(page):
    open_task(page, make_story("Ada met Bob today ."))
    text = page.locator("token-text")
    page.keyboard.press("Tab")
    expect(menu(page)).to_contain_text("“Ada”")
    page.keyboard.press("Tab")
    expect(menu(page)).to_contain_text("“Bob”")
    page.keyboard.press("Shift+Tab")
    expect(menu(page)).to_contain_text("“Ada”")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(text).not_to_be_focused()
    text.focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(text).not_to_be_focused()


def test_back_to_the_name_the_caret_stands_in_is_to_the_whole_of_it(page):
    open_task(page, make_story("Leeds was at the Leeds Theatre ."))
    page.keyboard.press("p")  # the first word of the other is a name by itself
    page.keyboard.press("Tab")
    expect(menu(page)).to_contain_text("“Leeds Theatre”")
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+Tab")
    expect(menu(page)).to_contain_text("“Leeds Theatre”")


def test_letters_lead_to_a_word(page):
    with held_back(page, "entity-aids", "beside"):
        open_task(page, make_story("Ada met Bob and Bertram in Västervik ."))
        stood = token(page, 6).bounding_box()
        # The letters wait for the field that comes with the part, also those that mean something.
        for key in ("f", "l", "Backspace", "b", "e"):
            page.keyboard.press(key)
        expect(menu(page)).to_be_hidden()
    expect(page.locator(".caret")).to_have_text("Bertram")
    assert token(page, 6).bounding_box() == stood
    expect_mentions(page, [])
    expect(page.locator("token-text")).to_be_focused()
    page.keyboard.press("f")
    page.keyboard.type("b")
    expect(message(page)).to_contain_text("2 words begin like that")
    for name in ("Bob", "Bertram", "Bob"):  # as it says, Enter goes on, and hands nothing in
        page.keyboard.press("Enter")
        expect(page.locator(".caret")).to_have_text(name)
        expect(message(page)).to_contain_text("Enter goes to the next")
    page.keyboard.press("f")
    page.keyboard.type("va")
    expect(page.locator(".caret")).to_have_text("Västervik")


def test_the_rest_of_a_word_that_is_found_already_marks_nothing(page):
    page.clock.install()
    open_task(page, make_story("Ada met Halloran in London ."))
    stop_clock(page)
    page.keyboard.press("f")
    page.get_by_label("First letters of a word").wait_for()
    page.keyboard.type("halloran")  # of which "l" and "o" are types
    page.keyboard.press("Enter")
    expect(page.locator(".caret")).to_have_text("Halloran")
    expect(message(page)).to_have_text("Found: “Halloran”")
    expect_mentions(page, [])
    # Nor after a pause, but for a key of a type: that the field is gone was not seen.
    page.keyboard.press("f")
    page.keyboard.type("lo")
    page.clock.run_for(1_200)
    page.keyboard.type("ndon")
    page.clock.run_for(5_000)
    page.keyboard.press("Enter")
    expect(page.locator(".caret")).to_have_text("London")
    expect_mentions(page, [])
    # A key that does not go on with the word is the task's at once, and any is after a moment.
    page.keyboard.press("f")
    page.keyboard.type("hap")
    expect_mentions(page, [("Halloran", "PER")])
    page.keyboard.press("f")
    page.keyboard.type("lo")
    page.clock.run_for(700)
    page.keyboard.press("l")
    expect_mentions(page, [("Halloran", "PER"), ("London", "LOC")])


@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), (390, "dark")], ids=["laptop", "phone"]
)
def test_25_types_are_found_by_typing(page, width, scheme):
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    kinds = [{"name": name, "description": f"What is a {name}."} for name in TYPES_25]
    story = make_story(WRECK, schema=check_schema({"entity_types": kinds}))
    open_task(page, story)
    looks = page.locator(".palette li").evaluate_all("all => all.map((one) => one.className)")
    assert len(set(looks)) == len(TYPES_25)
    broken = page.locator(".palette-name").evaluate_all(
        "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"
    )
    assert broken == []
    # In line, also beside keys with Shift.
    left = "all => all.map((one) => Math.round(one.getBoundingClientRect().left))"
    if width == 1280:
        assert len(set(page.locator(".palette .type-swatch").evaluate_all(left))) == 2  # columns
    page.keyboard.press("Tab")
    expect(menu(page)).to_be_visible()
    columns = 3 if width == 1280 else 2
    assert len(set(menu(page).locator(".type-swatch").evaluate_all(left))) == columns
    section = menu(page).locator(".mark-menu-section").first
    expect(section).to_have_css("background-attachment", "local, scroll")  # it goes on: a shadow
    page.keyboard.press("/")
    page.keyboard.press("Enter")  # of all of them none is meant
    assert marked(page) == []
    page.keyboard.type("web")
    shown = menu(page).locator(".mark-menu-section >> nth=0").locator("button:visible")
    expect(shown).to_have_count(1)
    assert violations(page) == []
    keep_screenshot(page)
    page.keyboard.press("Enter")
    assert marked(page)[0][1] == "Website"
    if width == 1280:  # beside its own type, and not before the next one
        name, count = (
            palette(page, "Website").locator(f".palette-{part}").bounding_box()
            for part in ("name", "count")
        )
        assert 0 < count["x"] - name["x"] - name["width"] < 12
    page.keyboard.press("Tab")
    key = palette(page, "Website").locator(".key").text_content() or ""
    page.keyboard.press(re.sub("^(⇧|Shift )", "Shift+", key))
    assert [kind for _, kind in marked(page)] == ["Website", "Website"]


def test_of_25_types_the_one_that_is_looked_at_is_defined(page, phone):
    kinds = [{"name": name, "description": f"What is a {name}."} for name in TYPES_25]
    kinds[3]["description"] = "A company, a club or a school."
    story = make_story(WRECK, schema=check_schema({"entity_types": kinds}))
    page.set_viewport_size({"width": 1280, "height": 800})
    open_task(page, story)
    expect_late_parts(page)
    card, side = page.locator(".type-card"), page.locator(".entity-side")
    before = side.bounding_box()
    expect(card).to_be_attached()
    palette(page, "Organisation").hover()
    expect(card).to_have_text("A company, a club or a school.")
    keep_screenshot(page)
    palette(page, "Gene").hover()
    expect(card).to_have_text("What is a Gene.")
    assert side.bounding_box() == before
    # What is enlarged is read under the pointer, which goes over other types to get there.
    box = card.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 8, steps=20)
    page.wait_for_timeout(300)
    expect(card).to_have_text("What is a Gene.")
    page.mouse.move(*middle(page, 6))
    expect(card).to_be_hidden()
    token(page, 6).click()
    choice(page, "Group").hover()
    expect(card).to_have_text("What is a Group.")
    keep_screenshot(page)
    page.keyboard.press("/")
    page.keyboard.type("company")  # no name has it
    expect(menu(page)).to_contain_text("A company, a club or a school.")
    keep_screenshot(page)
    page.keyboard.press("Enter")
    expect_mentions(page, [("month", "Organisation")])
    # On a phone a button shows them.
    open_task(phone, story)
    token(phone, 6).tap()
    note = menu(phone).get_by_text("A company, a club or a school.")
    expect(note).to_be_hidden()
    choice(phone, "Definitions").tap()
    expect(note).to_be_visible()
    keep_screenshot(phone)


def test_a_name_of_another_script_stands_beside_its_key(browser, live_server):
    kinds = [{"name": "شخص", "description": "A person."}, {"name": "City", "description": "مدينة"}]
    kinds.append({"name": "Ship", "description": "A ship."})
    schema = check_schema({"entity_types": kinds})
    with tried_page(browser, live_server.url, locale="ar") as page:
        open_task(page, make_story(ARABIC, schema=schema, **RIGHT_TO_LEFT))
        expect(page.locator("html")).to_have_attribute("dir", "rtl")
        for row in page.locator(".palette li").all():
            swatch, name, note = (
                row.locator(part).bounding_box()
                for part in (".type-swatch", ".palette-name", ".palette-note bdi")
            )
            assert swatch["x"] - name["x"] - name["width"] < 12
            assert abs(note["x"] + note["width"] - name["x"] - name["width"]) < 40
            for part in (".palette-name", ".palette-note bdi"):  # its second line, too
                expect(row.locator(part)).to_have_css("text-align", "right")
        palette(page, "Ship").click()
        expect(message(page)).to_contain_text("\u2068Ship: A ship.\u2069")  # with its stop


def test_a_long_name_goes_on_after_a_dash_below_and_leaves_room_for_its_definition(page):
    """Beside the name was a column of one word a line."""
    name, said = "Geographical_or_political_entity_of_any_size", "What has a government. " * 5
    kinds = [{"name": name, "description": said}]
    open_task(page, make_story(schema=check_schema({"entity_types": kinds})))
    token(page, 0).click()
    lines = page.locator("mark-menu .is-noted bdi").evaluate(
        """one => {
          const range = new Range();
          return [...one.childNodes].filter((each) => each.data).map((words) => {
            range.selectNodeContents(words);
            return range.getClientRects().length;
          });
        }"""
    )
    assert set(lines) == {1}  # no word is broken
    assert page.locator("mark-menu .soft").bounding_box()["height"] < 70
