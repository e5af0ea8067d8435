"""Names and the knowledge base: which are linked, and what can be done after it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotation.interfaces.schema import check_schema
from tests.browser.entity_page import expect_mentions, make_story, message, open_task, token
from tests.browser.late_parts import expect_late_parts
from tests.browser.test_entity_newcomer import link_to

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

AMOUNTS = check_schema(
    {"entity_types": [{"name": "PER", "key": "p"}, {"name": "SUM", "key": "s", "link": False}]}
)


@pytest.fixture
def linked_page(page, tmp_path):
    story = make_story("Ada Lovelace paid 14 to him .", schema=AMOUNTS)
    link_to(story, tmp_path)
    open_task(page, story)
    expect_late_parts(page)
    return page


def test_an_amount_needs_no_entry_and_slash_says_so(linked_page):
    token(linked_page, 3).click()
    for key in ("s", "/"):
        linked_page.keyboard.press(key)
    expect(message(linked_page)).to_have_text("“14” needs no entry: SUM is never linked.")
    expect(linked_page.locator("entry-search")).to_have_count(0)


def test_the_edges_of_a_name_that_was_just_linked_still_move(linked_page):
    for key in ("Shift+ArrowRight", "p", "/"):
        linked_page.keyboard.press(key)
    expect(linked_page.locator("entry-search [role=option]").first).to_contain_text("Ada Lovelace")
    linked_page.keyboard.press("Enter")
    expect(message(linked_page)).to_contain_text("linked to")
    linked_page.keyboard.press("Shift+ArrowRight")
    expect_mentions(linked_page, [("Ada Lovelace paid", "PER")])
    expect(linked_page.locator(".entity-link")).to_contain_text("→ Ada Lovelace")
