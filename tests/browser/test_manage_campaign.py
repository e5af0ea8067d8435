"""The manager's campaign page, the list of documents and a document with its lanes."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Page, expect

from aggregation.actions.runs import aggregate
from annotation.actions.campaigns import set_instructions
from annotation.actions.forecasts import store_forecasts
from annotation.actions.rollups import update_rollups
from annotation.actions.tokens import campaign_link
from annotation.models import Campaign, Project, Rollup, Tally
from tests.aggregation.crowds import tagged_task
from tests.browser.manage_page import log_in_at_once
from tests.factories import (
    SCHEMA,
    make_campaign,
    make_document,
    make_enrollment,
    make_member,
    make_project,
    make_worker,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 844}
LAPTOP = {"width": 1280, "height": 800}
SIZES = pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
OTHERS = "O B-PER O B-LOC O B-LOC I-LOC O O"
# The campaign's four states, and one that is open and has nothing yet.
STATES = ["draft", "open", "paused", "closed", "silent"]


def log_in(page: Page, project: Project, role: str = "manager") -> None:
    log_in_at_once(page, make_member(project, role).user)


def busy_campaign(state: str = "open", **fields) -> Campaign:
    """With answers, disagreement, workers of several kinds, days of work and a run."""
    now = timezone.now()
    campaign = make_campaign(
        state="open", pay_mills=60, budget_mills=30_000, opened_at=now - timedelta(days=5),
        closed_at=now if state == "closed" else None, name="Names in old papers", **fields,
    )  # fmt: skip
    set_instructions(campaign, "# Names\n\nMark **every** name.")
    for _ in range(3):
        tagged_task(campaign, NAMES, OTHERS, NAMES)
    make_enrollment(
        campaign, make_worker(external_id="anonymous:0123456789abcdef"), submitted=40, seconds=2000,
        earned_mills=2400, gold_seen=8, gold_score_sum=6, state="paused",
        state_reason="Answers came in seconds.",
    )  # fmt: skip
    aggregate(campaign, "dawid-skene")
    update_rollups()
    hour = now.replace(minute=0, second=0, microsecond=0)
    for back in range(2, 90):
        Rollup.objects.create(
            campaign=campaign, hour=hour - timedelta(hours=back), answers=1 + back % 7, gold=0,
            late=0, counted_at=now,
        )  # fmt: skip
    Tally.objects.filter(campaign=campaign).update(wanted=900, received=340, complete=80, tasks=300)
    store_forecasts(Tally.objects.filter(campaign=campaign))
    Campaign.objects.filter(pk=campaign.pk).update(state=state)
    return campaign


def campaign_in(state: str) -> Campaign:
    if state == "silent":
        return make_campaign(opened_at=timezone.now())
    if state == "draft":
        campaign = make_campaign(state="draft", pay_mills=60)
        make_document(campaign.project)
        return campaign
    return busy_campaign(state)


def complaints(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found]


def is_wider_than_the_window(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth > window.innerWidth")


# --- Every state, every size --------------------------------------------------------------------


@pytest.mark.parametrize("state", STATES)
def test_campaign_pages_fit_and_have_no_barrier_in_any_state(page, state):
    campaign = campaign_in(state)
    log_in(page, campaign.project)
    for section in ("", "tasks/", "results/", "settings/"):
        page.goto(f"/manage/campaigns/{campaign.slug}/{section}")
        for size, scheme in ((PHONE, "dark"), (LAPTOP, "light")):
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            expect(page.get_by_role("heading", level=1)).to_have_text(campaign.name)
            assert not is_wider_than_the_window(page), section
            assert complaints(page) == [], section


def test_four_questions_are_answered_without_scrolling_on_a_laptop(page):
    campaign = busy_campaign()
    log_in(page, campaign.project)
    page.set_viewport_size(LAPTOP)
    page.goto(f"/manage/campaigns/{campaign.slug}/")
    for name in (
        "Is it going well?", "What needs you?", "What will it cost?", "When is it done?", "Jobs",
        "Events",
    ):  # fmt: skip
        box = page.get_by_role("region", name=name).bounding_box()
        assert box["y"] + box["height"] <= LAPTOP["height"], name


@pytest.mark.parametrize("role", ["reviewer", "viewer"])
def test_members_who_only_read_meet_no_barrier_and_no_button(page, role):
    campaign = busy_campaign()
    log_in(page, campaign.project, role)
    page.goto(f"/manage/campaigns/{campaign.slug}/")
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)
    assert complaints(page) == []
    page.goto(f"/manage/campaigns/{campaign.slug}/settings/")
    expect(page.get_by_role("heading", name="Links for workers")).to_have_count(0)
    assert complaints(page) == []


# --- What a manager does ------------------------------------------------------------------------


def test_link_is_copied(page):
    campaign = busy_campaign()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    log_in(page, campaign.project)
    page.goto(f"/manage/campaigns/{campaign.slug}/settings/")
    page.get_by_role("button", name="Copy the link for everyone").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert f"/join/{campaign_link(campaign).split(':')[0]}" in copied


def test_link_that_can_not_be_copied_is_selected_and_says_so(page):
    campaign = busy_campaign()
    log_in(page, campaign.project)
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error())")
    page.goto(f"/manage/campaigns/{campaign.slug}/settings/")
    page.get_by_role("button", name="Copy the link for everyone").click()
    expect(page.get_by_text("press Ctrl+C")).to_be_visible()
    selected = page.evaluate("getSelection().toString() || document.activeElement.value")
    assert "/join/" in selected


def test_campaign_is_opened_paused_opened_again_and_closed(page):
    campaign = campaign_in("draft")
    log_in(page, campaign.project)
    page.goto(f"/manage/campaigns/{campaign.slug}/")

    page.get_by_role("button", name="Open campaign").click()
    expect(page.get_by_text("Open, with 1 task.")).to_be_visible()
    expect(page.get_by_text("of 3 answers", exact=False).first).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("Not while it is paused")).to_be_visible()
    page.get_by_role("button", name="Reopen campaign").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()

    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Close campaign…").click()
    expect(page.get_by_text("can't be opened again")).to_be_visible()
    assert complaints(page) == []
    page.get_by_role("link", name="Leave it open").click()
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Close campaign…").click()
    page.get_by_role("button", name="Close campaign").click()
    expect(page.get_by_text("Closed. What workers hold")).to_be_visible()
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("link", name="Close campaign…")).to_have_count(0)
    campaign.refresh_from_db()
    assert campaign.state == "closed"


def test_budget_is_set(page):
    campaign = busy_campaign()
    log_in(page, campaign.project)
    page.goto(f"/manage/campaigns/{campaign.slug}/settings/")
    field = page.get_by_label("What may be spent in all")
    field.fill("60")
    page.get_by_role("button", name="Set budget").click()
    expect(page.get_by_text("→ 60.00 USD")).to_be_visible()  # told first, saved by the second press
    page.get_by_role("button", name="Set budget").click()
    expect(page.get_by_text("60.00 USD may be spent in all.")).to_be_visible()


def test_chart_has_its_table(page):
    campaign = busy_campaign()
    log_in(page, campaign.project)
    page.goto(f"/manage/campaigns/{campaign.slug}/")
    chart = page.get_by_role("figure").first
    expect(chart.get_by_role("img")).to_be_visible()
    expect(chart.get_by_role("table")).to_be_hidden()
    chart.locator("summary", has_text="Table").click()
    expect(chart.get_by_role("row")).to_have_count(11)  # of the confidence, in tenths
    assert complaints(page) == []


# --- Documents ----------------------------------------------------------------------------------


def fits_and_has_no_barrier(page):
    """In all four views of the page that stands there."""
    for size in (PHONE, LAPTOP):
        for scheme in ("light", "dark"):
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            assert not is_wider_than_the_window(page), (size, scheme)
            assert complaints(page) == [], (size, scheme)


def test_list_of_documents_fits_and_has_no_barrier(page):
    campaign = busy_campaign()
    log_in(page, campaign.project)
    page.goto(f"/manage/projects/{campaign.project.slug}/documents/?order=uncertain")
    expect(page.get_by_role("row")).to_have_count(4)
    fits_and_has_no_barrier(page)


def test_document_fits_and_has_no_barrier(page):
    campaign = busy_campaign()
    task = campaign.tasks.first()
    log_in(page, campaign.project)
    page.goto(f"/manage/projects/{campaign.project.slug}/documents/{task.document.external_id}/")
    expect(page.get_by_role("heading", name="Who marked what")).to_be_visible()
    fits_and_has_no_barrier(page)


TEXTS = {
    "left to right": ("Ada Lovelace met Charles Babbage in London today .", "ltr"),
    "right to left": ("דנה לוי פגשה את אמל חדאד בחיפה היום .", "rtl"),
    "Chinese": ("王 丽 华 在 上 海 见 到 她", "ltr"),
}


@pytest.mark.parametrize("name", TEXTS)
@SIZES
def test_lanes_stand_under_their_words_with_their_names_beside(page, name, size):
    words, direction = TEXTS[name]
    project = make_project(schema=SCHEMA, text_direction=direction)
    campaign = make_campaign(project)
    tags = ["B-PER", "I-PER", *["O"] * 7]
    other = ["O", "B-PER", "I-PER", *["O"] * 6]
    workers = [make_worker(external_id=name) for name in ("anna", "ben")]
    task = tagged_task(
        campaign, {"tags": tags}, {"tags": other}, workers=workers, text=words,
        sentences=[[0, 9]],
    )  # fmt: skip
    log_in(page, project)
    page.set_viewport_size(size)
    page.goto(f"/manage/projects/{project.slug}/documents/{task.document.external_id}/")

    first, second = (page.locator(".words span").nth(i).bounding_box() for i in (0, 1))
    pieces = page.locator(".piece.type-1")
    one, two = pieces.nth(0).bounding_box(), pieces.nth(1).bounding_box()
    head = page.locator(".lane-name").first.bounding_box()
    start = (lambda box: box["x"]) if direction == "ltr" else (lambda box: -box["x"] - box["width"])
    assert start(one) == pytest.approx(start(first), abs=1)
    assert start(two) == pytest.approx(start(second), abs=1)
    assert one["y"] >= first["y"] + first["height"] - 1
    assert two["y"] > one["y"]
    assert head["y"] == pytest.approx(one["y"], abs=3)
    assert start(head) < start(first)


def test_document_of_two_thousand_words_with_ten_lanes_does_not_freeze(page):
    words = " ".join(["Ada", "Lovelace", "met", "him", "."] * 400)
    tags = {"tags": ["B-PER", "I-PER", "O", "O", "O"] * 400}
    campaign = make_campaign()
    sentences = [[i, i + 5] for i in range(0, 2_000, 5)]
    task = tagged_task(campaign, *[tags] * 10, text=words, sentences=sentences)
    log_in(page, campaign.project)
    page.goto(f"/manage/projects/{campaign.project.slug}/documents/{task.document.external_id}/")
    expect(page.locator(".piece.type-1").last).to_be_attached()
    assert not is_wider_than_the_window(page)
    layout = page.evaluate(
        """() => {
          const begun = performance.now();
          document.body.style.setProperty("width", "80%");
          document.body.getBoundingClientRect();
          return performance.now() - begun;
        }"""
    )
    assert layout < 15_000  # ms, of a busy machine; some 300 on a quiet one


def test_print_shows_lanes_without_controls(page):
    campaign = busy_campaign()
    task = campaign.tasks.first()
    log_in(page, campaign.project)
    page.emulate_media(media="print", color_scheme="dark")
    page.goto(f"/manage/projects/{campaign.project.slug}/documents/{task.document.external_id}/")
    expect(page.locator(".piece").first).to_be_visible()
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
    worker = f"workers/{campaign.enrollments.first().key}/"
    for section in ("", "workers/", "quality/", "results/", worker):
        page.goto(f"/manage/campaigns/{campaign.slug}/{section}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_role("navigation")).to_have_count(0)
        for role in ("button", "combobox", "textbox", "spinbutton", "checkbox", "searchbox"):
            assert page.get_by_role(role).count() == 0, (section, role)
        for name in ("Download", "Pause"):  # of what was buttons alone
            assert page.get_by_role("heading", name=name, exact=True).count() == 0


def test_wide_table_shows_that_it_goes_on_and_is_moved_by_keyboard(page):
    page.set_viewport_size({"width": 780, "height": 800})
    campaign = busy_campaign()
    log_in(page, campaign.project)
    page.goto(f"/manage/campaigns/{campaign.slug}/results/")
    table = page.get_by_role("group", name=re.compile("says of the workers"))
    # The shadows lie still; what hides them where the table ends moves with it.
    attachments = table.evaluate("(element) => getComputedStyle(element).backgroundAttachment")
    assert attachments == "local, local, scroll, scroll"
    table.focus()
    expect(table).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(element) => element.scrollLeft > 0", arg=table.element_handle())
    page.set_viewport_size(PHONE)  # rows are cards, and nothing goes on at the side
    assert table.evaluate("(element) => element.scrollWidth === element.clientWidth")
    results_by_keyboard(page)


def results_by_keyboard(page):
    """From the button that makes labels to the one that takes them away, by Tab and Enter."""
    page.get_by_role("button", name="Run aggregation").focus()
    for name in ("Compare methods", "See uncertain documents"):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.textContent.trim()")
        assert focused == name
    page.get_by_label("Confidence of a task at least").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Download labels")).to_be_visible()


@pytest.mark.parametrize("state", ["draft", "open"])
def test_axe_finds_nothing_on_the_edit_page(page, state):
    campaign = busy_campaign(state)
    log_in(page, campaign.project)
    page.goto(f"/manage/campaigns/{campaign.slug}/edit/")
    expect(page.get_by_role("button", name="Save")).to_be_visible()
    page.get_by_label("Instructions").fill("Mark every name.")
    expect(page.get_by_role("group", name="As workers read them")).to_have_text("Mark every name.")
    expect(page.get_by_role("status")).to_have_text("1 change: Instructions")
    fits_and_has_no_barrier(page)
    if state == "open":  # told by the first press, saved by the second
        page.keyboard.press("Control+s")
        expect(page.get_by_role("heading", name="What these changes do")).to_be_visible()
        expect(page.get_by_label("Instructions")).to_have_value("Mark every name.")
        fits_and_has_no_barrier(page)
        page.keyboard.press("Control+s")
        expect(page.get_by_text("Workers read the new instructions")).to_be_visible()
