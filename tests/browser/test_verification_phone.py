"""The verification page on a phone: rows are tapped, and all that is said finds room."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotation.actions.tokens import campaign_link
from config import catalogues
from tests.browser.entity_page import expect_all_done, message, submit
from tests.browser.relation_page import (
    ALL_TRUE,
    STORY,
    judged,
    make_pairs,
    open_pair,
    press,
    row,
    span,
    to_verify,
    verdicts,
)
from tests.browser.screenshots import keep_screenshot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 844}


def test_by_finger_rows_are_tapped(phone):
    campaign = make_pairs(to_verify())
    open_pair(phone, campaign)
    words = row(phone, 2).locator(".claim-words")
    at = words.bounding_box()["y"]
    words.tap()  # opens the rows too, and stays under the finger
    expect(words).to_have_css("user-select", "none")  # two taps at once choose no words
    expect(row(phone, 2).get_by_role("radio", name="No")).to_be_checked()
    assert abs(words.bounding_box()["y"] - at) <= 1
    expect(phone.locator(".hint-rows")).to_contain_text("Tap each row")
    expect(phone.locator(".evidence-hint")).to_contain_text("say so: tap the first and the last.")
    hint = "Tap again for “Can’t tell”, once more for “Yes”"
    expect(phone.locator(".hint-rows")).to_contain_text(hint)
    expect(message(phone)).to_contain_text("Tap again for “Can’t tell”.")
    row(phone, 4).get_by_role("radio", name="Can’t tell").tap()
    assert verdicts(phone) == ["Yes", "No", "Yes", "Can’t tell", "Yes", "Yes"]
    for radio in phone.get_by_role("radio").all():
        box = radio.bounding_box()
        assert min(box["height"], box["width"]) >= 44
    keep_screenshot(phone)
    submit(phone)
    expect_all_done(phone)
    assert judged(campaign) == [ALL_TRUE | {"subject_ok": False, "object_ok": "unsure"}]


@pytest.mark.parametrize("language", ["en", *catalogues.languages()])
def test_on_a_phone_the_answers_about_the_whole_are_even(phone, language):
    """None is torn where all its words fit, and a longer one breaks in the middle."""
    phone.goto(f"/join/{campaign_link(make_pairs(to_verify()))}/?language={language}")
    whole = phone.locator(".ask > .question [role=radio]")
    whole.first.tap()
    measured = whole.evaluate_all(
        """all => all.map((one) => {
          const words = one.querySelector(".answer-words");
          const lines = new Map();
          const range = document.createRange();
          range.selectNodeContents(words);
          for (const { top, left, right } of range.getClientRects()) {
            const line = lines.get(Math.round(top)) ?? [left, right];
            lines.set(Math.round(top), [Math.min(line[0], left), Math.max(line[1], right)]);
          }
          const { width, height } = one.getBoundingClientRect();
          return [[width, height].map(Math.round), [...lines.values()].map(([a, b]) => b - a)];
        })"""
    )
    assert len({tuple(size) for size, _ in measured}) == 1
    for _, lines in measured:
        assert len(lines) == 1 or (len(lines) == 2 and min(lines) > 0.35 * max(lines))
    if language != "de":  # "Nein, nicht alles"
        assert [len(lines) for _, lines in measured] == [1, 1, 1]
    keep_screenshot(phone)


@pytest.mark.parametrize("language", ["en", *catalogues.languages()])
def test_on_a_phone_what_is_said_of_rows_takes_three_lines_at_most(phone, language):
    """However much a row asks."""
    long = "Konstantinoupolis-by-the-Golden-Horn Observatory"
    text = STORY.replace("London", long)
    campaign = make_pairs(to_verify() | {"object": span(text, long, "GPE")}, text=text)
    phone.goto(f"/join/{campaign_link(campaign)}/?language={language}")
    yes, no = (phone.locator(".ask > .question [role=radio]").nth(n) for n in (0, 1))
    words, submit_it = row(phone, 4).locator(".claim-words"), phone.locator("[data-act=submit]")
    for pressed in (words, words, yes, words, words, no, submit_it):
        pressed.tap()
        assert 0 < message(phone).bounding_box()["height"] < 4 * 22  # px of a line
        keep_screenshot(phone)


def test_by_finger_the_row_that_is_tapped_is_not_hidden_by_what_is_said_of_it(phone):
    """Nor is it told by a number that no finger sees."""
    phone.set_viewport_size({"width": 360, "height": 640})
    open_pair(phone, make_pairs(to_verify()))
    for number, said in ((5, "“No” chosen. Tap again"), (5, "“Can’t tell” chosen. Tap again")):
        row(phone, number).locator(".claim-words").tap()
        expect(message(phone)).to_contain_text(said)
        box = row(phone, number).bounding_box()
        assert box["y"] + box["height"] <= message(phone).bounding_box()["y"] + 1
    keep_screenshot(phone)


def test_a_note_begins_where_its_row_does_whichever_way_it_is_written(phone):
    phone.goto(f"/join/{campaign_link(make_pairs(to_verify()))}/?language=ar")
    gap = """(one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return one.parentElement.getBoundingClientRect().right - range.getBoundingClientRect().right;
    }"""
    assert abs(phone.locator(".question-note").first.evaluate(gap)) < 2


def test_on_a_narrow_page_what_a_key_changes_stands_between_head_and_what_is_said(page):
    page.set_viewport_size(PHONE)
    open_pair(page, make_pairs(to_verify() | {"provenance": [[0, STORY.index(" .")]]}))
    for number in (4, 5, 6):
        press(page, "y", str(number))  # the longest line: the rows open with it
        changed, said = row(page, number).bounding_box(), message(page).bounding_box()
        assert changed["y"] + changed["height"] <= said["y"]
    text, head = page.locator(".passage").bounding_box(), page.locator("[data-part=head]")
    assert text["y"] + 1 >= head.bounding_box()["height"]  # the type above a name is whole
    keep_screenshot(page)


@pytest.mark.parametrize("size", [PHONE, {"width": 360, "height": 640}], ids=["large", "small"])
def test_head_and_text_take_less_than_a_third_of_a_phone_and_show_the_pair(phone, size):
    text = "It rained all the day . " * 9 + STORY + "And so it went on . " * 9
    phone.set_viewport_size(size)
    open_pair(phone, make_pairs(to_verify(text), text=text))
    phone.locator(".claim").last.scroll_into_view_if_needed()
    view = phone.locator(".passage").bounding_box()
    assert view["y"] + view["height"] <= size["height"] / 3
    for name in phone.locator("mark").all():
        box = name.bounding_box()
        assert view["y"] <= box["y"] - 11  # its type stands above it
        assert box["y"] + box["height"] <= view["y"] + view["height"]
    keep_screenshot(phone)
