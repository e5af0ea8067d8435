"""The frame of the worker's page in a browser: a stretch of work from the link to the last task."""

import pytest
from playwright.sync_api import expect
from rest_framework.throttling import SimpleRateThrottle

from annotation.actions.campaigns import set_instructions
from annotation.models import Assignment, Enrollment
from tests.browser.accessible import violations
from tests.browser.late_parts import held_back
from tests.browser.page_time import stop_clock
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import (
    answered,
    button,
    events,
    expect_kept,
    expect_marked,
    expect_task,
    link_to,
    make_work,
    mark,
    message,
    notice,
    open_work,
    requests_to_api,
    worker_page,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(browser, live_server):
    with worker_page(browser, live_server.url) as page:
        yield page


def test_first_visit_asks_the_server_once_and_no_other_host(page):
    asked, urls = requests_to_api(page), set()
    page.on("request", lambda request: urls.add(request.url))
    open_work(page, make_work())
    expect_task(page, "Ada", "met", "Bob", ".")
    assert asked == ["join/"]
    assert len({url.split("/")[2] for url in urls}) == 1


def test_submit_brings_the_next_task_in_the_same_request(page):
    campaign = make_work()
    open_work(page, campaign)
    mark(page, "Ada")
    asked = requests_to_api(page)
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    assert [path for path in asked if "draft" not in path] == ["assignments/…/submit/"]
    assert answered(campaign) == [["Ada"]]
    assert events(campaign) == ["opened", "marked", "submitted"]


def test_focus_goes_to_the_task_and_its_number_is_read_out(page):
    open_work(page, make_work())
    expect(page.locator("[data-task] > div")).to_be_focused()
    mark(page, "Ada")
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    expect(page.locator("[data-task] > div")).to_be_focused()
    expect(page.get_by_role("status")).to_have_text("Task 2")
    expect(page.get_by_role("heading", name="Task 2")).to_be_attached()


def test_enter_submits_and_control_enter_does_wherever_the_focus_is(page):
    campaign = make_work()
    page.clock.install()
    open_work(page, campaign)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # presses the word that has the focus
    expect_marked(page, "Ada")
    page.keyboard.press("Control+Enter")
    expect_task(page, "Carl", "saw", "Dora", ".")
    page.keyboard.press("Enter")
    expect(message(page)).to_contain_text("Nothing is marked.")
    page.clock.run_for(1_000)
    page.keyboard.press("Enter")
    expect(notice(page)).to_contain_text("All done for now")
    assert answered(campaign) == [["Ada"], []]


def test_double_click_is_not_the_second_thought_that_was_asked_for(page):
    campaign = make_work()
    page.clock.install()
    open_work(page, campaign)
    stop_clock(page)
    button(page, "Submit").dblclick()
    expect(message(page)).to_contain_text("Nothing is marked.")
    page.clock.run_for(1_000)
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    assert answered(campaign) == [[]]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_a_tenth_answer_in_a_row_has_its_drawing_and_stops_nobody(page, width, scheme):
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    open_work(page, make_work(*(f"Ada{i} left ." for i in range(11))))
    for i in range(10):
        assert page.locator(".moment-tally").count() == 0
        mark(page, f"Ada{i}")
        button(page, "Submit").click()
        expect_task(page, f"Ada{i + 1}", "left", ".")
    expect(message(page)).to_contain_text("10 in a row, and $0.60 so far. Thank you.")
    drawn = page.locator(".moment-tally svg").bounding_box()
    bar = page.locator("[data-part=bar]").bounding_box()
    assert drawn["width"] > 40
    assert drawn["y"] + drawn["height"] <= bar["y"]
    keep_screenshot(page)
    assert violations(page) == []
    mark(page, "Ada10")
    expect(message(page)).to_be_empty()  # the work goes on, and it goes


@pytest.mark.parametrize("width", [1280, 390])
def test_message_moves_neither_the_bar_nor_the_task(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    open_work(page, make_work("Ada met Bob . " * 200))
    places = ".work-bar .work-acts", "[data-task] button"

    def where():
        return [page.locator(place).first.bounding_box() for place in places]

    before = where()
    button(page, "Submit").click()
    expect(message(page)).to_be_visible()
    assert where() == before


def test_doubt_is_told_once_more_after_a_change(page):
    open_work(page, make_work())
    button(page, "Submit").click()
    mark(page, "Ada", "Ada")
    expect(message(page)).to_be_empty()
    button(page, "Submit").click()
    expect(message(page)).to_contain_text("Nothing is marked.")


def test_undo_and_redo_by_button_and_by_key(page):
    open_work(page, make_work())
    expect(button(page, "Undo")).to_be_disabled()
    mark(page, "Ada")
    page.keyboard.press("Control+z")
    expect_marked(page)
    page.keyboard.press("Control+Shift+z")
    expect_marked(page, "Ada")
    button(page, "Undo").click()
    expect_marked(page)
    page.keyboard.press("Control+y")
    expect_marked(page, "Ada")
    expect(button(page, "Redo")).to_be_disabled()


def test_instructions_open_on_the_first_visit_only_and_on_their_key(page):
    campaign = make_work()
    set_instructions(campaign, "Mark every name of a person.")
    page.goto(link_to(campaign))
    dialog = page.get_by_role("dialog", name="Instructions")
    facts = page.locator("[data-part=consent] dt")  # nobody has written a text of consent
    expect(facts).to_have_text(["Pay", "Time", "Paid", "Checked by", "Asked by"])
    expect(dialog).to_be_hidden()
    button(page, "Go on").click()
    expect(dialog).to_contain_text("Mark every name of a person.")
    button(page, "Start").click()
    expect(page.locator("[data-task] > div")).to_be_focused()

    page.reload()
    expect_task(page, "Ada", "met", "Bob", ".")
    expect(dialog).to_be_hidden()
    page.keyboard.press("?")
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("[data-task] > div")).to_be_focused()
    mark(page, "Ada")
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    assert events(campaign)[:2] == ["opened", "instructions_read"]


def test_enter_presses_start_once_and_sends_nothing(page):
    campaign = make_work()
    set_instructions(campaign, "Mark every name of a person.")
    page.goto(link_to(campaign))
    button(page, "Go on").click()
    dialog = page.get_by_role("dialog", name="Instructions")
    expect(dialog).to_be_visible()
    expect_task(page, "Ada", "met", "Bob", ".")
    asked = requests_to_api(page)
    page.keyboard.down("Enter")
    page.keyboard.down("Enter")  # held down: the browser says that it is repeated
    page.keyboard.up("Enter")
    expect(dialog).to_be_hidden()
    expect(page.locator("[data-task] > div")).to_be_focused()
    expect(message(page)).to_be_empty()
    assert "assignments/…/submit/" not in asked
    page.keyboard.press("?")
    page.get_by_role("button", name="change the key of Skip").press("Enter")  # that button's own
    expect(dialog).to_be_visible()


def test_instructions_that_change_meanwhile_are_read_before_the_next_task(page):
    campaign = make_work("Ada met Bob .", "Carl saw Dora .", "Eve left .")
    set_instructions(campaign, "Mark names.")
    page.clock.install()
    page.goto(link_to(campaign))
    button(page, "Go on").click()
    button(page, "Start").click()
    expect(page.locator("[data-task] > div")).to_be_focused()
    set_instructions(campaign, "Mark names and *titles*.")
    mark(page, "Ada")
    button(page, "Submit").click()
    dialog = page.get_by_role("dialog", name="Instructions")
    expect(dialog).to_contain_text("Mark names and titles.")
    expect(dialog).to_contain_text("They have changed since you began.")
    expect_task(page, "Carl", "saw", "Dora", ".")
    page.clock.run_for(1_000)  # an Enter at once would be one for the task
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(page.locator("[data-task] > div")).to_be_focused()
    mark(page, "Dora")
    button(page, "Submit").click()
    expect_task(page, "Eve", "left", ".")
    expect(dialog).to_be_hidden()
    page.reload()
    expect(page.locator("[data-task] > div")).to_be_focused()
    expect(dialog).to_be_hidden()


def test_new_version_of_the_instructions_opens_again(page):
    campaign = make_work()
    set_instructions(campaign, "Mark names.")
    page.goto(link_to(campaign))
    button(page, "Go on").click()
    button(page, "Start").click()
    set_instructions(campaign, "Mark names and titles.")
    page.reload()
    expect(page.get_by_role("dialog")).to_contain_text("Mark names and titles.")


def test_pay_line_counts_down_what_is_left(page):
    open_work(page, make_work())
    line = page.locator("[data-part=pay]")
    expect(line).to_have_text("0 of 2 · $0.06 a task")
    mark(page, "Ada")
    button(page, "Submit").click()
    expect(line).to_have_text("1 of 2 · about 1 min left · $0.06 so far")


def test_on_a_phone_what_was_earned_is_not_cut(page):
    page.set_viewport_size({"width": 390, "height": 844})
    open_work(page, make_work())
    line = page.locator("[data-part=pay]")
    line.evaluate("""line => {
      line.textContent = "17 of 120 · about 44 min left · $1.35 so far · $13.10 an hour";
    }""")
    assert line.evaluate("line => line.scrollWidth <= line.clientWidth")
    for act in ("doubt", "skip", "report"):  # an icon has its word
        expect(page.locator(f"[data-act={act}] .wide")).to_be_in_viewport(ratio=1)


def test_skip_wants_a_reason_and_brings_another_task(page):
    campaign = make_work(skip_limit=1)
    open_work(page, campaign)
    button(page, "Skip").click()
    dialog = page.get_by_role("dialog", name="Skip this task")
    expect(dialog).to_contain_text("What you skip is not paid. You can skip 1 more task")
    dialog.get_by_role("button", name="Skip").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Choose a reason")
    expect(dialog.get_by_label("In your own words")).to_be_focused()  # what is typed is the reason
    dialog.get_by_label("I don’t understand what is shown.").check()
    dialog.get_by_label("In your own words").fill("It is in old Dutch.")
    page.keyboard.press("Control+Enter")
    expect_task(page, "Carl", "saw", "Dora", ".")
    returned = Assignment.objects.get(state="returned")
    assert returned.return_reason == "I don't understand what is shown. It is in old Dutch."

    button(page, "Skip").click()
    expect(message(page)).to_contain_text("You have no skip left.")


def test_two_characters_may_be_a_reason(page):
    open_work(page, make_work())
    button(page, "Skip").click()
    page.get_by_label("In your own words").fill("太长")  # too long
    page.keyboard.press("Control+Enter")
    expect_task(page, "Carl", "saw", "Dora", ".")
    assert Assignment.objects.get(state="returned").return_reason == "太长"


def test_skip_that_is_thought_better_of_leaves_everything_as_it_was(page):
    with held_back(page, "later"):
        open_work(page, make_work())
        mark(page, "Ada")
        button(page, "Ada").evaluate("button => button.blur()")
        for key in (">", "Enter", "!"):  # none of them is the task's any more
            page.keyboard.press(key)
    expect(page.get_by_role("dialog", name="Skip this task")).to_be_visible()
    expect(page.locator("dialog[open]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect_marked(page, "Ada")
    assert Assignment.objects.get().state == "leased"


def test_broken_task_is_reported_and_costs_no_skip(page):
    campaign = make_work()
    open_work(page, campaign)
    button(page, "Report").click()
    dialog = page.get_by_role("dialog", name="Report this task as broken")
    dialog.get_by_label("It is in another language.").check()
    dialog.get_by_role("button", name="Report").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    assert Assignment.objects.get(state="returned").return_reason == "It is in another language."
    assert Enrollment.objects.get().skipped == 0


def test_worker_who_may_not_join_reads_why(page):
    first, second = make_work(), make_work()
    second.excludes.add(first)
    open_work(page, first)
    page.goto(link_to(second))
    expect(page.get_by_role("heading", name="You can’t join here")).to_be_visible()
    expect(notice(page)).to_contain_text("the two need different people")


def test_worker_whose_network_is_full_reads_when_to_come_back(page, monkeypatch):
    rates = SimpleRateThrottle.THROTTLE_RATES | {"enroll": "1/hour"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    first, second = make_work(), make_work()
    open_work(page, first)
    page.goto(link_to(second))
    expect(page.get_by_role("heading", name="You can’t join just now")).to_be_visible()
    expect(notice(page)).to_contain_text("Try again in 60 minutes.")
    open_work(page, first)  # who has joined before goes on


def test_no_step_of_work_makes_a_step_in_the_history_and_back_brings_the_task_again(page):
    page.goto("/")
    open_work(page, make_work())
    before = page.evaluate("history.length")
    mark(page, "Ada")
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    mark(page, "Dora")
    assert page.evaluate("history.length") == before
    expect_kept(page)
    page.go_back()
    expect(page.get_by_role("heading", name="Projects")).to_be_visible()
    page.go_forward()
    expect_task(page, "Carl", "saw", "Dora", ".")
    expect_marked(page, "Dora")
