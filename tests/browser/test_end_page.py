"""The page at the end of the work, and wherever no task stands: it thanks, tells why, and pays."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotation.actions import workers
from annotation.actions.tokens import campaign_link
from annotation.models import Campaign, Enrollment
from tests.browser.each_interface import KINDS
from tests.browser.page_time import stop_clock, wait_until
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import (
    answered,
    button,
    choose_in_head,
    expect_marked,
    expect_task,
    make_work,
    mark,
    notice,
    open_work,
    worker_page,
)
from tests.factories import make_document, make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(browser, live_server):
    with worker_page(browser, live_server.url) as page:
        yield page


def test_stopping_says_thanks_and_the_task_waits(page):
    open_work(page, make_work())
    mark(page, "Ada")
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    mark(page, "Dora")
    choose_in_head(page, "Stop here")
    expect(page.get_by_role("heading", name="Thank you")).to_be_focused()
    expect(notice(page)).to_contain_text("You have handed in 1 task and earned $0.06.")
    expect(notice(page)).to_contain_text("Your completion code for what you have done.")
    expect(notice(page)).to_contain_text("the last one counts for all of your work.")
    button(page, "Go on").click()
    expect_marked(page, "Dora")


def test_completion_code_can_be_copied_and_where_not_is_selected(page):
    page.clock.install()
    open_work(page, make_work("Ada met Bob ."))
    mark(page, "Ada")
    button(page, "Submit").click()
    code = page.locator("#code")
    expect(code).not_to_be_empty()
    stop_clock(page)  # or a slow machine would be asking for a task by the end
    page.evaluate(
        "() => { window.refused = 0; navigator.clipboard.writeText ="
        " () => { refused += 1; return Promise.reject(Error('closed')); } }"
    )
    button(page, "Copy").click()
    told = page.locator("[data-part=code] small")  # seen too, and once
    expect(told).to_have_text("It is selected. Copy it with Ctrl and C.")
    page.clock.run_for(100)
    expect(page.get_by_role("status")).to_contain_text("It is selected.")
    assert page.evaluate("getSelection().toString()") == code.inner_text()
    button(page, "Copy").click()
    wait_until(page, lambda: page.evaluate("refused") == 2)  # what it says stands there already
    expect(told).to_have_text("It is selected. Copy it with Ctrl and C.")
    page.evaluate("() => { navigator.clipboard.writeText = (text) => { window.copied = text; } }")
    button(page, "Copy").click()
    expect(button(page, "Copied")).to_be_visible()
    expect(told).to_have_count(0)
    page.clock.run_for(5_000)
    expect(button(page, "Copy")).to_be_visible()
    assert page.evaluate("copied") == code.inner_text()


@pytest.mark.parametrize("width", [1280, 390])
def test_one_line_lies_between_the_figures_and_the_code(page, width):
    page.set_viewport_size({"width": width, "height": 844})
    open_work(page, make_work("Ada met Bob ."))
    Enrollment.objects.update(submitted=1, seconds=239)  # and a task of a second or so
    mark(page, "Ada")
    button(page, "Submit").click()
    expect(page.locator("#code")).not_to_be_empty()
    figures = page.locator(".moment-figures > div")
    expect(figures.nth(1)).to_have_text("Done2 tasks")
    expect(figures.nth(2)).to_have_text("Time4 minabout 2 min each")
    expect(notice(page)).to_contain_text("Thank you for your work.")
    page.wait_for_function(
        """() => {
          const [figures, code] = ["figures", "code"].map((name) =>
            document.querySelector(`[data-part=${name}]`).getBoundingClientRect());
          return Math.abs(figures.bottom - code.top) < 1.5;
        }""",
        timeout=10_000,
    )


def test_page_without_a_task_asks_again_by_itself(page):
    page.clock.install()
    campaign = make_work("Ada met Bob .")
    open_work(page, campaign)
    mark(page, "Ada")
    button(page, "Submit").click()
    expect(notice(page)).to_contain_text("All done for now")
    expect(notice(page)).to_contain_text("Your completion code. Paste it where you found the link:")
    expect(notice(page)).not_to_contain_text("Ask again later")
    expect(notice(page).locator(":scope > :last-child")).to_contain_text("Asking again in ")

    make_task(campaign, make_document(campaign.project, "Eve left ."))
    Enrollment.objects.update(rest_until=None)
    page.clock.run_for(61_000)
    expect_task(page, "Eve", "left", ".")


def test_paused_worker_reads_why(page):
    page.clock.install()
    campaign = make_work()
    open_work(page, campaign)
    workers.set_state(Enrollment.objects.get(), "paused", "Please read the second step again.")
    mark(page, "Ada")
    button(page, "Submit").click()
    expect(page.get_by_role("heading", name="You are paused")).to_be_visible()
    expect(notice(page)).to_contain_text("Please read the second step again.")
    assert answered(campaign) == [["Ada"]]
    keep_screenshot(page)
    before = notice(page).inner_text()
    assert "Last checked" not in before  # nothing was, as yet
    stop_clock(page)
    page.clock.run_for(2_000)
    button(page, "Check again").click()  # that it was done is seen and heard
    expect(notice(page)).not_to_have_text(before)
    expect(notice(page)).to_contain_text("Last checked at")
    page.clock.run_for(100)
    expect(page.get_by_role("status").last).to_contain_text("Last checked at")


def test_campaign_that_closes_meanwhile_says_so_and_takes_the_answer(page):
    campaign = make_work()
    open_work(page, campaign)
    Campaign.objects.update(state="closed")
    mark(page, "Ada")
    button(page, "Submit").click()
    expect(notice(page)).to_contain_text("This campaign is closed.")
    assert answered(campaign) == [["Ada"]]


@pytest.mark.parametrize("language", ["en", "de", "fr", "ar"])
def test_on_a_phone_no_figure_of_the_end_touches_the_line_beside_it(page, language):
    page.set_viewport_size({"width": 390, "height": 844})
    page.clock.install()
    kind = KINDS["choice"]
    campaign = kind.make()
    Campaign.objects.update(pay_mills=60)
    page.goto(f"/join/{campaign_link(campaign)}/?language={language}")
    kind.expect_ready(page)  # and known to the server
    Enrollment.objects.update(submitted=106, earned_mills=12_840, seconds=7_000)
    for is_last in (False, True):
        kind.expect_ready(page)
        page.clock.run_for(1_500)
        page.locator(".choice-option").first.click()
        page.locator("[data-act=submit]").click()
        page.clock.run_for(1_500)
        if not is_last:
            kind.expect_second(page)
    figures = page.locator(".moment-figures > div")
    expect(figures).to_have_count(3)
    # The next one's line lies at the end of each.
    left = figures.evaluate_all(
        """all => all.slice(0, -1).map((one) => {
          const { left, right } = one.getBoundingClientRect();
          const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
          const room = [];
          while (texts.nextNode()) {
            const range = document.createRange();
            range.selectNodeContents(texts.currentNode);
            for (const box of range.getClientRects())
              room.push(document.dir === "rtl" ? box.left - left : right - box.right);
          }
          return Math.min(...room);
        })"""
    )
    assert all(px > 10 for px in left), left
    # "1 h 57 min" breaks before "57", and nowhere else.
    torn = figures.last.locator("dd").evaluate(
        """(figure) => {
          const text = figure.firstChild;
          const top = (at) => {
            const range = document.createRange();
            range.setStart(text, at);
            range.setEnd(text, at + 1);
            return range.getBoundingClientRect().top;
          };
          const units = text.data.matchAll(/\\d(?=\\s\\p{L})/gu);
          return [...units].some(({ index }) => top(index) !== top(index + 2));
        }"""
    )
    assert not torn
    keep_screenshot(page)
