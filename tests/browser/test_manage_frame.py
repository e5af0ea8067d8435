"""What any manager's page does by itself: it stays up to date, and leads anywhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Campaign, Enrollment
from tests.browser.accessible import violations
from tests.browser.manage_page import LAPTOP, PHONE, log_in_at_once
from tests.browser.page_checks import ZOOMED, by_keys, too_wide
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_member,
    make_project,
    make_worker,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LOOK = 10_000  # milliseconds from one look of a page to the next


@pytest.fixture
def campaign() -> Campaign:
    project = make_project(slug="letters", name="Letters of the harbour office")
    found = make_campaign(project, slug="names", name="Names in old letters")
    for name in ("ada", "bo"):
        make_enrollment(
            found, make_worker(external_id=name), submitted=5, gold_seen=4, gold_score_sum=3
        )
    make_document(project, external_id="d-1", title="A bill for rope")
    return found


@pytest.fixture
def workers(page: Page, campaign) -> Page:
    page.set_viewport_size(LAPTOP)
    log_in_at_once(page, make_member(campaign.project).user)
    page.clock.install()
    page.goto("/manage/campaigns/names/workers/")
    return page


def test_page_takes_over_what_is_new_and_leaves_alone_what_somebody_is_at(workers):
    page, looks = workers, []
    page.on("response", lambda reply: looks.append(reply.status))
    table = page.locator("#workers")
    box = page.get_by_role("checkbox", name="Choose ada")
    box.check()
    page.locator("summary", has_text="Table").click()
    box.focus()
    page.evaluate("document.querySelector('#workers tbody tr').marked = true; scrollTo(0, 40)")
    scrolled = page.evaluate("scrollY")
    assert scrolled > 0

    with page.expect_response("**/workers/") as unchanged:
        page.clock.fast_forward(LOOK)
    assert unchanged.value.status == 304

    Enrollment.objects.filter(worker__external_id="bo").update(submitted=4_321)
    with page.expect_response(lambda reply: reply.status == 200):  # one was perhaps on its way
        page.clock.fast_forward(LOOK)
    expect(table).to_contain_text("4,321")
    expect(table.get_by_role("row").nth(1)).to_contain_text("bo")  # those with more come first
    expect(box).to_be_checked()
    expect(box).to_be_focused()
    expect(page.get_by_role("checkbox", name="Choose all on this page")).to_have_count(1)
    expect(page.locator("details.behind")).to_have_attribute("open", "")
    assert page.evaluate("[...document.querySelectorAll('#workers tr')].some((row) => row.marked)")
    assert page.evaluate("scrollY") == scrolled
    assert set(looks) <= {200, 304}


def test_hidden_page_asks_for_nothing_and_a_seen_one_catches_up(workers):
    page, asked = workers, []
    page.on("request", lambda request: asked.append(request.url))
    hide = """(is) => {
      Object.defineProperty(document, "hidden", { value: is, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(hide, True)
    page.clock.fast_forward(60 * LOOK)
    page.wait_for_timeout(50)
    assert asked == []
    with page.expect_response("**/workers/") as reply:
        page.evaluate(hide, False)
        page.clock.fast_forward(1)
    assert reply.value.status == 304


def test_closed_campaign_is_not_asked_again(workers, campaign):
    Campaign.objects.update(state="closed")
    page, asked = workers, []
    page.reload()
    page.on("request", lambda request: asked.append(request.url))
    page.clock.fast_forward(60 * LOOK)
    page.wait_for_timeout(50)
    assert asked == []


def test_keys_alone_lead_to_a_document_and_back_to_a_section(workers):
    page = workers
    assert by_keys(page) == []
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Campaign, document, worker or section")
    expect(field).to_be_focused()
    places = page.get_by_role("option")
    expect(places.first).to_contain_text("Overview")
    page.set_viewport_size(ZOOMED)
    assert too_wide(page) == []
    for size in (LAPTOP, PHONE):
        page.set_viewport_size(size)
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    field.fill("rope")
    page.clock.fast_forward(200)
    expect(places).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url("/manage/projects/letters/documents/d-1/")
    expect(page.get_by_role("button", name="Go to…")).to_be_visible()  # its script is there
    page.keyboard.press("Control+k")
    expect(page.get_by_role("option", name="Names in old letters")).to_have_count(1)
    page.keyboard.type("rope")
    page.keyboard.press("Escape")  # once, whatever was typed
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("button", name="Go to…")).to_be_visible()


def test_without_scripts_the_link_leads_to_a_page_that_finds_the_same(
    browser, live_server, campaign
):
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    log_in_at_once(page, make_member(campaign.project).user)
    page.goto("/manage/campaigns/names/workers/")
    page.get_by_role("link", name="Go to…").click()
    page.get_by_role("searchbox").fill("rope")
    page.get_by_role("button", name="Search places").click()
    page.get_by_role("link", name="A bill for rope").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A bill for rope")
    context.close()
