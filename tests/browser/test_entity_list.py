"""The list of what is marked, where names are not grouped: those that read alike in one row."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.actions.knowledge import import_knowledge_base
from annotation.models import Campaign
from tests.browser.accessible import violations
from tests.browser.entity_page import (
    choice,
    expect_all_done,
    expect_entities,
    expect_mentions,
    marked,
    menu,
    message,
    open_task,
    sent,
    submit,
    token,
)  # fmt: skip
from tests.browser.late_parts import expect_late_parts
from tests.factories import make_campaign, make_document, make_project, make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LINES = 12
LINE = "Ada met Bob ."
WORDS = len(LINE.split())


def make_lines(lines: int = LINES) -> Campaign:
    campaign = make_campaign(make_project(), options={"coreference": False})
    make_task(campaign, make_document(campaign.project, "\n".join([LINE] * lines)))
    return campaign


def mark_everywhere(page: Page) -> None:
    expect_late_parts(page)
    token(page, 0).click()
    page.keyboard.press("p")
    page.keyboard.press("+")
    expect(page.locator("mark.mention")).to_have_count(LINES)


def row(page: Page, name: str) -> Locator:
    return page.locator(".entity").filter(has_text=name)


def test_mentions_that_read_alike_stand_in_one_row_and_each_is_reached(page):
    open_task(page, make_lines())
    mark_everywhere(page)
    token(page, 2).click()
    page.keyboard.press("p")
    expect_entities(page, [f"Ada PER · {LINES} mentions", "Bob PER"])
    expect(page.locator("entity-list h2")).to_have_text(f"Marked · {LINES + 1}")
    row(page, "Ada").locator(".entity-name").click()
    expect(menu(page)).to_contain_text(f"{LINES} mentions")
    for at in (1, 2):
        row(page, "Ada").get_by_role("button", name="Next").click()
        expect(row(page, "Ada")).to_contain_text(f"{at} of {LINES}")
    expect(page.locator(".caret")).to_have_attribute("data-token", str(WORDS))
    steps = row(page, "Ada").get_by_role("button", name="Next")
    steps.press("Enter")  # by keys one goes on from there
    expect(row(page, "Ada")).to_contain_text(f"3 of {LINES}")
    expect(steps).to_be_focused()
    row(page, "Ada").get_by_role("button", name="Previous").click()
    assert violations(page) == []
    page.keyboard.press("Delete")  # that one alone
    assert len(marked(page)) == LINES
    # Of all that are chosen the one where the caret stands is unsure, and not the whole answer.
    row(page, "Ada").locator(".entity-name").click()
    page.keyboard.press("&")
    expect(message(page)).to_contain_text("“Ada” is marked as unsure.")
    expect(page.locator("[data-act=doubt]")).to_have_attribute("data-parts", "1")
    page.locator("[data-act=doubt]").click()  # taken back
    expect(row(page, "Ada")).to_have_count(1)
    row(page, "Ada").locator(".entity-name").click()
    choice(page, "Remove").click()
    expect(message(page)).to_contain_text(f"{LINES - 1} mentions removed.")
    expect_mentions(page, [("Bob", "PER")])


def test_what_reads_alike_is_linked_at_once_and_one_otherwise_by_itself(page, tmp_path):
    campaign = make_lines()
    rows = [{"key": f"Q{n}", "name": f"Ada {name}"} for n, name in enumerate(("One", "Two"))]
    path = tmp_path / "entries.jsonl"
    path.write_text("".join(json.dumps(one | {"type": "PER"}) + "\n" for one in rows))
    import_knowledge_base(campaign.project, path)
    open_task(page, campaign)
    mark_everywhere(page)
    row(page, "Ada").get_by_role("button", name="Link…").click()
    page.get_by_role("option", name="Ada One").click()
    expect(row(page, "Ada")).to_have_count(1)
    expect(row(page, "Ada")).to_contain_text("→ Ada One")
    expect(message(page)).to_contain_text(f"{LINES} mentions linked to “Ada One”.")
    # Of others that are chosen with it none is linked: they have names of their own.
    token(page, WORDS + 2).click()
    page.keyboard.press("p")
    token(page, WORDS).click()
    page.keyboard.down("Shift")
    token(page, WORDS + 2).click()
    page.keyboard.up("Shift")
    page.keyboard.press("/")
    page.get_by_role("option", name="Ada Two").click()
    expect(message(page)).to_contain_text("“Ada” linked to “Ada Two”.")
    expect(row(page, "Bob")).to_contain_text("Not linked")
    page.keyboard.press("Escape")
    token(page, WORDS + 2).click()
    page.keyboard.press("Delete")
    expect(page.locator(".entity-link bdi")).to_have_text(["→ Ada One", "→ Ada Two"])
    submit(page)
    expect_all_done(page)
    links = [entity["link"] for entity in sent(campaign)[0]["entities"]]
    assert sorted(links) == ["Q0"] * (LINES - 1) + ["Q1"]


def test_more_below_lies_beside_the_text_and_not_over_the_list(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    open_task(page, make_lines(60))
    expect_late_parts(page)
    below = page.locator(".more-below")
    expect(below).to_be_visible()
    expect(below).to_have_css("position", "fixed")  # its looks come late
    sheet, words, pill = (
        found.bounding_box()
        for found in (page.locator(".entity-sheet"), page.locator(".row-text").first, below)
    )
    assert words["x"] + words["width"] <= pill["x"]
    assert pill["x"] + pill["width"] <= sheet["x"] + sheet["width"]
    below.click()
    page.wait_for_function("scrollY > 300")
    expect(page.locator("mark.mention, .selected")).to_have_count(0)
