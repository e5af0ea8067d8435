"""An expert decides ten disputes in two minutes, by keys alone."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from aggregation.actions.runs import aggregate
from aggregation.models import Adjudication, Consensus
from annotation.actions.campaigns import set_instructions
from tests.aggregation.crowds import make_workers, tagged_task
from tests.browser.accessible import violations
from tests.browser.manage_page import LAPTOP, PHONE, log_in_at_once
from tests.factories import make_campaign, make_member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FIRST = "B-PER I-PER O O O B-LOC O O O"
SECOND = "O B-PER O O O O O O O"


def test_ten_decisions_by_keys(page):
    campaign, workers = make_campaign(name="Names in old papers", redundancy=3), make_workers(3)
    set_instructions(campaign, "## Mark each person\n\nNo titles.")
    for _ in range(5):
        tagged_task(campaign, FIRST, SECOND, FIRST, workers=workers)
    aggregate(campaign, "mv-token")
    Consensus.objects.update(expected_errors=1.5)
    log_in_at_once(page, make_member(campaign.project, "reviewer").user)
    page.goto(f"/manage/campaigns/{campaign.slug}/review/")
    for size, scheme in ((PHONE, "dark"), (PHONE, "light"), (LAPTOP, "dark"), (LAPTOP, "light")):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
        assert violations(page) == []
        if shots := os.environ.get("REVIEW_SHOTS"):
            page.screenshot(path=f"{shots}/review-{size['width']}-{scheme}.png")
    page.keyboard.press("g")
    expect(page.get_by_label("Make it gold")).to_be_checked()
    page.keyboard.press("g")
    page.keyboard.press("i")  # and they stay open from task to task
    expect(page.get_by_text("No titles.")).to_be_visible()
    began = time.monotonic()
    for number in range(10):
        place = page.get_by_text(f"decision {number % 2 + 1} of 2")
        expect(place).to_be_visible()
        page.wait_for_load_state()
        if number % 2:  # the next document is there already
            expect(page.get_by_text("No titles.")).to_be_visible()
            page.keyboard.press("0")
            continue
        with page.expect_navigation():
            page.keyboard.press("2")
    expect(page.get_by_role("heading", name="Nothing is left to decide")).to_be_visible()
    took = time.monotonic() - began
    assert violations(page) == []
    if shots:
        Path(shots, "seconds.txt").write_text(f"{took:.2f}")
    assert took < 200, took
    assert Adjudication.objects.filter(is_complete=True).count() == 5
    with page.expect_navigation():
        page.keyboard.press("Control+z")
    expect(page.get_by_text("decision 2 of 2")).to_be_visible()
    page.keyboard.press("e")
    expect(page.get_by_label("First word")).to_be_focused()
    page.get_by_label("First word").select_option(index=0)
    page.get_by_label("Last word").select_option(index=1)
    if shots:
        page.screenshot(path=f"{shots}/review-cut.png")
    assert violations(page) == []
    with page.expect_navigation():
        page.keyboard.press("Enter")
    row = Adjudication.objects.order_by("-decided_at").first()
    assert row.is_complete
    assert any(one["end"] - one["start"] > 5 for one in row.answer["mentions"])
    with page.expect_navigation():
        page.keyboard.press("Control+z")
    page.get_by_label("Decide with single keys").uncheck()
    page.keyboard.press("1")
    page.reload()
    expect(page.get_by_label("Decide with single keys")).not_to_be_checked()
    assert Adjudication.objects.filter(is_complete=True).count() == 4
