"""Two tabs of one worker: they share a task, its draft and what becomes of it."""

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Campaign
from tests.browser.page_time import SAVED, stop_clock, wait_until
from tests.browser.work_frame import (
    answered,
    button,
    come_back,
    expect_marked,
    expect_task,
    make_work,
    mark,
    message,
    open_work,
    requests_to_api,
    saved,
    worker_page,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(browser, live_server):
    with worker_page(browser, live_server.url) as page:
        yield page


def two_tabs(page: Page) -> tuple[Campaign, Page]:
    """A campaign whose first task stands in the page, and in the tab that is returned."""
    campaign = make_work()
    open_work(page, campaign)
    other = page.context.new_page()
    open_work(other, campaign)
    return campaign, other


def test_tabs_go_on_with_the_newer_answer_in_turn_and_each_change_is_sent_once(page):
    page.clock.install()
    _, other = two_tabs(page)
    expect_task(other, "Ada", "met", "Bob", ".")
    asked = [requests_to_api(tab) for tab in (page, other)]
    mark(page, "Ada")
    page.clock.run_for(2_000)
    expect(saved(page)).to_have_text(SAVED)
    come_back(other)
    expect_marked(other, "Ada")
    expect(message(other)).to_contain_text("another tab")
    mark(other, "Bob")
    page.clock.run_for(2_000)
    expect(saved(other)).to_have_text(SAVED)
    for tab in (page, other, page, other):
        come_back(tab)
        expect_marked(tab, "Ada", "Bob")
        page.clock.run_for(2_000)  # a draft that was wrongly dated would go out
    expect(message(other)).to_be_empty()
    button(page, "Undo").click()
    expect_marked(page, "Ada")
    page.clock.run_for(2_000)
    wait_until(page, lambda: asked[0].count("assignments/…/draft/") == 2)
    expect(saved(page)).to_have_text(SAVED)
    assert [paths.count("assignments/…/draft/") for paths in asked] == [2, 1]


def test_a_tab_that_submits_sees_first_what_was_done_in_another(page):
    """Two windows may stand side by side: none of them is told that it was chosen."""
    page.clock.install()
    campaign, other = two_tabs(page)
    mark(page, "Ada")
    page.clock.run_for(2_000)
    expect(saved(page)).to_have_text(SAVED)
    stop_clock(other)
    button(other, "Submit").click()
    expect_marked(other, "Ada")
    expect(message(other)).to_contain_text("another tab")
    button(other, "Submit").click()  # too soon to have seen it
    assert answered(campaign) == []
    expect_task(other, "Ada", "met", "Bob", ".")
    page.clock.run_for(1_000)
    button(other, "Submit").click()
    expect_task(other, "Carl", "saw", "Dora", ".")
    assert answered(campaign) == [["Ada"]]


def test_a_tab_submits_at_once_where_another_has_the_same_answer(page):
    page.clock.install()
    campaign, other = two_tabs(page)
    for tab in (page, other):
        page.clock.run_for(2_000)
        mark(tab, "Ada")
    page.clock.run_for(2_000)
    expect(saved(other)).to_have_text(SAVED)
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    assert answered(campaign) == [["Ada"]]


def test_tab_whose_task_was_handed_in_elsewhere_says_so_and_goes_on(page):
    campaign, other = two_tabs(page)
    mark(page, "Ada")
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    come_back(other)
    expect_task(other, "Carl", "saw", "Dora", ".")
    expect(message(other)).to_contain_text("handed in from another tab")
    assert answered(campaign) == [["Ada"]]


def test_tab_that_submits_what_was_handed_in_elsewhere_changes_nothing(page):
    campaign, other = two_tabs(page)
    mark(page, "Ada")
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    mark(other, "Bob")
    button(other, "Submit").click()
    expect_task(other, "Carl", "saw", "Dora", ".")
    expect(message(other)).to_contain_text("its first answer stands")
    assert answered(campaign) == [["Ada"]]
