"""Marking by keyboard alone: no test here touches the mouse."""

from contextlib import nullcontext

import pytest
from playwright.sync_api import expect

from tests.browser.entity_page import (
    expect_all_done,
    expect_entities,
    expect_mentions,
    make_story,
    menu,
    message,
    open_task,
    sent,
    spans,
    token,
)
from tests.browser.late_parts import expect_late_parts, held_back
from tests.browser.page_time import stop_clock
from tests.browser.work_frame import tried_page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def press(page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


@pytest.fixture
def story(page):
    campaign = make_story()
    open_task(page, campaign)
    expect(page.locator("token-text")).to_be_focused()
    return campaign


def test_arrows_select_and_a_letter_marks(page, story):
    press(page, "Shift+ArrowRight", "p", "Control+ArrowRight")
    expect_mentions(page, [("Ada Lovelace", "PER")])
    press(page, "Home", *["ArrowRight"] * 6, "l")
    expect_mentions(page, [("Ada Lovelace", "PER"), ("London", "LOC")])
    press(page, "Escape", "Enter")
    expect_all_done(page)
    assert [span[:3] for span in spans(sent(story)[0])] == [(0, 12, "PER"), (36, 42, "LOC")]


def test_words_whose_mark_was_undone_are_selected_for_the_next_letter(page, story):
    page.keyboard.press("Shift+ArrowRight")
    expect_late_parts(page)
    press(page, "l", "Control+z")
    expect_mentions(page, [])
    expect(menu(page)).to_be_hidden()
    press(page, "p")
    expect_mentions(page, [("Ada Lovelace", "PER")])
    press(page, "Control+z", "Control+z", "Control+Shift+z", "Control+z", "Escape", "o")
    expect_mentions(page, [("Lovelace", "ORG")])  # Esc let go of them
    press(page, "Control+z", "Space")
    expect(menu(page)).to_be_visible()
    press(page, "Escape", "o", "Home", "l", "Control+z", "Enter")  # no menu takes it
    expect_all_done(page)
    assert [span[:3] for span in spans(sent(story)[0])] == [(4, 12, "ORG")]


def test_coreference_costs_one_key(page, story):
    press(page, *["ArrowRight"] * 3, "Shift+ArrowRight", "p")  # Charles Babbage
    press(page, *["ArrowRight"] * 4, "Shift+ArrowRight", "Shift+ArrowLeft")  # Babbage
    expect(menu(page)).to_contain_text("Charles Babbage")
    press(page, "1")
    expect_entities(page, ["Charles Babbage PER · 2 mentions"])


def test_mentions_are_walked_changed_and_removed(page, story):
    press(page, "p", "ArrowRight", "ArrowRight", "l", ",")
    expect(page.locator("mark.chosen")).to_have_text("Ada")
    press(page, "o")
    expect_mentions(page, [("Ada", "ORG"), ("met", "LOC")])
    press(page, ".", "Delete")
    expect_mentions(page, [("Ada", "ORG")])
    press(page, "Shift+ArrowRight", "l", ",")  # not the name that the caret was left in
    expect(page.locator("mark.chosen")).to_have_text("Ada")
    press(page, "Control+z")
    press(page, "Control+z", "Control+z")
    expect_mentions(page, [("Ada", "PER"), ("met", "LOC")])
    press(page, "Control+Shift+z")
    expect_mentions(page, [("Ada", "ORG"), ("met", "LOC")])


def test_shift_and_arrows_move_the_edges_of_a_chosen_name(page, story):
    press(page, "ArrowRight", "p", "Space", "Shift+ArrowRight")
    expect_mentions(page, [("Lovelace met", "PER")])
    press(page, "Shift+Alt+ArrowLeft")
    expect_mentions(page, [("Ada Lovelace met", "PER")])


def test_shift_and_arrows_move_the_end_of_a_name_that_a_key_has_just_marked(page, story):
    press(page, "ArrowRight", "p", "Shift+ArrowRight")
    expect_mentions(page, [("Lovelace met", "PER")])
    expect(menu(page)).to_be_hidden()
    press(page, "ArrowRight", "ArrowRight", "Shift+ArrowRight", "p")  # gone on, they select words
    expect_mentions(page, [("Lovelace met", "PER"), ("Babbage in", "PER")])
    # Nor is it one of several that are chosen.
    press(page, "Home", "ArrowRight", "Shift+Space", "=")
    expect(message(page)).to_contain_text("Choose two or more names")


def test_many_mentions_are_chosen_and_made_one(page, story):
    press(page, "p", *["ArrowRight"] * 4, "p", *["ArrowRight"] * 4, "p")
    press(page, "Shift+Space", ",", "Shift+Space")
    expect(menu(page)).to_contain_text("2 mentions")
    press(page, "=")
    expect_entities(page, ["Ada PER", "Babbage PER · 2 mentions"])
    press(page, ".", "-")
    expect_entities(page, ["Ada PER", "Babbage PER", "Babbage PER"])


def test_menu_can_be_used_without_single_keys(page, story):
    press(page, "Space", "Enter", "Tab", "Enter")
    expect_mentions(page, [("Ada", "LOC")])
    expect(page.locator("token-text")).to_be_focused()


def test_lines_rows_and_sentences_are_steps_too(page, story):
    press(page, "End")
    expect(page.locator(".caret")).to_have_text(".")
    press(page, "Control+Home")
    expect(page.locator(".caret")).to_have_text("Ada")


def test_an_empty_answer_is_sent_at_the_second_enter(page):
    page.clock.install()
    story = make_story()
    open_task(page, story)
    press(page, "Enter")
    expect(message(page)).to_contain_text("Nothing is marked.")
    page.clock.run_for(1_000)
    press(page, "Enter")
    expect_all_done(page)
    assert sent(story)[0]["mentions"] == []


def test_who_submits_before_all_is_there_is_asked_then(page):
    story = make_story()
    with held_back(page, "entity-aids"):
        open_task(page, story)
        press(page, "Enter")
    expect(message(page)).to_contain_text("Nothing is marked.")
    assert sent(story) == []


def test_what_is_worked_on_meanwhile_is_not_sent(page):
    story = make_story()
    with held_back(page, "entity-aids"):
        open_task(page, story)
        page.locator("[data-act=submit]").click()
        token(page, 0).click()
        menu(page).get_by_role("button", name="PER").click()
    expect_late_parts(page)
    expect_mentions(page, [("Ada", "PER")])
    assert sent(story) == []


def test_an_answer_is_not_kept_back_by_a_question_that_can_not_be_loaded(browser, live_server):
    story = make_story()
    with tried_page(browser, live_server.url) as page:
        page.context.route("**/bundles/entity-aids*", lambda route: route.abort())
        open_task(page, story)
        press(page, "Enter")
        expect_all_done(page)
    assert len(sent(story)) == 1


def test_two_quick_enters_send_no_empty_answer(page):
    page.clock.install()
    open_task(page, make_story())
    stop_clock(page)
    sent_off = []
    page.on("request", lambda request: sent_off.append(request.url.split("/")[-2]))
    press(page, "Enter", "Enter", "Control+Enter")
    expect(message(page)).to_contain_text("Nothing is marked.")
    assert "submit" not in sent_off
    expect(token(page, 0)).to_be_visible()


def test_esc_takes_no_answer_to_the_question_and_goes_on_in_the_text(page):
    page.clock.install()
    open_task(page, make_story())
    stop_clock(page)
    press(page, "Enter")
    expect(message(page)).to_contain_text("Nothing is marked.")
    page.get_by_role("button", name="Submit anyway").focus()
    press(page, "Escape")
    expect(message(page)).to_have_text("")
    page.clock.run_for(1_000)
    press(page, "Enter")  # and the question comes again
    expect(message(page)).to_contain_text("Nothing is marked.")
    press(page, "Escape", "Tab")
    expect(page.locator("token-text")).to_be_focused()
    page.clock.run_for(1_000)
    expect(menu(page)).to_contain_text("“Ada Lovelace”")


def test_what_can_not_be_made_one_says_why(page, story):
    press(page, "p", "=")
    expect(message(page)).to_contain_text("Choose two or more names")
    press(page, "-")
    expect(message(page)).to_contain_text("That is on its own already.")


def test_the_digits_of_the_menu_are_one_row_of_keys_and_can_be_changed(page, story):
    press(page, "?")
    dialog = page.get_by_role("dialog")
    row = dialog.locator("dt", has_text="The same as that entity").locator("+ dd")
    expect(row.get_by_role("button")).to_have_text(list("123456789"))
    dialog.get_by_role("button", name="change the key of The same as entity 3 of").click()
    press(page, "%")
    expect(row.get_by_role("button").nth(2)).to_have_text("%")


def test_letters_typed_into_a_dialog_mark_nothing(page, story):
    press(page, "?")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    press(page, "p", "Escape")
    expect(dialog).to_be_hidden()
    expect_mentions(page, [])


@pytest.mark.parametrize("is_slow", [False, True], ids=["at once", "on a slow line"])
def test_keys_go_on_after_a_button_of_the_page_was_pressed(page, is_slow):
    with held_back(page, "entity-aids") if is_slow else nullcontext():
        open_task(page, make_story())
        press(page, "p", "ArrowRight")
        page.get_by_role("button", name="Undo").press("Enter")
        press(page, "ArrowRight", "l")
    expect_mentions(page, [("Lovelace", "LOC")])


def test_list_gives_the_focus_back_to_the_text(page, story):
    press(page, "p")
    page.locator("entity-list .entity-name").press("Enter")
    expect(page.locator("token-text")).to_be_focused()
    press(page, "o")
    expect_mentions(page, [("Ada", "ORG")])


def test_keys_mark_nothing_while_an_answer_is_on_its_way(page, story):
    press(page, "p", "ArrowRight", "Space")
    page.route("**/submit/", lambda route: None)  # no answer comes
    press(page, "Control+Enter", "l")
    expect_mentions(page, [("Ada", "PER")])


def test_tab_says_that_no_name_is_left_where_it_leaves_the_text(page):
    open_task(page, make_story("Ada saw nobody ."))
    press(page, "Tab")
    expect(menu(page)).to_be_visible()
    press(page, "p", "Tab")
    expect(page.locator("token-text")).not_to_be_focused()
    expect(message(page)).to_have_text("No name is left from here on, as far as capitals tell.")
    page.locator("token-text").focus()
    press(page, "Shift+Tab")
    expect(page.locator("token-text")).not_to_be_focused()


def test_that_no_name_is_left_is_said_of_the_place_where_one_was_sought(page):
    open_task(page, make_story("they saw Ada , and nobody else ."))
    press(page, "Control+End", "Tab")
    expect(page.locator("token-text")).not_to_be_focused()
    expect(message(page)).to_have_text("No name is left from here on, as far as capitals tell.")
    page.locator("token-text").focus()
    press(page, "Control+Home")
    expect(message(page)).to_be_empty()
    press(page, "Tab", "p")
    expect_mentions(page, [("Ada", "PER")])
    expect(message(page)).to_contain_text("marked as PER")
    press(page, "Control+End")
    expect(message(page)).to_contain_text("marked as PER")  # what is said of an act stays


@pytest.mark.parametrize(
    ("text", "keys", "there"),
    [
        ("nobody saw it .", ["Tab"], "[data-type=PER]"),
        ("nobody saw it .", ["Shift+Tab"], "[data-part=menu]"),
        ("they met Ada in the end .", ["Tab", "Tab"], ".mark-menu-close"),
    ],
)
@pytest.mark.parametrize("is_slow", [False, True], ids=["at once", "on a slow line"])
def test_a_tab_that_finds_no_name_leaves_the_text_on_a_slow_line_too(
    page, text, keys, there, is_slow
):
    with held_back(page, "entity-aids") if is_slow else nullcontext():
        open_task(page, make_story(text))
        if not is_slow:
            expect_late_parts(page)
        press(page, *keys)
        expect(page.locator("token-text" if is_slow else there).first).to_be_focused()
    expect(page.locator(there)).to_be_focused()
