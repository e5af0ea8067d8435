"""My work: every answer as it was given, and the last one corrected."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.actions import rejections, workers
from annotation.actions.tokens import campaign_link
from annotation.models import (
    Assignment,
    Correction,
    Document,
    Enrollment,
    Rejection,
    Response,
)
from tests.browser.accessible import violations
from tests.browser.each_interface import KINDS, Kind
from tests.browser.linking_page import make_cards, open_queue
from tests.browser.practice_page import go_on, look, practise
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import asks_before_leaving, tried_page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = {
    "entity": (1280, 800), "relation": (390, 844), "linking": (1280, 800), "choice": (390, 844),
}  # fmt: skip


@pytest.fixture
def page(browser, live_server) -> Iterator[Page]:
    with tried_page(browser, live_server.url) as page:
        page.clock.install()
        yield page


def open_mine(page: Page) -> None:
    if page.viewport_size["width"] < 640:
        page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="My work", exact=True).click()
    expect(page.get_by_role("dialog").get_by_role("listitem")).to_have_count(1)


def hand_in(page: Page) -> None:
    page.locator("[data-act=submit]").click()


def begin(page: Page, name: str) -> Kind:
    """Open a task and do as much of it as can be handed in."""
    kind = KINDS[name]
    kind.open(page, kind.make())
    first, second = kind.steps
    first(page)
    if name == "linking":
        second(page)
    return kind


@pytest.mark.parametrize("name", KINDS)
def test_an_answer_is_seen_as_it_was_given_and_corrected_once(page, name):
    kind = KINDS[name]
    width, height = SIZES[name]
    page.set_viewport_size({"width": width, "height": height})
    kind.open(page, kind.make())
    first, second = kind.steps
    first(page)
    if name == "linking":  # all cards are decided
        second(page)
    given = kind.done(page)
    hand_in(page)
    kind.expect_second(page)
    # As it was given: it can be read, and not be changed.
    open_mine(page)
    page.get_by_role("button", name="Look at your answer").click()
    expect(page.get_by_role("heading", name="Your answer")).to_be_focused()
    assert kind.done(page) == given
    expect(page.locator(".feedback")).to_contain_text("As you handed it in.")
    dead = ".is-past :is(.key, type-palette small, mark-menu, [data-press=note]), .entity-tools"
    expect(page.locator(dead).filter(visible=True)).to_have_count(0)
    bare = page.locator(".evidence:not(:has(.evidence-piece))")
    expect(bare.filter(visible=True)).to_have_count(0)  # a heading with nothing below
    expect(page.locator(".is-past")).not_to_contain_text("hands it in")
    for key in (*kind.keys[:-1], "n", "1", "Delete"):
        page.keyboard.press(key)
    assert kind.done(page) == given
    page.clock.resume()  # axe sets timers
    assert violations(page) == []
    keep_screenshot(page)
    # Corrected: it counts in the place of the first, and the task in hand is where it was.
    page.get_by_role("button", name="Correct this answer").click()
    expect(page.get_by_role("heading", name="Correct your answer")).to_be_visible()
    expect(page.locator(".feedback")).to_contain_text("Nothing of it is kept until you send it.")
    expect(page.locator("[data-task] :focus, [data-task]:focus")).to_have_count(1)  # keys work
    kind.expect_ready(page)
    assert kind.done(page) == given
    hand_in(page)  # what is the same does not spend the one correction
    message = page.locator("[data-part=message]")
    expect(message).to_contain_text("You have not changed anything yet.")
    expect(message.get_by_role("button", name="Leave it as it was")).to_be_visible()
    assert not asks_before_leaving(page)
    keep_screenshot(page)
    if name == "linking":
        page.keyboard.press("u")
        page.clock.run_for(520)  # the next card is read
        page.keyboard.press("n")
    else:
        second(page)
    assert kind.done(page) != given
    assert asks_before_leaving(page)  # a reload would lose it
    keep_screenshot(page)
    page.locator(".feedback").get_by_role("button", name="Leave it as it was").click()
    expect(message).to_contain_text("Your changes would be lost.")
    expect(page.locator("[data-act=finish]")).to_be_hidden()
    open_mine(page)
    page.get_by_role("button", name="Look at your answer").first.click()
    expect(message).to_contain_text("Send your correction first")
    assert kind.done(page) != given
    send = page.locator("[data-act=submit]")
    expect(send).to_contain_text("Send the correction")
    send.click()
    expect(page.locator("[data-part=message]")).to_have_text("Your correction counts from now on.")
    assert not asks_before_leaving(page)
    kind.expect_second(page)
    response = Response.objects.get()
    assert Correction.objects.get().response == response
    assert response.correction.answer != response.answer
    open_mine(page)
    expect(page.get_by_role("dialog")).to_contain_text("corrected")
    expect(page.get_by_role("button", name="Correct it")).to_have_count(0)


@pytest.mark.parametrize("name", KINDS)
def test_esc_leads_from_an_answer_back_to_my_work_and_then_to_the_task(page, name):
    kind = begin(page, name)
    hand_in(page)
    kind.expect_second(page)
    open_mine(page)
    look = page.get_by_role("button", name="Look at your answer")
    for leave in ("Escape", "Enter"):
        look.click()
        expect(page.get_by_role("heading", name="Your answer")).to_be_focused()
        page.clock.run_for(900)  # what is pressed sooner was meant for what stood there before
        page.keyboard.press("?")
        page.keyboard.press("Escape")  # of the help
        expect(page.get_by_role("heading", name="Your answer")).to_be_visible()
        page.keyboard.press(leave)
        expect(page.get_by_role("dialog", name="My work").get_by_role("listitem")).to_have_count(1)
        expect(look).to_be_focused()  # also of a long list one is where one was
    keep_screenshot(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    kind.expect_second(page)
    expect(page.locator("[data-task] :focus, [data-task]:focus")).to_have_count(1)


def test_a_rejection_is_told_once_where_the_worker_comes_back(page):
    kind = begin(page, "entity")
    hand_in(page)
    kind.expect_second(page)
    rejections.reject(Assignment.objects.get(state="submitted"), "One name is missing.")
    page.reload()
    message = page.locator("[data-part=message]")
    expect(message).to_contain_text("An answer of yours was rejected.")
    keep_screenshot(page)
    message.get_by_role("button", name="See why in My work").click()
    expect(page.get_by_role("dialog")).to_contain_text("One name is missing.")
    with page.expect_response("**/bundles/later*") as later:  # it would tell it
        page.reload()
    kind.expect_second(page)
    page.evaluate("address => import(address)", later.value.url)
    expect(message).to_be_empty()
    # Where there is no task, too.
    Rejection.objects.update(at=timezone.now())
    Assignment.objects.filter(state="leased").update(state="expired")
    workers.set_state(Enrollment.objects.get(), "paused", "Please read the second step again.")
    page.reload()
    notice = page.locator("[data-part=notice]")
    expect(notice).to_contain_text("An answer of yours was rejected.")
    keep_screenshot(page)


PARTS = {"entity": "“Ada”", "linking": "“Baltimore City”"}  # what can be doubted by itself


@pytest.mark.parametrize("name", KINDS)
def test_what_was_unsure_is_seen_again_and_stays_in_a_correction(page, name):
    kind = begin(page, name)
    page.keyboard.press("&")
    page.get_by_label("Why are you unsure? (optional)").fill("It may be a ship.")
    hand_in(page)
    kind.expect_second(page)
    (doubt,) = Response.objects.get().answer["doubts"]
    open_mine(page)
    page.get_by_role("button", name="Look at your answer").click()
    panel = page.locator(".feedback")
    expect(panel).to_contain_text("You marked as unsure:")
    said = f"{PARTS.get(name, 'The whole answer')}: It may be a ship."
    expect(panel.get_by_role("listitem")).to_have_text(said)
    if name == "entity":
        expect(page.locator(".is-past .mention.unsure")).to_have_text("Ada")
    for frame in page.locator(".is-past :is(.caret, .mention.chosen)").all():
        expect(frame).to_have_css("outline-style", "none")  # nobody is there to mark anything
        expect(frame).to_have_css("box-shadow", "none")
    grounds = "cards => new Set(cards.map((card) => getComputedStyle(card).backgroundColor)).size"
    assert page.locator(".is-past .card").evaluate_all(grounds) == (name == "linking")
    keep_screenshot(page)
    page.get_by_role("button", name="Correct this answer").click()
    expect(page.get_by_role("heading", name="Correct your answer")).to_be_visible()
    kind.expect_ready(page)
    expect(panel.get_by_role("listitem")).to_have_text(said)
    unsure = page.locator("[data-act=doubt]")
    expect(unsure).to_have_attribute("aria-pressed", "true")
    keep_screenshot(page)
    if name == "linking":
        page.keyboard.press("u")
        page.clock.run_for(520)  # the next card is read
        page.keyboard.press("n")
    else:
        kind.steps[1](page)
    page.locator("[data-act=submit]").click()
    expect(page.locator("[data-part=message]")).to_have_text("Your correction counts from now on.")
    assert Correction.objects.get().answer["doubts"] == [doubt]


def test_on_a_phone_doubts_stand_behind_the_words_about_them(page):
    page.set_viewport_size({"width": 390, "height": 844})
    kind = KINDS["entity"]
    kind.open(page, kind.make())
    kind.steps[0](page)
    page.keyboard.press("&")
    page.get_by_label("Why are you unsure? (optional)").fill("It may be a ship.")
    hand_in(page)
    kind.expect_second(page)
    open_mine(page)
    page.get_by_role("button", name="Correct it").click()
    kind.expect_ready(page)
    doubts = page.locator(".feedback-doubts")
    words, listed = doubts.locator("p").bounding_box(), doubts.locator("li").bounding_box()
    assert words is not None
    assert listed is not None
    assert (words["y"], words["x"]) < (listed["y"], listed["x"])
    out = page.get_by_role("button", name="Leave it as it was").bounding_box()
    assert out is not None
    assert out["x"] + out["width"] <= 390 - 12  # px: not at the window's edge
    keep_screenshot(page)


@pytest.mark.parametrize("language", ["en", "ar"])
def test_on_a_phone_an_answer_has_no_types_to_press_and_its_button_keeps_off_the_edge(
    page, language
):
    page.set_viewport_size({"width": 390, "height": 844})
    kind = KINDS["entity"]
    page.goto(f"/join/{campaign_link(kind.make())}/?language={language}")
    kind.expect_ready(page)
    kind.steps[0](page)
    strip = page.locator(".entity-strip")
    expect(strip).to_be_visible()
    hand_in(page)
    kind.expect_second(page)
    page.locator("[data-part=menu]").click()
    page.locator("[data-part=my-work]").click()
    page.get_by_role("dialog").get_by_role("listitem").get_by_role("button").first.click()
    correct = page.locator(".feedback button")
    box = correct.bounding_box()
    assert box is not None
    assert 12 <= box["x"] <= 390 - 12 - box["width"]  # px
    expect(strip).to_be_hidden()
    correct.click()
    expect(strip).to_be_visible()


@pytest.mark.parametrize("name", KINDS)
def test_on_a_phone_what_is_said_of_a_correction_has_room(page, name):
    page.set_viewport_size({"width": 390, "height": 844})
    kind = begin(page, name)
    hand_in(page)
    kind.expect_second(page)
    open_mine(page)
    page.get_by_role("button", name="Correct it").click()
    kind.expect_ready(page)
    told, out = page.locator(".feedback p").first, page.locator(".feedback button")
    panel, task = page.locator(".feedback"), page.locator("[data-task] > div > *")
    below = told.bounding_box()["y"] - max(
        one.bounding_box()["y"] + one.bounding_box()["height"]
        for one in (out, page.locator(".feedback h2"))
    )
    assert below >= 8
    end = panel.bounding_box()["y"] + panel.bounding_box()["height"]
    tops = "all => Math.min(...all.map((one) => one.getBoundingClientRect().top).filter(Boolean))"
    judged = task.locator("visible=true").locator(".choice-stimulus, :scope:not(.choice-task)")
    assert judged.evaluate_all(tops) - end >= 12
    keep_screenshot(page)


def test_what_was_unsure_in_practice_stands_below_what_was_right(page):
    look(page, {"width": 1280, "height": 800}, "light")
    kind = KINDS["choice"]
    kind.open(page, practise(kind.make(), {"choice": "Blue"}, {"choice": "Green"}))
    kind.steps[0](page)
    page.keyboard.press("&")
    page.get_by_label("Why are you unsure? (optional)").fill("It may be a ship.")
    hand_in(page)
    expect(page.locator("#feedback-title")).to_have_text("Right")
    expect(page.locator(".feedback details")).to_have_count(0)  # of one thing there is no count
    go_on(page)
    kind.expect_second(page)
    open_mine(page)
    page.get_by_role("button", name="Look at it again").click()
    panel = page.locator(".feedback")
    expect(panel).to_contain_text("The whole answer: It may be a ship.")
    expect(panel.get_by_role("heading", name="Right")).to_be_visible()


def test_a_correction_says_what_it_pays_and_what_enter_does(page):
    campaign = make_cards(pay_mills=300, budget_mills=1_000)
    page.goto(f"/join/{campaign_link(campaign)}/")
    expect(page.locator(".queue-card")).to_be_focused()
    for key in "sn":
        page.keyboard.press(key)
    page.get_by_role("button", name="Submit early").click()
    anyway = page.get_by_role("button", name="Submit anyway")
    expect(anyway).to_be_visible()
    page.clock.run_for(900)
    anyway.click()
    expect(page.locator("[data-part=notice-title]")).to_be_visible()
    open_mine(page)
    page.get_by_role("button", name="Correct it").click()
    expect(page.locator(".feedback")).to_contain_text(
        "Your pay stays at $0.15, whatever you change."
    )
    button = page.locator("[data-act=submit]")
    expect(button).to_contain_text("Next undecided")  # the first card is decided
    expect(page.get_by_role("button", name="Submit early")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("n")
    # What is asked before has the button's own name, and the end page confirms what was sent.
    page.locator(".linking-tools").get_by_role("button", name="Send the correction").click()
    send = page.locator("[data-part=message]").get_by_role("button", name="Send the correction")
    expect(send).to_be_visible()
    expect(page.locator("[data-part=message]")).not_to_contain_text("$")  # it changes no pay
    keep_screenshot(page)
    page.clock.run_for(900)
    send.click()
    expect(page.locator("[data-part=notice-text]")).to_contain_text(
        "Your correction counts from now on."
    )
    keep_screenshot(page)
    assert Correction.objects.exists()


@pytest.mark.parametrize(
    ("title", "text", "called"),
    [
        ("To the editor", "The sky.", "To the editor"),
        ("", "The ferry  " * 9, "The ferry The ferry The ferry The ferry The ferry The…"),
        ("", "", r"Task \w+"),
    ],
    ids=["title", "text", "neither"],
)
def test_a_task_is_called_by_its_title_or_first_words_and_else_by_its_number(
    page, title, text, called
):
    kind = KINDS["choice"]
    kind.open(page, kind.make())
    first, _ = kind.steps
    first(page)
    hand_in(page)
    kind.expect_second(page)
    Document.objects.update(title=title, text=text)
    open_mine(page)
    name = page.get_by_role("dialog").locator(".my-work-task")
    expect(name).to_have_text(re.compile(f"^{called}$"))


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_what_was_handed_in_early_says_how_many_cards_were_decided(page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    campaign = make_cards(pay_mills=600, budget_mills=6_000)
    open_queue(page, campaign)
    page.keyboard.press("n")
    page.keyboard.press("Control+Enter")
    page.clock.run_for(1_000)  # what is pressed earlier is no answer to the question
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="All done for now")).to_be_visible()
    open_mine(page)
    words = "1 of 6 decided when you handed it in, for 17% of the pay"
    expect(page.get_by_role("dialog").get_by_role("listitem")).to_contain_text(words)
    keep_screenshot(page)
    page.get_by_role("button", name="Correct it").click()
    expect(page.locator("[data-part=feedback-text]")).to_contain_text(f"{words}.")
    keep_screenshot(page)
