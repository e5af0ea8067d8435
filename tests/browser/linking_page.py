"""The linking page as a worker handles it: cards, piles, what comes of them."""

from __future__ import annotations

import itertools
import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from annotation.actions.tokens import campaign_link
from annotation.models import Campaign
from tests.factories import make_campaign, make_project, make_task

CARDS = (
    ("Freddie Gray", "Freddie Gray died a week after his arrest.", "The Harbour Sun"),
    ("Baltimore", "Thousands marched through Baltimore on Saturday.", "Wire, 26 April"),
    ("Mr Gray", "The van that carried Mr Gray stopped four times.", "Court record"),
    ("Freddie Grey", "A vigil for Freddie Grey began at noon.", "Letter to the editor"),
    ("Baltimore City", "Baltimore City closed its schools.", "Notice of the mayor"),
    ("Ruth Okafor", "Ruth Okafor filmed what she saw.", "The Harbour Sun"),
)

LONG = (
    "{} asked the council in October for another week, since the boards of the pier had come loose "
    "again and nobody wanted to walk there by night without a lamp."
)
NAMESAKES = (
    ("Tobias Lanner", LONG.format("Tobias Lanner"), "To the Vessa Courier"),
    ("Tobias", "Tobias came home late.", "To the Vessa Courier"),
    ("Tobias Quill", "The pilot Tobias Quill brought her in.", "Log of the Dorn"),
    ("Tobias", "Then Tobias took the wheel.", "Log of the Dorn"),
    ("Ruth Okafor", "Ruth Okafor filmed what she saw.", "The Harbour Sun"),
)


# A sentence with those beside it: more than a laptop or a phone has room for.
CONTEXT = {
    "before": "After the council had met for the third time in that long winter, most of those who "
    "had come from the coast went home without a word to anybody, and the others stayed at the "
    "inn.",
    "sentence": "It was said then that {name} would pay for the repair of the harbour wall, which "
    "had been broken by the storm of October, and for the two boats that had been lost with it.",
    "after": "Nobody asked where the money was to come from, and the newspapers of the next "
    "morning wrote about something else, as they had done in the year before, and in the year "
    "before that.",
}


HARBOUR = (
    "Anna Rask", "A. Rask", "Miss Rask", "Anna R.", "the Rask girl", "Aksel Rask", "Agnes Raske",
    "Ruth Okafor", "R. Okafor", "Dr. Okafor", "Okafor", "Falk, master of the Dorn", "Captain Falk",
    "Harrow Isle", "the Sound Ferry Company",
)  # fmt: skip


def harbour_cards(number: int = 60) -> list[tuple[str, str, str]]:
    """As many as a task has at most: each name on several, each in a document of its own."""
    told = (
        "In the year {} it was said that {} had come to the harbour with a letter that nobody "
        "could read."
    )
    names = [HARBOUR[7 * i % len(HARBOUR)] for i in range(number)]
    return [
        (name, told.format(1890 + i, name), f"The Harbour Sun, {i + 1} May")
        for i, name in enumerate(names)
    ]


def decide(page: Page, number: int) -> None:
    """Cards until so many are decided, or one more: two go on the likeliest pile, one alone."""
    place = page.locator("[data-part=place]")
    for key in itertools.cycle("ssn"):
        if int(place.inner_text().split()[0]) >= number:
            return
        page.keyboard.press(key)


def make_long_cards(*names: str) -> Campaign:
    """Two tasks of cards of three sentences."""
    campaign = make_cards(*((name, "", "Letter to the Vessa Courier") for name in names))
    task = campaign.tasks.get()
    for mention in task.payload["mentions"]:
        mention |= {key: text.format(name=mention["name"]) for key, text in CONTEXT.items()}
    task.save()
    make_task(campaign, payload=task.payload)
    return campaign


def make_cards(*cards: tuple[str, str, str], project: Any = None, **fields: Any) -> Campaign:
    """An open campaign with one task of these cards; their ids are m0, m1, …"""
    fields = {"interface": "linking", "redundancy": 1} | fields
    campaign = make_campaign(make_project(**project or {}), **fields)
    mentions = [
        {"id": f"m{i}", "name": name, "sentence": sentence, "document_title": title, "type": "PER"}
        for i, (name, sentence, title) in enumerate(cards or CARDS)
    ]
    make_task(campaign, payload={"mentions": mentions})
    return campaign


def open_queue(page: Page, campaign: Campaign) -> None:
    page.goto(f"/join/{campaign_link(campaign)}/")
    expect(page.locator(".queue-card")).to_be_focused()


def open_cards(page: Page, campaign: Campaign) -> None:
    """All piles at once."""
    open_queue(page, campaign)
    page.keyboard.press("g")
    expect(page.locator("[data-card]").first).to_be_focused()


def queued(page: Page) -> Locator:
    """The name of the card that is asked about."""
    return page.locator(".queue-name")


def card(page: Page, name: str) -> Locator:
    exactly = re.compile(rf"^{re.escape(name)}$")
    return page.locator("[data-card]").filter(has=page.locator(".card-name", has_text=exactly))


def pile_row(page: Any, name: str) -> Locator:
    """The pile of that name beside the card."""
    exactly = re.compile(rf"^{re.escape(name)}$")
    rows = page.locator(".queue-row")
    return rows.filter(has=page.locator(".queue-row-name", has_text=exactly)).first


def rows(page: Page) -> Locator:
    """All piles beside the card."""
    return page.locator(".queue-row")


def same(page: Page) -> Locator:
    """The button that puts a card on the likeliest."""
    return page.locator("[data-queue=same]")


def asked(page: Page) -> Locator:
    """What is asked above the bar before undecided cards are handed in."""
    return page.locator("[data-part=message]:has(button)")


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, what: Locator, onto: Locator) -> None:
    page.mouse.move(*middle(what))
    page.mouse.down()
    page.mouse.move(*middle(onto), steps=4)
    page.mouse.up()


def choice(page: Page, name: str) -> Locator:
    """A button of the menu by its name; a note or a key may stand beside that."""
    exactly = re.compile(rf"^{re.escape(name)}$")
    return page.locator("mark-menu button").filter(has=page.locator("bdi", has_text=exactly))


def piles(page: Page) -> list[str]:
    """What is seen, from the first to the last: a card alone by its name, a pile by its cards."""
    return page.evaluate(
        """() => [...document.querySelector("card-board").children].map((place) => {
          const names = [...place.querySelectorAll(".card-name")].map((name) => name.textContent);
          const kind = place.matches(".pile-unsure") ? "? " : place.matches(".pile") ? "= " : "";
          return kind + names.join(", ");
        })"""
    )


def at_cursor(page: Page) -> Locator:
    """The name on the card that has the focus."""
    return page.locator("[data-card]:focus .card-name")
