"""The verification page: a claim judged as a whole by one key, or row by row."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from annotation.models import Response
from tests.browser.accessible import violations
from tests.browser.entity_page import expect_all_done, message, submit
from tests.browser.relation_page import (
    ALL_TRUE,
    STORY,
    chosen,
    evidence,
    judged,
    make_pairs,
    open_pair,
    press,
    row,
    to_verify,
    verdicts,
)
from tests.browser.screenshots import keep_screenshot

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
READ = 850  # ms after which a second press answers what the first was asked
BORN = "Ada Lovelace was born in London"
PLACES = """all => all.map((one) => {
  const { x, y, width } = one.getBoundingClientRect();
  return [x, y, width].map(Math.round);
})"""


def test_rows_begin_at_yes_and_a_number_turns_one_over(page):
    campaign = make_pairs(to_verify())
    page.set_viewport_size(LAPTOP)
    open_pair(page, campaign)
    expect(page.get_by_role("heading", name="Is all of this true?")).to_be_visible()
    expect(page.locator(".hint-whole")).to_contain_text("If one row is not true, press it")
    asked = page.locator(".claim .question-ask").all_inner_texts()
    assert [" ".join(words.split()) for words in asked] == [
        f"{BORN} Does the text say this?",
        "Ada Lovelace is marked in full, with nothing extra.",
        "Ada Lovelace is of the type PER. A person.",
        "London is marked in full, with nothing extra.",
        "London is of the type GPE. A country, a state, a town.",
        "London means London (Capital of England).",
    ]
    assert verdicts(page) == []
    keep_screenshot(page)
    press(page, "n")
    assert verdicts(page) == ["Yes"] * 6
    expect(page.locator(".hint-rows")).to_contain_text("at least one")
    keep_screenshot(page)
    press(page, "5")
    assert verdicts(page) == ["Yes"] * 4 + ["No", "Yes"]
    press(page, "6", "6", "2", "2", "2")  # no, can't tell, and yes again
    assert verdicts(page) == ["Yes"] * 4 + ["No", "Can’t tell"]
    keep_screenshot(page)
    press(page, "Control+z", "Control+Shift+z", "Enter")
    expect_all_done(page)
    assert judged(campaign) == [ALL_TRUE | {"object_type_ok": False, "object_link_ok": "unsure"}]
    assert Response.objects.get().assignment.events.filter(kind="answered").count() == 7


def test_rows_of_a_laptop_need_one_line_most_of_them(page):
    """Though room is kept beside them, they don't look cut."""
    page.set_viewport_size(LAPTOP)
    open_pair(page, make_pairs(to_verify()))
    heights = page.locator(".claim .question-ask > span").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().height)"
    )
    assert sum(height < 30 for height in heights) >= 5  # px, of one line
    keep_screenshot(page)


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_message_leaves_the_hint_about_evidence_in_sight(page, size):
    page.set_viewport_size(size)
    open_pair(page, make_pairs(to_verify()))
    submit(page)
    expect(message(page)).to_contain_text("Choose an answer first")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    hint, said = page.locator(".evidence-hint").bounding_box(), message(page).bounding_box()
    assert hint["y"] + hint["height"] + 4 <= said["y"]
    keep_screenshot(page)


def test_undo_closes_the_rows_that_a_no_opened(page):
    open_pair(page, make_pairs(to_verify()))
    undo = page.locator("[data-act=undo]")
    expect(undo).to_have_attribute("aria-disabled", "true")
    press(page, "n")
    expect(undo).to_have_attribute("aria-disabled", "false")
    undo.click()
    expect(message(page)).to_have_text("Undone: “No, not all” chosen.")
    assert verdicts(page) == chosen(page) == []
    press(page, "Control+Shift+z")
    assert verdicts(page) == ["Yes"] * 6
    press(page, "2", "2", "2", "Control+z", "Control+z", "Control+z", "Control+z")
    assert verdicts(page) == []
    expect(page.locator(".current")).to_have_count(0)
    press(page, "y", "n", "Control+z")
    assert chosen(page)[0] == "Yes, all of it"
    press(page, "Control+Shift+z")
    assert verdicts(page) == ["Yes"] * 6
    press(page, "3")
    said = "Row 3: “No”. Press again for “Can’t tell”."
    expect(page.locator("[data-part=live]")).to_have_text(said)
    press(page, "Control+z")
    expect(message(page)).to_have_text("Undone: Ada Lovelace is of the type PER: “No”.")


def test_a_row_that_is_pressed_after_cant_tell_is_not_true(page):
    """The others count as true, as the page says."""
    campaign = make_pairs(to_verify())
    open_pair(page, campaign)
    press(page, "u", "2")
    assert verdicts(page) == ["Yes", "No", "Yes", "Yes", "Yes", "Yes"]
    row(page, 2).get_by_role("radio", name="No").focus()
    press(page, "y")
    assert verdicts(page) == []
    expect(page.locator("token-text")).to_be_focused()  # of rows that closed none keeps the focus
    press(page, "u", "2")
    submit(page)
    expect_all_done(page)
    assert judged(campaign) == [ALL_TRUE | {"subject_ok": False}]


