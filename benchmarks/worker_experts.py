"""What the tasks of `worker_pages` share: campaigns, sizes, and what an expert is.

An expert knows the answer to each task of the page by what they see there.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import throwaway

WORDS, NAMES, ENTITIES = 50_000, 3_000, 2_000  # of the large document
CARDS, MOST_CARDS = 12, 60  # on one page
CHOICES = ["Praise", "Blame", "Both", "Neither"]
SECOND_THOUGHT = 900  # ms, after which a page believes that an answer is meant as it is
UNREAD = 520  # ms, before which a choice or a pair counts as unread
TWO_LOOKS = 700  # ms, in which a page has seen twice what is in view
SUBMIT = "[data-act=submit]"
USES = ("visit", "mouse", "keys", "touch")


Press = Callable[[Any, Any], None]  # (page, locator)


@dataclass(frozen=True, slots=True)
class Done:
    """`reading`: seconds in which the expert did nothing but have the text in view."""

    inputs: int
    units: int
    reading: float = 0.0


@dataclass(slots=True)
class Kind:
    """`ways`: what a key does → the keys that are timed, and those that clear up behind them.
    `experts`: how they work → a task done so; "touch" is on a phone."""

    links: dict[str, str]  # "visit", "large", and how each expert works
    known: dict[str, Any]  # what an expert sees of a task → the answer that they give
    ready: str
    units: str
    large: str
    ways: dict[str, tuple[list[str], list[str]]]
    experts: dict[str, Callable[[Any], Done]]
    prepare: Callable[[Any], Any]  # before keys are timed
    said: Callable[[dict[str, Any]], Any]  # a stored answer as `known` has them
    seen: Callable[[Any], str]  # of a task's row, as an expert sees it
    fill: Callable[[], None] | None = None
    tasks: int = 0

    def right(self, way: str) -> float:
        """The share of tasks whose answer arrived as the expert meant it."""
        from annotation.actions import tokens
        from annotation.models import Response

        campaign = tokens.read_link(self.links[way]).campaign
        rows = Response.objects.filter(assignment__task__campaign__slug=campaign)
        right = sum(
            self.said(row.answer) == self.known[self.seen(row.assignment.task)]
            for row in rows.select_related("assignment__task__document")
        )
        return right / self.tasks


def make_project(slug: str, schema: dict[str, Any], number: int = 0) -> Any:
    """With the first documents of the demonstration."""
    from annotation.actions.documents import import_documents
    from annotation.actions.projects import create_project
    from demonstration import corpus

    project = create_project(slug=slug, name=slug, schema=schema)
    if number:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "documents.jsonl"
            lines = [json.dumps(one) for one in islice(corpus.documents(), number)]
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            import_documents(project, path, format="jsonl")
    return project


def make_large_project(slug: str, schema: dict[str, Any]) -> Any:
    from annotation.models import ImportRun

    project = make_project(slug, schema)
    run = ImportRun.objects.create(
        project=project, file_name="made", format="jsonl", state="complete"
    )
    throwaway.insert_documents(run, 1, [f"word{n}" for n in range(WORDS)])
    return project


def make_campaign(project: Any, kind: str, use: str, tasks: Any = (), **options: Any) -> str:
    """Its link. `tasks` are (document's id, name, payload); none: one for each document."""
    from annotation.actions import campaigns, tokens

    campaign = campaigns.create_campaign(
        project, slug=f"{kind}-{use}", name=use, interface=kind, redundancy=1, pay_mills=10,
        lease_minutes=600, options=options,
    )  # fmt: skip
    campaigns.create_tasks_on(campaign, tasks)
    campaigns.open_campaign(campaign)
    return tokens.campaign_link(campaign)


def schema_of_the_demonstration() -> dict[str, Any]:
    """Whose dates are names alone here: no expert types one in."""
    from demonstration.load import SCHEMA

    types = [{**kind, "value": None} for kind in SCHEMA["entity_types"]]
    return {**SCHEMA, "entity_types": types}


def pointing(work: Callable[[Press, Any], Done]) -> dict[str, Callable[[Any], Done]]:
    """The same work by mouse and by finger."""
    return {"mouse": partial(work, click), "touch": partial(work, tap)}


def click(page: Any, locator: Any) -> None:
    """Without looking first, as somebody does who knows the page."""
    box = locator.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def tap(page: Any, locator: Any) -> None:
    """On a phone what is asked for may be out of sight, or behind the bar."""
    locator.evaluate("(element) => element.scrollIntoView({ block: 'center' })")
    box = locator.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
