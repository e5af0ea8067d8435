"""What stands where on the linking page: the tools, the bar's last button, a card's sheet."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.actions.campaigns import set_instructions
from annotation.actions.knowledge import import_knowledge_base
from annotation.actions.tokens import campaign_link
from tests.browser.accessible import violations
from tests.browser.late_parts import held_back
from tests.browser.linking_page import (
    NAMESAKES,
    card,
    choice,
    decide,
    harbour_cards,
    make_cards,
    make_long_cards,
    open_cards,
    open_queue,
)
from tests.browser.practice_page import LAPTOP
from tests.browser.screenshots import keep_screenshot
from tests.factories import make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def box(place: Locator) -> dict[str, float]:
    found = place.bounding_box()
    assert found is not None
    return found


def padding(page: Page, act: str) -> str:
    button = page.locator(f"[data-part=bar] [data-act={act}]")
    return button.evaluate("button => getComputedStyle(button).paddingInline")


def test_all_piles_stays_at_the_edge_and_the_last_button_is_like_those_beside_it(page):
    page.set_viewport_size(LAPTOP)
    open_queue(page, make_cards(*NAMESAKES))
    every = page.get_by_role("button", name="All piles")
    early = page.get_by_role("button", name="Submit early")
    before = box(every)
    edge = box(page.locator(".linking-tools"))
    assert before["x"] + before["width"] == pytest.approx(edge["x"] + edge["width"], abs=1)
    assert box(early)["x"] < before["x"]
    assert padding(page, "submit") == padding(page, "report")  # Later
    page.keyboard.press("n")
    page.keyboard.press("Home")
    assert padding(page, "submit") == padding(page, "report")  # Next undecided
    page.keyboard.press("Enter")
    for _ in range(4):
        page.keyboard.press("n")
    expect(early).to_be_hidden()
    assert box(every) == before
    # All that scrolls by itself cuts off what lies outside it.
    page.keyboard.press("Tab")
    summary = page.locator(".queue-finished summary")
    summary.focus()
    expect(summary).to_be_focused()
    ring = summary.evaluate("part => parseFloat(getComputedStyle(part).outlineOffset)")
    assert ring < 0
    keep_screenshot(page)


def test_on_a_phone_all_piles_say_the_question_as_small_and_a_sheet_cuts_nothing(phone):
    open_queue(phone, make_cards(*NAMESAKES))
    question = phone.locator(".linking-question")
    size = question.evaluate("part => getComputedStyle(part).font")
    phone.get_by_role("button", name="All piles").tap()
    expect(phone.locator("[data-card]").first).to_be_visible()
    assert question.evaluate("part => getComputedStyle(part).font") == size
    card(phone, "Tobias Quill").tap()
    keep = choice(phone, "Keep this pile in focus")
    expect(keep).to_be_visible()
    keep_screenshot(phone)
    notes = phone.locator("mark-menu .soft", has_text="To the Vessa Courier")
    assert notes.count() == 2
    for note in notes.all():
        assert note.evaluate("part => part.scrollWidth <= part.clientWidth")
    side = choice(phone, "Side by side").locator("bdi")
    assert box(keep.locator("bdi"))["height"] == box(side)["height"]  # one line
    label = phone.locator(".mark-menu-label").first
    expect(label).to_have_text("Tap the card that is the same, or")
    assert box(label)["width"] > 100


def test_in_all_piles_of_a_laptop_the_tools_stay_at_the_edge(page):
    page.set_viewport_size(LAPTOP)
    open_cards(page, make_cards(*NAMESAKES))
    one = page.get_by_role("button", name="One card at a time")
    before = box(one)
    for _ in range(5):
        page.keyboard.press("n")
    expect(page.get_by_role("button", name="Submit early")).to_be_hidden()
    assert box(one)["x"] == before["x"]


THREE = ("Tobias Lanner", "Tobias", "Tobias Quill")


def bottom(place: Locator) -> float:
    return box(place)["y"] + box(place)["height"]


def test_at_a_desk_a_long_text_leaves_what_decides_in_sight_and_scrolls_by_arrows(page):
    page.set_viewport_size(LAPTOP)
    open_queue(page, make_long_cards(*THREE))
    page.keyboard.press("n")
    message = page.locator("[data-part=message]")
    expect(message).not_to_be_empty()
    assert bottom(page.locator(".queue-acts")) <= box(message)["y"]
    text = page.locator(".queue-text")
    assert text.evaluate("part => part.scrollHeight - part.clientHeight > 20")
    assert violations(page) == []
    title = text.locator(".soft").last
    assert bottom(title) > bottom(text)
    page.keyboard.press("ArrowDown")
    assert bottom(title) <= bottom(text) + 1
    # Where a decided card lies is said whatever of it is read.
    page.keyboard.press("Home")
    state = page.locator(".queue-state")
    expect(state).to_be_visible()
    assert bottom(state) <= bottom(text) + 1
    assert page.evaluate("scrollY") == 0


def test_on_a_phone_a_long_text_leaves_the_first_row_and_the_question_in_sight(phone):
    open_queue(phone, make_long_cards(*THREE))
    question, first = phone.locator(".linking-question"), phone.locator(".queue-row").first
    bar = box(phone.locator("[data-part=bar]"))["y"]
    keep_screenshot(phone)
    assert bottom(first.locator(".queue-row-name")) <= bar
    name, text = phone.locator(".queue-text mark"), phone.locator(".queue-text")
    assert bottom(name) <= bottom(text)
    # Who scrolls to the last row has the question again with the next card.
    phone.evaluate("scrollTo(0, document.body.scrollHeight)")
    phone.locator(".queue-row").last.tap()
    message = phone.locator("[data-part=message]")
    expect(message).not_to_be_empty()
    expect(question).to_be_in_viewport(ratio=1)
    assert bottom(first.locator(".queue-row-name")) <= box(message)["y"]


def test_on_a_phone_short_texts_leave_no_gap_and_four_buttons_stand_in_two_rows(phone, tmp_path):
    campaign = make_cards()
    entries = tmp_path / "entries.jsonl"
    entries.write_text('{"key": "Q1", "name": "Freddie Gray", "type": "PER"}\n')
    import_knowledge_base(campaign.project, entries)
    open_queue(phone, campaign)
    title = phone.locator(".queue-text > .soft")
    assert box(phone.locator(".queue-acts"))["y"] - bottom(title) < 80
    tops = [box(button)["y"] for button in phone.locator(".queue-acts > button").all()]
    assert len(tops) == 4
    assert tops[0] == tops[1] < tops[2] == tops[3]
    keep_screenshot(phone)


@pytest.mark.parametrize("number", [0, 37])
def test_sixty_cards_and_all_their_piles_are_in_sight_on_a_laptop(page, number):
    page.set_viewport_size(LAPTOP)
    open_queue(page, make_cards(*harbour_cards()))
    decide(page, number)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    side = page.locator(".linking-side")
    assert side.evaluate("part => part.scrollHeight <= part.clientHeight")
    end = box(page.locator("[data-part=message]" if number else "[data-part=bar]"))["y"]
    finished = page.locator(".queue-finished summary")
    lowest = finished if number else page.locator(".queue-row").last
    assert bottom(lowest) <= end
    assert bottom(page.locator(".queue-card")) <= end
    keep_screenshot(page)
    if not number:
        return
    assert page.locator(".queue-few .queue-row:visible").count() == 7
    finished.click()  # what is unfolded is led to, within the list
    last = page.locator(".queue-finished .queue-row").last
    expect(last).to_be_in_viewport(ratio=1)
    assert bottom(last) <= end
    assert page.evaluate("scrollY") == 0


def test_on_a_phone_three_piles_are_in_sight_below_the_card_and_its_buttons(phone):
    campaign = make_cards(*harbour_cards())
    make_task(campaign, payload=campaign.tasks.get().payload)
    open_queue(phone, campaign)
    bar, third = phone.locator("[data-part=bar]"), phone.locator(".queue-row").nth(2)
    assert bottom(third) <= box(bar)["y"]  # in the first task too, which has the question above
    cells, early = phone.locator(".queue-cells"), phone.get_by_role("button", name="Submit early")
    assert box(early)["y"] <= box(cells)["y"]
    assert bottom(cells) <= bottom(early)  # in one row
    assert box(early)["height"] <= 46
    decide(phone, 37)
    message = phone.locator("[data-part=message]")
    assert box(third.locator(".queue-row-name"))["y"] < box(message)["y"]
    keep_screenshot(phone)


def test_on_a_phone_a_card_like_no_other_says_so_and_what_a_tap_does(phone):
    open_queue(phone, make_cards())
    phone.keyboard.press("End")
    expect(phone.locator(".queue-rows")).to_contain_text("No pile has a similar name.")
    expect(phone.get_by_role("heading", name="No pile")).to_have_count(0)  # nothing is below it
    phone.get_by_role("button", name="All piles").tap()
    card(phone, "Ruth Okafor").tap()
    told = "“Ruth Okafor” · No pile has a similar name. Tap the card that is the same."
    expect(phone.locator(".mark-menu-title")).to_have_text(told)
    card(phone, "Mr Gray").tap()
    expect(phone.locator("[data-part=message]")).to_contain_text("“Ruth Okafor” added to")
    phone.locator("[data-act=undo]").tap()
    card(phone, "Mr Gray").tap()
    expect(phone.locator(".mark-menu-title")).to_have_text("“Mr Gray”")


@pytest.mark.parametrize("view", ["queue", "board"])
def test_on_a_phone_the_search_leaves_its_card_in_sight(phone, tmp_path, view):
    campaign = make_cards()
    entries = tmp_path / "entries.jsonl"
    rows = [{"key": f"Q{i}", "name": "Ruth Okafor", "description": "A nurse"} for i in range(3)]
    entries.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_knowledge_base(campaign.project, entries)
    search = phone.locator("entry-search")
    with held_back(phone, "beside"):  # it opens with its looks, which say where it stands
        (open_queue if view == "queue" else open_cards)(phone, campaign)
        phone.keyboard.press("End")
        with phone.expect_response("**/bundles/search*"):
            phone.keyboard.press("/")
    expect(search.get_by_role("option")).to_have_count(3)
    text = phone.locator(".card-sentence:visible").last
    assert box(search)["y"] + box(search)["height"] < box(text)["y"]
    assert box(text)["y"] + box(text)["height"] < 500  # above a phone's keys
    phone.keyboard.press("Escape")
    expect(search).to_have_count(0)


def test_on_a_phone_a_card_linked_to_an_entry_of_many_words_is_in_sight(phone, tmp_path):
    campaign = make_cards()
    entries = tmp_path / "entries.jsonl"
    row = {"key": "Q1", "name": "Ruth Okafor", "description": "A nurse and photographer. " * 4}
    entries.write_text(json.dumps(row) + "\n")
    import_knowledge_base(campaign.project, entries)
    open_queue(phone, campaign)
    phone.keyboard.press("End")
    phone.keyboard.press("/")
    phone.get_by_role("option").first.tap()
    state = phone.locator(".queue-state")
    expect(state).to_have_text(
        "It lies on a pile of its own. Linked to Ruth Okafor. To move it, choose another pile."
    )
    expect(phone.locator("[data-part=message]")).to_contain_text("(A nurse and photographer.")
    assert phone.locator(".queue-text").evaluate("text => text.scrollTop") == 0
    text = box(phone.locator(".queue-text .card-sentence"))
    assert text["y"] + text["height"] <= box(state)["y"]


def test_two_keys_of_a_pile_fit_into_their_cap(page):
    types = [{"name": "PER", "key": "p", "colour": 1}, {"name": "ORG", "key": "o", "colour": 2}]
    schema = {"entity_types": types, "relation_types": [], "nested": False}
    campaign = make_cards(*NAMESAKES, project={"schema": schema})
    task = campaign.tasks.get()
    task.payload["mentions"][-1]["type"] = "ORG"
    task.save()
    open_cards(page, campaign)
    cap = page.locator("mark-menu .key", has_text="S / 1")
    assert cap.evaluate("cap => cap.scrollWidth <= cap.clientWidth")


def test_the_sentence_of_a_row_has_its_whole_width(page):
    open_queue(page, make_cards(*NAMESAKES))
    words = box(page.locator(".queue-row-words").first)
    assert box(page.locator(".queue-row-sentence").first)["width"] == words["width"]
    keep_screenshot(page)


def test_a_name_far_down_in_a_long_text_is_in_sight(phone):
    campaign = make_long_cards(*THREE)
    task = campaign.tasks.first()
    for mention in task.payload["mentions"]:
        mention["before"] *= 3
    task.save()
    open_queue(phone, campaign)
    name, text = phone.locator(".queue-text mark"), phone.locator(".queue-text")
    assert box(text)["y"] <= box(name)["y"]
    assert bottom(name) <= bottom(text)
    # Nor does the line that says where a decided card lies cover it.
    phone.keyboard.press("n")
    phone.keyboard.press("ArrowLeft")
    state = phone.locator(".queue-state")
    expect(state).to_be_visible()
    assert box(text)["y"] <= box(name)["y"]
    assert bottom(name) <= box(state)["y"]
    shade = "part => getComputedStyle(part).boxShadow"
    assert state.evaluate(shade) != "none"  # there is more behind it
    keep_screenshot(phone)
    # Who makes the window larger has it whole, and needs no stop of Tab there.
    expect(phone.get_by_role("group", name=name.inner_text())).to_have_attribute("tabindex", "0")
    phone.set_viewport_size({"width": 1280, "height": 1400})
    expect(text).to_have_attribute("tabindex", "-1")


def test_on_a_phone_a_very_long_name_is_in_sight_at_once(phone):
    long = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz"
    names = ("Ada", "Bo", "Cy", "Di", long)
    open_queue(phone, make_cards(*((name, f"{name} came in March.", "Gazette") for name in names)))
    short = box(phone.locator(".queue-text"))
    text, name = phone.locator(".queue-text"), phone.locator(".queue-name")
    while name.inner_text() != long:
        phone.keyboard.press("ArrowRight")
    hidden = "part => [part.scrollTop, part.scrollHeight - part.clientHeight]"
    assert text.evaluate(hidden) == [0, 0]
    assert box(text)["height"] > short["height"]


def test_side_by_side_on_a_phone_shows_the_name_of_both(phone):
    open_queue(phone, make_long_cards(*THREE))
    phone.get_by_role("button", name="Side by side").tap()
    dialog = phone.get_by_role("dialog")
    keep_screenshot(phone)
    foot = box(dialog.locator(".dialog-foot"))["y"]
    heading = dialog.locator(".side-by-side-pile > h3")
    assert bottom(heading.last) <= foot
    assert bottom(dialog.locator(".readings").first) < box(heading.last)["y"]
    # What stands beside the sentence may decide: that of the card in question is scrolled to.
    own = dialog.locator(".readings").first
    assert own.evaluate("list => list.scrollHeight > list.clientHeight && list.tabIndex === 0")
    expect(own.locator("mark")).to_be_in_viewport(ratio=1)
    expect(dialog.get_by_text("After the council").first).to_be_visible()
    assert violations(phone) == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_on_a_phone_the_head_cuts_the_name_and_no_figure(page, language):
    page.set_viewport_size({"width": 360, "height": 640})
    campaign = make_cards(*NAMESAKES, name="Which of them are the same", pay_mills=100)
    set_instructions(campaign, "Put on one pile what is the same.")  # one button more
    page.goto(f"/join/{campaign_link(campaign)}/?language={language}")
    page.locator("[data-act=agree]").click()
    page.locator("[data-part=help-done]").click()
    expect(page.locator(".queue-card")).to_be_visible()
    place, tools = (
        page.locator(f"[data-part={name}]").bounding_box() for name in ("place", "tools")
    )
    assert place["x"] + place["width"] <= tools["x"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_that_is_turned_the_menu_stands_beside_the_cards(phone):
    phone.set_viewport_size({"width": 844, "height": 390})
    open_queue(phone, make_cards(*NAMESAKES))
    phone.get_by_role("button", name="All piles").tap()
    card(phone, "Tobias Quill").tap()
    menu = box(phone.locator("mark-menu"))
    assert menu["height"] == 390
    for each in phone.locator("[data-card]").all():
        place = box(each)
        assert place["x"] + place["width"] < menu["x"]
    # What bids tap a card is no choice among the others, on a phone that is held upright either.
    phone.set_viewport_size({"width": 390, "height": 844})
    words = box(phone.get_by_text("Tap the card that is the same, or"))
    assert words["y"] + words["height"] <= box(choice(phone, "Tobias Lanner"))["y"]
    assert words["width"] > 300


def test_on_a_phone_that_is_turned_the_piles_stand_beside_the_card_and_what_decides_in_sight(phone):
    phone.set_viewport_size({"width": 844, "height": 390})
    open_queue(phone, make_cards(*harbour_cards(30)))
    for key in "nnsn":
        phone.keyboard.press(key)
    phone.locator(".linking-task").evaluate("task => task.toggleAttribute('data-known', true)")
    phone.evaluate("scrollTo(0, 0)")
    first = phone.locator(".queue-row").first
    expect(first.locator(".queue-row-does").first).to_have_css("position", "static")
    for place in (phone.locator("[data-queue=apart]"), phone.locator("[data-queue=unsure]"), first):
        assert bottom(place) <= 390
    card = box(phone.locator(".queue-card"))
    assert box(first)["x"] >= card["x"] + card["width"]
    keep_screenshot(phone)
    phone.locator(".linking-task").evaluate("task => task.removeAttribute('data-known')")
    keep_screenshot(phone)
