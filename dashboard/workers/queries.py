"""All workers of a campaign as a table: sorted, filtered, by the page."""

from __future__ import annotations

import uuid
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Exists, F, FloatField, OuterRef, Q, When
from django.db.models.functions import Cast

from aggregation.models import AggregationRun, WorkerReliability
from annotation.models import Campaign, Enrollment
from annotation.querysets.workers import EnrollmentQuerySet
from dashboard.campaigns.queries import WorkerRow, worker_row
from dashboard.workers.plot import Plot, plot
from selection.models import SelectedWorker, WorkerFlag, WorkerSelection
from selection.queries.words import flag_in_words, reason_in_words

ROWS = 50
METHODS, RUNS = 3, 12  # whose reliabilities are shown; among the newest so many runs
ANY = "any"
OF_GOLD = frozenset({"gold"})  # orders that tell how workers did on gold
# What each order sorts by, and whether the largest comes first.
ORDERS: dict[str, tuple[str, bool]] = {
    "gold": ("gold_mean", True),
    "answers": ("submitted", True),
    "pace": ("seconds_each", False),
    "state": ("state", False),
}
BY_RULES = {
    "selection": "the selection",
    "qualification": "the practice and exam",
    "command": "a command",
}


@dataclass(frozen=True, slots=True)
class MethodReliability:
    method: str
    run: uuid.UUID
    accuracy: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Flag:
    kind: str
    label: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the last selection said of a worker."""

    is_kept: bool
    reason: str
    score: float | None  # q
    number: int  # of gold scores behind it


@dataclass(frozen=True, slots=True)
class TableRow:
    row: WorkerRow
    by: str  # who decided the state
    overruled: bool
    reliabilities: list[MethodReliability]
    flags: list[Flag]
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class WorkerTable:
    rows: list[TableRow]
    number: int  # of workers that were asked for
    order: str  # of ORDERS, with - before it where it is turned round
    page: int
    pages: int
    selection: WorkerSelection | None  # the last
    methods: list[str]
    plot: Plot | None

    @property
    def earlier(self) -> int:
        return self.page - 1

    @property
    def later(self) -> int:
        return self.page + 1


def worker_table(
    campaign: Campaign, *, order: str = "", state: str = "", flag: str = "", page: int = 1,
    with_gold: bool, with_ids: bool,
) -> WorkerTable:  # fmt: skip
    """Nine queries at most, whatever the number of workers. What is not known of `order`, `state`
    and `flag` is taken as not given. Without `with_gold` nothing that gold tells is in it."""
    chosen = _chosen(campaign, state, flag)
    order = order if _is_order(order, with_gold) else "answers"
    number = chosen.count()
    pages = max(1, -(-number // ROWS))
    page = min(max(page, 1), pages)
    found = list(_ordered(chosen, order)[(page - 1) * ROWS : page * ROWS])
    runs = _newest_runs(campaign)
    reliable = _reliabilities(runs, [row.worker_id for row in found])
    flags = _flags([row.pk for row in found])
    last = WorkerSelection.objects.filter(campaign=campaign).first() if with_gold else None
    verdicts = _verdicts(last, [row.pk for row in found])
    return WorkerTable(
        rows=[
            TableRow(
                row=worker_row(row, with_ids=with_ids),
                by=BY_RULES.get(row.state_by, row.state_by),
                overruled=row.overruled,
                reliabilities=reliable[row.worker_id],
                flags=flags[row.pk],
                verdict=verdicts.get(row.pk),
            )
            for row in found
        ],
        number=number,
        order=order,
        page=page,
        pages=pages,
        selection=last,
        methods=[method for _, _, method in runs],
        plot=plot(chosen, with_ids=with_ids) if with_gold else None,
    )


def _chosen(campaign: Campaign, state: str, flag: str) -> EnrollmentQuerySet:
    rows = Enrollment.objects.filter(campaign=campaign)
    if state in Enrollment.State.values:
        rows = rows.filter(state=state)
    if flag == ANY or flag in WorkerFlag.Kind.values:
        flags = WorkerFlag.objects.standing().filter(enrollment=OuterRef("pk"))
        rows = rows.filter(Exists(flags if flag == ANY else flags.filter(kind=flag)))
    return rows


def _is_order(order: str, with_gold: bool) -> bool:
    name = order.removeprefix("-")
    return name in ORDERS and (with_gold or name not in OF_GOLD)


def _ordered(rows: EnrollmentQuerySet, order: str) -> EnrollmentQuerySet:
    """Those of whom nothing is known come last, either way round."""
    column, largest_first = ORDERS[order.removeprefix("-")]
    if order.startswith("-"):
        largest_first = not largest_first
    by = F(column)
    return (
        rows.select_related("worker")
        .annotate(
            gold_mean=_ratio("gold_score_sum", "gold_seen"),
            seconds_each=_ratio("seconds", "submitted"),
        )
        .order_by(
            by.desc(nulls_last=True) if largest_first else by.asc(nulls_last=True),
            "-submitted", "pk",
        )
    )  # fmt: skip


def _ratio(total: str, number: str) -> Case:
    share: Any = F(total) / Cast(number, FloatField())
    return Case(When(Q(**{f"{number}__gt": 0}), then=share), output_field=FloatField())


def _newest_runs(campaign: Campaign) -> list[tuple[int, uuid.UUID, str]]:
    """The newest complete run of each method: (row id, key, method)."""
    complete = AggregationRun.objects.complete().filter(campaign=campaign).latest_first()
    newest: dict[str, tuple[int, uuid.UUID, str]] = {}
    for pk, key, method in complete.values_list("pk", "key", "method")[:RUNS]:
        newest.setdefault(method, (pk, key, method))
    return list(newest.values())[:METHODS]


def _reliabilities(
    runs: list[tuple[int, uuid.UUID, str]], workers: list[int]
) -> dict[int, list[MethodReliability]]:
    found: dict[int, list[MethodReliability]] = defaultdict(list)
    if not runs:
        return found
    rows = WorkerReliability.objects.filter(run__in=[run[0] for run in runs], worker__in=workers)
    of = {
        (run, worker): numbers
        for run, worker, *numbers in rows.values_list("run", "worker", "accuracy", "low", "high")
    }
    for worker in workers:
        for pk, key, method in runs:
            if (pk, worker) in of:
                found[worker].append(MethodReliability(method, key, *of[pk, worker]))
    return found


def _flags(enrollments: list[int]) -> dict[int, list[Flag]]:
    found: dict[int, list[Flag]] = defaultdict(list)
    rows = WorkerFlag.objects.standing().filter(enrollment__in=enrollments)
    for row in rows.order_by("enrollment", "kind"):
        evidence = flag_in_words(row.kind, row.evidence)
        found[row.enrollment_id].append(Flag(row.kind, row.get_kind_display(), evidence))
    return found


def _verdicts(selection: WorkerSelection | None, enrollments: list[int]) -> dict[int, Verdict]:
    if selection is None:
        return {}
    rows = SelectedWorker.objects.filter(selection=selection, enrollment__in=enrollments)
    return {row.enrollment_id: verdict_of(row) for row in rows}


def verdict_of(row: SelectedWorker) -> Verdict:
    return Verdict(row.chosen, reason_in_words(row.reason), row.score, row.number)


def names_of(campaign: Campaign, keys: list[uuid.UUID]) -> list[Enrollment]:
    """Of workers that were ticked, with their workers. One query."""
    rows = Enrollment.objects.filter(campaign=campaign, key__in=keys).select_related("worker")
    return list(rows.order_by("pk"))
