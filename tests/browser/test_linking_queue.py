"""One card after the other: what is offered, what a key decides, and where undo leads."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from annotation.actions.knowledge import import_knowledge_base
from annotation.actions.tokens import campaign_link
from tests.browser.entity_page import message, submit
from tests.browser.linking_page import (
    CONTEXT,
    NAMESAKES,
    card,
    harbour_cards,
    make_cards,
    middle,
    open_queue,
    pile_row,
    piles,
    queued,
    rows,
)
from tests.browser.practice_page import LAPTOP, look, practise
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import expect_kept
from tests.factories import make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ORDER = ["Tobias Lanner", "Tobias", "Tobias", "Tobias Quill", "Ruth Okafor"]


def test_undo_leads_back_to_the_card_that_was_decided(page):
    open_queue(page, make_cards(*NAMESAKES))
    press = page.keyboard.press
    press("s")
    press("n")
    expect(queued(page)).to_have_text("Tobias Quill")
    pile_row(page, "Tobias Lanner").click()  # the wrong one
    expect(queued(page)).to_have_text("Ruth Okafor")
    page.get_by_role("button", name="Undo").click()
    expect(queued(page)).to_have_text("Tobias Quill")
    press("Control+Shift+z")
    expect(queued(page)).to_have_text("Ruth Okafor")  # where undo was pressed
    press("Control+z")
    expect(queued(page)).to_have_text("Tobias Quill")
    press("n")  # a draft keeps it too
    expect_kept(page)
    page.reload()
    expect(page.locator("[data-part=place]")).to_have_text("4 of 5 cards")
    expect(queued(page)).to_have_text("Ruth Okafor")  # what is left, not what was decided first
    press("Control+z")
    expect(queued(page)).to_have_text("Tobias Quill")


def test_keys_mean_the_same_piles_beside_one_card_and_among_all(page):
    open_queue(page, make_cards(*NAMESAKES))
    for key in "nns":
        page.keyboard.press(key)
    page.keyboard.press("Home")
    page.keyboard.press("Enter")  # the pile that was left last is not the likeliest
    expect(queued(page)).to_have_text("Tobias Quill")
    keyed = "all => all.map((one) => [one.querySelector('.key').textContent, one.dataset.value])"
    beside = page.locator(".queue-row").evaluate_all(keyed)
    assert [key for key, _ in beside] == ["1", "2"]
    page.keyboard.press("g")
    expect(page.locator("[data-card]:focus")).to_be_visible()
    among = page.locator("mark-menu [data-action=together]").evaluate_all(keyed)
    (first, likeliest), *others = among
    assert (first, likeliest) == ("S / 1", beside[0][1])
    assert others == beside[1:]
    expect(page.locator(".pile-focused .card-name")).to_have_text(["Tobias", "Tobias"])
    expect(page.locator("card-board .card-key:not(:empty)")).to_have_text(["2", "S / 1"])
    page.keyboard.press("s")
    expect(message(page)).to_contain_text("“Tobias Quill” added to “Tobias”.")
    # What is decided stays there in either view, until another pile is chosen.
    page.keyboard.press("Home")
    before = piles(page)
    page.keyboard.press("s")
    expect(message(page)).to_have_text("This card is decided. To move it, choose another pile.")
    assert piles(page) == before


def test_a_double_click_decides_no_card_that_nobody_has_read(page):
    """Rows are sorted anew after each decision: another pile lies under the pointer."""
    campaign = make_cards(*NAMESAKES)
    page.goto(f"/join/{campaign_link(campaign)}/")
    place = page.locator("[data-part=place]")
    expect(page.locator(".queue-card")).to_be_focused()
    page.mouse.dblclick(*middle(rows(page).first))
    expect(place).to_have_text("2 of 5 cards")  # both in one step
    expect(message(page)).to_contain_text("Cards 1 and 2 are decided.")
    for number, act in enumerate(("apart", "unsure"), start=3):
        page.mouse.dblclick(*middle(page.locator(f"[data-queue={act}]")))
        expect(place).to_have_text(f"{number} of 5 cards")


def test_the_second_press_of_a_double_click_selects_no_text_of_the_next_card(page):
    page.set_viewport_size({"width": 700, "height": 600})
    open_queue(page, make_cards(*NAMESAKES))
    row = rows(page).first
    row.evaluate("row => row.scrollIntoView({ block: 'center' })")
    page.mouse.dblclick(*middle(row))
    expect(page.locator("[data-part=place]")).to_have_text("2 of 5 cards")
    assert page.evaluate("getSelection().isCollapsed")
    # A word is selected by it as anywhere.
    page.mouse.dblclick(*middle(page.locator(".queue-text mark")))
    assert page.evaluate("String(getSelection())").strip() == "Tobias"


def test_the_large_card_shows_what_stands_beside_its_sentence(page):
    campaign = make_cards()
    task = campaign.tasks.get()
    for mention in task.payload["mentions"]:
        mention |= {"before": "It rained.", "after": "Nobody looked."}
    task.save()
    open_queue(page, campaign)
    large = page.locator(".queue-text .card-sentence")
    expect(large).to_have_text(
        "It rained. The van that carried Mr Gray stopped four times. Nobody looked."
    )
    expect(large.locator("mark")).to_have_text("Mr Gray")
    expect(rows(page).first).not_to_contain_text("It rained.")
    page.keyboard.press("g")
    expect(card(page, "Mr Gray").locator(".card-sentence")).to_have_text(
        "… The van that carried Mr Gray stopped four times. …"
    )
    keep_screenshot(page)


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_buttons_stay_where_they_are_from_card_to_card(page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_queue(page, make_cards(*NAMESAKES))
    tops = []
    for name in ORDER:
        expect(queued(page)).to_have_text(name)
        tops.append(page.locator("[data-queue=apart]").bounding_box()["y"])
        page.keyboard.press("ArrowRight")
    assert max(tops) - min(tops) < 1, tops


def test_one_long_text_makes_no_hole_of_the_others(page):
    """On a phone it scrolls in the room of the others; among all piles it stands beside them."""
    page.set_viewport_size({"width": 390, "height": 844})
    *short, last = NAMESAKES[1:]
    long = (last[0], " ".join(CONTEXT.values()).format(name=last[0]), last[2])
    open_queue(page, make_cards(*short, long, ("Ada Bell", "Ada Bell sang.", "")))
    text, apart = page.locator(".queue-text"), page.locator("[data-queue=apart]")
    tops = []
    for _ in range(5):
        tops.append(apart.bounding_box()["y"])
        page.keyboard.press("ArrowRight")
    assert max(tops) - min(tops) < 1, tops
    assert text.bounding_box()["height"] < 170
    page.set_viewport_size({"width": 1280, "height": 800})
    page.keyboard.press("g")
    heights = [card(page, name).bounding_box()["height"] for name in ("Ruth Okafor", "Ada Bell")]
    assert heights[0] > 1.5 * heights[1]


def test_previous_moves_nothing_where_it_first_leads_somewhere(phone):
    """A finger's buttons are higher than their words."""
    open_queue(phone, make_cards(*NAMESAKES))
    parts = (".queue-name", "[data-queue=apart]", ".queue-rows")
    tops = [[phone.locator(part).bounding_box()["y"] for part in parts]]
    later = middle(phone.locator("[data-act=submit]"))
    phone.touchscreen.tap(*later)  # a locator's tap would scroll first
    expect(phone.locator("[data-queue=back]")).to_be_visible()
    tops.append([phone.locator(part).bounding_box()["y"] for part in parts])
    assert tops[0] == tops[1]


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
@pytest.mark.parametrize("language", ["en", "de"])
def test_all_that_corrects_is_in_sight_below_what_is_said_of_it(page, size, language):
    """A line at a desk; on a phone so little that the likeliest pile begins above the bar."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    campaign = make_cards(*NAMESAKES, pay_mills=300, budget_mills=1_000)
    make_task(campaign, payload=campaign.tasks.get().payload)
    page.goto(f"/join/{campaign_link(campaign)}/?language={language}")
    expect(page.locator(".queue-card")).to_be_focused()
    for key in "nnnnn":
        page.keyboard.press(key)
    expect(page.locator(".linking-task:not([data-open])")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("[data-part=place]")).to_contain_text("0 ")
    if size[0] < 640:
        page.locator("[data-part=menu]").click()
    page.locator("[data-part=my-work]").click()
    page.locator("dialog li button").last.click()
    expect(page.locator("[data-part=feedback-title]")).to_be_visible()
    expect(page.locator("[data-part=bar] [data-act=skip]")).to_be_hidden()
    bar = page.locator("[data-part=bar]").bounding_box()["y"]
    keep_screenshot(page)

    def bottom(place):
        box = place.bounding_box()
        return box["y"] + box["height"]

    if size[0] == 1280:
        assert page.locator(".feedback").bounding_box()["height"] < 50
        assert bottom(page.locator(".queue-card")) <= bar
    assert bottom(page.locator(".queue-acts")) <= bar  # of a sentence of six lines
    if language == "en":
        assert bottom(page.locator(".queue-row-name").first) <= bar


def test_nothing_moves_on_a_phone_when_a_card_is_decided(page):
    """Not the question, which stays as long as the first task does, and no message of two lines."""
    page.set_viewport_size({"width": 390, "height": 844})
    campaign = make_cards(*NAMESAKES)
    make_task(campaign, payload=campaign.tasks.get().payload)
    open_queue(page, campaign)
    question = page.locator(".linking-question")

    def tops():
        parts = (".queue-cells", ".queue-card", "[data-queue=apart]", ".queue-rows")
        return [page.locator(part).bounding_box()["y"] for part in parts]

    before = tops()
    page.mouse.click(*middle(rows(page).first))  # a locator's click would scroll first
    expect(message(page)).to_contain_text("Cards 1 and 2 are decided.")
    assert message(page).bounding_box()["height"] > 50  # two lines
    assert tops() == before
    page.keyboard.press("n")
    expect(message(page)).to_contain_text("put on a new pile")
    assert tops() == before
    expect(question).to_be_visible()
    for key in "nn":
        page.keyboard.press(key)
    expect(message(page)).to_contain_text("All cards are decided.")
    assert tops() == before
    page.keyboard.press("Enter")
    expect(page.locator("[data-part=place]")).to_have_text("0 of 5 cards")
    expect(question).to_be_hidden()  # it is known, and the room is for the piles
    before = tops()
    page.keyboard.press("n")
    assert tops() == before


@pytest.mark.parametrize("size", [(390, 844), (768, 1024)])
def test_the_next_card_is_in_sight_wherever_the_page_was_scrolled_to(phone, size):
    phone.set_viewport_size({"width": size[0], "height": size[1]})
    campaign = make_cards(*harbour_cards(30))
    open_queue(phone, campaign)
    # As from the second task on: the question is hidden, and the cells stand below the card.
    phone.locator(".linking-task").evaluate("task => task.toggleAttribute('data-known', true)")
    for _ in range(8):
        phone.keyboard.press("n")

    def is_seen():
        frame = phone.locator(".work-head").bounding_box()
        return phone.locator(".queue-card").bounding_box()["y"] >= frame["y"] + frame["height"]

    acts = [phone.locator(f"[data-act={act}]") for act in ("submit", "undo")]
    for press in (rows(phone).first, *acts):
        phone.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        assert not is_seen()
        press.evaluate("button => button.click()")  # a tap would scroll first
        assert is_seen()


def test_side_by_side_goes_from_pile_to_pile(page):
    open_queue(page, make_cards(*NAMESAKES))
    page.keyboard.press(" ")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Tobias came home late.")
    expect(dialog).to_contain_text("1 of 3")
    page.keyboard.press("ArrowRight")
    expect(dialog).to_contain_text("Then Tobias took the wheel.")
    dialog.get_by_role("button", name="Next").click()
    expect(dialog).to_contain_text("brought her in.")
    page.keyboard.press("s")
    expect(message(page)).to_contain_text("“Tobias Lanner” added to “Tobias Quill”.")


def test_a_type_is_named_where_it_tells_cards_apart(page):
    schema = {"entity_types": [{"name": name, "colour": 1} for name in ("PER", "ORG")]}
    one = make_cards(*NAMESAKES, project={"schema": schema})
    open_queue(page, one)
    expect(page.locator(".queue-place")).to_have_text("Card 1 of 5")
    page.keyboard.press("Space")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator(".card-type:visible")).to_have_count(0)
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    expect(card(page, "Tobias Quill")).to_be_visible()
    expect(page.locator(".card-type:visible")).to_have_count(0)
    page.keyboard.press("g")  # the device remembers how cards are shown
    several = make_cards(*NAMESAKES, project={"schema": schema})
    task = several.tasks.get()
    task.payload["mentions"][4]["type"] = "ORG"
    task.save()
    open_queue(page, several)
    expect(page.locator(".queue-place")).to_have_text("Card 1 of 5 · PER")
    page.keyboard.press("g")
    expect(page.locator(".card-type:visible")).to_have_text(["PER"] * 4 + ["ORG"])


def test_a_link_is_sought_in_sight_and_left_by_a_button(page, tmp_path):
    schema = {
        "entity_types": [{"name": "PER", "key": "p", "colour": 1, "description": "A person"}],
        "relation_types": [], "nested": False,
    }  # fmt: skip
    campaign = make_cards(*NAMESAKES, project={"schema": schema})
    entries = tmp_path / "entries.jsonl"
    entries.write_text(json.dumps({"key": "Q1", "name": "Tobias Lanner", "type": "PER"}) + "\n")
    import_knowledge_base(campaign.project, entries)
    open_queue(page, campaign)
    expect(page.locator(".queue-type")).to_have_text("A person")
    page.get_by_role("button", name="Link to an entry…").click()
    search = page.locator("entry-search")
    expect(search).to_contain_text("(optional)")
    expect(search.get_by_role("option").first).to_contain_text("A person")
    expect(rows(page).first).to_be_hidden()
    box = search.bounding_box()
    assert box["y"] + box["height"] < page.locator("[data-part=bar]").bounding_box()["y"]
    search.get_by_role("button", name="Close").click()
    expect(search).to_have_count(0)
    expect(rows(page).first).to_be_visible()
    page.keyboard.press("/")
    expect(search).to_be_visible()
    page.get_by_role("button", name="Later").click()  # it was about the card that is left
    expect(search).to_have_count(0)
    # Among all piles it lies below the head, however far down the card is.
    page.set_viewport_size({"width": 1280, "height": 500})
    page.keyboard.press("g")
    page.keyboard.press("End")
    expect(page.locator("[data-card]").last).to_be_focused()
    assert page.evaluate("scrollY") > 0
    page.keyboard.press("/")
    head = page.locator("[data-part=head]").bounding_box()
    assert search.bounding_box()["y"] >= head["y"] + head["height"]


def test_the_type_of_an_entry_is_told_in_words_or_not_at_all(page, tmp_path):
    types = [{"name": "PER", "description": "A person"}, {"name": "ORG", "description": "A firm"}]
    campaign = make_cards(*NAMESAKES, project={"schema": {"entity_types": types}})
    entries = [
        {"key": "Q1", "name": "Tobias Lanner", "type": "ORG"},  # no card is of this type
        {"key": "Q2", "name": "Tobias Lanner II", "type": "shp", "description": "A boat of 1911"},
        {"key": "Q3", "name": "Tobias Lanner III", "type": "ship"},
    ]
    path = tmp_path / "entries.jsonl"
    path.write_text("\n".join(map(json.dumps, entries)))
    import_knowledge_base(campaign.project, path)
    open_queue(page, campaign)
    page.keyboard.press("/")
    notes = page.get_by_role("option").locator(".soft")
    expect(notes).to_have_text(["A firm", "A boat of 1911", "ship"])


def test_practice_says_with_which_of_its_namesakes_a_card_lay(page):
    alike = [("Tobias", f"Tobias spoke {i} times.", f"Letter {i}") for i in range(4)]
    right = {
        "clusters": [
            {"link": None, "mentions": ["m0", "m1"]}, {"link": None, "mentions": ["m2", "m3"]},
        ],
        "unsure": [], "undecided": [],
    }  # fmt: skip
    look(page, LAPTOP, "light")
    open_queue(page, practise(make_cards(*alike), right))
    for key in ("n", "1", "1", "n"):
        page.keyboard.press(key)
    submit(page)
    expect(page.locator(".outcome", has_text="you put it with").first).to_contain_text(
        re.compile(r"“Tobias” \(Letter \d\)")
    )
