"""Sorting cards into piles: by mouse, by finger, by keyboard alone."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from annotation.actions.knowledge import import_knowledge_base
from tests.browser.entity_page import expect_all_done, message, sent, submit
from tests.browser.linking_page import (
    at_cursor,
    card,
    choice,
    drag,
    make_cards,
    middle,
    open_cards,
    open_queue,
    piles,
    queued,
)
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import expect_kept
from tests.factories import make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

APART = ["Baltimore", "Baltimore City", "Freddie Gray", "Freddie Grey", "Mr Gray", "Ruth Okafor"]


@pytest.fixture
def knowledge(tmp_path):
    """A knowledge base for a campaign's project."""

    def fill(campaign, description="A man of 25"):
        rows = [
            {"key": "Q1", "name": "Freddie Gray", "type": "PER", "description": description},
            {"key": "Q2", "name": "Baltimore", "type": "LOC", "aliases": ["City of Baltimore"]},
        ]
        path = tmp_path / "entries.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        import_knowledge_base(campaign.project, path)

    return fill


def pile_head(page, name):
    return page.locator(".pile").filter(has_text=name).locator(".pile-head")


def test_by_mouse(page):
    campaign = make_cards()
    open_cards(page, campaign)
    assert sorted(piles(page)) == APART
    # A card onto a card, another onto the pile, two at once.
    drag(page, card(page, "Mr Gray"), card(page, "Freddie Gray"))
    expect(message(page)).to_have_text(
        "“Mr Gray” added to “Freddie Gray”. The pile has 2 cards now."
    )
    drag(page, card(page, "Freddie Grey"), pile_head(page, "Freddie Gray"))
    card(page, "Baltimore").click()
    card(page, "Ruth Okafor").click(modifiers=["Shift"])
    drag(page, card(page, "Baltimore"), card(page, "Baltimore City"))
    expect(page.locator(".pile")).to_have_count(2)
    # Out of a pile again: to a place of its own, and to the unsure ones.
    page.mouse.move(*middle(card(page, "Ruth Okafor")))
    page.mouse.down()
    page.mouse.move(300, 300, steps=3)
    page.mouse.move(*middle(page.locator("[data-drop=apart]")), steps=3)
    page.mouse.up()
    expect(message(page)).to_contain_text("“Ruth Okafor” put on a new pile.")
    page.mouse.move(*middle(card(page, "Mr Gray")))
    page.mouse.down()
    page.mouse.move(300, 300, steps=3)
    page.mouse.move(*middle(page.locator("[data-drop=unsure]")), steps=3)
    page.mouse.up()
    assert piles(page)[-1] == "? Mr Gray"
    # Escape lets go of what is dragged; a drop on its own pile changes nothing.
    before = piles(page)
    page.mouse.move(*middle(card(page, "Ruth Okafor")))
    page.mouse.down()
    page.mouse.move(*middle(card(page, "Baltimore")), steps=3)
    page.keyboard.press("Escape")
    page.mouse.up()
    drag(page, card(page, "Baltimore"), card(page, "Baltimore City"))
    assert piles(page) == before
    expect(page.locator(".card-ghost")).to_have_count(0)
    # A whole pile onto another, and back by undo.
    pile_head(page, "Freddie Gray").evaluate("head => head.scrollIntoView({ block: 'center' })")
    drag(page, pile_head(page, "Freddie Gray"), card(page, "Baltimore"))
    expect(page.locator(".pile .card")).to_have_count(4 + 1)
    page.get_by_role("button", name="Undo").click()
    assert piles(page) == before
    submit(page)
    expect_all_done(page)
    assert sent(campaign) == [
        {
            "clusters": [
                {"link": None, "mentions": ["m0", "m3"]},
                {"link": None, "mentions": ["m1", "m4"]},
                {"link": None, "mentions": ["m5"]},
            ],
            "unsure": ["m2"],
            "undecided": [],
        }
    ]


def test_by_finger(phone):
    campaign = make_cards()
    open_cards(phone, campaign)
    card(phone, "Mr Gray").tap()
    for control in phone.locator("mark-menu button:visible").all():
        box = control.bounding_box()
        assert box["height"] >= 44 or box["width"] >= 44, control
    expect(phone.locator("mark-menu")).to_contain_text("Tap the card that is the same")
    card(phone, "Freddie Gray").tap()
    expect(message(phone)).to_contain_text("“Mr Gray” added to “Freddie Gray”.")
    expect(phone.locator("mark-menu")).to_be_hidden()
    card(phone, "Freddie Grey").tap()
    choice(phone, "Freddie Gray").tap()
    card(phone, "Baltimore").tap()
    card(phone, "Baltimore").tap()  # put down where it was
    expect(phone.locator("mark-menu")).to_be_hidden()
    card(phone, "Ruth Okafor").tap()
    choice(phone, "Can’t tell").tap()
    assert sorted(piles(phone)) == [
        "= Mr Gray, Freddie Gray, Freddie Grey", "? Ruth Okafor", "Baltimore", "Baltimore City",
    ]  # fmt: skip
    # A finger drags by the grip.
    x, y = middle(card(phone, "Baltimore City"))
    phone.evaluate(
        """([x, y]) => {
          const cards = [...document.querySelectorAll("[data-card]")];
          const named = (each) => each.querySelector(".card-name").textContent;
          const card = cards.find((each) => named(each) === "Baltimore");
          const grip = card.querySelector(".card-grip");
          const from = grip.getBoundingClientRect();
          const fire = (kind, x, y) => grip.dispatchEvent(new PointerEvent(kind, {
            pointerId: 7, pointerType: "touch", clientX: x, clientY: y, bubbles: true,
            cancelable: true, isPrimary: true, button: 0,
          }));
          fire("pointerdown", from.x + 20, from.y + 20);
          fire("pointermove", from.x + 40, from.y + 40);
          fire("pointermove", x, y);
          fire("pointerup", x, y);
        }""",
        [x, y],
    )
    assert "= Baltimore City, Baltimore" in piles(phone)
    submit(phone)
    expect_all_done(phone)
    assert sent(campaign)[0]["unsure"] == ["m5"]
    assert sent(campaign)[0]["undecided"] == []


