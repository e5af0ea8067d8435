"""The tasks of a campaign where one decides: those first of which most is expected to be wrong, the
disputed, those that workers report, and those that want more answers.

However many tasks there are, a page walks along an index as far as its rows, and what is counted
is counted to a limit.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Max, QuerySet

from aggregation.models import Consensus
from aggregation.queries.runs import RunSummary
from aggregation.querysets import ConsensusQuerySet
from annotation.models import Assignment, Campaign, Demand, Task
from dashboard.campaigns.task_rows import TaskRow, task_rows

ROWS = 20  # of a page
MOST_PAGES = 50  # that can be turned: what comes later is surer, and is found by its name
MOST_COUNTED = 1_000
SHOWN = {
    "all": "All",
    "disputed": "Disputed",
    "reported": "Reported",
    "unfinished": "Unfinished",
}


@dataclass(frozen=True, slots=True)
class Group:
    """Tasks that can be picked out."""

    name: str  # of SHOWN
    words: str
    number: int | None  # None: not told
    is_here: bool

    @property
    def is_more(self) -> bool:
        """Whether there may be more than the number says."""
        return self.name not in ("all", "unfinished") and self.number == MOST_COUNTED


@dataclass(frozen=True, slots=True)
class TaskList:
    rows: list[TaskRow]
    groups: list[Group]
    shown: str
    page: int
    has_next: bool

    @property
    def previous(self) -> int:
        return self.page - 1

    @property
    def next(self) -> int:
        return self.page + 1


def task_list(
    campaign: Campaign, run: RunSummary | None, *, shown: str, page: int, with_gold: bool,
    with_ids: bool = False,
) -> TaskList:  # fmt: skip
    """Eight queries at most, and two more at the end of the unfinished; `campaign` comes with its
    tally. Without `with_gold` a gold task is as if it were not there."""
    page = min(page, MOST_PAGES)
    first, last = (page - 1) * ROWS, page * ROWS + 1
    keys: list[int]
    if shown == "unfinished":
        keys = _unfinished(campaign, first, last)
    elif shown == "reported":
        keys = list(_reported(campaign, with_gold)[first:last])
    elif run is not None:
        rows = inferred(campaign, run, with_gold)
        if shown == "disputed":
            rows = rows.disputed(campaign)
        # A run of an older version does not know what is expected to be wrong.
        known = run.facts.expected_errors is not None
        ordered = rows.most_errors_first() if known else rows.order_by("confidence", "task")
        keys = list(ordered.values_list("task", flat=True)[first:last])
    else:
        plain = Demand.objects.plain().filter(campaign=campaign).order_by("task")
        keys = [] if shown == "disputed" else list(plain.values_list("task", flat=True)[first:last])
    return TaskList(
        rows=task_rows(campaign, run, keys[:ROWS], with_ids=with_ids),
        groups=_groups(campaign, run, shown, with_gold),
        shown=shown,
        page=page,
        has_next=len(keys) > ROWS and page < MOST_PAGES,
    )


def disputed_tasks(
    campaign: Campaign, run: RunSummary, *, with_gold: bool, most: int = MOST_COUNTED
) -> int:
    """How many there are; `most` where there are more. One query."""
    return inferred(campaign, run, with_gold).disputed(campaign)[:most].count()


def reported_tasks(campaign: Campaign, *, with_gold: bool, most: int = MOST_COUNTED) -> int:
    """The same. One query."""
    return _reported(campaign, with_gold)[:most].count()


def _groups(campaign: Campaign, run: RunSummary | None, shown: str, with_gold: bool) -> list[Group]:
    tally = getattr(campaign, "tally", None)
    numbers = {
        "all": tally.tasks if tally else None,
        "disputed": disputed_tasks(campaign, run, with_gold=with_gold) if run else 0,
        "reported": reported_tasks(campaign, with_gold=with_gold),
        "unfinished": tally.tasks - tally.complete if tally else None,
    }
    return [Group(name, words, numbers[name], name == shown) for name, words in SHOWN.items()]


def inferred(campaign: Campaign, run: RunSummary, with_gold: bool) -> ConsensusQuerySet:
    """What the run says of each task of which it says anything."""
    rows: ConsensusQuerySet = Consensus.objects.of_run(run.key)
    if run.facts.has_confidences:
        rows = rows.filter(confidence__isnull=False)
    if not with_gold:
        rows = rows.filter(task__in=Task.objects.plain().filter(campaign=campaign))
    return rows


def _reported(campaign: Campaign, with_gold: bool) -> QuerySet:
    reports = Assignment.objects.reported().filter(task__campaign=campaign)
    if not with_gold:
        reports = reports.on_plain()
    grouped = reports.values("task").annotate(number=Count("pk"), last=Max("reported_at"))
    return grouped.order_by("-number", "-last", "task").values_list("task", flat=True)


def _unfinished(campaign: Campaign, first: int, last: int) -> list[int]:
    """In the order in which they are given out, and then those whose last answers are at work."""
    plain = Demand.objects.plain().filter(campaign=campaign)
    ready = plain.ready().order_by("rank", "task").values_list("task", flat=True)
    keys = list(ready[first:last])
    if len(keys) < last - first:
        before = first + len(keys) if keys else ready[:first].count()
        live = Assignment.objects.live().filter(enrollment__campaign=campaign)
        leased = plain.filter(open=0, leased__gt=0, task__in=live.values("task"))
        rest = leased.order_by("task").values_list("task", flat=True)
        keys += rest[max(0, first - before) : last - before]
    return keys
