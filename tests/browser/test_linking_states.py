"""The linking page in every state, for every reader: axe, zoom, direction, weight, many cards."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from annotation.actions.tokens import campaign_link
from tests.browser.accessible import violations
from tests.browser.entity_page import message, submit
from tests.browser.linking_page import (
    CARDS,
    asked,
    at_cursor,
    card,
    drag,
    harbour_cards,
    make_cards,
    open_cards,
    open_queue,
    piles,
)
from tests.browser.screenshots import keep_screenshot
from tests.factories import make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
ARABIC = (
    ("مريم حداد", "كتبت مريم حداد إلى بلدية طرابلس", "رسالة"),
    ("حداد", "قالت حداد إنها لم تسمع شيئا", "محضر"),
    ("طرابلس", "بلدية طرابلس أغلقت أبوابها", "جريدة"),
)


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize(
    ("size", "scheme"), [(LAPTOP, "light"), (PHONE, "dark")], ids=["laptop", "phone"]
)
def test_axe_finds_nothing_in_any_state(page, size, scheme):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    open_queue(page, make_cards())
    assert violations(page) == []  # nothing done
    for key in "susn":
        page.keyboard.press(key)
    page.locator(".queue-finished summary").click()
    assert violations(page) == []  # decided, unsure and put off; piles as rows, folded and not
    assert fits(page)
    for _ in range(4):
        page.keyboard.press("Control+z")
    page.keyboard.press("g")
    assert violations(page) == []  # all piles, nothing done
    drag(page, card(page, "Mr Gray"), card(page, "Freddie Gray"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("u")
    card(page, "Baltimore").click()
    assert violations(page) == []  # a pile, an unsure card, a card with its menu
    assert fits(page)
    page.keyboard.press(" ")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert violations(page) == []  # side by side
    assert fits(page)
    page.keyboard.press(" ")
    page.keyboard.press("Escape")  # the menu, which covers the bar of a narrow page
    page.get_by_role("button", name="Submit early").click()
    expect(asked(page)).to_be_visible()
    assert violations(page) == []  # asked about what is undecided
    assert fits(page)


def test_cards_from_right_to_left_are_walked_so(page):
    open_cards(page, make_cards(*ARABIC, project={"text_direction": "rtl", "language": "ar"}))
    boxes = [each.bounding_box() for each in page.locator("[data-card]").all()]
    assert boxes[0]["x"] > boxes[1]["x"]
    # The point stands between the title and the state: both run as the card does.
    dot = "part => getComputedStyle(part.firstElementChild, '::after').content"
    assert page.locator(".card-title").first.evaluate(dot) == '" ·"'
    first = at_cursor(page).inner_text()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("s")
    assert piles(page)[0].startswith(f"= {first}, ")
    assert fits(page)


# At which side of its card the words of an element begin: "right", "left", or "" for neither.
SIDES = """parts => parts.map((part) => {
  const words = document.createRange();
  words.selectNodeContents(part);
  const [box, card] = [words, part.closest(".card")].map((each) => each.getBoundingClientRect());
  const [left, right] = [box.left - card.left, card.right - box.right];
  return left < 20 ? "left" : right < 20 ? "right" : "";
})"""


@pytest.mark.parametrize("language", ["en", "ar"])
def test_where_texts_are_mixed_each_card_runs_as_its_own_words_do(page, language):
    """Its name and its sentence alike, whichever way the page runs."""
    campaign = make_cards(("Ruth Okafor", "Ruth Okafor filmed.", "Letter"), ARABIC[0])
    page.goto(f"/join/{campaign_link(campaign)}/?language={language}")
    expect(page.locator(".queue-card")).to_be_focused()
    page.keyboard.press("g")
    expect(page.locator("[data-card]").first).to_be_focused()
    for part in (".card-name", ".card-sentence"):
        assert page.locator(f".card {part}").evaluate_all(SIDES) == ["left", "right"], part
    keep_screenshot(page)


def test_four_times_as_large_it_still_fits_and_works(page):
    page.set_viewport_size({"width": 320, "height": 256})  # 1280 × 1024 at 400 %
    long = "Donaudampfschifffahrtsgesellschaftskapitän" * 6
    ada = (f"Ada {long}", "Ada slept.", "A")
    open_cards(page, make_cards((long, f"{long} met Ada.", long), ada))
    page.keyboard.press("End")
    page.keyboard.press("s")
    expect(page.locator(".pile .card")).to_have_count(2)
    assert fits(page)
    page.locator("[data-card]").first.click()
    assert fits(page)


def test_sixty_cards_stay_fluid_and_the_first_visit_is_light(page, live_server):
    seen = []
    page.on("request", lambda request: seen.append(request.url))
    lasts = ("Gray", "Grey", "Okafor", "Mosby")
    names = [f"{first} {last}" for last in lasts for first in "ABCDEFG"]
    sentence = "On Saturday {} spoke before thousands, and nobody knew why it had come so late."
    cards = [(name, sentence.format(name), f"Letter {i}") for i, name in enumerate(names * 3)][:60]
    open_queue(page, make_cards(*cards))
    assert len(seen) <= 8, seen
    assert all(url.startswith(live_server.url) for url in seen)
    for size in (LAPTOP, PHONE):  # the card, and what can be done with it, without a scroll
        page.set_viewport_size(size)
        assert page.locator(".queue-acts").bounding_box()["y"] < 600, size
        assert page.locator(".queue-cell").count() == 60
    assert usual_step(page) < 500  # ms, of a busy machine; some 20 on a quiet one
    expect(message(page)).not_to_be_empty()
    page.keyboard.press("g")
    expect(page.locator("[data-card]:focus")).to_have_count(1)
    assert usual_step(page) < 500


def usual_step(page: Page) -> float:
    return page.evaluate(
        """async () => {
          const times = [];
          for (const key of [..."snsus1snsa".repeat(4), "ArrowDown", "ArrowUp"]) {
            const begun = performance.now();
            document.activeElement.dispatchEvent(
              new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
            document.body.getBoundingClientRect(); // style and layout
            times.push(performance.now() - begun);
            await new Promise(requestAnimationFrame);
          }
          return times.sort((a, b) => a - b).at(times.length / 2);
        }"""
    )


COUNTED_MOVES = """() => {
  window.moves = 0;
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...how) {
    window.moves += 1;
    return animate.apply(this, how);
  };
}"""


def test_focus_and_motion_keep_to_what_the_reader_asks(page):
    page.emulate_media(reduced_motion="no-preference")
    open_cards(page, make_cards())
    page.keyboard.press("ArrowRight")
    page.evaluate(COUNTED_MOVES)  # a busy machine looks when they are over
    page.keyboard.press("s")
    moves = page.evaluate("moves")
    assert moves > 0
    page.emulate_media(reduced_motion="reduce")
    page.keyboard.press("Control+z")
    assert page.evaluate("moves") == moves
    running = "document.getAnimations().filter((each) => each.playState === 'running').length"
    page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    assert page.evaluate(running) == 0
    page.keyboard.press("Control+Shift+z")
    assert page.evaluate(running) == 0
    # What takes the focus lies between the head and the bar, however small the window is.
    page.set_viewport_size({"width": 390, "height": 700})
    for _ in range(8):
        page.keyboard.press("ArrowDown")
        assert room_of_focus(page) >= 0
    page.get_by_role("button", name="One card at a time").click()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    for _ in range(22):
        page.keyboard.press("Shift+Tab")
        assert room_of_focus(page) >= 0


def test_a_card_that_was_taken_out_is_in_sight_although_it_glides(page):
    page.emulate_media(reduced_motion="no-preference")
    cards = [("Ada Bell", f"Ada Bell sang {i} songs.", "") for i in range(20)]
    open_cards(page, make_cards(*cards))
    for key in ("End", "s", " "):
        page.keyboard.press(key)
    page.evaluate(COUNTED_MOVES)
    page.get_by_role("button", name="Take out").last.click()
    expect(at_cursor(page)).to_have_text("Ada Bell")
    assert page.evaluate("moves") > 0
    page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    assert room_of_focus(page) >= 0


def room_of_focus(page: Page) -> float:
    """Pixels to the head or the bar; 0 for what stands in them."""
    return page.evaluate(
        """() => {
          const focused = document.activeElement;
          if (focused === document.body || !focused.closest("main")) return 0;
          const [head, box, bar] = [document.querySelector(".work-head"), focused,
            document.querySelector("[data-part=bar]")].map((each) => each.getBoundingClientRect());
          return Math.min(box.top - head.bottom, bar.top - box.bottom);
        }"""
    )


def test_a_past_answer_offers_no_grip_to_drag_by(phone):
    campaign = make_cards()
    make_task(campaign, payload=campaign.tasks.get().payload)
    open_queue(phone, campaign)
    while phone.locator(".linking-task[data-open]").count():
        phone.keyboard.press("n")
    submit(phone)
    expect(phone.locator("[data-part=place]")).to_contain_text("0 of")
    phone.keyboard.press("g")
    expect(phone.locator(".card-grip").first).to_be_visible()
    phone.get_by_role("button", name="Menu").click()
    phone.get_by_role("button", name="My work", exact=True).click()
    phone.locator("dialog li button", has_text="Look at your answer").click()
    past = phone.locator(".is-past")
    expect(past.locator(".card").first).to_be_visible()
    assert past.locator(".card-grip").count() > 0
    assert past.locator(".card-grip:visible").count() == 0
    expect(past.locator(".card").first).to_have_css("cursor", "default")
    keep_screenshot(phone)
    phone.set_viewport_size({"width": 1280, "height": 800})
    columns = "task => getComputedStyle(task).gridTemplateColumns.split(' ').length"
    assert past.locator(".linking-task").evaluate(columns) == 1  # no menu comes beside the cards


def test_where_nothing_is_moved_no_room_is_kept_for_grips(phone):
    campaign = make_cards(CARDS[0], CARDS[3])  # of one name
    make_task(campaign, payload={"mentions": [
        {"id": "z", "name": "Ann", "sentence": "Ann slept.", "document_title": "A", "type": "PER"}
    ]})  # fmt: skip
    open_cards(phone, campaign)
    title = phone.locator(".card-title").first
    expect(title).not_to_have_css("padding-right", "0px")
    phone.keyboard.press("s")
    expect(phone.locator(".pile-head")).not_to_have_css("padding-right", "0px")
    submit(phone)
    expect(phone.locator("[data-task]")).to_contain_text("Ann slept.")
    phone.get_by_role("button", name="Menu").click()
    phone.get_by_role("button", name="My work", exact=True).click()
    phone.get_by_role("button", name="Look at your answer").click()
    for part in (title, phone.locator(".pile-head").first):
        expect(part).to_have_css("padding-right", "0px")


def test_the_name_of_a_pile_is_in_sight_above_the_first_of_its_cards(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    open_cards(page, make_cards(*harbour_cards(30)))
    for key in ("s", "s", "End", "Home"):
        page.keyboard.press(key)
    expect(page.locator("[data-card]").first).to_be_focused()
    name = page.locator(".pile-head").first
    assert name.bounding_box()["y"] >= page.locator(".work-head").bounding_box()["height"]