def test_a_number_alone_says_that_not_all_is_true(page):
    campaign = make_pairs(to_verify())
    open_pair(page, campaign)
    press(page, "1")
    assert chosen(page)[0] == "No, not all"
    assert verdicts(page) == ["No", *["Yes"] * 5]
    said = (
        "Row 1: “No”. Press again for “Can’t tell”. This chooses “No, not all”; the other rows "
        "count as true."
    )
    expect(message(page)).to_contain_text(said)  # it is seen what else a press has done
    press(page, "Control+z")
    assert chosen(page) == verdicts(page) == []
    row(page, 1).locator(".claim-words").click()
    expect(message(page)).to_contain_text(said)
    press(page, "Enter")
    expect_all_done(page)
    assert judged(campaign) == [ALL_TRUE | {"relation": "none"}]


@pytest.mark.parametrize("way", ["number", "click"])
def test_each_press_on_a_row_says_what_it_is_now_and_what_the_next_makes_of_it(page, way):
    page.set_viewport_size(LAPTOP)
    open_pair(page, make_pairs(to_verify()))
    press(page, "n")
    expect(page.locator(".hint-rows")).to_contain_text("Press again for “Can’t tell”")
    for now, then in (("No", "Can’t tell"), ("Can’t tell", "Yes"), ("Yes", "No")):
        press(page, "5") if way == "number" else row(page, 5).locator(".claim-words").click()
        said = f"Row 5: “{now}”. Press again for “{then}”."
        if now == "Can’t tell":
            said += " No row says “No”: the whole counts as “Can’t tell”."
        expect(message(page)).to_have_text(said)
        expect(page.locator("[data-part=live]")).to_have_text(said)
        assert verdicts(page)[4] == now
    keep_screenshot(page)


def test_what_was_said_of_rows_is_kept_when_a_key_judges_the_whole(page):
    """Their keys look as if they were those of a row, and lose nothing."""
    campaign = make_pairs(to_verify())
    open_pair(page, campaign)
    press(page, "n", "3", "6", "6")
    rows = ["Yes", "Yes", "No", "Yes", "Yes", "Can’t tell"]
    for key, whole in (("y", "Yes, all of it"), ("u", "Can’t tell")):
        press(page, key)
        assert chosen(page)[0] == whole
        expect(message(page)).to_have_text(
            f"“{whole}” chosen. Your answers for the rows are kept: “No, not all” brings them back."
        )
    press(page, "ArrowRight", "Shift+ArrowRight", "e")  # evidence is another matter
    press(page, "n")
    assert verdicts(page) == rows
    expect(message(page)).to_have_text("“No, not all” chosen. Your answers for the rows are back.")
    press(page, "Control+z", "4")  # a row that is pressed brings the others back too
    rows[3] = "No"
    assert verdicts(page) == rows
    press(page, "Enter")
    expect_all_done(page)
    changed = {"subject_type_ok": False, "object_ok": False, "object_link_ok": "unsure"}
    assert judged(campaign) == [ALL_TRUE | changed]


def test_not_all_is_never_sent_without_a_row_that_is_wrong(page):
    campaign = make_pairs(to_verify())
    open_pair(page, campaign)
    press(page, "n", "6", "6")
    assert chosen(page)[0] == "Can’t tell"
    untold = "No row says “No”: the whole counts as “Can’t tell”."
    expect(message(page)).to_contain_text(f"Press again for “Yes”. {untold}")
    press(page, "n")
    expect(message(page)).to_have_text(f"{untold} Press the row that is not true.")
    which = f"{untold} Press the row that is not true, or submit again if there is none."
    press(page, "5")
    assert chosen(page)[0] == "No, not all"
    with page.expect_response("**/draft/"):  # by then the steps are kept on the device too
        press(page, "Control+z", "Enter")
    expect(message(page)).to_have_text(which)
    page.reload()
    expect(page.locator("token-text")).to_be_focused()
    assert [chosen(page)[0], *verdicts(page)] == ["Can’t tell", *["Yes"] * 5, "Can’t tell"]
    submit(page)
    expect(message(page)).to_have_text(which)
    page.wait_for_timeout(READ)
    submit(page)
    expect_all_done(page)
    assert judged(campaign) == [ALL_TRUE | {"object_link_ok": "unsure"}]


def test_a_reload_loses_no_rows_whether_they_are_open_or_closed(page):
    """Those that nobody changed yet are open again, and what a key closed comes back."""
    open_pair(page, make_pairs(to_verify()))
    for keys, now, then in (
        ("ne", ["Yes"] * 6, ["Yes"] * 6),
        ("3y", [], ["Yes", "Yes", "No", "Yes", "Yes", "Yes"]),
    ):
        with page.expect_response("**/draft/"):
            press(page, "Shift+ArrowRight", *keys)
        page.reload()
        expect(page.locator("token-text")).to_be_focused()
        assert verdicts(page) == now
        press(page, "n")
        assert verdicts(page) == then


