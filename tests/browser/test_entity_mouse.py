"""Marking by mouse."""

import pytest
from playwright.sync_api import expect

from tests.browser.entity_page import (
    choice,
    drag,
    expect_all_done,
    expect_entities,
    expect_mentions,
    make_story,
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

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_drag_select_type_and_send(page):
    campaign = make_story()
    open_task(page, campaign)
    drag(page, 0, 1)
    choice(page, "PER").click()
    drag(page, 6, 6)
    choice(page, "LOC").click()
    expect_mentions(page, [("Ada Lovelace", "PER"), ("London", "LOC")])
    submit(page)
    expect_all_done(page)
    (answer,) = sent(campaign)
    assert spans(answer) == [(0, 12, "PER", "e1"), (36, 42, "LOC", "e2")]


def test_backward_drag_selects_the_same_words(page):
    open_task(page, make_story())
    drag(page, 4, 3)
    expect(menu(page)).to_contain_text("“Charles Babbage”")


def test_selection_is_painted_during_the_drag_and_snaps_to_words(page):
    open_task(page, make_story())
    x, y = middle(page, 0)
    page.mouse.move(x, y)
    page.mouse.down()
    to_x, to_y = middle(page, 1)
    page.mouse.move(to_x - 15, to_y, steps=3)  # in the midst of the second word
    painted = """() => [...(CSS.highlights.get("selected") ?? [])].map(String)"""
    assert page.evaluate(painted) == ["Ada Lovelace"]
    page.mouse.up()
    page.keyboard.press("Escape")
    assert page.evaluate(painted) == []


def test_drag_that_ends_outside_the_text_keeps_what_it_reached(page):
    open_task(page, make_story())
    page.mouse.move(*middle(page, 3))
    page.mouse.down()
    page.mouse.move(*middle(page, 4), steps=3)
    page.mouse.move(5, 5, steps=3)
    page.mouse.up()
    expect(menu(page)).to_contain_text("“Charles Babbage”")


def test_double_click_takes_what_stands_together(page):
    campaign = make_story("The co-op of New York-born poets .")
    document = campaign.tasks.get().document
    text = document.text
    parts = ["The", "co", "-", "op", "of", "New", "York", "-", "born", "poets", "."]
    tokens, at = [], 0
    for part in parts:
        at = text.index(part, at)
        tokens.append([at, at + len(part)])
        at += len(part)
    document.tokens = tokens
    document.sentences = [[0, len(tokens)]]
    document.save()
    open_task(page, campaign)
    token(page, 2).dblclick()
    expect(menu(page)).to_contain_text("“co-op”")


def test_one_click_makes_a_mention_the_same_as_an_entity(page):
    campaign = make_story()
    open_task(page, campaign)
    drag(page, 3, 4)
    choice(page, "PER").click()
    token(page, 8).click()
    choice(page, "Charles Babbage").click()
    expect_entities(page, ["Charles Babbage PER · 2 mentions"])
    submit(page)
    expect_all_done(page)
    assert [entity for *_, entity in spans(sent(campaign)[0])] == ["e1", "e1"]


def test_shift_click_puts_many_mentions_into_one_entity(page):
    open_task(page, make_story())
    for number in (0, 4, 8, 10):
        token(page, number).click()
        choice(page, "PER").click()
    token(page, 4).click()
    token(page, 8).click(modifiers=["Shift"])
    token(page, 10).click(modifiers=["Shift"])
    expect(menu(page)).to_contain_text("3 mentions")
    choice(page, "All the same").click()
    expect_entities(page, ["Ada PER", "Babbage PER · 3 mentions"])


def test_overlap_is_refused_with_the_reason_and_nothing_is_lost(page):
    open_task(page, make_story())
    drag(page, 3, 4)
    choice(page, "PER").click()
    drag(page, 4, 6)
    choice(page, "LOC").click()
    expect(message(page)).to_contain_text("“Charles Babbage” (PER) is in the way")
    expect_mentions(page, [("Charles Babbage", "PER")])
    token(page, 0).click()
    page.keyboard.press("p")
    offer = page.get_by_role("button", name="Mark 1 more “Ada”")
    expect(offer).to_be_visible()
    drag(page, 4, 6)
    page.keyboard.press("l")
    expect(message(page)).to_contain_text("“Charles Babbage” (PER) is in the way")
    box, line = offer.bounding_box(), message(page).bounding_box()
    assert box["y"] > line["y"] + 20  # what is offered is not about that: it has a line of its own


def test_nested_schema_takes_a_name_inside_a_name(page):
    campaign = make_story()
    schema = campaign.project.schema
    campaign.project.schema = schema | {"nested": True}
    campaign.project.save()
    open_task(page, campaign)
    drag(page, 0, 1)
    choice(page, "PER").click()
    page.mouse.move(*middle(page, 0))
    token(page, 2).click()
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("l")
    expect_mentions(page, [("Ada Lovelace", "PER"), ("Ada", "LOC")])


def test_edges_of_a_mention_are_dragged(page):
    open_task(page, make_story())
    token(page, 3).click()
    choice(page, "PER").click()
    token(page, 3).click()
    grip = page.locator(".grip-end")
    grip.hover()
    page.mouse.down()
    x, y = middle(page, 4)
    page.mouse.move(x, y + 24, steps=4)
    page.mouse.up()
    expect_mentions(page, [("Charles Babbage", "PER")])
    page.get_by_role("button", name="Undo").click()
    expect_mentions(page, [("Charles", "PER")])
    # Or at the very word, as one points at anything.
    token(page, 3).click()
    grip.hover()
    page.mouse.down()
    page.mouse.move(*middle(page, 4), steps=4)
    page.mouse.up()
    expect_mentions(page, [("Charles Babbage", "PER")])


def test_list_leads_to_mentions_and_names_the_canonical_one(page):
    open_task(page, make_story())
    token(page, 8).click()
    choice(page, "PER").click()
    drag(page, 3, 4)
    choice(page, "Babbage").click()
    page.locator("entity-list .entity-name").click()
    assert page.locator("mark.chosen").count() == 2
    page.get_by_role("button", name="Use as the name").click()
    expect_entities(page, ["Charles Babbage PER · 2 mentions"])


def test_undo_and_redo_go_all_the_way(page):
    open_task(page, make_story())
    for number in range(12):
        token(page, number).click()
        choice(page, "PER").click()
    undo, redo = (page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    for _ in range(12):
        undo.click()
    expect_mentions(page, [])
    for _ in range(12):
        redo.click()
    assert len(marked(page)) == 12


def test_drag_may_begin_between_two_words(page):
    open_task(page, make_story())
    box = token(page, 3).bounding_box()
    page.mouse.move(box["x"] + box["width"] + 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(*middle(page, 5), steps=4)
    page.mouse.up()
    expect(menu(page)).to_contain_text("Babbage in”")


def test_click_beside_everything_closes_the_menu(page):
    open_task(page, make_story())
    token(page, 0).click()
    expect(menu(page)).to_be_visible()
    page.mouse.click(640, 600)
    expect(menu(page)).to_be_hidden()
