"""Coming back: on another device, to a text that was changed, to a warning that was read."""

import pytest
from playwright.sync_api import expect

from annotation.actions.campaigns import set_instructions
from annotation.actions.consent import set_consent
from annotation.models import Consent, Enrollment, Worker
from tests.browser.accessible import violations
from tests.browser.page_time import SAVED
from tests.browser.work_frame import (
    answered,
    button,
    expect_marked,
    expect_task,
    link_to,
    make_work,
    mark,
    message,
    notice,
    requests_to_api,
    saved,
    worker_page,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(browser, live_server):
    with worker_page(browser, live_server.url) as page:
        yield page


@pytest.fixture
def phone(browser, live_server):
    options = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with worker_page(browser, live_server.url, **options) as page:
        yield page


def consent_section(page):
    return page.locator("[data-part=consent]")


def test_worker_goes_on_on_another_device_with_five_words(page, phone):
    campaign = make_work()
    set_consent(campaign, "We keep your answers.")
    page.goto(link_to(campaign))
    button(page, "I agree").click()
    mark(page, "Ada")
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    with page.expect_response(lambda reply: reply.url.endswith("/draft/")):
        mark(page, "Dora")
    expect(page.locator("[data-part=bar] [data-part=saved]")).to_contain_text("Saved")
    button(page, "My work").click()
    dialog = page.get_by_role("dialog", name="My work")
    expect(dialog.get_by_label("The five words")).to_be_hidden()
    dialog.get_by_role("button", name="Show my five words").click()
    words = dialog.locator("code")
    expect(words).not_to_be_empty()
    assert violations(page) == []
    phrase = words.inner_text()
    assert len(phrase.split()) == 5

    phone.goto(link_to(campaign))
    button(phone, "I have worked here before").click()
    there = phone.get_by_role("dialog", name="My work")
    expect(there.get_by_label("The five words")).to_be_focused()
    expect(there.get_by_role("button", name="Show more")).to_be_hidden()
    there.get_by_label("The five words").fill("one two three four five")
    there.get_by_role("button", name="Go on with that work").click()
    expect(there.get_by_role("alert")).to_contain_text("Nobody has these words.")
    assert violations(phone) == []
    there.get_by_label("The five words").fill(phrase.upper())
    phone.keyboard.press("Enter")
    expect_marked(phone, "Dora")
    assert Worker.objects.count() == 1
    phone.reload()  # remembered, and what was agreed to there
    expect_marked(phone, "Dora")
    button(phone, "Submit").click()
    expect(notice(phone)).to_contain_text("You have handed in 2 tasks and earned $0.12.")
    assert Enrollment.objects.get().submitted == 2


def test_what_is_loaded_when_asked_for_may_not_come_and_comes_later(page):
    campaign = make_work()
    page.goto(link_to(campaign))
    expect_task(page, "Ada", "met", "Bob", ".")
    page.context.set_offline(True)
    button(page, "My work").click()
    expect(page.locator("[data-part=pay]")).to_contain_text("can’t be loaded at the moment")
    page.context.set_offline(False)
    button(page, "My work").click()
    expect(page.get_by_role("dialog")).to_contain_text("You have not handed in anything yet.")
    assert violations(page) == []


def test_worker_comes_back_to_a_closed_campaign_for_their_code(page):
    campaign = make_work("Ada met Bob .")
    set_consent(campaign, "We keep your answers.")
    page.goto(link_to(campaign))
    button(page, "I agree").click()
    mark(page, "Ada")
    button(page, "Submit").click()
    expect(page.locator("#code")).not_to_be_empty()
    campaign.state = "closed"
    campaign.save()
    page.goto(link_to(campaign))
    page.get_by_role("link", name="Your work and your completion code").click()
    expect(page.get_by_role("heading", name="This campaign has ended")).to_be_visible()
    expect(page.locator("#code")).not_to_be_empty()
    button(page, "My work").click()
    expect(page.get_by_role("listitem")).to_have_count(1)


def test_phrase_that_is_nobodys_any_more_is_forgotten(page):
    page.add_init_script("localStorage.setItem('touchstone:phrase', '\"a b c d e\"')")
    open_refused(page, make_work())
    button(page, "Go on without my five words").click()
    expect_task(page, "Ada", "met", "Bob", ".")
    assert page.evaluate("localStorage.getItem('touchstone:phrase')") == '""'


def open_refused(page, campaign):
    page.goto(link_to(campaign))
    expect(page.get_by_role("heading", name="You can’t join here")).to_be_visible()


def test_text_that_changes_is_asked_for_again_and_the_newest_one_counts(page):
    campaign = make_work()
    set_consent(campaign, "We keep your answers for a year.")
    page.goto(link_to(campaign))
    expect(consent_section(page)).to_contain_text("for a year")
    set_consent(campaign, "We keep your answers for two years.")
    button(page, "I agree").click()
    expect(consent_section(page)).to_contain_text("for two years")
    button(page, "I agree").click()
    mark(page, "Ada")
    set_consent(campaign, "We keep your answers for ever.")
    button(page, "Submit").click()
    expect(consent_section(page)).to_contain_text("for ever")
    expect(page.get_by_role("heading", name="This text has changed")).to_be_focused()
    expect(page.get_by_text("for ever")).to_be_in_viewport(ratio=1)
    expect(consent_section(page)).not_to_contain_text("Nothing is kept")
    button(page, "I do not agree").click()
    expect(notice(page)).to_contain_text("what you did before is kept")
    button(page, "Read it again").click()
    button(page, "I agree").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    given = Consent.objects.order_by("pk").values_list("version__number", flat=True)
    assert list(given) == [2, 3]
    page.reload()
    expect_task(page, "Carl", "saw", "Dora", ".")


def test_a_text_that_comes_while_somebody_works_is_agreed_to_by_its_own_buttons(page):
    campaign = make_work()
    page.goto(link_to(campaign))
    mark(page, "Ada")
    set_consent(campaign, "We keep your answers for a year.")
    button(page, "Submit").click()
    expect(page.get_by_role("heading", name="This text has changed")).to_be_focused()
    expect(page.get_by_text("for a year")).to_be_in_viewport(ratio=1)
    expect(button(page, "I do not agree")).to_be_visible()
    assert Consent.objects.count() == 0
    button(page, "I agree").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    assert Consent.objects.count() == 1


def test_content_warning_alone_is_shown_once_before_anything_is_asked(page):
    campaign = make_work(content_warning="It tells of war.")
    set_instructions(campaign, "Mark names.")
    asked = requests_to_api(page)
    page.goto(link_to(campaign))
    expect(consent_section(page)).to_contain_text("Content warning It tells of war.")
    assert violations(page) == []
    assert asked == []
    button(page, "Go on").click()
    button(page, "Start").click()
    expect_task(page, "Ada", "met", "Bob", ".")
    assert asked == ["join/"]
    page.reload()
    expect_task(page, "Ada", "met", "Bob", ".")
    campaign.content_warning = "It tells of war and hunger."
    campaign.save()
    page.reload()
    expect(consent_section(page)).to_contain_text("war and hunger")


def test_what_was_done_on_another_device_is_seen_before_it_would_be_overwritten(page, phone):
    campaign = make_work()
    set_consent(campaign, "We keep your answers.")
    page.clock.install()
    page.goto(link_to(campaign))
    button(page, "I agree").click()
    mark(page, "Ada")
    button(page, "Submit").click()
    expect_task(page, "Carl", "saw", "Dora", ".")
    button(page, "My work").click()
    page.get_by_role("button", name="Show my five words").click()
    phrase = page.locator("dialog code:not(:empty)").inner_text()
    page.get_by_role("button", name="Close").click()
    phone.goto(link_to(campaign))
    button(phone, "I have worked here before").click()
    phone.get_by_label("The five words").fill(phrase)
    phone.keyboard.press("Enter")
    expect_task(phone, "Carl", "saw", "Dora", ".")
    mark(phone, "Carl")
    expect(saved(phone)).to_have_text(SAVED)
    page.clock.run_for(62_000)
    mark(page, "Dora")
    page.clock.run_for(2_000)
    expect_marked(page, "Carl")
    expect(message(page)).to_contain_text("on another device")
    button(page, "Undo").click()
    expect_marked(page, "Dora")  # nothing is lost
    expect(saved(page)).to_have_text(SAVED)
    mark(phone, "saw")
    expect(saved(phone)).to_have_text(SAVED)
    page.clock.run_for(62_000)
    button(page, "Submit").click()
    expect_marked(page, "Carl", "saw")
    assert answered(campaign) == [["Ada"]]
