"""Where a browser keeps nothing: what is said, what is lost, and who is asked before they leave."""

import pytest
from playwright.sync_api import expect

from annotation.actions import rejections
from annotation.models import Assignment, Worker
from tests.browser.work_frame import (
    BLOCKED_STORAGE,
    answered,
    asks_before_leaving,
    button,
    expect_marked,
    expect_task,
    link_to,
    make_work,
    mark,
    message,
    no_network,
    open_work,
    saved,
    worker_page,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(browser, live_server):
    with worker_page(browser, live_server.url) as page:
        yield page


def test_browser_that_keeps_nothing_says_so_and_loses_nothing(page):
    page.add_init_script(BLOCKED_STORAGE)
    campaign = make_work()
    open_work(page, campaign)
    expect(message(page)).to_contain_text("This browser keeps nothing on this device.")
    mark(page, "Ada")
    expect(saved(page)).to_contain_text("Saved")
    page.reload()
    expect_marked(page, "Ada")
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    assert (answered(campaign), Worker.objects.count()) == ([["Ada"]], 1)
    rejections.reject(Assignment.objects.get(state="submitted"), "One name is missing.")
    page.reload()
    expect(message(page)).to_contain_text("An answer of yours was rejected.")
    expect(message(page)).to_contain_text("This browser keeps nothing on this device.")


SLOW_STORAGE = """(() => {
  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = function (...asked) {
    const request = open.apply(this, asked);
    const slow = { set onupgradeneeded(hear) { request.onupgradeneeded = hear; } };
    Object.defineProperty(slow, "result", { get: () => request.result });
    const opened = new Promise((resolve) => { request.onsuccess = resolve; });
    const awaited = new Promise((resolve) => { window.openStorage = resolve; });
    Promise.all([opened, awaited]).then(() => slow.onsuccess());
    return slow;
  };
})()"""


def open_slowly(page):
    """The page has given its storage up, which opens when `openStorage` is called."""
    page.add_init_script(SLOW_STORAGE)
    page.clock.install()
    page.goto(link_to(make_work()))
    page.clock.run_for(3_100)
    expect(message(page)).to_contain_text("This browser keeps nothing on this device.")


def test_that_nothing_is_kept_is_taken_back_where_the_storage_opens_after_all(page):
    open_slowly(page)
    page.evaluate("openStorage()")
    expect(message(page)).to_be_empty()
    mark(page, "Ada")
    page.context.set_offline(True)
    button(page, "Submit").click()
    assert not asks_before_leaving(page)


def test_what_was_done_before_the_storage_opened_is_kept_then(page):
    open_slowly(page)
    mark(page, "Ada")
    page.context.set_offline(True)
    button(page, "Submit").click()
    expect(saved(page)).to_contain_text("Keep this page open")
    assert asks_before_leaving(page)
    page.evaluate("openStorage()")
    expect(saved(page)).to_contain_text("saved on this device")
    assert not asks_before_leaving(page)


@pytest.mark.parametrize("blocked", [False, True], ids=["partitioned", "blocked"])
def test_task_is_done_in_a_frame_of_another_site_without_a_cookie(
    page, blocked, live_server, settings
):
    settings.FRAME_HOSTS = [live_server.url.replace("localhost", "127.0.0.1")]
    if blocked:
        page.add_init_script(BLOCKED_STORAGE)
    campaign = make_work()
    # A file of this server under its other name, which has no policy of its own.
    page.goto(f"{settings.FRAME_HOSTS[0]}/static/css/tokens.css")
    page.evaluate(
        """url => {
          const frame = document.createElement("iframe");
          frame.src = url;
          document.body.replaceChildren(frame);
        }""",
        f"{live_server.url}{link_to(campaign)}",
    )
    inside = page.frame_locator("iframe")
    inside.get_by_role("button", name="Ada").click()
    inside.get_by_role("button", name="Submit").click()
    expect(inside.get_by_role("button", name="Dora")).to_be_visible()
    assert answered(campaign) == [["Ada"]]
    assert page.context.cookies() == []


def test_page_warns_before_it_is_left_only_where_work_would_be_lost(page):
    page.add_init_script(BLOCKED_STORAGE)
    open_work(page, make_work())
    assert not asks_before_leaving(page)
    mark(page, "Ada")
    assert asks_before_leaving(page)
    expect(saved(page)).to_contain_text("Saved")
    assert not asks_before_leaving(page)
    no_network(page)
    button(page, "Submit").click()
    expect(saved(page)).to_contain_text("No network.")
    assert asks_before_leaving(page)  # the answer is on its way, and nowhere else


def test_page_that_keeps_its_work_never_warns(page):
    open_work(page, make_work())
    page.context.set_offline(True)
    mark(page, "Ada")
    button(page, "Submit").click()
    assert not asks_before_leaving(page)
