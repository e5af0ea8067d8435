"""The menu of many types: what stands in it can be read, whatever its length."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotation.interfaces.schema import check_schema
from tests.browser.entity_page import drag, make_story, menu, open_task, token
from tests.browser.late_parts import expect_late_parts
from tests.browser.screenshots import keep_screenshot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG_TYPES = check_schema(
    {"entity_types": [{"name": f"NATIONALITY{i:X}"} for i in range(13)]}
)  # fmt: skip
FEW_TYPES = check_schema(
    {
        "entity_types": [
            {"name": "PER", "key": "p", "description": "A person's name."},
            {"name": "LOC", "key": "l", "description": "A place's name."},
            {"name": "ORG", "key": "o", "description": "An organisation's name."},
        ]
    }
)
IN_THE_WAY = """(buttons) => {
  const boxes = buttons.flatMap((one) => [...one.children])
    .map((one) => one.getBoundingClientRect());
  return boxes.some((one, i) => boxes.some((other, k) => k > i && one.left < other.right - 1
    && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1));
}"""


def mark_two_names(page) -> None:
    story = make_story("Marta Lindqvist-Åkergren met Ada in Rome .", schema=LONG_TYPES)
    open_task(page, story)
    expect_late_parts(page)
    drag(page, 0, 1)
    menu(page).get_by_role("button", name="NATIONALITY0").click()
    token(page, 3).click()
    menu(page).get_by_role("button", name="NATIONALITY1").click()
    token(page, 5).click()


def test_a_name_to_be_the_same_as_has_room_for_its_type(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    mark_two_names(page)
    same = menu(page).get_by_role("group", name="Same as").get_by_role("button")
    expect(same).to_have_count(2)
    assert not same.evaluate_all(IN_THE_WAY)
    assert max(one.bounding_box()["height"] for one in same.all()) < 40  # in one line


def test_a_filter_that_fits_no_type_says_so(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    mark_two_names(page)
    page.keyboard.press("/")
    page.keyboard.type("x")
    expect(menu(page)).to_contain_text("No type fits.")
    page.keyboard.press("Backspace")
    page.keyboard.type("nat")
    expect(menu(page)).not_to_contain_text("No type fits.")


def test_the_type_of_a_name_to_be_the_same_as_stands_beside_it(page):
    """Beneath its key each name would take two lines: of a few names the last was cut."""
    page.set_viewport_size({"width": 1280, "height": 800})
    open_task(page, make_story("Ada Lovelace met Charles Babbage in London .", schema=FEW_TYPES))
    expect_late_parts(page)
    drag(page, 0, 1)
    page.keyboard.press("p")
    drag(page, 3, 4)
    same = menu(page).get_by_role("group", name="Same as").get_by_role("button")
    expect(same).to_have_count(1)
    assert same.bounding_box()["height"] < 40
    keep_screenshot(page)
