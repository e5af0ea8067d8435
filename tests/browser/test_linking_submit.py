"""From card to card up to the submit: what is left for later, what is asked, what is doubted."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from annotation.models import Payment, Response
from tests.browser.entity_page import expect_all_done, message, sent, submit
from tests.browser.late_parts import expect_part, held_back
from tests.browser.linking_page import NAMESAKES, asked, make_cards, open_cards, open_queue
from tests.browser.page_time import stop_clock
from tests.browser.practice_page import LAPTOP
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import tried_page
from tests.factories import make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_card_is_left_for_later_with_a_word_and_submit_stands_out_when_all_is_decided(page):
    open_queue(page, make_cards(*NAMESAKES))
    button = page.locator("[data-act=submit]")
    expect(button).to_have_text(re.compile("^Later"))
    expect(button).to_have_attribute("title", "Leave this card for later")
    expect(button).to_have_css("font-weight", "500")  # quiet
    page.keyboard.press("Enter")
    expect(message(page)).to_have_text("Left for later: 1 card")
    # Who only looks leaves nothing, and what was said of a card goes with it.
    page.keyboard.press("ArrowRight")
    expect(message(page)).to_be_empty()
    expect(page.locator(".queue-cell.is-later")).to_have_count(1)
    page.keyboard.press("n")
    expect(message(page)).to_contain_text("put on a new pile")
    page.get_by_role("button", name="Previous").click()
    expect(message(page)).to_be_empty()
    page.keyboard.press("Home")
    for _ in range(4):
        page.keyboard.press("n")
    expect(button).to_have_text(re.compile("^Submit"))
    expect(button).to_have_css("font-weight", "600")


def test_later_and_next_stand_where_they_mean_something(page):
    open_queue(page, make_cards(*NAMESAKES))
    button, after = page.locator("[data-act=submit]"), page.locator("[data-queue=next]")
    # Beside an undecided neighbour both lead to it.
    expect(button).to_have_text(re.compile("^Later"))
    expect(after).to_be_hidden()
    back = page.locator("[data-queue=back]")
    page.keyboard.press("ArrowRight")
    place = back.bounding_box()
    page.keyboard.press("n")  # the second card
    page.keyboard.press("Home")
    expect(button).to_have_text(re.compile("^Later"))
    expect(after).to_be_visible()  # to the second, which Enter leaves out
    after.click()
    expect(page.locator(".queue-card")).to_be_focused()
    # What is decided has no later, and the third card is Enter's.
    expect(button).to_have_text(re.compile("^Next undecided"))
    expect(button).to_have_attribute("title", "Go to the next undecided card")
    expect(after).to_be_hidden()
    assert back.bounding_box() == place  # whatever stands beside it
    page.keyboard.press("Enter")
    expect(message(page)).to_be_empty()
    expect(page.locator(".queue-cell.is-later")).to_have_count(0)
    for _ in range(3):
        page.keyboard.press("n")
    # The first is left, and Enter asks what it would do.
    expect(page.locator(".queue-place")).to_contain_text("Card 1 of 5")
    expect(button).to_have_text(re.compile("^Submit early"))
    expect(page.locator(".linking-tools button", has_text="Submit early")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(asked(page)).to_contain_text("1 of 5 cards is still undecided")


def test_what_is_asked_before_an_early_submit_covers_no_card_and_keeps_the_focus(page):
    page.set_viewport_size(LAPTOP)
    open_queue(page, make_cards(*NAMESAKES))
    press = page.keyboard.press
    press("s")
    large = page.locator(".queue-card")
    before = large.bounding_box()
    press("Control+Enter")
    back = page.get_by_role("button", name="Go on deciding")
    expect(back).to_be_focused()
    expect(back.locator(".key")).to_have_text("Esc")
    expect(page.get_by_role("button", name="Submit anyway").locator(".key")).to_have_text(
        "Ctrl Enter"
    )
    expect(page.locator("[data-part=live]")).to_contain_text("3 of 5 cards are still undecided")
    assert large.bounding_box() == before
    assert before["y"] + before["height"] < asked(page).bounding_box()["y"]
    # Escape closes it; then it is asked anew, however soon.
    press("Escape")
    expect(asked(page)).to_have_count(0)
    expect(large).to_be_focused()
    press("Control+Enter")
    expect(back).to_be_focused()
    # A decision is as good an answer, and what else is said takes nobody's focus away.
    press("n")
    expect(large).to_be_focused()
    for _ in range(2):
        press("Control+z")
    press("Control+Enter")
    expect(back).to_be_focused()
    press("Control+z")
    expect(message(page)).to_have_text("There is nothing to undo.")
    expect(large).to_be_focused()
    # From a card that is decided it leads to one that is not.
    press("n")
    press("Home")
    page.get_by_role("button", name="Submit early").click()
    back.click()
    expect(page.locator(".queue-place")).to_contain_text("Card 2 of 5")
    expect(large).to_be_focused()
    # Among all piles it is the same.
    press("g")
    press("Control+Enter")
    expect(back).to_be_focused()
    press("Escape")
    expect(page.locator("[data-card]:focus")).to_have_count(1)


def test_who_submits_early_before_the_question_is_there_is_asked_then(page):
    campaign = make_cards(*NAMESAKES)
    with held_back(page, "linking-keys"):
        open_queue(page, campaign)
        page.keyboard.press("Control+Enter")
        page.keyboard.press("Escape")  # takes the wish back
        page.keyboard.press("Control+Enter")
    expect(page.get_by_role("button", name="Go on deciding")).to_be_focused()
    expect(asked(page)).to_contain_text("5 of 5 cards are still undecided")


def test_what_is_decided_before_the_question_is_there_is_not_sent(page):
    campaign = make_cards(*NAMESAKES)
    with held_back(page, "linking-keys"):
        open_queue(page, campaign)
        page.get_by_role("button", name="Submit early").click()
        page.get_by_role("button", name="New pile").click()
    expect_part(page, "linking-keys")
    expect(message(page)).to_contain_text("put on a new pile")
    expect(asked(page)).to_have_count(0)
    assert sent(campaign) == []


def test_an_early_answer_is_not_kept_back_by_a_question_that_can_not_be_loaded(
    browser, live_server
):
    campaign = make_cards(*NAMESAKES)
    with tried_page(browser, live_server.url) as page:
        page.clock.install()
        page.context.route("**/bundles/linking-keys*", lambda route: route.abort())
        open_queue(page, campaign)
        page.keyboard.press("n")
        page.keyboard.press("Control+Enter")
        expect(message(page)).to_contain_text("can’t be loaded")
        assert sent(campaign) == []
        page.clock.run_for(900)
        page.keyboard.press("Control+Enter")
        expect_all_done(page)
    assert sent(campaign)[0]["undecided"] == ["m1", "m2", "m3", "m4"]


def test_handed_in_early_the_share_is_paid(page):
    page.clock.install()
    campaign = make_cards(pay_mills=100, budget_mills=1_000)
    open_queue(page, campaign)
    stop_clock(page)
    page.keyboard.press("s")
    page.keyboard.down("Control")
    page.keyboard.down("Enter")
    page.keyboard.up("Control")
    expect(asked(page)).to_contain_text("4 of 6 cards are still undecided")
    back = page.get_by_role("button", name="Go on deciding")
    expect(back).to_be_focused()
    # A key that is held, and a quick second press or click, are no answer.
    for _ in range(3):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Submit anyway").click()
    page.keyboard.press("Shift+Tab")
    page.clock.run_for(900)
    page.keyboard.down("Enter")
    page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(asked(page)).to_have_count(0)  # what is pressed anew is
    page.keyboard.press("Control+Enter")
    expect(back).to_be_focused()
    page.clock.run_for(900)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Submit anyway")).to_be_focused()
    page.keyboard.press("Enter")
    expect_all_done(page)
    assert sent(campaign) == [
        {
            "clusters": [{"link": None, "mentions": ["m0", "m2"]}],
            "unsure": [],
            "undecided": ["m1", "m3", "m4", "m5"],
        }
    ]
    assert list(Payment.objects.values_list("mills", flat=True)) == [34]
    campaign.refresh_from_db()
    allowances = sum(campaign.enrollments.values_list("allowance_mills", flat=True))
    assert campaign.committed_mills - allowances == 34
    # Looked at again, nothing is marked as what a key would choose.
    page.get_by_role("button", name="My work", exact=True).click()
    page.get_by_role("button", name="Look at your answer").click()
    expect(page.locator(".is-past .card-undecided")).to_have_count(4)
    expect(page.locator(".pile-focused")).to_have_css("outline-style", "none")


def test_nothing_moves_when_the_last_card_is_decided_and_submit_early_goes(page):
    page.set_viewport_size(LAPTOP)
    open_queue(page, make_cards(*NAMESAKES))
    top = page.locator(".queue-card").bounding_box()["y"]
    for _ in NAMESAKES:
        page.keyboard.press("n")
    expect(message(page)).to_contain_text("All cards are decided.")
    expect(page.get_by_role("button", name="Submit early")).to_be_hidden()
    assert page.locator(".queue-card").bounding_box()["y"] == top
    expect(page.locator(".queue-state")).to_contain_text("It lies on a pile of its own.")
    expect(page.get_by_text("No pile has a similar name.")).to_be_hidden()


@pytest.mark.parametrize("way_in", [open_queue, open_cards])
def test_two_piles_of_one_name_are_asked_about_once_and_block_nothing(page, way_in):
    sentence = "The Netherlands agreed."
    campaign = make_cards(*[("Netherlands", sentence, f"Letter {i}") for i in range(3)])
    way_in(page, campaign)
    for key in "nnn":
        page.keyboard.press(key)
    expect(message(page)).to_contain_text(
        "All cards are decided. Several piles have the name “Netherlands”. "
        "Are they the same person or thing?"
    )
    expect(message(page).get_by_role("button", name="Side by side")).to_contain_text("=")
    keep_screenshot(page)
    dialog = page.get_by_role("dialog")
    if way_in is open_cards:  # who decides nothing is back at the card where they were
        page.keyboard.press("End")
        here = page.locator("card-board [role=option]:focus").text_content()
        page.keyboard.press("=")
        expect(dialog.locator(".side-by-side-pile")).to_have_count(2)
        page.keyboard.press("Escape")
        expect(page.locator("card-board [role=option]:focus")).to_have_text(here)
    page.keyboard.press("=")
    expect(dialog.locator(".side-by-side-pile")).to_have_count(2)
    page.keyboard.press("s")
    expect(message(page)).to_contain_text("“Netherlands” added to “Netherlands”")
    expect(message(page)).not_to_contain_text("Several")  # two are left, and it was said
    page.keyboard.press("Enter")
    expect_all_done(page)
    assert sorted(len(each["mentions"]) for each in sent(campaign)[0]["clusters"]) == [1, 2]


@pytest.mark.parametrize(("key", "there"), [("Enter", "Task 2"), ("&", "is marked as unsure.")])
def test_piles_of_one_name_are_not_asked_about_too_late(page, key, there):
    """What is said then is of another task, or would take a note away."""
    campaign = make_cards(*[("Netherlands", "They agreed.", f"Letter {i}") for i in range(2)])
    make_task(campaign, payload=campaign.tasks.get().payload)
    with held_back(page, "linking-keys"):
        open_queue(page, campaign)
        for each in ("n", "n", key):
            page.keyboard.press(each)
        expect(page.get_by_text(there).first).to_be_attached()
    expect_part(page, "linking-keys")
    expect(message(page)).not_to_contain_text("Several")


def test_two_doubted_piles_that_are_joined_are_one_doubt(page):
    campaign = make_cards(*NAMESAKES)
    open_queue(page, campaign)
    unsure = page.locator("[data-act=doubt]")
    for number, why in enumerate(("An heir?", "A pilot?"), start=1):
        page.keyboard.press("n")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("&")
        page.get_by_label("Why are you unsure? (optional)").fill(why)
        page.keyboard.press("Enter")
        expect(unsure).to_have_attribute("data-parts", str(number))
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    page.locator(".queue-row").filter(has_text="1 card").first.click()
    expect(unsure).to_have_attribute("data-parts", "1")
    page.keyboard.press("Control+z")
    expect(unsure).to_have_attribute("data-parts", "2")
    page.keyboard.press("Control+Shift+z")
    for _ in range(3):
        page.keyboard.press("n")
    submit(page)
    expect_all_done(page)
    (doubt,) = Response.objects.get().answer["doubts"]
    assert doubt["note"] == "An heir? · A pilot?"


CONTROLS = (
    ".linking-task button:not(.queue-finished *):visible, .linking-task summary:visible, "
    "[data-part=bar] button:visible"
)


@pytest.mark.parametrize("view", ["queue", "board"])
def test_no_control_loses_the_focus_and_each_says_its_key(page, view):
    """With Enter on each control, one after the other; Escape closes what it opened."""
    page.set_viewport_size({"width": 1280, "height": 1000})
    open_queue(page, make_cards(*NAMESAKES))
    for key in "snn":
        page.keyboard.press(key)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    if view == "board":
        page.keyboard.press("g")
        expect(page.locator("[data-card]:focus")).to_have_count(1)
    controls = page.locator(CONTROLS)
    lost, keyless, number = [], [], 0
    while number < controls.count():  # which is another after some of them
        control = controls.nth(number)
        number += 1
        name = control.inner_text()
        if not control.locator(".key").all_inner_texts() > [""]:
            keyless.append(name)
        if name.startswith("Submit\n"):
            continue
        control.focus(timeout=5_000)
        page.keyboard.press("Enter")
        page.wait_for_timeout(100)
        page.keyboard.press("Escape")
        page.wait_for_timeout(100)
        if page.evaluate("document.activeElement === document.body"):
            lost.append(name)
        if page.locator(".linking-task").get_attribute("data-view") != view:
            page.keyboard.press("g")
    assert number > 10
    assert lost == []
    assert [name for name in keyless if "inished" not in name] == []  # Tab leads there
