"""The toy interface as a worker meets it: practice with feedback, work by mouse and by keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotation.models import GoldQuestion, Response
from tests.browser.accessible import violations
from tests.browser.entity_page import expect_all_done
from tests.browser.work_frame import button, expect_kept, link_to, message, tried_page
from tests.factories import make_campaign, make_document, make_project, make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(browser, live_server, stars):
    with tried_page(browser, live_server.url) as page:
        page.clock.install()
        yield page


def test_a_fifth_interface_is_practised_and_worked_on_by_mouse_and_keys(page):
    campaign = make_campaign(
        make_project(), name="Reviews", interface="stars", redundancy=1, training_size=1,
        pass_score=0, options={"question": "How good is it?", "most": 3},
    )  # fmt: skip
    practice = make_task(campaign, make_document(campaign.project, "A fine book ."), kind=1)
    GoldQuestion.objects.create(task=practice, answer={"stars": 3})
    for text in ("A dull book .", "A book ."):
        make_task(campaign, make_document(campaign.project, text))
    page.goto(link_to(campaign))
    button(page, "Start practice").click()

    expect(page.get_by_text("A fine book .")).to_be_visible()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    told = page.locator("[data-part=feedback]")
    expect(told).to_contain_text("You chose 2. The right value is 3.")
    expect(page.locator("[data-right]")).to_have_text("3 stars3")
    assert violations(page) == []
    page.clock.run_for(1_000)
    button(page, "Go on").click()
    expect(page.get_by_role("heading", name="You are in")).to_be_focused()
    page.clock.run_for(1_000)
    page.keyboard.press("Enter")

    expect(page.get_by_text("A dull book .")).to_be_visible()
    assert violations(page) == []
    button(page, "Submit").click()
    expect(message(page)).to_have_text("Give it some stars first.")
    button(page, "3 stars").click()
    button(page, "1 star").click()
    button(page, "Undo").click()
    expect(page.locator("[data-stars][aria-pressed=true]")).to_have_text("3 stars3")
    expect_kept(page)
    page.reload()
    expect(page.locator("[data-stars][aria-pressed=true]")).to_have_text("3 stars3")
    button(page, "Submit").click()
    expect(page.get_by_text("A book .")).to_be_visible()
    page.keyboard.press("u")
    page.keyboard.press("Enter")
    expect_all_done(page)
    answers = Response.objects.order_by("received_at").values_list("answer", flat=True)
    assert [answer["stars"] for answer in answers] == [2, 3, None]
