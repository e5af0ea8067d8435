"""Names that are dates, names inside names, and what practice tells: by every hand."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from annotation.interfaces.schema import check_schema
from tests.browser.accessible import violations
from tests.browser.entity_page import (
    choice,
    drag,
    expect_all_done,
    expect_entities,
    expect_mentions,
    make_story,
    marked,
    menu,
    message,
    open_task,
    sent,
    spans,
    submit,
    token,
)
from tests.browser.practice_page import SIZES, fits, go_on, look, practise
from tests.browser.screenshots import keep_screenshot
from tests.factories import SCHEMA

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DATES = check_schema(
    {"entity_types": [{"name": "PER", "key": "p"}, {"name": "DATE", "key": "t", "value": "date"}]}
)
ARREST = "Gray was arrested on 12 April 2015 and died last Sunday ."
NESTED = SCHEMA | {"nested": True}
POLICE = "He sued the University of Baltimore County Police in May ."


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def form(page: Page):
    return page.locator("date-form")


def part(page: Page, name: str):
    role = "combobox" if name == "Month" else "textbox"
    return form(page).get_by_role(role, name=name, exact=True)


def chosen(page: Page) -> list[str]:
    return [mark.get_attribute("data-type") or "" for mark in page.locator("mark.chosen").all()]


# --- Dates --------------------------------------------------------------------------------------


def test_a_date_that_may_be_several_days_is_asked_for_with_the_reason(page):
    """An empty field alone looked as if the page had not read the words."""
    open_task(page, make_story("It was signed on 03/04/05 in Rome .", schema=DATES))
    press(page, *["ArrowRight"] * 4, "t")
    expect(part(page, "Year")).to_have_value("")
    status = form(page).get_by_role("status")
    expect(status).to_contain_text("In 03/04 either may be the month.")
    expect(status).to_contain_text("Write the year with four figures")
    expect(status).to_have_class("soft")  # nothing is wrong yet
    assert violations(page) == []
    keep_screenshot(page)
    page.keyboard.type("3 April 1905")
    expect(status).to_have_text("3 April 1905")


def test_dates_are_given_by_keyboard_alone(page):
    page.clock.install()
    story = make_story(ARREST, schema=DATES)
    open_task(page, story)
    # What the words say is offered; Enter takes it.
    press(page, *["ArrowRight"] * 4, *["Shift+ArrowRight"] * 2, "t")
    expect(form(page)).to_contain_text("Which date is “12 April 2015”?")
    expect(part(page, "Month")).to_have_value("4")
    expect(form(page).get_by_role("status")).to_have_text("12 April 2015")
    assert violations(page) == []
    press(page, "Enter")
    expect(message(page)).to_contain_text("“12 April 2015” is 12 April 2015.")
    expect(page.locator("token-text")).to_be_focused()

    # What is left for later is asked for before it is sent, once.
    press(page, *["ArrowRight"] * 3, "Shift+ArrowRight", "t", "Escape")
    expect(page.locator("token-text")).to_be_focused()
    press(page, "Enter")
    expect(message(page)).to_contain_text("“last Sunday” has no date yet.")

    # An impossible date is told, and nothing typed is lost.
    press(page, ";")
    page.keyboard.type("31 april 2015")
    expect(form(page)).to_contain_text("April has the days 1 to 30.")
    press(page, "Enter")
    expect(form(page).get_by_role("textbox").first).to_have_value("31 april 2015")
    assert violations(page) == []
    press(page, "Control+a")
    page.keyboard.type("week 17 of 2015")
    press(page, "Enter")
    expect_entities(page, ["12 April 2015 DATE", "last Sunday DATE"])
    expect(page.locator(".entity-link bdi")).to_have_text(["12 April 2015", "week 17 of 2015"])

    # Undo takes the date, not the name.
    press(page, "Control+z")
    expect(page.locator(".entity-link bdi")).to_have_text(["12 April 2015", "No date yet"])
    press(page, "Control+Shift+z", "Enter")
    expect_all_done(page)
    assert [entity["value"] for entity in sent(story)[0]["entities"]] == ["2015-04-12", "2015-W17"]


def test_each_part_of_a_date_may_stay_unknown(page):
    story = make_story(ARREST, schema=DATES)
    open_task(page, story)
    drag(page, 9, 10)
    choice(page, "DATE").click()
    part(page, "Year").fill("2015")
    expect(form(page).get_by_role("status")).to_have_text("2015")
    part(page, "Month").select_option("April")
    part(page, "Day").fill("31")
    expect(form(page)).to_contain_text("April has the days 1 to 30.")
    part(page, "Week").fill("17")
    expect(part(page, "Month")).to_have_value("")
    part(page, "Month").select_option("April")
    expect(part(page, "Week")).to_have_value("")
    form(page).get_by_role("button", name="Save").click()
    expect(page.locator(".entity-link")).to_contain_text("April 2015")

    page.locator(".entity-name").click()
    page.get_by_role("button", name="Change").click()
    expect(part(page, "Year")).to_have_value("2015")
    form(page).get_by_role("button", name="No date").click()
    expect(message(page)).to_contain_text("“last Sunday” left without a date.")
    page.get_by_role("button", name="Undo").click()
    token(page, 9).click()
    choice(page, "PER").click()  # and a person has no date
    expect(page.locator(".entity-link")).to_have_count(0)
    submit(page)
    expect_all_done(page)
    assert [entity["value"] for entity in sent(story)[0]["entities"]] == [None]


def test_dates_are_given_by_finger(phone):
    story = make_story(ARREST, schema=DATES)
    open_task(phone, story)
    token(phone, 9).tap()
    token(phone, 10).tap()
    choice(phone, "DATE").tap()
    words, asked = token(phone, 10).bounding_box(), form(phone).bounding_box()
    assert words["y"] + words["height"] <= asked["y"]  # it lies over other words than these
    for control in form(phone).locator("input, select, button:visible").all():
        box = control.bounding_box()
        assert box["height"] >= 44, control
        assert box["width"] >= 44, control
    expect(form(phone).get_by_role("status")).to_contain_text("or choose “Later”")
    assert violations(phone) == []
    part(phone, "Month").select_option("April")
    form(phone).get_by_role("button", name="Save").tap()
    submit(phone)
    expect_all_done(phone)
    assert [entity["value"] for entity in sent(story)[0]["entities"]] == ["XXXX-04-XX"]


# --- Names inside names -------------------------------------------------------------------------


def test_names_nest_by_keyboard_alone(page):
    story = make_story(POLICE, schema=NESTED)
    open_task(page, story)
    press(page, *["ArrowRight"] * 5, "l")  # Baltimore
    press(page, "ArrowLeft", "ArrowLeft", "Shift+ArrowRight", "Shift+ArrowRight", "o")
    press(page, "ArrowLeft", "ArrowLeft", *["Shift+ArrowRight"] * 4, "o")
    expected = [(3, 8, "ORG"), (3, 6, "ORG"), (5, 6, "LOC")]
    assert [name for name, _ in marked(page)] == [
        "University of Baltimore County Police", "University of Baltimore", "Baltimore",
    ]  # fmt: skip
    assert violations(page) == []

    # Space steps outwards, at last to the word alone.
    press(page, "Home", *["ArrowRight"] * 5, "Space")
    assert chosen(page) == ["LOC"]
    expect(choice(page, "The name around it")).to_be_visible()
    press(page, "Space")
    expect(menu(page)).to_contain_text("“University of Baltimore” · ORG")
    press(page, "Space")
    expect(menu(page)).to_contain_text("“University of Baltimore County Police” · ORG")
    press(page, "ArrowLeft", "Space", "Space", "Space")
    expect(menu(page)).to_contain_text("“of”")
    press(page, "Escape")

    # Each is walked to, those too that begin at one word.
    press(page, "Home", ".")
    expect(menu(page)).to_contain_text("County Police”")
    press(page, ".")
    expect(menu(page)).to_contain_text("“University of Baltimore”")
    press(page, ".", ",", ",")
    expect(menu(page)).to_contain_text("County Police”")

    # Crossing is refused, and why is said.
    press(page, "Escape", "End", "Home", *["ArrowRight"] * 2, *["Shift+ArrowRight"] * 2, "p")
    expect(message(page)).to_contain_text("may lie inside each other here, but not cross")
    press(page, "Escape", "Enter")
    expect_all_done(page)
    words = [0, 3, 8, 12, 23, 26, 36, 43, 50]  # where each begins
    assert [span[:3] for span in spans(sent(story)[0])] == [
        (words[start], words[end] - 1, kind) for start, end, kind in expected
    ]


def test_names_nest_by_mouse_and_finger(page, phone):
    open_task(page, make_story(POLICE, schema=NESTED))
    drag(page, 3, 7)
    choice(page, "ORG").click()
    token(page, 5).click()
    assert chosen(page) == ["ORG"]
    token(page, 5).click()  # once more: the word alone
    choice(page, "LOC").click()
    token(page, 5).click()
    assert chosen(page) == ["LOC"]
    token(page, 5).click()
    assert chosen(page) == ["ORG"]
    choice(page, "PER").click()
    expect_mentions(page, [
        ("University of Baltimore County Police", "PER"), ("Baltimore", "LOC")
    ])  # fmt: skip

    open_task(phone, make_story(POLICE, schema=NESTED))
    token(phone, 5).tap()
    choice(phone, "LOC").tap()
    token(phone, 3).tap()
    token(phone, 5).tap()  # a range may end on a name
    choice(phone, "ORG").tap()
    token(phone, 5).tap()
    choice(phone, "The name around it").tap()
    expect(menu(phone)).to_contain_text("“University of Baltimore” · ORG")
    choice(phone, "The name inside it").tap()
    expect(menu(phone)).to_contain_text("“Baltimore” · LOC")
    expect_mentions(phone, [("University of Baltimore", "ORG"), ("Baltimore", "LOC")])
    assert violations(phone) == []


# --- Practice -----------------------------------------------------------------------------------

TOLD = (
    "Freddie Gray was arrested in West Baltimore on 12 April 2015 . "
    "Gray died last Sunday , said the Sun ."
)
KNOWN = [
    (0, 2, "PER", "e1"), (5, 7, "LOC", "e2"), (8, 11, "DATE", "e3"), (12, 13, "PER", "e1"),
    (14, 16, "DATE", "e4"), (19, 20, "ORG", "e5"),
]  # fmt: skip
NAMES = check_schema(
    {
        "entity_types": [
            {"name": "PER", "key": "p"}, {"name": "LOC", "key": "l"}, {"name": "ORG", "key": "o"},
            {"name": "DATE", "key": "t", "value": "date"},
        ],
        "nested": True,
    }
)  # fmt: skip


def known(*spans, **values: str) -> dict:
    """An answer as a page would send it; `e1` and so on have these dates."""
    names = [f"m{i}" for i in range(len(spans))]
    first = {entity: name for name, (*_, entity) in reversed(list(zip(names, spans, strict=True)))}
    return {
        "mentions": [
            {"id": name, "start": start, "end": end, "type": kind, "entity": entity}
            for name, (start, end, kind, entity) in zip(names, spans, strict=True)
        ],
        "entities": [
            {"id": entity, "canonical": name, "link": None, "value": values.get(entity)}
            for entity, name in first.items()
        ],
    }


def labels(page: Page):
    return page.locator("token-text .finding-label")


@SIZES
def test_practice_is_told_in_the_text(page, size, scheme):
    story = make_story(TOLD, POLICE, schema=NAMES)
    nested = known((3, 8, "ORG", "e1"), (3, 6, "ORG", "e2"), (5, 6, "LOC", "e3"))
    practise(story, known(*KNOWN, e3="2015-04-12", e4="2015-04-19"), nested)
    page.clock.install()
    look(page, size, scheme)
    open_task(page, story)
    press(page, "Shift+ArrowRight", "p")  # Freddie Gray
    press(page, *["ArrowRight"] * 4, "Shift+ArrowRight", "o")  # West Baltimore
    press(page, *["ArrowRight"] * 3, "Shift+ArrowRight", "t", "Enter")  # April 2015
    press(page, *["ArrowRight"] * 2, "p", "ArrowRight", "l", "Enter")  # Gray; died

    expect(page.locator(".finding-legend")).to_contain_text("Above the words is your answer")
    expect(labels(page)).to_have_text(
        [
            "✓ PER", "not ORG but LOC", "edge DATE · date", "✓ PER · same as", "extra LOC",
            "missed DATE", "missed ORG",
        ]
    )  # fmt: skip
    feedback = page.locator("[data-part=feedback]")
    expect(feedback).to_contain_text("You marked “April 2015” (DATE). The name is “12 April 2015”.")
    expect(feedback).to_contain_text("“Gray” is the same as “Freddie Gray”. You put them apart.")
    expect_entities(page, [
        "Freddie Gray PER · 2 mentions", "West Baltimore LOC", "12 April 2015 DATE",
        "last Sunday DATE", "Sun ORG",
    ])  # fmt: skip
    expect(page.locator(".palette-count")).to_have_count(0)  # of one's own answer
    assert violations(page) == []
    assert fits(page)

    # It can be read, and no more.
    press(page, "p", "Space")
    token(page, 2).click()
    expect(menu(page)).to_be_hidden()
    go_on(page)

    expect(token(page, 3)).to_have_text("University")
    press(page, *["ArrowRight"] * 3, "Shift+ArrowRight", "Shift+ArrowRight", "o")
    submit(page)
    expect(labels(page)).to_have_text(["missed LOC", "✓ ORG", "missed ORG"])
    keep_screenshot(page)
