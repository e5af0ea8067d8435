"""The relation page: by mouse, by finger, by keyboard alone; in every state, for every reader."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from annotation.actions.tokens import campaign_link
from tests.browser.accessible import violations
from tests.browser.each_interface import make_arabic_pair
from tests.browser.entity_page import drag, expect_all_done, message, sent, submit, token
from tests.browser.page_time import stop_clock
from tests.browser.practice_page import LAPTOP, PHONE, fits
from tests.browser.relation_page import (
    STORY,
    ada_and_london,
    answer,
    charles_and_cambridge,
    chosen,
    evidence,
    make_pairs,
    open_pair,
    press,
    relations_of,
    rest,
    span,
    to_verify,
)
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import expect_kept

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ARABIC = "ولدت مريم حداد في طرابلس سنة ١٩٨٠ ."
BORN = "Ada Lovelace was born in London"


def judged(campaign) -> list[dict]:
    """The answers without the verdicts that were not asked for."""
    return [
        {name: value for name, value in one.items() if value is not None} for one in sent(campaign)
    ]


def test_by_mouse_a_pair_is_answered_and_evidence_marked(page):
    campaign = make_pairs()
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url))
    open_pair(page, campaign)
    assert len(seen) <= 8, seen
    expect(
        page.get_by_role("heading", name="How is Ada Lovelace related to London?")
    ).to_be_visible()
    wordings = page.locator(".answer-words").all_inner_texts()
    assert [" ".join(words.split()) for words in wordings] == [
        BORN, "Ada Lovelace lives or lived in London", "Ada Lovelace died in London",
        "Ada Lovelace works or worked for London", "No relation", "Can’t tell",
    ]  # fmt: skip
    assert (
        page.locator(".answer:not(.answer-plain) b").all_inner_texts()[0].strip() == "was born in"
    )
    submit(page)  # nothing is chosen: told as often as it is sent
    expect(message(page)).to_contain_text("Choose an answer first")
    answer(page, "died in").click()
    answer(page, BORN).click()
    assert chosen(page) == [BORN]
    drag(page, 2, 5)
    assert evidence(page) == ["was born in London"]
    token(page, 8).click()  # one word alone is only chosen …
    assert evidence(page) == ["was born in London"]
    page.get_by_role("button", name="Mark as evidence").click()
    assert evidence(page) == ["was born in London", "met"]
    expect(page.locator("token-text")).to_be_focused()
    token(page, 8).click()  # … and what is evidence can be taken away
    press(page, "Delete")
    token(page, 8).dblclick()
    assert evidence(page) == ["was born in London", "met"]
    page.get_by_role("button", name="Undo").click()
    assert evidence(page) == ["was born in London"]
    expect_kept(page)
    page.reload()
    expect(page.locator("token-text")).to_be_focused()
    assert chosen(page) == [BORN]
    assert evidence(page) == ["was born in London"]
    submit(page)
    expect_all_done(page)
    assert judged(campaign) == [{"relation": "per:place_of_birth", "evidence": [[13, 31]]}]


def test_what_is_chosen_and_no_evidence_yet_is_offered_above_the_bar(page):
    """Whatever chose it; nothing moves for it, and it goes when nothing is chosen any more."""
    page.set_viewport_size(LAPTOP)
    open_pair(page, make_pairs(schema=relations_of(25)))
    press(page, "e")
    expect(message(page)).to_contain_text("No words are chosen yet. If you like, mark the words")
    places = "all => all.map((one) => one.getBoundingClientRect().top)"
    before = page.get_by_role("radio").evaluate_all(places)
    token(page, 8).click()
    expect(message(page)).to_have_text(re.compile("^“met” Mark as evidence"))
    assert page.get_by_role("radio").evaluate_all(places) == before
    press(page, "Escape")
    expect(message(page)).to_have_text("")
    press(page, "Space", "Shift+ArrowRight")
    expect(message(page)).to_contain_text("“met Charles”")
    press(page, "ArrowRight")
    expect(message(page)).to_have_text("")
    token(page, 8).click()
    press(page, "e")
    expect(message(page)).to_have_text("")
    assert evidence(page) == ["met"]


def test_by_keyboard_alone_pairs_follow_each_other_and_the_text_stays(page):
    campaign = make_pairs(ada_and_london(), charles_and_cambridge())
    open_pair(page, campaign)
    press(page, "3", "1", "Control+z")
    assert chosen(page) == ["Ada Lovelace died in London"]
    press(page, "Control+Shift+z")
    assert chosen(page) == [BORN]
    press(page, *["ArrowRight"] * 2, *["Shift+ArrowRight"] * 3, "Enter")
    assert evidence(page) == ["was born in London"]
    press(page, "Space", "Shift+ArrowRight", "Escape")  # the end of what is chosen moves
    assert evidence(page) == ["was born in London ."]
    press(page, "Space", "Delete", "Space", "e")
    assert len(evidence(page)) == 1
    press(page, "Control+z", "Control+z", "Control+z", "Tab")
    expect(answer(page, BORN)).to_be_focused()  # one stop for all answers: what is chosen
    press(page, "ArrowDown", "Space", "ArrowUp", "Enter")
    assert chosen(page) == [BORN]
    page.evaluate("window.text = document.querySelector('token-text')")
    top = page.locator("token-text").bounding_box()
    press(page, "Enter")
    expect(page.get_by_role("heading", name="How is Charles Babbage related")).to_be_visible()
    # The very same text, in the very same place; only what is asked about it is new.
    assert page.evaluate("window.text === document.querySelector('token-text')")
    assert page.locator("token-text").bounding_box() == top
    assert page.locator("mark").all_text_contents() == ["Charles Babbage", "Cambridge University"]
    assert chosen(page) == []
    assert evidence(page) == []
    expect(page.locator("token-text")).to_be_focused()
    rest(page)
    press(page, "n", "Enter")
    expect_all_done(page)
    assert [one["relation"] for one in judged(campaign)] == ["per:place_of_birth", "none"]


def test_enter_right_after_a_task_has_come_was_meant_for_the_one_before(page):
    page.clock.install()
    campaign = make_pairs(ada_and_london(), charles_and_cambridge())
    open_pair(page, campaign)
    stop_clock(page)
    press(page, "1", "Enter")
    expect(page.get_by_role("heading", name="How is Charles Babbage related")).to_be_visible()
    page.clock.run_for(400)
    press(page, "1", "Enter")
    expect(message(page)).to_contain_text("That was too soon for this task")
    page.clock.run_for(1_000)
    press(page, "Enter")
    expect_all_done(page)


def test_by_finger_an_answer_is_a_tap_and_evidence_two(phone):
    campaign = make_pairs()
    open_pair(phone, campaign)
    token(phone, 2).tap()
    token(phone, 4).tap()
    assert evidence(phone) == ["was born in"]
    token(phone, 3).tap()
    expect(phone.locator(".evidence-piece.chosen")).to_be_visible()
    controls = [*phone.get_by_role("radio").all(), *phone.locator(".ask button, .grip").all()]
    assert len(controls) == 9
    expect(phone.locator(".grip-end")).to_have_css("position", "absolute")  # its looks come late
    for control in controls:
        box = control.bounding_box()
        assert box["height"] >= 44, control
        assert box["width"] >= 44, control
    # A single word waits: what can be done with it is said above the bar.
    token(phone, 0).tap()
    phone.locator("[data-part=message] button", has_text="Mark as evidence").tap()
    assert evidence(phone) == ["Ada", "was born in"]
    phone.get_by_role("button", name="Undo").tap()
    answer(phone, "Can’t tell").tap()
    assert chosen(phone) == ["Can’t tell"]
    assert fits(phone)
    submit(phone)
    expect_all_done(phone)
    assert judged(campaign) == [{"relation": "unsure", "evidence": []}]


def test_all_of_a_claim_is_true_by_one_key_and_only_new_parts_are_asked(page):
    claim = to_verify()
    first = claim | {"provenance": [[STORY.index("was"), STORY.index(" .")]]}
    campaign = make_pairs(
        first, claim | {"asks": ["object_link_ok"]}, claim | {"asks": ["relation", "subject_ok"]}
    )
    open_pair(page, campaign)
    expect(page.locator(".provenance-hint")).to_be_visible()
    lit = "[...CSS.highlights.get('provenance')].map(String)"
    assert page.evaluate(lit) == ["was born in"]
    width = page.locator(".passage").bounding_box()["width"]
    press(page, "y", "Enter")
    expect(page.locator(".claim")).to_have_count(0)
    assert page.locator(".passage").bounding_box()["width"] == width  # the text stays as it is
    expect(page.locator(".question-ask")).to_have_text(re.compile("London means London"))
    assert page.evaluate(lit) == []
    rest(page)
    press(page, "n", "Enter")
    expect(page.locator(".claim")).to_have_count(2)
    rest(page)
    press(page, "u", "Enter")  # of all of it
    expect_all_done(page)
    others = {"subject_type_ok": True, "object_ok": True, "object_type_ok": True}
    assert judged(campaign) == [
        {"relation": "per:place_of_birth", "subject_ok": True, **others, "object_link_ok": True,
         "evidence": []},
        {"object_link_ok": False, "evidence": []},
        {"relation": "unsure", "subject_ok": "unsure", "evidence": []},
    ]  # fmt: skip


def test_enter_after_a_click_submits_and_repeats_nothing(page):
    campaign = make_pairs(to_verify())
    page.set_viewport_size(LAPTOP)
    open_pair(page, campaign)
    row, words = (page.locator(name).nth(1).bounding_box() for name in (".claim", ".claim-words"))
    beside = row["width"] - words["width"]
    assert 0 < beside < 280  # room for what can be said of a row, and no more than that takes
    keep_screenshot(page)
    answer(page, "No, not all").click()
    verdicts = page.locator(".claim .verdicts").nth(1)
    assert beside - 16 < verdicts.bounding_box()["width"] <= beside
    assert page.locator(".claim-words").nth(1).bounding_box() == words  # where they were
    keep_screenshot(page)
    for number in "123456":
        press(page, number)
        bar = page.locator("[data-part=bar]").bounding_box()
        changed = page.locator(".claim.current").bounding_box()
        assert changed["y"] + changed["height"] <= bar["y"]  # what a key changes is in sight
    page.get_by_role("button", name="Undo").click()
    press(page, "Enter")
    expect_all_done(page)
    parts = judged(campaign)[0]
    assert [parts[part] for part in ("relation", "object_type_ok", "object_link_ok")] == [
        "none", False, True,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("size", "scheme"), [(LAPTOP, "light"), (PHONE, "dark")], ids=["laptop", "phone"]
)
def test_axe_finds_nothing_in_any_state(page, size, scheme):
    campaign = make_pairs(ada_and_london(), to_verify())
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    open_pair(page, campaign)
    assert violations(page) == []
    press(page, "1", "Shift+ArrowRight")
    assert violations(page) == []  # an answer, and words that are chosen
    press(page, "e", "Space")
    assert violations(page) == []  # evidence that is chosen
    press(page, "Escape", "Enter")
    expect(page.locator(".is-claim")).to_be_visible()
    assert violations(page) == []
    press(page, "n", "2", "5")
    assert violations(page) == []
    assert fits(page)


def test_at_400_percent_and_from_right_to_left_it_fits_and_works(page):
    payload = {
        "subject": span(ARABIC, "مريم حداد", "PER"), "object": span(ARABIC, "طرابلس", "GPE"),
    }  # fmt: skip
    campaign = make_pairs(payload, text=ARABIC, text_direction="rtl", language="ar")
    page.set_viewport_size({"width": 320, "height": 256})  # 1280 × 1024 at 400 %
    open_pair(page, campaign)
    assert fits(page)
    first, second = token(page, 0).bounding_box(), token(page, 1).bounding_box()
    assert first["x"] > second["x"]
    press(page, "Shift+ArrowLeft", "e", "2")
    assert evidence(page) == ["مريم حداد"]
    assert len(chosen(page)) == 1
    assert fits(page)
    submit(page)
    expect_all_done(page)


@pytest.mark.parametrize("language", ["en", "ar"])
def test_answers_about_an_arabic_text_stand_as_the_page_runs(page, language):
    """Keys at one side, words from the other on, whichever way they are written."""
    page.set_viewport_size(LAPTOP)
    page.goto(f"/join/{campaign_link(make_arabic_pair())}/?language={language}")
    expect(page.locator("token-text")).to_be_focused()
    sides = page.locator(".board .answer").evaluate_all(
        """all => all.map((one) => {
          const parts = [one, ...one.querySelectorAll(".answer-words, .key")];
          const [{ left, right }, words, key] = parts.map((each) => each.getBoundingClientRect());
          return [words.left - left, right - words.right, key.left - left, right - key.right];
        })"""
    )
    assert len(sides) == 4
    for left, right, key_left, key_right in sides:
        near, far = (left, key_right) if language == "en" else (right, key_left)
        assert near < 16
        assert far < 16


def test_long_documents_and_names_stay_in_their_place(page):
    name = "Donaudampfschifffahrtsgesellschaftskapitän" * 4
    text = f"{'Some words before . ' * 300}{name} was born in London . {'And after . ' * 300}"
    payload = {"subject": span(text, name, "PER"), "object": span(text, "London", "GPE")}
    page.set_viewport_size(PHONE)
    open_pair(page, make_pairs(payload, text=text))
    assert fits(page)
    mark = page.locator('[data-mention="object"]')
    passage, box = page.locator(".passage").bounding_box(), mark.bounding_box()
    assert passage["y"] <= box["y"] <= passage["y"] + passage["height"]  # scrolled to the pair
    assert page.evaluate("window.scrollY") == 0
    assert "…" in page.locator(".side-subject").first.inner_text()


def test_subject_and_object_differ_by_shape_and_not_by_colour_alone(page):
    open_pair(page, make_pairs())
    subject, obj = (
        page.locator(f'[data-mention="{side}"]').evaluate(
            "mark => [getComputedStyle(mark).borderRadius, getComputedStyle(mark, '::before')"
            ".content, getComputedStyle(mark).textDecorationStyle]"
        )
        for side in ("subject", "object")
    )
    assert all(one != other for one, other in zip(subject, obj, strict=True))
    assert STORY.startswith(page.locator('[data-mention="subject"]').text_content() or "?")


def test_keys_can_be_changed_and_switched_off(page):
    open_pair(page, make_pairs())
    press(page, "?")
    page.get_by_role("button", name=f"change the key of {BORN}").click()
    press(page, "b")
    page.get_by_role("button", name="Close").click()
    expect(answer(page, BORN).locator(".key")).to_have_text("B")
    press(page, "1")
    assert chosen(page) == []
    press(page, "b")
    assert chosen(page) == [BORN]


def test_help_without_instructions_has_no_key_for_them_and_no_line_above_the_keys(page):
    open_pair(page, make_pairs())
    press(page, "?")
    keys = page.locator("[data-part=keys]")
    expect(keys).to_contain_text("Instructions and keys")
    expect(keys).not_to_contain_text("Instructions beside the text")
    expect(keys).to_have_css("border-top-width", "0px")
    keep_screenshot(page)


def test_evidence_goes_with_its_relation_and_comes_back_with_one(page):
    open_pair(page, make_pairs())
    press(page, "2", "Shift+ArrowRight", "e")
    assert evidence(page) == ["Ada Lovelace"]
    press(page, "n")
    assert evidence(page) == []
    expect(message(page)).to_contain_text("Your evidence is put aside")
    with page.expect_response("**/draft/"):
        press(page, "u")
    page.reload()
    expect(page.locator("token-text")).to_be_focused()
    press(page, "2")
    assert evidence(page) == ["Ada Lovelace"]
    expect(message(page)).to_contain_text("Your evidence is back.")


def test_without_a_relation_no_evidence_is_marked_and_the_page_says_why(page):
    """What was put aside is neither replaced nor lost."""
    campaign = make_pairs()
    open_pair(page, campaign)
    press(page, "2", "Shift+ArrowRight", "e")
    for plain in ("n", "u"):
        press(page, plain)
        expect(page.get_by_text("If you like, mark the words")).to_be_hidden()
        drag(page, 2, 5)
        expect(message(page)).to_have_text("Evidence belongs to a relation: choose one first.")
        token(page, 8).click()
        expect(page.get_by_role("button", name="Mark as evidence")).to_have_count(0)
        press(page, "e")
        assert evidence(page) == []
    press(page, "2")
    assert evidence(page) == ["Ada Lovelace"]
    press(page, "n")
    submit(page)
    expect_all_done(page)
    assert judged(campaign) == [{"relation": "none", "evidence": []}]
