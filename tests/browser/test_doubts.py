"""Doubt is data: one key marks what one is at, or the whole answer, as unsure."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import Response
from tests.browser.accessible import violations
from tests.browser.each_interface import KINDS, Kind
from tests.browser.entity_page import make_story, open_task, token
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import expect_kept, message, tried_page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PARTS = {"entity": "m", "linking": "m"}  # what a part's name begins with, where there are parts


@pytest.fixture
def page(browser, live_server) -> Iterator[Page]:
    with tried_page(browser, live_server.url) as page:
        page.clock.install()
        yield page


def edges(page: Page) -> list[list[float]]:
    """Of all buttons of the bar."""
    return page.locator("[data-part=bar] button:not([hidden])").evaluate_all(
        """all => all.map((one) => {
          const { left, right } = one.getBoundingClientRect();
          return [left, right];
        })"""
    )


@pytest.mark.parametrize(
    ("name", "width"), [("entity", 1280), ("relation", 1280), ("linking", 390), ("choice", 390)]
)
def test_what_is_unsure_goes_with_the_answer(page, name, width):
    kind = KINDS[name]
    page.set_viewport_size({"width": width, "height": 844})
    kind.open(page, kind.make())
    first, second = kind.steps
    first(page)
    if name == "linking":
        second(page)
    unsure = page.locator("[data-act=doubt]")
    expect(unsure).to_have_attribute("aria-pressed", "false")
    before = edges(page)
    page.keyboard.press("&")
    expect(unsure).to_have_attribute("aria-pressed", "true")
    expect(unsure).to_have_attribute("data-parts", "1" if name in PARTS else "")
    assert edges(page) == before  # whatever number it has
    expect(message(page)).to_contain_text("is marked as unsure.")
    # Letters and digits that are written are no keys of the task.
    page.get_by_label("Why are you unsure? (optional)").click()
    page.keyboard.type("It may be a ship, 1 in 2.")
    page.clock.run_for(2_000)
    keep_screenshot(page)
    # A draft keeps it.
    expect_kept(page)
    page.reload()
    kind.expect_ready(page)
    expect(unsure).to_have_attribute("aria-pressed", "true")
    expect(unsure).to_have_attribute("data-parts", "1" if name in PARTS else "")
    if name in PARTS:  # it is drawn, though nobody has done anything yet
        drawn = 'one => getComputedStyle(one, "::after").content'
        page.wait_for_function(
            f"() => ({drawn})(document.querySelector('[data-act=doubt]')) === '\"1\"'"
        )
    page.clock.resume()  # axe sets timers
    assert violations(page) == []
    page.locator("[data-act=submit]").click()
    kind.expect_second(page)
    expect(unsure).to_have_attribute("aria-pressed", "false")
    (doubt,) = Response.objects.get().answer["doubts"]
    assert doubt["note"] == "It may be a ship, 1 in 2."
    assert (doubt["at"] or "").startswith(PARTS.get(name, ""))
    assert (doubt["at"] is None) == (name not in PARTS)


def doubted_name(page: Page) -> tuple[Kind, Locator]:
    """An entity task whose first name is marked as unsure; and the button that says so."""
    kind = KINDS["entity"]
    kind.open(page, kind.make())
    kind.steps[0](page)
    page.keyboard.press("&")
    unsure = page.locator("[data-act=doubt]")
    expect(unsure).to_have_attribute("data-parts", "1")
    expect(page.get_by_label("Why are you unsure? (optional)")).to_be_focused()
    return kind, unsure


def test_a_name_that_is_removed_takes_its_doubt_along_and_brings_it_back(page):
    kind, unsure = doubted_name(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Delete")
    assert kind.done(page) == []
    expect(unsure).to_have_attribute("data-parts", "")
    expect(unsure).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Control+z")
    expect(unsure).to_have_attribute("data-parts", "1")
    # After a reload too.
    page.keyboard.press("Control+Shift+z")
    expect(unsure).to_have_attribute("data-parts", "")
    with page.expect_response("**/draft/"):  # by then the steps are kept on the device too
        page.clock.run_for(2_000)
    page.reload()
    kind.expect_ready(page)
    expect(unsure).to_have_attribute("data-parts", "")
    page.keyboard.press("Control+z")
    expect(unsure).to_have_attribute("data-parts", "1")


@pytest.mark.parametrize(
    "gone", [["Enter", "Delete"], ["Control+z", "Control+z"]], ids=["removed", "undone"]
)
def test_a_name_has_no_doubt_of_one_that_is_gone(page, gone):
    _, unsure = doubted_name(page)
    for key in gone:  # the mark of doubt is a step of its own
        page.keyboard.press(key)
    expect(page.locator("mark.mention")).to_have_count(0)
    expect(unsure).to_have_attribute("data-parts", "")
    page.keyboard.press("p")
    expect(page.locator("mark.mention")).to_have_count(1)
    expect(unsure).to_have_attribute("data-parts", "")
    expect(page.locator(".mention.unsure")).to_have_count(0)


@pytest.mark.parametrize("name", ["entity", "relation", "linking", "choice"])
def test_the_same_key_leads_into_the_note_and_takes_the_mark_back(page, name):
    kind = KINDS[name]
    kind.open(page, kind.make())
    kind.steps[0](page)
    unsure = page.locator("[data-act=doubt]")
    why = page.get_by_label("Why are you unsure? (optional)")
    page.keyboard.press("&")
    expect(why).to_be_focused()  # the letters of a reason would be keys of the task
    page.keyboard.press("&")
    expect(unsure).to_have_attribute("aria-pressed", "false")
    expect(why).to_be_hidden()
    page.keyboard.press("&")
    expect(why).to_be_focused()
    page.keyboard.press("Escape")
    expect(why).not_to_be_focused()
    expect(why).to_have_attribute("placeholder", "Press & to say why (optional)")
    page.keyboard.press("&")
    expect(why).to_be_focused()
    page.keyboard.type("Black & Decker?")
    expect(page.get_by_text("Enter goes back")).to_be_visible()  # while one writes, too
    page.keyboard.press("Enter")
    expect(page.get_by_text("Enter goes back")).to_be_hidden()
    expect(why).not_to_be_focused()
    expect(unsure).to_have_attribute("aria-pressed", "true")
    expect(why).to_have_value("Black & Decker?")  # and nothing was sent
    # Pressed once more it costs nothing that was written: only the button takes that back.
    unsure.click()
    expect(why).to_be_focused()
    expect(why).to_have_value("Black & Decker?")
    page.keyboard.press("Enter")
    expect(unsure).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="No longer unsure").click()
    expect(unsure).to_have_attribute("aria-pressed", "false")
    expect(why).to_be_hidden()


@pytest.mark.parametrize("name", ["entity", "relation", "linking", "choice"])
def test_undo_right_after_marking_takes_back_the_mark_and_nothing_else(page, name):
    kind = KINDS[name]
    kind.open(page, kind.make())
    kind.steps[0](page)
    done = kind.done(page)
    unsure = page.locator("[data-act=doubt]")
    why = page.get_by_label("Why are you unsure? (optional)")
    page.keyboard.press("&")
    expect(page.get_by_text("Enter goes back")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(message(page)).to_contain_text("no longer marked as unsure.")
    expect(unsure).to_have_attribute("aria-pressed", "false")
    assert kind.done(page) == done
    page.keyboard.press("Control+Shift+z")  # which brings it back
    expect(unsure).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Control+z")
    expect(unsure).to_have_attribute("aria-pressed", "false")
    assert kind.done(page) == done
    # After a reload too.
    page.keyboard.press("&")
    expect(unsure).to_have_attribute("aria-pressed", "true")
    expect_kept(page)
    page.reload()
    kind.expect_ready(page)
    expect(unsure).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Control+z")
    expect(unsure).to_have_attribute("aria-pressed", "false")
    assert kind.done(page) == done
    if name == "linking":  # where it goes on nothing is done yet
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("&")
    why.fill("It may be a ship.")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+z")
    expect(message(page)).to_contain_text("no longer marked as unsure.")
    page.keyboard.press("Control+Shift+z")  # with what was written
    expect(unsure).to_have_attribute("aria-pressed", "true")
    expect(why).to_have_value("It may be a ship.")
    page.keyboard.press("Enter")
    assert kind.done(page) == done
    page.keyboard.press("&")  # what stood before is shown, and undo leaves it
    expect(why).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Control+z")
    assert kind.done(page) != done


def test_the_button_takes_back_what_its_note_is_about_wherever_the_worker_is(page):
    kind = KINDS["entity"]
    kind.open(page, kind.make())
    first, _ = kind.steps
    first(page)
    unsure = page.locator("[data-act=doubt]")
    page.keyboard.press("&")
    why = page.get_by_label("Why are you unsure? (optional)")
    why.fill("It may be a ship.")
    page.keyboard.press("Enter")
    unsure.click()
    expect(why).to_be_focused()
    page.keyboard.press("Enter")  # back in the text
    page.get_by_text("met", exact=True).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="No longer unsure").click()
    expect(message(page)).to_have_text("“Ada” is no longer marked as unsure.")
    expect(unsure).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize(
    ("name", "is_beside"),
    [("Ada", True), ("Grossherzogtum-Mecklenburg-Strelitz-Güstrow", False)],
)
def test_on_a_tablet_the_note_stands_behind_its_sentence_or_begins_below_it(page, name, is_beside):
    page.set_viewport_size({"width": 768, "height": 1024})
    open_task(page, make_story(f"{name} met Bob ."))
    token(page, 0).click()
    page.keyboard.press("p")
    page.keyboard.press("&")
    field = page.get_by_label("Why are you unsure? (optional)")
    expect(field).to_be_focused()
    keep_screenshot(page)
    begins, bottom = message(page).evaluate("""(said) => {
      const range = document.createRange();
      range.selectNodeContents(said.firstChild);
      const { left, bottom } = range.getBoundingClientRect();
      return [left, bottom];
    }""")
    box = field.bounding_box()
    assert box is not None
    if is_beside:
        assert box["y"] < bottom
    else:
        assert box["x"] == pytest.approx(begins, abs=1)
        assert box["y"] >= bottom + 2


@pytest.mark.parametrize("name", ["entity", "choice"])
def test_a_key_that_is_held_marks_once(page, name):
    kind = KINDS[name]
    kind.open(page, kind.make())
    first, _ = kind.steps
    first(page)
    page.keyboard.down("&")
    expect(page.get_by_label("Why are you unsure? (optional)")).to_be_visible()
    for _ in range(3):
        page.keyboard.down("&")  # repeats
    page.keyboard.up("&")
    expect(page.locator("[data-act=doubt]")).to_have_attribute("aria-pressed", "true")


def test_beside_a_choice_stands_one_field_for_a_note_at_a_time(page):
    kind = KINDS["choice"]
    kind.open(page, kind.make())
    page.keyboard.press("n")
    note = page.get_by_label("Note about this task")
    expect(note).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("&")
    why = page.get_by_label("Why are you unsure? (optional)")
    why.fill("It may be a ship.")
    expect(note).to_be_hidden()
    page.get_by_role("button", name="Add a note").click()
    expect(note).to_be_focused()
    expect(why).to_be_hidden()
    note.fill("A nice one.")
    page.keyboard.press("Escape")
    page.locator("[data-act=doubt]").click()
    expect(why).to_have_value("It may be a ship.")
    expect(note).to_have_value("A nice one.")  # what is written stays in sight


@pytest.mark.parametrize("name", ["entity", "relation"])
def test_redo_brings_a_mark_back_after_the_steps_before_it(page, name):
    kind = KINDS[name]
    kind.open(page, kind.make())
    kind.steps[0](page)
    done = kind.done(page)
    unsure = page.locator("[data-act=doubt]")
    why = page.get_by_label("Why are you unsure? (optional)")
    page.keyboard.press("&")
    why.fill("It may be a ship.")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+z")
    expect(unsure).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Control+z")
    expect(message(page)).to_contain_text("Undone")
    assert kind.done(page) != done
    page.keyboard.press("Control+Shift+z")
    expect(message(page)).to_contain_text("Redone")
    assert kind.done(page) == done
    page.keyboard.press("Control+Shift+z")
    expect(unsure).to_have_attribute("aria-pressed", "true")
    expect(why).to_have_value("It may be a ship.")
