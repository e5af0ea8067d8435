"""The page at the end of the work, in the languages that have the longest words."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotation.actions.tokens import campaign_link
from annotation.models import Campaign, Enrollment
from tests.browser.each_interface import KINDS
from tests.browser.screenshots import keep_screenshot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("language", ["de", "fr", "ar"])
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
    keep_screenshot(page)
