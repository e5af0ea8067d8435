"""The head of the work page with money in it: one line on a laptop, two on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from annotation.actions.tokens import campaign_link
from annotation.models import Campaign, Enrollment
from config import catalogues
from tests.browser.choice_page import make_choices, open_choice, rest
from tests.browser.each_interface import KINDS
from tests.browser.practice_page import LAPTOP, PHONE, fits
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import button

# How many lines of figures there are, and how many of them are wholly or partly in sight.
LINES = """(pay) => {
  const range = document.createRange();
  range.selectNodeContents(pay);
  const { top, bottom } = pay.getBoundingClientRect();
  const lines = new Map();
  for (const box of range.getClientRects()) lines.set(Math.round(box.top), box);
  const seen = [...lines.values()].filter((box) => box.top < bottom - 1 && box.bottom > top + 1);
  return [lines.size, seen.length];
}"""


@pytest.mark.parametrize("language", ["en", *catalogues.languages()])
def test_figures_that_find_no_room_are_in_the_title_and_come_with_the_menu(
    page, live_server, language
):
    campaign = KINDS["linking"].make()
    Campaign.objects.update(pay_mills=120, name="Wrecks and their owners")
    address = f"/join/{campaign_link(campaign)}/?language={language}"
    page.goto(address)
    pay, head = page.locator("[data-part=pay]"), page.locator(".work-head")
    expect(pay).not_to_be_empty()
    Enrollment.objects.update(submitted=107, earned_mills=12_840, seconds=7_000)
    narrow = {"width": 1024, "height": 768}  # where some of them find no room
    for size, height in ((LAPTOP, 52), (PHONE, 56), (narrow, 52)):
        page.set_viewport_size(size)
        page.goto(address)
        expect(pay).to_contain_text("109")
        assert head.bounding_box()["height"] == height
        assert pay.evaluate(LINES)[1] == 1
        assert fits(page)
        keep_screenshot(page)
    expect(pay).to_contain_text("84")  # what was earned is said in any case
    title, words = pay.get_attribute("title"), pay.text_content()
    assert title.split() == words.split()
    page.locator("[data-part=menu]").click()
    assert pay.evaluate(LINES)[1] == 1  # it stays as it is
    for size in (narrow, PHONE):
        page.set_viewport_size(size)
        lines = page.locator("#menu").get_attribute("data-pay").split("\n")
        assert [line.split() for line in lines] == [one.split() for one in words.split(" ·\xa0")]
        keep_screenshot(page)


def test_the_head_is_no_wider_than_a_window_of_any_width(page, live_server):
    campaign = KINDS["linking"].make()
    Campaign.objects.update(pay_mills=120, name="Wrecks and their owners, and what became of them")
    page.goto(f"/join/{campaign_link(campaign)}/")
    pay = page.locator("[data-part=pay]")
    expect(pay).not_to_be_empty()
    Enrollment.objects.update(submitted=107, earned_mills=12_840, seconds=7_000)
    page.reload()
    expect(pay).to_contain_text("107")
    # 640: a laptop at 200 %
    for width in (320, 390, 600, 640, 660, 768, 820, 844, 900, 1000, 1024, 1180, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert fits(page), width
    # The name makes room first, and wholly: a figure that lacks a tenth of a pixel is out of sight.
    name = page.locator(".work-name")
    assert name.evaluate("(name) => name.scrollWidth > name.clientWidth")
    assert pay.evaluate(LINES) == [1, 1]


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize(
    "name",
    ["Wrecks and their owners, and what became of them", "Letters · 1890–1910 · first of two parts",
     "سفن غارقة وأصحابها (1890–1910) وما جرى لها", "Donaudampfschifffahrtsgesellschaft_pilot"],
)  # fmt: skip
def test_the_menu_has_the_campaign_s_name_whole_in_its_own_direction(page, name, language):
    campaign = KINDS["linking"].make()
    Campaign.objects.update(pay_mills=120, name=name)
    page.goto(f"/join/{campaign_link(campaign)}/?language={language}")
    expect(page.locator("[data-part=pay]")).not_to_be_empty()
    full = page.locator("#menu > p")
    for size in (PHONE, {"width": 1024, "height": 800}):
        page.set_viewport_size(size)
        page.locator("[data-part=menu]").click()
        expect(full).to_have_text(name)  # parted as it is written, whatever signs are in it
        assert full.evaluate("p => p.scrollWidth <= p.clientWidth && p.offsetHeight < 100")
        direction = full.evaluate("p => getComputedStyle(p).direction")
        assert direction == ("rtl" if name.startswith("س") else "ltr")
        figures = page.locator("#menu").get_attribute("data-pay")
        assert name.split()[0] not in figures
        assert fits(page)
        keep_screenshot(page)
        page.keyboard.press("Escape")


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "ar"])
@pytest.mark.parametrize("name", ["relation", "linking", "choice"])
def test_at_150_percent_the_buttons_below_have_their_words_in_one_line(page, name, language):
    page.set_viewport_size({"width": 853, "height": 533})
    page.goto(f"/join/{campaign_link(KINDS[name].make())}/?language={language}")
    for act in ("doubt", "skip", "report"):
        expect(page.locator(f"[data-act={act}] .wide")).to_be_in_viewport(ratio=1)
    assert page.locator("[data-part=bar] > .work-acts").bounding_box()["height"] < 50


def test_a_press_that_closes_the_menu_sets_nothing_and_eats_no_key(page):
    page.clock.install()
    open_choice(page, make_choices(options={"scale": {"min": 0, "max": 100, "step": 1}}))
    rest(page)
    menu, slider = page.locator("[data-part=menu]"), page.get_by_role("slider")
    menu.click()
    slider.click(position={"x": 40, "y": 5})
    expect(menu).to_have_attribute("aria-expanded", "false")
    expect(page.locator(".choice-slider")).to_have_class(re.compile("is-unset"))
    menu.click()
    page.locator(".choice-text").click(button="right")
    button(page, "Report").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Report this task")).to_be_visible()


@pytest.mark.parametrize("what", ["menu", "reading"])
def test_a_press_that_closes_what_is_open_chooses_nothing(page, what):
    kind = KINDS["choice"]
    page.clock.install()
    campaign = kind.make()
    kind.open(page, campaign)
    opened = {
        "menu": page.locator("[data-part=menu]"), "reading": page.locator("[data-act=reading]"),
    }[what]  # fmt: skip
    opened.click()
    expect(opened).to_have_attribute("aria-expanded", "true")
    answer = page.locator(".choice-option").last if what == "menu" else button(page, "Report")
    answer.click()
    expect(opened).to_have_attribute("aria-expanded", "false")
    page.clock.run_for(1_000)
    expect(page.locator(".choice-task [aria-pressed=true], dialog[open]")).to_have_count(0)
    opened.click()
    page.locator("[data-part=my-work]").click()  # another button of the head means itself
    expect(opened).to_have_attribute("aria-expanded", "false")
    expect(page.get_by_role("dialog", name="My work")).to_be_visible()
    page.keyboard.press("Escape")
    answer.click()
    expect(page.locator(".choice-task [aria-pressed=true], dialog[open]")).to_have_count(1)
