"""Practice in the tests of all interfaces: known answers for tasks, a laptop and a phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.interfaces import interface
from annotation.models import Campaign, Demand, GoldQuestion, Task
from annotation.models.materials import MATERIAL_COLUMNS, material_of
from tests.browser import choice_page
from tests.browser.work_frame import button

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
SIZES = pytest.mark.parametrize(
    ("size", "scheme"), [(LAPTOP, "light"), (PHONE, "dark")], ids=["laptop", "phone"]
)


def practise(campaign: Campaign, *known: Any, tolerance: int = 0) -> Campaign:
    """The campaign's tasks as practice, with these answers as the known ones."""
    tasks = Task.objects.filter(campaign=campaign).order_by("pk")
    kind = interface(campaign.interface)
    for task, row, raw in zip(tasks, tasks.values(*MATERIAL_COLUMNS), known, strict=True):
        answer = kind.read(raw, material_of(row))
        GoldQuestion.objects.create(
            task=task, answer=answer, tolerance=tolerance, explanation="Because it says so."
        )
    Demand.objects.filter(campaign=campaign).update(kind=Demand.Kind.TRAINING)
    Campaign.objects.update(training_size=len(known), pass_score=0.5)
    return campaign


def known_of(*names: tuple[int, int, str]) -> dict[str, Any]:
    """Names in a text as the known answer: first word, the one after the last, type."""
    mentions = [
        {"id": f"m{n}", "start": start, "end": end, "type": name, "entity": None}
        for n, (start, end, name) in enumerate(names)
    ]
    return {"mentions": mentions, "entities": [], "unlabelled": []}


def look(page: Page, size: dict[str, int], scheme: str) -> None:
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    # Practice begins on the first page.
    page.add_locator_handler(button(page, "Start practice"), lambda start: start.click())


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def go_on(page: Page) -> None:
    """Enter is not heard at once: it may have been meant for what stood there before."""
    expect(button(page, "Go on")).to_be_visible()
    page.clock.fast_forward(choice_page.HELD)
    page.keyboard.press("Enter")
