"""Suggestions in the text, and the same words elsewhere: by keyboard alone, mouse and finger."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Assignment, Campaign, Event
from tests.browser.accessible import violations
from tests.browser.entity_page import (
    STORY,
    choice,
    drag,
    expect_all_done,
    expect_entities,
    expect_mentions,
    marked,
    menu,
    message,
    middle,
    open_task,
    sent,
    spans,
    submit,
    token,
)  # fmt: skip
from tests.browser.late_parts import expect_late_parts
from tests.browser.work_frame import expect_kept
from tests.factories import make_campaign, make_document, make_project, make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Ada Lovelace (0-2), Babbage (4-5, too short), in London (5-7, too long), Babbage, showed.
SUGGESTED = [(0, 2, "PER"), (4, 5, "PER"), (5, 7, "LOC"), (8, 9, "ORG"), (9, 10, "PER")]
FORD = "Ford met Ann Ford . Then Ford left , and Ann stayed with Ford ."


def make_suggesting(text: str, suggested: list[tuple[int, int, str]]) -> Campaign:
    edges = [match.span() for match in re.finditer(r"\S+", text)]
    mentions = [
        {"id": f"m{i}", "start": edges[first][0], "end": edges[end - 1][1], "type": kind}
        for i, (first, end, kind) in enumerate(suggested)
    ]
    answer: dict[str, Any] = {
        "mentions": [mention | {"entity": None} for mention in mentions],
        "entities": [],
        "unlabelled": [],
    }
    campaign = make_campaign(make_project(), options={"coreference": True})
    payload = {"suggestions": answer} if suggested else {}
    make_task(campaign, make_document(campaign.project, text), payload=payload)
    return campaign


def ghosts(page: Page) -> list[str]:
    return page.locator("token-text .ghost").all_text_contents()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def events() -> list[tuple[str, Any]]:
    """(kind, data) of all that the page has told, in its order."""
    return list(Event.objects.order_by("assignment", "number").values_list("kind", "data"))


def test_suggestions_by_keyboard_alone(page):
    page.clock.install()
    campaign = make_suggesting(STORY, SUGGESTED)
    open_task(page, campaign)
    assert len(ghosts(page)) == 5
    expect_mentions(page, [])
    note = page.locator(".ghost-note")
    expect(note).to_contain_text("5 suggestions. ")
    press(page, "a")  # the caret stands on the first word
    expect(note).to_contain_text("4 suggestions left. ")
    expect_mentions(page, [("Ada Lovelace", "PER")])
    expect(page.locator("token-text .ghost.chosen")).to_have_text("Babbage")
    press(page, ".", ",", "Shift+Alt+ArrowLeft")  # too short: its first edge goes back by a word
    assert marked(page)[1] == ("Charles Babbage", "PER")
    press(page, ".")  # in London
    expect(menu(page)).to_contain_text("“in London” · suggested as LOC")
    press(page, "Escape", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft", "l")  # London alone
    assert marked(page)[2] == ("London", "LOC")
    press(page, ".", "Escape", "p")  # Babbage is suggested as ORG
    assert marked(page)[3] == ("Babbage", "PER")
    expect(page.locator("token-text .ghost.chosen")).to_have_text("showed")  # as after taking one
    press(page, "x")
    assert ghosts(page) == []
    expect(message(page)).to_have_text("Suggestion “showed” dismissed.")
    press(page, "Control+z", "Control+z")
    assert ghosts(page) == ["Babbage", "showed"]
    press(page, "Control+Shift+z", "Enter")
    expect(message(page)).to_contain_text("1 suggestion is neither taken nor dismissed")
    page.clock.run_for(1_000)
    press(page, "Enter")
    expect_all_done(page)
    (answer,) = sent(campaign)
    assert answer.keys() == {"mentions", "entities", "unlabelled"}
    assert [span[2] for span in spans(answer)] == ["PER", "PER", "LOC", "PER"]
    kinds = [kind for kind, _ in events() if kind.startswith("suggestion")]
    assert kinds == [
        "suggestion_accepted", "suggestion_changed", "suggestion_changed", "suggestion_changed",
        "suggestion_dismissed",
    ]  # fmt: skip
    accepted = dict(events())["suggestion_accepted"]
    assert accepted == {"number": 0, "start": 0, "end": 2, "type": "PER"}
    tally = {"accepted": [0], "changed": [1, 2, 3], "dismissed": [], "left": [4]}
    assert dict(events())["submitted"] == {"suggestions": tally}


def test_keys_act_on_the_suggestion_one_came_to_and_leave_a_name_that_is_chosen(page):
    open_task(page, make_suggesting(STORY, SUGGESTED))
    press(page, "a", "Shift+Alt+ArrowLeft")
    expect_mentions(page, [("Ada Lovelace", "PER"), ("Charles Babbage", "PER")])
    press(page, "Escape", "Control+Home", "Space", "a")
    expect(message(page)).to_have_text("There is no suggestion here.")
    expect(menu(page)).to_contain_text("“Ada Lovelace” · PER")
    press(page, "Delete")
    expect_mentions(page, [("Charles Babbage", "PER")])


def test_suggestions_by_mouse_and_what_a_reload_brings_back(page):
    campaign = make_suggesting(STORY, SUGGESTED)
    open_task(page, campaign)
    assert violations(page) == []
    token(page, 1).click()
    expect(menu(page)).to_contain_text("“Ada Lovelace” · suggested as PER")
    assert violations(page) == []
    choice(page, "Take as PER").click()
    expect(page.locator("token-text .ghost.chosen")).to_have_text("Babbage")  # the next in sight
    token(page, 9).click()
    choice(page, "Dismiss").click()
    drag(page, 3, 4)  # over a suggestion
    choice(page, "PER").click()
    assert ghosts(page) == ["in London", "Babbage"]
    expect_kept(page)
    page.reload()
    expect(page.locator("mark.mention")).to_have_text(["Ada Lovelace", "Charles Babbage"])
    expect_mentions(page, [("Ada Lovelace", "PER"), ("Charles Babbage", "PER")])
    assert ghosts(page) == ["in London", "Babbage"]
    Assignment.objects.get()  # one lease all the while
    token(page, 0).click()
    choice(page, "Remove").click()
    assert ghosts(page) == ["in London", "Babbage"]  # what was removed is not suggested again
    for number in (5, 8):
        token(page, number).click()
        choice(page, "Dismiss").click()
    expect(page.locator(".ghost-note")).to_have_text("No suggestion is left to look at.")
    submit(page)
    expect_all_done(page)
    assert [span[:3] for span in spans(sent(campaign)[0])] == [(17, 32, "PER")]


def test_same_words_elsewhere_by_keyboard_and_mouse(page):
    campaign = make_suggesting(FORD, [])
    open_task(page, campaign)
    expect_late_parts(page)  # which know that Ann Ford is another name
    press(page, "p")
    expect(message(page)).to_contain_text("“Ford” marked as PER.Mark 2 more “Ford”")
    press(page, "+")
    expect_entities(page, ["Ford PER · 3 mentions"])
    expect(message(page)).to_have_text("“Ford” marked as PER at 2 more places.")
    press(page, "Control+z")
    expect_mentions(page, [("Ford", "PER")])
    press(page, "ArrowRight", "ArrowRight", "p")  # Ann
    expect(message(page)).to_contain_text("Mark 1 more “Ann”")
    assert violations(page) == []
    press(page, "Escape")
    expect(message(page)).to_have_text("“Ann” stays as it is elsewhere.")
    press(page, "Delete", "p")  # the same words again: they are not offered twice
    expect(message(page)).to_have_text("“Ann” marked as PER.")
    drag(page, 2, 3)
    expect(menu(page)).to_be_visible()
    token(page, 6).click()
    choice(page, "LOC").click()
    page.get_by_role("button", name="Mark 1 more “Ford”").click()
    expect(page.locator("token-text")).to_be_focused()
    assert [kind for _, kind in marked(page)] == ["PER", "PER", "LOC", "LOC"]
    submit(page)
    expect_all_done(page)
    taken = [data for kind, data in events() if kind.startswith("elsewhere")]
    assert taken == [
        {"mentions": 2, "type": "PER"}, {"mentions": 1}, {"mentions": 1, "type": "LOC"},
    ]  # fmt: skip


def test_a_suggestion_that_is_clicked_takes_the_type_that_is_held(page):
    open_task(page, make_suggesting(FORD, [(0, 1, "PER"), (2, 4, "PER")]))
    held = page.locator(".palette-type", has_text="ORG")
    held.click()
    expect(held).to_have_attribute("aria-pressed", "true")
    token(page, 3).click()
    expect_mentions(page, [("Ann Ford", "ORG")])
    expect(menu(page)).to_be_hidden()
    assert ghosts(page) == ["Ford"]
    page.keyboard.press("Escape")
    token(page, 0).click()
    expect(menu(page)).to_contain_text("suggested as PER")


def test_suggestions_and_the_same_words_by_finger(browser, live_server):
    context = browser.new_context(
        base_url=live_server.url, viewport={"width": 390, "height": 844}, has_touch=True,
        is_mobile=True, reduced_motion="reduce", color_scheme="dark",
    )  # fmt: skip
    page = context.new_page()
    open_task(page, make_suggesting(FORD, [(0, 1, "PER"), (2, 4, "PER"), (4, 5, "LOC")]))
    token(page, 2).tap()
    for control in menu(page).get_by_role("button").all():
        assert control.bounding_box()["height"] >= 44
    choice(page, "ORG").tap()
    expect_mentions(page, [("Ann Ford", "ORG")])
    expect(menu(page)).to_contain_text("“.” · suggested as LOC")  # the next, with its menu
    choice(page, "Dismiss").tap()
    expect(menu(page)).to_contain_text("“Ford” · suggested as PER")
    choice(page, "Take as PER").tap()
    take = page.get_by_role("button", name="Mark 2 more “Ford”")
    assert take.bounding_box()["height"] >= 44
    assert violations(page) == []
    take.tap()
    assert [words for words, _ in marked(page)] == ["Ford", "Ann Ford", "Ford", "Ford"]
    assert middle(page, 0)[1] < 844
    context.close()


def test_by_finger_an_offer_is_answered_before_the_next_suggestion_is_chosen(phone):
    open_task(phone, make_suggesting(FORD, [(0, 1, "PER"), (2, 4, "PER")]))
    token(phone, 0).tap()
    choice(phone, "Take as PER").tap()
    expect(phone.get_by_role("button", name="Mark 2 more “Ford”")).to_be_visible()
    expect(menu(phone)).to_be_hidden()
    held = phone.locator(".palette-type", has_text="ORG")
    held.tap()
    expect(held).to_have_attribute("aria-pressed", "true")
    expect_mentions(phone, [("Ford", "PER")])
