"""The first page in its five languages: figures on the right side, and a bar that hides nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotation.actions.tokens import campaign_link
from annotation.models import Campaign, ConsentVersion
from config import catalogues
from tests.browser.choice_page import make_choices, show_picture
from tests.browser.each_interface import KINDS
from tests.browser.entity_page import make_story
from tests.browser.late_parts import held_back
from tests.browser.practice_page import LAPTOP, PHONE, fits, known_of, practise
from tests.browser.screenshots import keep_screenshot
from tests.browser.test_choice_states import PICTURE
from tests.browser.work_frame import button

LANGUAGES = ["en", *catalogues.languages()]
CONSENT = "\n\n".join(
    ["We keep your answers, and how long they took you, for as long as we work."] * 9
)


@pytest.fixture
def link(live_server):
    campaign = practise(make_story("Ada met Bob ."), known_of((0, 1, "PER")))
    campaign.refresh_from_db()
    campaign.consent = ConsentVersion.objects.create(campaign=campaign, number=1, text=CONSENT)
    campaign.content_warning = "Some reports tell of death at sea."
    campaign.pay_mills = 120
    campaign.requester = "The Harbour Archive"
    campaign.save()
    return f"/join/{campaign_link(campaign)}/"


def bottom(place):
    box = place.bounding_box()
    return box["y"] + box["height"]


def test_what_tab_comes_to_lies_above_the_bar(page, link):
    page.set_viewport_size(PHONE)
    page.goto(link)
    expect(page.locator("[data-part=consent-title]")).to_be_focused()
    before = button(page, "I have worked here before")
    bar = page.locator(".first-page > .work-bar")
    # As low as a step of Tab leaves it where the button before it is in sight.
    by = before.bounding_box()["y"] - bar.bounding_box()["y"]
    page.evaluate("by => scrollBy(0, by)", by)
    button(page, "Try it yourself").evaluate("one => one.focus({ preventScroll: true })")
    page.keyboard.press("Tab")
    expect(before).to_be_focused()
    assert bottom(before) + 4 <= bar.bounding_box()["y"]
    keep_screenshot(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bar_on_a_phone_is_a_line_and_a_row_and_hides_nothing(page, link, language):
    page.set_viewport_size(PHONE)
    page.goto(f"{link}?language={language}")
    agree, decline = (page.locator(f"[data-act={act}]") for act in ("agree", "decline"))
    expect(agree).to_be_in_viewport()
    bar = page.locator(".first-page > .work-bar")
    assert agree.bounding_box()["y"] == decline.bounding_box()["y"]
    assert bar.bounding_box()["height"] < 92
    assert bottom(bar) == PHONE["height"]
    assert fits(page)
    keep_screenshot(page)
    words = {"en": "Read first: content warning and terms", "de": "Zuerst lesen: Inhaltswarnung"}
    expect(bar.locator("a")).to_contain_text(words.get(language, ""))
    bar.locator("a").click()
    terms = page.locator(".first-terms")
    expect(terms).to_be_focused()
    expect(terms).to_have_attribute("aria-label", bar.locator("a").inner_text())
    expect(terms.locator(".work-warning")).to_be_in_viewport(ratio=1)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert bottom(terms.locator("> *").last) <= bar.bounding_box()["y"]
    assert bottom(bar) > PHONE["height"] - 1  # the page ends with it
    keep_screenshot(page)


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_an_amount_in_arabic_stands_before_what_it_is_for(page, link, size):
    """At the right: the line is read from there."""
    page.set_viewport_size(size)
    page.goto(f"{link}?language=ar")
    fact = page.locator(".first-facts b").first
    expect(fact).to_contain_text("0.12")
    expect(fact).to_be_visible()
    left, right = fact.evaluate(
        """(fact) => {
          const { firstChild: text } = fact;
          const box = (from, to) => {
            const range = document.createRange();
            range.setStart(text, from);
            range.setEnd(text, to);
            return range.getBoundingClientRect();
          };
          const end = text.data.indexOf("\\u2069");
          return [box(end + 1, text.length).left, box(0, end).left];
        }"""
    )
    assert left < right


def test_a_manager_s_words_run_their_own_way(page, link):
    page.goto(f"{link}?language=ar")
    for words in ("The Harbour Archive", "Some reports tell of death at sea."):
        place = page.get_by_text(words, exact=True)
        assert place.evaluate("(place) => getComputedStyle(place).direction") == "ltr"


def test_a_tag_of_the_example_is_not_torn(page):
    """However wide the example is."""
    pair = KINDS["relation"].make()
    known = [{"relation": name, "evidence": []} for name in ("per:place_of_birth", "none")]
    page.goto(f"/join/{campaign_link(practise(pair, *known))}/")
    tags = page.locator(".first-example mark i")
    expect(tags).to_have_text(["● PER", "■ GPE"])
    for width in range(280, 480, 10):
        page.set_viewport_size({"width": width, "height": 800})
        assert tags.evaluate_all("all => all.map((one) => one.getClientRects().length)") == [1, 1]
    page.set_viewport_size(LAPTOP)
    keep_screenshot(page)


def test_the_example_has_no_holes_before_it_is_drawn_and_its_head_is_one_row(page):
    pair = KINDS["relation"].make()
    known = [{"relation": name, "evidence": []} for name in ("per:place_of_birth", "none")]
    page.set_viewport_size(LAPTOP)
    page.goto(f"/join/{campaign_link(practise(pair, *known))}/")
    tags = page.locator(".first-example mark i")
    expect(tags).to_have_text(["● PER", "■ GPE"])
    page.emulate_media(reduced_motion="no-preference")
    hides = """(tag) => tag.getAnimations()
      .flatMap((one) => one.effect.getKeyframes())
      .some((frame) => "opacity" in frame || "visibility" in frame)"""
    assert not tags.first.evaluate(hides)
    page.emulate_media(reduced_motion="reduce")
    keep_screenshot(page)
    title = page.locator(".first-example figcaption > b").bounding_box()
    for act in page.locator(".first-acts > button").all():
        box = act.bounding_box()
        assert box["y"] < title["y"] + title["height"] / 2 < box["y"] + box["height"]


def test_a_picture_is_drawn_but_where_a_warning_is_to_be_read_first(page):
    show_picture(page)
    campaign = practise(make_choices(PICTURE), {"choice": "Green"})
    page.goto(f"/join/{campaign_link(campaign)}/")
    example = page.locator(".first-example")
    picture = example.get_by_role("img", name="A street")
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("({ naturalWidth }) => naturalWidth") > 0
    expect(button(page, "Show again")).to_have_count(0)  # nothing of it draws itself
    Campaign.objects.update(content_warning="Some pictures show injuries.")
    page.reload()
    expect(example).to_contain_text("A street")
    expect(picture).to_have_count(0)


def test_tab_goes_on_while_something_is_on_its_way(page, link):
    with held_back(page, "later"):
        page.goto(link)
        button(page, "Show again").click()
        page.wait_for_function("document.querySelector('link[href*=beside]')")  # it is asked for
        page.keyboard.press("Tab")
        expect(page.locator("main :focus:is(a, button)")).to_have_count(1)


def test_a_warning_alone_is_called_so_and_a_finger_is_shown_no_key(phone):
    campaign = practise(KINDS["choice"].make(), {"choice": "Blue"}, {"choice": "Green"})
    campaign.refresh_from_db()
    campaign.content_warning = "Some reports tell of death at sea."
    campaign.save()
    phone.goto(f"/join/{campaign_link(campaign)}/")
    expect(phone.locator(".first-page > .work-bar a")).to_have_text("Read first: content warning")
    expect(phone.locator(".first-example .is-known")).to_contain_text("Blue")
    expect(phone.locator(".first-example .key").filter(visible=True)).to_have_count(0)
    keep_screenshot(phone)


def test_the_line_above_the_bar_goes_from_edge_to_edge_and_makes_nothing_wider(page, link):
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(link)
    bar = page.locator(".first-page > .work-bar")
    place, (_, beside) = (
        bar.bounding_box(),
        bar.evaluate("(bar) => getComputedStyle(bar).borderImageOutset.split(' ').map(parseFloat)"),
    )
    assert place["x"] - beside <= 0
    assert place["x"] + place["width"] + beside >= 1920
    assert fits(page)
    keep_screenshot(page)
