"""The half-minute on the first page: the first practice task to play with; nothing is kept."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.actions.tokens import campaign_link
from annotation.models import Assignment, Campaign, Worker
from tests.browser import choice_page, linking_page, relation_page
from tests.browser.accessible import violations
from tests.browser.entity_page import drag, expect_mentions, make_story
from tests.browser.late_parts import held_back
from tests.browser.practice_page import LAPTOP, PHONE, fits, known_of, practise
from tests.browser.relation_page import ALL_TRUE
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import button, tried_page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def coach(page: Page) -> Locator:
    return page.locator("[data-part=feedback-text] p")


def try_it(page: Page, campaign: Campaign) -> None:
    page.goto(f"/join/{campaign_link(campaign)}/")
    button(page, "Try it yourself").click()
    expect(page.get_by_role("heading", name="Try it: half a minute").first).to_be_visible()


def go_on(page: Page) -> None:
    """What is pressed in the first moments was meant for what stood there before."""
    page.clock.install()
    page.clock.run_for(5_000)
    button(page, "Go on").click()


def looks_right(page: Page) -> None:
    keep_screenshot(page)
    assert violations(page) == []
    assert fits(page)


def expect_nothing_kept() -> None:
    assert not Worker.objects.exists()
    assert not Assignment.objects.exists()


@pytest.fixture
def story():
    text = "Ada Lovelace met Charles in London . Then she went home . Nobody knows why ."
    return practise(make_story(text), known_of((0, 2, "PER"), (3, 4, "PER")))


def test_names_are_marked_as_the_coach_says(browser, live_server, story):
    with tried_page(browser, live_server.url, viewport=LAPTOP) as page:
        try_it(page, story)
        expect(coach(page)).to_have_text("1 of 2 · Drag over “Ada Lovelace”, then press P for PER.")
        drag(page, 0, 0)
        page.keyboard.press("p")
        expect(coach(page)).to_contain_text("These are not exactly the right words yet. 1 of 2")
        button(page, "Begin again").click()
        drag(page, 0, 1)
        page.keyboard.press("l")
        expect(coach(page)).to_contain_text("The words are right, but not the type yet. 1 of 2")
        button(page, "Begin again").click()
        drag(page, 0, 1)
        page.keyboard.press("p")
        expect(coach(page)).to_contain_text("Well done. 2 of 2 · Drag over “Charles”")
        looks_right(page)
        page.keyboard.press("ArrowRight")  # the caret was left on the name
        page.keyboard.press("ArrowRight")
        page.keyboard.press("p")
        expect(coach(page)).to_contain_text("That is how the work goes.")
        expect_mentions(page, [("Ada Lovelace", "PER"), ("Charles", "PER")])
        expect(button(page, "Find a word")).to_be_visible()  # all that comes later is there
        expect(page.get_by_role("heading", name="Marked · 2")).to_be_visible()  # nothing moves now
        go_on(page)
        expect(page.get_by_role("heading", name="Before you begin")).to_be_focused()
        assert fits(page)
    expect_nothing_kept()


def test_a_step_is_taken_back_by_key_or_button(browser, live_server, story):
    cards = practise(linking_page.make_cards(*linking_page.NAMESAKES), {
        "clusters": [{"link": None, "mentions": ["m1", "m3"]}], "unsure": ["m0", "m2", "m4"],
    })  # fmt: skip
    choice = practise(
        choice_page.make_choices("A green one .", options={"choices": ["Red", "Green"]}),
        {"choice": "Green"},
    )
    with tried_page(browser, live_server.url, viewport=LAPTOP) as page:
        try_it(page, story)
        drag(page, 0, 1)
        page.keyboard.press("p")
        expect(coach(page)).to_contain_text("Well done. 2 of 2")
        page.keyboard.press("Control+z")
        expect(coach(page)).to_contain_text("1 of 2 · Drag over “Ada Lovelace”")
        expect_mentions(page, [])
        try_it(page, cards)
        page.keyboard.press("n")
        expect(coach(page)).to_contain_text("Not quite.")
        looks_right(page)
        button(page, "Undo").click()
        expect(coach(page)).to_contain_text("1 of 1")
        page.keyboard.press("s")
        expect(coach(page)).to_contain_text("Well done.")
        page.clock.install()
        try_it(page, choice)
        expect(coach(page)).to_contain_text("1 of 1")
        page.keyboard.press("2")
        expect(coach(page)).to_contain_text("Well done.")
        page.keyboard.press("Control+z")
        expect(coach(page)).to_contain_text("1 of 1")
    expect_nothing_kept()


def test_nobody_begins_to_work_while_the_half_minute_is_on_its_way(browser, live_server, story):
    with tried_page(browser, live_server.url, viewport=LAPTOP) as page:
        with held_back(page, "later"):
            page.goto(f"/join/{campaign_link(story)}/")
            button(page, "Try it yourself").click()
            button(page, "Start practice").click()
        expect(coach(page)).to_contain_text("1 of 2")
    expect_nothing_kept()


def test_who_goes_on_before_the_end_is_asked_once(browser, live_server, story):
    with tried_page(browser, live_server.url, viewport=LAPTOP) as page:
        page.clock.install()
        try_it(page, story)
        page.clock.run_for(1_000)
        page.keyboard.press("Enter")
        expect(coach(page)).to_have_text(
            "There is more to try. Press “Go on” again to leave. 1 of 2 · Drag over "
            "“Ada Lovelace”, then press P for PER."
        )
        drag(page, 0, 1)
        page.keyboard.press("p")
        expect(coach(page)).to_contain_text("Well done. 2 of 2")
        page.clock.run_for(1_000)
        page.keyboard.press("Escape")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Before you begin")).to_be_focused()
    expect_nothing_kept()


def test_a_finger_is_told_to_tap(browser, live_server, story):
    with tried_page(browser, live_server.url, viewport=PHONE, has_touch=True, is_mobile=True,
                    color_scheme="dark") as page:  # fmt: skip
        try_it(page, story)
        expect(coach(page)).to_contain_text("Tap the first and the last word of “Ada Lovelace”")
        for number in (0, 1):
            page.locator(f"[data-token='{number}']").tap()
        page.locator("mark-menu button", has_text="PER").tap()
        expect(coach(page)).to_contain_text("2 of 2 · Tap “Charles”, then choose PER.")
        looks_right(page)
    expect_nothing_kept()


def test_a_pair_and_a_choice_have_one_step(browser, live_server):
    pair = practise(
        relation_page.make_pairs(relation_page.ada_and_london()),
        {"relation": "per:place_of_birth", "evidence": []},
    )
    choice = practise(
        choice_page.make_choices("A green one .", options={"choices": ["Red", "Green"]}),
        {"choice": "Green"},
    )
    with tried_page(browser, live_server.url, viewport=LAPTOP) as page:
        page.clock.install()
        for campaign, key, words in ((pair, "1", "● was born in ■"), (choice, "2", "Green")):
            try_it(page, campaign)
            expect(coach(page)).to_have_text(f"1 of 1 · Press {key}, or choose “{words}”.")
            page.clock.run_for(300)
            page.keyboard.press(key)
            expect(coach(page)).to_contain_text("Well done. That is how the work goes.")
            looks_right(page)
    expect_nothing_kept()


def test_who_begins_by_key_is_told_keys_and_who_points_is_not(browser, live_server, story):
    with tried_page(browser, live_server.url, viewport=LAPTOP) as page:
        page.goto(f"/join/{campaign_link(story)}/")
        for _ in range(20):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.dataset.act") == "try":
                break
        page.keyboard.press("Enter")
        expect(coach(page)).to_have_text(
            "1 of 2 · Go to “Ada” with the arrows, select “Ada Lovelace” with Shift and the "
            "arrows, then press P for PER."
        )
        looks_right(page)
        expect(page.locator(".entity-hint")).to_be_hidden()  # what to do is told above the text
        page.keyboard.press("p")  # one word of the two
        expect(coach(page)).to_contain_text("right words yet: take the mark off with Del")
        page.keyboard.press("Delete")
        expect(coach(page)).to_have_text(re.compile("^1 of 2 · Go to"))  # as it was told
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("p")
        expect(coach(page)).to_have_text(
            "Well done. 2 of 2 · Go to “Charles” with the arrows, then press P for PER."
        )
        page.locator("token-text").click(position={"x": 2, "y": 2})
        expect(coach(page)).to_contain_text("2 of 2 · Drag over “Charles”, then press P")
        page.keyboard.press("Escape")  # who points presses keys too
        expect(coach(page)).to_contain_text("Drag over “Charles”")
        page.keyboard.press("ArrowRight")
        expect(coach(page)).to_contain_text("Go to “Charles” with the arrows")
    expect_nothing_kept()


FALSE_TYPE = ALL_TRUE | {"object_type_ok": False}


@pytest.mark.parametrize("way", ["keys", "mouse", "touch"])
def test_a_claim_is_judged_as_a_whole_and_then_the_row_that_is_not_true(browser, live_server, way):
    campaign = practise(relation_page.make_pairs(relation_page.to_verify()), FALSE_TYPE)
    phone = {"has_touch": True, "is_mobile": True, "viewport": PHONE, "color_scheme": "dark"}
    with tried_page(
        browser, live_server.url, **(phone if way == "touch" else {"viewport": LAPTOP})
    ) as page:
        page.goto(f"/join/{campaign_link(campaign)}/")
        shown = page.locator(".first-example")
        expect(shown.get_by_role("heading")).to_have_text("Is all of this true?")
        told = ["No, not all ✓", "London is of the type GPE: No ✓"]
        for right, words in zip(shown.locator(".is-known").all(), told, strict=True):
            expect(right).to_contain_text(words)
        looks_right(page)
        try_it(page, campaign)
        is_touch = way == "touch"
        row = page.locator(".claim").nth(4)
        expect(coach(page)).to_have_text(
            "1 of 2 · Choose “No, not all”." if is_touch
            else "1 of 2 · Press N, or choose “No, not all”."
        )  # fmt: skip
        if way == "keys":
            page.keyboard.press("n")
        else:
            page.get_by_role("radio", name="No, not all").click()
        step = "“London is of the type GPE” is not true: "
        step += "tap it, or" if is_touch else "press 5, or"
        expect(coach(page)).to_have_text(f"Well done. 2 of 2 · {step} choose “No” there.")
        looks_right(page)
        if way == "keys":
            page.keyboard.press("5")
        else:
            row.locator(".claim-words").click()
        expect(coach(page)).to_have_text(
            "Well done. That is how the work goes. Nothing of this was kept or counted. In a task, "
            + ("“Submit” hands it in." if is_touch else "Enter or “Submit” hands it in.")
        )
        if is_touch:  # the coach was scrolled away
            expect(page.locator("[data-part=message]")).to_contain_text("Well done. That is how")
        looks_right(page)
    expect_nothing_kept()


def test_a_row_that_was_pressed_amiss_or_twice_is_told(browser, live_server):
    campaign = practise(relation_page.make_pairs(relation_page.to_verify()), FALSE_TYPE)
    with tried_page(browser, live_server.url, viewport=LAPTOP) as page:
        try_it(page, campaign)
        page.keyboard.press("4")  # of itself says that not all is true
        expect(coach(page)).to_contain_text("Well done. 2 of 2")
        page.keyboard.press("5")
        name = "“London is marked in full, with nothing extra”"
        expect(coach(page)).to_contain_text(f"{name} is true: press it until it says “Yes”. 2 of 2")
        page.keyboard.press("5")
        page.keyboard.press("4")
        page.keyboard.press("4")
        expect(coach(page)).to_contain_text("Press again for “Yes”. 2 of 2")
        page.keyboard.press("5")
        expect(coach(page)).to_contain_text("Not quite. 2 of 2")
        page.keyboard.press("5")
        expect(coach(page)).to_contain_text("Well done. That is how the work goes.")


@pytest.mark.parametrize("is_touched", [False, True], ids=["keys", "touch"])
def test_a_choice_with_a_scale_has_two_steps(browser, live_server, is_touched):
    options = {"choices": ["Red", "Green"], "scale": {"min": 1, "max": 5, "step": 1}}
    campaign = practise(
        choice_page.make_choices("A green one .", options=options), {"choice": "Green", "value": 4}
    )
    shown = {"has_touch": True, "is_mobile": True, "viewport": PHONE} if is_touched else {}
    with tried_page(browser, live_server.url, **shown) as page:
        page.clock.install()
        try_it(page, campaign)
        expect(coach(page)).to_have_text(
            "1 of 2 · Choose “Green”." if is_touched else "1 of 2 · Press B, or choose “Green”."
        )
        page.clock.run_for(300)
        choice_page.option(page, "Green").click()
        expect(coach(page)).to_have_text(
            "Well done. 2 of 2 · On the scale, choose 4."
            if is_touched
            else "Well done. 2 of 2 · On the scale, press 4 or choose 4."
        )
        expect(choice_page.held(page)).to_contain_text("Choose a value on the scale too")
        choice_page.option(page, "5").click()
        expect(coach(page)).to_contain_text("Not quite. 2 of 2")
        choice_page.option(page, "4").click()
        expect(coach(page)).to_contain_text("Well done. That is how the work goes.")
        expect(choice_page.held(page)).to_be_empty()  # the answers are marked
        looks_right(page)
    expect_nothing_kept()


PILES = {
    "clusters": [
        {"link": None, "mentions": ["m0", "m2", "m3"]}, {"link": None, "mentions": ["m1", "m4"]},
    ],
    "unsure": ["m5"],
}  # fmt: skip


def test_two_cards_are_put_together_and_one_apart(browser, live_server):
    cards = practise(linking_page.make_cards(), PILES)
    with tried_page(browser, live_server.url, viewport=LAPTOP) as page:
        try_it(page, cards)
        expect(coach(page)).to_have_text(
            "1 of 2 · None of the others is the same as “Freddie Gray”: "
            "press N, or choose “New pile”."
        )
        expect(button(page, "Submit early")).to_be_hidden()
        looks_right(page)
        page.keyboard.press("n")
        expect(coach(page)).to_contain_text(
            "Well done. 2 of 2 · “Baltimore City” and “Baltimore” are"
        )
        page.keyboard.press("u")  # the other of the two is in sight then, and offered no more
        expect(coach(page)).to_contain_text("Not quite. 2 of 2")
        expect(coach(page)).to_contain_text("go to “Baltimore City”, and choose “Baltimore” among")
        page.keyboard.press("ArrowLeft")
        linking_page.pile_row(page, "Baltimore").click()
        expect(coach(page)).to_contain_text("Well done. That is how the work goes.")
        button(page, "Begin again").click()
        page.keyboard.press("n")
        page.keyboard.press("s")
        expect(coach(page)).to_contain_text("Well done. That is how the work goes.")
        looks_right(page)
    expect_nothing_kept()
