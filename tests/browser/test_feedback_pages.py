"""Practice on the three short interfaces: what was right and what was given, over each other."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import GoldQuestion, Task
from tests.browser import choice_page, linking_page, relation_page
from tests.browser.accessible import violations
from tests.browser.entity_page import drag, submit
from tests.browser.practice_page import PHONE, SIZES, fits, go_on, look, practise
from tests.browser.screenshots import keep_screenshot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def findings(page: Page) -> Locator:
    return page.locator("[data-part=feedback] li:visible")


def outcomes(page: Page) -> list[str]:
    """What is marked right or wrong, each with its words, from the top of the page down."""
    found = page.evaluate(
        """() => [...document.querySelectorAll("[data-task] .outcome")].map((mark) => {
          const named = mark.parentElement.querySelector(".answer-words, bdi, q");
          return `${mark.textContent.trim()}: ${named?.textContent ?? ""}`;
        })"""
    )
    return [words.replace("\xa0", " ") for words in found]


def outlines(page: Page) -> list[str]:
    """How far the frames stand from what they are around."""
    marked = page.locator("[data-task] :is(.is-right, .is-wrong)")
    return marked.evaluate_all("all => all.map((each) => getComputedStyle(each).outlineOffset)")


@SIZES
def test_a_relation_is_told_on_its_answers_and_in_the_text(page, size, scheme):
    pairs = relation_page.make_pairs(relation_page.ada_and_london(), relation_page.to_verify())
    born = {"relation": "per:place_of_birth", "evidence": [[2, 5]]}
    parts = {"subject_ok": True, "object_type_ok": False, "object_link_ok": True}
    practise(pairs, born, born | parts)
    look(page, size, scheme)
    page.clock.install()
    relation_page.open_pair(page, pairs)
    page.keyboard.press("3")
    drag(page, 7, 9)
    submit(page)
    expect(findings(page).first).to_contain_text("You chose “Ada Lovelace died in London”.")
    assert outcomes(page) == [
        "✓ right: Ada Lovelace was born in London",
        "✗ your answer: Ada Lovelace died in London",
        "○ says so, not marked: was born in",
        "✗ does not say so: She met Charles",
    ]
    assert violations(page) == []
    assert fits(page)
    page.keyboard.press("1")
    relation_page.answer(page, "was born in").click(force=True)
    assert relation_page.chosen(page)[0].startswith("Ada Lovelace died in London")  # it stays
    go_on(page)
    expect(page.locator(".is-claim")).to_be_visible()
    relation_page.rest(page)
    for key in "n2":  # not all of it is true: the second row is not
        page.keyboard.press(key)
    submit(page)
    expect(findings(page)).to_have_text([
        "“Ada Lovelace is marked in full, with nothing extra”: you said “no”, the right answer "
        "is “yes”.",
        "“London is of the type GPE”: you said “yes”, the right answer is “no”.",
        "Evidence: “was born in” says so.",
    ])  # fmt: skip
    expect(page.locator(".findings-folded summary")).to_have_text("2 correct")
    assert outcomes(page) == [
        "✓ your answer: Yes", "✓ right: Yes", "✗ your answer: No",
        "○ your answer, not checked: Yes", "○ your answer, not checked: Yes",
        "✗ your answer: Yes", "✓ right: No", "✓ your answer: Yes",
        "○ says so, not marked: was born in",
    ]  # fmt: skip
    assert violations(page) == []
    assert fits(page)
    keep_screenshot(page)


@SIZES
def test_the_explanation_is_drawn_as_instructions_are_and_never_runs(page, size, scheme):
    campaign = choice_page.make_choices("Grass.")
    practise(campaign, {"choice": "Green"})
    told = "**Grass** is:\nalways `Green`.\n\n- *Hay* is not <img src=x onerror=alert(1)>"
    GoldQuestion.objects.update(explanation=told)
    look(page, size, scheme)
    choice_page.open_choice(page, campaign)
    page.keyboard.press("1")
    choice_page.after(page, choice_page.HELD)
    why = page.locator(".feedback-why")
    expect(why.locator("strong")).to_have_text("Grass")
    expect(why.locator("li")).to_have_text("Hay is not <img src=x onerror=alert(1)>")
    assert why.inner_text().splitlines()[:2] == ["Grass is:", "always Green."]  # its lines are kept
    assert fits(page)
    keep_screenshot(page)


OPTIONS = {"choices": ["Red", "Green"], "scale": {"min": 0, "max": 4, "step": 1}}


@SIZES
def test_a_choice_is_told_on_its_options_and_its_keys_lead_on(page, size, scheme):
    campaign = choice_page.make_choices("Grass.", "A rose.", options=OPTIONS)
    practise(campaign, {"choice": "Green", "value": 3}, {"choice": "Red", "value": 1}, tolerance=1)
    look(page, size, scheme)
    choice_page.open_choice(page, campaign)
    page.keyboard.press("n")
    leave = page.get_by_text("Esc leaves the note")
    expect(leave).to_be_visible()
    page.keyboard.type("A note")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    page.keyboard.press("2")
    choice_page.after(page, choice_page.HELD)
    expect(page.get_by_role("heading", name="Partly right: only a fully")).to_be_focused()
    expect(leave).to_be_hidden()  # nothing is written there any more
    expect(findings(page)).to_have_text([
        "You chose “Red”. The right answer is “Green”.",
        "Your 2 is taken: the right value is 3, and from 2 to 4 is taken.",
    ])  # fmt: skip
    assert set(outlines(page)) == {"-2px"}  # a frame around an answer, and around nothing else
    assert outcomes(page) == [
        "✗ your answer: Red", "✓ right: Green", "✓: 2", "✓: 3",
        "✓ 3 is right: ", "✓ you chose 2: ", "○ 2 to 4 is taken: ",
    ]  # fmt: skip
    page.keyboard.press("2")  # at once: meant for the task before
    choice_page.option(page, "Green").click(force=True)
    choice_page.after(page, choice_page.HELD)
    choice_page.expect_shown(page, "Grass.")
    page.keyboard.down("2")  # the key that answers leads on …
    choice_page.expect_shown(page, "A rose.")
    page.keyboard.down("2")  # … and held down it answers nothing
    page.keyboard.up("2")
    page.keyboard.press("2")  # nor does it where the task has not been read
    expect(page.locator("[aria-pressed=true]")).to_have_count(0)
    choice_page.rest(page)
    page.keyboard.press("u")
    choice_page.after(page, choice_page.HELD)
    told = "You chose “Can’t tell”. The right answer is “Red” and 1."
    expect(findings(page)).to_have_text([told])
    assert outcomes(page)[0] == "✓ right: Red"
    assert "✗ your answer: " in outcomes(page)
    page.clock.resume()  # axe sets timers
    assert violations(page) == []
    assert fits(page)
    assert choice_page.chosen(campaign) == ["Red", None]


def test_the_share_of_practice_says_that_a_task_counts_only_as_a_whole(page):
    campaign = choice_page.make_choices("Grass.", "A rose.", options=OPTIONS)
    practise(campaign, {"choice": "Green", "value": 3}, {"choice": "Red", "value": 1})
    look(page, PHONE, "dark")
    choice_page.open_choice(page, campaign)
    for text, choice in (("Grass.", "Green"), ("A rose.", "Red")):  # the second value is wrong
        choice_page.expect_shown(page, text)
        choice_page.rest(page)
        choice_page.option(page, choice).click()
        page.get_by_role("button", name="3", exact=True).click()
        choice_page.after(page, choice_page.HELD)
        go_on(page)
    share = page.locator(".moment-figures div", has_text="Right in practice")
    expect(share).to_have_text("Right in practice50%of the tasks")
    keep_screenshot(page)
    assert fits(page)


@SIZES
def test_cards_are_told_in_the_right_piles(page, size, scheme):
    campaign = linking_page.make_cards(project={"schema": relation_page.SCHEMA})
    task = Task.objects.get()
    for card in task.payload["mentions"]:
        if card["name"].startswith("Baltimore"):
            card["type"] = "GPE"
    task.save()
    piles = [["m0", "m2", "m3"], ["m1", "m4"], ["m5"]]
    practise(campaign, {"clusters": [{"link": None, "mentions": pile} for pile in piles]})
    look(page, size, scheme)
    linking_page.open_cards(page, campaign)
    assert len(set(type_looks(page))) == 2
    put_together(page, "Freddie Gray", "Freddie Grey")
    put_together(page, "Baltimore", "Baltimore City")
    put_together(page, "Freddie Gray", "Ruth Okafor")
    linking_page.card(page, "Mr Gray").click()
    page.keyboard.press("n")
    submit(page)
    expect(findings(page)).to_have_text([
        "“Freddie Gray” and “Mr Gray” are the same. You put them apart.",
        "“Freddie Gray” and “Ruth Okafor” are different. You put them together.",
    ])  # fmt: skip
    assert sorted(linking_page.piles(page)) == [
        "= Baltimore City, Baltimore", "= Mr Gray, Freddie Gray, Freddie Grey", "Ruth Okafor",
    ]  # fmt: skip
    assert outcomes(page) == [
        "✗ you left it on its own: Mr Gray",
        "✓ as you had it: Baltimore City",
        "✗ you put it with “Freddie Gray”: Ruth Okafor",
    ]
    page.keyboard.press("s")
    linking_page.drag(
        page, linking_page.card(page, "Mr Gray"), linking_page.card(page, "Baltimore")
    )
    assert len(linking_page.piles(page)) == 3  # nothing moves any more
    assert violations(page) == []
    assert fits(page)


def put_together(page: Page, name: str, other: str) -> None:
    linking_page.card(page, name).click()
    page.keyboard.press("Escape")  # the menu, which covers cards of a narrow page
    page.keyboard.press("f")  # so that it is the likeliest, whatever it is called
    linking_page.card(page, other).click()
    page.keyboard.press("Escape")
    page.keyboard.press("s")


def type_looks(page: Page) -> list[str]:
    """Colour and pattern of the label of each card's type."""
    return page.locator(".card-type").evaluate_all(
        "labels => labels.map((label) => { const style = getComputedStyle(label);"
        " return style.borderBottomColor + style.borderBottomStyle + label.textContent; })"
    )
