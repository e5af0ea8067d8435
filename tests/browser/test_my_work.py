"""My work: a page of its own, day by day, with sums, states, and what was said to and fro."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from annotation.actions import appeals, assignments, rejections
from annotation.actions.consent import set_consent
from annotation.actions.tokens import campaign_link
from annotation.models import Appeal, Assignment, Campaign, Enrollment, Payment
from annotation.queries.history import PAGE
from tests.browser.accessible import violations
from tests.browser.choice_page import make_choices
from tests.browser.each_interface import KINDS
from tests.browser.practice_page import LAPTOP, PHONE, fits, practise
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import tried_page
from tests.factories import make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(browser, live_server) -> Iterator[Page]:
    with tried_page(browser, live_server.url) as page:
        yield page


def begin(page: Page, answers: int) -> list[Assignment]:
    """Somebody who has handed in so many answers, a day apart but for the last two."""
    kind = KINDS["choice"]
    campaign = kind.make()
    terms = {"pay_mills": 120, "budget_mills": 120_000, "correction_seconds": 600}
    Campaign.objects.filter(pk=campaign.pk).update(**terms)
    for _ in range(answers):
        make_task(campaign)
    kind.open(page, campaign)
    key = Enrollment.objects.get().key
    now = timezone.now().replace(hour=12)
    leases = []
    for number in range(answers):
        lease = assignments.claim_next(key).assignment
        assignments.submit(key, lease.key, {"choice": "Blue"}, 38.0)
        at = now - timedelta(days=max(0, answers - 2 - number))
        Assignment.objects.filter(pk=lease.pk).update(submitted_at=at + timedelta(minutes=number))
        leases.append(lease)
    return leases


def open_mine(page: Page) -> Locator:
    if page.viewport_size["width"] < 640:
        page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="My work", exact=True).click()
    mine = page.get_by_role("dialog", name="My work")
    expect(mine.get_by_role("listitem").first).to_be_visible()
    return mine


def box(found: Locator) -> dict[str, Any]:
    place = found.bounding_box()
    assert place is not None
    return place


@pytest.mark.parametrize(
    ("size", "scheme"),
    [(LAPTOP, "light"), ({"width": 1920, "height": 1080}, "dark"), (PHONE, "dark")],
    ids=["laptop", "wide", "phone"],
)
def test_it_fills_the_window_and_tells_what_became_of_each_answer(page, size, scheme):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    leases = begin(page, 5)
    key = Enrollment.objects.get().key
    for lease in leases[:3]:
        rejections.reject(lease, "Lines 15 to 39 hold nine names.")
    appeals.appeal(key, "I read on from the phone.", leases[0].key)
    appeals.answer(Appeal.objects.get(), True, "You are right. It is paid.")
    appeals.appeal(key, "There is none.", leases[1].key)
    Payment.objects.filter(assignment=leases[3]).update(state="paid")
    asked = []
    page.on("request", lambda request: "/history/" in request.url and asked.append(request.url))
    mine = open_mine(page)
    assert len(asked) == 1
    assert box(mine) == {"x": 0, "y": 0, **size}
    assert fits(page)

    sums = mine.locator("dl > div")
    assert [words.splitlines() for words in sums.all_inner_texts()] == [
        ["Earned", "$0.36", "5 tasks"], ["Paid", "$0.12"], ["Held back", "$0.24"],
    ]  # fmt: skip
    expect(mine.locator(".my-work h3")).to_have_count(4)
    rows = mine.get_by_role("listitem")
    ends = [words.splitlines() for words in mine.locator(".my-work-end").all_inner_texts()]
    assert ends == [
        ["$0.12", "earned"], ["$0.12", "paid"], ["$0.12", "rejected"], ["$0.12", "in review"],
        ["$0.12", "accepted after review"],
    ]  # fmt: skip
    last, rejected, asks, granted = rows.nth(0), rows.nth(2), rows.nth(3), rows.nth(4)
    end, name = box(last.locator(".my-work-end")), box(last.locator(".my-work-task"))
    assert end["x"] > name["x"] + name["width"]
    expect(last).to_contain_text("Can be corrected, once, until you submit the next task.")
    expect(rejected).to_contain_text("Lines 15 to 39 hold nine names.")
    expect(rejected.get_by_role("button", name="Ask for a review")).to_be_visible()
    expect(asks).to_contain_text("There is none.")
    expect(asks).to_contain_text("There is no answer yet. It will stand here.")
    expect(granted).to_contain_text("I read on from the phone.")
    expect(granted).to_contain_text("You are right. It is paid.")
    expect(granted.get_by_role("button", name="Ask for a review")).to_have_count(0)

    heading = mine.locator(".my-work-device h3").filter(visible=True)
    list_at, device = box(rows.first), box(heading)
    if size["width"] > 1_000:  # beside the list, or below it
        assert device["x"] + device["width"] < list_at["x"]
    else:
        assert device["y"] > box(rows.last)["y"]
    assert violations(page) == []
    keep_screenshot(page)

    # Anywhere on a row leads to its answer, by which the worker sees what they appealed about.
    granted.scroll_into_view_if_needed()
    place = box(granted)
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + 12)
    expect(page.get_by_role("heading", name="Your answer")).to_be_focused()
    expect(page.locator(".is-past [aria-pressed=true]")).to_contain_text("Blue")
    # What is pressed sooner was meant for what stood there before.
    page.wait_for_function(
        "at => performance.now() > at", arg=page.evaluate("performance.now() + 900")
    )
    page.keyboard.press("Escape")
    expect(granted.get_by_role("button", name="Look at your answer")).to_be_focused()


def test_one_that_is_not_the_last_can_be_corrected_until_a_time(page):
    first, last = begin(page, 2)
    now = timezone.now()
    at = now - timedelta(seconds=30)
    for lease, submitted_at in ((first, at), (last, now)):
        Assignment.objects.filter(pk=lease.pk).update(submitted_at=submitted_at)
    rows = open_mine(page).get_by_role("listitem")
    until = page.evaluate(
        "at => new Date(at).toLocaleTimeString('en-GB', {timeStyle: 'short'})",
        (at + timedelta(seconds=600)).isoformat(),
    )
    expect(rows.filter(has_text=f"Can be corrected, once, until {until}.")).to_have_count(1)


def test_a_long_past_comes_in_pages_and_a_day_goes_on_from_one_to_the_next(page):
    begin(page, PAGE + 5)
    Assignment.objects.filter(state="submitted").update(submitted_at=timezone.now())
    mine = open_mine(page)
    rows = mine.get_by_role("listitem")
    expect(rows).to_have_count(PAGE)
    expect(mine.locator("dl")).to_contain_text(f"{PAGE + 5} tasks")
    mine.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(PAGE + 5)
    expect(mine.locator(".my-work h3")).to_have_count(1)
    expect(mine.locator("dl > div")).to_have_count(1)  # nothing is summed twice
    expect(mine.get_by_role("button", name="Show more")).to_be_hidden()


def test_before_anything_was_done_no_empty_sheet_stands_there_and_practice_is_work(page):
    campaign = practise(make_choices("One.", "Two."), {"choice": "Red"}, {"choice": "Red"})
    set_consent(campaign, "We keep your answers.")
    page.goto(f"/join/{campaign_link(campaign)}/")
    page.get_by_role("button", name="I have worked here before").click()
    mine, words = page.get_by_role("dialog", name="My work"), page.get_by_label("The five words")
    expect(words).to_be_focused()
    expect(mine.locator(".my-work-sheet")).to_be_hidden()
    assert box(words)["x"] < 100  # where it stands beside a sheet
    page.keyboard.press("Escape")
    page.get_by_role("button", name="I agree, start practice").click()
    page.locator(".choice-option", has_text="Red").click()
    expect(page.get_by_role("heading", name="Right")).to_be_visible()
    open_mine(page)
    # What was done here has a name of its own; another one would leave it behind.
    expect(mine.get_by_role("button", name="Show my five words")).to_be_visible()
    expect(words).to_be_hidden()
