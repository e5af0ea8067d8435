"""The instructions beside a task, a sheet on a phone: they hide nothing of it, nor end it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.actions.campaigns import set_instructions
from annotation.models import Campaign
from tests.browser.accessible import violations
from tests.browser.each_interface import KINDS
from tests.browser.entity_page import expect_all_done, make_story, message, sent, submit, token
from tests.browser.practice_page import LAPTOP, PHONE
from tests.browser.relation_page import make_pairs, relations_of, to_verify
from tests.browser.screenshots import keep_screenshot
from tests.browser.test_entity_reading import LINE, WORDS, unread
from tests.browser.work_frame import button, link_to

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "\n\n".join(["Mark every name of a person, and no title."] * 30)
# Scrolled to its end, how far down the last of the task reaches.
LAST = """() => {
  scrollTo(0, document.documentElement.scrollHeight);
  const ends = [...document.querySelectorAll("[data-task] *")].filter((one) =>
    one.checkVisibility() && getComputedStyle(one).position !== "fixed");
  return Math.max(...ends.map((one) => one.getBoundingClientRect().bottom));
}"""


def told(campaign: Campaign, text: str = LONG) -> Campaign:
    set_instructions(campaign, text)
    return campaign


def start(page: Page, campaign: Campaign) -> None:
    """They open by themselves on a first visit, after the first page."""
    page.goto(link_to(campaign))
    button(page, "Go on").click()
    button(page, "Start").click()


def beside(page: Page) -> Locator:
    return page.get_by_role("complementary", name="Instructions")


def open_beside(page: Page) -> None:
    page.locator("[data-act=instructions]").click()
    expect(beside(page)).to_be_visible()


def box_of(place: Locator) -> tuple[float, float]:
    """Its upper and its lower edge."""
    box = place.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


def expect_names_in_sight(page: Page) -> None:
    for name in ("subject", "object"):
        expect(page.locator(f"[data-mention={name}]")).to_be_in_viewport(ratio=1)


def bar(page: Page) -> Locator:
    return page.locator("[data-part=bar]")


def test_lines_behind_the_sheet_are_not_read(phone):
    phone.clock.install()
    campaign = told(make_story("\n".join(LINE.format(day) for day in range(1, 61))))
    start(phone, campaign)
    expect(token(phone, 0)).to_be_visible()
    phone.clock.run_for(3_000)
    open_beside(phone)
    phone.evaluate("scrollTo(0, 300)")
    phone.clock.run_for(3_000)
    expect(phone.get_by_text("More below")).to_be_visible()
    keep_screenshot(phone)
    assert box_of(phone.get_by_text("More below"))[0] >= box_of(bar(phone))[0]
    submit(phone)
    ((first, _),) = unread(phone)
    above, below = box_of(token(phone, (first - 1) * WORDS))
    assert box_of(beside(phone))[0] < above < below < box_of(bar(phone))[0] - 50
    phone.get_by_role("button", name="Read on").click()
    assert box_of(phone.locator(".caret"))[1] < box_of(beside(phone))[0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_all_of_a_task_can_be_scrolled_above_the_sheet(phone, kind, scheme):
    phone.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    start(phone, told(KINDS[kind].make()))
    expect(phone.locator(KINDS[kind].ready).first).to_be_visible()
    open_beside(phone)
    keep_screenshot(phone)
    last = phone.evaluate(LAST)
    keep_screenshot(phone)
    top, end = box_of(beside(phone))
    assert last <= top
    assert abs(end - box_of(bar(phone))[0]) < 1  # nothing of it is under the bar either
    beside(phone).get_by_text("Mark every name").last.scroll_into_view_if_needed()
    assert box_of(beside(phone).get_by_text("Mark every name").last)[1] <= end


@pytest.mark.parametrize("height", [844, 640])
@pytest.mark.parametrize("many", [(), (25,)], ids=["few", "many"])
def test_each_answer_of_a_relation_can_be_pressed_beside_sheet_and_text(phone, many, height):
    phone.set_viewport_size({"width": 390, "height": height})
    schema = {"schema": relations_of(*many)} if many else {}
    start(phone, told(make_pairs(**schema)))
    expect(phone.locator("token-text")).to_be_visible()
    open_beside(phone)
    answers = phone.get_by_role("radio")
    for number in range(answers.count()):
        answers.nth(number).tap()
        expect(answers.nth(number)).to_be_checked()
        assert box_of(answers.nth(number))[1] <= box_of(beside(phone))[0]
        expect_names_in_sight(phone)  # the text stays
    keep_screenshot(phone)


@pytest.mark.parametrize("size", [PHONE, {"width": 640, "height": 400}], ids=["phone", "low"])
def test_what_is_said_hides_nothing_of_the_sheet(phone, size):
    phone.set_viewport_size(size)
    start(phone, told(KINDS["relation"].make(), "Read the text first."))
    expect(phone.locator("token-text")).to_be_visible()
    submit(phone)
    open_beside(phone)
    expect(message(phone)).to_be_in_viewport(ratio=1)
    keep_screenshot(phone)
    assert abs(box_of(beside(phone))[1] - box_of(message(phone))[0]) < 2
    assert box_of(beside(phone).get_by_text("Read the text"))[1] <= box_of(beside(phone))[1]


def test_the_sheet_closes_as_the_task_goes_and_stands_at_the_edge_where_there_is_none(phone):
    phone.clock.install()
    start(phone, told(make_story()))
    expect(token(phone, 0)).to_be_visible()
    open_beside(phone)
    submit(phone)
    phone.clock.run_for(900)  # two quick presses are one
    button(phone, "Submit anyway").click()
    expect_all_done(phone)
    expect(beside(phone)).to_be_hidden()
    expect(phone.locator("[data-act=instructions]")).to_have_attribute("aria-pressed", "false")
    open_beside(phone)  # they can be read here too
    assert box_of(beside(phone))[1] == PHONE["height"]
    keep_screenshot(phone)
    phone.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert box_of(phone.locator("[data-part=notice]"))[1] <= box_of(beside(phone))[0]
    phone.clock.resume()  # axe sets timers
    assert violations(phone) == []


TURNS = {
    "phone": (PHONE, {"width": 844, "height": 390}),
    "tablet": ({"width": 1024, "height": 1366}, {"width": 1366, "height": 1024}),
}
# Into the midst of the ninth paragraph.
READ_ON = """aside => new Promise((done) => {
  aside.addEventListener("scroll", () => requestAnimationFrame(done), { once: true });
  const { bottom } = aside.querySelector("header").getBoundingClientRect();
  const { top, height } = aside.querySelectorAll("p")[8].getBoundingClientRect();
  aside.scrollTop += top + height / 2 - bottom;
})"""
# Which paragraph stands uppermost in what scrolls there.
UPPERMOST = """aside => {
  const { bottom } = aside.querySelector("header").getBoundingClientRect();
  const isSeen = (one) => one.getBoundingClientRect().bottom > bottom + 4;
  return [...aside.querySelectorAll("p")].findIndex(isSeen);
}"""


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("kind", KINDS)
def test_who_turns_the_device_reads_on(phone, kind, turn):
    upright, on_its_side = TURNS[turn]
    phone.set_viewport_size(upright)
    line = "{}. Mark every name of a person, and no title. "
    text = "\n\n".join(line.format(i) * 3 for i in range(20))
    start(phone, told(KINDS[kind].make(), text))
    expect(bar(phone)).to_be_visible()
    phone.get_by_role("button", name="Menu").click()
    open_beside(phone)
    beside(phone).evaluate(READ_ON)
    before = beside(phone).evaluate(UPPERMOST)
    assert before == 8
    for size in (on_its_side, upright):
        phone.set_viewport_size(size)
        phone.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        expect(beside(phone)).to_be_visible()
        expect(phone.locator("[data-act=instructions]")).to_have_attribute("aria-pressed", "true")
        keep_screenshot(phone)
        assert beside(phone).evaluate(UPPERMOST) == before


def test_many_relations_leave_the_text_half_of_the_room_beside_them(page):
    page.set_viewport_size(LAPTOP)
    start(page, told(make_pairs(schema=relations_of(25))))
    expect(page.locator("token-text")).to_be_focused()
    page.keyboard.press("i")
    expect(beside(page)).to_be_visible()
    text, filters = (page.locator(one).bounding_box() for one in (".passage", ".relation-filter"))
    assert abs(text["width"] - filters["width"]) < 1
    expect_names_in_sight(page)


def test_rows_of_a_claim_keep_their_width_for_their_words_beside_them(page):
    page.set_viewport_size(LAPTOP)
    start(page, told(make_pairs(to_verify())))
    expect(page.locator("token-text")).to_be_focused()
    page.keyboard.press("i")
    expect(beside(page)).to_be_visible()
    keep_screenshot(page)
    page.keyboard.press("n")
    expect(page.locator(".claim .verdicts").first).to_be_visible()
    row, words = (page.locator(one).last.bounding_box() for one in (".claim", ".claim-words"))
    assert words["width"] > row["width"] - 2
    keep_screenshot(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_beside_the_text_one_works_on_by_keys_and_who_reads_hands_nothing_in(page, scheme):
    page.set_viewport_size(LAPTOP)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    campaign = told(make_story())
    start(page, campaign)
    expect(page.locator("token-text")).to_be_focused()
    page.keyboard.press("i")
    expect(beside(page)).to_be_visible()
    expect(page.locator("token-text")).to_be_focused()
    expect(page.locator("[data-part=live]")).to_have_text("Instructions beside the text")
    assert abs(box_of(beside(page))[1] - box_of(bar(page))[0]) < 1
    keep_screenshot(page)
    page.keyboard.press("p")  # a key of the text, as before
    expect(page.locator("mark.mention")).to_have_text("Ada")
    page.keyboard.press("Escape")  # the name that was marked is let go first
    page.keyboard.press("i")
    expect(beside(page)).to_be_hidden()
    expect(page.locator("token-text")).to_be_focused()
    # Who comes from the button reads first, and Enter is of no task then.
    instructions = page.locator("[data-act=instructions]")
    instructions.focus()
    page.keyboard.press("Enter")
    expect(beside(page).get_by_role("heading", name="Instructions")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(beside(page).get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Enter")  # of the button, as ever
    expect(beside(page)).to_be_hidden()
    expect(instructions).to_be_focused()
    expect(page.locator("mark.mention")).to_have_text("Ada")
    assert sent(campaign) == []
