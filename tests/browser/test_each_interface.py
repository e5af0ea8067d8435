"""What may happen to a worker, with each interface: it costs no work, and shuts nobody out.

What the frame does by itself in all its states, test_work_frame_*.py show; what each interface
does, its own tests.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from datetime import timedelta

import brotli
import pytest
from django.utils import timezone, translation
from django.utils.translation import gettext
from playwright.sync_api import Page, expect
from playwright.sync_api import Response as Reply

from annotation.actions.assignments import expire_overdue
from annotation.actions.tokens import campaign_link
from annotation.models import Assignment, Response
from tests.browser.accessible import violations
from tests.browser.each_interface import KINDS
from tests.browser.entity_page import expect_all_done
from tests.browser.page_time import SAVED
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import (
    BLOCKED_STORAGE,
    button,
    come_back,
    expect_kept,
    message,
    saved,
    tried_page,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 844}
ZOOMED = {"width": 320, "height": 256}  # 1280 × 1024 at 400 %
# What can be pressed, but lies off the page, is too small for a finger (44 px in one direction at
# least, or a word among words) or has something else on top when it is scrolled to.
OUT_OF_REACH = """(least) => {
  const controls = "main :is(button, input, textarea, select, summary, [role=radio], [data-card]), "
    + ".work-head button, .work-bar button";
  const wrong = [];
  for (const each of document.querySelectorAll(controls)) {
    if (!each.checkVisibility({ visibilityProperty: true })) continue;
    if (each.closest("dialog, [inert]")) continue;
    each.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { left, right, top, bottom, width, height } = each.getBoundingClientRect();
    const what = each.id || each.ariaLabel || each.textContent.trim() || each.className;
    const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (left < -1 || right > innerWidth + 1) wrong.push(`${what}: beside the page`);
    else if (!each.contains(middle) && !middle?.contains(each)) wrong.push(`${what}: covered`);
    const target = each.closest("label") ?? each;
    const box = target.getBoundingClientRect();
    if (Math.max(box.width, box.height) < least || Math.min(box.width, box.height) < least / 2) {
      wrong.push(`${what}: ${Math.round(width)} by ${Math.round(height)} px`);
    }
  }
  return wrong;
}"""


@pytest.fixture(params=KINDS)
def kind(request):
    return KINDS[request.param]


@pytest.fixture
def page(browser, live_server) -> Iterator[Page]:
    with tried_page(browser, live_server.url) as page:
        page.clock.install()
        yield page


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def states() -> list[str]:
    return list(Assignment.objects.order_by("leased_at").values_list("state", flat=True))


def sent(reply: Reply) -> int:
    """Bytes that a browser is sent in production: files are packed tighter than pages."""
    packed = brotli.compress if "/static/" in reply.url else gzip.compress
    return len(packed(reply.body()))


MOST_BYTES, MOST_REQUESTS = 45_000, 6  # until somebody begins to work
MOST_BYTES_BEGUN, MOST_REQUESTS_BEGUN = 71_000, 9


LATE_IS_THERE = """() => {
  const { parts } = JSON.parse(document.querySelector("#work").textContent);
  const late = Object.keys(parts).filter((name) => /^later$|-(aids|keys)$/.test(name));
  return document.querySelector(`link[href="${parts.beside}"]`)?.sheet
    && Promise.all(late.map((name) => import(parts[name])));
}"""


def test_a_first_visit_is_light_and_asks_no_other_host(page, kind, live_server):
    """All that a page asks for by itself; what somebody who works needs has come with their first
    act, before they ask for it, and opens without a network."""
    replies: list[Reply] = []
    page.on("response", lambda reply: replies.append(reply))
    kind.open(page, kind.make())
    page.wait_for_load_state("networkidle")
    first = {reply.url: sent(reply) for reply in replies}
    assert len(first) <= MOST_REQUESTS, list(first)
    assert 10_000 < sum(first.values()) <= MOST_BYTES, first
    page.keyboard.press("Shift")
    page.wait_for_function(LATE_IS_THERE)
    assert all(reply.url.startswith(live_server.url) for reply in replies)
    weight = {reply.url: sent(reply) for reply in replies}
    assert len(first) < len(weight) <= MOST_REQUESTS_BEGUN
    assert sum(weight.values()) <= MOST_BYTES_BEGUN, weight
    page.context.set_offline(True)
    for act in ("Skip", "Report"):
        button(page, act).click()
        expect(page.get_by_role("textbox", name="In your own words")).to_be_visible()
        page.keyboard.press("Escape")


def test_without_a_network_reloaded_and_left_by_the_back_button_nothing_is_lost(page, kind):
    first, second = kind.steps
    campaign = kind.make()
    page.goto("/")
    kind.open(page, campaign)
    steps = page.evaluate("history.length")
    first(page)
    after_one = kind.done(page)
    assert after_one
    page.context.set_offline(True)
    second(page)
    after_two = kind.done(page)
    assert after_two != after_one
    expect(saved(page)).to_contain_text("on this device")
    page.context.set_offline(False)
    page.clock.run_for(2_000)
    expect(saved(page)).to_have_text(SAVED)
    page.reload()
    kind.expect_ready(page)
    assert kind.done(page) == after_two
    button(page, "Undo").click()
    assert kind.done(page) == after_one
    button(page, "Redo").click()
    assert kind.done(page) == after_two
    expect_kept(page)
    page.go_back()
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    page.go_forward()
    kind.expect_ready(page)
    assert kind.done(page) == after_two
    page.context.set_offline(True)
    button(page, "Submit").click()
    expect(saved(page)).to_contain_text(
        "No network. Your answer is saved on this device and will be"
    )
    assert violations(page) == []
    assert not Response.objects.exists()
    page.context.set_offline(False)
    kind.expect_second(page)
    assert states() == ["submitted", "leased"]
    assert page.evaluate("history.length") == steps


def test_two_tabs_share_a_task_and_a_lease_that_ran_out_costs_nothing(page, kind):
    first, second = kind.steps
    campaign = kind.make()
    kind.open(page, campaign)
    other = page.context.new_page()
    kind.open(other, campaign)
    page.bring_to_front()  # behind another, a page draws once a second
    first(page)
    page.keyboard.press("&")
    expect(page.get_by_label("Why are you unsure? (optional)")).to_be_focused()
    page.keyboard.press("Enter")
    page.clock.run_for(2_000)
    expect(saved(page)).to_have_text(SAVED)
    come_back(other)
    expect(message(other)).to_contain_text("Here is what you did in another tab.")
    expect(other.locator("[data-act=doubt]")).to_have_attribute("aria-pressed", "true")
    assert kind.done(other) == kind.done(page)
    Assignment.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    expire_overdue()
    second(page)
    page.clock.run_for(2_000)
    expect(message(page)).to_contain_text("The time for this task is over")
    expect(saved(page)).to_have_text("Saved on this device.")
    keep_screenshot(page)
    button(page, "Submit").click()
    kind.expect_second(page)
    come_back(other)
    kind.expect_second(other)
    expect(message(other)).to_contain_text("handed in from another tab")
    assert states()[1:] == ["leased"]
    assert Response.objects.count() == 1


def test_in_a_frame_of_another_site_that_keeps_nothing_it_works(page, kind, live_server, settings):
    settings.FRAME_HOSTS = [live_server.url.replace("localhost", "127.0.0.1")]
    page.add_init_script(BLOCKED_STORAGE)
    campaign = kind.make()
    # A file of this server under its other name, which has no policy of its own.
    page.goto(f"{settings.FRAME_HOSTS[0]}/static/css/tokens.css")
    page.evaluate(
        """url => {
          const frame = document.createElement("iframe");
          frame.src = url;
          frame.style = "width: 1200px; height: 650px";
          document.body.replaceChildren(frame);
        }""",
        f"{live_server.url}/join/{campaign_link(campaign)}/",
    )
    frame = page.locator("iframe").element_handle().content_frame()
    kind.expect_ready(frame)
    for step in kind.steps:
        step(frame)
    assert kind.done(frame)
    keep_screenshot(page)
    frame.get_by_role("button", name="Submit").click()
    kind.expect_second(frame)
    assert states() == ["submitted", "leased"]
    assert page.context.cookies() == []


def test_below_a_dialog_no_key_means_the_task(page, kind):
    """The focus leaves a dialog where somebody presses beside its buttons."""
    kind.open(page, kind.make())
    before = kind.done(page)
    page.keyboard.press(">")
    expect(page.get_by_role("heading", name="Skip this task")).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    for key in (*kind.keys, "p", "1"):
        page.keyboard.press(key)
        page.clock.run_for(520)
    assert kind.done(page) == before


def test_at_400_percent_from_right_to_left_and_by_keys_alone_all_is_in_reach(page, kind):
    page.set_viewport_size(ZOOMED)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    kind.open(page, kind.make_arabic())
    assert fits(page)
    assert page.evaluate(OUT_OF_REACH, 24) == []
    for key in kind.keys:
        page.keyboard.press(key)
        page.clock.run_for(520)  # so soon after the last one a decision counts as unread
    assert kind.done(page)
    assert page.evaluate("document.getAnimations().map((each) => each.animationName)") == []
    assert violations(page) == []
    assert fits(page)
    assert page.evaluate(OUT_OF_REACH, 24) == []
    page.keyboard.press("Control+Enter")
    expect_all_done(page)
    assert Response.objects.count() == 1


def test_on_a_phone_all_is_in_reach_of_a_finger(browser, live_server, kind):
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    with tried_page(browser, live_server.url, **phone) as page:
        page.clock.install()
        kind.open(page, kind.make())
        assert fits(page)
        assert page.evaluate(OUT_OF_REACH, 44) == []
        keep_screenshot(page)


def test_worker_chooses_a_language_and_the_device_remembers_it(page):
    """From right to left too, in the frame and in the task."""
    kind = KINDS["entity"]
    page.set_viewport_size(PHONE)
    campaign = kind.make()
    kind.open(page, campaign)
    button(page, "Menu").click()
    page.get_by_label("Language").select_option("ar")
    kind.expect_ready(page)
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(button(page, "إرسال")).to_be_visible()
    button(page, "القائمة").click()
    expect(button(page, "مساعدة")).to_be_in_viewport(ratio=1)
    assert fits(page)
    assert violations(page) == []
    keep_screenshot(page)
    page.keyboard.press("Escape")
    kind.steps[0](page)
    expect(message(page)).to_contain_text("على أنه PER.")
    kind.open(page, campaign)  # the link, as it was sent
    expect(button(page, "إرسال")).to_be_visible()
    assert page.url.endswith("/?language=ar")


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_bar_is_one_row_on_a_laptop_and_says_in_one_line_that_work_is_kept(page, kind, language):
    """With a step that can be undone, in the languages that have the least room."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"/join/{campaign_link(kind.make())}/?language={language}")
    kind.expect_ready(page)
    kind.steps[0](page)
    expect(saved(page)).not_to_be_empty()
    with translation.override(language):
        words = gettext("Saved on this device.")
    lines = """(saved, words) => {
      saved.textContent = words;
      return saved.clientHeight / parseFloat(getComputedStyle(saved).lineHeight);
    }"""
    assert round(saved(page).evaluate(lines, words)) == 1
    tops = page.locator("[data-part=bar] .work-acts button:visible").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().top)"
    )
    assert len(tops) > 4
    assert len(set(tops)) == 1
