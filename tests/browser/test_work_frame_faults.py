"""What may go wrong around the worker's page, and that it costs no work."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotation.actions.assignments import expire_overdue
from annotation.models import Assignment, Project
from tests.browser.page_time import SAVED, stop_clock, wait_until
from tests.browser.work_frame import (
    answered,
    button,
    choose_in_head,
    come_back,
    expect_kept,
    expect_marked,
    expect_task,
    link_to,
    make_work,
    mark,
    message,
    no_network,
    notice,
    open_work,
    requests_to_api,
    saved,
    worker_page,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(browser, live_server):
    with worker_page(browser, live_server.url) as page:
        yield page


def test_answer_waits_for_the_network_and_goes_at_once_when_it_is_back(page):
    campaign = make_work()
    open_work(page, campaign)
    mark(page, "Ada")
    page.context.set_offline(True)
    button(page, "Submit").click()
    expect(saved(page)).to_contain_text(
        "No network. Your answer is saved on this device and will be"
    )
    expect(page.get_by_role("status")).to_contain_text("No network.")
    assert answered(campaign) == []
    bar = {act: page.locator(f"[data-act={act}]") for act in ("undo", "doubt", "submit")}
    for act in bar.values():  # it is on its way
        expect(act).to_have_attribute("aria-disabled", "true")
    page.context.set_offline(False)  # and the browser says so to the page
    expect_task(page, "Carl", "saw", "Dora", ".")
    assert answered(campaign) == [["Ada"]]
    for act, is_disabled in (("undo", "true"), ("doubt", "false"), ("submit", "false")):
        expect(bar[act]).to_have_attribute("aria-disabled", is_disabled)


@pytest.mark.parametrize("width", [768, 1024])
def test_a_lost_network_is_told_in_one_line_and_moves_no_button(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    open_work(page, make_work())
    mark(page, "Ada")
    page.wait_for_load_state("networkidle")  # the look of the line comes with the first act
    buttons = page.locator("[data-part=bar] button:visible")
    places = "all => all.map((one) => JSON.stringify(one.getBoundingClientRect()))"
    before = buttons.evaluate_all(places)
    no_network(page, "**/draft/")
    mark(page, "Bob")
    expect(saved(page)).to_contain_text("No network.")
    assert saved(page).bounding_box()["height"] < 30
    assert buttons.evaluate_all(places) == before


def test_pauses_grow_and_end_with_an_answer(page):
    page.clock.install()
    campaign = make_work()
    open_work(page, campaign)
    stop_clock(page)
    mark(page, "Ada")
    no_network(page)
    asked = requests_to_api(page)
    button(page, "Submit").click()
    for passed, tries in ((0, 1), (1_000, 2), (2_000, 3), (4_000, 4)):
        page.clock.run_for(passed)
        wait_until(page, lambda: asked.count("assignments/…/submit/") == tries)  # noqa: B023
        expect(saved(page)).to_contain_text("trying again in")
    page.unroute_all()
    page.clock.run_for(8_000)
    expect(page.get_by_role("heading", name="Task 2")).to_be_attached()
    assert answered(campaign) == [["Ada"]]


def test_answer_that_was_not_sent_when_the_page_went_is_sent_before_a_task_is_asked_for(page):
    campaign = make_work()
    open_work(page, campaign)
    mark(page, "Ada")
    no_network(page)
    button(page, "Submit").click()
    expect(saved(page)).to_contain_text("No network.")
    page.unroute("**/submit/")
    asked = requests_to_api(page)
    page.reload()
    expect_task(page, "Carl", "saw", "Dora", ".")
    meant = [path for path in asked if not path.endswith(("events/", "draft/"))]
    assert meant == ["join/", "assignments/…/submit/"]
    assert answered(campaign) == [["Ada"]]


def test_answer_whose_reply_was_lost_counts_once(page):
    campaign = make_work()
    open_work(page, campaign)
    mark(page, "Ada")

    def lose_reply(route):
        route.fetch()
        route.abort("connectionreset")

    page.route("**/submit/", lose_reply, times=1)
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    assert answered(campaign) == [["Ada"]]


def test_server_in_trouble_and_a_busy_one_are_asked_again(page):
    page.clock.install()
    open_work(page, make_work())
    stop_clock(page)
    mark(page, "Ada")
    replies = [{"status": 503}, {"status": 429, "headers": {"Retry-After": "20"}}]
    page.route("**/submit/", lambda route: route.fulfill(**replies.pop(0)), times=2)
    button(page, "Submit").click()
    expect(saved(page)).to_contain_text("The server has trouble.")
    page.clock.run_for(1_000)
    expect(saved(page)).to_contain_text("The server asks for a pause.")
    page.clock.run_for(20_000)
    expect_task(page, "Carl", "saw", "Dora", ".")


def test_first_visit_without_a_server_says_so_and_begins_when_it_answers(page):
    campaign = make_work()
    no_network(page, "**/join/")
    page.goto(link_to(campaign))
    expect(notice(page)).to_contain_text("No network. Trying again in")
    page.unroute("**/join/")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect_task(page, "Ada", "met", "Bob", ".")


def test_reload_in_mid_work_brings_the_answer_back_from_the_device(page):
    open_work(page, make_work())
    no_network(page, "**/draft/")
    mark(page, "Ada", "Bob")
    expect_kept(page)
    page.reload()
    expect_marked(page, "Ada", "Bob")


def test_reload_in_mid_work_brings_the_answer_back_from_the_server(page):
    campaign = make_work()
    open_work(page, campaign)
    mark(page, "Ada", "Bob")
    expect(saved(page)).to_have_text(SAVED)
    page.evaluate("indexedDB.deleteDatabase('touchstone')")
    page.reload()
    expect_marked(page, "Ada", "Bob")


def test_saved_work_says_how_long_ago(page):
    page.clock.install()
    open_work(page, make_work())
    stop_clock(page)
    mark(page, "Ada")
    expect(saved(page)).to_have_text("Saved on this device.")  # and not sent yet
    page.clock.run_for(2_000)
    expect(saved(page)).to_have_text(SAVED)
    page.clock.run_for(5_000)
    expect(saved(page)).to_contain_text("s ago")


def test_expired_lease_is_told_and_the_answer_is_taken_all_the_same(page):
    campaign = make_work()
    open_work(page, campaign)
    Assignment.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    expire_overdue()
    mark(page, "Ada")
    expect(message(page)).to_contain_text("The time for this task is over")
    expect(saved(page)).to_have_text("Saved on this device.")
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    assert answered(campaign) == [["Ada"]]


def test_refused_answer_stays_with_what_is_wrong_and_can_be_sent_again(page):
    campaign = make_work()
    schema = campaign.project.schema
    open_work(page, campaign)
    mark(page, "Ada")
    Project.objects.update(schema=schema | {"entity_types": schema["entity_types"][1:]})
    button(page, "Submit").click()
    expect(message(page)).to_contain_text("The answer can’t be taken as it is.")
    expect_marked(page, "Ada")
    expect(page.locator("[data-errors]")).to_have_attribute("data-errors", "mentions[0].type")

    Project.objects.update(schema=schema)
    mark(page, "Bob")
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    assert answered(campaign) == [["Ada", "Bob"]]


def test_answer_that_is_refused_on_the_next_visit_is_there_with_what_is_wrong(page):
    campaign = make_work()
    schema = campaign.project.schema
    open_work(page, campaign)
    mark(page, "Ada")
    no_network(page)
    button(page, "Submit").click()
    expect(saved(page)).to_contain_text("No network.")
    page.unroute("**/submit/")
    Project.objects.update(schema=schema | {"entity_types": schema["entity_types"][1:]})
    page.reload()
    expect_marked(page, "Ada")
    expect(message(page)).to_contain_text("The answer can’t be taken as it is.")


def test_task_that_was_given_back_elsewhere_makes_room_for_the_next(page):
    campaign = make_work()
    open_work(page, campaign)
    Assignment.objects.update(state="returned")
    mark(page, "Ada")
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    expect(message(page)).to_contain_text("You gave this task back")


def refuse_once(page, path, status, detail):
    body = json.dumps({"detail": detail, "errors": []})
    page.route(path, lambda route: route.fulfill(status=status, body=body), times=1)


def test_refused_answer_is_not_sent_behind_the_back_of_a_worker_who_goes_on(page):
    campaign = make_work()
    open_work(page, campaign)
    mark(page, "Ada")
    refuse_once(page, "**/submit/", 403, "You are paused.")
    button(page, "Submit").click()
    expect(message(page)).to_contain_text("You are paused.")
    asked = requests_to_api(page)
    mark(page, "Bob")
    come_back(page)
    expect(saved(page)).to_have_text(SAVED)
    assert set(asked) == {"assignments/…/draft/"}
    expect_marked(page, "Ada", "Bob")
    assert answered(campaign) == []


def test_no_message_of_the_step_before_stands_beside_a_lost_network(page):
    page.clock.install()
    open_work(page, make_work())
    button(page, "Submit").click()
    expect(message(page)).to_contain_text("Nothing is marked.")
    page.clock.run_for(1_000)
    no_network(page)
    button(page, "Submit").click()
    expect(saved(page)).to_contain_text("No network.")
    expect(message(page)).to_be_empty()


def test_answer_too_large_for_a_proxy_stays_and_is_not_sent_for_ever(page):
    open_work(page, make_work())
    mark(page, "Ada")
    page.route("**/submit/", lambda route: route.fulfill(status=413, body="<h1>Too large</h1>"))
    asked = requests_to_api(page)
    button(page, "Submit").click()
    expect(message(page)).to_contain_text("This answer is larger than the server takes.")
    expect_marked(page, "Ada")
    assert asked.count("assignments/…/submit/") == 1


def test_work_goes_on_being_saved_after_a_failed_draft_and_a_refused_answer(page):
    page.clock.install()
    open_work(page, make_work())
    stop_clock(page)
    mark(page, "Ada")
    page.route("**/draft/", lambda route: route.fulfill(status=503), times=1)
    page.clock.run_for(1_600)
    expect(saved(page)).to_contain_text("The server has trouble.")
    refuse_once(page, "**/submit/", 400, "The answer can’t be taken as it is.")
    button(page, "Submit").click()
    expect(message(page)).to_contain_text("can’t be taken")
    mark(page, "Bob")
    page.clock.run_for(2_000)
    expect(saved(page)).to_have_text(SAVED)


def test_work_after_many_failed_drafts_is_there_when_the_network_is_back(page):
    page.clock.install()
    open_work(page, make_work("Ada met Bob near Carl and Dora ."))
    mark(page, "Ada")
    page.clock.run_for(2_000)
    expect(saved(page)).to_have_text(SAVED)
    page.route("**/draft/", lambda route: route.abort("internetdisconnected"))
    for word in ("Bob", "Carl", "Dora"):
        mark(page, word)
        with page.expect_event("requestfailed"):
            page.clock.run_for(2_000)
            page.evaluate("dispatchEvent(new Event('online'))")
        expect(saved(page)).to_contain_text("No network.")
    page.reload()
    expect_marked(page, "Ada", "Bob", "Carl", "Dora")


@pytest.mark.parametrize("act", ["stop", "skip"])
def test_worker_who_would_not_wait_for_the_network_goes_back_to_the_task(page, act):
    open_work(page, make_work())
    mark(page, "Ada")
    expect(saved(page)).to_have_text(SAVED)
    page.context.set_offline(True)
    if act == "stop":
        choose_in_head(page, "Stop here")
    else:
        button(page, "Skip").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("It would take too long right now.").check()
        dialog.get_by_role("button", name="Skip").click()
    expect(saved(page)).to_contain_text("No network.")
    button(page, "Back to the task").click()
    expect(message(page)).to_have_text("You are back at your task.")
    expect(page.locator("[data-task] > div")).to_be_focused()
    expect(button(page, "Back to the task")).to_be_hidden()
    expect(saved(page)).to_contain_text("Saved")
    page.context.set_offline(False)
    mark(page, "Bob")
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")


def test_draft_of_a_task_that_was_handed_in_elsewhere_brings_the_next_once(page):
    open_work(page, make_work())
    body = json.dumps({"detail": "It is in.", "errors": [], "state": "submitted"})
    page.route("**/draft/", lambda route: route.fulfill(status=409, body=body))
    asked = requests_to_api(page)
    mark(page, "Ada")
    expect(message(page)).to_contain_text("handed in from another tab")
    assert asked.count("next/") == 1


def test_session_that_ran_out_joins_again_and_sends(page):
    campaign = make_work()
    open_work(page, campaign)
    mark(page, "Ada")
    asked = requests_to_api(page)
    refusal = '{"detail": "Your session has expired.", "errors": []}'
    page.route("**/submit/", lambda route: route.fulfill(status=401, body=refusal), times=1)
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    meant = [path for path in asked if not path.endswith("draft/")]
    assert meant == ["assignments/…/submit/", "join/", "assignments/…/submit/"]
