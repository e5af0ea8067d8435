"""A choice by mouse and by touch: press, press again, press another, take back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.choice_page import (
    HELD,
    after,
    answers,
    chosen,
    expect_end,
    expect_shown,
    held,
    make_choices,
    open_choice,
    option,
    rest,
)
from tests.browser.work_frame import button

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_click_answers_and_a_double_click_is_one(page):
    campaign = make_choices("One.", "Two.")
    open_choice(page, campaign)
    option(page, "Green").dblclick()
    expect(held(page)).to_contain_text("Green. Going on")
    option(page, "Blue").click()
    expect(option(page, "Green")).to_have_attribute("aria-pressed", "false")
    after(page, HELD)
    expect_shown(page, "Two.")
    rest(page)
    option(page, "Red").click()
    button(page, "Submit").click()
    expect_end(page)
    assert chosen(campaign) == ["Blue", "Red"]


def test_a_finger_does_it_all(browser, live_server):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    context = browser.new_context(base_url=live_server.url, reduced_motion="reduce", **phone)
    page = context.new_page()
    one, two = ("A text that is longer than a phone. " * 30 + which for which in ("One.", "Two."))
    campaign = make_choices(one, two, options={"choices": ["Red", "Green"], "scale": None})
    open_choice(page, campaign)
    for target in page.locator(".choice-panel :is(button, label):visible").all():
        box = target.bounding_box()
        assert box["height"] >= 44, target.inner_text()
    option(page, "Red").tap()
    button(page, "Undo").first.tap()
    expect(page.locator(".choice-panel [aria-pressed=true]")).to_have_count(0)
    after(page, 10 * HELD)
    button(page, "Add a note").tap()
    page.get_by_role("textbox", name="Note").fill("It is both.")
    option(page, "Can't tell").tap()
    after(page, HELD)
    expect_shown(page, two)
    assert page.evaluate("scrollY") == 0  # a long text begins where it begins
    rest(page)
    expect(page.get_by_role("textbox", name="Note")).to_be_hidden()
    option(page, "Green").tap()
    button(page, "Submit").tap()
    expect_end(page)
    context.close()
    first, second = answers(campaign)
    assert (first["unsure"], first["note"]) == (True, "It is both.")
    assert (second["choice"], second["note"]) == ("Green", "")