def test_no_answer_is_made_of_rows_that_nobody_changed(page):
    campaign = make_pairs(to_verify())
    open_pair(page, campaign)
    press(page, "n", "Enter")
    expect(message(page)).to_contain_text("Change at least one")
    press(page, "Enter")  # nor when it is sent once more
    expect(message(page)).to_contain_text("Change at least one")
    press(page, "3", "3", "3", "Enter")  # and back at yes it is as before
    expect(message(page)).to_contain_text("Change at least one")
    with page.expect_response("**/draft/"):  # by then the steps are kept on the device too
        press(page, "3")
    page.reload()
    expect(page.locator("token-text")).to_be_focused()
    assert verdicts(page) == ["Yes", "Yes", "No", "Yes", "Yes", "Yes"]
    press(page, "Control+z", "y", "n")  # what was said of all of it is no answer to each row
    assert verdicts(page) == ["Yes"] * 6
    submit(page)
    expect(message(page)).to_contain_text("Change at least one")
    press(page, "u", "Enter")
    expect_all_done(page)
    assert judged(campaign) == [dict.fromkeys(ALL_TRUE, "unsure")]


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_nothing_moves_under_the_pointer(page, size):
    """And each answer is as wide in one row as in another."""
    page.set_viewport_size(size)
    campaign = make_pairs(to_verify())
    open_pair(page, campaign)
    whole = page.locator(".ask > .question [role=radio]")
    before = whole.evaluate_all(PLACES)
    for name in ("Yes, all of it", "Can’t tell", "No, not all"):
        whole.filter(has_text=name).click()
        assert whole.evaluate_all(PLACES) == before
    assert len({width for _, _, width in before}) == 1
    row(page, 6).scroll_into_view_if_needed()
    row(page, 6).get_by_role("radio", name="No").click()  # scrolls it into sight first
    radios = page.locator(".claim [role=radio]")
    before = radios.evaluate_all(PLACES)
    row(page, 6).get_by_role("radio", name="Can’t tell").click()
    row(page, 6).locator(".claim-words").click()
    row(page, 6).get_by_role("radio", name="No").click()
    assert radios.evaluate_all(PLACES) == before
    for answer in range(3):
        widths = [width for _, _, width in before[answer::3]]
        assert max(widths) - min(widths) <= 1
    keep_screenshot(page)
    submit(page)
    expect_all_done(page)
    assert judged(campaign) == [ALL_TRUE | {"object_link_ok": False}]


def test_names_stay_names_where_the_claim_was_read_from_them(page):
    claim = to_verify() | {"provenance": [[0, STORY.index(" .")]]}
    page.set_viewport_size(LAPTOP)
    open_pair(page, make_pairs(claim))
    expect(page.locator(".provenance-hint")).to_be_visible()
    assert page.evaluate("[...CSS.highlights.get('provenance')].map(String)") == ["was born in"]
    expect(page.locator(".mention.is-shaded")).to_have_text(["Ada Lovelace", "London"])
    keep_screenshot(page)


def test_where_the_text_does_not_say_it_no_words_are_asked_for_or_marked(page):
    open_pair(page, make_pairs(to_verify() | {"asks": ["relation"]}))
    hint = page.locator(".evidence-hint")
    expect(hint).to_be_visible()
    for key in ("n", "u"):
        press(page, key)
        expect(hint).to_be_hidden()
        press(page, "Shift+ArrowRight", "e")
        expect(message(page)).to_have_text(
            "Evidence shows that the text says this: choose “Yes” first."
        )
        assert evidence(page) == []
    press(page, "y")
    expect(hint).to_be_visible()


def test_evidence_of_a_claim_comes_back_with_its_yes_also_in_rows(page):
    open_pair(page, make_pairs(to_verify()))
    press(page, "y", "Shift+ArrowRight", "e", "n")
    assert evidence(page) == ["Ada Lovelace"]
    press(page, "1")
    assert evidence(page) == []
    expect(message(page)).to_contain_text("put aside: it comes back with “Yes”")
    with page.expect_response("**/draft/"):
        press(page, "u")
    page.reload()
    expect(page.locator("token-text")).to_be_focused()
    press(page, "y")
    assert evidence(page) == ["Ada Lovelace"]
    expect(message(page)).to_contain_text("Your evidence is back.")


@pytest.mark.parametrize(
    ("size", "scheme"), [(LAPTOP, "dark"), (PHONE, "light")], ids=["laptop", "phone"]
)
def test_axe_finds_nothing_in_rows(page, size, scheme):
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    open_pair(page, make_pairs(to_verify()))
    assert violations(page) == []
    press(page, "n", "2", "5", "5")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