def test_by_keyboard_alone(page, knowledge):
    campaign = make_cards()
    knowledge(campaign)
    make_task(campaign, payload={"mentions": [
        {"id": "z1", "name": "Ann", "sentence": "Ann slept.", "document_title": "A", "type": "PER"}
    ]})  # fmt: skip
    open_cards(page, campaign)
    press = page.keyboard.press
    assert piles(page) == [
        "Mr Gray",
        "Freddie Gray",
        "Freddie Grey",
        "Baltimore City",
        "Baltimore",
        "Ruth Okafor",
    ]  # similar names lie next to each other
    for key in ("s", "s", "n", "s"):  # one key a card, at most
        press(key)
    expect(at_cursor(page)).to_have_text("Ruth Okafor")
    assert piles(page) == [
        "= Mr Gray, Freddie Gray, Freddie Grey",
        "= Baltimore City, Baltimore",
        "Ruth Okafor",
    ]
    # What is likely has a digit, wherever it lies.
    reach(page, "Mr Gray")
    press("Delete")
    expect(at_cursor(page)).to_have_text("Ruth Okafor")  # the next that lies alone
    press("Home")
    expect(choice(page, "Freddie Gray").locator(".key")).to_have_text("1")
    press("1")
    expect(message(page)).to_contain_text("“Mr Gray” added to “Freddie Gray”. The pile has 3 cards")
    # Side by side, and a decision there.
    reach(page, "Ruth Okafor")
    press(" ")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Ruth Okafor filmed what she saw.")
    expect(dialog.locator(".reading")).to_have_count(1)  # no name is like it
    expect(dialog.get_by_role("button", name="Same")).to_have_count(0)
    press(" ")
    expect(dialog).to_be_hidden()
    press(" ")
    press("u")
    told = "“Ruth Okafor” marked “Can’t tell”. All cards are decided. Submit them."
    expect(message(page)).to_have_text(told)
    expect(page.locator("[data-part=live]")).to_have_text(told)
    # Of a pile, each card can be taken out there.
    reach(page, "Freddie Grey")
    press(" ")
    dialog.get_by_role("button", name="Take out Mr Gray").click()
    expect(message(page)).to_have_text("“Mr Gray” put on a new pile.")
    press("Control+z")
    # The link of a pile.
    reach(page, "Mr Gray")
    press("/")
    expect(page.locator("entry-search").get_by_role("option").first).to_have_text(
        re.compile("Freddie Gray")
    )
    press("Enter")
    expect(message(page)).to_contain_text("linked to “Freddie Gray”")
    told = "linked to Freddie Gray (A man of 25)"
    expect(page.locator(".pile-link").first).to_have_text(told)
    # It is shown where it is sought anew, and can be taken away there.
    press("/")
    expect(page.locator(".entry-search-label")).to_contain_text(f"{told[0].upper()}{told[1:]}.")
    page.get_by_role("option", name="Remove the link").click()
    expect(message(page)).to_contain_text("ink of “Freddie Gray” removed")
    expect(page.locator(".pile-link").first).to_be_empty()
    press("/")
    expect(page.locator("entry-search [role=option]")).to_have_count(1)  # no link to remove
    press("Escape")
    press("Control+z")
    # A draft comes back, with the names of its links.
    expect_kept(page)
    before = piles(page)
    page.reload()
    expect(page.locator(".pile-link").first).to_have_text(told)
    assert piles(page) == before
    # All steps back, and forth.
    reach(page, "Baltimore")
    press("a")
    press("n")  # a pile already: nothing changes
    press("Shift+ArrowRight")
    press("n")
    press("Control+z")
    assert piles(page) == before
    press("Control+Shift+z")
    assert piles(page) != before
    press("Control+z")
    press("Control+z")  # also what was done before the page was loaded again
    undone = "Undone: “Freddie Gray” linked to “Freddie Gray” (A man of 25)."
    expect(message(page)).to_have_text(undone)
    press("Control+Shift+z")
    seen = []
    page.on("request", lambda request: seen.append((request.method, request.url.split("/")[-2])))
    press("Enter")
    expect(at_cursor(page)).to_have_text("Ann")
    assert [each for each in seen if each[1] not in ("draft", "events")] == [("POST", "submit")]
    press("Enter")  # a single card needs no second thought
    expect_all_done(page)
    clusters = sent(campaign)[0]["clusters"]
    assert clusters[0] == {"link": "Q1", "mentions": ["m0", "m2", "m3"]}


