"""The entity page as a worker handles it: opening a task, pointing at words, what is marked."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, TimeoutError, expect

from annotation.actions.tokens import campaign_link
from annotation.models import Campaign, Response
from tests.factories import make_campaign, make_document, make_project, make_task

STORY = "Ada Lovelace met Charles Babbage in London . Babbage showed Ada his engine ."


def make_story(*texts: str, **project: Any) -> Campaign:
    """An open campaign that groups names, with a task for each text, in their order."""
    campaign = make_campaign(make_project(**project), options={"coreference": True})
    for text in texts or (STORY,):
        make_task(campaign, make_document(campaign.project, text))
    return campaign


def open_task(page: Page, campaign: Campaign) -> None:
    page.goto(f"/join/{campaign_link(campaign)}/")
    expect(token(page, 0)).to_be_visible()


def token(page: Page, number: int) -> Locator:
    return page.locator(f'[data-token="{number}"]')


def middle(page: Page, number: int) -> tuple[float, float]:
    box = token(page, number).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, first: int, last: int) -> None:
    page.mouse.move(*middle(page, first))
    page.mouse.down()
    page.mouse.move(*middle(page, last), steps=5)
    page.mouse.up()


def menu(page: Page) -> Locator:
    return page.locator("mark-menu")


def choice(page: Page, name: str) -> Locator:
    """A button of the menu by its name; a note or a key may stand beside that."""
    exactly = re.compile(rf"^{re.escape(name)}$")
    return menu(page).locator("button").filter(has=page.locator("bdi", has_text=exactly))


def message(page: Page) -> Locator:
    """The line in which the page says what has happened."""
    return page.locator("[data-part=message]")


def expect_all_done(page: Page) -> None:
    expect(page.get_by_role("heading", name="All done for now")).to_be_visible()


# No `innerText`: the lines of a text that were never drawn have none.
MENTIONS = """Array.from(document.querySelectorAll("mark.mention"),
  (mark) => [mark.textContent, mark.dataset.type || ""])"""


def marked(page: Page) -> list[tuple[str, str]]:
    """(words, type) of each mention that is shown now, in the order of the text; all at one
    moment, for the page may be drawing them."""
    return [(words, kind) for words, kind in page.evaluate(MENTIONS)]


def expect_mentions(page: Page, mentions: list[tuple[str, str]]) -> None:
    """The page comes to show exactly these: parts of it that come late may yet be on their way."""
    try:
        page.wait_for_function(
            f"(wanted) => JSON.stringify({MENTIONS}) === JSON.stringify(wanted)",
            arg=[list(mention) for mention in mentions],
        )
    except TimeoutError:
        assert marked(page) == mentions


def expect_entities(page: Page, names: list[str]) -> None:
    """The list at the side comes to show these: a name and what is said of it."""
    expect(page.locator("entity-list .entity-name")).to_have_text(names, use_inner_text=True)


def lines_read(page: Page) -> int:
    """As the rail beside the text says."""
    words = page.locator("reading-rail .rail-words")
    page.keyboard.press("Shift")  # it comes when somebody begins, and this means nothing else
    expect(words).not_to_be_empty()
    return int((words.text_content() or "").split()[0])


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit", exact=True).click()


def sent(campaign: Campaign) -> list[dict[str, Any]]:
    """The answers that have come in, the oldest first."""
    return list(
        Response.objects.filter(assignment__task__campaign=campaign)
        .order_by("received_at")
        .values_list("answer", flat=True)
    )


def spans(answer: dict[str, Any]) -> list[tuple[int, int, str, str | None]]:
    return [(m["start"], m["end"], m["type"], m["entity"]) for m in answer["mentions"]]
