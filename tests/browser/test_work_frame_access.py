"""The frame of the worker's page for everybody: any screen, any colour, any keys."""

import pytest
from playwright.sync_api import expect

from annotation.actions.campaigns import set_instructions
from tests.browser.accessible import violations
from tests.browser.late_parts import held_back
from tests.browser.linking_page import make_cards, open_queue
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import (
    button,
    choose_in_head,
    expect_marked,
    expect_task,
    link_to,
    make_work,
    mark,
    message,
    notice,
    open_work,
    saved,
    worker_page,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
ZOOMED = {"width": 320, "height": 256}  # a laptop's window at 400 %


@pytest.fixture
def page(browser, live_server):
    with worker_page(browser, live_server.url) as page:
        yield page


def open_instructions(page, campaign):
    set_instructions(campaign, "Mark every name.")
    page.goto(link_to(campaign))
    button(page, "Go on").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def open_task(page, campaign):
    open_work(page, campaign)
    mark(page, "Ada")


def open_doubt(page, campaign):
    open_work(page, campaign)
    button(page, "Submit").click()
    expect(message(page)).to_contain_text("Nothing is marked.")


def open_keys(page, campaign):
    open_work(page, campaign)
    choose_in_head(page, "Help")
    page.get_by_role("button", name="change the key of Skip the task").click()
    expect(page.get_by_text("Press the new key")).to_be_visible()


def open_skip(page, campaign):
    open_work(page, campaign)
    button(page, "Skip").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Skip").click()
    expect(dialog.get_by_role("alert")).to_be_visible()


def open_offline(page, campaign):
    open_task(page, campaign)
    page.context.set_offline(True)
    button(page, "Submit").click()
    expect(saved(page)).to_contain_text("No network.")


def open_loading(page, campaign):
    page.route("**/join/", lambda route: route.abort("internetdisconnected"))
    page.goto(link_to(campaign))
    expect(notice(page)).to_contain_text("No network.")


def open_waiting(page, campaign):
    open_task(page, campaign)
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    mark(page, "Dora")
    button(page, "Submit").click()
    expect(notice(page)).to_contain_text("All done for now")


def open_thanks(page, campaign):
    open_task(page, campaign)
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    choose_in_head(page, "Stop here")
    expect(notice(page)).to_contain_text("Thank you")


def open_refusal(page, campaign):
    refused = '{"detail": "You can\'t join this campaign.", "errors": []}'
    page.route("**/join/", lambda route: route.fulfill(status=403, body=refused))
    page.goto(link_to(campaign))
    expect(notice(page)).to_contain_text("You can’t join here")


STATES = [
    open_loading, open_instructions, open_task, open_doubt, open_keys, open_skip, open_offline,
    open_waiting, open_thanks, open_refusal,
]  # fmt: skip


@pytest.mark.parametrize("open_state", STATES, ids=lambda state: state.__name__[5:])
def test_every_state_has_no_barrier_in_any_window(page, open_state):
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    open_state(page, make_work())
    assert violations(page) == []
    page.set_viewport_size(LAPTOP)
    page.emulate_media(color_scheme="light")
    assert violations(page) == []


@pytest.mark.parametrize("open_state", STATES, ids=lambda state: state.__name__[5:])
def test_every_state_fits_a_window_at_four_hundred_percent(page, open_state):
    page.set_viewport_size(ZOOMED)
    open_state(page, make_work())
    assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    bar = page.locator("[data-part=bar]")
    assert bar.evaluate("element => getComputedStyle(element).position") == "static"


def test_bar_stays_in_sight_on_a_phone_and_targets_are_large(browser, live_server):
    options = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    with worker_page(browser, live_server.url, **options) as page:
        open_work(page, make_work("Ada met Bob . " * 200))
        assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
        bar = page.locator("[data-part=bar]").bounding_box()
        assert bar is not None
        assert bar["y"] + bar["height"] == PHONE["height"]
        assert bar["height"] < PHONE["height"] / 5
        buttons = page.locator("[data-act]:visible").all()
        buttons.append(button(page, "Menu"))
        assert len(buttons) == 7
        for shown in buttons:
            box = shown.bounding_box()
            assert min(box["width"], box["height"]) >= 44, shown.inner_text()


def test_controls_are_reached_by_tab_with_a_visible_ring(page):
    open_work(page, make_work())
    reached = []
    for _ in range(10):
        page.keyboard.press("Tab")
        focused = page.locator(":focus")
        reached.append(focused.get_attribute("data-act"))
        assert focused.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"
    assert reached[4:] == ["undo", "redo", "doubt", "skip", "report", "submit"]


def test_single_keys_can_be_turned_off_and_stay_off(page):
    single = page.get_by_label("Letters, digits and signs work as keys")
    with held_back(page, "later"):
        open_work(page, make_work())
        cap = button(page, "Skip").locator("kbd")
        expect(cap).to_have_text(">")
        choose_in_head(page, "Help")
        expect(single).to_be_disabled()  # what hears it is on its way
    expect(single).to_be_checked()
    single.uncheck()
    page.keyboard.press("Escape")
    page.reload()
    expect_task(page, "Ada", "met", "Bob", ".")
    expect(cap).to_be_empty()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_hidden()
    mark(page, "Ada")
    page.keyboard.press("Control+z")
    expect_marked(page)


def test_key_can_be_changed_but_not_to_one_that_is_taken(page):
    open_work(page, make_work())
    page.keyboard.press("?")
    change = page.get_by_role("button", name="change the key of Skip the task")
    change.click()
    page.keyboard.press("!")
    expect(page.get_by_text("! is the key of “Report the task as broken”.")).to_be_visible()
    change.click()
    page.keyboard.press("x")
    expect(page.get_by_text("The key is X.")).to_be_visible()
    expect(change).to_be_focused()
    page.keyboard.press("Escape")
    expect(button(page, "Skip").locator("kbd")).to_have_text("X")
    page.reload()
    expect_task(page, "Ada", "met", "Bob", ".")
    page.keyboard.press("x")
    expect(page.get_by_role("dialog", name="Skip this task")).to_be_visible()


def test_escape_keeps_the_old_key_and_the_list_open(page):
    open_work(page, make_work())
    page.keyboard.press("?")
    change = page.get_by_role("button", name="change the key of Skip the task")
    change.click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(change).to_have_text(">")


def test_list_of_keys_holds_those_of_the_interface(page):
    open_work(page, make_work())
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Select")


def test_page_without_javascript_says_what_it_needs(browser, live_server):
    with worker_page(browser, live_server.url, java_script_enabled=False) as page:
        page.goto(link_to(make_work()))
        expect(page.locator("noscript p")).to_contain_text("This page needs JavaScript.")
        expect(page.locator("noscript p")).to_be_visible()
        expect(page.get_by_role("button")).to_have_count(0)


def test_print_shows_the_task_without_controls(page):
    open_work(page, make_work())
    page.emulate_media(media="print", color_scheme="dark")
    expect(button(page, "Submit")).to_be_hidden()
    expect(button(page, "Menu")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def test_a_key_is_the_page_s_as_soon_as_the_dialog_is_closed(page):
    """The focus stands in it until the page is drawn anew."""
    open_instructions(page, make_work())
    expect_task(page, "Ada", "met", "Bob", ".")
    page.evaluate(
        """() => {
          const dialog = document.querySelector("dialog[open]");
          dialog.close();
          const key = new KeyboardEvent("keydown", { key: "i", bubbles: true, cancelable: true });
          dialog.querySelector("h2").dispatchEvent(key);
        }"""
    )
    expect(page.get_by_role("complementary", name="Instructions")).to_be_visible()


def test_instructions_stand_beside_the_task_and_the_text_as_its_reader_likes_it(page):
    campaign = make_work()
    set_instructions(
        campaign, "## Names\n\n| Name | Type |\n|---|---|\n| Ada | PER |\n\n## Titles\n\nNone."
    )
    page.goto(link_to(campaign))
    button(page, "Go on").click()
    help_dialog = page.get_by_role("dialog", name="Instructions")
    help_dialog.get_by_role("button", name="Next").click()
    page.keyboard.press("Escape")
    expect(help_dialog).to_be_hidden()
    expect_task(page, "Ada", "met", "Bob", ".")
    page.keyboard.press("i")
    beside = page.get_by_role("complementary", name="Instructions")
    expect(beside.get_by_role("heading", name="Titles")).to_be_visible()
    mark(page, "Ada")  # meanwhile
    expect_marked(page, "Ada")
    assert violations(page) == []
    keep_screenshot(page)
    right = "one => one.getBoundingClientRect().right"
    end = page.locator("main > :visible").last.evaluate(right)
    assert end <= beside.bounding_box()["x"]  # nothing of the task lies under it
    page.keyboard.press("Escape")  # the name that was marked is let go first
    page.keyboard.press("Escape")
    expect(beside).to_be_hidden()  # from the task too
    page.keyboard.press("i")
    expect(beside).to_be_visible()
    page.keyboard.press("Escape")
    expect(beside).to_be_hidden()
    assert page.evaluate("document.activeElement.closest('main') !== null")  # back in the text
    page.keyboard.press("?")  # keys stand beside instructions, in sight
    expect(help_dialog.get_by_text("Report the task as broken")).to_be_in_viewport()
    expect(help_dialog.get_by_text("Redo", exact=True)).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("i")
    page.set_viewport_size(PHONE)
    assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    beside.get_by_role("button", name="Close").click()
    expect(beside).to_be_hidden()
    choose_in_head(page, "Reading")
    page.get_by_role("group", name="Size of the text").get_by_text("Largest").click()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Reading")).to_be_hidden()
    page.reload()
    expect_task(page, "Ada", "met", "Bob", ".")
    shown = "getComputedStyle(document.documentElement).getPropertyValue('{}')"
    assert page.evaluate(shown.format("--text-size")) == "1.625rem"  # and kept
    assert page.evaluate(shown.format("--measure")) == "60rem"


def test_a_long_row_of_keys_leaves_the_words_of_the_others_their_room(page):
    open_queue(page, make_cards())
    page.keyboard.press("?")
    place = page.locator(".keys-list").last.bounding_box()
    words = page.locator(".keys-list dt").last.bounding_box()
    assert words["width"] > 0.55 * place["width"]
