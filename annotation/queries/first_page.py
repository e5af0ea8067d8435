"""What a worker reads before they agree to anything: facts of a campaign, and one example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotation.actions.assignments import tasks_for_newcomer, tries_of
from annotation.interfaces import example, interface, parts_of, tells_parts
from annotation.models import Campaign, Demand, Enrollment, Task
from annotation.models.materials import MATERIAL_COLUMNS, material_of

FEWEST_ANSWERS = 3  # of a worker, for their pace to count
FEWEST_WORKERS = 3
MOST_WORKERS = 500  # the newest: a page waits for it
TASKS_LOOKED_AT = 20  # for how many parts they have


@dataclass(frozen=True, slots=True)
class Pace:
    """Active seconds for a task, of half of the workers and of the slowest quarter at least."""

    usual: float
    slow: float


@dataclass(frozen=True, slots=True)
class FirstPage:
    pace: Pace | None  # None: too few have worked here yet
    tries: int  # at practice and test
    tasks: int | None  # at least so many, for who joins now; None: not told
    parts: tuple[int, int]  # least and most of a task, where tasks have many; or 0, 0
    example: Any  # an `interfaces.examples.Example`, or None


def first_page(campaign: Campaign) -> FirstPage:
    """Four queries at most for what is told, and up to three more where there are gold and
    practice, however large the campaign is; one more where tasks have many parts."""
    practice = _first_practice(campaign)
    return FirstPage(
        pace=_pace(campaign),
        tries=tries_of(campaign),
        tasks=tasks_for_newcomer(campaign),
        parts=_parts(campaign, practice),
        example=practice and _example(campaign, practice),
    )


def _pace(campaign: Campaign) -> Pace | None:
    """Over workers, practice with the rest: how long people take, not how well they do it."""
    rows = Enrollment.objects.filter(campaign=campaign, submitted__gte=FEWEST_ANSWERS)
    worked = rows.order_by("-pk").values_list("seconds", "submitted")[:MOST_WORKERS]
    each = sorted(seconds / submitted for seconds, submitted in worked if seconds > 0)
    if len(each) < FEWEST_WORKERS:
        return None
    return Pace(each[len(each) // 2], each[min(len(each) - 1, 3 * len(each) // 4)])


def practice_task(campaign_slug: str) -> dict[str, Any]:
    """The page of the first practice task, and what is right in it, to be tried before anything is
    agreed to; both None where there is none. Two queries."""
    campaign = Campaign.objects.open().filter(slug=campaign_slug).first()
    row = _first_practice(campaign) if campaign else None
    if campaign is None or row is None:
        return {"page": None, "answer": None}
    kind, material = interface(campaign.interface), material_of(row)
    answer = kind.for_page(row["gold_question__answer"], material)
    return {"page": kind.page_data(material), "answer": answer}


def _parts(campaign: Campaign, practice: Any) -> tuple[int, int]:
    """Of the first tasks that are work: practice may be smaller by far, and is told where it is all
    there is."""
    if not tells_parts(campaign.interface):
        return 0, 0
    work = Task.objects.filter(campaign=campaign, demand__kind=Demand.Kind.PLAIN)
    payloads = list(work.order_by("pk").values_list("payload", flat=True)[:TASKS_LOOKED_AT])
    if not payloads and practice:
        payloads = [practice["payload"]]
    counts = [parts_of(campaign.interface, payload) for payload in payloads]
    return (min(counts), max(counts)) if counts else (0, 0)


def _example(campaign: Campaign, row: Any) -> Any:
    return example(campaign.interface, row["gold_question__answer"], material_of(row))


def _first_practice(campaign: Campaign) -> Any:
    """Never hidden gold or the test."""
    practice = Task.objects.filter(
        campaign=campaign, demand__kind=Demand.Kind.TRAINING, gold_question__retired_at=None,
        gold_question__isnull=False,
    )  # fmt: skip
    return practice.order_by("pk").values("gold_question__answer", *MATERIAL_COLUMNS).first()
