"""From the link to the thanks by keyboard alone, with axe and the page's width in every state."""

import pytest
from playwright.sync_api import expect

from annotation.actions import appeals, rejections, workers
from annotation.actions.campaigns import set_instructions
from annotation.actions.consent import set_consent
from annotation.models import (
    Appeal,
    Assignment,
    Consent,
    Demand,
    Enrollment,
    Event,
    GoldQuestion,
    Worker,
)
from tests.browser.accessible import violations
from tests.browser.page_time import stop_clock
from tests.browser.screenshots import keep_screenshot
from tests.browser.work_frame import (
    button,
    expect_task,
    link_to,
    make_work,
    notice,
    requests_to_api,
    worker_page,
)
from tests.factories import make_document, make_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LAPTOP = {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"}
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
UNREAD = 1_000  # ms; an Enter sooner was meant for what stood there before
INSTRUCTIONS = """
Mark every name of a person.

## First names too

> Right: **Ada** met Bob
> Wrong: Ada **met** Bob

## No titles

> ✗ **Doctor** Ada
"""
ENGLISH = ["Ada met Bob .", "Carl saw Dora .", "Eve left .", "Fay sang .", "Gus ran ."]
ARABIC = ["مريم رأت سارة .", "يوسف زار ليلى .", "هدى غادرت .", "نور غنت .", "علي ركض ."]


@pytest.fixture(params=[(LAPTOP, "ltr"), (PHONE, "rtl")], ids=["laptop", "phone-rtl"])
def shown(request, browser, live_server):
    options, direction = request.param
    with worker_page(browser, live_server.url, **options) as page:
        page.clock.install()
        yield page, direction


@pytest.fixture
def page(browser, live_server):
    with worker_page(browser, live_server.url) as page:
        page.clock.install()
        yield page


def looks_right(page):
    assert violations(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")


def names_in(text):
    return [word for word in text.split()[::2] if word != "."]


def make_journey(direction="ltr", **fields):
    texts = ARABIC if direction == "rtl" else ENGLISH
    fields = {"pay_mills": 60, "training_size": 2, "exam_size": 1, "pass_score": 0.5} | fields
    campaign = make_work(*texts[3:], **fields)
    campaign.project.text_direction = direction
    campaign.project.save()
    kinds = (Demand.Kind.TRAINING, Demand.Kind.TRAINING, Demand.Kind.EXAM)
    for text, kind in zip(texts, kinds, strict=False):
        task = make_task(campaign, make_document(campaign.project, text), kind=kind)
        make_gold(task, names_in(text))
    campaign.content_warning = "Some letters tell of war."
    campaign.save()
    set_consent(campaign, "We keep **your answers**, and no name of yours.")
    set_instructions(campaign, INSTRUCTIONS)
    return campaign


def make_gold(task, names):
    text = task.document.text
    mentions = [
        {"id": f"m{n}", "start": text.index(name), "end": text.index(name) + len(name),
         "type": "PER", "entity": None}
        for n, name in enumerate(names)
    ]  # fmt: skip
    answer = {"mentions": mentions, "entities": [], "unlabelled": []}
    GoldQuestion.objects.create(task=task, answer=answer, explanation="Both of them are people.")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def tab_to(page, name):
    """The next button of that name, as Tab reaches it."""
    for _ in range(40):
        page.keyboard.press("Tab")
        focused = page.locator(":focus")
        if focused.count() and focused.inner_text().partition("\n")[0].startswith(name):
            return
    raise AssertionError(f"Tab does not reach {name}.")


def agree(page):
    expect(page.get_by_role("heading", name="Before you begin")).to_be_focused()
    tab_to(page, "I agree")
    press(page, "Enter")


def read_steps(page, number):
    for step in range(1, number + 1):
        expect(page.get_by_text(f"Step {step} of {number}")).to_be_visible()
        press(page, "Enter")


def answer(page, *words):
    """Mark the words and send them, by the keys alone."""
    expect(page.locator("[data-task] > div")).to_be_focused()
    for word in words:
        tab_to(page, word)
        press(page, "Enter")
    press(page, "Control+Enter")


def go_on(page, heading):
    """Past what stands between two tasks."""
    expect(page.get_by_role("heading", name=heading)).to_be_focused()
    page.clock.run_for(UNREAD)
    press(page, "Enter")


def line(page):
    return page.locator("[data-part=pay]")


def test_whole_journey_by_keyboard_alone(shown):
    page, direction = shown
    campaign = make_journey(direction)
    names = [names_in(text) for text in (ARABIC if direction == "rtl" else ENGLISH)]
    asked = requests_to_api(page)
    page.goto(link_to(campaign))
    expect(page.get_by_text("Some letters tell of war.")).to_be_visible()
    facts = page.locator(".first-facts")
    expect(facts).to_contain_text("$0.06 a task")
    expect(facts).to_contain_text("2 practice tasks, 1 test task")
    expect(page.locator(".first-example mark").first).to_contain_text("PER")
    page.get_by_role("button", name="Show again").click()
    keep_screenshot(page)
    looks_right(page)
    tab_to(page, "I do not agree")
    press(page, "Enter")
    expect(notice(page)).to_contain_text("You were asked for nothing, and nothing was kept.")
    looks_right(page)
    assert (asked, Worker.objects.count()) == ([], 0)
    tab_to(page, "Read it again")
    press(page, "Enter")
    with page.expect_response("**/consent/"):  # the steps wait for no request
        agree(page)

    expect(page.get_by_text("Step 1 of 3")).to_be_visible()
    press(page, "Escape", "Enter")
    expect(page.get_by_text("Step 2 of 3")).to_be_visible()
    looks_right(page)
    tab_to(page, "Back")
    press(page, "Enter")
    expect(page.get_by_text("Step 1 of 3")).to_be_visible()
    press(page, "Enter")
    assert asked == ["join/", "consent/"]
    assert Consent.objects.get().version.number == 1
    press(page, "Enter", "Enter")

    expect(line(page)).to_have_text("Practice 1 of 2")
    looks_right(page)
    stop_clock(page)
    answer(page, names[0][0])
    expect(page.get_by_role("heading", name="correct")).to_be_focused()
    press(page, "Enter")  # meant for the task: nobody has read the feedback yet
    page.clock.resume()
    expect(page.locator(".findings-wrong")).to_contain_text(names[0][1])
    expect(page.locator(".feedback")).to_contain_text("Both of them are people.")
    expect(button(page, "Submit")).to_be_hidden()
    looks_right(page)
    go_on(page, "correct")
    answer(page, *names[1])
    expect(page.get_by_role("heading", name="All correct")).to_be_focused()
    looks_right(page)
    go_on(page, "All correct")
    expect(notice(page)).to_contain_text("Practice is over.")
    expect(notice(page)).to_contain_text("average over the tasks")
    looks_right(page)
    go_on(page, "Now the test")
    expect(line(page)).to_contain_text("Test 1 of 1 · $0.12 so far")
    answer(page, *names[2])
    go_on(page, "You are in")
    read = Event.objects.filter(kind="feedback_read")
    assert [event.data["seconds"] >= 1 for event in read] == [True, True]

    expect(line(page)).to_contain_text("3 of 5")
    looks_right(page)
    worker = Enrollment.objects.get()
    workers.set_state(worker, "paused", "Please read the second step again.")
    answer(page, *names[3])
    expect(page.get_by_role("heading", name="You are paused")).to_be_focused()
    looks_right(page)
    tab_to(page, "Ask for a review")
    press(page, "Enter")
    expect(page.get_by_label("In your own words")).to_be_focused()
    page.keyboard.type("I have read it now.")
    looks_right(page)
    tab_to(page, "Send")
    press(page, "Enter")
    expect(notice(page)).to_contain_text("There is no answer yet.")
    expect(button(page, "Ask for a review")).to_be_hidden()
    appeals.answer(Appeal.objects.get(), True, "Welcome back.")
    first = Assignment.objects.filter(state="submitted").earliest("pk")
    rejections.reject(first, "One name is missing.")
    tab_to(page, "Check again")
    press(page, "Enter")
    expect_task(page, *(ARABIC if direction == "rtl" else ENGLISH)[4].split())

    open_mine(page)
    mine = page.get_by_role("dialog", name="My work")
    expect(mine.get_by_role("listitem")).to_have_count(4)
    expect(mine.get_by_role("listitem").last.locator("p").nth(1)).to_contain_text("Practice · ")
    expect(mine.get_by_role("listitem").nth(1).locator("p").nth(1)).to_contain_text("Test · ")
    expect(mine).to_contain_text("Rejected on")
    expect(mine).to_contain_text("Welcome back.")
    looks_right(page)
    tab_to(page, "Ask for a review")
    press(page, "Enter")
    page.get_by_label("In your own words").fill("There is one name only.")
    press(page, "Tab", "Enter")
    expect(mine).to_contain_text("There is one name only.")
    appeals.answer(Appeal.objects.get(answered_at=None), True, "You are right.")
    press(page, "Escape")
    open_mine(page)
    expect(mine).to_contain_text("Rejected at first; since")
    tab_to(page, "Look at it again")
    press(page, "Enter")
    expect(page.get_by_role("heading", name="All correct")).to_be_focused()
    expect_task(page, *(ARABIC if direction == "rtl" else ENGLISH)[1].split())
    go_on(page, "All correct")
    expect(mine).to_be_visible()
    press(page, "Escape")

    answer(page, *names[4])
    expect(notice(page)).to_contain_text("You have handed in 5 tasks and earned $0.30.")
    expect(page.locator("#code")).not_to_be_empty()
    looks_right(page)


def open_mine(page):
    if page.viewport_size["width"] < 640:
        tab_to(page, "Menu")
        press(page, "Enter")
        looks_right(page)
    tab_to(page, "My work")
    press(page, "Enter")
    expect(page.get_by_role("dialog").get_by_role("listitem").first).to_be_visible()


def test_worker_who_fails_twice_reads_what_was_missing_and_can_ask(page):
    campaign = make_work(training_size=1, tries=2)
    for text in ENGLISH[:2]:
        task = make_task(campaign, make_document(campaign.project, text), kind=1)
        make_gold(task, names_in(text))
    page.goto(link_to(campaign))
    button(page, "Start practice").click()
    answer(page, "met")
    go_on(page, "Not right")
    expect(notice(page)).to_contain_text("this is try 2 of 2")
    go_on(page, "Another try")
    expect(line(page)).to_contain_text("Practice 1 of 1 · try 2 of 2")
    answer(page, "saw")
    go_on(page, "Not right")
    expect(page.get_by_role("heading", name="Not this time")).to_be_focused()
    expect(notice(page)).to_contain_text("0% of the practice was right; 70% is needed.")
    expect(button(page, "Ask for a review")).to_be_visible()
