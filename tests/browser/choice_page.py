"""The choice page as a worker handles it. The clock stands still but where a test moves it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from annotation.actions.tokens import campaign_link
from annotation.models import Campaign, Response
from tests.annotation.commands.test_import_choices import png
from tests.browser.page_time import stop_clock
from tests.factories import make_campaign, make_document, make_project, make_task

COLOURS = {"choices": ["Red", "Green", "Blue"], "question": "Which colour is it?"}
HELD, READ = 800, 500  # ms: the moment before an answer goes out; what is pressed sooner is unread


def make_choices(*tasks: Any, options: dict[str, Any] | None = None, **project: Any) -> Campaign:
    """An open campaign with a task for each text or payload, in their order."""
    campaign = make_campaign(
        make_project(**project),
        interface="choice",
        redundancy=1,
        name="Colours of things",
        options=COLOURS if options is None else options,
    )
    for number, task in enumerate(tasks or ("The sky.", "A leaf.", "Blood.")):
        if isinstance(task, str):
            make_task(campaign, make_document(campaign.project, task))
        else:
            make_task(campaign, document=None, external_id=f"c{number}", payload=task)
    return campaign


def open_choice(page: Page, campaign: Campaign) -> None:
    page.clock.install()
    page.goto(f"/join/{campaign_link(campaign)}/")
    expect(page.locator(".choice-task")).to_be_focused()
    stop_clock(page)  # and so the task was read


def rest(page: Page) -> None:
    """Let the time pass in which what is pressed is taken for unread."""
    after(page, READ)


def show_picture(page: Page) -> None:
    """The picture "x.png" of a task."""
    page.route(
        "**/pictures/x.png", lambda route: route.fulfill(body=png(), content_type="image/png")
    )


def after(page: Page, milliseconds: int) -> None:
    page.clock.run_for(milliseconds)


def option(page: Page, name: str) -> Locator:
    return page.locator(".choice-option").filter(has_text=name)


def held(page: Page) -> Locator:
    """Where the answer stands, in words."""
    return page.locator(".choice-held")


def expect_shown(page: Page, text: str) -> None:
    expect(page.locator(".choice-text")).to_have_text(text)


def expect_end(page: Page) -> None:
    expect(page.get_by_role("heading", name="All done for now")).to_be_visible()


def answers(campaign: Campaign) -> list[dict[str, Any]]:
    """The oldest first."""
    return list(
        Response.objects.filter(assignment__task__campaign=campaign)
        .order_by("received_at")
        .values_list("answer", flat=True)
    )


def chosen(campaign: Campaign) -> list[str | None]:
    return [answer["choice"] for answer in answers(campaign)]