def reach(page, name):
    """Go there by arrows."""
    page.keyboard.press("Home")
    for _ in range(12):
        if at_cursor(page).inner_text() == name:
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"The arrows don't lead to {name}.")


def test_where_no_entry_has_the_whole_name_its_last_words_are_searched_for(page, knowledge):
    name = "Commissioner Quartermaster Bartholomew Freddie Gray"
    campaign = make_cards((name, "", ""), ("Ruth Okafor", "", ""))
    knowledge(campaign)
    open_queue(page, campaign)
    page.keyboard.press("/")
    search = page.locator("entry-search")
    expect(search.get_by_role("status")).to_have_text(
        f"Nothing found for “{name}”. Found for “Freddie Gray”:"
    )
    expect(search.get_by_role("option").first).to_contain_text("A man of 25")
    keep_screenshot(page)
    page.keyboard.press("Enter")  # it was not asked for
    expect(search.get_by_role("status")).to_contain_text("The arrow key ↓ leads to “Freddie Gray”")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(message(page)).to_contain_text("linked to “Freddie Gray” (A man of 25).")


@pytest.mark.parametrize("way", ["button", "key"])
def test_two_piles_of_one_entry_are_asked_about_and_put_together_at_once(page, knowledge, way):
    campaign = make_cards()
    knowledge(campaign)
    open_queue(page, campaign)

    def link(name):
        while queued(page).inner_text() != name:
            page.keyboard.press("Enter")
        page.keyboard.press("/")
        page.get_by_label("Find it").fill("Freddie")
        expect(page.get_by_role("option").first).to_contain_text("A man of 25")
        page.keyboard.press("Enter")

    link("Ruth Okafor")
    expect(message(page)).to_contain_text("linked to “Freddie Gray” (A man of 25).")
    expect(message(page).get_by_role("button")).to_have_count(0)
    link("Baltimore")
    asks = "linked to “Freddie Gray” (A man of 25). So is “Ruth Okafor”. Are they the same?"
    expect(message(page)).to_contain_text(asks)
    expect(page.locator(".queue-finished")).to_contain_text("linked to Freddie Gray (A man of 25)")
    button = message(page).get_by_role("button", name="Put together")
    key = button.locator(".key").inner_text()
    page.keyboard.press(key) if way == "key" else button.click()
    expect(message(page)).to_contain_text("“Baltimore” added to “Ruth Okafor”.")


def test_on_a_phone_the_question_about_one_entry_is_low(phone, knowledge):
    """Long names, and a description of two lines: its button stands beside the last words."""
    names = ("Gerhardt Friedrich Gray", "Chancellor Gray-Okafor")
    campaign = make_cards(*((name, f"{name} spoke.", "Letter") for name in names))
    knowledge(campaign, "Chancellor of Germany from 1998 to 2005, born in Mossenberg")
    open_queue(phone, campaign)
    for name in names:
        expect(queued(phone)).to_have_text(name)
        phone.get_by_role("button", name="Link to an entry…").tap()
        phone.get_by_label("Find it").fill("Freddie")
        phone.get_by_role("option").first.tap()
        if name == names[0]:
            phone.keyboard.press("ArrowRight")
    expect(message(phone)).to_contain_text("So is “Gerhardt Friedrich Gray”. Are they the same?")
    keep_screenshot(phone)
    button = message(phone).get_by_role("button", name="Put together").bounding_box()
    asked = message(phone).bounding_box()
    assert asked["height"] < 140, asked  # it was 180
    assert button["height"] >= 44
    assert asked["x"] + asked["width"] >= button["x"] + button["width"]


def test_several_chosen_cards_are_put_together_and_on_no_third(page):
    open_cards(page, make_cards())  # Mr Gray, Freddie Gray, Freddie Grey, …
    page.keyboard.press("ArrowRight")
    expect(choice(page, "Freddie Grey").locator(".key")).to_have_text("S / 1")
    page.keyboard.press("Shift+ArrowRight")
    expect(choice(page, "Put these together").locator(".key")).to_have_text("S")
    expect(choice(page, "Mr Gray").locator(".key")).to_have_text("1")
    page.keyboard.press("s")
    assert "= Freddie Gray, Freddie Grey" in piles(page)
    card(page, "Freddie Gray").click()
    card(page, "Ruth Okafor").click(modifiers=["Shift"])
    choice(page, "Put these together").click()
    assert "= Freddie Gray, Freddie Grey, Ruth Okafor" in piles(page)
    page.keyboard.press("a")  # of one pile `s` means another
    expect(choice(page, "Put these together")).to_have_count(0)
